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
from bba.bench.formatting import NONE
from bba.bench.statistics import Summary, grouped, mean_difference, share_of
from bba.exam.answers import Answer, Result, ask, scripted
from bba.exam.situations import EGO, ExamSituation, Kind, Question, Variant, load_situations, questions
from bba.kitchen import Scene, constants
from bba.planner.scene_text import hazards


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
        """The skill of an answer that has one skill."""
        return self.skills[0]

    @property
    def role(self) -> int:
        """The role of the skill."""
        return ROLE_OF_SKILL[self.skill]

    @property
    def believed(self) -> int:
        """The role that the prompt says with confidence, where that should count; NO_ROLE for none."""
        belief = self.question.belief
        if belief is None or not belief.confident or self.situation.kind in ("clear", "hazard"):
            return NO_ROLE
        return belief.role

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
        if self.share:
            return share_of(value == 1 for value in values)
        return mean_difference(values)

    def paired_difference(self, items: MarkedAnswers, baseline: MarkedAnswers) -> Summary | None:
        """Returns the paired difference from the mark of other answers to the same questions; None without any."""
        pairs = zip(self.each(items), self.each(baseline), strict=True)
        return mean_difference([value - baseline_value for value, baseline_value in pairs])


def items_of(result: Result) -> list[MarkedAnswer]:
    """Returns the answered questions, in the order of the exam."""
    answers = {answer.question: answer for answer in result.answers}
    references = reference_answers()
    items = []
    for question in questions(load_situations(), result.asked.order):
        answer = answers.get(question.key)
        if answer is not None:
            items.append(MarkedAnswer(question, answer, references[question.key], (answer.skill,)))
    return items


@cache
def reference_answers() -> dict[str, int]:
    """Returns the scripted planner's answer to each question, by the name of the question."""
    planner = scripted()
    return {question.key: ask(planner, question).skill for question in questions(load_situations())}


def _expected(value: Callable[..., float], *items: MarkedAnswer) -> float:
    """Returns the mean of a value of one or two answers over the skills that these may be."""
    values = []
    for skills in product(*(item.skills for item in items)):
        certain = [item._replace(skills=(skill,)) for item, skill in zip(items, skills, strict=True)]
        values.append(float(value(*certain)))
    return fmean(values)


def _each(
    value: Callable[[MarkedAnswer], float], among: Callable[[MarkedAnswer], bool] = lambda _: True
) -> Callable[[MarkedAnswers], list[float]]:
    """Returns a function for the value of each answer among those that count."""
    return lambda items: [_expected(value, item) for item in items if among(item)]


def _pairs(
    value: Callable[[MarkedAnswer, MarkedAnswer], float], variant: Variant, *kinds: Kind
) -> Callable[[MarkedAnswers], list[float]]:
    """Returns a function for the value of each pair: the answer with the agent's belief, and that in a variant."""

    def values(items: MarkedAnswers) -> list[float]:
        return [_expected(value, variants["own"], variants[variant]) for variants in _in_all_variants(items, *kinds)]

    return values


def _in_all_variants(items: MarkedAnswers, *kinds: Kind) -> list[dict[Variant, MarkedAnswer]]:
    """Returns the answers to each situation by variant, of those situations that were answered in all three."""
    of_kinds = (item for item in items if item.situation.kind in kinds)
    by_situation: dict[str, dict[Variant, MarkedAnswer]] = {}
    for item in of_kinds:
        by_situation.setdefault(item.situation.name, {})[item.question.variant] = item
    return [variants for variants in by_situation.values() if len(variants) == 3]


def _is_usable(item: MarkedAnswer) -> bool:
    return item.answer.problem is None


def _is_usable_at_once(item: MarkedAnswer) -> bool:
    return item.answer.problem is None and item.answer.attempts == 1


def _is_told_role(item: MarkedAnswer) -> bool:
    return item.believed != NO_ROLE


def _complements_belief(item: MarkedAnswer) -> bool:
    return is_complementary(item.role, item.believed)


def _duplicates_belief(item: MarkedAnswer) -> bool:
    return item.role == item.believed


def _complements_truth(item: MarkedAnswer) -> bool:
    return is_complementary(item.role, item.situation.truth)


def _has_truth(item: MarkedAnswer) -> bool:
    situation = item.situation
    return item.question.variant == "own" and situation.truth != NO_ROLE and situation.kind != "hazard"


def _follows(with_own: MarkedAnswer, with_variant: MarkedAnswer) -> float:
    """Compares one situation with two beliefs: is the answer complementary to the first one more often then?"""
    fits = int(is_complementary(with_own.role, with_own.believed))
    fits_in_variant = int(is_complementary(with_variant.role, with_own.believed))
    return fits - fits_in_variant


def _changes(with_own: MarkedAnswer, with_variant: MarkedAnswer) -> bool:
    return with_own.skill != with_variant.skill


def _heeds_hazard(item: MarkedAnswer) -> bool:
    return item.skill in heeding(item.situation.observation().scene())


def _is_hazard(item: MarkedAnswer) -> bool:
    return item.situation.kind == "hazard"


def _waits(item: MarkedAnswer) -> bool:
    return item.skill == constants.SKILL_STAY


def _is_uncertain(item: MarkedAnswer) -> bool:
    return item.situation.kind == "uncertain"


def _is_as_scripted(item: MarkedAnswer) -> bool:
    return item.skill == item.reference


def _points_lost(item: MarkedAnswer) -> float:
    return item.lost


def _is_first(item: MarkedAnswer) -> bool:
    return item.skill == item.question.offered[0]


def _most_frequent(items: MarkedAnswers) -> list[float]:
    """Returns for each answer the probability that its skill is the one that is given most often."""
    weights: dict[int, float] = {}
    for item in items:
        for skill in item.skills:
            weights[skill] = weights.get(skill, 0) + 1 / len(item.skills)
    frequent = max(weights, key=lambda skill: weights[skill], default=None)
    return [1 / len(item.skills) if frequent in item.skills else 0.0 for item in items]


def places(items: MarkedAnswers) -> list[float]:
    """Returns the share of the answers that stand first, second, … in the list of valid actions."""
    weights: dict[int, float] = {}
    for item in items:
        offered = item.question.offered
        for skill in item.skills:
            if skill in offered:
                place = offered.index(skill)
                weights[place] = weights.get(place, 0) + 1 / len(item.skills)
    last = max(weights, default=-1)
    return [weights.get(place, 0) / len(items) for place in range(last + 1)]


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


_BELIEVED: tuple[Kind, ...] = ("right", "wrong", "switched")  # kinds in which a confident belief should count
EXAM_MARKS = (
    Mark(
        "usable",
        "usable",
        "answers that name a feasible skill, re-asks included",
        _each(_is_usable),
    ),
    Mark(
        "usable_at_once",
        "at once",
        "answers that do so without a re-ask",
        _each(_is_usable_at_once),
    ),
    Mark(
        "complementary",
        "compl.",
        "of answers to a confident belief: complementary to it",
        _each(_complements_belief, _is_told_role),
    ),
    Mark(
        "duplicates",
        "dupl.",
        "of answers to a confident belief: in the same role",
        _each(_duplicates_belief, _is_told_role),
    ),
    Mark(
        "fits_truth",
        "compl. truth",
        "complementary to what the partner really did",
        _each(_complements_truth, _has_truth),
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
        _each(_heeds_hazard, _is_hazard),
    ),
    Mark(
        "waits",
        "waits",
        "of answers to an uncertain belief: wait",
        _each(_waits, _is_uncertain),
    ),
    Mark(
        "agrees",
        "as scripted",
        "the scripted planner's answer",
        _each(_is_as_scripted),
    ),
    Mark(
        "lost",
        "lost",
        "points lost against the rollout planner's best skill",
        _each(_points_lost),
        share=False,
        points=True,
    ),
    Mark("most_frequent", "one answer", "the one that is given most often", _most_frequent),
    Mark(
        "first",
        "first",
        "the first one in the list of valid actions",
        _each(_is_first),
    ),
)
MARK = {mark.name: mark for mark in EXAM_MARKS}
BY_KIND = ("complementary", "duplicates", "agrees", "lost")  # marks that are told by kind and kitchen as well


def mark_text(summary: Summary | None, mark: Mark) -> str:
    """Returns a mark with its interval: a share or difference in percent, or points."""
    if summary is None:
        return NONE
    if mark.points:
        scale = 1
        form = "z.1f"
    else:
        scale = 100
        form = "z.0f"
    mean = format(scale * summary.mean, form)
    if summary.low is None or summary.high is None:
        return mean
    low = format(scale * summary.low, form)
    high = format(scale * summary.high, form)
    return f"{mean} [{low}, {high}]"


def marks_of(items: MarkedAnswers) -> dict[str, Summary | None]:
    """Returns every mark by name; None where there is nothing to count."""
    return {mark.name: mark.of(items) for mark in EXAM_MARKS}


def marks_by(items: MarkedAnswers, group: Callable[[MarkedAnswer], str]) -> dict[str, dict[str, Summary | None]]:
    """Returns the marks of `BY_KIND` for every group of questions, by its name."""
    marks = {}
    for name, members in grouped((group(item), item) for item in items).items():
        marks[name] = {key: MARK[key].of(members) for key in BY_KIND}
    return marks
