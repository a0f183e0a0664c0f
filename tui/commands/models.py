"""The command `models`: the language models on this machine, and the download of those that the table names."""

import sys

from rich.text import Text

from bba.errors import BBAError
from bba.planner.llm.gguf import read_header
from bba.planner.llm.local_download import get_model
from bba.planner.llm.local_models import BLOCK, find, found_models, known_models
from bba.progress import progress_bar
from bba.settings import Settings
from tui.commands.output import Printed, plain_table, print_all

LISTED = "list"  # the setting's value where nothing is to be downloaded


def models(settings: Settings) -> None:
    """Prints which models there are, or downloads one.

    Raises:
        BBAError: a model cannot be had.
    """
    name = settings.local_models or LISTED
    sizes = {name: known.size // BLOCK for name, known in known_models().items()}
    if name != LISTED:
        with progress_bar(sizes.get(name, 0), "MiB", shown=name in sizes) as progress:
            path = get_model(name, progress)
        sys.stdout.write(f"{name} is {path}\nplay with it: bba-tui --planner local --model {name}\n")
        return
    here, lacking = plain_table(["model", "from"], ["size", "stored as", "context"]), plain_table(["model"], ["size"])
    for model in found_models():
        try:
            header, size = read_header(model.path), f"{model.path.stat().st_size // BLOCK} MiB"
        except (BBAError, OSError):
            here.add_row(Text(model.name), model.place, "", "damaged", "")
            continue
        context = f"{header.context}" if header.chats else "no chat"
        here.add_row(Text(model.name), model.place, size, header.quantisation, context)
    lacking.add_column("licence")
    lacking.add_column("from")
    for name, known in known_models().items():
        try:
            find(name)
        except BBAError:
            lacking.add_row(name, f"{sizes[name]} MiB", known.license, known.source)
    parts: list[Printed] = (
        [("on this machine: --planner local --model NAME, or any GGUF file", "bold"), here] if here.rows else []
    )
    parts += [("to download: bba-tui models get NAME", "bold"), lacking] if lacking.rows else []
    print_all(parts)
