"""`python -m benchmarks.knowledge [RESULTS] [--play]`: what knowing the partner is worth to a planner that simulates.

Egos with the same planner know more and more of their partner: those of the sweep `knowledge`, and more for comparison.
Games of RESULTS, folders of results of that sweep, take their places in `docs/results/data/knowledge.csv`. With
`--play` the games that it lacks are played (seeds 120 to 159, some hours on one core). Then the comparisons beside that
file and the figure are made of it. A lead is a mean over pairs of the same partner, kitchen and seed;
its interval is over seeds.
"""

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from loky import ProcessPoolExecutor

from bba.agents import SeatSpec
from bba.agents.base import Schedule
from bba.agents.planning_agent import PlanningAgent
from bba.agents.role_partners import LOCKED
from bba.analysis.measures import MeasureValues, measure
from bba.bench.episode import code_digest, label
from bba.bench.plan import ego_seat
from bba.bench.presets import load_sweep
from bba.bench.results_reader import Results, load_results
from bba.bench.statistics import GameValue, mean_with_interval, two_sided_p
from bba.bench.sweep_parts import NO_CHANGES, EgoSpec
from bba.config import changed
from bba.errors import BBAError
from bba.files import write_whole
from bba.palette import LIGHT
from bba.play import Game
from bba.report.drawing import Axes, colour, draw, page_colours, standalone
from benchmarks.summaries import OUT, Row, as_csv, read_rows, update_table, warn_of_other_code

SWEEP = load_sweep("knowledge")
LAYOUTS, ADAPTIVE, LOCKED_ONES = SWEEP.layouts, SWEEP.partners["adaptive"], SWEEP.partners["locked"]
SCRIPTED_PARTNERS = (ADAPTIVE[0], LOCKED_ONES[0])
ONE_ROLE = tuple(f"one role {role}" for role in range(5))  # locked by script, in one role all game
SEEDS = range(SWEEP.first_seed, SWEEP.first_seed + SWEEP.seeds)
ONE_ROLE_SEEDS = SEEDS[:20]
MEASURES = ("reward", "waiting", "replans")
PLACE = ("layout", "partner", "seed")


class Ego(NamedTuple):
    """An ego of the comparison: who it is, whether its belief watches the partner, and beside whom it plays."""

    spec: EgoSpec
    updates: bool = True
    partners: tuple[str, ...] = (*ADAPTIVE, *LOCKED_ONES)


BEST = "belief and gate"
NAMES = {"role and rule": BEST, label("role belief", "scripted"): "scripted"}  # by those of the sweep, where others
RUNGS = {label(ego.name, ego.planner if ego.planner != "rollout" else None): ego for ego in SWEEP.agents}
RUNGS = {NAMES.get(name, name): ego for name, ego in RUNGS.items()}
BAYES_COMMIT = EgoSpec(agent="bayes-commit", planner="rollout", belief="types", trigger="never")
EGOS = {
    "nothing": Ego(RUNGS["nothing"], partners=(*ADAPTIVE, *LOCKED_ONES, *ONE_ROLE)),
    "prior": Ego(BAYES_COMMIT, updates=False, partners=LOCKED_ONES),
    "belief": Ego(BAYES_COMMIT, partners=LOCKED_ONES),
    BEST: Ego(RUNGS[BEST], partners=(*ADAPTIVE, *LOCKED_ONES, *ONE_ROLE)),
    "belief and value": Ego(changed(BAYES_COMMIT, {"trigger": "value"}), partners=LOCKED_ONES),
    "propensities and gate": Ego(EgoSpec(agent="bayes-commit", planner="rollout"), partners=SCRIPTED_PARTNERS),
    "propensities and value": Ego(EgoSpec(agent="bayes-value", planner="rollout"), partners=SCRIPTED_PARTNERS[1:]),
    "scripted": Ego(RUNGS["scripted"]),
    **{name: Ego(EgoSpec(agent=name, planner="scripted")) for name in ("gamma", "talents")},
}
EGOS |= {name: Ego(ego, partners=LOCKED_ONES) for name, ego in RUNGS.items() if name not in EGOS}
SCRIPTED = {"role belief": "scripted"} | {name: label(name, "scripted") for name in ("nothing", "true role")}
LADDER = ("nothing", "prior", "role belief", "belief", BEST, "true role", "true rule", "true policy")


def main() -> None:
    """Plays what is missing if asked to, and writes comparisons and figure."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.knowledge", description=__doc__)
    parser.add_argument("results", type=Path, nargs="*", help="folders of results of the sweep")
    parser.add_argument("--play", action="store_true", help="play the games that are missing")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--out", type=Path, default=OUT)
    arguments = parser.parse_args()
    path = arguments.out / "data" / "knowledge.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    if arguments.results:
        update_table(path, ("ego", *PLACE), rows_of([load_results(folder) for folder in arguments.results]))
    rows = read_rows(path) if path.exists() else []
    if arguments.play:
        rows = play_missing(path, rows, arguments.workers)
    if not rows:
        raise BBAError("there are no games: name folders of results of the sweep knowledge, or --play plays them")
    write_whole(arguments.out / "data" / "knowledge_leads.csv", as_csv(list(leads(rows))))
    write_whole(arguments.out / "knowledge.svg", figure(rows))
    warn_of_other_code(path, rows, "python -m benchmarks.knowledge --play")


def rows_of(stored: Iterable[Results]) -> Iterator[Row]:
    """Yields the row of each game of the sweep that was played to its end."""
    for results in stored:
        for sweep in results.sweeps:
            for entry in sweep.entries if sweep.sweep.name == SWEEP.name else ():
                found = sweep.results.get(entry.key)
                if found is not None and found.measures:
                    name = label(entry.agent, None if entry.planner == "rollout" else entry.planner)
                    place = {"layout": entry.layout, "partner": entry.partner, "seed": str(entry.seed)}
                    code = results.episodes[entry.key].episode.code
                    yield {"ego": NAMES.get(name, name)} | place | numbers_of(found.measures) | {"code": code}


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


def play(name: str, layout: str, partner: str, seed: int, horizon: int = SWEEP.horizon) -> Row:
    """Plays one game and returns its row."""
    ego = EGOS[name]
    agent = ego_seat(SeatSpec(), ego.spec, NO_CHANGES)
    schedule: Schedule | None = ((0, ONE_ROLE.index(partner)),) if partner in ONE_ROLE else None
    other = SeatSpec(f"switching{LOCKED}" if partner in ONE_ROLE else partner, schedule=schedule)
    game = Game(layout, agent, other, seed, horizon=horizon, fast=True)
    if not ego.updates:
        assert isinstance(game.agents[0], PlanningAgent)
        unmoved(game.agents[0])
    place = {"layout": layout, "partner": partner, "seed": str(seed)}
    return {"ego": name} | place | numbers_of(measure(game.run())) | {"code": code_digest()}


def numbers_of(found: MeasureValues) -> Row:
    """Returns the measures of a game as they are written."""
    return {name: "" if (value := found.get(name)) is None else f"{value:.6g}" for name in MEASURES}


def unmoved(agent: PlanningAgent) -> None:
    """Lets an agent's belief stay the prior from now on: who the partner may be, and nothing of this one."""
    types = agent.types
    assert types is not None
    types.watches = False


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
                    pairs = [Pair(place, rewards[ego][place], rewards[other][place]) for place in places]
                    yield {"ego": ego, "other": other, "layout": layout, "partners": partners} | lead(pairs)


class Pair(NamedTuple):
    """The rewards of two egos in games of the same place."""

    place: tuple[str, ...]
    one: float
    other: float


def game_value(place: tuple[str, ...], value: float) -> GameValue:
    """Returns a value of the game of a place."""
    layout, partner, seed = place
    return GameValue(layout, partner, int(seed), value)


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


def lead(pairs: Sequence[Pair]) -> Row:
    """Returns the columns of a lead: both means, the mean difference with its interval, the ratio, and p.

    Interval and p are Student's, clustered by seed and stratified by kitchen and partner; p is two-sided.
    """
    mean = fmean(pair.one for pair in pairs)
    other_mean = fmean(pair.other for pair in pairs)
    difference = mean_with_interval(game_value(pair.place, pair.one - pair.other) for pair in pairs)
    assert difference is not None
    ends = {"low": difference.low, "high": difference.high}
    return {
        "pairs": str(len(pairs)),
        "mean": f"{mean:.1f}",
        "other_mean": f"{other_mean:.1f}",
        "lead": f"{difference.mean:.1f}",
        **{name: "" if end is None else f"{end:.1f}" for name, end in ends.items()},
        "percent": f"{100 * difference.mean / other_mean:.1f}" if other_mean else "",
        "p": f"{two_sided_p(difference):.2g}",
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

    Only places count in which all of the egos that are shown have played. The scripted planner is shown where it has
    played every rung of its own.
    """
    found: dict[str, dict[tuple[str, ...], float]] = {}
    below = [SCRIPTED[name] for name in LADDER if name in SCRIPTED]
    shows = (*LADDER, *below) if {row["ego"] for row in rows}.issuperset(below) else LADDER
    for row in rows:
        if row["partner"] in LOCKED_ONES and row["ego"] in shows:
            found.setdefault(row["ego"], {})[tuple(row[column] for column in PLACE)] = float(row["reward"])
    shared = sorted(set.intersection(*(set(places) for places in found.values())))
    told: dict[tuple[str, str], list[GameValue]] = {}
    for place in shared:
        for ego, rewards in found.items():
            told.setdefault((place[0], ego), []).append(game_value(place, rewards[place]))

    def paint(_: object, axes: list[list[Axes]]) -> None:
        for panel, layout in zip(axes[0], LAYOUTS, strict=True):
            shown = [name for name in LADDER if (layout, name) in told]
            panel.set_title(f"{layout}, locked partners")
            for place, name in enumerate(shown):
                draw_point(panel, place, told[layout, name], number=int(name.startswith("true")))
                if (layout, SCRIPTED.get(name, "")) in told:
                    draw_point(panel, place, told[layout, SCRIPTED[name]], number=2)
            panel.set_xticks(range(len(shown)), [name.replace(" ", "\n") for name in shown], fontsize=8)
        axes[0][0].set_ylabel("reward of a game")

    return standalone(draw("knowledge", (1, len(LAYOUTS)), 3.2, paint), page_colours(LIGHT))


def draw_point(panel: Axes, place: int, rewards: Sequence[GameValue], number: int) -> None:
    """Draws a mean with its interval."""
    found = mean_with_interval(rewards)
    assert found is not None
    panel.plot([place], [found.mean], "o", color=colour(number))
    if found.low is not None and found.high is not None:
        panel.plot([place, place], [found.low, found.high], color=colour(number), linewidth=2)


if __name__ == "__main__":
    main()
