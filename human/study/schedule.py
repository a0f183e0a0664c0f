"""What comes next for a participant: read off the study and how far they have come, and from nothing else."""

from typing import NamedTuple

from human.study.counterbalancing import balanced_order
from human.study.plan import Condition, Study, SurveyQuestion
from human.study.progress import Progress


class PractiseTask(NamedTuple):
    """The tutorial."""


class PlayTask(NamedTuple):
    """A game: which in the participant's order, from 0, of how many, and what is played."""

    game: int
    games: int
    condition: Condition


class QuestionTask(NamedTuple):
    """A question on the game that was just played."""

    game: int
    question: SurveyQuestion


StudyTask = PractiseTask | PlayTask | QuestionTask


def next_task(study: Study, progress: Progress) -> StudyTask | None:
    """What is to be done next; None at the end."""
    if study.tutorial and progress.practice is None:
        return PractiseTask()
    order = games_of(study, progress.number)
    ended = {played.game for played in progress.games if played.ended is not None}
    answered = {(answer.game, answer.question) for answer in progress.answers}
    for game, condition in enumerate(order):
        if game not in ended:
            return PlayTask(game, len(order), condition)
        for question in study.questions:
            if (game, question.name) not in answered:
                return QuestionTask(game, question)
    return None


def games_of(study: Study, number: int) -> list[Condition]:
    """The games of a participant in their order."""
    conditions = study.conditions
    return [conditions[place] for place in balanced_order(len(conditions), number)]
