"""Agents: everything that can play. One protocol, one registry."""

from typing import Any
from warnings import warn

from bba.agents.async_agent import AsyncAgent, AwaitedAgent
from bba.agents.base import (
    Agent,
    AgentLike,
    Belief,
    Decision,
    EpisodeContext,
    Forkable,
    Memoryless,
    ModelOfPartner,
    Observation,
    PolicyOutput,
    Preparable,
    Profile,
    Schedule,
    Tunable,
    reconfigure,
    tune_trigger,
)
from bba.agents.human import HUMAN, Controls, HumanAgent, HumanInput, ReplayedHuman, stay_model_of
from bba.agents.learned.agent import PolicyAgent
from bba.agents.learned.families import (
    CLONE,
    LEARNED,
    LEARNED_PARTNERS,
    OWN_POLICY,
    PREFERENCE_GROUPS,
    SCRATCH_PARTNERS,
    feature_weights,
    is_clone,
    is_learned,
)
from bba.agents.learned.policy import (
    Activation,
    ClusterPosterior,
    Clusters,
    Layers,
    Mask,
    ObservationEncoder,
    feasible_mask,
    forward,
    masked_softmax,
    relu,
    sample_index,
)
from bba.agents.learned.weights import (
    LAST_ROLES,
    PLANNER_NETWORKS,
    POPULATION_NETWORK,
    WEIGHTS_SUFFIX,
    NoWeights,
    PolicyWeights,
    ValueNetwork,
    load_weights,
    planning_networks,
    save_weights,
)
from bba.agents.planner_names import (
    KEYLESS,
    MODEL_PLANNERS,
    MODEL_SIGN,
    PLANNERS,
    ROLLOUT,
    is_plugin_planner,
    model_of,
    own_planner,
    pays,
)
from bba.agents.planners import skill_planner
from bba.agents.planning_agent import (
    AGENT_VARIANTS,
    HYPOTHETICAL_MINDS,
    PlanningAgent,
    behaviour_prior,
    partner_model,
    trigger_of,
)
from bba.agents.plugin_parts import PluginAgent, trigger_thresholds
from bba.agents.registry import (
    DESCRIPTIONS,
    agent_like,
    agent_names,
    check_agent,
    describe_agent,
    load_agent,
    seat_of_profile,
    weights_files,
)
from bba.agents.role_partners import LOCKED_PARTNERS, SwitchingPartner, parse_schedule, unlocked
from bba.agents.scripted_planner import ScriptedPlanner
from bba.agents.seat import SeatSpec, merge, seat_of
from bba.agents.skill_planner import PartnerBelief, SkillPlanner, planner_input
from bba.agents.triggers import PERIOD, TRIGGERS, completed, completes_or_takes
from bba.config import BeliefConfig

__all__ = [
    "AGENT_VARIANTS",
    "CLONE",
    "DESCRIPTIONS",
    "HUMAN",
    "HYPOTHETICAL_MINDS",
    "KEYLESS",
    "LAST_ROLES",
    "LEARNED",
    "LEARNED_PARTNERS",
    "LOCKED_PARTNERS",
    "MODEL_PLANNERS",
    "MODEL_SIGN",
    "OWN_POLICY",
    "PERIOD",
    "PLANNERS",
    "PLANNER_NETWORKS",
    "POPULATION_NETWORK",
    "PREFERENCE_GROUPS",
    "ROLLOUT",
    "SCRATCH_PARTNERS",
    "TRIGGERS",
    "WEIGHTS_SUFFIX",
    "Activation",
    "Agent",
    "AgentLike",
    "AsyncAgent",
    "AwaitedAgent",
    "Belief",
    "BeliefConfig",
    "ClusterPosterior",
    "Clusters",
    "Controls",
    "Decision",
    "EpisodeContext",
    "Forkable",
    "HumanAgent",
    "HumanInput",
    "Layers",
    "Mask",
    "Memoryless",
    "ModelOfPartner",
    "NoWeights",
    "Observation",
    "ObservationEncoder",
    "PartnerBelief",
    "PlanningAgent",
    "PluginAgent",
    "PolicyAgent",
    "PolicyOutput",
    "PolicyWeights",
    "Preparable",
    "Profile",
    "ReplayedHuman",
    "Schedule",
    "ScriptedPlanner",
    "SeatSpec",
    "SkillPlanner",
    "SwitchingPartner",
    "Tunable",
    "ValueNetwork",
    "agent_like",
    "agent_names",
    "behaviour_prior",
    "check_agent",
    "completed",
    "completes_or_takes",
    "describe_agent",
    "feasible_mask",
    "feature_weights",
    "forward",
    "is_clone",
    "is_learned",
    "is_plugin_planner",
    "load_agent",
    "load_weights",
    "masked_softmax",
    "merge",
    "model_of",
    "own_planner",
    "parse_schedule",
    "partner_model",
    "pays",
    "planner_input",
    "planning_networks",
    "reconfigure",
    "relu",
    "sample_index",
    "save_weights",
    "seat_of",
    "seat_of_profile",
    "skill_planner",
    "stay_model_of",
    "trigger_of",
    "trigger_thresholds",
    "tune_trigger",
    "unlocked",
    "weights_files",
]


def __getattr__(name: str) -> Any:
    """Returns what a name stands for that goes with the next release."""
    if name != "AgentOptions":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warn(
        "bba.agents.AgentOptions is SeatSpec now; the old name goes with the next release",
        DeprecationWarning,
        stacklevel=2,
    )
    return SeatSpec
