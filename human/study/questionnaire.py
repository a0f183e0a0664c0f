"""Which questions a participant is asked, and in which order."""

import random
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from human.study.plan import Study
from human.study.progress import Progress
from human.study.questions import Answer, SurveyQuestion, When, meets


def asked(study: Study, progress: Progress, when: When, game: int | None) -> list[SurveyQuestion]:
    """Returns the questions that a participant is asked at one point of the study, in this participant's order.

    Args:
        study: the study.
        progress: the participant's number and the answers so far.
        when: which questions.
        game: the game just played, from 0; None before the first and after the last one.

    What depends on an answer that is still to come is left out.
    """
    answers = answers_at(progress, game)
    questions = ordered(
        [question for question in study.questions if question.when == when], _seed(study, progress, game)
    )
    return [question for question in questions if applies(question, answers)]


def answers_at(progress: Progress, game: int | None) -> dict[str, Answer]:
    """Returns the answers by name: those of this point of the study, and those that were given without a game."""
    return {answer.question: answer.value for answer in progress.answers if answer.game in (None, game)}


def applies(question: SurveyQuestion, answers: Mapping[str, Answer]) -> bool:
    """Returns whether a question is to be asked after these answers."""
    return all(name in answers and meets(wanted, answers[name]) for name, wanted in question.show_if.items())


def ordered(questions: Sequence[SurveyQuestion], seed: str) -> list[SurveyQuestion]:
    """Returns the questions with neighbours of the order "random" shuffled; who depends on a question follows it."""
    shuffled: list[SurveyQuestion] = []
    for (order, block), neighbours in groupby(questions, lambda question: (question.order, question.block)):
        run = list(neighbours)
        shuffled += _shuffled(run, f"{seed} {block} {run[0].name}") if order == "random" else run
    return shuffled


def _shuffled(questions: Iterable[SurveyQuestion], seed: str) -> list[SurveyQuestion]:
    """Shuffles questions; one that depends on another one among them moves together with it."""
    families: list[list[SurveyQuestion]] = []
    for question in questions:
        mine = next((family for family in families if any(one.name in question.show_if for one in family)), None)
        if mine is None:
            families.append([question])
        else:
            mine.append(question)
    random.Random(seed).shuffle(families)
    return [question for family in families for question in family]


def _seed(study: Study, progress: Progress, game: int | None) -> str:
    """Returns what decides the order: the study's seed, the participant's number and the game."""
    return f"{study.seed} {progress.number} {game}"
