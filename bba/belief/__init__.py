"""Who is my partner being? Roles, the Bayesian filter over them, and the gate on replanning."""

from bba.belief.filter import BeliefFilter, BeliefUpdate, FilterConfig
from bba.belief.gate import CONDITIONS, Gate, GateConfig, GateResult
from bba.belief.likelihood import StayModel
from bba.belief.partner_model import BeliefConfig, PartnerModel
from bba.belief.roles import (
    COMPLEMENTS,
    NO_ROLE,
    ROLE_NAMES,
    ROLE_OF_SKILL,
    ROLE_SKILLS,
    HypothesisSpace,
    hypothesis_space,
    is_complementary,
)

__all__ = [
    "COMPLEMENTS",
    "CONDITIONS",
    "NO_ROLE",
    "ROLE_NAMES",
    "ROLE_OF_SKILL",
    "ROLE_SKILLS",
    "BeliefConfig",
    "BeliefFilter",
    "BeliefUpdate",
    "FilterConfig",
    "Gate",
    "GateConfig",
    "GateResult",
    "HypothesisSpace",
    "PartnerModel",
    "StayModel",
    "hypothesis_space",
    "is_complementary",
]
