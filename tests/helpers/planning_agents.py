"""A planning agent that asks a model in prompts, made of its parts."""

from typing import Any

from bba.agents.hypothetical_minds import prompt_planner
from bba.agents.planning_agent import AGENT_VARIANTS, HYPOTHETICAL_MINDS, PlanningAgent
from bba.planner import ChatBackend, Prompts


def planning_agent(name: str, backend: ChatBackend, **options: Any) -> PlanningAgent:
    variant = AGENT_VARIANTS.get(name, HYPOTHETICAL_MINDS)
    asked = {"ask": options["ask"]} if "ask" in options else {}
    return PlanningAgent(variant, prompt_planner(variant.kind, backend, Prompts.load(), **asked), **options)
