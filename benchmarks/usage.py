"""`python -m benchmarks.usage > configs/usage.toml`: what the agents ask of a language model in a game.

Each agent plays one game, in which the scripted planner answers. Tokens are estimated from characters.
"""

import sys
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from bba.agents.hypothetical_minds import prompt_planner
from bba.agents.planning_agent import AGENT_VARIANTS, HYPOTHETICAL_MINDS, PlanningAgent
from bba.agents.seat import CONDITION_LAYERS
from bba.bench.price_estimate import AgentUsage
from bba.config import EPISODE_DEFAULTS, USUAL_ASK, ConditionName
from bba.llm.budget import estimated_usage
from bba.planner import Message, Prompts, Reply, ScriptedBackend
from bba.play import Game

STEPS = EPISODE_DEFAULTS.horizon
AGENTS = (*AGENT_VARIANTS, HYPOTHETICAL_MINDS.name)
OURS = {"prompt_layout": "cached", "ask": USUAL_ASK, "conversation": "grow"}  # what a language model does by default
CONDITIONS: tuple[ConditionName, ...] = ("ours", "preprint")
HEADER = """\
# What the agents ask of a language model in a game of {steps} steps on open with the partner `switching`, seed 0, as
# measured with scripted answers, in our condition and in the preprint's: calls a step, and tokens of a call, estimated
# from characters. A model that answers at greater length, or is asked again, uses more.
# Made by: python -m benchmarks.usage > configs/usage.toml
"""


class Counter(ScriptedBackend):
    """Answers as the scripted planner and counts tokens."""

    def __init__(self) -> None:
        self.calls, self.prompt, self.completion = 0, 0, 0

    def complete(self, messages: Sequence[Message]) -> Reply:
        """Returns the scripted answer."""
        reply = super().complete(messages)
        usage = estimated_usage(messages, reply.text)
        self.calls += 1
        self.prompt += usage.prompt_tokens
        self.completion += usage.completion_tokens
        return reply


def measured(agent: str, steps: int, condition: ConditionName) -> AgentUsage:
    """Plays a game of so many steps and returns what the agent asked in this condition."""
    layer: Mapping[str, Any] = {**OURS, **CONDITION_LAYERS[condition]}
    counter = Counter()
    prompts = Prompts.load(layout=layer["prompt_layout"])
    ask = layer["ask"]
    variant = AGENT_VARIANTS.get(agent, HYPOTHETICAL_MINDS)
    planner = prompt_planner(variant.kind, counter, prompts, layer["conversation"], ask=ask)
    ego = PlanningAgent(variant, planner, ask=ask)
    Game("open", ego, "switching", 0, horizon=steps, fast=True).run()
    return AgentUsage(
        calls=round(counter.calls / steps, 4),
        prompt_tokens=round(counter.prompt / counter.calls),
        completion_tokens=round(counter.completion / counter.calls),
    )


def main() -> None:
    """Prints the table."""
    sys.stdout.write(HEADER.format(steps=STEPS))
    for condition, agent in product(CONDITIONS, AGENTS):
        usage = measured(agent, STEPS, condition).model_dump()
        fields = "".join(f"{name} = {value:g}\n" for name, value in usage.items())
        sys.stdout.write(f"\n[{condition}.{agent}]\n{fields}")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
