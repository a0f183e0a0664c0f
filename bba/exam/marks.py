"""The marks of an exam: what the answers of a planner say of it, each with a 95 % interval.

Shares have Wilson's interval, as if questions were independent; means and differences are resampled (bootstrap).
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

from bba.belief import NO_ROLE, ROLE_OF_SKILL, is_complementary
from bba.bench.statistics import Summary, grouped, mean_difference, share_of
from bba.exam.answers import Answer, Result, ask, scripted
from bba.exam.situations import EGO, ExamSituation, Kind, Question, Variant, load_situations, questions
from bba.kitchen import constants
from bba.kitchen.scene import Scene
from bba.planner.scene_text import hazards


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
    """

    name: str
    label: str
    about: str
    of: Callable[[MarkedAnswers], Summary | None]
    points: bool = False


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
    planner = scripted()
    return {question.key: ask(planner, question).skill for question in questions(load_situations())}


def _share(
    holds: Callable[[MarkedAnswer], bool], among: Callable[[MarkedAnswer], bool] = lambda _: True
) -> Callable[[MarkedAnswers], Summary | None]:
    """Returns what computes the share of the answers that something holds of, among some of them."""
    return lambda items: share_of(holds(item) for item in items if among(item))


def _changed(variant: Variant, *kinds: Kind) -> Callable[[MarkedAnswers], Summary | None]:
    """Returns what computes the share of situations whose answer is another one in this variant."""
    return lambda items: share_of(of["own"].answer.skill != of[variant].answer.skill for of in _compared(items, *kinds))


def _told(item: MarkedAnswer) -> bool:
    return item.believed != NO_ROLE


def _is_known(item: MarkedAnswer) -> bool:
    """Whether the answer to a belief of the game can be compared with what the partner really did."""
    situation = item.situation
    return item.question.variant == "own" and situation.truth != NO_ROLE and situation.kind != "hazard"


def _heeds(item: MarkedAnswer) -> bool:
    scene = item.situation.observation().scene()
    return item.answer.skill in heeding(scene, scene.players[EGO].held)


def heeding(scene: Scene, held: str | None) -> frozenset[int]:
    """Returns the skills of player 0 that deal with the hazards of a scene, the worst first: fire, food, charcoal."""
    fires, warnings, charcoal = hazards(scene.objects)
    if fires:
        return frozenset({constants.PUT_OUT_FIRE, constants.GRAB_FIRE_EXT})
    if warnings:
        return frozenset(_FETCHES[item.name] for item in warnings)
    if charcoal or held == "charcoal":
        return frozenset({constants.GRAB_CHARCOAL, constants.THROW})
    return frozenset()


_FETCHES = {
    "chopped_steak": constants.GET_STEAK,
    "fried_mushroom": constants.GET_MUSHROOM,
    "boiled_rice": constants.GET_BOILED_RICE,
}


def _follows(items: MarkedAnswers) -> Summary | None:
    """Compares the same situation with two beliefs: is the answer complementary to the first one more often then?"""
    pairs = [(of["own"], of["other"]) for of in _compared(items, *_BELIEVED)]
    return mean_difference(
        [is_complementary(own.role, own.believed) - is_complementary(other.role, own.believed) for own, other in pairs]
    )


def _compared(items: MarkedAnswers, *kinds: Kind) -> list[dict[Variant, MarkedAnswer]]:
    """Returns the answers to each situation of these kinds that was answered in every variant."""
    of_kinds = (item for item in items if item.situation.kind in kinds)
    found = grouped((item.situation.name, (item.question.variant, item)) for item in of_kinds)
    return [by_variant for by_variant in map(dict, found.values()) if len(by_variant) == 3]


_BELIEVED: tuple[Kind, ...] = ("right", "wrong", "switched")  # kinds in which a confident belief should count
EXAM_MARKS = (
    Mark(
        "usable",
        "usable",
        "answers that name a feasible skill, re-asks included",
        _share(lambda item: item.answer.problem is None),
    ),
    Mark(
        "usable_at_once",
        "at once",
        "answers that do so without a re-ask",
        _share(lambda item: item.answer.problem is None and item.answer.attempts == 1),
    ),
    Mark(
        "complementary",
        "compl.",
        "of answers to a confident belief: complementary to it",
        _share(lambda item: is_complementary(item.role, item.believed), _told),
    ),
    Mark(
        "duplicates",
        "dupl.",
        "of answers to a confident belief: in the same role",
        _share(lambda item: item.role == item.believed, _told),
    ),
    Mark(
        "fits_truth",
        "compl. truth",
        "complementary to what the partner really did",
        _share(lambda item: is_complementary(item.role, item.situation.truth), _is_known),
    ),
    Mark("follows", "follows", "how much more often an answer fits a belief that is shown than if it is not", _follows),
    Mark("changed", "changed", "answers that change with the belief", _changed("other", *_BELIEVED)),
    Mark(
        "changed_without",
        "ch. none",
        "answers that change without the belief block",
        _changed("none", *_BELIEVED),
    ),
    Mark(
        "changed_clear",
        "ch. clear",
        "answers that change with the belief although the need is clear",
        _changed("other", "clear"),
    ),
    Mark(
        "heeded", "heeded", "hazards that are dealt with", _share(_heeds, lambda item: item.situation.kind == "hazard")
    ),
    Mark(
        "waits",
        "waits",
        "of answers to an uncertain belief: wait",
        _share(lambda item: item.answer.skill == constants.SKILL_STAY, lambda item: item.situation.kind == "uncertain"),
    ),
    Mark(
        "agrees",
        "as scripted",
        "the scripted planner's answer",
        _share(lambda item: item.answer.skill == item.reference),
    ),
    Mark(
        "lost",
        "lost",
        "points lost against the rollout planner's best skill",
        lambda items: mean_difference([item.lost for item in items]),
        points=True,
    ),
)
MARK = {mark.name: mark for mark in EXAM_MARKS}
BY_KIND = ("complementary", "duplicates", "agrees", "lost")  # marks that are told by kind and kitchen as well


def marks_of(items: MarkedAnswers) -> dict[str, Summary | None]:
    """Returns every mark by name; None where there is nothing to count."""
    return {mark.name: mark.of(items) for mark in EXAM_MARKS}


def marks_by(items: MarkedAnswers, group: Callable[[MarkedAnswer], str]) -> dict[str, dict[str, Summary | None]]:
    """Returns the marks of `BY_KIND` for every group of questions, by its name."""
    groups = grouped((group(item), item) for item in items)
    return {name: {one: MARK[one].of(of_group) for one in BY_KIND} for name, of_group in groups.items()}
