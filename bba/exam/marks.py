"""The marks of an exam: what the answers of a planner say of it, each with a 95 % interval.

Shares have Wilson's interval, as if questions were independent; means and differences are resampled (bootstrap).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from bba.belief import NO_ROLE, ROLE_OF_SKILL, is_complementary
from bba.bench.statistics import Summary, mean_difference, share_of
from bba.exam.answers import Answer, Examiner, Result, scripted
from bba.exam.kinds import heeding
from bba.exam.situations import EGO, ExamSituation, Kind, Question, load_situations, questions
from bba.kitchen.constants import SKILL_STAY


class MarkedAnswer(NamedTuple):
    """A question with its answer, and with that of the scripted planner."""

    question: Question
    answer: Answer
    reference: int

    @property
    def situation(self) -> ExamSituation:
        """The situation that was asked about."""
        return self.question.situation

    @property
    def role(self) -> int:
        """The role of the answer."""
        return ROLE_OF_SKILL[self.answer.skill]

    @property
    def believed(self) -> int:
        """The role that the prompt says with confidence, where that should count; NO_ROLE for none."""
        belief = self.question.belief
        counts = belief is not None and belief.confident and self.situation.kind not in ("clear", "hazard")
        return belief.role if belief and counts else NO_ROLE

    @property
    def lost(self) -> float:
        """The points that the rollout planner expects less of the answer than of the best one."""
        values = self.situation.values[self.question.variant]
        return max(values.values()) - values.get(self.answer.skill, min(values.values()))


MarkedAnswers = Sequence[MarkedAnswer]


class Mark(NamedTuple):
    """One mark.

    Attributes:
        name: its key in JSON.
        label: its heading in tables.
        about: what it says, in one phrase.
        of: computes it; None where there is nothing to count.
        points: whether it is in points, not a share.
        better: 1 if more is better, -1 if less, 0 for neither.
    """

    name: str
    label: str
    about: str
    of: Callable[[MarkedAnswers], Summary | None]
    points: bool = False
    better: int = 1


def items_of(result: Result) -> list[MarkedAnswer]:
    """Returns the answered questions, in the order of the exam."""
    answers, reference = {answer.question: answer for answer in result.answers}, reference_answers()
    return [
        MarkedAnswer(question, answers[question.key], reference[question.key])
        for question in questions(load_situations())
        if question.key in answers
    ]


@cache
def reference_answers() -> dict[str, int]:
    """Returns what the scripted planner answers to each question, by its name."""
    examiner = Examiner(scripted())
    return {question.key: examiner.ask(question).skill for question in questions(load_situations())}


def _usable(items: MarkedAnswers) -> Summary | None:
    return share_of(item.answer.problem is None for item in items)


def _usable_at_once(items: MarkedAnswers) -> Summary | None:
    return share_of(item.answer.problem is None and item.answer.attempts == 1 for item in items)


def _complementary(items: MarkedAnswers) -> Summary | None:
    told = [item for item in items if item.believed != NO_ROLE]
    return share_of(is_complementary(item.role, item.believed) for item in told)


def _duplicates(items: MarkedAnswers) -> Summary | None:
    told = [item for item in items if item.believed != NO_ROLE]
    return share_of(item.role == item.believed for item in told)


def _fits_truth(items: MarkedAnswers) -> Summary | None:
    known = [item for item in items if item.question.variant == "own" and item.situation.truth != NO_ROLE]
    safe = [item for item in known if item.situation.kind != "hazard"]
    return share_of(is_complementary(item.role, item.situation.truth) for item in safe)


def _agrees(items: MarkedAnswers) -> Summary | None:
    return share_of(item.answer.skill == item.reference for item in items)


def _lost(items: MarkedAnswers) -> Summary | None:
    return mean_difference([item.lost for item in items])


def _heeded(items: MarkedAnswers) -> Summary | None:
    dangers = [item for item in items if item.situation.kind == "hazard"]
    return share_of(_heeds(item) for item in dangers)


def _heeds(item: MarkedAnswer) -> bool:
    scene = item.situation.observation().scene()
    return item.answer.skill in heeding(scene, scene.players[EGO].held)


def _waits(items: MarkedAnswers) -> Summary | None:
    unsure = [item for item in items if item.situation.kind == "uncertain"]
    return share_of(item.answer.skill == SKILL_STAY for item in unsure)


def _follows(items: MarkedAnswers) -> Summary | None:
    """Compares the same situation with two beliefs: is the answer complementary to the first one more often then?"""
    pairs = [(own, other) for own, other, _ in _compared(items, "right", "wrong", "switched")]
    return mean_difference([_fits(own, own) - _fits(other, own) for own, other in pairs])


def _fits(item: MarkedAnswer, told: MarkedAnswer) -> float:
    return float(is_complementary(item.role, told.believed))


def _changed(items: MarkedAnswers) -> Summary | None:
    compared = _compared(items, "right", "wrong", "switched")
    return share_of(own.answer.skill != other.answer.skill for own, other, _ in compared)


def _changed_without(items: MarkedAnswers) -> Summary | None:
    compared = _compared(items, "right", "wrong", "switched")
    return share_of(own.answer.skill != none.answer.skill for own, _, none in compared)


def _changed_clear(items: MarkedAnswers) -> Summary | None:
    compared = _compared(items, "clear")
    return share_of(own.answer.skill != other.answer.skill for own, other, _ in compared)


def _compared(items: MarkedAnswers, *kinds: Kind) -> Iterator[tuple[MarkedAnswer, MarkedAnswer, MarkedAnswer]]:
    """Yields the answers to each situation of these kinds with its own belief, the other one, and none."""
    found: dict[str, dict[str, MarkedAnswer]] = {}
    for item in items:
        if item.situation.kind in kinds:
            found.setdefault(item.situation.name, {})[item.question.variant] = item
    for by_variant in found.values():
        if len(by_variant) == 3:
            yield by_variant["own"], by_variant["other"], by_variant["none"]


EXAM_MARKS = (
    Mark("usable", "usable", "answers that name a feasible skill, re-asks included", _usable),
    Mark("usable_at_once", "at once", "answers that do so without a re-ask", _usable_at_once),
    Mark("complementary", "compl.", "of answers to a confident belief: complementary to it", _complementary),
    Mark("duplicates", "dupl.", "of answers to a confident belief: in the same role", _duplicates, better=-1),
    Mark("fits_truth", "compl. truth", "complementary to what the partner really did", _fits_truth),
    Mark("follows", "follows", "how much more often an answer fits a belief that is shown than if it is not", _follows),
    Mark("changed", "changed", "answers that change with the belief", _changed, better=0),
    Mark("changed_without", "ch. none", "answers that change without the belief block", _changed_without, better=0),
    Mark(
        "changed_clear",
        "ch. clear",
        "answers that change with the belief although the need is clear",
        _changed_clear,
        better=-1,
    ),
    Mark("heeded", "heeded", "hazards that are dealt with", _heeded),
    Mark("waits", "waits", "of answers to an uncertain belief: wait", _waits, better=-1),
    Mark("agrees", "as scripted", "the scripted planner's answer", _agrees, better=0),
    Mark("lost", "lost", "points lost against the rollout planner's best skill", _lost, points=True, better=-1),
)
BY_KIND = ("complementary", "duplicates", "agrees", "lost")  # marks that are told by kind and kitchen as well


def marks_of(items: MarkedAnswers) -> dict[str, Summary | None]:
    """Returns every mark by name; None where there is nothing to count."""
    return {mark.name: mark.of(items) for mark in EXAM_MARKS}


def marks_by(items: MarkedAnswers, group: Callable[[MarkedAnswer], str]) -> dict[str, dict[str, Summary | None]]:
    """Returns the marks of `BY_KIND` for every group of questions, by its name."""
    grouped: dict[str, list[MarkedAnswer]] = {}
    for item in items:
        grouped.setdefault(group(item), []).append(item)
    wanted: Iterable[Mark] = [mark for mark in EXAM_MARKS if mark.name in BY_KIND]
    return {name: {mark.name: mark.of(of_group) for mark in wanted} for name, of_group in grouped.items()}
