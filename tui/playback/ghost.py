"""The ghost path of a game on the screen: shown or hidden."""

from bba.analysis.ghost import ghost_path
from bba.analysis.snapshot import Snapshot
from bba.errors import BBAError
from bba.kitchen.layout import Position
from bba.play.trace import EGO
from tui.playback.source import PlaybackSource


class GhostPath:
    """Where the ego goes in the likeliest future, while it is shown.

    Args:
        source: the game.
    """

    def __init__(self, source: PlaybackSource) -> None:
        self._source, self._shown = source, False

    def toggle(self, snapshot: Snapshot) -> None:
        """Shows or hides it.

        Raises:
            BBAError: there is none, for a reason that people should read.
        """
        if not self._shown:
            self._check(snapshot)
        self._shown = not self._shown

    def tiles(self, snapshot: Snapshot) -> tuple[Position, ...]:
        """Returns its tiles; none while it is hidden."""
        return ghost_path(snapshot, self._source.options.weights) if self._shown else ()

    def _check(self, snapshot: Snapshot) -> None:
        if snapshot.config.seats[EGO].rollout is None:
            raise BBAError("only the rollout planner looks ahead")
        ghost_path(snapshot, self._source.options.weights)
