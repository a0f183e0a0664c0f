"""Waiting for agents that have to compile kernels: that happens in a thread, so that the screen answers its keys."""

from collections.abc import Callable, Iterable

from bba.agents import Preparable
from bba.planner.rollout import futures_are_compiled
from tui.style.background_task import BackgroundTask, Post

COMPILING = "compiling the planner for this machine: a minute or so, only this once"
LOADING = "loading the planner, a moment"


class Preparation:
    """Prepares games; no game may be played until it is done.

    Args:
        post: calls a function in the screen's thread, as for `BackgroundTask`.
    """

    def __init__(self, post: Post) -> None:
        self._task: BackgroundTask[None] = BackgroundTask(post)
        self.text = ""

    @property
    def waiting(self) -> bool:
        """Whether a game waits; `text` then says for what, in a line."""
        return self._task.busy

    def begin(self, games: Iterable[Preparable], then: Callable[[str | None], None]) -> None:
        """Prepares the games one after the other, then calls `then`: at once if all of them are ready.

        `then` takes why a game cannot be prepared, in a line, or None where nothing is wrong. While a game waits, this
        does nothing.
        """
        if self.waiting:
            return
        game = next((game for game in games if not game.ready), None)
        if game is None:
            then(None)
            return
        self.text = LOADING if futures_are_compiled() else COMPILING
        self._task.begin(game.prepare, lambda _: self.begin(games, then), lambda error: then(str(error)))
