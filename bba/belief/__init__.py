"""The belief about the partner: roles, the likelihood of its actions, the Bayesian filter, the gates on replanning.

The parameters are declared in `bba.config`.
"""

from bba.belief.filter import BeliefUpdate
from bba.belief.gate import (
    COMMITMENT_CONDITIONS,
    CONDITIONS,
    NOTHING_REMEMBERED,
    CommitmentGate,
    CommitmentResult,
    Gate,
    GateResult,
)
from bba.belief.likelihood import StayModel
from bba.belief.partner_model import PartnerModel, PartnerUpdate
from bba.belief.roles import (
    COMPLEMENTARY,
    COMPLEMENTS,
    NO_ROLE,
    ROLE_NAMES,
    ROLE_OF_SKILL,
    ROLE_SKILLS,
    HypothesisSpace,
    hypothesis_space,
    is_complementary,
    likeliest,
    roles_of,
)
from bba.config import BeliefConfig, CommitmentConfig, FilterConfig, GateConfig

__all__ = [
    "COMMITMENT_CONDITIONS",
    "COMPLEMENTARY",
    "COMPLEMENTS",
    "CONDITIONS",
    "NOTHING_REMEMBERED",
    "NO_ROLE",
    "ROLE_NAMES",
    "ROLE_OF_SKILL",
    "ROLE_SKILLS",
    "BeliefConfig",
    "BeliefUpdate",
    "CommitmentConfig",
    "CommitmentGate",
    "CommitmentResult",
    "FilterConfig",
    "Gate",
    "GateConfig",
    "GateResult",
    "HypothesisSpace",
    "PartnerModel",
    "PartnerUpdate",
    "StayModel",
    "hypothesis_space",
    "is_complementary",
    "likeliest",
    "roles_of",
]
