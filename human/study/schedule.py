"""The next task of a participant, computed from the study and the participant's progress alone.

The order of a participant's games is counterbalanced (Williams, 1949).
"""

from typing import NamedTuple

from human.study.plan import Condition, Study, SurveyQuestion
from human.study.progress import Progress


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
