"""The rollout planner: how long a decision takes, and a whole game with it.

A game from one seed is the same each time, so that every decision is measured in each repeat and its least time counts:
what other programs do meanwhile is no part of it. Times are those of the processor.
"""

import time
from typing import NamedTuple

import numpy as np

from bba.agents.base import Decision, Observation
from bba.agents.planning_agent import AGENT_VARIANTS, PlanningAgent
from bba.agents.skill_planner import ROLLOUT, PartnerBelief, RolloutPlanner
from bba.config import BeliefConfig, RolloutOptions
from bba.play import Game
from bba.tables import Table, TableRow, table_of
from benchmarks.kitchens import LAYOUT
from benchmarks.timing import Subject

HORIZON = 2400


class Pair(NamedTuple):
    """An agent with the rollout planner, the prior of its belief, and its partner."""

    agent: str
    prior: str
    partner: str


PAIRS = (Pair("bayes-commit", "types", "switching"), Pair("bayes-value", "propensities", "scratch:G1-1"))


class DecisionTimes(NamedTuple):
    """Whose decisions; seconds that one takes, the median and the 99th percentile, and a whole game; how many.

    Comparisons of the value gate, which end in no decision, are part of the game alone.
    """

    pair: Pair
    median: float
    most: float
    game: float
    decisions: int


class TimedPlanner(RolloutPlanner):
    """A rollout planner that notes how long each of its decisions took, in seconds of the processor."""

    def __init__(self, options: RolloutOptions) -> None:
        super().__init__(options)
        self.seconds: list[float] = []

    def plan(self, observation: Observation, belief: PartnerBelief | None) -> Decision:
        """Chooses a skill and notes how long that took."""
        began = time.process_time()
        decision = super().plan(observation, belief)
        self.seconds.append(time.process_time() - began)
        return decision


def decision_times(pair: Pair, repeats: int, horizon: int = HORIZON) -> DecisionTimes:
    """Returns the least times of several repeats of a game; kernels are compiled before."""
    _played(pair, horizon=10)
    games, decisions = zip(*(_played(pair, horizon) for _ in range(repeats)), strict=True)
    least = np.min(decisions, axis=0)
    return DecisionTimes(pair, float(np.median(least)), float(np.percentile(least, 99)), min(games), len(least))


def _played(pair: Pair, horizon: int) -> tuple[float, list[float]]:
    """Returns how long a game took, and each of its decisions."""
    planner = TimedPlanner(RolloutOptions())
    belief_config = BeliefConfig.for_planner(ROLLOUT, {"prior": pair.prior})
    ego = PlanningAgent(AGENT_VARIANTS[pair.agent], planner, belief_config=belief_config)
    game = Game(LAYOUT, ego, pair.partner, horizon=horizon, fast=True)
    began = time.process_time()
    game.run()
    return time.process_time() - began, planner.seconds


def decisions_table(found: DecisionTimes, reference: Subject | None) -> Table:
    """Returns a table with a row a time; the last column says in how many of the reference's steps that is."""
    agent, prior, partner = found.pair
    title = f"Rollout planner in the game of {agent} ({prior}) and {partner}, {found.decisions} decisions"
    times = {"a decision, median": found.median, "a decision, 99th percentile": found.most, "a whole game": found.game}
    rows: list[TableRow] = []
    for name, seconds in times.items():
        ratio = f"{seconds * reference.rate:,.1f}" if reference else "-"
        rows.append([name, f"{1e3 * seconds:,.2f}", ratio])
    return table_of(["what"], ["ms", "× a step of the reference"], rows=rows, title=title)
