"""The caption under the kitchen: what happened at the last replan, in a few sentences."""

import textwrap
from typing import ClassVar

from textual.content import Content
from textual.widget import Widget

from bba import palette
from bba.analysis.replan_captions import replan_texts
from bba.analysis.replans import KEPT, last_replan
from bba.analysis.snapshot import Snapshot
from tui.widgets.panel import line

MARGIN = 2  # columns beside the text


class ReplanCaption(Widget):
    """Says for some steps after a replan of the ego what led to it and what came of it; else takes no room."""

    TITLE: ClassVar[str] = "replan"
    ABOUT: ClassVar[str] = (
        f"For {KEPT} steps after a replan: what was expected of the partner, what it did, how unlikely that was, what "
        "is expected now, and what the ego's planner chose when it was asked again. Where there is little room it says "
        "less of the same."
    )

    def __init__(self) -> None:
        super().__init__(id="caption")
        self._lines: tuple[str, ...] = ()

    def show_snapshot(self, snapshot: Snapshot, width: int, rows: int) -> int:
        """Shows the last replan, if it is recent, in at most `rows` of `width` cells; returns the rows it takes."""
        step = last_replan(snapshot.trace, snapshot.step, KEPT)
        lines = caption_lines(snapshot, step, width - MARGIN, rows) if step else ()
        if lines != self._lines:
            self._lines = lines
            self.display = bool(lines)
            self.styles.height = len(lines)
            self.refresh()
        return len(lines)

    def render(self) -> Content:
        """Returns the lines, the mark of a replan before the first."""
        text = "\n".join(self._lines)
        mark, _, rest = text.partition(" ")
        return line((mark, f"bold {palette.WARN}"), (f" {rest}", palette.TEXT))


def caption_lines(snapshot: Snapshot, step: int, width: int, rows: int) -> tuple[str, ...]:
    """Returns the longest text about a replan that fits, wrapped; of the shortest one, as much as fits."""
    texts = [f"▲ step {step}: {text}" for text in replan_texts(snapshot.trace, step)]
    wrapped = (textwrap.wrap(text, max(1, width)) for text in texts)
    shortest = textwrap.wrap(texts[-1], max(MARGIN, width), max_lines=max(1, rows), placeholder=" …")
    return tuple(next((lines for lines in wrapped if len(lines) <= rows), shortest))
