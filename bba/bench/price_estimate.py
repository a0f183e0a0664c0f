"""Estimates what a sweep asks of language models and what that costs, from what the agents asked when measured.

What the agents ask of a language model: calls and tokens of a game, as measured with scripted answers.

`python -m bba.bench.price_estimate` plays a game with each agent and prints the table that ships as
``configs/usage.toml``.
"""

import sys
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, PositiveFloat, RootModel

from bba.agents import Profile
from bba.agents.hypothetical_minds import HypotheticalMinds
from bba.agents.planning import AGENT_VARIANTS, PlanningAgent
from bba.agents.registry import model_of
from bba.agents.skill_planner import PromptPlanner
from bba.bench.episode import Episode
from bba.config import EPISODE_DEFAULTS
from bba.files import data_dir, read_toml
from bba.planner import Message, Planner, Prompts, Reply, ScriptedBackend, Usage
from bba.planner.llm.budget import estimated_usage
from bba.planner.llm.model_options import price_of
from bba.play import Game

GAME_STEPS = EPISODE_DEFAULTS.horizon  # of a measured game
ASKING_AGENTS = (*AGENT_VARIANTS, HypotheticalMinds.name)
USAGE_HEADER = """\
# What the agents ask of a language model in a game of {steps} steps on open with the partner `switching`, seed 0, as
# measured with scripted answers: calls a step, and tokens of a call, estimated from characters. A model that answers at
# greater length, or is asked again, uses more. Made by: python -m bba.bench.price_estimate > configs/usage.toml
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
        variant = AGENT_VARIANTS[agent]
        ego = PlanningAgent(variant, PromptPlanner(Planner(counter, prompts, kind=variant.kind), counter.name))
    Game("open", ego, "switching", 0, horizon=steps, fast=True).run()
    return AgentUsage(
        calls=round(counter.calls / steps, 4),
        prompt_tokens=round(counter.prompt / counter.calls),
        completion_tokens=round(counter.completion / counter.calls),
    )


def main() -> None:
    """Prints the table."""
    sys.stdout.write(USAGE_HEADER.format(steps=GAME_STEPS))
    for agent in ASKING_AGENTS:
        fields = "".join(f"{name} = {value:g}\n" for name, value in measured(agent, GAME_STEPS).model_dump().items())
        sys.stdout.write(f"\n[{agent}]\n{fields}")
        sys.stdout.flush()


if __name__ == "__main__":
    main()


class Estimate(NamedTuple):
    """What episodes probably ask and cost.

    Attributes:
        episodes: those in which a language model plans.
        requests, tokens: in all of them; tokens are those sent and received.
        dollars: at the prices of fresh tokens; None if a model has no price.
        dearest: the price of the dearest episode; None if a model has no price.
        unpriced: the models without a price.
    """

    episodes: int
    requests: int
    tokens: int
    dollars: float | None
    dearest: float | None
    unpriced: tuple[str, ...] = ()


def estimate(episodes: Iterable[Episode], prices: Path | None = None) -> Estimate:
    """Returns what these episodes probably ask and cost, if none of their answers is stored.

    Args:
        episodes: the episodes to be played.
        prices: a table of prices; None for the shipped one.

    Raises:
        BBAError: a table cannot be read.
    """
    asked = [found for episode in episodes if (found := [_Asked.of(seat, episode.horizon) for seat in _seats(episode)])]
    seats = [seat for seats in asked for seat in seats]
    requests, tokens = sum(seat.calls for seat in seats), sum(seat.calls * seat.tokens for seat in seats)
    priced = {model: price_of(model, prices) for model in dict.fromkeys(seat.model for seat in seats)}
    known = {model: price for model, price in priced.items() if price is not None}
    unpriced = tuple(model for model, price in priced.items() if price is None)
    if unpriced:
        return Estimate(len(asked), round(requests), round(tokens), None, None, unpriced)
    costs = [sum(seat.calls * known[seat.model].of(seat.call) for seat in seats) for seats in asked]
    return Estimate(len(asked), round(requests), round(tokens), sum(costs), max(costs, default=0.0))


class _Asked(NamedTuple):
    """What one seat asks in an episode: of which model, how often, and the usage of one call."""

    model: str
    calls: float
    call: Usage

    @classmethod
    def of(cls, seat: Profile, steps: int) -> "_Asked":
        usage = _usage(seat.agent)
        call = Usage(round(usage.prompt_tokens), round(usage.completion_tokens))
        return cls(model_of(seat.planner) or "", usage.calls * steps, call)

    @property
    def tokens(self) -> int:
        return self.call.prompt_tokens + self.call.completion_tokens


def _seats(episode: Episode) -> list[Profile]:
    return [seat for seat in episode.seats if model_of(seat.planner) is not None]


def _usage(agent: str) -> AgentUsage:
    """Returns what an agent asks; what the agent that asks most does, for one that was not measured."""
    table = usage_table()
    return table.get(agent) or max(table.values(), key=lambda usage: usage.calls * usage.prompt_tokens)
