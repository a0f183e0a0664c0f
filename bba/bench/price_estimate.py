"""Estimates what a sweep asks of language models and what that costs.

What an agent asks in a game was measured with scripted answers and ships as ``configs/usage.toml``.
"""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, PositiveFloat

from bba.agents import Profile, model_of
from bba.bench.episode import Episode
from bba.files import data_dir, read_toml
from bba.planner import Usage
from bba.planner.llm.model_options import price_of


class AgentUsage(BaseModel, frozen=True, extra="forbid"):
    """What one agent asks: calls a step, and tokens sent and received in a call."""

    calls: PositiveFloat
    prompt_tokens: PositiveFloat
    completion_tokens: PositiveFloat


@cache
def usage_table() -> dict[str, AgentUsage]:
    """Returns what each agent asks, by name.

    Raises:
        BBAError: the shipped table cannot be read.
    """
    return read_toml(data_dir("configs/usage.toml"), dict[str, AgentUsage])


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


class _Asked(NamedTuple):
    """What one seat asks in an episode: of which model, how often, and the usage of one call."""

    model: str
    calls: float
    call: Usage


def estimate(episodes: Iterable[Episode], prices: Path | None = None) -> Estimate:
    """Returns what these episodes probably ask and cost, if none of their answers is stored.

    Args:
        episodes: the episodes to be played.
        prices: a table of prices; None for the shipped one.

    Raises:
        BBAError: a table cannot be read.
    """
    asked = [found for episode in episodes if (found := _asked(episode))]
    seats = [seat for seats in asked for seat in seats]
    requests = round(sum(seat.calls for seat in seats))
    tokens = round(sum(seat.calls * (seat.call.prompt_tokens + seat.call.completion_tokens) for seat in seats))
    priced = {model: price_of(model, prices) for model in dict.fromkeys(seat.model for seat in seats)}
    known = {model: price for model, price in priced.items() if price is not None}
    if len(known) < len(priced):
        unpriced = tuple(model for model in priced if model not in known)
        return Estimate(len(asked), requests, tokens, None, None, unpriced)
    costs = [sum(seat.calls * known[seat.model].of(seat.call) for seat in seats) for seats in asked]
    return Estimate(len(asked), requests, tokens, sum(costs), max(costs, default=0.0))


def _asked(episode: Episode) -> list[_Asked]:
    planned = [(model, seat) for seat in episode.seats if (model := model_of(seat.planner)) is not None]
    return [_asked_by(seat, model, episode.horizon) for model, seat in planned]


def _asked_by(seat: Profile, model: str, steps: int) -> _Asked:
    """Returns what a seat asks; what the agent that asks most does, for one that was not measured."""
    table = usage_table()
    usage = table.get(seat.agent) or max(table.values(), key=lambda usage: usage.calls * usage.prompt_tokens)
    return _Asked(model, usage.calls * steps, Usage(round(usage.prompt_tokens), round(usage.completion_tokens)))
