"""What the agents ask of a language model: calls and tokens of a game, as measured with scripted answers.

`python -m bba.bench.usage` plays a game with each agent and prints the table that ships as ``configs/usage.toml``.
"""

import sys
from collections.abc import Sequence
from functools import cache

from pydantic import BaseModel, ConfigDict, PositiveFloat, RootModel

from bba.agents.hypothetical_minds import HypotheticalMinds
from bba.agents.planning import VARIANTS, PlanningAgent
from bba.agents.prompt_planner import PromptPlanner
from bba.config import EPISODE_DEFAULTS
from bba.files import read_toml
from bba.planner import Message, Planner, Prompts, Reply, ScriptedBackend
from bba.planner.llm.budget import estimated_usage
from bba.play import Game
from bba.resources import data_dir

STEPS = EPISODE_DEFAULTS.horizon  # of a measured game
AGENTS = (*VARIANTS, HypotheticalMinds.name)
HEADER = """\
# What the agents ask of a language model in a game of {steps} steps on open with the partner `switching`, seed 0, as
# measured with scripted answers: calls a step, and tokens of a call, estimated from characters. A model that answers at
# greater length, or is asked again, uses more. Made by: python -m bba.bench.usage > configs/usage.toml
"""


class AgentUsage(BaseModel):
    """What one agent asks: calls a step, and tokens sent and received in a call."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    calls: PositiveFloat
    prompt_tokens: PositiveFloat
    completion_tokens: PositiveFloat


class _Table(RootModel[dict[str, AgentUsage]]):
    """Usage by agent."""


@cache
def usage_table() -> dict[str, AgentUsage]:
    """Returns what each agent asks, by name.

    Raises:
        BBAError: the shipped table cannot be read.
    """
    return read_toml(data_dir("configs/usage.toml"), _Table).root


class _Counter(ScriptedBackend):
    """Answers as the scripted planner and counts tokens."""

    def __init__(self) -> None:
        self.calls, self.prompt, self.completion = 0, 0, 0

    def complete(self, messages: Sequence[Message]) -> Reply:
        reply = super().complete(messages)
        usage = estimated_usage(messages, reply.text)
        self.calls += 1
        self.prompt += usage.prompt_tokens
        self.completion += usage.completion_tokens
        return reply


def measured(agent: str, steps: int) -> AgentUsage:
    """Plays a game of so many steps and returns what the agent asked."""
    counter, prompts = _Counter(), Prompts.load()
    if agent == HypotheticalMinds.name:
        ego: HypotheticalMinds | PlanningAgent = HypotheticalMinds(counter, prompts)
    else:
        variant = VARIANTS[agent]
        ego = PlanningAgent(variant, PromptPlanner(Planner(counter, prompts, kind=variant.kind), counter.name))
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
