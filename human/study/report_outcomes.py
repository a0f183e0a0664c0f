"""The tables of a study's report: means over participants with their 95 % intervals, and counts, as text.

Rows are what was measured or answered; columns are what a study compares: its agents, with the levels of hints and
speed where it has several. Answers in words are counted, not shown.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import mean

import numpy as np

from bba.analysis import BINS, EPISODE_MEASURES, Bins, calibration_error
from bba.bench.statistics import Summary, grouped, mean_difference
from bba.report.content import TableText
from bba.report.formatting import NONE, CellText, measure_label
from bba.tabular import Row, Value, to_markdown
from human.study import ANSWER_FIELDS, MEASURED, Study, SurveyQuestion
from human.study.tables import Tables

ENOUGH = 6  # people; with fewer, an interval over people says nothing about others
EACH_ONCE = "Each person counts once, with the mean over their games; intervals are 95 %, over people"
OUTCOME_MEASURES = (
    "reward",
    "deliveries",
    "orders_expired",
    "switches",
    "detection_delay",
    "recovery",
    "gap_rate",
    "duplicate_rate",
    "replans",
)
DECIMALS = {name: max(1, EPISODE_MEASURES[name].decimals) for name in OUTCOME_MEASURES}  # of means


def over_participants(rows: Iterable[Row], column: str) -> Summary | None:
    """Returns the mean of a column over participants, each with the mean of their rows, and its interval."""
    return mean_difference(list(each_participant(rows, column).values()))


def each_participant(rows: Iterable[Row], column: str) -> dict[str, float]:
    """Returns each participant's mean of a column, without missing values."""
    found = grouped(
        (str(row["participant"]), float(value)) for row in rows if isinstance(value := row[column], int | float)
    )
    return {who: mean(values) for who, values in found.items()}


def paired_difference(rows: Sequence[Row], column: str, agent: str, other: str) -> Summary | None:
    """Returns the mean difference within participants between an agent and another one, and its interval."""
    one, two = (each_participant([row for row in rows if row["agent"] == name], column) for name in (agent, other))
    return mean_difference([one[who] - two[who] for who in one if who in two])


def summary_cell(summary: Summary | None, decimals: int, *, signed: bool = False) -> CellText:
    """Returns a mean with its interval, and the number of participants below it."""
    if summary is None:
        return CellText(NONE)
    sign = "+" if signed else ""
    known = summary.low is not None and summary.high is not None
    interval = f" [{summary.low:z.{decimals}f}, {summary.high:z.{decimals}f}]" if known else ""
    return CellText(f"{summary.mean:{sign}z.{decimals}f}{interval}", n=summary.n)


def distinct(rows: Iterable[Mapping[str, Value]], column: str) -> list[str]:
    """Returns the values of a column, each once, in order."""
    return list(dict.fromkeys(str(row[column]) for row in rows if row[column] is not None))


def without_usual_n(table: TableText) -> TableText:
    """Returns a table that says only where other than the usual number of participants is behind a cell."""
    cells = [cell for _, row in table.rows for cell in row]
    counts = Counter(cell.n for cell in cells if cell.n)
    if not counts:
        return table
    usual = counts.most_common(1)[0][0]
    rows = [(heads, [cell._replace(n=0 if cell.n == usual else cell.n) for cell in row]) for heads, row in table.rows]
    title = ", ".join(filter(None, [table.title, f"n = {usual}"]))
    return table._replace(title=title, rows=rows)


def condition_tables(games: Sequence[Row]) -> Iterator[TableText]:
    """Yields a table for each kitchen: a row a measure, a column an agent."""
    agents = distinct(games, "agent")
    for layout in distinct(games, "layout"):
        found = [[row for row in games if (row["layout"], row["agent"]) == (layout, agent)] for agent in agents]
        rows = [
            ([measure_label(name)], [summary_cell(over_participants(one, name), DECIMALS[name]) for one in found])
            for name in OUTCOME_MEASURES
        ]
        yield TableText(layout, ["measure"], agents, rows)


def difference_table(games: Sequence[Row]) -> TableText | None:
    """Returns how agents differ from the first one within participants; None if nobody met another one beside it."""
    first, *others = distinct(games, "agent") or [""]
    met = {agent: {row["participant"] for row in games if row["agent"] == agent} for agent in (first, *others)}
    others = [agent for agent in others if met[agent] & met[first]]
    if not others:
        return None
    rows = [
        (
            [measure_label(measure)],
            [
                summary_cell(paired_difference(games, measure, other, first), DECIMALS[measure], signed=True)
                for other in others
            ],
        )
        for measure in OUTCOME_MEASURES
    ]
    return TableText("", ["measure"], [f"{other} − {first}" for other in others], rows)


def reply_tables(study: Study, tables: Tables) -> Iterator[TableText]:
    """Yields the tables of answers and scores: after games by agent, then without a game; and those of the choices."""
    answers = tables["answers"]
    given = {one.name: [row for row in answers if row["question"] == one.name] for one in study.questions}
    by_agent: dict[str, str | None] = {agent: agent for agent in distinct(answers, "agent")}
    for title, after, columns, scored in (
        ("after each game, by agent", True, by_agent, tables["games"]),
        ("before and after all games", False, {"mean": None}, tables["participants"]),
    ):
        asked = (one for one in study.questions if one.expect is None)  # attention checks measure nothing else
        measured = [one for one in asked if one.type in MEASURED and (one.when == "after-game") == after]
        if measured and columns:
            rows = [
                ([_text(one)], [_cell(given[one.name], ANSWER_FIELDS[one.type], agent) for agent in columns.values()])
                for one in measured
            ] + [
                ([score.text], [_cell(scored, score.name, agent) for agent in columns.values()])
                for score in study.scores
                if (study.asked_when(score) == "after-game") == after
            ]
            yield TableText(title, ["question"], [*columns], rows)
    yield from (
        _choices(one, answers) for one in study.questions if one.type in ("choice", "choices") and one.expect is None
    )


def words_given(study: Study, answers: Sequence[Row]) -> list[tuple[str, int]]:
    """Returns each question for words with the number of participants' answers that are not empty."""
    given = Counter(str(row["question"]) for row in answers if row["words"])
    return [(asked.text, given[asked.name]) for asked in study.questions if asked.type == "text"]


def _cell(rows: Iterable[Row], column: str, agent: str | None) -> CellText:
    return summary_cell(over_participants([row for row in rows if row.get("agent") == agent], column), 2)


def _text(asked: SurveyQuestion) -> str:
    ends = asked.ends or ((asked.labels[0], asked.labels[-1]) if asked.labels else None)
    return f"{asked.text} ({ends[0]} – {ends[1]})" if ends else asked.text


def _choices(asked: SurveyQuestion, answers: Sequence[Row]) -> TableText:
    """Returns how often each choice was made, by agent for questions after games."""
    columns = distinct(answers, "agent") if asked.when == "after-game" else []
    rows = []
    for choice in asked.choices or ():
        chosen = [
            row for row in answers if row["question"] == asked.name and choice in str(row["chosen"] or "").split(" | ")
        ]
        counts = Counter(str(row["agent"]) for row in chosen)
        shown = [str(counts[agent] or NONE) for agent in columns] or [str(len(chosen) or NONE)]
        rows.append(([choice], [CellText(text) for text in shown]))
    return TableText(asked.text, ["answer"], columns or ["participants"], rows)


COMPARED_TABLES = ("games", "switches", "answers")  # the tables of which the report shows one column a condition


def with_levels(study: Study, tables: Tables) -> Tables:
    """Returns the tables with the levels of a game's hints and speed beside the name of its agent."""
    names = {(row["participant"], row["game"]): _name(study, row) for row in tables["games"]}
    return tables | {
        table: [{**row, "agent": names.get((row["participant"], row["game"]), row["agent"])} for row in tables[table]]
        for table in COMPARED_TABLES
    }


def _name(study: Study, game: Mapping[str, Value]) -> str:
    hints = ["hints" if game["hints"] else "no hints"] if len(study.factors.hints) > 1 else []
    paced = "turn by turn" if game["speed"] is None else f"{game['speed']:g} a second"  # in plain mode
    speed = [paced] if len(study.factors.speed) > 1 else []
    return ", ".join([str(game["agent"]), *hints, *speed])


def belief_table(calibrations: Sequence[Row], gates: Sequence[Row]) -> tuple[TableText, str]:
    """Returns how well belief and gates follow the people in these rows, and what can be concluded from that.

    Each figure has its mean and interval over people, and the number of people who have one.
    """
    people = sorted({str(row["participant"]) for row in gates})
    rows = [
        ([name], [CellText(text) for text in _over_people(values)])
        for name, values in _values(people, calibrations, gates).items()
    ]
    return TableText("", ["measure"], ["mean", "interval", "people"], rows), _caution(len(people))


def beliefs_in_words(calibrations: Sequence[Row], gates: Sequence[Row]) -> str:
    """Returns a section in Markdown: calibration and gates beside the recorded people, and what cannot be concluded."""
    table, caution = belief_table(calibrations, gates)
    rows = ([*names, *(cell.ours for cell in cells)] for names, cells in table.rows)
    text = to_markdown([*table.heads, *table.columns], rows, ("---", "---:", "---", "---:"))
    return f"{EACH_ONCE}.\n\n{text}\n\n{caution}\n"


def _values(people: Sequence[str], calibrations: Sequence[Row], gates: Sequence[Row]) -> Mapping[str, list[float]]:
    bins = [_bins(row for row in calibrations if row["participant"] == person) for person in people]
    figures = {
        "share of steps in which the likeliest role is the pursued one": [
            right / steps for steps, _, right in (mine.sum(axis=0).tolist() for mine in bins) if steps
        ],
        "expected calibration error": [calibration_error(mine) for mine in bins if mine.any()],
    }
    for gate in ("contradiction", "commitment"):
        mine = [[row for row in gates if (row["participant"], row["gate"]) == (one, gate)] for one in people]
        for column, within in (("caught_10", 10), ("caught_30", 30)):
            name = f"{gate} gate: share of switches caught within {within} steps"
            figures[name] = [_sum(rows, column) / _sum(rows, "switches") for rows in mine if _sum(rows, "switches")]
        needless = [1000 * _sum(rows, "needless") / _sum(rows, "steps") for rows in mine if _sum(rows, "steps")]
        figures[f"{gate} gate: needless openings in 1000 steps"] = needless
    return figures


def _bins(rows: Iterable[Row]) -> Bins:
    bins = np.zeros((BINS, 3))
    for row in rows:
        low, steps, belief, right = (float(row[name] or 0) for name in ("low", "steps", "belief", "right"))
        bins[round(low * BINS)] += steps, steps * belief, steps * right
    return bins


def _sum(rows: Sequence[Row], column: str) -> int:
    return sum(int(row[column] or 0) for row in rows)


def _over_people(values: Sequence[float]) -> tuple[str, str, str]:
    summary = mean_difference(values)
    if summary is None:
        return NONE, NONE, "0"
    interval = f"{summary.low:.3f} to {summary.high:.3f}" if len(values) >= ENOUGH else "too few people"
    return f"{summary.mean:.3f}", interval, str(len(values))


def _caution(people: int) -> str:
    if people >= ENOUGH:
        return "The intervals hold for people as these were recruited, in these kitchens, beside these agents."
    if people == 0:
        return "No game of a person who counts has been recorded yet."
    them = "1 person" if people == 1 else f"{people} people"
    return (
        f"With {them} nothing can be concluded about others: these figures describe the recorded games only. "
        f"An interval is given from {ENOUGH} people on."
    )
