"""The command `--list`: what there is to choose from."""

import sys

from bba.agents import DESCRIPTIONS, PLANNERS
from bba.bench.presets import load_sweep, sweep_names
from bba.kitchen import Layout
from bba.plugins import KINDS, Kind, installed
from human.keymap import ENTRIES

WIDTH = 24  # cells of a name


def print_list() -> None:
    """Prints layouts, agents, planners, installed plug-ins, sweeps and keys."""
    for title, entries in (
        ("layouts", dict.fromkeys(Layout.names(), "")),
        ("agents and partners", DESCRIPTIONS),
        ("planners", PLANNERS),
        *((f"plug-ins: {kind}", _installed(kind)) for kind in KINDS if installed(kind)),
        ("sweeps", {name: load_sweep(name).title for name in sweep_names()}),
        ("keys", {name: f"{' '.join(entry.keys):18}{entry.description}" for name, entry in ENTRIES.items()}),
    ):
        sys.stdout.write(f"{title}\n")
        for name, description in entries.items():
            sys.stdout.write(f"  {name:{WIDTH}}{description}".rstrip() + "\n")


def _installed(kind: Kind) -> dict[str, str]:
    """Returns where the installed plug-ins of a kind are, by name."""
    return {name: f"from {place}" for name, place in installed(kind).items()}
