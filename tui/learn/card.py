"""The card below the kitchen: what to do now, and which key does it."""

from collections.abc import Iterable, Sequence
from textwrap import wrap
from typing import NamedTuple

from textual.content import Content

from bba import palette
from bba.analysis.advice import Advice
from bba.analysis.snapshot import Snapshot
from bba.kitchen import Layout, constants
from human.keymap import Keymap
from tui.style.base_app import shown
from tui.widgets.panel import Panel, Part, line
from tui.widgets.tile_text import tile_name

KEY_CAP = f"bold {palette.BACKGROUND} on {palette.WARN}"
_KEYS = {
    constants.NORTH: "second_north",
    constants.SOUTH: "second_south",
    constants.EAST: "second_east",
    constants.WEST: "second_west",
    constants.INTERACT: "interact",
}


class Card(NamedTuple):
    """What a card says.

    Attributes:
        title: its title.
        text: the instruction, a sentence or two.
        now: the next thing in a few words, the longest wording first; empty for none.
        key: the key for it, as a key cap; "" for none.
    """

    title: str
    text: str
    now: tuple[str, ...] = ()
    key: str = ""


class CardPanel(Panel):
    """The instruction, then the next thing to do with the key that does it."""

    TITLE = "card"
    ABOUT = "What to do now, and the key for it."

    card = Card("", "")

    def title_of(self, snapshot: Snapshot) -> str:  # noqa: ARG002 - the card knows
        """Returns the card's title."""
        return self.card.title

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:  # noqa: ARG002 - the card knows
        """Yields the instruction, then the next thing; where not all fits, a key to press comes first."""
        text = [line((part, f"bold {palette.TEXT}")) for part in wrap(self.card.text, width)]
        if not self.card.now or (not self.card.key and len(text) >= self.content_size.height):
            return text
        cap: list[Part] = [(f" {self.card.key} ", KEY_CAP), "  "] if self.card.key else []
        following = line(*cap, (_fitting(self.card.now, width - line(*cap).cell_length), palette.WARN))
        return [*text[: max(0, self.content_size.height - 1)], following]


def key_for(action: int, keymap: Keymap) -> str:
    """Returns the key for a primitive action, as people write it; "" for STAY."""
    return shown(keymap[_KEYS[action]][0]) if action in _KEYS else ""


def now(layout: Layout, advice: Advice) -> tuple[str, ...]:
    """Returns the next thing on the way to a skill, the longest wording first; nothing without a target."""
    if advice.target is None:
        return ()
    name, place = tile_name(layout, advice.target), f" ({advice.target[0]},{advice.target[1]})"
    if advice.action == constants.ACTION_STAY and advice.skill != constants.SKILL_STAY:
        return (f"the other cook is in the way of the {name}{place}: wait a moment", f"wait: no way to the {name}")
    return tuple(_now(advice, *parts) for parts in ((name + place, " away"), (name + place, ""), (name, "")))


def _now(advice: Advice, tile: str, away: str) -> str:
    if advice.skill == constants.SKILL_STAY:
        return f"wait for the {tile}"
    if advice.distance:
        return f"to the {tile}, {advice.distance} tile{'s' * (advice.distance != 1)}{away}"
    return f"use the {tile}" if advice.action == constants.INTERACT else f"turn to the {tile}"


def _fitting(wordings: Sequence[str], width: int) -> str:
    """Returns the first wording that fits, or else the last one."""
    return next((text for text in wordings if len(text) <= width), wordings[-1])
