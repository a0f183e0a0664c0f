"""The command `models`: the language models on this machine, and the download of those that the table names."""

import sys
import time

from rich.text import Text

from bba.errors import BBAError
from bba.planner.llm.gguf import read_header
from bba.planner.llm.local_download import get_model
from bba.planner.llm.local_models import find, found_models, known_models
from bba.progress import LINE_SECONDS, CallProgress
from bba.settings import Settings
from tui.commands.output import Printed, plain_table, print_all

LISTED = "list"  # the setting's value where nothing is to be downloaded
_MIB = 2**20


def models(settings: Settings) -> None:
    """Prints which models there are, or downloads one.

    Raises:
        BBAError: a model cannot be had.
    """
    name = settings.models or LISTED
    if name != LISTED:
        path = get_model(name, CallProgress(lambda: None, _Says(name)))
        sys.stdout.write(f"{name} is {path}\nplay with it: bba-tui --planner local --model {name}\n")
        return
    here, lacking = plain_table(["model", "from"], ["size", "stored as", "context"]), plain_table(["model"], ["size"])
    for model in found_models():
        try:
            header, size = read_header(model.path), f"{model.path.stat().st_size // _MIB} MiB"
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
            lacking.add_row(name, f"{known.size // _MIB} MiB", known.license, known.source)
    parts: list[Printed] = (
        [("on this machine: --planner local --model NAME, or any GGUF file", "bold"), here] if here.rows else []
    )
    parts += [("to download: bba-tui models get NAME", "bold"), lacking] if lacking.rows else []
    print_all(parts)


class _Says:
    """Writes how far a download is: on a terminal in one line, else one every ten seconds.

    Args:
        name: of the model.
    """

    def __init__(self, name: str) -> None:
        self._name, self._said, self._shown = name, 0.0, sys.stderr.isatty()

    def __call__(self, words: object) -> None:
        if self._shown:
            sys.stderr.write(f"\r\x1b[K{self._name}: {words}")
        elif not self._said or time.monotonic() - self._said >= LINE_SECONDS:
            self._said = time.monotonic()
            sys.stderr.write(f"{self._name}: {words}\n")
        sys.stderr.flush()
