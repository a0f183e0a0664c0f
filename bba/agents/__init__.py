"""Whoever can sit in a seat: one protocol, one registry."""

from bba.agents.async_agent import AsyncAgent
from bba.agents.base import Agent, Decision, EpisodeContext, Observation, PolicyOutput, Profile, Schedule
from bba.agents.human import HUMAN, Controls, HumanAgent, ReplayedHuman, stay_model_of
from bba.agents.learned import NoWeights
from bba.agents.learned.catalogue import LEARNED, OWN_POLICY
from bba.agents.registry import (
    DESCRIPTIONS,
    PLANNERS,
    AgentOptions,
    agent_like,
    agent_names,
    load_agent,
    weights_file,
)
from bba.agents.switching import SwitchingPartner, parse_schedule
from bba.belief import BeliefConfig

__all__ = [
    "DESCRIPTIONS",
    "HUMAN",
    "LEARNED",
    "OWN_POLICY",
    "PLANNERS",
    "Agent",
    "AgentOptions",
    "AsyncAgent",
    "BeliefConfig",
    "Controls",
    "Decision",
    "EpisodeContext",
    "HumanAgent",
    "NoWeights",
    "Observation",
    "PolicyOutput",
    "Profile",
    "ReplayedHuman",
    "Schedule",
    "SwitchingPartner",
    "agent_like",
    "agent_names",
    "load_agent",
    "parse_schedule",
    "stay_model_of",
    "weights_file",
]
