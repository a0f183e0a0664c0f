"""The report of a study: one self-contained page with the flow of participants, tables and figures."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bba.analysis.measures import EPISODE_MEASURES
from bba.files import read_text, write_whole
from bba.report.content import ReportFigure, TableText
from bba.report.drawing import DIM, Axes, Delays, check_drawing, colour, dot, draw, legend, marker, recovery
from bba.report.formatting import NONE, CellText, measure_label, measure_meaning, timestamp
from bba.report.page import rendered, table_in_markdown
from bba.tabular import Row
from human.study import REPORT_FILE, Study, StudyFolder
from human.study.power_and_preregistration import PREREGISTRATION_FILE, moved
from human.study.report_outcomes import (
    EACH_ONCE,
    OUTCOME_MEASURES,
    belief_table,
    condition_tables,
    difference_table,
    distinct,
    over_participants,
    reply_tables,
    with_levels,
    without_usual_n,
    words_given,
)
from human.study.tables import Tables, tables_of, whole_games, without_excluded

CONDITION_MEASURES = ("reward", "switches", "recovery")
PER_POINT = "dots are means over participants, bars their 95 % intervals"


def flow(study: Study, tables: Tables) -> list[tuple[str, int]]:
    """Returns the points of a study in order, each with the number of participants who have passed it."""
    people = tables["participants"]
    practised = sum(row["practised"] is not None for row in people)
    most = len(str(people[0]["order"]).split()) if people else 0
    ended = [[bool(row["ended"]) for row in _of(tables["games"], person)] for person in people]
    complete = [row for row in people if row["complete"] is True]
    return [
        ("consented", len(people)),
        *([("tutorial", practised)] if study.tutorial else []),
        *((f"game {number + 1}", sum(any(games[number:]) for games in ended)) for number in range(most)),
        ("complete", len(complete)),
        ("analysed, not excluded", sum(row["excluded"] is None for row in complete)),
    ]


def _of(rows: Sequence[Row], person: Row) -> list[Row]:
    return [row for row in rows if row["participant"] == person["participant"]]


def flow_table(points: Sequence[tuple[str, int]]) -> TableText:
    """Returns the flow as a table."""
    before = [points[0][1], *(count for _, count in points)]
    rows = [
        ([name], [CellText(str(count)), CellText(str(last - count) if last > count else NONE)])
        for (name, count), last in zip(points, before, strict=False)
    ]
    return TableText("", ["point"], ["participants", "stopped before it"], rows)


def disturbances(tables: Tables) -> TableText:
    """Returns for each participant what may be a reason to leave somebody out: by number, as codes are private."""
    lost = Counter(str(row["participant"]) for row in tables["events"] if row["event"] == "blur" and row["game"])
    rows = []
    for person in tables["participants"]:
        games = _of(tables["games"], person)
        pauses = _of(tables["pauses"], person)
        checked = [row["as_expected"] for row in _of(tables["answers"], person) if row["as_expected"] is not None]
        cells = [
            str(sum(row["ended"] is not None for row in games)),
            str(sum(row["given_up"] is True for row in games)),
            str(sum(int(row["interruptions"] or 0) for row in games)),
            f"{len(pauses)} ({sum(float(row['seconds'] or 0) for row in pauses):.0f} s)" if pauses else "0",
            str(lost[str(person["participant"])]),
            str(sum(row["problem"] is not None for row in games)),
            f"{checked.count(False)} of {len(checked)}" if checked else NONE,
            str(person["excluded"] or NONE),
        ]
        rows.append(([str(int(person["number"] or 0) + 1)], [CellText(text) for text in cells]))
    return TableText(
        "",
        ["participant"],
        [
            *("games", "given up", "interruptions", "pauses", "focus lost"),
            *("damaged", "attention checks failed", "excluded"),
        ],
        rows,
    )


def report_tables(study: Study, tables: Tables) -> dict[str, list[TableText]]:
    """Returns the tables of each part of the page."""
    counted = with_levels(study, without_excluded(tables))
    games = whole_games(counted["games"])
    return {
        "flow": [flow_table(flow(study, tables))],
        "disturbances": [disturbances(tables)],
        "conditions": [without_usual_n(found) for found in condition_tables(games)],
        "differences": [without_usual_n(found) for found in [difference_table(games)] if found is not None],
        "beliefs": [belief_table(counted["calibration"], counted["gates"])[0]] if counted["gates"] else [],
        "replies": [without_usual_n(found) for found in reply_tables(study, counted)],
    }


def tables_in_words(study: Study, tables: Tables) -> str:
    """Returns the tables of the page in Markdown, each headed by its part."""
    headed = (
        found._replace(title=": ".join(filter(None, (part, found.title))))
        for part, listed in report_tables(study, tables).items()
        for found in listed
    )
    return "\n\n".join(map(table_in_markdown, headed)) + "\n"


def page(folder: StudyFolder, tables: Tables) -> str:
    """Returns the whole page."""
    counted = with_levels(folder.study, without_excluded(tables))
    games = whole_games(counted["games"])
    points = flow(folder.study, tables)
    drawn = {figure.title: figure for figure in figures(points, games, counted)} if tables["participants"] else {}
    return rendered(
        "study.html",
        study=folder.study,
        facts=study_facts(folder, tables),
        tables=report_tables(folder.study, tables),
        words=words_given(folder.study, counted["answers"]),
        caution=belief_table(counted["calibration"], counted["gates"])[1],
        each_once=EACH_ONCE,
        drawn=drawn,
        left_out=len(tables["games"]) - len(games),
        glossary=[(measure_label(name), measure_meaning(name)) for name in OUTCOME_MEASURES],
    )


def study_facts(folder: StudyFolder, tables: Tables) -> list[tuple[str, str]]:
    """Returns what the study is, and how far it has come; the times of consent are the last of it."""
    study = folder.study
    people = tables["participants"]
    counted = without_excluded(tables)
    games = whole_games(counted["games"])
    times = sorted(str(row["consented"])[:19] + "+00:00" for row in people)
    complete = sum(row["complete"] is True for row in people)
    excluded = len(people) - len(counted["participants"])
    switches = len(counted["switches"])
    return [
        ("participants", f"{len(people)}, {complete} of them complete" + f", {excluded} excluded" * bool(excluded)),
        *([("simulated", "these participants are no people")] if any(row["simulated"] for row in people) else []),
        ("withdrawn", f"{folder.withdrawals().withdrawn}, of whom nothing is kept"),
        *_preregistration(folder),
        ("games", f"{len(games)} whole ones of {len(tables['games'])} begun, with {switches} switches of participants"),
        ("kitchens", ", ".join(study.layouts)),
        ("agents", ", ".join(study.agents)),
        ("a game", f"{study.horizon} steps" + (", turn by turn" if study.turns else f", {study.speed:g} a second")),
        ("seeds", f"from {study.seed}, one for each {study.seeds}"),
        ("consented", f"{timestamp(times[0])} to {timestamp(times[-1])}" if times else "nobody yet"),
    ]


def _preregistration(folder: StudyFolder) -> list[tuple[str, str]]:
    """Returns whether the study is as it was preregistered, where its folder holds that text."""
    file = folder.path / PREREGISTRATION_FILE
    if not file.exists():
        return []
    found = moved(read_text(file), folder.study)
    return [
        ("preregistration", f"differs in: {', '.join(found)}" if found else "this study is as it was preregistered")
    ]


def write_study_report(path: Path) -> Path:
    """Writes ``report.html`` into the folder of a study, and returns its path.

    The same results give the same bytes. Participants are known by their numbers, and answers in words are not shown.

    Raises:
        BBAError: the folder holds no study, a library is missing, or a file cannot be read or written.
    """
    folder = StudyFolder.open(path)
    check_drawing()
    write_whole(path / REPORT_FILE, page(folder, tables_of(folder)))
    return path / REPORT_FILE


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
    names = [name for name, _ in points]
    counts = [count for _, count in points]

    def paint(_: Any, axes: list[list[Axes]]) -> None:
        panel = axes[0][0]
        panel.barh(range(len(points)), counts, color=colour(0), height=0.6)
        for row, count in enumerate(counts):
            panel.annotate(str(count), (count, row), (4, 0), textcoords="offset points", va="center", color=DIM)
        panel.set_yticks(range(len(points)), names)
        panel.set(ylim=(len(points) - 0.4, -0.6), xlim=(0, max(counts) * 1.08 or 1), xlabel="participants")
        panel.xaxis.get_major_locator().set_params(integer=True)
        panel.grid(visible=False, axis="y")

    return draw("flow", (1, 1), 0.7 + 0.28 * len(points), paint)


def _conditions(games: Sequence[Row]) -> str:
    """Draws a panel for each measure: a row a kitchen, a dot an agent."""
    layouts = distinct(games, "layout")
    agents = distinct(games, "agent")

    def paint(canvas: Any, axes: list[list[Axes]]) -> None:
        for panel, measure in zip(axes[0], CONDITION_MEASURES, strict=True):
            for row, layout in enumerate(layouts):
                for number, agent in enumerate(agents):
                    found = [one for one in games if (one["layout"], one["agent"]) == (layout, agent)]
                    shift = 0.6 * ((number + 0.5) / len(agents) - 0.5)
                    dot(panel, over_participants(found, measure), row + shift, number)
            panel.set_yticks(range(len(layouts)), layouts)
            panel.set(title=measure_label(measure), ylim=(len(layouts) - 0.5, -0.5))
            panel.grid(visible=False, axis="y")
        legend(canvas, axes[0][0], agents)

    return draw("conditions", (1, len(CONDITION_MEASURES)), 1.2 + 0.3 * len(layouts) * len(agents), paint, sharey="row")


def _course(games: Sequence[Row]) -> str:
    """Draws a panel for each measure: its mean at each position of a game, a line an agent."""
    agents = distinct(games, "agent")
    positions = sorted({int(row["game"] or 0) for row in games})

    def paint(canvas: Any, axes: list[list[Axes]]) -> None:
        for panel, measure in zip(axes[0], CONDITION_MEASURES, strict=True):
            for number, agent in enumerate(agents):
                _line(panel, [row for row in games if row["agent"] == agent], measure, number)
            words = {"title": measure_label(measure), "xlabel": "game", "ylabel": EPISODE_MEASURES[measure].unit}
            panel.set(xticks=positions, xlim=(positions[0] - 0.5, positions[-1] + 0.5), **words)
        legend(canvas, axes[0][0], agents)

    return draw("course", (1, len(CONDITION_MEASURES)), 2.8, paint)


def _line(panel: Axes, games: Sequence[Row], measure: str, number: int) -> None:
    positions = sorted({int(row["game"] or 0) for row in games})
    found = [(at, over_participants([row for row in games if row["game"] == at], measure)) for at in positions]
    points = [(position, summary) for position, summary in found if summary is not None]
    for position, summary in points:
        if summary.low is not None:
            panel.plot([position, position], [summary.low, summary.high], color=colour(number), linewidth=1)
    style = {"color": colour(number), "markersize": 5, "linewidth": 1}
    panel.plot([x for x, _ in points], [s.mean for _, s in points], f"{marker(number)}-", **style)


def _delays(switches: Sequence[Row]) -> Delays:
    """Returns for each kitchen and agent the steps until belief and agent followed each switch."""
    found: Delays = {}
    for row in switches:
        belief, agent = found.setdefault(str(row["layout"]), {}).setdefault(str(row["agent"]), ([], []))
        for steps, column in ((belief, "belief_delay"), (agent, "action_delay")):
            steps.append(None if row[column] is None else int(row[column] or 0))
    return found


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
        panel.set(xlabel="game", ylabel="seconds")

    return draw("keys", (1, 1), 2.4, paint)
