"""`python -m benchmarks.propensities`: how well it is known what a partner from nothing tends to do and refuses.

It plays `bayes` (scripted planner) beside the twelve partners from nothing, lets the belief over propensities read the
games, and compares what it expects at each of the partner's choices with what the partner chose. Of each kitchen it
writes to ``data/propensities.csv``: how surprised the population's network is with and without what was learned, how
surprised the partner's own policy would be, the expected calibration error, after how many missed opportunities a
refusal is known and could be known, and how many of the habits that are told at the end of a game are so by the
partner's own policy.

A skill is refused by a partner that chooses it in less than `REFUSED` of its opportunities, by its own policy. Such an
opportunity is a choice at which the population would choose the skill with `OPPORTUNITY` or more. It is known once
`KNOWN` of the belief chooses the skill less than a fifth as often as the population.
"""

import argparse
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.special import logsumexp

from bba.agents import SCRATCH_PARTNERS
from bba.agents.learned.weights import planning_networks
from bba.agents.planning_agent import partner_model
from bba.belief.propensities import OFTEN, SELDOM, WEIGHTS
from bba.config import BeliefConfig, FilterConfig
from bba.files import write_whole
from bba.kitchen import N_SKILLS, NO_SKILL, Float64Array, Layout
from bba.planner import BehaviourNetwork
from bba.play import Game, Trace
from bba.play.trace import EGO
from benchmarks.summaries import Row, as_csv

LAYOUTS = ("open", "ring")
PARTNER = 1 - EGO
BELIEF = BeliefConfig(filter=FilterConfig(psi="skills", prior="propensities"))
AVERAGE = np.full((1, N_SKILLS), WEIGHTS)  # the propensities of the population's mean partner
OPPORTUNITY = 0.2
FEWEST = 10  # opportunities in a game, to say that a skill is refused
REFUSED = 0.01
FEWER = 0.2  # how often a skill that is refused is chosen, against how often the population does
KNOWN = 0.9
LEAST = 1e-12  # probability of a skill, whose logarithm is taken
EDGES = np.linspace(0, 1, 11)[1:-1]  # of the bins of the calibration error


class Choice(NamedTuple):
    """One choice of a partner.

    Attributes:
        skill: what it chose.
        own: how likely each skill was by its own policy, (27,).
        population: by the population's network, (27,).
        expected: by the belief, (27,).
        rarely: the share of the belief that chooses each skill less than a fifth as often as the population, (27,).
        seldom, often: the habits that it tells.
    """

    skill: int
    own: Float64Array
    population: Float64Array
    expected: Float64Array
    rarely: Float64Array
    seldom: tuple[int, ...] = ()
    often: tuple[int, ...] = ()


def main() -> None:
    """Plays, measures and writes the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.propensities", description=__doc__)
    parser.add_argument("--first-seed", type=int, default=600)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--horizon", type=int, default=2400)
    parser.add_argument("--out", type=Path, default=Path("docs/results/data/propensities.csv"))
    arguments = parser.parse_args()
    seeds = range(arguments.first_seed, arguments.first_seed + arguments.seeds)
    rows = [row_of(layout, list(games(layout, seeds, arguments.horizon))) for layout in LAYOUTS]
    write_whole(arguments.out, as_csv(rows))


def games(layout: str, seeds: Sequence[int], horizon: int) -> Iterator[list[Choice]]:
    """Yields the partner's choices of each game."""
    for seed in seeds:
        for partner in SCRATCH_PARTNERS:
            trace = Game(layout, "bayes", partner, seed, horizon=horizon, fast=True).run()
            yield list(choices_of(layout, trace))


def choices_of(layout: str, trace: Trace) -> Iterator[Choice]:
    """Yields what the belief expects at each of the partner's choices, and what the partner chose."""
    kitchen = Layout.load(layout)
    context = trace.config.context(EGO, fast=True)
    model = partner_model(context, BELIEF)
    network = BehaviourNetwork(planning_networks(kitchen), fast=True)
    states = [trace.start, *(tick.state for tick in trace.ticks)]
    model.observe(None, states[0], mid_skill=False)
    for tick, (before, after) in zip(trace.ticks, pairwise(states), strict=True):
        decision = tick.decisions[PARTNER]
        types = model.types
        assert types is not None
        assert types.propensities is not None
        if decision.chosen and decision.policy is not None and decision.skill != NO_SKILL:
            samples = types.propensities.weights
            population = network.choices_of_types(before, AVERAGE, PARTNER)[-1]
            each = [network.choices_of_types(before, sample[None], PARTNER)[-1] for sample in samples]
            yield Choice(
                decision.skill,
                np.array(decision.policy.probabilities),
                population,
                np.mean(each, axis=0),
                np.mean([one < FEWER * population for one in each], axis=0),
                types.propensities.seldom,
                types.propensities.often,
            )
        model.observe(before, after, mid_skill=True)


def row_of(layout: str, played: Sequence[Sequence[Choice]]) -> Row:
    """Returns the measures of all games of a kitchen."""
    choices = [choice for game in played for choice in game]
    missed = [count for game in played for count in missed_before_known(game)]
    known = [count for count in missed if count is not None]
    needed = misses_needed(played)
    habits = [right for game in played for right in habits_that_are_so(layout, game)]
    return {
        "layout": layout,
        "games": str(len(played)),
        "choices": str(len(choices)),
        "nats, the population's": f"{surprise([choice.population[choice.skill] for choice in choices]):.4f}",
        "nats, the belief's": f"{surprise([choice.expected[choice.skill] for choice in choices]):.4f}",
        "nats, its own policy's": f"{surprise([choice.own[choice.skill] for choice in choices]):.4f}",
        "calibration error": f"{calibration_error(choices):.4f}",
        "refusals": str(len(missed)),
        "known": str(len(known)),
        "missed before it is known, median": f"{median(known):g}" if known else "",
        "skills with opportunities": str(sum(len(opportunities(game)) for game in played)),
        "known to an ideal observer": str(len(needed)),
        "misses it needs, median": f"{median(needed):g}" if needed else "",
        "habits told": str(len(habits)),
        "of these so": str(sum(habits)),
    }


def surprise(probabilities: Sequence[float]) -> float:
    """Returns the mean negative logarithm of what came."""
    return float(-np.log(np.maximum(probabilities, 1e-6)).mean())


def calibration_error(choices: Sequence[Choice]) -> float:
    """Returns the expected calibration error of the likeliest skill, over ten bins."""
    sure = np.array([choice.expected.max() for choice in choices])
    right = np.array([choice.expected.argmax() == choice.skill for choice in choices])
    bins = np.digitize(sure, EDGES)
    error = sum(abs((sure - right)[bins == number].sum()) for number in range(len(EDGES) + 1))
    return float(error) / len(choices)


def habits_that_are_so(layout: str, game: Sequence[Choice]) -> Iterator[bool]:
    """Yields, of each habit that is told at the last choice, whether it is one by the partner's own policy."""
    population = planning_networks(Layout.load(layout)).population
    assert population is not None
    own = fitted_propensities(game, population.variance.astype(np.float64))
    yield from (bool(own[skill] < SELDOM) for skill in game[-1].seldom)
    yield from (bool(own[skill] > OFTEN) for skill in game[-1].often)


def fitted_propensities(choices: Sequence[Choice], variance: Float64Array) -> Float64Array:
    """Returns the log-propensities, (27,), under which the population's network is likest to a partner's own policy.

    They are the maximum a posteriori, had the partner chosen in each of these states as often as its policy says.

    Args:
        choices: of one partner.
        variance: of a partner's log-propensities before anything is seen, (27,).
    """
    own = np.array([choice.own for choice in choices])
    unweighed = np.log(np.maximum(np.array([choice.population for choice in choices]), LEAST))

    def loss(propensities: Float64Array) -> tuple[float, Float64Array]:
        logs = unweighed + propensities
        logs -= logsumexp(logs, axis=1, keepdims=True)
        value = (propensities**2 / variance).sum() / 2 - (own * logs).sum()
        slope = propensities / variance + np.exp(logs).sum(axis=0) - own.sum(axis=0)
        return float(value), slope

    found: Float64Array = minimize(loss, np.zeros(N_SKILLS), jac=True, method="L-BFGS-B").x
    return found


def opportunities(game: Sequence[Choice]) -> dict[int, list[Choice]]:
    """Returns, of each skill with enough of them in a game, the choices at which the population would take it."""
    found = {skill: [choice for choice in game if choice.population[skill] >= OPPORTUNITY] for skill in range(N_SKILLS)}
    return {skill: choices for skill, choices in found.items() if len(choices) >= FEWEST}


def refusals(game: Sequence[Choice]) -> dict[int, list[Choice]]:
    """Returns the opportunities of each skill that is refused."""
    return {
        skill: choices
        for skill, choices in opportunities(game).items()
        if np.mean([choice.own[skill] for choice in choices]) < REFUSED
    }


def missed_before_known(game: Sequence[Choice]) -> Iterator[int | None]:
    """Yields, of each skill that is refused, how many opportunities were missed before it is known; None if never."""
    for skill, choices in refusals(game).items():
        yield next((number for number, choice in enumerate(choices) if choice.rarely[skill] >= KNOWN), None)


def misses_needed(played: Sequence[Sequence[Choice]]) -> list[int]:
    """Returns, of each refusal for which a game has enough, after how many misses an ideal observer knows it.

    It knows which share of the skills is refused, and that the others are done as often as the population does them.
    """
    refused = [(skill, choices) for game in played for skill, choices in refusals(game).items()]
    share = len(refused) / max(1, sum(len(opportunities(game)) for game in played))
    counts = []
    for skill, choices in refused:
        missed = np.cumprod([1 - choice.population[skill] for choice in choices])  # by chance, if it is not refused
        known = np.flatnonzero(share / (share + (1 - share) * missed) >= KNOWN)
        counts += [int(number) + 1 for number in known[:1]]
    return counts


if __name__ == "__main__":
    main()
