"""Games in which a rollout planner has compared skills: its comparisons are made by hand, the games are played."""

from dataclasses import replace

from bba.agents import Decision, Profile
from bba.config import BeliefConfig, RolloutOptions
from bba.kitchen.constants import BOIL, CHOP, GRAB_MEAT, N_SKILLS, WASH
from bba.planner import Comparison, SkillValue
from bba.play import Game, Trace
from bba.play.trace import EGO, PARTNER

PLANNED = Profile(
    "bayes-commit", "rollout", BeliefConfig.for_planner("rollout", {}), ask="changed", rollout=RolloutOptions()
)


def assumption(shares: dict[int, float]) -> tuple[float, ...]:
    """Probabilities of the partner's skills; what is left is spread evenly over the others."""
    left = (1 - sum(shares.values())) / (N_SKILLS - len(shares))
    return tuple(shares.get(skill, left) for skill in range(N_SKILLS))


def compared(chosen: int = GRAB_MEAT, **fields) -> Comparison:
    """Three skills: by default getting meat, which is 12 points better than chopping."""
    options = (
        SkillValue(CHOP, 0.6, 600.0, 0.0, 0.0),
        SkillValue(GRAB_MEAT, 0.25, 612.25, 12.25, 3.5),
        SkillValue(BOIL, 0.15, 588.5, -11.5, 4.25),
    )
    found = {"options": options, "chosen": chosen, "partner": assumption({BOIL: 0.71, WASH: 0.12})}
    return Comparison(**found | {"futures": 24, "seconds": 0.0098} | fields)


def with_comparisons(trace: Trace, comparisons: dict[int, Comparison]) -> Trace:
    """The game as one whose ego asked no model but compared these skills in these steps."""
    seats = PLANNED, trace.config.seats[1]
    ticks = [
        tick._replace(decisions=(_compared(tick.decisions[EGO], comparisons.get(tick.step)), tick.decisions[PARTNER]))
        for tick in trace.ticks
    ]
    return Trace(replace(trace.config, seats=seats), trace.start, ticks)


def _compared(decision: Decision, comparison: Comparison | None) -> Decision:
    return decision._replace(calls=(), comparison=comparison or decision.comparison)


def compared_game(steps: int = 60) -> Trace:
    """A game of the scripted planner with comparisons at its ego's first and last choices of a skill."""
    trace = Game("open", "bayes", "switching", 3, horizon=steps).run()
    chosen = [tick.step for tick in trace.ticks if tick.decisions[EGO].chosen]
    return with_comparisons(trace, {chosen[0]: compared(CHOP, partner=()), chosen[-1]: compared()})
