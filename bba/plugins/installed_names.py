"""The names of plug-ins that installed packages add: the entry points of the group `bba.plugins`.

An entry point is called `KIND.NAME`, as `agent.greedy`, and says where the plug-in is, as `mine.agents:Greedy`.
"""

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

GROUP = "bba.plugins"


@cache
def installed(kind: str) -> Mapping[str, str]:
    """Returns where the plug-ins of a kind are, as `module:Name` by their names in alphabetical order."""
    found = {}
    for entry in _entry_points():
        of_kind, _, name = entry.name.partition(".")
        if of_kind == kind and name:
            found[name] = entry.value.replace(" ", "")
    return dict(sorted(found.items()))


def sources() -> set[str]:
    """Returns the modules in which installed plug-ins are."""
    return {entry.value.partition(":")[0].strip() for entry in _entry_points()}


def _entry_points() -> "EntryPoints":
    from importlib.metadata import entry_points  # only when it is needed: it takes a while

    return entry_points(group=GROUP)
