"""The commands `list`, `models`, `new-agent` and `check-agent`: what there is, and what helps to write more."""

import sys

from rich.text import Text

from bba.agents import DESCRIPTIONS, PLANNERS
from bba.bench.agent_check import agent_checks, write_new_agent
from bba.bench.presets import load_sweep, sweep_names
from bba.errors import BBAError
from bba.kitchen import Layout
from bba.planner.llm.local_download import get_model
from bba.planner.llm.local_models import BLOCK, find, found_models, known_models, read_header
from bba.plugins import KINDS, installed
from bba.progress import progress_bar
from bba.settings import Settings
from bba.terminal_text import print_lines, visible_line
from human.keymap import ENTRIES, SITUATIONS
from tui.commands.output import Printed, plain_table, print_all

NAME_WIDTH = 24  # cells of a name


def print_list(_: Settings) -> None:
    """Prints layouts, agents, planners, installed plug-ins, sweeps, and keys by where they count first."""
    where = {entry.name: name for name, table in reversed(SITUATIONS.items()) for entry in table}
    keys = {name: f"{' '.join(entry.keys):18}{entry.description}" for name, entry in ENTRIES.items()}
    plugins = {kind: {name: f"from {place}" for name, place in installed(kind).items()} for kind in KINDS}
    for title, entries in (
        ("layouts", dict.fromkeys(Layout.names(), "")),
        ("agents and partners", DESCRIPTIONS),
        ("planners", PLANNERS),
        *((f"plug-ins: {kind}", found) for kind, found in plugins.items() if found),
        ("benchmarks", {name: load_sweep(name).title for name in sweep_names()}),
        *(
            (f"keys {place}", {name: words for name, words in keys.items() if where[name] == place})
            for place in SITUATIONS
            if place in where.values()
        ),
    ):
        lines = (f"  {name:{NAME_WIDTH}}{description}".rstrip() for name, description in entries.items())
        sys.stdout.writelines(f"{line}\n" for line in (title, *lines))


def print_new_agent(settings: Settings) -> None:
    """Writes the package and prints what to do next."""
    name = settings.new_agent or ""
    folder = write_new_agent(name)
    agent = f"{name}.agent:{''.join(part.capitalize() for part in name.split('_'))}"
    sys.stdout.write(
        f"written to {folder}; next:\n"
        f"  cd {folder}\n"
        f"  bba-tui watch open --agent {agent}\n"
        f"  bba-tui check-agent {agent}\n"
        f"  bba-tui bench sweep.toml\n"
    )


def print_agent_check(settings: Settings) -> None:
    """Prints each check as soon as it is done.

    Raises:
        BBAError: the agent does not pass all of them.
    """
    name = settings.check_agent or ""
    failed = 0
    for check in agent_checks(name, settings.agent_option):
        failed += bool(check.problem)
        mark, words = ("FAILED", check.problem) if check.problem else ("ok", check.found)
        print_lines(f"{mark:8}{check.name}{f': {visible_line(words)}' if words else ''}")
        sys.stdout.flush()
    if failed:
        raise BBAError(f"--check-agent: {name} does not keep {failed} of the promises above")


LISTED = "list"  # the setting's value where nothing is to be downloaded


def models(settings: Settings) -> None:
    """Prints which models there are, or downloads one.

    Raises:
        BBAError: a model cannot be had.
    """
    name = settings.local_models or LISTED
    sizes = {name: round(known.size / BLOCK) for name, known in known_models().items()}
    if name != LISTED:
        with progress_bar(sizes.get(name, 0), "MiB", shown=name in sizes) as progress:
            path = get_model(name, progress)
        print_lines(f"{name} is {visible_line(path)}", f"play with it: bba-tui --planner local --model {name}")
        return
    here = plain_table(["model", "from"], ["size", "stored as", "context"])
    lacking = plain_table(["model"], ["size"], ["licence", "from"])
    for model in found_models():
        try:
            header = read_header(model.path)
            size = f"{round(model.path.stat().st_size / BLOCK)} MiB"
        except (BBAError, OSError):
            here.add_row(Text(model.name), model.place, "", "damaged", "")
            continue
        context = f"{header.context}" if header.chats else "no chat"
        here.add_row(Text(model.name), model.place, size, header.quantisation, context)
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
