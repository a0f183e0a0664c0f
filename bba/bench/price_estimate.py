"""Estimates what a sweep asks of language models and what that costs, from what the agents asked when measured."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from bba.agents import Profile
from bba.agents.registry import model_of
from bba.bench.episode import Episode
from bba.bench.usage import AgentUsage, usage_table
from bba.planner import Usage
from bba.planner.llm.model_options import price_of


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
