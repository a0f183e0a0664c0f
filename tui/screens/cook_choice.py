"""The lists of cooks on the start screen: by family, and a box for a partner that does not adapt."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import Checkbox
from textual.widgets._select import SelectOverlay

from bba.agents import (
    AGENT_VARIANTS,
    DESCRIPTIONS,
    HUMAN,
    LEARNED,
    LEARNED_PARTNERS,
    LOCKED_PARTNERS,
    SCRATCH_PARTNERS,
    unlocked,
)
from bba.agents.planning_agent import HYPOTHETICAL_MINDS
from bba.plugins import is_plugin_name, offered
from tui.widgets.form_fields import OptionSelect

# partner: the one that is like it, but does no other work where its role has none
KEEPS_ROLE: Mapping[str, str] = MappingProxyType({unlocked(name): name for name in LOCKED_PARTNERS})
HEADING = ":"  # how the name of a family ends, and no cook's
BELIEVING = "with a belief about its partner:"
UNBELIEVING = "with a planner alone:"
SCRIPTED = "scripted, or by chance:"
PREFERRING = "learned, with preferences:"
FROM_NOTHING = "learned from nothing, with preferences:"
COOPERATING = "learned cooperators:"
PEOPLE = "a person:"
OWN = "plug-ins:"
# in the order of the list
FAMILIES = (BELIEVING, UNBELIEVING, SCRIPTED, PREFERRING, FROM_NOTHING, COOPERATING, PEOPLE, OWN)


def family_of(cook: str) -> str:
    """Returns the family of a cook, one of `FAMILIES`."""
    name = unlocked(cook)
    if name in AGENT_VARIANTS:
        return BELIEVING if AGENT_VARIANTS[name].has_belief else UNBELIEVING
    if name == HYPOTHETICAL_MINDS.name:
        return UNBELIEVING
    if name in LEARNED_PARTNERS:
        return PREFERRING
    if name in SCRATCH_PARTNERS:
        return FROM_NOTHING
    if name in LEARNED:
        return COOPERATING
    if name == HUMAN:
        return PEOPLE
    return SCRIPTED if name in DESCRIPTIONS else OWN


def cooks_to_choose(last: str) -> list[str]:
    """Returns the cooks to choose from, each once.

    They are those that ship, without those that keep to a role, plug-ins, and the one that was chosen last.
    """
    cooks = [name for name in (*DESCRIPTIONS, *offered("agent")) if name not in LOCKED_PARTNERS]
    if last in LOCKED_PARTNERS or is_plugin_name("agent", last):
        cooks.append(last)
    return list(dict.fromkeys(cooks))


def cooks_by_family(last: str) -> list[str]:
    """Returns the same below the names of their families."""
    cooks = cooks_to_choose(last)
    rows: list[str] = []
    for family in FAMILIES:
        members = [name for name in cooks if family_of(name) == family]
        rows += [family, *members] if members else []
    return rows


class CookSelect(OptionSelect):
    """A list of cooks by family; the cursor passes over the names of families.

    Args:
        name: the setting's name.
        last: the cook that is selected at first; the first one if there is none of this name.
    """

    def __init__(self, name: str, last: str) -> None:
        rows = cooks_by_family(last)
        super().__init__(name, rows, last if last in rows else rows[1])

    def _setup_options_renderables(self) -> None:
        super()._setup_options_renderables()
        overlay = self.query_one(SelectOverlay)
        for place, row in enumerate(self._names):
            if row.endswith(HEADING):
                overlay.disable_option_at_index(place)

    def action_change(self, by: int) -> None:
        """Selects the cook that is `by` further on, and wraps around."""
        cooks = [row for row in self._names if not row.endswith(HEADING)]
        place = cooks.index(self.chosen) + by
        self.value = cooks[place % len(cooks)]


class RoleBox(Checkbox, inherit_bindings=False):
    """Whether the partner does not adapt; space changes it, enter is left to the form."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("space", "toggle_button", show=False)]

    def __init__(self, *, keeps: bool) -> None:
        super().__init__("does not adapt", keeps, compact=True, id="keeps-role")
        self._show_mark(keeps)
        self.tooltip = "one role at a time, and it waits where that has no work: it does not adapt"

    def _show_mark(self, keeps: bool) -> None:
        """Puts a mark into the box, or none: colour alone would not tell."""
        self.BUTTON_INNER = "✓" if keeps else " "

    def watch_value(self) -> None:
        """Shows the mark, or none, before the change is posted."""
        self._show_mark(self.value)
        super().watch_value()
