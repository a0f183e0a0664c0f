"""Estimates the requests of a sweep to language models, and their price.

The usage of each agent was measured with scripted answers, in our condition and in the preprint's, and ships as
``configs/usage.toml``.
"""

from collections.abc import Iterable
from functools import cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, PositiveFloat

from bba.agents import Profile, model_of
from bba.bench.episode import Episode
from bba.config import ConditionName
from bba.files import data_dir, read_toml
from bba.planner import Usage
from bba.planner.prices import Price, price_of

BYTES_A_TOKEN = 3.2  # of a prompt; the highest price of a request is that of as many tokens as it has bytes


class AgentUsage(BaseModel, frozen=True, extra="forbid"):
    """The usage of one agent: calls a step, and tokens sent and received in a call."""

    calls: PositiveFloat
    prompt_tokens: PositiveFloat
    completion_tokens: PositiveFloat


@cache
def usage_table(condition: ConditionName = "ours") -> dict[str, AgentUsage]:
    """Returns the usage of each agent in a condition, by name.

    Raises:
        BBAError: the shipped table cannot be read.
    """
    tables = read_toml(data_dir("configs/usage.toml"), dict[ConditionName, dict[str, AgentUsage]])
    return tables[condition]


class Estimate(NamedTuple):
    """The probable requests and price of episodes.

    Attributes:
        episodes: those in which a language model plans.
        requests, tokens: in all of them; tokens are those sent and received.
        dollars: at the prices of fresh tokens; None if a model has no price.
        unpriced: the models without a price.
    """

    episodes: int
    requests: int
    tokens: int
    dollars: float | None
    unpriced: tuple[str, ...] = ()


class EpisodePrice(NamedTuple):
    """The probable price of one episode in US dollars, at the prices of fresh tokens; a model without a price is free.

    Attributes:
        all_requests: of the whole episode; 0.0 if no language model plans in it.
        dearest_request: the highest price of one request, which must be left for it to be sent (`bba.llm.budget`).
    """

    all_requests: float
    dearest_request: float


class _SeatUsage(NamedTuple):
    """The usage of one seat in an episode: the model, the number of calls, and the tokens of one call."""

    model: str
    calls: float
    call: Usage


def estimate(episodes: Iterable[Episode], prices: Path | None = None) -> Estimate:
    """Returns the probable requests and price of these episodes, if none of their answers is stored.

    Args:
        episodes: the episodes to be played.
        prices: a table of prices; None for the shipped one.

    Raises:
        BBAError: a table cannot be read.
    """
    usage_by_episode = [_usage_of_episode(episode) for episode in episodes]
    paid = [usages for usages in usage_by_episode if usages]
    seats = list(chain(*paid))
    requests = round(sum(seat.calls for seat in seats))
    tokens = round(sum(seat.calls * (seat.call.prompt_tokens + seat.call.completion_tokens) for seat in seats))
    models = dict.fromkeys(seat.model for seat in seats)
    price_by_model: dict[str, Price] = {}
    unpriced: list[str] = []
    for model in models:
        price = price_of(model, prices)
        if price is None:
            unpriced.append(model)
        else:
            price_by_model[model] = price
    if unpriced:
        return Estimate(len(paid), requests, tokens, None, tuple(unpriced))
    dollars = sum(seat.calls * price_by_model[seat.model].of(seat.call) for seat in seats)
    return Estimate(len(paid), requests, tokens, dollars)


def episode_price(episode: Episode, prices: Path | None = None) -> EpisodePrice:
    """Returns the probable price of an episode, if none of its answers is stored.

    Args:
        episode: the episode.
        prices: a table of prices; None for the shipped one.

    Raises:
        BBAError: a table cannot be read.
    """
    all_requests = 0.0
    dearest_request = 0.0
    for seat in _usage_of_episode(episode):
        price = price_of(seat.model, prices)
        if price is not None:
            all_requests += seat.calls * price.of(seat.call)
            answer_tokens = episode.planning.max_tokens or seat.call.completion_tokens
            longest = Usage(round(BYTES_A_TOKEN * seat.call.prompt_tokens), answer_tokens)
            dearest_request = max(dearest_request, price.of(longest))
    return EpisodePrice(all_requests, dearest_request)


def _usage_of_episode(episode: Episode) -> list[_SeatUsage]:
    """Returns the usage of each seat for which a language model plans."""
    usages = []
    for seat in episode.seats:
        model = model_of(seat.planner)
        if model is not None:
            usages.append(_usage_of_seat(seat, model, episode))
    return usages


def _usage_of_seat(seat: Profile, model: str, episode: Episode) -> _SeatUsage:
    """Returns the usage of a seat: its calls are those of when it is asked again, its tokens those of what is sent."""
    asked = _measured(seat.agent, "preprint" if seat.effective_ask == "always" else "ours")
    sent = _measured(seat.agent, "preprint" if episode.planning.conversation == "roll" else "ours")
    call = Usage(round(sent.prompt_tokens), round(sent.completion_tokens))
    return _SeatUsage(model, asked.calls * episode.horizon, call)


def _measured(agent: str, condition: ConditionName) -> AgentUsage:
    """Returns the usage of an agent in a condition; one that was not measured counts as the one that asks most."""
    table = usage_table(condition)
    usage = table.get(agent)
    if usage is None:
        usage = max(table.values(), key=lambda usage: usage.calls * usage.prompt_tokens)
    return usage
