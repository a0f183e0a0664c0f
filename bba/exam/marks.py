"""The marks of an exam: what the answers of a planner say of it, each with a 95 % interval.

Shares have Wilson's interval, as if questions were independent; means and differences are resampled (bootstrap). Each
mark has a value in every question, or in every pair of questions about one situation. So it can be computed exactly for
a feasible skill at random, and a planner is compared with that question by question.
"""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import product
from statistics import fmean
from typing import NamedTuple

from bba.belief import NO_ROLE, ROLE_OF_SKILL, is_complementary
from bba.bench.statistics import Summary, grouped, mean_difference, share_of
from bba.exam.answers import Answer, Result, ask, scripted
from bba.exam.situations import EGO, ExamSituation, Kind, Question, Variant, load_situations, questions
from bba.kitchen import Scene, constants
from bba.planner.scene_text import hazards
from bba.report.formatting import NONE


class MarkedAnswer(NamedTuple):
    """A question with its answer, and with that of the scripted planner.

    Attributes:
        question: the question.
        answer: what came back.
        reference: the skill that the scripted planner chooses.
        skills: what is marked: the skill of the answer, or several, each as likely as the others.
    """

    question: Question
    answer: Answer
    reference: int
    skills: tuple[int, ...]

    @property
    def situation(self) -> ExamSituation:
        """The situation that was asked about."""
        return self.question.situation

    @property
    def skill(self) -> int:
        """The skill, where it is one."""
        return self.skills[0]

    @property
    def role(self) -> int:
        """The role of the skill."""
        return ROLE_OF_SKILL[self.skill]

    @property
    def believed(self) -> int:
        """The role that the prompt says with confidence, where that should count; NO_ROLE for none."""
        belief = self.question.belief
        counts = belief is not None and belief.confident and self.situation.kind not in ("clear", "hazard")
        return belief.role if belief and counts else NO_ROLE

    @property
    def lost(self) -> float:
        """The points that the rollout planner expects less of the skill than of the best one."""
        values = self.situation.values[self.question.variant]
        return max(values.values()) - values.get(self.skill, min(values.values()))

    def at_random(self) -> "MarkedAnswer":
        """Returns the same question with every feasible skill, each as likely."""
        return self._replace(skills=self.question.offered)

    def waiting(self) -> "MarkedAnswer":
        """Returns the same question with STAY for an answer."""
        return self._replace(skills=(constants.SKILL_STAY,))


MarkedAnswers = Sequence[MarkedAnswer]


class Mark(NamedTuple):
    """One mark.

    Attributes:
        name: its key in JSON.
        label: its heading in tables.
        about: what it says, in one phrase.
        each: its value in each question, or in each pair of questions, that it counts.
        share: whether it is a share of them; else it is a mean.
        points: whether it is in points, not in percent.
    """

    name: str
    label: str
    about: str
    each: Callable[[MarkedAnswers], list[float]]
    share: bool = True
    points: bool = False

    def of(self, items: MarkedAnswers) -> Summary | None:
        """Returns the mark; None where there is nothing to count. Of answers at random it is exact: no interval."""
        values = self.each(items)
        if values and any(len(item.skills) > 1 for item in items):
            return Summary(fmean(values), len(values))
        return share_of(value == 1 for value in values) if self.share else mean_difference(values)

    def beside(self, items: MarkedAnswers, others: MarkedAnswers) -> Summary | None:
        """Returns how much more it is than for other answers to the same questions, paired; None for nothing."""
        return mean_difference([own - other for own, other in zip(self.each(items), self.each(others), strict=True)])


def items_of(result: Result) -> list[MarkedAnswer]:
    """Returns the answered questions, in the order of the exam."""
    answers = {answer.question: answer for answer in result.answers}
    reference = reference_answers()
    return [
        MarkedAnswer(question, answers[question.key], reference[question.key], (answers[question.key].skill,))
        for question in questions(load_situations(), result.asked.order)
        if question.key in answers
    ]


@cache
def reference_answers() -> dict[str, int]:
    """Returns what the scripted planner answers to each question, by its name."""
    planner = scripted()
    return {question.key: ask(planner, question).skill for question in questions(load_situations())}


def _expected(value: Callable[..., float], *asked: MarkedAnswer) -> float:
    """Returns the mean of a value of one or two answers over the skills that these may be."""
    combinations = product(*(item.skills for item in asked))
    return fmean(
        float(value(*(item._replace(skills=(skill,)) for item, skill in zip(asked, skills, strict=True))))
        for skills in combinations
    )


def _each(
    value: Callable[[MarkedAnswer], float], among: Callable[[MarkedAnswer], bool] = lambda _: True
) -> Callable[[MarkedAnswers], list[float]]:
    return lambda items: [_expected(value, item) for item in items if among(item)]


def _pairs(
    value: Callable[[MarkedAnswer, MarkedAnswer], float], variant: Variant, *kinds: Kind
) -> Callable[[MarkedAnswers], list[float]]:
    return lambda items: [_expected(value, of["own"], of[variant]) for of in _compared(items, *kinds)]


def _changes(own: MarkedAnswer, other: MarkedAnswer) -> bool:
    return own.skill != other.skill


def _follows(own: MarkedAnswer, other: MarkedAnswer) -> float:
    """Compares one situation with two beliefs: is the answer complementary to the first one more often then?"""
    return is_complementary(own.role, own.believed) - is_complementary(other.role, own.believed)


def _most_frequent(items: MarkedAnswers) -> list[float]:
    counts = grouped((skill, 1 / len(item.skills)) for item in items for skill in item.skills)
    most = max(counts, key=lambda skill: sum(counts[skill]), default=None)
    return [(most in item.skills) / len(item.skills) for item in items]


def places(items: MarkedAnswers) -> list[float]:
    """Returns the share of the answers that stand first, second, … in the list of valid actions."""
    placed = ((item.question.offered, skill, 1 / len(item.skills)) for item in items for skill in item.skills)
    found = grouped((offered.index(skill), share) for offered, skill, share in placed if skill in offered)
    return [sum(found.get(place, ())) / len(items) for place in range(max(found, default=-1) + 1)]


def _told(item: MarkedAnswer) -> bool:
    return item.believed != NO_ROLE


def heeding(scene: Scene) -> frozenset[int]:
    """Returns the skills of player 0 that deal with the hazards of a scene, the worst first: fire, food, charcoal."""
    fires, warnings, charcoal = hazards(scene.objects)
    if fires:
        return frozenset({constants.PUT_OUT_FIRE, constants.GRAB_FIRE_EXT})
    if warnings:
        return frozenset(_FETCHES[item.name] for item in warnings)
    if charcoal or scene.players[EGO].held == "charcoal":
        return frozenset({constants.GRAB_CHARCOAL, constants.THROW})
    return frozenset()


_FETCHES = {
    "chopped_steak": constants.GET_STEAK,
    "fried_mushroom": constants.GET_MUSHROOM,
    "boiled_rice": constants.GET_BOILED_RICE,
}


def _compared(items: MarkedAnswers, *kinds: Kind) -> list[dict[Variant, MarkedAnswer]]:
    of_kinds = (item for item in items if item.situation.kind in kinds)
    found = grouped((item.situation.name, (item.question.variant, item)) for item in of_kinds)
    return [by_variant for by_variant in map(dict, found.values()) if len(by_variant) == 3]


_BELIEVED: tuple[Kind, ...] = ("right", "wrong", "switched")  # kinds in which a confident belief should count
EXAM_MARKS = (
    Mark(
        "usable",
        "usable",
        "answers that name a feasible skill, re-asks included",
        _each(lambda item: item.answer.problem is None),
    ),
    Mark(
        "usable_at_once",
        "at once",
        "answers that do so without a re-ask",
        _each(lambda item: item.answer.problem is None and item.answer.attempts == 1),
    ),
    Mark(
        "complementary",
        "compl.",
        "of answers to a confident belief: complementary to it",
        _each(lambda item: is_complementary(item.role, item.believed), _told),
    ),
    Mark(
        "duplicates",
        "dupl.",
        "of answers to a confident belief: in the same role",
        _each(lambda item: item.role == item.believed, _told),
    ),
    Mark(
        "fits_truth",
        "compl. truth",
        "complementary to what the partner really did",
        _each(
            lambda item: is_complementary(item.role, item.situation.truth),
            lambda item: (
                item.question.variant == "own" and item.situation.truth != NO_ROLE and item.situation.kind != "hazard"
            ),
        ),
    ),
    Mark(
        "follows",
        "follows",
        "how much more often an answer fits a belief that is shown than if it is not",
        _pairs(_follows, "other", *_BELIEVED),
        share=False,
    ),
    Mark("changed", "changed", "answers that change with the belief", _pairs(_changes, "other", *_BELIEVED)),
    Mark(
        "changed_without",
        "ch. none",
        "answers that change without the belief block",
        _pairs(_changes, "none", *_BELIEVED),
    ),
    Mark(
        "changed_clear",
        "ch. clear",
        "answers that change with the belief although the need is clear",
        _pairs(_changes, "other", "clear"),
    ),
    Mark(
        "heeded",
        "heeded",
        "hazards that are dealt with",
        _each(
            lambda item: item.skill in heeding(item.situation.observation().scene()),
            lambda item: item.situation.kind == "hazard",
        ),
    ),
    Mark(
        "waits",
        "waits",
        "of answers to an uncertain belief: wait",
        _each(lambda item: item.skill == constants.SKILL_STAY, lambda item: item.situation.kind == "uncertain"),
    ),
    Mark(
        "agrees",
        "as scripted",
        "the scripted planner's answer",
        _each(lambda item: item.skill == item.reference),
    ),
    Mark(
        "lost",
        "lost",
        "points lost against the rollout planner's best skill",
        _each(lambda item: item.lost),
        share=False,
        points=True,
    ),
    Mark("most_frequent", "one answer", "the one that is given most often", _most_frequent),
    Mark(
        "first",
        "first",
        "the first one in the list of valid actions",
        _each(lambda item: item.skill == item.question.offered[0]),
    ),
)
MARK = {mark.name: mark for mark in EXAM_MARKS}
BY_KIND = ("complementary", "duplicates", "agrees", "lost")  # marks that are told by kind and kitchen as well


def mark_text(summary: Summary | None, mark: Mark) -> str:
    """Returns a mark with its interval: a share or difference in percent, or points."""
    if summary is None:
        return NONE
    scale, places = (1, 1) if mark.points else (100, 0)
    text = f"{scale * summary.mean:z.{places}f}"
    if summary.low is None or summary.high is None:
        return text
    return f"{text} [{scale * summary.low:z.{places}f}, {scale * summary.high:z.{places}f}]"


def marks_of(items: MarkedAnswers) -> dict[str, Summary | None]:
    """Returns every mark by name; None where there is nothing to count."""
    return {mark.name: mark.of(items) for mark in EXAM_MARKS}


def marks_by(items: MarkedAnswers, group: Callable[[MarkedAnswer], str]) -> dict[str, dict[str, Summary | None]]:
    """Returns the marks of `BY_KIND` for every group of questions, by its name."""
    groups = grouped((group(item), item) for item in items)
    return {name: {one: MARK[one].of(of_group) for one in BY_KIND} for name, of_group in groups.items()}
