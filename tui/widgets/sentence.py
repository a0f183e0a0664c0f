"""The line in plain words: what the ego believes of its partner, and what it makes of that."""

import re
from typing import ClassVar

from textual.content import Content
from textual.reactive import reactive

from bba import palette
from bba.analysis import BY_COLOUR, Snapshot, belief_text
from tui.style import KeepsLines
from tui.widgets.panel import Explaining, cooks_on, line

MARGIN = 2  # cells beside the text


class SentenceLine(Explaining, KeepsLines):
    """Says in a line what the ego believes, in as many words as fit; the names of the cooks have their colours."""

    TITLE: ClassVar[str] = "sentence"
    ABOUT: ClassVar[str] = (
        "What blue (cook 1, the ego) believes of orange (cook 2, its partner), how sure it is, and whether it keeps "
        "its plan. The same words stand in plain mode and in films."
    )

    text = reactive("")
    _cooks = BY_COLOUR

    def show_snapshot(self, snapshot: Snapshot, introduction: str = "") -> None:
        """Shows this step, after an introduction."""
        self._cooks = cooks_on(self, snapshot.config)
        room = self.size.width - MARGIN - len(introduction)
        self.text = introduction + belief_text(snapshot, room, self._cooks)

    def words_at(self, row: int) -> str:  # noqa: ARG002 - there is one row
        """Returns the terms for what the sentence is about."""
        return "ego, partner, posterior"

    def render(self) -> Content:
        """Returns the sentence, in which each cook has its colour."""
        names = self._cooks
        parts = re.split(rf"\b({names.ego}|{names.partner})\b", self.text, flags=re.IGNORECASE)
        styles = dict(zip((names.ego, names.partner), palette.COOK_COLOURS, strict=True))
        return line(" ", *((part, f"bold {styles.get(part.lower(), palette.TEXT)}") for part in parts if part))
