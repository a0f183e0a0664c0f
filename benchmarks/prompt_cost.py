"""`python -m benchmarks.prompt_cost`: what prompts of a game cost, by what is asked, by layout and by turns sent along.

The game is that of `bayes` with `switching` on `open`. The scripted planner answers, so that all games of the same
`--ask` are the same. Tokens are estimated from characters. Of a prompt, a provider has that beginning in its cache that
an earlier prompt of the game began with, too: 1,024 tokens or more, in blocks of 128.
"""

import argparse
import hashlib
from bisect import bisect_left
from collections.abc import Sequence
from itertools import product
from typing import NamedTuple, get_args

from rich.console import Console

from bba.agents.planning_agent import AGENT_VARIANTS, PlanningAgent
from bba.agents.skill_planner import PromptPlanner
from bba.config import EPISODE_DEFAULTS, Ask, ConversationName, PromptLayout
from bba.llm.budget import CHARACTERS, tokens_of
from bba.planner import Message, Planner, Prompts, Reply, ScriptedBackend, Usage
from bba.planner.prices import price_of
from bba.play import Game, Trace
from bba.tables import TableRow, table_of
from bba.tables.terminal import in_a_box

AGENT, KITCHEN, PARTNER, SEED = "bayes", "open", "switching", 0
LEAST, BLOCK = 1024, 128  # tokens: of the shortest beginning that is cached, and of a block of it
LAYOUTS: tuple[PromptLayout, ...] = ("preprint", "cached")  # of which the scripted planner reads the same
BEFORE = (283, 843_000, 0, 843_000, 2.22)  # measured before prompts and rule were changed: no beginning was long enough


class Cost(NamedTuple):
    """What a game asked: calls, tokens sent, those of them that a provider has cached, US dollars, and the game."""

    calls: int
    tokens: int
    cached: int
    dollars: float
    score: int
    digest: str

    @property
    def fresh(self) -> int:
        """The tokens that are not cached."""
        return self.tokens - self.cached


class Meter(ScriptedBackend):
    """Answers as the scripted planner and counts what a provider would."""

    def __init__(self) -> None:
        self.usages: list[Usage] = []
        self._sent: list[str] = []

    def complete(self, messages: Sequence[Message]) -> Reply:
        """Returns the scripted answer."""
        reply = super().complete(messages)
        prompt = "\0".join(message["content"] for message in messages)
        sent = sum(tokens_of(message["content"]) for message in messages)
        self.usages.append(Usage(sent, tokens_of(reply.text), cached_tokens=self._cached(prompt)))
        self._sent.append(prompt)
        return reply

    def _cached(self, prompt: str) -> int:
        """Returns the tokens at the beginning of a prompt that an earlier prompt began with."""
        shared = max((_shared(prompt, earlier) for earlier in self._sent), default=0)
        tokens = int(shared / CHARACTERS)
        return tokens // BLOCK * BLOCK if tokens >= LEAST else 0


def _shared(one: str, other: str) -> int:
    """Returns the number of characters at the beginning that two texts share."""
    lengths = range(min(len(one), len(other)))
    return bisect_left(lengths, True, key=lambda length: one[: length + 1] != other[: length + 1])


def cost_of(ask: Ask, layout: PromptLayout, turns: ConversationName, model: str, steps: int) -> Cost:
    """Plays the game and returns what it asked."""
    meter, variant = Meter(), AGENT_VARIANTS[AGENT]
    planner = PromptPlanner(
        Planner(meter, Prompts.load(layout=layout), kind=variant.kind, conversation=turns), meter.name
    )
    trace = Game(KITCHEN, PlanningAgent(variant, planner, ask=ask), PARTNER, SEED, horizon=steps, fast=True).run()
    used, price = sum_of(meter.usages), price_of(model)
    dollars = 0.0 if price is None else price.of(used)
    return Cost(len(meter.usages), used.prompt_tokens, used.cached_tokens, dollars, trace.score, digest_of(trace))


def sum_of(usages: Sequence[Usage]) -> Usage:
    """Returns the sum of several usages."""
    total = Usage()
    for usage in usages:
        total = total.plus(usage)
    return total


def digest_of(trace: Trace) -> str:
    """Returns 8 hex digits: the digest of all actions of a game."""
    return hashlib.sha256(repr([tick.actions for tick in trace.ticks]).encode()).hexdigest()[:8]


def main() -> None:
    """Plays the games and prints the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.prompt_cost", description=__doc__)
    parser.add_argument("--model", default="gpt-4o", help="whose prices count")
    parser.add_argument("--steps", type=int, default=EPISODE_DEFAULTS.horizon)
    arguments = parser.parse_args()
    title = f"{AGENT} with {PARTNER} on {KITCHEN}, seed {SEED}, {arguments.steps} steps, prices of {arguments.model}"
    headings = ("calls", "tokens sent", "cached", "not cached", "US dollars", "score", "game")
    calls, tokens, cached, fresh, dollars = BEFORE
    before = ["before", "", "roll", str(calls), f"{tokens:,}", f"{cached:,}", f"{fresh:,}", f"{dollars:.2f}", "", ""]
    rows: list[TableRow] = [before]
    kinds = product(reversed(get_args(Ask)), LAYOUTS, reversed(get_args(ConversationName)))
    for ask, layout, turns in kinds:
        cost = cost_of(ask, layout, turns, arguments.model, arguments.steps)
        counts = [f"{number:,}" for number in (cost.calls, cost.tokens, cost.cached, cost.fresh)]
        rows.append([ask, layout, turns, *counts, f"{cost.dollars:.2f}", str(cost.score), cost.digest])
    console = Console()
    console.width = max(console.width, 110)
    console.print(in_a_box(table_of(("ask", "prompt layout", "turns"), headings, rows=rows, title=title)))


if __name__ == "__main__":
    main()
