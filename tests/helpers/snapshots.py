"""Snapshots of a game made by hand: readings of filter and gate, decisions and calls."""

from dataclasses import replace

from bba.agents import Decision, Profile
from bba.analysis.snapshot import Snapshot
from bba.belief import BeliefUpdate, GateResult
from bba.config import BeliefConfig
from bba.planner import LLMCall
from bba.play import Tick, Trace
from tests.helpers.games import played


def belief(posterior=(0.1, 0.1, 0.1, 0.1, 0.5, 0.1), **fields) -> BeliefUpdate:
    """A reading of the filter, by default one whose MAP is serving."""
    best = max(range(len(posterior)), key=posterior.__getitem__)
    found = {
        "prior_map": best,
        "prior_confidence": posterior[best],
        "prior_stable_updates": 5,
        "contradiction_likelihood": 0.5,
        "likelihood_ratios": (0.5,),
        "posterior": tuple(posterior),
        "map_index": best,
        "stable_updates": 6,
        "new_segment": False,
    }
    return BeliefUpdate(**found | fields)


def reading(contradiction_likelihood: float = 0.5, **lamps: bool) -> GateResult:
    """A reading of the gate, all lamps lit but those that are named otherwise."""
    lit = dict.fromkeys(("contradiction", "stable", "confident", "mid_skill", "cooled_down"), True)
    return GateResult(**lit | lamps, contradiction_likelihood=contradiction_likelihood)


def thinking(decision: Decision, trace: Trace | None = None) -> Snapshot:
    """A moment of an ego with belief and gate whose last decision was this one."""
    trace = trace or played(3)
    told = Trace(
        replace(trace.config, seats=(Profile("bayes", "scripted", BeliefConfig()), trace.config.seats[1])),
        trace.start,
        list(trace.ticks),
    )
    last: Tick = told.ticks[-1]
    told.ticks[-1] = last._replace(decisions=(decision, last.decisions[1]))
    return Snapshot(told, len(told.ticks))


def plan_call(**fields) -> LLMCall:
    """A plan to wait, without a word."""
    return LLMCall(**{"kind": "plan", "texts": (), "response": "", "skill": 4} | fields)
