"""The figures of a study's report: the flow, the conditions, the course over the games, reactions, answers."""

from collections.abc import Iterator, Sequence
from typing import Any

from bba.analysis.measures import EPISODE_MEASURES
from bba.bench.statistics import Summary
from bba.report.drawing import DIM, Axes, Delays, colour, draw, marker, recovery
from bba.report.figures import ReportFigure
from bba.report.formatting import measure_label
from bba.tabular import Row
from human.study.report_outcomes import distinct, over_participants
from human.study.tables import Tables

CONDITION_MEASURES = ("reward", "switches", "recovery")
PER_POINT = "dots are means over participants, bars their 95 % intervals"


def figures(points: Sequence[tuple[str, int]], games: Sequence[Row], tables: Tables) -> Iterator[ReportFigure]:
    """Yields the figures for which there are data."""
    yield ReportFigure(
        "The flow of participants", "participants who have passed each point of the study", _flow(points)
    )
    if games:
        caption = f"{PER_POINT}; only games that were played to their end"
        yield ReportFigure("The conditions", caption, _conditions(games))
        yield ReportFigure("Over the games", f"{PER_POINT}, by the position of the game", _course(games))
    if delays := _delays(tables["switches"]):
        caption = "share of the participants' switches that the belief and the agent have followed within so many steps"
        yield ReportFigure("Reactions to switches", caption, recovery("reactions", delays))
    if seconds := [row for row in tables["keys"] if row["seconds"] is not None and row["game"]]:
        caption = "seconds from a key to the step that it decided: their distribution in each game"
        yield ReportFigure("Keys", caption, _keys(seconds))


def _flow(points: Sequence[tuple[str, int]]) -> str:
    names, counts = [name for name, _ in points], [count for _, count in points]

    def paint(_: Any, axes: list[list[Axes]]) -> None:
        panel = axes[0][0]
        panel.barh(range(len(points)), counts, color=colour(0), height=0.6)
        for row, count in enumerate(counts):
            panel.annotate(str(count), (count, row), (4, 0), textcoords="offset points", va="center", color=DIM)
        panel.set_yticks(range(len(points)), names)
        panel.set_ylim(len(points) - 0.4, -0.6)
        panel.set_xlim(0, max(counts) * 1.08 or 1)
        panel.set_xlabel("participants")
        panel.xaxis.get_major_locator().set_params(integer=True)
        panel.grid(visible=False, axis="y")

    return draw("flow", (1, 1), 0.7 + 0.28 * len(points), paint)


def _conditions(games: Sequence[Row]) -> str:
    """Draws a panel for each measure: a row a kitchen, a dot an agent."""
    layouts, agents = distinct(games, "layout"), distinct(games, "agent")

    def paint(canvas: Any, axes: list[list[Axes]]) -> None:
        for panel, measure in zip(axes[0], CONDITION_MEASURES, strict=True):
            panel.set_title(measure_label(measure))
            for row, layout in enumerate(layouts):
                for number, agent in enumerate(agents):
                    found = [one for one in games if (one["layout"], one["agent"]) == (layout, agent)]
                    shift = 0.6 * ((number + 0.5) / len(agents) - 0.5)
                    _dot(panel, over_participants(found, measure), row + shift, number)
            panel.set_yticks(range(len(layouts)), layouts)
            panel.set_ylim(len(layouts) - 0.5, -0.5)
            panel.grid(visible=False, axis="y")
        _legend(canvas, axes[0][0], agents)

    return draw("conditions", (1, len(CONDITION_MEASURES)), 1.2 + 0.3 * len(layouts) * len(agents), paint, shared=True)


def _dot(panel: Axes, summary: Summary | None, y: float, number: int) -> None:
    if summary is None:
        return
    if summary.low is not None:
        panel.plot([summary.low, summary.high], [y, y], color=colour(number), linewidth=1.3)
    panel.plot([summary.mean], [y], marker(number), color=colour(number), markersize=5)


def _course(games: Sequence[Row]) -> str:
    """Draws a panel for each measure: its mean at each position of a game, a line an agent."""
    agents = distinct(games, "agent")
    positions = sorted({int(row["game"] or 0) for row in games})

    def paint(canvas: Any, axes: list[list[Axes]]) -> None:
        for panel, measure in zip(axes[0], CONDITION_MEASURES, strict=True):
            panel.set_title(measure_label(measure))
            for number, agent in enumerate(agents):
                _line(panel, [row for row in games if row["agent"] == agent], measure, number)
            panel.set_xticks(positions)
            panel.set_xlim(positions[0] - 0.5, positions[-1] + 0.5)
            panel.set_xlabel("game")
            panel.set_ylabel(EPISODE_MEASURES[measure].unit)
        _legend(canvas, axes[0][0], agents)

    return draw("course", (1, len(CONDITION_MEASURES)), 2.8, paint)


def _line(panel: Axes, games: Sequence[Row], measure: str, number: int) -> None:
    """Draws the means of a measure over the positions of the games."""
    positions = sorted({int(row["game"] or 0) for row in games})
    found = [(at, over_participants([row for row in games if row["game"] == at], measure)) for at in positions]
    points = [(position, summary) for position, summary in found if summary is not None]
    for position, summary in points:
        if summary.low is not None:
            panel.plot([position, position], [summary.low, summary.high], color=colour(number), linewidth=1)
    style = {"color": colour(number), "markersize": 5, "linewidth": 1}
    panel.plot([x for x, _ in points], [s.mean for _, s in points], f"{marker(number)}-", **style)


def _legend(canvas: Any, panel: Axes, agents: Sequence[str]) -> None:
    """Draws the agents' markers above the panels."""
    for number, agent in enumerate(agents):
        panel.plot([], [], marker(number), color=colour(number), markersize=5, label=agent)
    canvas.legend(loc="outside upper left", ncols=min(len(agents), 3), fontsize=9)


def _delays(switches: Sequence[Row]) -> Delays:
    """Returns for each kitchen and agent the steps until belief and agent followed each switch."""
    found: Delays = {}
    for row in switches:
        belief, agent = found.setdefault(str(row["layout"]), {}).setdefault(str(row["agent"]), ([], []))
        belief.append(_whole(row["belief_delay"]))
        agent.append(_whole(row["action_delay"]))
    return found


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) else None


def _keys(rows: Sequence[Row]) -> str:
    """Draws a box for each game: the middle half of the delays, the median, and the middle 95 %."""
    games = sorted({int(row["game"] or 0) for row in rows})
    delays = [[float(row["seconds"] or 0) for row in rows if row["game"] == game] for game in games]

    def paint(_: Any, axes: list[list[Axes]]) -> None:
        panel = axes[0][0]
        style = {"color": colour(0), "linewidth": 1.2}
        panel.boxplot(
            delays,
            positions=games,
            whis=(2.5, 97.5),
            showfliers=False,
            medianprops=style,
            boxprops=style,
            whiskerprops=style,
            capprops=style,
        )
        panel.set_ylim(bottom=0)
        panel.set_xlabel("game")
        panel.set_ylabel("seconds")

    return draw("keys", (1, 1), 2.4, paint)
