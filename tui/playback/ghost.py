"""The ghost path of a game on the screen: shown or hidden.

The ghost path: where the ego goes in the likeliest future, given what its rollout planner assumed at last.
"""

from pathlib import Path

from bba.agents.learned.weights import planning_networks
from bba.analysis.captions import last_comparison, likeliest_partner_skills
from bba.analysis.snapshot import Snapshot
from bba.errors import BBAError
from bba.kitchen.constants import NO_SKILL
from bba.kitchen.layout import Position
from bba.planner.rollout import likeliest_path
from bba.play.trace import EGO
from tui.playback.source import PlaybackSource


def ghost_path(snapshot: Snapshot, weights: Path | None = None) -> tuple[Position, ...]:
    """Returns the tiles that the ego passes in the likeliest future, in order, each once, without its own tile.

    The partner begins with the skill that the planner found likeliest when it decided at last. The future is as long as
    the planner's. An ego without a rollout planner has none.

    Args:
        snapshot: the game and the step.
        weights: a folder with the planner's networks; None for the shipped ones.

    Raises:
        BBAError: there are no networks for this kitchen.
    """
    config = snapshot.config
    options = config.seats[EGO].rollout
    if options is None:
        return ()
    tiles = likeliest_path(
        planning_networks(config.layout, weights),
        snapshot.trace.state(snapshot.step),
        EGO,
        _running(snapshot),
        _assumed(snapshot),
        steps=options.future_steps,
        timeout=config.skill_timeout,
    )
    _, *passed = dict.fromkeys(tiles)
    return tuple((tile % config.layout.width, tile // config.layout.width) for tile in passed)


def _running(snapshot: Snapshot) -> tuple[int, int]:
    """Returns the ego's running skill and its age; no skill if it has to choose one."""
    if snapshot.tick is None or snapshot.routes[EGO] is None:
        return NO_SKILL, 0
    return snapshot.tick.skills[EGO], snapshot.tick.ages[EGO] + 1


def _assumed(snapshot: Snapshot) -> int:
    """Returns the partner's likeliest skill in the planner's last comparison; no skill if it assumed none."""
    logged = last_comparison(snapshot.trace, snapshot.step)
    likeliest = likeliest_partner_skills(logged.comparison, 1) if logged else []
    return likeliest[0][0] if likeliest else NO_SKILL


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
        if not self._shown and snapshot.config.seats[EGO].rollout is None:
            raise BBAError("only the rollout planner looks ahead")
        if not self._shown:
            ghost_path(snapshot, self._source.options.weights)
        self._shown = not self._shown

    def tiles(self, snapshot: Snapshot) -> tuple[Position, ...]:
        """Returns its tiles; none while it is hidden."""
        return ghost_path(snapshot, self._source.options.weights) if self._shown else ()
