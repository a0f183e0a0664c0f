"""The rows of a study's tables on practice and breaks."""

from collections.abc import Iterator, Sequence

from bba.tabular import Row
from human.study.plan import Study
from human.study.progress import Progress, SurveyAnswer


def practice_rows(study: Study, progress: Progress) -> Iterator[Row]:
    """Yields the tries of the practice, question by question; nothing in a study that has no rule for it."""
    if study.practice is None:
        return
    for number, failed in enumerate(progress.tries, 1):
        about: Row = {"participant": progress.participant, "try": number, "ended": failed.ended.isoformat()}
        yield from _rows(study, {**about, "stages": failed.stages}, failed.answers)
    about = {"participant": progress.participant, "try": len(progress.tries) + 1, "ended": None}
    stages = progress.practice.stages if progress.practice else None
    yield from _rows(study, {**about, "stages": stages}, progress.answers)


def _rows(study: Study, about: Row, answers: Sequence[SurveyAnswer]) -> Iterator[Row]:
    given = {answer.question: answer for answer in answers}
    questions = [question for question in study.questions if question.when == "practice"]
    for question in questions:
        answer = given.get(question.name)
        right = None if answer is None else question.as_expected(answer.value)
        yield {**about, "question": question.name, "as_expected": right}
    if not questions:
        yield {**about, "question": None, "as_expected": None}


def break_rows(progress: Progress) -> Iterator[Row]:
    """Yields a participant's breaks."""
    for pause in progress.breaks:
        yield {
            "participant": progress.participant,
            "game": pause.game + 1,
            "started": pause.started.isoformat(),
            "seconds": (pause.ended - pause.started).total_seconds() if pause.ended else None,
        }
