"""The kinds of plug-ins, and how their names say where they are.

The names of plug-ins that installed packages add: the entry points of the group `bba.plugins`.

An entry point is called `KIND.NAME`, as `agent.greedy`, and says where the plug-in is, as `mine.agents:Greedy`.
"""

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple

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


Kind = Literal["agent", "planner", "trigger", "partner-model", "measure", "layouts", "table", "figure"]

# kind: what it is, in a few words. The protocols are described in docs/extend/plugins.md.
KINDS: Mapping[Kind, str] = MappingProxyType(
    {
        "agent": "plays a seat, the ego's or the partner's",
        "planner": "answers the prompts of planning agents, as a language model does",
        "trigger": "says when an agent interrupts its skill",
        "partner-model": "keeps the belief about the partner",
        "measure": "computes a number from the trace of a game",
        "layouts": "names a folder of kitchens",
        "table": "makes a table of a report",
        "figure": "makes a figure of a report",
    }
)
_MODULE = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")


class PluginPlace(NamedTuple):
    """Where a plug-in is.

    Attributes:
        source: a module by its dotted name, or a Python file by its path.
        attribute: its name there.
    """

    source: str
    attribute: str

    @property
    def is_file(self) -> bool:
        """Whether the source is a file."""
        return self.source.endswith(".py")


def place_of(kind: Kind, name: str) -> PluginPlace | None:
    """Returns where the plug-in of a name is; None if the name is none of a plug-in."""
    return written_place(name) or written_place(installed(kind).get(name, ""))


def written_place(name: str) -> PluginPlace | None:
    """Returns where a name itself says that the plug-in is; None if it is of another form."""
    source, colon, attribute = name.rpartition(":")
    if not colon or not attribute.isidentifier():
        return None
    return PluginPlace(source, attribute) if source.endswith(".py") or _MODULE.fullmatch(source) else None


def is_plugin_name(kind: Kind, name: str) -> bool:
    """Whether a name is one of a plug-in; built-in names are to be looked for before this."""
    return place_of(kind, name) is not None
