"""The panel "symbols": what the letters in the other panels stand for."""

from collections.abc import Iterable

from textual.content import Content

from bba import palette
from bba.analysis.snapshot import Snapshot
from tui.glossary import TERMS
from tui.widgets.panel import Panel, line

SIGN = 4  # cells of most signs


class SymbolsPanel(Panel):
    """A footnote: a line for each term, the most important first."""

    TITLE = "symbols"
    ABOUT = "What the symbols mean, where there is space for it. The mouse explains them in every panel."

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:  # noqa: ARG002 - the same in every game
        """Yields a line for each term."""
        for term in TERMS:
            yield line((f"{term.sign:{SIGN}} ", palette.TEXT), (term.brief, palette.DIM))
