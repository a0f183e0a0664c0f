"""A planning agent that asks a model in prompts, made of its parts."""

from typing import Any

from bba.agents.planning import AGENT_VARIANTS, PlanningAgent
from bba.agents.skill_planner import PromptPlanner
from bba.planner import ChatBackend, Planner, Prompts


def planning_agent(name: str, backend: ChatBackend, **options: Any) -> PlanningAgent:
    variant = AGENT_VARIANTS[name]
    planner = Planner(backend, Prompts.load(), kind=variant.kind)
    return PlanningAgent(variant, PromptPlanner(planner, backend.name), **options)
