"""The results of an exam: the table over planners with the rows of chance, those of one planner, and the figure.

The figure has a panel for each of six marks, with a dot and its interval for each planner, and a line at chance.

A feasible skill at random is computed exactly, not drawn. The rollout planner's answers ship with the project.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from statistics import fmean, pstdev
from typing import Any, NamedTuple

from bba.bench.formatting import NONE
from bba.bench.statistics import Summary, grouped
from bba.exam.answers import EXAM_SUFFIX, Answer, AnswerUsage, Result, read_result, used
from bba.exam.marks import (
    BY_KIND,
    EXAM_MARKS,
    MARK,
    Mark,
    MarkedAnswer,
    MarkedAnswers,
    items_of,
    mark_text,
    marks_by,
    marks_of,
    places,
    reference_answers,
)
from bba.exam.situations import SITUATION_KINDS, Question, load_situations, questions
from bba.files import data_dir
from bba.kitchen.constants import SKILL_NAMES, SKILL_STAY
from bba.palette import LIGHT
from bba.report.drawing import DIM, Axes, dot, draw, page_colours, standalone
from bba.tables import Table, table_of, to_markdown

AT_RANDOM = "at random (exact)"
SHIPPED_ANSWERS = data_dir("assets/exam") / f"rollout{EXAM_SUFFIX}"
NOT_TOLD_APART = "not told apart"
COMPARED_MARKS = ("lost", "complementary", "follows")  # marks that are compared with chance in words
ONE_ANSWER = 0.4  # share of the answers from which the most frequent one is named
FIRST_PLACES = 4  # places in the list that are told one by one


class Row(NamedTuple):
    """A planner in a table.

    Attributes:
        name: its name.
        items: its answers.
        result: what they were read from; None for a planner that only stands beside the others.
    """

    name: str
    items: MarkedAnswers
    result: Result | None = None


def rows_of(results: Sequence[Result]) -> list[Row]:
    """Returns the rows of a table: the planners of these results below those that every table has.

    Raises:
        BBAError: the answers that ship with the project cannot be read.
    """
    orders = [result.asked.order for result in results if result.asked.shuffled]
    names = {result.planner for result in results}
    rows = [row for row in references(orders[0] if orders else None) if row.name not in names]
    rows += [Row(row_name(result), items_of(result), result) for result in results]
    return rows


def row_name(result: Result) -> str:
    """Returns the name of a result in tables: the planner's, and the number of the repeat if it is not the first."""
    return result.planner if result.asked.repeat == 1 else f"{result.planner} #{result.asked.repeat}"


def references(order: int | None = None) -> list[Row]:
    """Returns the rows that every table has; `order` is that of the valid actions, as in `Question`.

    Raises:
        BBAError: the answers that ship with the project cannot be read.
    """
    rollout = _rollout_answers()
    scripted = reference_answers()
    exam = questions(load_situations(), order)
    choices: dict[str, Callable[[Question], int]] = {
        "always the first": lambda question: question.offered[0],
        "always STAY": lambda _: SKILL_STAY,
        "scripted": lambda question: scripted[question.key],
        "rollout": lambda question: rollout[question.key],
    }
    if any(question.key not in rollout for question in exam):
        del choices["rollout"]

    def answered(question: Question, skill: int) -> MarkedAnswer:
        answer = Answer(question=question.key, skill=skill)
        return MarkedAnswer(question, answer, scripted[question.key], (skill,))

    rows = []
    for name, choose in choices.items():
        rows.append(Row(name, [answered(question, choose(question)) for question in exam]))
    at_random = [item.at_random() for item in rows[0].items]
    return [Row(AT_RANDOM, at_random), *rows]


@cache
def _rollout_answers() -> dict[str, int]:
    return {answer.question: answer.skill for answer in read_result(SHIPPED_ANSWERS).answers}


def verdict(items: MarkedAnswers, baseline: MarkedAnswers, name: str = "lost") -> str:
    """Returns in words how a mark compares with that of other answers, by the paired interval; "" if nothing counts."""
    difference = MARK[name].paired_difference(_usable(items), baseline)
    if difference is None or difference.low is None or difference.high is None:
        return ""
    if difference.low <= 0 <= difference.high:
        return NOT_TOLD_APART
    less_is_better = name == "lost"
    is_less = difference.mean < 0
    return "better" if is_less == less_is_better else "worse"


def _usable(items: MarkedAnswers) -> MarkedAnswers:
    """Returns the answers as they are compared: an unusable answer, for which a cook waits, counts as one at random."""
    return [item if item.answer.problem is None else item.at_random() for item in items]


def beside_references(items: MarkedAnswers) -> list[str]:
    """Returns how the points lost compare with those of a skill at random, and of one that always waits."""
    chance = [item.at_random() for item in items]
    waiting = [item.waiting() for item in items]
    return [verdict(items, chance), verdict(items, waiting)]


def verdicts(items: MarkedAnswers) -> Iterator[str]:
    """Yields comparisons with chance, a line each: marks beside it, one answer to everything, places in lists."""
    chance = [item.at_random() for item in items]
    waiting = [item.waiting() for item in items]
    comparisons = [_comparison(items, chance, name, "chance") for name in COMPARED_MARKS]
    comparisons.append(_comparison(items, waiting, "lost", "always STAY"))
    yield from filter(None, comparisons)
    if any(item.answer.problem for item in items):
        yield "in these comparisons an unusable answer counts as one at random"
    if items:
        [(skill, count)] = Counter(item.skill for item in items).most_common(1)
        if count >= ONE_ANSWER * len(items):
            yield f"one answer to {100 * count / len(items):.0f} % of the questions: {SKILL_NAMES[skill]}"
    shares = list(zip(places(items), places(chance), strict=False))[:FIRST_PLACES]
    if shares:
        texts = [
            f"{place} {100 * share:.0f} % ({100 * expected:.0f})" for place, (share, expected) in enumerate(shares, 1)
        ]
        yield f"place in the list of valid actions, at random in brackets: {', '.join(texts)}"


def _comparison(items: MarkedAnswers, baseline: MarkedAnswers, name: str, baseline_name: str) -> str:
    """Returns a line that compares a mark of the answers with that of other answers; "" if nothing counts."""
    mark = MARK[name]
    judgement = verdict(items, baseline, name)
    if not judgement:
        return ""
    preposition = "from" if judgement == NOT_TOLD_APART else "than"
    compared = _usable(items)
    value = mark_text(mark.of(compared), mark)
    baseline_value = mark_text(mark.of(baseline), mark)
    difference = mark_text(mark.paired_difference(compared, baseline), mark)
    return (
        f"{mark.label}: {judgement} {preposition} {baseline_name}: "
        f"{value}, there {baseline_value}; difference {difference}"
    )


def between_repeats(results: Sequence[Result]) -> Iterator[str]:
    """Yields a line for each planner that was asked several times: how far its repeats differ."""
    for planner, repeats in grouped((result.planner, result) for result in results).items():
        if len(repeats) >= 2:
            yield _difference_of_repeats(planner, repeats)


def _difference_of_repeats(planner: str, repeats: Sequence[Result]) -> str:
    items = [{item.question.key: item for item in items_of(result)} for result in repeats]
    lost = [fmean(item.lost for item in by_key.values()) for by_key in items if by_key]
    common = set.intersection(*[set(by_key) for by_key in items])
    alike = 0
    lost_by_question = []
    for key in common:
        repeated = [by_key[key] for by_key in items]
        if len({item.skill for item in repeated}) == 1:
            alike += 1
        lost_by_question.append(fmean(item.lost for item in repeated))
    share_alike = alike / max(len(common), 1)
    deviation = pstdev(lost) if lost else 0
    between_questions = pstdev(lost_by_question) if common else 0.0
    lost_texts = ", ".join(f"{points:.1f}" for points in lost)
    return (
        f"{planner}, {len(repeats)} times: points lost {lost_texts}; standard deviation "
        f"{deviation:.1f} between repeats, {between_questions:.1f} between questions; "
        f"{100 * share_alike:.0f} % of the answers always the same"
    )


BASELINE_HEADINGS = ("than chance", "than STAY")
USAGE_HEADINGS = ("tokens sent", "received", "s", "$")
EXAM_ROWS = (
    "usable",
    "complementary",
    "duplicates",
    "follows",
    "changed_clear",
    "heeded",
    "most_frequent",
    "first",
    "lost",
)  # in the table over planners


def over_planners(results: Sequence[Result]) -> Table:
    """Returns the table over planners, with the rows that every table has above."""
    labels = [MARK[name].label for name in EXAM_ROWS]
    numbers = ["answers", *labels, *BASELINE_HEADINGS, *USAGE_HEADINGS]
    return table_of(["planner"], numbers, rows=[_row(row) for row in rows_of(results)])


def _row(row: Row) -> list[str]:
    marks = marks_of(row.items)
    result = row.result
    texts = [mark_text(marks[name], MARK[name]) for name in EXAM_ROWS]
    if row.name == AT_RANDOM:
        texts += [NONE] * len(BASELINE_HEADINGS)
    else:
        texts += [judgement or NONE for judgement in beside_references(row.items)]
    if result is None:
        return [row.name, str(len(row.items)), *texts, *[NONE] * len(USAGE_HEADINGS)]
    count = str(result.total) if result.complete else f"{len(result.answers)} of {result.total}"
    return [row.name, count, *texts, *_usage_texts(used(result))]


def _usage_texts(usage: AnswerUsage) -> list[str]:
    """Returns the usage of the answers, in the order of `USAGE_HEADINGS`."""
    sign = "~" if usage.estimated else ""
    sent = NONE
    received = NONE
    if usage.sent:
        sent = f"{sign}{usage.sent:,.0f}"
        received = f"{sign}{usage.received:,.0f}"
    dollars = NONE if usage.dollars is None else f"{usage.dollars:.2f}"
    return [sent, received, f"{usage.seconds:.2f}", dollars]


def all_marks(items: MarkedAnswers) -> Table:
    """Returns the table of all marks of one planner, each beside that of skills at random."""
    chance = [item.at_random() for item in items]
    rows = []
    for mark, summary in zip(EXAM_MARKS, marks_of(items).values(), strict=True):
        value = mark_text(summary, mark)
        expected = mark_text(mark.of(chance), mark)
        count = str(summary.n) if summary else NONE
        rows.append([mark.label, value, expected, count, mark.about])
    return table_of(["mark"], ["%, lost in points", "at random"], ["of", "what it says"], rows=rows)


def by_kind(items: MarkedAnswers) -> Table:
    """Returns the table of one planner's marks by kind of situation, then by kitchen."""
    groups: Mapping[str, Mapping[str, Summary | None]] = {
        **marks_by(items, lambda item: item.situation.kind),
        **marks_by(items, lambda item: item.situation.kitchen),
    }
    explanations = {str(kind): explanation for kind, explanation in SITUATION_KINDS.items()}
    rows = []
    for name, marks in groups.items():
        texts = [mark_text(marks[key], MARK[key]) for key in BY_KIND]
        rows.append([name, *texts, explanations.get(name, "")])
    labels = [MARK[name].label for name in BY_KIND]
    return table_of(["questions"], labels, [""], rows=rows)


def as_markdown(results: Sequence[Result]) -> str:
    """Returns the table over planners as a Markdown file, with an explanation of its columns."""
    table = to_markdown(over_planners(results), aligned=False)
    notes = [f"- **{MARK[name].label}**: {MARK[name].about}" for name in EXAM_ROWS]
    notes.append("- **tokens sent**, **received**, **s**: of an answer, with the median time; **$**: all answers")
    explanation = (
        "Percent with 95 % intervals; *lost* in points. A feasible skill at random is computed exactly. `scripted` and "
        "`rollout` are no language models. *than chance*, *than STAY*: whether the points lost are told apart from "
        "those of a skill at random, or of waiting each time, by the paired bootstrap interval over questions."
    )
    notes += [f"- {text}" for text in between_repeats(results)]
    items = "\n".join(notes)
    return f"# Exam\n\n{table}\n\n{explanation}\n\n{items}\n"


PANEL_TITLES = {
    "usable": "usable answers",
    "complementary": "complement the belief",
    "duplicates": "duplicate the belief's role",
    "follows": "follow the belief (difference)",
    "heeded": "heed hazards",
    "lost": "points lost against rollout",
}


def figure(results: Sequence[Result]) -> str:
    """Returns the figure as SVG; the same answers give the same text."""
    rows = rows_of(results)
    marks = [marks_of(row.items) for row in rows]
    names = [row.name for row in rows]
    chance = marks[names.index(AT_RANDOM)]

    def paint(_: Any, axes: list[list[Axes]]) -> None:
        panels = [panel for row in axes for panel in row]
        for number, (panel, mark_name) in enumerate(zip(panels, PANEL_TITLES, strict=True)):
            is_leftmost = number % 3 == 0
            paint_panel(panel, MARK[mark_name], names if is_leftmost else [""] * len(rows))

    def paint_panel(panel: Axes, mark: Mark, row_labels: list[str]) -> None:
        panel.set(title=PANEL_TITLES[mark.name], ylim=(len(rows) - 0.5, -0.5))
        scale = 1 if mark.points else 100
        for row, of_row in enumerate(marks):
            dot(panel, of_row[mark.name], row, row, scale)
        panel.set_yticks(range(len(rows)), row_labels)
        expected = chance[mark.name]
        if expected is not None:
            panel.axvline(scale * expected.mean, color=DIM, linewidth=1, linestyle=(0, (5, 2)))
        panel.grid(visible=False, axis="y")
        _scale(panel, mark)

    svg = draw("exam", (2, 3), 1.4 + 2 * 0.26 * len(rows), paint)
    return standalone(svg, page_colours(LIGHT))


def _scale(panel: Axes, mark: Mark) -> None:
    if mark.name == "follows":
        panel.axvline(0, color=DIM, linewidth=1)
    else:
        panel.set_xlim(0, None if mark.points else 103)
    panel.set_xlabel("points" if mark.points else "%")
