"""The results of an exam: the table over planners with the rows of chance, those of one planner, and the figure.

The figure has a panel for each of six marks, with a dot and its interval for each planner, and a line at chance.

A feasible skill at random is computed exactly, not drawn. The rollout planner's answers ship with the project.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from statistics import fmean, pstdev
from typing import Any, NamedTuple

from bba.bench.statistics import Summary, grouped
from bba.exam.answers import EXAM_SUFFIX, Answer, Result, read_result, used
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
from bba.report.formatting import NONE
from bba.tabular import to_markdown

AT_RANDOM = "at random (exact)"
SHIPPED_ANSWERS = data_dir("assets/exam") / f"rollout{EXAM_SUFFIX}"
NOT_TOLD_APART = "not told apart"
TOLD = ("lost", "complementary", "follows")  # marks that are compared with chance in words
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
    order = next((result.asked.order for result in results if result.asked.shuffled), None)
    names = {result.planner for result in results}
    own = [Row(row_name(result), items_of(result), result) for result in results]
    return [*(row for row in references(order) if row.name not in names), *own]


def row_name(result: Result) -> str:
    """Returns the name of a result in tables: the planner's, and which time it was asked if not the first."""
    return result.planner if result.asked.repeat == 1 else f"{result.planner} #{result.asked.repeat}"


def references(order: int | None = None) -> list[Row]:
    """Returns the rows that every table has; `order` is that of the valid actions, as in `Question`.

    Raises:
        BBAError: the answers that ship with the project cannot be read.
    """
    rollout = _rollout_answers()
    scripted = reference_answers()
    asked = questions(load_situations(), order)
    chosen: dict[str, Callable[[Question], int]] = {
        "always the first": lambda question: question.offered[0],
        "always STAY": lambda _: SKILL_STAY,
        "scripted": lambda question: scripted[question.key],
        "rollout": lambda question: rollout[question.key],
    }
    if any(question.key not in rollout for question in asked):
        del chosen["rollout"]

    def answered(question: Question, skill: int) -> MarkedAnswer:
        return MarkedAnswer(question, Answer(question=question.key, skill=skill), scripted[question.key], (skill,))

    rows = [Row(name, [answered(one, choose(one)) for one in asked]) for name, choose in chosen.items()]
    return [Row(AT_RANDOM, [item.at_random() for item in rows[0].items]), *rows]


@cache
def _rollout_answers() -> dict[str, int]:
    return {answer.question: answer.skill for answer in read_result(SHIPPED_ANSWERS).answers}


def verdict(items: MarkedAnswers, others: MarkedAnswers, name: str = "lost") -> str:
    """Returns in words how a mark compares with that of other answers, by the paired interval; "" if nothing counts."""
    difference = MARK[name].beside(_usable(items), others)
    if difference is None or difference.low is None or difference.high is None:
        return ""
    if difference.low <= 0 <= difference.high:
        return NOT_TOLD_APART
    return "better" if (difference.mean < 0) == (name == "lost") else "worse"


def _usable(items: MarkedAnswers) -> MarkedAnswers:
    """Returns the answers as they are compared: one that could not be used, for which a cook waits, says nothing."""
    return [item if item.answer.problem is None else item.at_random() for item in items]


def beside_references(items: MarkedAnswers) -> list[str]:
    """Returns how the points lost compare with those of a skill at random, and of one that always waits."""
    return [verdict(items, [item.at_random() for item in items]), verdict(items, [item.waiting() for item in items])]


def verdicts(items: MarkedAnswers) -> Iterator[str]:
    """Yields what is to be said of chance, a line each: marks beside it, one answer to everything, places in lists."""
    chance = [item.at_random() for item in items]
    waiting = [item.waiting() for item in items]
    compared = _usable(items)
    unusable = any(item.answer.problem for item in items)
    for name, others, whom in (*((name, chance, "chance") for name in TOLD), ("lost", waiting, "always STAY")):
        mark = MARK[name]
        said = verdict(items, others, name)
        numbers = [mark.of(compared), mark.of(others), mark.beside(compared, others)]
        if said:
            words = f"{said} from" if said == NOT_TOLD_APART else f"{said} than"
            own, other, difference = (mark_text(number, mark) for number in numbers)
            yield f"{mark.label}: {words} {whom}: {own}, there {other}; difference {difference}"
    if unusable:
        yield "in these comparisons an unusable answer counts as one at random"
    (most, count), *_ = Counter(item.skill for item in items).most_common(1) or [(SKILL_STAY, 0)]
    if count >= ONE_ANSWER * max(len(items), 1):
        yield f"one answer to {100 * count / len(items):.0f} % of the questions: {SKILL_NAMES[most]}"
    found = list(zip(places(items), places(chance), strict=False))
    told = [f"{n} {100 * own:.0f} % ({100 * other:.0f})" for n, (own, other) in enumerate(found[:FIRST_PLACES], 1)]
    if told:
        yield f"place in the list of valid actions, at random in brackets: {', '.join(told)}"


def between_repeats(results: Sequence[Result]) -> Iterator[str]:
    """Yields a line for each planner that was asked several times: how far its repeats differ."""
    for planner, asked in grouped((result.planner, result) for result in results).items():
        if len(asked) < 2:
            continue
        items = [{item.question.key: item for item in items_of(result)} for result in asked]
        lost = [fmean(item.lost for item in of.values()) for of in items if of]
        common = set.intersection(*(set(of) for of in items))
        alike = sum(len({of[key].skill for of in items}) == 1 for key in common) / max(len(common), 1)
        questions_ = pstdev(fmean(of[key].lost for of in items) for key in common) if common else 0.0
        yield (
            f"{planner}, {len(asked)} times: points lost {', '.join(f'{one:.1f}' for one in lost)}; standard deviation "
            f"{pstdev(lost) if lost else 0:.1f} between repeats, {questions_:.1f} between questions; "
            f"{100 * alike:.0f} % of the answers always the same"
        )


BESIDE = ("than chance", "than STAY")
USED = ("tokens sent", "received", "s", "$")
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


def over_planners(results: Sequence[Result]) -> tuple[list[str], list[list[str]]]:
    """Returns the heading and the rows of the table over planners, those that every table has above."""
    heading = ["planner", "answers", *(MARK[name].label for name in EXAM_ROWS), *BESIDE, *USED]
    return heading, [_row(row) for row in rows_of(results)]


def _row(row: Row) -> list[str]:
    marks = marks_of(row.items)
    result = row.result
    texts = [*(mark_text(marks[name], MARK[name]) for name in EXAM_ROWS)]
    texts += (
        [NONE for _ in BESIDE] if row.name == AT_RANDOM else [said or NONE for said in beside_references(row.items)]
    )
    if result is None:
        return [row.name, str(len(row.items)), *texts, *(NONE for _ in USED)]
    found = used(result)
    sign = "~" if found.estimated else ""
    return [
        row.name,
        str(result.total) if result.complete else f"{len(result.answers)} of {result.total}",
        *texts,
        *(f"{sign}{number:,.0f}" if found.sent else NONE for number in (found.sent, found.received)),
        f"{found.seconds:.2f}",
        NONE if found.dollars is None else f"{found.dollars:.2f}",
    ]


def all_marks(items: MarkedAnswers) -> tuple[list[str], list[list[str]]]:
    """Returns the table of all marks of one planner, each beside that of skills at random."""
    chance = [item.at_random() for item in items]
    rows = [
        [
            *(mark.label, mark_text(found, mark), mark_text(mark.of(chance), mark)),
            *(str(found.n) if found else NONE, mark.about),
        ]
        for mark, found in zip(EXAM_MARKS, marks_of(items).values(), strict=True)
    ]
    return ["mark", "%, lost in points", "at random", "of", "what it says"], rows


def by_kind(items: MarkedAnswers) -> tuple[list[str], list[list[str]]]:
    """Returns the table of one planner's marks by kind of situation, then by kitchen."""
    groups: Mapping[str, Mapping[str, Summary | None]] = {
        **marks_by(items, lambda item: item.situation.kind),
        **marks_by(items, lambda item: item.situation.kitchen),
    }
    rows = [
        [name, *(mark_text(marks[one], MARK[one]) for one in BY_KIND), SITUATION_KINDS.get(name, "")]  # type: ignore[call-overload]
        for name, marks in groups.items()
    ]
    return ["questions", *(MARK[name].label for name in BY_KIND), ""], rows


def as_markdown(results: Sequence[Result]) -> str:
    """Returns the table over planners as a Markdown file, with what its columns are."""
    heading, rows = over_planners(results)
    notes = [f"- **{MARK[name].label}**: {MARK[name].about}" for name in EXAM_ROWS]
    notes.append("- **tokens sent**, **received**, **s**: of an answer, with the median time; **$**: all answers")
    table = to_markdown(tuple(heading), (tuple(row) for row in rows))
    about = (
        "Percent with 95 % intervals; *lost* in points. A feasible skill at random is computed exactly. `scripted` and "
        "`rollout` are no language models. *than chance*, *than STAY*: whether the points lost are told apart from "
        "those of a skill at random, or of waiting each time, by the paired bootstrap interval over questions."
    )
    repeats = [f"- {text}" for text in between_repeats(results)]
    return f"# Exam\n\n{table}\n\n{about}\n\n" + "\n".join([*notes, *repeats]) + "\n"


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
    chance = next(found for row, found in zip(rows, marks, strict=True) if row.name == AT_RANDOM)

    def paint(_: Any, axes: list[list[Axes]]) -> None:
        for number, (panel, name) in enumerate(zip((one for row in axes for one in row), PANEL_TITLES, strict=True)):
            panel.set(title=PANEL_TITLES[name], ylim=(len(rows) - 0.5, -0.5))
            scale = 1 if MARK[name].points else 100
            for row, found in enumerate(marks):
                dot(panel, found[name], row, row, scale)
            names = [row.name for row in rows] if number % 3 == 0 else []
            panel.set_yticks(range(len(rows)), names or [""] * len(rows))
            if (expected := chance[name]) is not None:
                panel.axvline(scale * expected.mean, color=DIM, linewidth=1, linestyle=(0, (5, 2)))
            panel.grid(visible=False, axis="y")
            _scale(panel, MARK[name])

    drawn = draw("exam", (2, 3), 1.4 + 2 * 0.26 * len(rows), paint)
    return standalone(drawn, page_colours(LIGHT))


def _scale(panel: Axes, mark: Mark) -> None:
    if mark.name == "follows":
        panel.axvline(0, color=DIM, linewidth=1)
    else:
        panel.set_xlim(0, None if mark.points else 103)
    panel.set_xlabel("points" if mark.points else "%")
