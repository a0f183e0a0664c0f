"""The commands `list`, `new-agent` and `check-agent`: what there is, and what helps to write an agent of one's own."""

import sys

from bba.agents import DESCRIPTIONS, PLANNERS
from bba.bench.agent_check import agent_checks, write_new_agent
from bba.bench.presets import load_sweep, sweep_names
from bba.errors import BBAError
from bba.kitchen import Layout
from bba.plugins import KINDS, installed
from bba.settings import Settings
from human.keymap import ENTRIES

NAME_WIDTH = 24  # cells of a name


def print_list(_: Settings) -> None:
    """Prints layouts, agents, planners, installed plug-ins, sweeps and keys."""
    plugins = {kind: {name: f"from {place}" for name, place in installed(kind).items()} for kind in KINDS}
    for title, entries in (
        ("layouts", dict.fromkeys(Layout.names(), "")),
        ("agents and partners", DESCRIPTIONS),
        ("planners", PLANNERS),
        *((f"plug-ins: {kind}", found) for kind, found in plugins.items() if found),
        ("sweeps", {name: load_sweep(name).title for name in sweep_names()}),
        ("keys", {name: f"{' '.join(entry.keys):18}{entry.description}" for name, entry in ENTRIES.items()}),
    ):
        sys.stdout.write(f"{title}\n")
        for name, description in entries.items():
            sys.stdout.write(f"  {name:{NAME_WIDTH}}{description}".rstrip() + "\n")


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
    name, failed = settings.check_agent or "", 0
    for check in agent_checks(name, settings.agent_option):
        failed += bool(check.problem)
        mark, words = ("FAILED", check.problem) if check.problem else ("ok", check.found)
        sys.stdout.write(f"{mark:8}{check.name}{f': {words}' if words else ''}\n")
        sys.stdout.flush()
    if failed:
        raise BBAError(f"--check-agent: {name} does not keep {failed} of the promises above")
