"""What an exam tells of chance: the rows that stand beside every planner, and in words what is told apart from them.

A feasible skill at random is computed exactly, not drawn. The rollout planner's answers ship with the project.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from statistics import fmean, pstdev
from typing import NamedTuple

from bba.bench.statistics import grouped
from bba.exam.answers import EXAM_SUFFIX, Answer, Result, read_result
from bba.exam.marks import MARK, MarkedAnswer, MarkedAnswers, items_of, mark_text, places, reference_answers
from bba.exam.situations import Question, load_situations, questions
from bba.files import data_dir
from bba.kitchen.constants import SKILL_NAMES, SKILL_STAY

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
    rollout, scripted, asked = _rollout_answers(), reference_answers(), questions(load_situations(), order)
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
    compared, unusable = _usable(items), any(item.answer.problem for item in items)
    for name, others, whom in (*((name, chance, "chance") for name in TOLD), ("lost", waiting, "always STAY")):
        mark, said = MARK[name], verdict(items, others, name)
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
