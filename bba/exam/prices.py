"""What a model costs, judged by its answers to the exam: the exam, a game of each agent, and each benchmark.

The calls of a game are those that were measured (`bba.bench.price_estimate`). The tokens of a call are scaled: those
sent by how many this model counts where characters make us expect one, those received by how much longer its answers
are.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from bba.agents.skill_planner import planner_input
from bba.bench.presets import Sweep, load_sweep, sweep_names, without_model
from bba.bench.price_estimate import usage_table
from bba.bench.sweep_agents import OWN_PLANNERS
from bba.config import EPISODE_DEFAULTS
from bba.exam.answers import Result
from bba.exam.situations import Question
from bba.planner import Prompts, Usage
from bba.planner.chat import total_usage
from bba.planner.llm.budget import tokens_of
from bba.planner.llm.model_options import price_of

PRICED_AGENT = "bayes"  # whose prompts the exam has


class Used(NamedTuple):
    """What the answers of a planner used.

    Attributes:
        sent, received: tokens of an answer on average, all attempts together.
        estimated: whether some of them are estimated, because the endpoint does not report them.
        seconds: the median from question to answer.
        dollars: of all answers together; None if nothing has a price.
    """

    sent: float
    received: float
    estimated: bool
    seconds: float
    dollars: float | None


class Prices(NamedTuple):
    """What games of a model cost in US dollars.

    Attributes:
        games: of each agent, by name.
        sweeps: each benchmark, by name.
    """

    games: dict[str, float]
    sweeps: dict[str, float]


def used(result: Result) -> Used:
    """Returns what the answers used; answers that were stored before count for their time only."""
    paid = [answer.usage for answer in result.answers if answer.usage is not None and not answer.usage.cached]
    total, count = total_usage(paid) or Usage(), max(len(paid), 1)
    seconds = sorted(answer.seconds for answer in result.answers)
    middle = seconds[len(seconds) // 2] if seconds else 0.0
    return Used(total.prompt_tokens / count, total.completion_tokens / count, total.estimated > 0, middle, total.cost)


def prices(result: Result, asked: Sequence[Question], path: Path | None = None) -> Prices | None:
    """Returns what games with the planner of a result cost; None without a price, or if nothing was paid for.

    Args:
        result: the answers.
        asked: the questions of the exam.
        path: a table of prices; None for the shipped one.

    Raises:
        BBAError: a table cannot be read.
    """
    found, price = used(result), price_of(result.planner.partition(":")[2], path)
    if price is None or not found.sent:
        return None
    factor = found.sent * len(asked) / exam_usage(asked, Prompts.load()).prompt_tokens
    longer = max(0.0, found.received - usage_table()[PRICED_AGENT].completion_tokens)
    game = {
        agent: EPISODE_DEFAULTS.horizon
        * usage.calls
        * price.of(Usage(round(usage.prompt_tokens * factor), round(usage.completion_tokens + longer)))
        for agent, usage in usage_table().items()
    }
    return Prices(game, {name: _sweep_price(load_sweep(name), game) for name in sweep_names()})


def exam_usage(asked: Sequence[Question], prompts: Prompts) -> Usage:
    """Returns the tokens that all questions probably have, with answers as short as the scripted planner's."""
    shown = [planner_input(question.observation(), question.told) for question in asked]
    sent = sum(tokens_of(message["content"]) for one in shown for message in prompts.messages("bayes", one))
    return Usage(sent, len(asked) * round(usage_table()[PRICED_AGENT].completion_tokens))


def _sweep_price(sweep: Sweep, game: dict[str, float]) -> float:
    """Returns the price of a sweep at the most: games that it shares between cells, or cannot play, count as well."""
    variants = len({str(variant) for variant in sweep.variants})
    partners = [partner for group in sweep.partners.values() for partner in group]
    egos = {ego.name: ego.agent for ego in sweep.agents if not ego.planner}  # one model plans for all
    pairs = [(ego, without_model(partner)) for ego in egos.values() for partner in partners]
    # Of a model that plays with each planner that needs no key, once in either seat, one seat costs.
    games_of_models = 1 + sum(name in OWN_PLANNERS for name in sweep.models)
    games = variants * len(sweep.layouts) * sweep.seeds * sweep.horizon / EPISODE_DEFAULTS.horizon
    return games * games_of_models * sum(game.get(seat, 0.0) for pair in pairs for seat in pair)
