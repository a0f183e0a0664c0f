"""The next task of a participant, computed from the study and the participant's progress alone."""

from typing import NamedTuple

from human.study.counterbalancing import balanced_order
from human.study.plan import Condition, Study, SurveyQuestion
from human.study.progress import Progress


class PracticeTask(NamedTuple):
    """The tutorial."""


class PlayTask(NamedTuple):
    """A game: its position in the participant's order, from 0, the number of games, and the condition."""

    game: int
    games: int
    condition: Condition


class QuestionTask(NamedTuple):
    """A question about the game that was just played."""

    game: int
    question: SurveyQuestion


StudyTask = PracticeTask | PlayTask | QuestionTask


def next_task(study: Study, progress: Progress) -> StudyTask | None:
    """Returns the next task; None at the end."""
    if study.tutorial and progress.practice is None:
        return PracticeTask()
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
    """Returns the games of participant `number` (from 0) in their order."""
    conditions = study.conditions
    return [conditions[index] for index in balanced_order(len(conditions), number)]
