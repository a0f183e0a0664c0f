"""The belief about the partner: roles, the likelihood of its actions, the Bayesian filter, the gates on replanning.

The parameters are declared in `bba.config`.
"""

from bba.belief.filter import MAP, BeliefUpdate
from bba.belief.gate import (
    COMMITMENT_GATE_CONDITIONS,
    CONDITIONS,
    NOTHING_REMEMBERED,
    CommitmentGate,
    CommitmentGateResult,
    Gate,
    GateResult,
    remember_belief,
)
from bba.belief.likelihood import StayModel, observed_action
from bba.belief.partner_model import (
    COMMITMENT_GATE_OPENS,
    GATE_OPENS,
    ModelState,
    PartnerModel,
    PartnerUpdate,
    observe_action,
    observed_columns,
    partner_update,
    write_observed,
)
from bba.belief.partner_types import ADAPTS, LOCKED, LOCKED_DRAWN, ROLE_FIRST, RULES, Known, TypeBelief, roles_in
from bba.belief.roles import (
    COMPLEMENTARY,
    COMPLEMENTS,
    NO_ROLE,
    ROLE_NAMES,
    ROLE_OF_SKILL,
    ROLE_SKILLS,
    SCORED_SKILLS,
    STAGE_PASS,
    HypothesisSpace,
    hypothesis_space,
    is_complementary,
    likeliest,
    roles_of,
)
from bba.belief.tendencies import BehaviourPrior, Tendencies
from bba.config import BeliefConfig, CommitmentConfig, FilterConfig, GateConfig

__all__ = [
    "ADAPTS",
    "COMMITMENT_GATE_CONDITIONS",
    "COMMITMENT_GATE_OPENS",
    "COMPLEMENTARY",
    "COMPLEMENTS",
    "CONDITIONS",
    "GATE_OPENS",
    "LOCKED",
    "LOCKED_DRAWN",
    "MAP",
    "NOTHING_REMEMBERED",
    "NO_ROLE",
    "ROLE_FIRST",
    "ROLE_NAMES",
    "ROLE_OF_SKILL",
    "ROLE_SKILLS",
    "RULES",
    "SCORED_SKILLS",
    "STAGE_PASS",
    "BehaviourPrior",
    "BeliefConfig",
    "BeliefUpdate",
    "CommitmentConfig",
    "CommitmentGate",
    "CommitmentGateResult",
    "FilterConfig",
    "Gate",
    "GateConfig",
    "GateResult",
    "HypothesisSpace",
    "Known",
    "ModelState",
    "PartnerModel",
    "PartnerUpdate",
    "StayModel",
    "Tendencies",
    "TypeBelief",
    "hypothesis_space",
    "is_complementary",
    "likeliest",
    "observe_action",
    "observed_action",
    "observed_columns",
    "partner_update",
    "remember_belief",
    "roles_in",
    "roles_of",
    "write_observed",
]
