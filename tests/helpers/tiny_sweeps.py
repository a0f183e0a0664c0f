"""Sweeps and outcomes that are small enough to work out by hand."""

from bba.agents import SeatSpec
from bba.bench.episode import EpisodeResult
from bba.bench.plan import plan_sweep
from bba.bench.presets import Sweep

NOTHING = dict.fromkeys(("reward", "gap_rate", "replans"), 0.0)


def sweep(**changes):
    """Two agents, one partner, one kitchen, two seeds of 20 steps."""
    basics = {
        "name": "tiny",
        "title": "A tiny sweep",
        "agents": ["bayes", "bayes-no-replan"],
        "partners": {"switching": ["switching"]},
        "layouts": ["open"],
        "seeds": 2,
        "horizon": 20,
    }
    return Sweep.model_validate(basics | changes)


def episodes(**changes):
    """The episodes of such a sweep."""
    return list(plan_sweep(sweep(**changes), SeatSpec()).episodes.values())


def outcome(**measures):
    """What came of an episode that gave these measures."""
    return EpisodeResult(measures=NOTHING | measures, seconds=0.5)
