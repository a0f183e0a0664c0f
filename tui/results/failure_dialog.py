"""The dialog with the details of an episode that failed because of a mistake in code: the line, and the traceback."""

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Static

from bba.bench.episode import EpisodeResult
from tui.screens.dialogs import Dialog
from tui.widgets.panel import titled


class FailureDialog(Dialog[None]):
    """Shows why an episode failed.

    Args:
        result: the result of the episode.
    """

    AUTO_FOCUS = "#traceback"

    def __init__(self, result: EpisodeResult) -> None:
        super().__init__()
        self._result = result

    def compose(self) -> ComposeResult:
        with titled(Vertical(id="failed"), "it failed", "esc closes"):
            yield Static(str(self._result.failure), id="why", markup=False)
            with VerticalScroll(id="traceback", can_focus=True):
                yield Static(plain(self._result.details), markup=False)


def plain(text: str) -> str:
    """Returns a text without control characters but for the ends of lines."""
    return "".join(char if char.isprintable() or char == "\n" else " " for char in text)
