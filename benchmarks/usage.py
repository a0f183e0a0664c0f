"""`python -m benchmarks.usage > configs/usage.toml`: what the agents ask of a language model in a game.

Each agent plays one game, in which the scripted planner answers. Tokens are estimated from characters.
"""

import sys
from collections.abc import Sequence

from bba.agents.hypothetical_minds import prompt_planner
from bba.agents.planning_agent import AGENT_VARIANTS, HYPOTHETICAL_MINDS, PlanningAgent
from bba.bench.price_estimate import AgentUsage
from bba.config import EPISODE_DEFAULTS
from bba.llm.budget import estimated_usage
from bba.planner import Message, Prompts, Reply, ScriptedBackend
from bba.play import Game

STEPS = EPISODE_DEFAULTS.horizon
AGENTS = (*AGENT_VARIANTS, HYPOTHETICAL_MINDS.name)
HEADER = """\
# What the agents ask of a language model in a game of {steps} steps on open with the partner `switching`, seed 0, as
# measured with scripted answers: calls a step, and tokens of a call, estimated from characters. A model that answers at
# greater length, or is asked again, uses more. Made by: python -m benchmarks.usage > configs/usage.toml
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


def measured(agent: str, steps: int) -> AgentUsage:
    """Plays a game of so many steps and returns what the agent asked."""
    counter, prompts = Counter(), Prompts.load()
    variant = AGENT_VARIANTS.get(agent, HYPOTHETICAL_MINDS)
    ego = PlanningAgent(variant, prompt_planner(variant.kind, counter, prompts))
    Game("open", ego, "switching", 0, horizon=steps, fast=True).run()
    return AgentUsage(
        calls=round(counter.calls / steps, 4),
        prompt_tokens=round(counter.prompt / counter.calls),
        completion_tokens=round(counter.completion / counter.calls),
    )


def main() -> None:
    """Prints the table."""
    sys.stdout.write(HEADER.format(steps=STEPS))
    for agent in AGENTS:
        fields = "".join(f"{name} = {value:g}\n" for name, value in measured(agent, STEPS).model_dump().items())
        sys.stdout.write(f"\n[{agent}]\n{fields}")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
