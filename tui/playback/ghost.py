"""The ghost path: where the ego goes in the likeliest future, given what its rollout planner assumed at last."""

from pathlib import Path

from bba.agents.learned.weights import planning_networks
from bba.analysis import Snapshot, last_comparison, likeliest_partner_skills
from bba.kitchen import Position, constants
from bba.planner import likeliest_path
from bba.play.trace import EGO


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
    running = constants.NO_SKILL, 0
    if snapshot.tick is not None and snapshot.routes[EGO] is not None:  # else the ego has to choose a skill
        running = snapshot.tick.skills[EGO], snapshot.tick.ages[EGO] + 1
    logged = last_comparison(snapshot.trace, snapshot.step)
    likeliest = likeliest_partner_skills(logged.asked, 1) if logged else []
    tiles = likeliest_path(
        planning_networks(config.layout, weights),
        snapshot.trace.state(snapshot.step),
        EGO,
        running,
        likeliest[0][0] if likeliest else constants.NO_SKILL,
        steps=options.future_steps,
        timeout=config.skill_timeout,
    )
    _, *passed = dict.fromkeys(tiles)
    return tuple((tile % config.layout.width, tile // config.layout.width) for tile in passed)
