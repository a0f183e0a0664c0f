"""The report of a study: one self-contained page.

The page of a study's report: one self-contained HTML file.

The flow of participants through a study, and what disturbed their games.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from bba.files import write_whole
from bba.palette import DARK, LIGHT
from bba.report.content import TableText
from bba.report.drawing import check_drawing, page_colours
from bba.report.formatting import NONE, CellText, measure_label, measure_meaning, timestamp
from bba.report.page import environment
from bba.tabular import Row
from human.study.beliefs import EACH_ONCE
from human.study.folder import StudyFolder
from human.study.plan import Study
from human.study.report_figures import figures
from human.study.report_outcomes import (
    OUTCOME_MEASURES,
    belief_table,
    condition_tables,
    difference_table,
    reply_tables,
    whole_games,
    with_levels,
    without_usual_n,
    words_given,
)
from human.study.table_files import without_excluded
from human.study.tables import Tables, tables_of


def flow(study: Study, tables: Tables) -> list[tuple[str, int]]:
    """Returns the points of a study in order, each with the number of participants who have passed it."""
    people, games = tables["participants"], _games(tables["games"])
    passed = [("consented", len(people))]
    if study.tutorial:
        passed.append(("tutorial", sum(row["practised"] is not None for row in people)))
    most = len(str(people[0]["order"]).split()) if people else 0
    for number in range(1, most + 1):
        ended = sum(any(row["ended"] for row in games.get(str(who["participant"]), [])[number - 1 :]) for who in people)
        passed.append((f"game {number}", ended))
    return [*passed, ("complete", sum(row["complete"] is True for row in people))]


def _games(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Returns the games of each participant, in the order of play."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(str(row["participant"]), []).append(row)
    return found


def flow_table(points: Sequence[tuple[str, int]]) -> TableText:
    """Returns the flow as a table."""
    before = [points[0][1], *(count for _, count in points)]
    rows = [
        ([name], [CellText(str(count)), CellText(str(last - count) if last > count else "–")])
        for (name, count), last in zip(points, before, strict=False)
    ]
    return TableText("", ["point"], ["participants", "stopped before it"], rows)


def disturbances(tables: Tables) -> TableText:
    """Returns for each participant what may be a reason to leave somebody out: by number, as codes are private."""
    lost = Counter(str(row["participant"]) for row in tables["events"] if row["event"] == "blur" and row["game"])
    pauses, seconds = _pauses(tables["pauses"])
    games = _games(tables["games"])
    rows = []
    for person in tables["participants"]:
        who = str(person["participant"])
        mine = games.get(who, [])
        failed = _failed_checks(tables["answers"], who)
        cells = [
            str(sum(row["ended"] is not None for row in mine)),
            str(sum(row["given_up"] is True for row in mine)),
            str(sum(int(row["interruptions"] or 0) for row in mine)),
            f"{pauses[who]} ({seconds[who]:.0f} s)" if pauses[who] else "0",
            str(lost[who]),
            str(sum(row["problem"] is not None for row in mine)),
            failed,
            str(person["excluded"] or NONE),
        ]
        rows.append(([str(int(person["number"] or 0) + 1)], [CellText(text) for text in cells]))
    heads = [
        "games",
        "given up",
        "interruptions",
        "pauses",
        "focus lost",
        "damaged",
        "attention checks failed",
        "excluded",
    ]
    return TableText("", ["participant"], heads, rows)


def _pauses(rows: Sequence[Row]) -> tuple[Counter[str], Mapping[str, float]]:
    """Returns the number of each participant's pauses, and their seconds."""
    counts: Counter[str] = Counter()
    seconds: dict[str, float] = {}
    for row in rows:
        who = str(row["participant"])
        counts[who] += 1
        seconds[who] = seconds.get(who, 0.0) + float(row["seconds"] or 0)
    return counts, seconds


def _failed_checks(answers: Sequence[Row], who: str) -> str:
    checked = [row["as_expected"] for row in answers if row["participant"] == who and row["as_expected"] is not None]
    return f"{checked.count(False)} of {len(checked)}" if checked else "–"


def page(folder: StudyFolder, tables: Tables) -> str:
    """Returns the whole page."""
    counted = with_levels(folder.study, without_excluded(tables))
    games = whole_games(counted["games"])
    points, differences = flow(folder.study, tables), difference_table(games)
    drawn = {figure.title: figure for figure in figures(points, games, counted)} if tables["participants"] else {}
    text: str = (
        environment()
        .get_template("study.html")
        .render(
            study=folder.study,
            facts=_facts(folder, tables, counted, games),
            flow=flow_table(points),
            disturbances=disturbances(tables),
            conditions=[without_usual_n(found) for found in condition_tables(games)],
            differences=without_usual_n(differences) if differences else None,
            replies=[without_usual_n(found) for found in reply_tables(folder.study, counted["answers"])],
            words=words_given(folder.study, counted["answers"]),
            beliefs=belief_table(counted),
            each_once=EACH_ONCE,
            drawn=drawn,
            left_out=len(tables["games"]) - len(games),
            glossary=[(measure_label(name), measure_meaning(name)) for name in OUTCOME_MEASURES],
            light=page_colours(LIGHT),
            dark=page_colours(DARK),
        )
    )
    return text


def _facts(folder: StudyFolder, tables: Tables, counted: Tables, games: Sequence[Row]) -> list[tuple[str, str]]:
    """Returns what the study is, and how far it has come."""
    study, people = folder.study, tables["participants"]
    times = sorted(str(row["consented"])[:19] + "+00:00" for row in people)
    complete = sum(row["complete"] is True for row in people)
    excluded, switches = len(people) - len(counted["participants"]), len(counted["switches"])
    return [
        ("participants", f"{len(people)}, {complete} of them complete" + f", {excluded} excluded" * bool(excluded)),
        ("games", f"{len(games)} whole ones of {len(tables['games'])} begun, with {switches} switches of participants"),
        ("kitchens", ", ".join(study.layouts)),
        ("agents", ", ".join(study.agents)),
        ("a game", f"{study.horizon} steps" + (", turn by turn" if study.turns else f", {study.speed:g} a second")),
        ("seeds", f"from {study.seed}, one for each {study.seeds}"),
        ("consented", f"{timestamp(times[0])} to {timestamp(times[-1])}" if times else "nobody yet"),
    ]


REPORT = "report.html"


def write_study_report(path: Path) -> Path:
    """Writes ``report.html`` into the folder of a study, and returns its path.

    The same results give the same bytes. Participants are known by their numbers, and answers in words are not shown.

    Raises:
        BBAError: the folder holds no study, a library is missing, or a file cannot be read or written.
    """
    folder = StudyFolder.open(path)
    check_drawing()
    write_whole(path / REPORT, page(folder, tables_of(folder)))
    return path / REPORT
