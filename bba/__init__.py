"""BayesBeliefAgent: a partner-aware planner for the two-cook Burrito kitchen.

The names in `__all__` are the public interface, described in docs/reference/api.md; everything else may change between
versions. Each is imported when it is first used, so that `import bba` alone loads neither NumPy nor pydantic.
"""

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

_MODULES = {
    "ROLE_NAMES": "bba.belief",
    "Action": "bba.kitchen",
    "Agent": "bba.agents",
    "AgentOptions": "bba.agents",
    "BBAError": "bba.errors",
    "BeliefConfig": "bba.belief",
    "Decision": "bba.agents",
    "EpisodeContext": "bba.agents",
    "FilterConfig": "bba.belief",
    "Game": "bba.play",
    "GateConfig": "bba.belief",
    "Item": "bba.kitchen",
    "Kitchen": "bba.kitchen",
    "KitchenBatch": "bba.kitchen.batch",
    "Layout": "bba.kitchen",
    "Observation": "bba.agents",
    "ObservationEncoder": "bba.agents.learned.policy",
    "PartnerModel": "bba.belief",
    "PolicyAgent": "bba.agents.learned.agent",
    "Profile": "bba.agents",
    "Replay": "bba.play",
    "Skill": "bba.kitchen",
    "Tick": "bba.play",
    "Trace": "bba.play",
    "export": "bba.film.formats",
    "feasible_mask": "bba.agents.learned.policy",
    "fork": "bba.play.fork",
    "gym_env": "bba.play.seat_env",
    "load": "bba.play",
    "load_agent": "bba.agents",
    "load_results": "bba.bench.results_reader",
    "load_sweep": "bba.bench.presets",
    "measure": "bba.analysis.measures",
    "parallel_env": "bba.play.seat_env",
    "play_game": "bba.play",
    "record": "bba.play",
    "run_sweep": "bba.bench.runner",
    "save": "bba.play",
    "sweep_figures": "bba.report.figures",
    "write_report": "bba.report",
}

__all__ = [
    "ROLE_NAMES",
    "Action",
    "Agent",
    "AgentOptions",
    "BBAError",
    "BeliefConfig",
    "Decision",
    "EpisodeContext",
    "FilterConfig",
    "Game",
    "GateConfig",
    "Item",
    "Kitchen",
    "KitchenBatch",
    "Layout",
    "Observation",
    "ObservationEncoder",
    "PartnerModel",
    "PolicyAgent",
    "Profile",
    "Replay",
    "Skill",
    "Tick",
    "Trace",
    "export",
    "feasible_mask",
    "fork",
    "gym_env",
    "load",
    "load_agent",
    "load_results",
    "load_sweep",
    "measure",
    "parallel_env",
    "play_game",
    "record",
    "run_sweep",
    "save",
    "sweep_figures",
    "write_report",
]

if TYPE_CHECKING:  # the same names for type checkers and editors, which do not run `__getattr__`
    from bba.agents import Agent, AgentOptions, Decision, EpisodeContext, Observation, Profile, load_agent
    from bba.agents.learned.agent import PolicyAgent
    from bba.agents.learned.policy import ObservationEncoder, feasible_mask
    from bba.analysis.measures import measure
    from bba.belief import ROLE_NAMES, BeliefConfig, FilterConfig, GateConfig, PartnerModel
    from bba.bench.presets import load_sweep
    from bba.bench.results_reader import load_results
    from bba.bench.runner import run_sweep
    from bba.errors import BBAError
    from bba.film.formats import export
    from bba.kitchen import Action, Item, Kitchen, Layout, Skill
    from bba.kitchen.batch import KitchenBatch
    from bba.play import Game, Replay, Tick, Trace, load, play_game, record, save
    from bba.play.fork import fork
    from bba.play.seat_env import gym_env, parallel_env
    from bba.report import write_report
    from bba.report.figures import sweep_figures
else:

    def __getattr__(name):
        """Imports a public name when it is first used (PEP 562)."""
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(_MODULES[name]), name)
        return value

    def __dir__():
        return sorted({*globals(), *__all__})
