"""`python -m benchmarks.commitment [RESULTS]`: what belief and commitment gate are worth; tables and figures of docs.

With folders of results of the sweep `commitment` it writes their summaries, `docs/results/data/commitment.csv` and
`recovery.csv` beside it; without, it takes those that are there. From them it draws `docs/results/recovery.svg`. It
says so if the games were played by other code than this.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from bba.agents.role_partners import LOCKED
from bba.bench.episode import TableEntry
from bba.bench.results_reader import Results, load_results
from bba.bench.statistics import GameRatio, Summary, ratio_with_interval, share_within
from bba.files import write_whole
from bba.palette import LIGHT
from bba.report.drawing import DASHES, Axes, colour, draw, page_colours, standalone
from benchmarks.summaries import parse_arguments, played_by, read_rows, update_table, warn_of_other_code

CURVE = 60  # steps after a switch
WITH, WITHOUT = "bayes-commit", "bayes-no-belief"
PLANNERS = ("scripted", "rollout")
MEASURES = ("reward", "duplicate_rate", "recovery", "replans", "needless_replans", "reached_30")
EVERYWHERE = "all"
PAIRED_BY = ("agent", "other", "layout", "partners", "measure")  # what a row is known by
CURVE_OF = ("agent", "layout", "partners", "steps")

Place = tuple[str, str, int]  # kitchen, partner, seed


class Comparison(NamedTuple):
    """One agent against another: their names in tables."""

    one: str
    other: str


class Game(NamedTuple):
    """A stored game: its measures, and the delays with which the ego complemented each switch; None for never."""

    measures: Mapping[str, float | None]
    delays: tuple[int | None, ...]


class Pair(NamedTuple):
    """The games of two agents at the same place."""

    place: Place
    one: Game
    other: Game


Games = dict[str, dict[Place, Game]]  # by the agent's name in tables


def named(agent: str, planner: str) -> str:
    """Returns an agent's name in tables."""
    return f"{agent} ({planner} planner)"


COMPARISONS = (
    *(Comparison(named(WITH, planner), named(WITHOUT, planner)) for planner in PLANNERS),
    Comparison(named(WITH, "rollout"), named("bayes-no-replan", "rollout")),
    Comparison(named("bayes-no-replan", "rollout"), named(WITHOUT, "rollout")),
    Comparison(named(WITH, "rollout"), named("bayes", "rollout")),
    Comparison(named(WITH, "rollout"), named("periodic-10", "rollout")),
    Comparison(named(WITH, "rollout"), named(WITH, "scripted")),
    Comparison(named(WITH, "rollout"), "talents"),
    Comparison(named(WITH, "rollout"), "gamma"),
    Comparison(named(WITH, "rollout"), named("bayes", "scripted")),
)


def main() -> None:
    """Writes the summaries and draws the figure."""
    arguments = parse_arguments("commitment", __doc__)
    data = arguments.out / "data"
    if arguments.results:
        stored = [load_results(folder) for folder in arguments.results]
        games, code = stored_games(stored), played_by(stored)
        update_table(data / "commitment.csv", PAIRED_BY, differences(games), code)
        update_table(data / "recovery.csv", CURVE_OF, curves(games), code)
    rows = read_rows(data / "recovery.csv")
    write_whole(arguments.out / "recovery.svg", figure(rows))
    warn_of_other_code(data, rows, "the sweep")


def stored_games(stored: Iterable[Results]) -> Games:
    """Returns the games of all sweeps by agent and place."""
    games: Games = {}
    for results in stored:
        for sweep in results.sweeps:
            for entry in sweep.entries:
                found = sweep.results.get(entry.key)
                if found is not None and found.measures:
                    delays = tuple(response.complemented for response in found.switch_responses)
                    games.setdefault(entry.label, {})[_place(entry)] = Game(found.measures, delays)
    return games


def _place(entry: TableEntry) -> Place:
    return entry.layout, entry.partner, entry.seed


def kinds(place: Place) -> list[tuple[str, str]]:
    """Returns the rows of a table that a game counts for: kitchen and kind of partner, and all kitchens together."""
    kind = "locked" if place[1].endswith(LOCKED) else "adaptive"
    return [(place[0], kind), (EVERYWHERE, kind)]


def differences(games: Games) -> Iterator[dict[str, str]]:
    """Yields a row for each comparison, kind of game and measure: over pairs, games of the same place."""
    for one, other in COMPARISONS:
        for (layout, kind), pairs in paired(games, one, other).items():
            head = {"agent": one, "other": other, "layout": layout, "partners": kind}
            yield from (head | found for measure in MEASURES if (found := compared(measure, pairs)))


def paired(games: Games, one: str, other: str) -> dict[tuple[str, str], list[Pair]]:
    """Returns the pairs of two agents' games, by kitchen and kind of partner."""
    found: dict[tuple[str, str], list[Pair]] = {}
    for place in sorted(games.get(one, {}).keys() & games.get(other, {}).keys()):
        for kind in kinds(place):
            found.setdefault(kind, []).append(Pair(place, games[one][place], games[other][place]))
    return found


def compared(measure: str, pairs: Sequence[Pair]) -> dict[str, str]:
    """Returns the columns of a measure: both means, difference and ratio with intervals; {} if no pair has values.

    Intervals are over seeds.
    """
    values = []
    differences = []
    for pair in pairs:
        one = pair.one.measures[measure]
        other = pair.other.measures[measure]
        if one is not None and other is not None:
            values.append(GameRatio(*pair.place, one, other))
            differences.append(GameRatio(*pair.place, one - other))
    if not values:
        return {}
    mean = fmean(game.above for game in values)
    other_mean = fmean(game.below for game in values)
    return {
        "measure": measure,
        "pairs": str(len(values)),
        "seeds": str(len({game.seed for game in values})),
        "mean": f"{mean:.4f}",
        "other_mean": f"{other_mean:.4f}",
        **_ends("difference", ratio_with_interval(differences)),
        **_ends("ratio", ratio_with_interval(values)),
    }


def _ends(name: str, found: Summary | None) -> dict[str, str]:
    values = (None, None, None) if found is None else (found.mean, found.low, found.high)
    names = (name, f"{name}_low", f"{name}_high")
    return {column: "" if value is None else f"{value:.4f}" for column, value in zip(names, values, strict=True)}


def curves(games: Games) -> Iterator[dict[str, str]]:
    """Yields for each agent, kitchen and kind of partner how many switches it complemented within how many steps."""
    found: dict[tuple[str, str, str], list[int | None]] = {}
    for agent, played in games.items():
        for place, game in sorted(played.items()):
            found.setdefault((agent, *kinds(place)[0]), []).extend(game.delays)
    for (agent, layout, kind), delays in found.items():
        for step, share in enumerate(share_within(delays, CURVE)):
            row = {"agent": agent, "layout": layout, "partners": kind, "switches": str(len(delays))}
            yield row | {"steps": str(step), "share": f"{share:.4f}"}


def figure(rows: Sequence[Mapping[str, str]]) -> str:
    """Returns the figure: the share of switches complemented over time, with and without belief and gate."""
    panels = [key for key in dict.fromkeys((row["partners"], row["layout"]) for row in rows) if _shown(rows, key)]

    def paint(_: object, axes: list[list[Axes]]) -> None:
        for panel, (kind, layout) in zip(axes[0], panels, strict=True):
            panel.set_title(f"{layout}, partners: {kind}")
            panel.set_xlabel("steps since the switch")
            panel.set_xlim(0, CURVE)
            panel.set_ylim(0.4, 1)
            for number, (planner, agent) in enumerate((p, a) for p in PLANNERS for a in (WITH, WITHOUT)):
                of = [row for row in rows if (row["partners"], row["layout"]) == (kind, layout)]
                curve = [float(row["share"]) for row in of if row["agent"] == named(agent, planner)]
                told = "belief and gate" if agent == WITH else "neither"
                style = {"color": colour(number // 2), "linestyle": DASHES[agent != WITH], "linewidth": 1.6}
                panel.step(range(len(curve)), curve, where="post", label=f"{planner}: {told}", **style)
        axes[0][0].set_ylabel("share of switches complemented")
        axes[0][0].legend(loc="lower right", fontsize=9)

    return standalone(draw("recovery", (1, len(panels)), 3.2, paint, sharey="row"), page_colours(LIGHT))


def _shown(rows: Sequence[Mapping[str, str]], panel: tuple[str, str]) -> bool:
    agents = {row["agent"] for row in rows if (row["partners"], row["layout"]) == panel}
    return any(named(WITH, planner) in agents for planner in PLANNERS)


if __name__ == "__main__":
    main()
