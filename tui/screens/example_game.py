"""The recorded game that a board shows until a person's own game can begin: its agents may have to compile first."""

from collections.abc import Callable

from textual.content import Content
from textual.timer import Timer

from bba.analysis import Snapshot, belief_text
from bba.kitchen import Layout
from bba.play import Replay
from tui.playback.shown_pair import shown_game
from tui.style import FRAME, thoughts_of
from tui.widgets import KitchenView, cooks_on

EXAMPLE = "a recorded game until yours begins"
BEAT = 0.1  # seconds between two steps
CORNERS = 4  # cells at the ends of the lower border, a space each included, that text does not use


class ExampleGame:
    """Plays a recorded game on a board, where one ships for its kitchen.

    Args:
        kitchen: the board, which has a game of its own.
        tell: takes each step that is shown, to say what the ego believes; None where the board's lower border does.
    """

    def __init__(self, kitchen: KitchenView, tell: Callable[[Snapshot], object] | None = None) -> None:
        self._kitchen = kitchen
        self._tell = tell
        self._own = kitchen.border_title, kitchen.thinks
        self._replay: Replay | None = None
        self._timer: Timer | None = None

    @property
    def is_shown(self) -> bool:
        """Whether the board shows it, and not its own game."""
        return self._timer is not None

    def begin(self, layout: Layout, set_interval: Callable[[float, Callable[[], None]], Timer]) -> None:
        """Begins to play, unless it does already.

        Args:
            layout: the kitchen.
            set_interval: calls a function again and again, given the seconds between two calls.
        """
        recording = None if self.is_shown else shown_game(layout)
        if recording is None:
            return
        kitchen = self._kitchen
        self._own = kitchen.border_title, kitchen.thinks
        self._replay = Replay(recording)
        kitchen.border_title = EXAMPLE
        kitchen.thinks = thoughts_of(kitchen.app)
        self._timer = set_interval(BEAT, self._step)

    def end(self) -> None:
        """Leaves the board to its own game, which is to be shown then."""
        if self._timer is None:
            return
        self._timer.stop()
        self._timer = None
        self._kitchen.border_title, self._kitchen.thinks = self._own
        self._kitchen.border_subtitle = ""

    def _step(self) -> None:
        """Plays a step and says what the ego believes; at the end the game stands still."""
        game = self._replay
        if game is None or game.done:
            return
        game.step()
        snapshot = Snapshot(game.trace, len(game.trace.ticks))
        self._kitchen.show_snapshot(snapshot, BEAT / 2)
        if self._tell is not None:
            self._tell(snapshot)
            return
        room = self._kitchen.size.width - FRAME - CORNERS
        text = belief_text(snapshot, room, cooks_on(self._kitchen, snapshot.config))
        self._kitchen.border_subtitle = Content(text)
