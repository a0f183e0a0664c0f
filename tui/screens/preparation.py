"""The preparation of games, which may have to compile kernels before their first step."""

from collections.abc import Callable, Iterable
from time import monotonic

from bba.agents import Preparable
from bba.language import marked, say
from bba.planner import futures_are_compiled
from tui.style import BackgroundTask, Post

COMPILING = marked("compiling the planner, only this once: a minute or so")
LOADING = marked("loading the planner, a moment")
OPENING = "a recorded game until the live one is ready"  # said of the first steps of a game that is watched
OPENING_BRIEFLY = "a recording at first"  # the same where there is less room
SECONDS_FROM = 3  # after which the seconds are told


def preparation_text() -> str:
    """Returns what a game waits for that is not ready."""
    return say(LOADING if futures_are_compiled() else COMPILING)


class Preparation:
    """Prepares games, which may have to compile kernels: no game may be played until it is done.

    That happens in a thread, so that the screen answers its keys.

    Args:
        post: calls a function in the screen's thread, as for `BackgroundTask`.
    """

    def __init__(self, post: Post) -> None:
        self._task: BackgroundTask[None] = BackgroundTask(post)
        self._reason = ""
        self._began = 0.0

    @property
    def waiting(self) -> bool:
        """Whether a game waits; `text` then says for what, in a line."""
        return self._task.busy

    @property
    def text(self) -> str:
        """What a game waits for, and from some seconds on for how long it has done so."""
        seconds = int(monotonic() - self._began)
        return f"{self._reason} ({seconds} s)" if seconds >= SECONDS_FROM else self._reason

    def begin(self, games: Iterable[Preparable], then: Callable[[str | None], None]) -> None:
        """Prepares the games one after the other, then calls `then`: at once if all of them are ready.

        `then` takes why a game cannot be prepared, in a line, or None where nothing is wrong. While a game waits, this
        does nothing.
        """
        if self.waiting:
            return
        unprepared = [game for game in games if not game.ready]
        if not unprepared:
            self._reason = ""
            then(None)
            return
        if not self._reason:
            self._began = monotonic()
        self._reason = preparation_text()
        self._task.begin(unprepared[0].prepare, lambda _: self.begin(games, then), lambda error: then(str(error)))
