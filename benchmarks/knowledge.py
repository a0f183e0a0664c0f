"""`python -m benchmarks.knowledge [--play]`: what knowing the partner is worth to a planner that simulates.

Egos with the same planner know more and more of their partner: nothing, a prior over who it may be, what they believe,
its true role, its true rule, its whole policy. With `--play` the games that `docs/results/data/knowledge.csv` lacks
are played (seeds 120 to 159, some hours on one core); then, or without, the comparisons beside that file and the
figure are made of it. A lead is a mean over pairs of the same partner, kitchen and seed.
"""

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from loky import ProcessPoolExecutor

from bba.agents import AgentOptions, load_agent
from bba.agents.base import Schedule
from bba.agents.planning_agent import PlanningAgent
from bba.agents.role_partners import LOCKED
from bba.analysis.measures import measure
from bba.belief.likelihood import Vector
from bba.belief.partner_types import TypeBelief
from bba.bench.provenance import code_digest
from bba.bench.statistics import RESAMPLES, Summary, mean_difference
from bba.files import write_whole
from bba.kitchen.state import StateVector
from bba.limits import TriggerName
from bba.palette import LIGHT
from bba.play import Game
from bba.play.oracle import Knowledge, Truth
from bba.report.drawing import Axes, colour, draw, page_colours, standalone
from benchmarks.summaries import Row, as_csv, read_rows, warn_of_other_code

LAYOUTS = ("open", "ring")
ADAPTIVE = ("switching", "bp:G1-1", "bp:G1-4", "bp:G2-2", "bp:G3-3")
LOCKED_ONES = tuple(f"{partner}{LOCKED}" for partner in ADAPTIVE)
ONE_ROLE = tuple(f"one role {role}" for role in range(5))  # locked by script, in one role all game
SEEDS, ONE_ROLE_SEEDS, HORIZON = range(120, 160), range(120, 140), 2400
MEASURES = ("reward", "waiting", "replans")
PLACE = ("layout", "partner", "seed")


class Ego(NamedTuple):
    """An ego of the comparison: its agent, planner and trigger, what an oracle tells it, and where it plays."""

    agent: str
    planner: str = "rollout"
    trigger: TriggerName | None = None
    knows: Knowledge | None = None
    updates: bool = True
    partners: tuple[str, ...] = (*ADAPTIVE, *LOCKED_ONES)


EGOS = {
    "nothing": Ego("proagent", partners=(*ADAPTIVE, *LOCKED_ONES, *ONE_ROLE)),
    "prior": Ego("bayes-commit", trigger="never", updates=False, partners=LOCKED_ONES),
    "belief": Ego("bayes-commit", trigger="never", partners=LOCKED_ONES),
    "belief and gate": Ego("bayes-commit", partners=(*ADAPTIVE, *LOCKED_ONES, *ONE_ROLE)),
    "belief and value": Ego("bayes-commit", trigger="value", partners=LOCKED_ONES),
    "true role": Ego("bayes-commit", trigger="value", knows="role", partners=LOCKED_ONES),
    "true rule": Ego("bayes-commit", trigger="value", knows="rule", partners=LOCKED_ONES),
    "true policy": Ego("bayes-commit", trigger="value", knows="policy", partners=LOCKED_ONES),
    "scripted": Ego("bayes", "scripted"),
    "gamma": Ego("gamma", "scripted"),
    "talents": Ego("talents", "scripted"),
}
LADDER = ("nothing", "prior", "belief", "belief and gate", "true role", "true rule", "true policy")
BEST = "belief and gate"


def main() -> None:
    """Plays what is missing if asked to, and writes comparisons and figure."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.knowledge", description=__doc__)
    parser.add_argument("--play", action="store_true", help="play the games that are missing")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("docs/results"))
    arguments = parser.parse_args()
    path = arguments.out / "data" / "knowledge.csv"
    rows = read_rows(path) if path.exists() else []
    if arguments.play:
        rows = play_missing(path, rows, arguments.workers)
    write_whole(arguments.out / "data" / "knowledge_leads.csv", as_csv(list(leads(rows))))
    write_whole(arguments.out / "knowledge.svg", figure(rows))
    warn_of_other_code(path, rows, "python -m benchmarks.knowledge --play")


def games() -> Iterator[tuple[str, str, str, int]]:
    """Yields every game: the ego, the kitchen, the partner and the seed, seed by seed."""
    for seed in SEEDS:
        for layout in LAYOUTS:
            for name, ego in EGOS.items():
                for partner in ego.partners:
                    if partner not in ONE_ROLE or seed in ONE_ROLE_SEEDS:
                        yield name, layout, partner, seed


def play_missing(path: Path, rows: list[Row], workers: int) -> list[Row]:
    """Plays the games that a table lacks, and writes it after each hundred."""
    played = {tuple(row[column] for column in ("ego", *PLACE)) for row in rows}
    missing = [game for game in games() if tuple(map(str, game)) not in played]
    with ProcessPoolExecutor(max_workers=workers) as processes:
        for count, row in enumerate(processes.map(play, *zip(*missing, strict=True)) if missing else (), 1):
            rows.append(row)
            if count % 100 == 0 or count == len(missing):
                write_whole(path, as_csv(rows))
    return rows


def play(name: str, layout: str, partner: str, seed: int, horizon: int = HORIZON) -> Row:
    """Plays one game and returns its row."""
    ego, truth = EGOS[name], Truth()
    options = AgentOptions(planner=ego.planner, trigger=ego.trigger)
    if ego.knows is not None:
        truth.knows = ego.knows
        options = replace(options, oracle=truth.model_of)
    agent = load_agent(ego.agent, options)
    schedule: Schedule | None = ((0, ONE_ROLE.index(partner)),) if partner in ONE_ROLE else None
    other = f"switching{LOCKED}" if partner in ONE_ROLE else partner
    game = Game(layout, agent, load_agent(other, AgentOptions(schedule=schedule)), seed, horizon=horizon, fast=True)
    truth.trace = game.trace
    if not ego.updates:
        assert isinstance(agent, PlanningAgent)
        unmoved(agent)
    found = measure(game.run())
    numbers = {one: "" if found[one] is None else f"{found[one]:.6g}" for one in MEASURES}
    return {"ego": name, "layout": layout, "partner": partner, "seed": str(seed), **numbers, "code": code_digest()}


def unmoved(agent: PlanningAgent) -> None:
    """Lets an agent's belief stay the prior from now on."""
    types = agent.types
    assert types is not None
    types.expected = partial(stays_prior, types)  # type: ignore[method-assign]


def stays_prior(types: TypeBelief, before: object, state: StateVector) -> Vector:  # noqa: ARG001
    """Returns the prior in a state: who the partner may be, and nothing of this one."""
    return TypeBelief.expected(types, None, state)


def leads(rows: Iterable[Row]) -> Iterator[Row]:
    """Yields the lead of each ego over each that it is compared with, by kitchen and kind of partner and by cell."""
    rewards: dict[str, dict[tuple[str, ...], float]] = {}
    for row in rows:
        rewards.setdefault(row["ego"], {})[tuple(row[column] for column in PLACE)] = float(row["reward"])
    others = {BEST: ("nothing", "prior", "belief", "scripted", "gamma", "talents")}
    for ego in rewards:
        for other in others.get(ego, ("nothing",)):
            if other in rewards and other != ego:
                for (layout, partners), places in groups(rewards[ego].keys() & rewards[other].keys()).items():
                    pairs = [(rewards[ego][place], rewards[other][place]) for place in places]
                    yield {"ego": ego, "other": other, "layout": layout, "partners": partners} | lead(pairs)


def groups(places: Iterable[tuple[str, ...]]) -> dict[tuple[str, str], list[tuple[str, ...]]]:
    """Returns the places of each group: kitchen and partner, kitchen and kind of partner, and over all."""
    found: dict[tuple[str, str], list[tuple[str, ...]]] = {}
    for place in sorted(places):
        layout, partner, _ = place
        kind = "locked" if partner.endswith(LOCKED) else "one role" if partner in ONE_ROLE else "adaptive"
        wholes = [("all", kind), (layout, kind), (layout, partner)]
        for group in wholes if kind == "one role" else [*wholes, ("all", "all"), (layout, "all")]:
            found.setdefault(group, []).append(place)
    return found


def lead(pairs: Sequence[tuple[float, float]]) -> Row:
    """Returns the columns of a lead: both means, the mean difference with its interval, the ratio, and p.

    p is two-sided, by the bootstrap of the differences: how often a resampled mean is on the other side of 0, twice.
    """
    one, other = np.array(pairs).T
    difference = mean_difference((one - other).tolist())
    assert difference is not None
    picked = np.random.default_rng(0).integers(0, len(one), (RESAMPLES, len(one)))
    means = (one - other)[picked].mean(axis=1)
    p = min(1.0, 2 * (1 + min((means <= 0).sum(), (means >= 0).sum())) / (RESAMPLES + 1))
    ends = {"low": difference.low, "high": difference.high}
    return {
        "pairs": str(len(pairs)),
        "mean": f"{one.mean():.1f}",
        "other_mean": f"{other.mean():.1f}",
        "lead": f"{difference.mean:.1f}",
        **{name: "" if end is None else f"{end:.1f}" for name, end in ends.items()},
        "percent": f"{100 * difference.mean / other.mean():.1f}" if other.any() else "",
        "p": f"{p:.4f}",
    }


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """Returns the p-values of a family corrected for their number by Holm's step-down method, by name."""
    corrected, least = {}, 0.0
    for rank, name in enumerate(sorted(p_values, key=p_values.__getitem__)):
        least = max(least, min(1.0, (len(p_values) - rank) * p_values[name]))
        corrected[name] = least
    return corrected


def figure(rows: Sequence[Row]) -> str:
    """Returns the figure: a panel for each kitchen, reward beside locked partners over what the ego knows.

    Only places count in which all of the egos that are shown have played.
    """
    found: dict[str, dict[tuple[str, ...], float]] = {}
    for row in rows:
        if row["partner"] in LOCKED_ONES and row["ego"] in LADDER:
            found.setdefault(row["ego"], {})[tuple(row[column] for column in PLACE)] = float(row["reward"])
    shared = sorted(set.intersection(*(set(places) for places in found.values())))
    told = {(place[0], ego): [found[ego][p] for p in shared if p[0] == place[0]] for place in shared for ego in found}

    def paint(_: object, axes: list[list[Axes]]) -> None:
        for panel, layout in zip(axes[0], LAYOUTS, strict=True):
            shown = [name for name in LADDER if (layout, name) in told]
            panel.set_title(f"{layout}, locked partners")
            for place, name in enumerate(shown):
                draw_point(panel, place, told[layout, name], number=int(name.startswith("true")))
            panel.set_xticks(range(len(shown)), [name.replace(" ", "\n") for name in shown], fontsize=8)
        axes[0][0].set_ylabel("reward of a game")

    return standalone(draw("knowledge", (1, len(LAYOUTS)), 3.2, paint), page_colours(LIGHT))


def draw_point(panel: Axes, place: int, rewards: Sequence[float], number: int) -> None:
    """Draws a mean with its interval."""
    found: Summary | None = mean_difference(rewards)
    assert found is not None
    panel.plot([place], [found.mean], "o", color=colour(number))
    if found.low is not None and found.high is not None:
        panel.plot([place, place], [found.low, found.high], color=colour(number), linewidth=2)


if __name__ == "__main__":
    main()
