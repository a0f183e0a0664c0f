"""The rollout planner: Bayesian best response by simulation in the compiled kitchen."""

from bba.planner.rollout.behaviour import BehaviourNetwork, likeliest_path
from bba.planner.rollout.evaluation import Comparison, SkillComparer, SkillValue, futures_are_compiled
from bba.planner.rollout.network import PlanningNetworks

__all__ = [
    "BehaviourNetwork",
    "Comparison",
    "PlanningNetworks",
    "SkillComparer",
    "SkillValue",
    "futures_are_compiled",
    "likeliest_path",
]
