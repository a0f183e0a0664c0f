"""Who is my partner being? Roles, the Bayesian filter over them, and the gate on replanning."""

from bba.belief.filter import BeliefFilter, BeliefReading, FilterSettings
from bba.belief.gate import CONDITIONS, Gate, GateReading, GateSettings
from bba.belief.likelihood import Tempo
from bba.belief.model import PartnerModel, Tuning
from bba.belief.roles import (
    COMPLEMENTS,
    NO_ROLE,
    ROLE_NAMES,
    ROLE_OF_SKILL,
    ROLE_SKILLS,
    Hypotheses,
    complementary,
    hypotheses,
)

__all__ = [
    "COMPLEMENTS",
    "CONDITIONS",
    "NO_ROLE",
    "ROLE_NAMES",
    "ROLE_OF_SKILL",
    "ROLE_SKILLS",
    "BeliefFilter",
    "BeliefReading",
    "FilterSettings",
    "Gate",
    "GateReading",
    "GateSettings",
    "Hypotheses",
    "PartnerModel",
    "Tempo",
    "Tuning",
    "complementary",
    "hypotheses",
]
