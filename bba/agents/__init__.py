"""Whoever can sit in a seat: one protocol, one registry."""

from bba.agents.base import Agent, Decision, Observation, Seat, Tuning
from bba.agents.registry import DESCRIPTIONS, PLANNERS, AgentOptions, agent_names, load_agent
from bba.agents.switching import SwitchingPartner, parse_schedule

__all__ = [
    "DESCRIPTIONS",
    "PLANNERS",
    "Agent",
    "AgentOptions",
    "Decision",
    "Observation",
    "Seat",
    "SwitchingPartner",
    "Tuning",
    "agent_names",
    "load_agent",
    "parse_schedule",
]
