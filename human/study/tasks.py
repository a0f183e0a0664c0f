"""The tasks of a participant: what is to be done next follows from the study and the participant's progress alone.

The order of a participant's games is counterbalanced (Williams, 1949).
"""

from collections.abc import Iterator
from typing import NamedTuple

from human.study.plan import Condition, Study
from human.study.progress import Progress
from human.study.questionnaire import asked
from human.study.questions import SurveyQuestion, When


def balanced_order(size: int, number: int) -> list[int]:
    """Returns the order of `size` conditions for participant `number` (from 0): one row of a balanced Latin square.

    Over `size` participants (twice as many where `size` is odd) each condition has each position equally often, and
    follows each other condition equally often. Then the rows repeat.
    """
    rows = size if size % 2 == 0 else 2 * size
    row = number % rows
    zigzag = [(i + 1) // 2 if i % 2 else (size - i // 2) % size for i in range(size)]  # 0, 1, n−1, 2, n−2, …
    order = [(place + row) % size for place in zigzag]
    return order[::-1] if row >= size else order


class PracticeTask(NamedTuple):
    """The tutorial."""


class PlayTask(NamedTuple):
    """A game: its position in the participant's order, from 0, the number of games, and the condition."""

    game: int
    games: int
    condition: Condition


class QuestionTask(NamedTuple):
    """A question.

    Attributes:
        game: the game that was just played, from 0; None before the first and after the last one.
        question: the question.
        position, of: its position among the questions asked here, from 1, and their number as far as it is known.
    """

    game: int | None
    question: SurveyQuestion
    position: int
    of: int


StudyTask = PracticeTask | PlayTask | QuestionTask


def next_task(study: Study, progress: Progress) -> StudyTask | None:
    """Returns the next task; None at the end."""
    return next(_open_tasks(study, progress), None)


def _open_tasks(study: Study, progress: Progress) -> Iterator[StudyTask]:
    """Yields what is still to be done, in order."""
    yield from open_questions(study, progress, "start", None)
    if study.tutorial and progress.practice is None:
        yield PracticeTask()
    order = games_of(study, progress.number)
    ended = {played.game for played in progress.games if played.ended is not None}
    for game, condition in enumerate(order):
        if game not in ended:
            yield PlayTask(game, len(order), condition)
        yield from open_questions(study, progress, "after-game", game)
    yield from open_questions(study, progress, "end", None)


def open_questions(study: Study, progress: Progress, when: When, game: int | None) -> Iterator[QuestionTask]:
    """Yields the questions of one point of the study that are not answered yet."""
    answered = {answer.question for answer in progress.answers if answer.game == game}
    questions = asked(study, progress, when, game)
    for position, question in enumerate(questions, 1):
        if question.name not in answered:
            yield QuestionTask(game, question, position, len(questions))


def games_of(study: Study, number: int) -> list[Condition]:
    """Returns the games of participant `number` (from 0) in their order."""
    conditions = study.conditions(number)
    return [conditions[index] for index in balanced_order(len(conditions), number)]
