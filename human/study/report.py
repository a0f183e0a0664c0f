"""The report of a study: one self-contained page with the flow of participants, tables and figures."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from bba.analysis.measures import EPISODE_MEASURES
from bba.bench.formatting import NONE, measure_label, measure_meaning, timestamp
from bba.files import read_text, write_whole
from bba.report.content import ReportFigure
from bba.report.drawing import DIM, Axes, Delays, check_drawing, colour, dot, draw, legend, marker, recovery
from bba.report.page import rendered
from bba.tables import Table, table_of, to_markdown
from bba.tabular import Row, Value
from human.study import REPORT_FILE, Study, StudyFolder
from human.study.preregistration import PREREGISTRATION_FILE, moved
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
from human.study.tables import Tables, rows_where, tables_of, whole_games, without_excluded

CONDITION_MEASURES = ("reward", "switches", "recovery")
PER_POINT = "dots are means over participants, bars their 95 % intervals"


def flow(study: Study, tables: Tables) -> list[tuple[str, int]]:
    """Returns the points of a study in order, each with the number of participants who have passed it."""
    people = tables["participants"]
    points = [("consented", len(people))]
    if study.tutorial:
        practised = [row for row in people if row["practised"] is not None]
        points.append(("tutorial", len(practised)))
    games = 0
    if people:
        order = str(people[0]["order"])
        games = len(order.split())
    games_ended = []
    for person in people:
        games_of_person = _of(person, tables["games"])
        games_ended.append(_games_ended(games_of_person))
    for game in range(1, games + 1):
        passed = [ended for ended in games_ended if ended >= game]
        points.append((f"game {game}", len(passed)))
    complete = rows_where(people, complete=True)
    analysed = rows_where(complete, excluded=None)
    points.append(("complete", len(complete)))
    points.append(("analysed, not excluded", len(analysed)))
    return points


def _of(person: Row, rows: Sequence[Row]) -> list[Row]:
    return rows_where(rows, participant=person["participant"])


def _games_ended(games: Sequence[Row]) -> int:
    """Returns how many games a person has passed: up to the last one that has ended."""
    passed = 0
    for number, row in enumerate(games, 1):
        if row["ended"]:
            passed = number
    return passed


def flow_table(points: Sequence[tuple[str, int]]) -> Table:
    """Returns the flow as a table."""
    rows = []
    previous = points[0][1]
    for name, count in points:
        stopped = str(previous - count) if previous > count else NONE
        rows.append([name, str(count), stopped])
        previous = count
    return table_of(["point"], ["participants", "stopped before it"], rows=rows)


DISTURBANCES = [
    "games",
    "given up",
    "interruptions",
    "pauses",
    "focus lost",
    "damaged",
    "attention checks failed",
    "excluded",
]


def disturbances(tables: Tables) -> Table:
    """Returns for each participant what may be a reason to leave somebody out: by number, as codes are private."""
    blurs = [row for row in tables["events"] if row["event"] == "blur" and row["game"]]
    focus_losses = Counter(str(row["participant"]) for row in blurs)
    rows = []
    for person in tables["participants"]:
        number = int(person["number"] or 0) + 1
        games = _of(person, tables["games"])
        pauses = _of(person, tables["pauses"])
        answers = _of(person, tables["answers"])
        ended = [row for row in games if row["ended"] is not None]
        given_up = rows_where(games, given_up=True)
        damaged = [row for row in games if row["problem"] is not None]
        interruptions = sum(int(row["interruptions"] or 0) for row in games)
        code = str(person["participant"])
        texts = [
            str(len(ended)),
            str(len(given_up)),
            str(interruptions),
            _pauses_in_words(pauses),
            str(focus_losses[code]),
            str(len(damaged)),
            _failed_checks(answers),
            str(person["excluded"] or NONE),
        ]
        rows.append([str(number), *texts])
    return table_of(["participant"], DISTURBANCES, rows=rows)


def _pauses_in_words(pauses: Sequence[Row]) -> str:
    if not pauses:
        return "0"
    seconds = 0.0
    for pause in pauses:
        seconds += float(pause["seconds"] or 0)
    return f"{len(pauses)} ({seconds:.0f} s)"


def _failed_checks(answers: Sequence[Row]) -> str:
    checks = [row["as_expected"] for row in answers if row["as_expected"] is not None]
    if not checks:
        return NONE
    failed = checks.count(False)
    return f"{failed} of {len(checks)}"


def report_tables(study: Study, tables: Tables) -> dict[str, list[Table]]:
    """Returns the tables of each part of the page."""
    counted = with_levels(study, without_excluded(tables))
    games = whole_games(counted["games"])
    points = flow(study, tables)
    parts: dict[str, list[Table]] = {
        "flow": [flow_table(points)],
        "disturbances": [disturbances(tables)],
        "conditions": [without_usual_n(table) for table in condition_tables(games)],
        "differences": [],
        "beliefs": [],
        "replies": [without_usual_n(table) for table in reply_tables(study, counted)],
    }
    differences = difference_table(games)
    if differences is not None:
        parts["differences"].append(without_usual_n(differences))
    if counted["gates"]:
        beliefs, _ = belief_table(counted["calibration"], counted["gates"])
        parts["beliefs"].append(beliefs)
    return parts


def tables_in_words(study: Study, tables: Tables) -> str:
    """Returns the tables of the page in Markdown, each headed by its part."""
    texts = []
    for part, part_tables in report_tables(study, tables).items():
        for table in part_tables:
            title = f"{part}: {table.title}" if table.title else part
            texts.append(to_markdown(replace(table, title=title)))
    return "\n\n".join(texts) + "\n"


def page(folder: StudyFolder, tables: Tables) -> str:
    """Returns the whole page."""
    counted = with_levels(folder.study, without_excluded(tables))
    games = whole_games(counted["games"])
    points = flow(folder.study, tables)
    _, caution = belief_table(counted["calibration"], counted["gates"])
    drawn = {}
    if tables["participants"]:
        for figure in figures(points, games, counted):
            drawn[figure.title] = figure
    glossary = []
    for name in OUTCOME_MEASURES:
        glossary.append((measure_label(name), measure_meaning(name)))
    return rendered(
        "study.html",
        study=folder.study,
        facts=study_facts(folder, tables),
        tables=report_tables(folder.study, tables),
        words=words_given(folder.study, counted["answers"]),
        caution=caution,
        each_once=EACH_ONCE,
        drawn=drawn,
        left_out=len(tables["games"]) - len(games),
        glossary=glossary,
    )


def study_facts(folder: StudyFolder, tables: Tables) -> list[tuple[str, str]]:
    """Returns what the study is, and how far it has come; the times of consent are the last of it."""
    study = folder.study
    people = tables["participants"]
    counted = without_excluded(tables)
    games = whole_games(counted["games"])
    complete = len(rows_where(people, complete=True))
    excluded = len(people) - len(counted["participants"])
    switches = len(counted["switches"])
    participants = f"{len(people)}, {complete} of them complete"
    if excluded:
        participants += f", {excluded} excluded"
    facts = [("participants", participants)]
    if any(row["simulated"] for row in people):
        facts.append(("simulated", "these participants are no people"))
    withdrawn = folder.withdrawals().withdrawn
    facts.append(("withdrawn", f"{withdrawn}, of whom nothing is kept"))
    registered = _preregistration(folder)
    if registered is not None:
        facts.append(("preregistration", registered))
    begun = len(tables["games"])
    pace = "turn by turn"
    if not study.turns:
        pace = f"{study.speed:g} a second"
    facts.append(("games", f"{len(games)} whole ones of {begun} begun, with {switches} switches of participants"))
    facts.append(("kitchens", ", ".join(study.layouts)))
    facts.append(("agents", ", ".join(study.agents)))
    facts.append(("a game", f"{study.horizon} steps, {pace}"))
    facts.append(("seeds", f"from {study.seed}, one for each {study.seeds}"))
    facts.append(("consented", _times_of_consent(people)))
    return facts


def _times_of_consent(people: Sequence[Row]) -> str:
    """Returns when the first and the last participant gave consent, in words."""
    if not people:
        return "nobody yet"
    times = []
    for person in people:
        to_the_second = str(person["consented"])[:19]
        times.append(f"{to_the_second}+00:00")
    first = timestamp(min(times))
    last = timestamp(max(times))
    return f"{first} to {last}"


def _preregistration(folder: StudyFolder) -> str | None:
    """Returns whether the study is as it was preregistered; None where its folder does not hold that text."""
    file = folder.path / PREREGISTRATION_FILE
    if not file.exists():
        return None
    titles = moved(read_text(file), folder.study)
    if titles:
        return f"differs in: {', '.join(titles)}"
    return "this study is as it was preregistered"


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
    caption = "participants who have passed each point of the study"
    yield ReportFigure("The flow of participants", caption, _flow(points))
    if games:
        caption = f"{PER_POINT}; only games that were played to their end"
        yield ReportFigure("The conditions", caption, _conditions(games))
        caption = f"{PER_POINT}, by the position of the game"
        yield ReportFigure("Over the games", caption, _course(games))
    delays = _delays(tables["switches"])
    if delays:
        caption = "share of the participants' switches that the belief and the agent have followed within so many steps"
        yield ReportFigure("Reactions to switches", caption, recovery("reactions", delays))
    deciding_keys = [row for row in tables["keys"] if row["seconds"] is not None and row["game"]]
    if deciding_keys:
        caption = "seconds from a key to the step that it decided: their distribution in each game"
        yield ReportFigure("Keys", caption, _keys(deciding_keys))


def _flow(points: Sequence[tuple[str, int]]) -> str:
    names = []
    counts = []
    for name, count in points:
        names.append(name)
        counts.append(count)

    def paint(_: Any, axes: list[list[Axes]]) -> None:
        panel = axes[0][0]
        panel.barh(range(len(points)), counts, color=colour(0), height=0.6)
        for row, count in enumerate(counts):
            panel.annotate(str(count), (count, row), (4, 0), textcoords="offset points", va="center", color=DIM)
        panel.set_yticks(range(len(points)), names)
        right_edge = max(counts) * 1.08 or 1
        panel.set(ylim=(len(points) - 0.4, -0.6), xlim=(0, right_edge), xlabel="participants")
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
                    condition_games = rows_where(games, layout=layout, agent=agent)
                    summary = over_participants(condition_games, measure)
                    place_in_row = (number + 0.5) / len(agents)
                    place = row + 0.6 * (place_in_row - 0.5)
                    dot(panel, summary, place, number)
            panel.set_yticks(range(len(layouts)), layouts)
            panel.set(title=measure_label(measure), ylim=(len(layouts) - 0.5, -0.5))
            panel.grid(visible=False, axis="y")
        legend(canvas, axes[0][0], agents)

    height = 1.2 + 0.3 * len(layouts) * len(agents)
    return draw("conditions", (1, len(CONDITION_MEASURES)), height, paint, sharey="row")


def _course(games: Sequence[Row]) -> str:
    """Draws a panel for each measure: its mean at each position of a game, a line an agent."""
    agents = distinct(games, "agent")
    positions = _positions(games)
    limits = (positions[0] - 0.5, positions[-1] + 0.5)

    def paint(canvas: Any, axes: list[list[Axes]]) -> None:
        for panel, measure in zip(axes[0], CONDITION_MEASURES, strict=True):
            for number, agent in enumerate(agents):
                games_beside_agent = rows_where(games, agent=agent)
                _line(panel, games_beside_agent, measure, number)
            unit = EPISODE_MEASURES[measure].unit
            panel.set(xticks=positions, xlim=limits, title=measure_label(measure), xlabel="game", ylabel=unit)
        legend(canvas, axes[0][0], agents)

    return draw("course", (1, len(CONDITION_MEASURES)), 2.8, paint)


def _positions(rows: Sequence[Row]) -> list[int]:
    """Returns the positions of the games that rows are about, from 1, each once."""
    return sorted({int(row["game"] or 0) for row in rows})


def _line(panel: Axes, games: Sequence[Row], measure: str, number: int) -> None:
    measured_positions = []
    means = []
    for position in _positions(games):
        games_at_position = rows_where(games, game=position)
        summary = over_participants(games_at_position, measure)
        if summary is None:
            continue
        measured_positions.append(position)
        means.append(summary.mean)
        if summary.low is not None:
            panel.plot([position, position], [summary.low, summary.high], color=colour(number), linewidth=1)
    style = {"color": colour(number), "markersize": 5, "linewidth": 1}
    panel.plot(measured_positions, means, f"{marker(number)}-", **style)


def _delays(switches: Sequence[Row]) -> Delays:
    """Returns for each kitchen and agent the steps until belief and agent followed each switch."""
    delays: Delays = {}
    for row in switches:
        of_layout = delays.setdefault(str(row["layout"]), {})
        belief_delays, action_delays = of_layout.setdefault(str(row["agent"]), ([], []))
        belief_delay = _steps(row["belief_delay"])
        action_delay = _steps(row["action_delay"])
        belief_delays.append(belief_delay)
        action_delays.append(action_delay)
    return delays


def _steps(value: Value) -> int | None:
    if value is None:
        return None
    return int(value)


def _keys(rows: Sequence[Row]) -> str:
    """Draws a box for each game: the middle half of the delays, the median, and the middle 95 %."""
    games = _positions(rows)
    delays = []
    for game in games:
        delays_in_game = []
        for row in rows_where(rows, game=game):
            delays_in_game.append(float(row["seconds"] or 0))
        delays.append(delays_in_game)

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
