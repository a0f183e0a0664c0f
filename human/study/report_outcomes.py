"""The tables of a study's report: means over participants with their 95 % intervals, and counts, as text.

Rows are what was measured or answered; columns are what a study compares: its agents, with the levels of hints and
speed where it has several. Answers in words are counted, not shown.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import fmean, mean

import numpy as np

from bba.analysis import BINS, EPISODE_MEASURES, Bins, calibration_error
from bba.bench.formatting import NONE, measure_label
from bba.bench.statistics import Summary, grouped, mean_over_people
from bba.tables import Cell, Table, TableRow, table_of, to_markdown
from bba.tabular import Row, Value
from human.study import ANSWER_FIELDS, MEASURED, InstrumentScore, Study, SurveyQuestion
from human.study.questionnaire import LISTED
from human.study.table_columns import scores_in
from human.study.tables import Tables, rows_where

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
    means = each_participant(rows, column)
    return mean_over_people(list(means.values()))


def each_participant(rows: Iterable[Row], column: str) -> dict[str, float]:
    """Returns each participant's mean of a column, without missing values."""
    pairs = []
    for row in rows:
        value = row[column]
        if isinstance(value, int | float):
            pairs.append((str(row["participant"]), float(value)))
    means = {}
    for participant, values in grouped(pairs).items():
        means[participant] = mean(values)
    return means


def paired_differences(values: Mapping[str, float], reference: Mapping[str, float]) -> dict[str, float]:
    """Returns by how much participants' values are above their reference values, for those who have both."""
    differences = {}
    for participant, value in values.items():
        if participant in reference:
            differences[participant] = value - reference[participant]
    return differences


def paired_difference(rows: Sequence[Row], column: str, agent: str, reference: str) -> Summary | None:
    """Returns the mean difference within participants between an agent and another one, and its interval.

    Args:
        rows: of games or answers.
        column: what is compared.
        agent: the agent.
        reference: the agent whose values are subtracted.
    """
    rows_beside_agent = rows_where(rows, agent=agent)
    rows_beside_reference = rows_where(rows, agent=reference)
    values = each_participant(rows_beside_agent, column)
    reference_values = each_participant(rows_beside_reference, column)
    differences = paired_differences(values, reference_values)
    return mean_over_people(list(differences.values()))


def summary_cell(summary: Summary | None, decimals: int, *, signed: bool = False) -> Cell:
    """Returns a mean with its interval, and the number of participants below it."""
    if summary is None:
        return Cell(NONE)
    sign = "+" if signed else ""
    text = f"{summary.mean:{sign}z.{decimals}f}"
    if summary.low is not None and summary.high is not None:
        text += f" [{summary.low:z.{decimals}f}, {summary.high:z.{decimals}f}]"
    return Cell(text, n=summary.n)


def distinct(rows: Iterable[Mapping[str, Value]], column: str) -> list[str]:
    """Returns the values of a column, each once, in order."""
    values = [str(row[column]) for row in rows if row[column] is not None]
    return list(dict.fromkeys(values))


def without_usual_n(table: Table) -> Table:
    """Returns a table that says only where other than the usual number of participants is behind a cell."""
    counts: Counter[int] = Counter()
    for row in table.rows:
        counts.update(cell.n for cell in row if cell.n)
    if not counts:
        return table
    [(usual, _)] = counts.most_common(1)
    rows = []
    for row in table.rows:
        rows.append(tuple(_without_n(usual, cell) for cell in row))
    number = f"n = {usual}"
    title = f"{table.title}, {number}" if table.title else number
    return replace(table, title=title, rows=tuple(rows))


def _without_n(usual: int, cell: Cell) -> Cell:
    return replace(cell, n=0) if cell.n == usual else cell


def condition_tables(games: Sequence[Row]) -> Iterator[Table]:
    """Yields a table for each kitchen: a row a measure, a column an agent."""
    agents = distinct(games, "agent")
    for layout in distinct(games, "layout"):
        by_agent = [rows_where(games, layout=layout, agent=agent) for agent in agents]
        rows: list[TableRow] = []
        for name in OUTCOME_MEASURES:
            summaries = [over_participants(agent_games, name) for agent_games in by_agent]
            cells = [summary_cell(summary, DECIMALS[name]) for summary in summaries]
            rows.append([measure_label(name), *cells])
        yield table_of(["measure"], agents, rows=rows, title=layout)


def difference_table(games: Sequence[Row]) -> Table | None:
    """Returns how agents differ from the first one within participants; None if nobody met another one beside it."""
    agents = distinct(games, "agent")
    if not agents:
        return None
    first = agents[0]
    people_of_first = _people_beside(first, games)
    compared = []
    for agent in agents[1:]:
        people_of_agent = _people_beside(agent, games)
        if people_of_first & people_of_agent:
            compared.append(agent)
    if not compared:
        return None
    columns = [f"{agent} − {first}" for agent in compared]
    rows: list[TableRow] = []
    for measure in OUTCOME_MEASURES:
        differences = [paired_difference(games, measure, agent, first) for agent in compared]
        cells = [summary_cell(difference, DECIMALS[measure], signed=True) for difference in differences]
        rows.append([measure_label(measure), *cells])
    return table_of(["measure"], columns, rows=rows)


def _people_beside(agent: str, games: Sequence[Row]) -> set[Value]:
    return {row["participant"] for row in rows_where(games, agent=agent)}


def reply_tables(study: Study, tables: Tables) -> Iterator[Table]:
    """Yields the tables of answers and scores: after games by agent, then without a game; and those of the choices."""
    answers = tables["answers"]
    questions = [question for question in study.questions if question.expect is None]  # no attention checks
    agents = distinct(answers, "agent")
    if agents:
        after_games = [question for question in questions if question.when == "after-game"]
        scores = scores_in("games", study)
        rows = _reply_rows(after_games, answers, scores, tables["games"], list(agents))
        if rows:
            yield table_of(["question"], agents, rows=rows, title="after each game, by agent")
    around_games = [question for question in questions if question.when != "after-game"]
    scores = scores_in("participants", study)
    rows = _reply_rows(around_games, answers, scores, tables["participants"], [None])
    if rows:
        yield table_of(["question"], ["mean"], rows=rows, title="before and after all games")
    for question in questions:
        if question.type in LISTED:
            yield _choices(question, answers)


def _reply_rows(
    questions: Sequence[SurveyQuestion],
    answers: Sequence[Row],
    scores: Sequence[InstrumentScore],
    scored: Sequence[Row],
    agents: Sequence[str | None],
) -> list[TableRow]:
    """Returns a row for each question whose answers have a mean, and one for each score; none without such questions.

    Args:
        questions: those of one part of the study.
        answers: the answers to all questions.
        scores: what the answers to these questions make together.
        scored: the rows of games or participants that have the scores.
        agents: a column each; None for what is about no game.
    """
    measured = [question for question in questions if question.type in MEASURED]
    if not measured:
        return []
    rows: list[TableRow] = []
    for question in measured:
        replies = rows_where(answers, question=question.name)
        cells = _mean_cells(replies, ANSWER_FIELDS[question.type], agents)
        rows.append([_text(question), *cells])
    for score in scores:
        cells = _mean_cells(scored, score.name, agents)
        rows.append([score.text, *cells])
    return rows


def _mean_cells(rows: Sequence[Row], column: str, agents: Sequence[str | None]) -> list[Cell]:
    summaries = [over_participants(rows_where(rows, agent=agent), column) for agent in agents]
    return [summary_cell(summary, 2) for summary in summaries]


def words_given(study: Study, answers: Sequence[Row]) -> list[tuple[str, int]]:
    """Returns each question for words with the number of participants' answers that are not empty."""
    counts = Counter(str(row["question"]) for row in answers if row["words"])
    counted_questions = []
    for question in study.questions:
        if question.type == "text":
            counted_questions.append((question.text, counts[question.name]))
    return counted_questions


def _text(question: SurveyQuestion) -> str:
    """Returns a question with the lowest and the highest point of its scale."""
    ends = question.ends or question.labels
    if not ends:
        return question.text
    return f"{question.text} ({ends[0]} – {ends[-1]})"


def _choices(question: SurveyQuestion, answers: Sequence[Row]) -> Table:
    """Returns how often each choice was made, by agent for questions after games."""
    replies = rows_where(answers, question=question.name)
    agents = distinct(answers, "agent") if question.when == "after-game" else []
    rows = []
    for choice in question.choices or ():
        chosen = [row for row in replies if choice in _chosen(row)]
        counts = [len(rows_where(chosen, agent=agent)) for agent in agents]
        if not agents:
            counts = [len(chosen)]
        rows.append([choice, *(str(count or NONE) for count in counts)])
    return table_of(["answer"], agents or ["participants"], rows=rows, title=question.text)


def _chosen(answer: Row) -> list[str]:
    """Returns what was chosen from a list, as the tables hold it."""
    return str(answer["chosen"] or "").split(" | ")


COMPARED_TABLES = ("games", "switches", "answers")  # the tables of which the report shows one column a condition


def with_levels(study: Study, tables: Tables) -> Tables:
    """Returns the tables with the levels of a game's hints and speed beside the name of its agent."""
    names = {}
    for game in tables["games"]:
        names[game["participant"], game["game"]] = _name_with_levels(study, game)
    renamed = dict(tables)
    for table in COMPARED_TABLES:
        rows: list[Row] = []
        for row in tables[table]:
            name = names.get((row["participant"], row["game"]), row["agent"])
            rows.append({**row, "agent": name})
        renamed[table] = rows
    return renamed


def _name_with_levels(study: Study, game: Row) -> str:
    parts = [str(game["agent"])]
    if len(study.factors.hints) > 1:
        parts.append("hints" if game["hints"] else "no hints")
    if len(study.factors.speed) > 1:
        speed = game["speed"]
        if speed is None:  # in plain mode
            parts.append("turn by turn")
        else:
            parts.append(f"{speed:g} a second")
    return ", ".join(parts)


def belief_table(calibrations: Sequence[Row], gates: Sequence[Row]) -> tuple[Table, str]:
    """Returns how well belief and gates follow the people in these rows, and what can be concluded from that.

    Each figure has its mean and interval over people, and the number of people who have one.
    """
    people = sorted({str(row["participant"]) for row in gates})
    measures = _calibration_measures(people, calibrations) | _gate_measures(people, gates)
    rows: list[TableRow] = []
    for name, values in measures.items():
        rows.append([name, *_over_people(values)])
    table = table_of(["measure"], ["mean", "interval", "people"], rows=rows)
    return table, _caution(len(people))


def beliefs_in_words(calibrations: Sequence[Row], gates: Sequence[Row]) -> str:
    """Returns a section in Markdown: calibration and gates beside the recorded people, and what cannot be concluded."""
    table, caution = belief_table(calibrations, gates)
    measure, mean_column, interval, people = table.columns
    interval = replace(interval, align="left")
    table = replace(table, columns=(measure, mean_column, interval, people))
    return f"{EACH_ONCE}.\n\n{to_markdown(table)}\n\n{caution}\n"


def ranked_beliefs(beliefs: Sequence[Row]) -> str:
    """Returns a table in Markdown: the beliefs in these rows, the one with the least log loss first; "" without any.

    Each figure is the mean over people, each of whom counts once.
    """
    rows: list[tuple[float, TableRow]] = []
    for belief in dict.fromkeys(row["belief"] for row in beliefs):
        rows_of_people = grouped((row["participant"], row) for row in rows_where(beliefs, belief=belief))
        means = [
            fmean([_mean_over_steps(person, column) for person in rows_of_people.values()])
            for column in ("log_loss", "right", "calibration_error")
        ]
        cells = [f"{value:.3f}" for value in means]
        rows.append((means[0], [str(belief), *cells, str(len(rows_of_people))]))
    if not rows:
        return ""
    rows.sort(key=lambda row: row[0])
    headings = ["log loss", "share right", "calibration error", "people"]
    table = table_of(["belief"], headings, rows=[cells for _, cells in rows])
    return f"\n{to_markdown(table)}\n"


def _mean_over_steps(games: Sequence[Row], column: str) -> float:
    """Returns the mean of a column over the steps of some games."""
    steps = [float(row["steps"] or 0) for row in games]
    values = [float(row[column] or 0) for row in games]
    return float(np.average(values, weights=steps))


def _calibration_measures(people: Sequence[str], calibrations: Sequence[Row]) -> dict[str, list[float]]:
    """Returns how well beliefs fit what each person did, by the name of the measure."""
    shares = []
    errors = []
    for person in people:
        bins = _bins(rows_where(calibrations, participant=person))
        steps, _, right = bins.sum(axis=0).tolist()
        if steps:
            shares.append(right / steps)
        if bins.any():
            errors.append(calibration_error(bins))
    return {
        "share of steps in which the likeliest role is the pursued one": shares,
        "expected calibration error": errors,
    }


def _gate_measures(people: Sequence[str], gates: Sequence[Row]) -> dict[str, list[float]]:
    """Returns how the gates followed the switches of each person, by the name of the measure."""
    measures: dict[str, list[float]] = {}
    for gate in ("contradiction", "commitment"):
        by_person = [rows_where(gates, participant=person, gate=gate) for person in people]
        for column, limit in (("caught_10", 10), ("caught_30", 30)):
            name = f"{gate} gate: share of switches caught within {limit} steps"
            measures[name] = _ratios(by_person, column, "switches")
        name = f"{gate} gate: needless openings in 1000 steps"
        measures[name] = _ratios(by_person, "needless", "steps", scale=1000)
    return measures


def _bins(rows: Iterable[Row]) -> Bins:
    bins = np.zeros((BINS, 3))
    for row in rows:
        low = float(row["low"] or 0)
        steps = float(row["steps"] or 0)
        belief = float(row["belief"] or 0)
        right = float(row["right"] or 0)
        place = round(low * BINS)
        bins[place] += (steps, steps * belief, steps * right)
    return bins


def _ratios(by_person: Iterable[Sequence[Row]], column: str, total: str, *, scale: int = 1) -> list[float]:
    """Returns the ratio of two sums for each person whose `total` is not 0."""
    ratios = []
    for rows in by_person:
        whole = _sum(rows, total)
        part = _sum(rows, column)
        if whole:
            ratios.append(scale * part / whole)
    return ratios


def _sum(rows: Sequence[Row], column: str) -> int:
    return sum(int(row[column] or 0) for row in rows)


def _over_people(values: Sequence[float]) -> list[Cell]:
    """Returns the cells with the mean over people, its interval, and the number of people."""
    summary = mean_over_people(values)
    if summary is None:
        return [Cell(NONE), Cell(NONE), Cell("0")]
    people = len(values)
    interval = f"{summary.low:.3f} to {summary.high:.3f}" if people >= ENOUGH else "too few people"
    return [Cell(f"{summary.mean:.3f}"), Cell(interval), Cell(str(people))]


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
