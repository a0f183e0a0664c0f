"""A small study whose people are scripted: typists in the person's seat, each with roles of their own."""

from datetime import UTC, datetime

from bba.play import record, save
from human.study.participant_session import recording_of
from human.study.progress import PlayedGame
from tests.helpers.studies import begin_study
from tests.helpers.typist import game_of_a_typist

SCHEDULES = (((0, 0), (60, 1)), ((0, 1), (70, 3)), ((0, 2), (50, 0)))
STEPS = 150


def study_of_scripted_people(path, people=3, steps=STEPS):
    """The folder of a study in which so many scripted people have played one game."""
    folder = begin_study(path, agents=["bayes"], horizon=steps, questions=[], name="tiny-study")
    now = datetime.now(UTC)
    for number, schedule in zip(range(people), SCHEDULES, strict=False):
        with folder.participation(f"P{number}") as part:
            game, typist = game_of_a_typist(schedule=schedule, seed=part.task.condition.seed, horizon=steps)
            for _ in range(steps):
                typist.press()
                game.step()
            save(record(game.trace), recording_of(folder.recordings, f"P{number}", 0))
            part._update(games=(PlayedGame(game=0, started=now, ended=now),))
    return folder
