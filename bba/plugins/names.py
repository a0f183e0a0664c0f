"""The kinds of plug-ins, and how their names say where they are."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from bba.plugins.installed_names import installed

Kind = Literal["agent", "planner", "trigger", "partner-model", "measure", "layouts", "table", "figure"]

# kind: what it is, in a few words. The protocols are described in docs/plugins.md.
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
