"""The flow of participants through a study, and what disturbed their games."""

from collections import Counter
from collections.abc import Mapping, Sequence

from bba.report.content import TableText
from bba.report.formatting import NONE, CellText
from bba.tabular import Row
from human.study.plan import Study
from human.study.tables import Tables


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
