"""Whoever can sit in a seat: one protocol, one registry."""

from bba.agents.base import Agent, Decision, Observation, PolicyReading, Profile, Schedule, Seat
from bba.agents.human import HUMAN, Controls, Ghost, HumanAgent, tempo_of
from bba.agents.learned import NoWeights
from bba.agents.learned.names import LEARNED, OWN_POLICY
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
from bba.agents.unhurried import Unhurried
from bba.belief import Tuning

__all__ = [
    "DESCRIPTIONS",
    "HUMAN",
    "LEARNED",
    "OWN_POLICY",
    "PLANNERS",
    "Agent",
    "AgentOptions",
    "Controls",
    "Decision",
    "Ghost",
    "HumanAgent",
    "NoWeights",
    "Observation",
    "PolicyReading",
    "Profile",
    "Schedule",
    "Seat",
    "SwitchingPartner",
    "Tuning",
    "Unhurried",
    "agent_like",
    "agent_names",
    "load_agent",
    "parse_schedule",
    "tempo_of",
    "weights_file",
]
