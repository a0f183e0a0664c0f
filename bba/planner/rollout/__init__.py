"""The rollout planner: Bayesian best response by simulation in the compiled kitchen."""

from bba.planner.rollout.choices import PlanningNetworks
from bba.planner.rollout.futures import Comparison, SkillValue
from bba.planner.rollout.skill_comparison import (
    BehaviourNetwork,
    SkillComparer,
    futures_are_compiled,
    likeliest_path,
)

__all__ = [
    "BehaviourNetwork",
    "Comparison",
    "PlanningNetworks",
    "SkillComparer",
    "SkillValue",
    "futures_are_compiled",
    "likeliest_path",
]
