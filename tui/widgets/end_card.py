"""The card at the end of a game: what came of it, beside the best game and two plain cooks, and what to do next."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import ClassVar

from textual.content import Content
from textual.geometry import Offset, Region
from textual.widget import Widget

from bba import palette
from bba.analysis.snapshot import Snapshot
from bba.errors import BBAError
from bba.kitchen.state import DELIVERED_IN_ORDER, DELIVERIES, EXPIRED, FIRES
from bba.play import Trace
from tui.playback.best_scores import AGENT, BestScores, reference_score
from tui.style.base_screen import BackgroundTask, Post
from tui.widgets.panel import line

LABEL_CELLS = 15  # cells before the numbers


class Standing:
    """How a finished game compares: with the best one so far, and with two plain cooks, once they `play` it.

    Args:
        trace: the game.
        best: the best scores so far; the game is added to them.
    """

    def __init__(self, trace: Trace, best: BestScores) -> None:
        self.trace, self.before = trace, best.best(trace.config)
        self.reference: int | None = None
        self.problem = ""
        best.keep(trace)

    def lines(self) -> Iterable[Content]:
        """Yields what came of the game, then what it compares with."""
        yield from outcome_lines(self.trace)
        steps = len(self.trace.ticks)
        if steps >= self.trace.config.horizon:  # a game that was ended early is no match for one to its end
            yield _fact("best so far", self._best())
        if steps:
            text = "playing …" if self.reference is None else str(self.reference)
            yield _fact(f"two {AGENT}s", self.problem or f"{text} in {steps} step{'s' * (steps != 1)}")

    def play(self, post: Post, changed: Callable[[], object]) -> None:
        """Lets two plain cooks play in the background, then calls `changed`: their score is known, or why not."""

        def arrived(found: int | BBAError) -> None:
            if isinstance(found, BBAError):
                self.problem = str(found)
            else:
                self.reference = found
            changed()

        BackgroundTask[int](post).begin(lambda: reference_score(self.trace), arrived, arrived)

    def _best(self) -> str:
        """Returns the best score of the same kitchen, seed and number of steps, this game's included."""
        if self.before is None:
            return "the first game here"
        before = f"{self.before.score}, {self.before.cooks}"
        return f"this one; before, {before}" if self.trace.score > self.before.score else before


class EndCard(Widget):
    """Shows how a game went once it is over, above the board.

    Args:
        best: the best scores so far.
    """

    TITLE: ClassVar[str] = "the game is over"
    ABOUT: ClassVar[str] = (
        "At the end of a game: score, deliveries, fires and orders lost; the best score so far in the same kitchen "
        f"with the same seed and as many steps; what {AGENT} with itself reaches in as many, which is played in the "
        "background; and keys for what to do next."
    )

    def __init__(self, best: BestScores) -> None:
        super().__init__(id="end-card")
        self.border_title = self.TITLE
        self._best = best
        self._standing: Standing | None = None
        self._keys, self._board = "", Region()

    def show_end(self, snapshot: Snapshot | None, keys: str, board: Region) -> None:
        """Shows the end of a game in the middle of a board with the keys that lead on; hides the card without one."""
        self.display = snapshot is not None
        if snapshot is None:
            return
        if self._standing is None or self._standing.trace is not snapshot.trace:
            self._standing = Standing(snapshot.trace, self._best)
            self._standing.play(self.call_later, partial(self.refresh, layout=True))
        self._keys, self._board = keys, board
        self._place()
        self.refresh(layout=True)

    def on_resize(self) -> None:
        """Moves to the middle of the board."""
        self._place()

    def render(self) -> Content:
        """Returns all lines; nothing before the end."""
        if self._standing is None:
            return Content("")
        return Content("\n").join((*self._standing.lines(), line((self._keys, palette.TEXT))))

    def _place(self) -> None:
        width, height = self._board.size - self.outer_size
        self.styles.offset = Offset(self._board.x + max(0, width // 2), self._board.y + max(0, height // 2))


def outcome_lines(trace: Trace) -> Iterable[Content]:
    """Yields what came of a game, a line each."""
    state = trace.ticks[-1].state if trace.ticks else trace.start
    yield _fact("score", str(trace.score), bold=True)
    yield _fact("deliveries", f"{state[DELIVERIES]}, {state[DELIVERED_IN_ORDER]} in order")
    yield _fact("fires", str(state[FIRES]))
    yield _fact("orders lost", str(state[EXPIRED]))


def _fact(label: str, text: str, *, bold: bool = False) -> Content:
    return line((label.ljust(LABEL_CELLS), palette.DIM), (text, f"bold {palette.GOOD}" if bold else palette.TEXT))
