"""Agents: everything that can play. One protocol, one registry."""

from bba.agents.async_agent import AsyncAgent, AwaitedAgent
from bba.agents.base import (
    Agent,
    Belief,
    Decision,
    EpisodeContext,
    Forkable,
    Observation,
    PolicyOutput,
    Preparable,
    Profile,
    Schedule,
    Tunable,
    reconfigure,
    tune_trigger,
)
from bba.agents.human import HUMAN, Controls, HumanAgent, ReplayedHuman, stay_model_of
from bba.agents.learned.agent import LEARNED, OWN_POLICY
from bba.agents.learned.weights import NoWeights
from bba.agents.registry import DESCRIPTIONS, PLANNERS, AgentOptions, agent_like, agent_names, load_agent, weights_file
from bba.agents.role_partners import LOCKED_PARTNERS, SwitchingPartner, parse_schedule, unlocked
from bba.belief import BeliefConfig

__all__ = [
    "DESCRIPTIONS",
    "HUMAN",
    "LEARNED",
    "LOCKED_PARTNERS",
    "OWN_POLICY",
    "PLANNERS",
    "Agent",
    "AgentOptions",
    "AsyncAgent",
    "AwaitedAgent",
    "Belief",
    "BeliefConfig",
    "Controls",
    "Decision",
    "EpisodeContext",
    "Forkable",
    "HumanAgent",
    "NoWeights",
    "Observation",
    "PolicyOutput",
    "Preparable",
    "Profile",
    "ReplayedHuman",
    "Schedule",
    "SwitchingPartner",
    "Tunable",
    "agent_like",
    "agent_names",
    "load_agent",
    "parse_schedule",
    "reconfigure",
    "stay_model_of",
    "tune_trigger",
    "unlocked",
    "weights_file",
]
