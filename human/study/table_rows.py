"""The rows of a study's tables, computed from progress and recordings; `human.study.columns` describes them."""

from collections.abc import Iterator
from typing import NamedTuple

from bba.analysis.coordination import switch_responses
from bba.analysis.human_labels import with_inferred_skills
from bba.analysis.measures import EPISODE_MEASURES, measure
from bba.analysis.trace_columns import role_name
from bba.play import Replay, Trace, load
from bba.tabular import Row
from human.study.folder import StudyFolder
from human.study.participant_session import recording_of
from human.study.plan import Condition
from human.study.progress import PlayedGame, Progress
from human.study.schedule import games_of, next_task

Tables = dict[str, list[Row]]


class StudyGameData(NamedTuple):
    """A game of a participant; `trace` is None if no step was recorded."""

    progress: Progress
    played: PlayedGame
    condition: Condition
    recording: str
    trace: Trace | None


def tables_of(folder: StudyFolder) -> Tables:
    """Returns all tables, each as a list of rows in the order of participants and time.

    Raises:
        BBAError: a file that cannot be read.
    """
    everybody = folder.everybody()
    games = [game for progress in everybody for game in _games(folder, progress)]
    return {
        "participants": [_participant(folder, progress) for progress in everybody],
        "games": [_game(folder, game) for game in games],
        "answers": [row for progress in everybody for row in _answers(folder, progress)],
        "switches": [row for game in games for row in _switches(game)],
    }


def _games(folder: StudyFolder, progress: Progress) -> Iterator[StudyGameData]:
    order = games_of(folder.study, progress.number)
    for played in progress.games:
        file = recording_of(folder.recordings, progress.participant, played.game)
        trace = with_inferred_skills(Replay(load(file), str(file)).run()) if file.exists() else None
        yield StudyGameData(progress, played, order[played.game], file.name, trace)


def _participant(folder: StudyFolder, progress: Progress) -> Row:
    practice = progress.practice
    return {
        "participant": progress.participant,
        "number": progress.number,
        "order": " ".join(f"{game.layout}/{game.agent}" for game in games_of(folder.study, progress.number)),
        "consented": progress.consented.isoformat(),
        "practised": practice.ended.isoformat() if practice else None,
        "stages": practice.stages if practice else None,
        "games_ended": sum(played.ended is not None for played in progress.games),
        "answers": len(progress.answers),
        "complete": next_task(folder.study, progress) is None,
    }


def _which(progress: Progress, game: int, condition: Condition) -> Row:
    return {
        "participant": progress.participant,
        "game": game + 1,
        "layout": condition.layout,
        "agent": condition.agent,
    }


def _game(folder: StudyFolder, game: StudyGameData) -> Row:
    played, trace = game.played, game.trace
    return {
        **_which(game.progress, played.game, game.condition),
        "planner": trace.config.seats[0].planner if trace else None,
        "seed": game.condition.seed,
        "horizon": folder.study.horizon,
        "recording": game.recording if trace else None,
        "started": played.started.isoformat(),
        "ended": played.ended.isoformat() if played.ended else None,
        "interruptions": len(played.resumed),
        "given_up": played.given_up,
        "steps": len(trace.ticks) if trace else 0,
        **(measure(trace) if trace else dict.fromkeys(EPISODE_MEASURES)),
    }


def _answers(folder: StudyFolder, progress: Progress) -> Iterator[Row]:
    order, texts = games_of(folder.study, progress.number), {asked.name: asked.text for asked in folder.study.questions}
    for answer in progress.answers:
        yield {
            **_which(progress, answer.game, order[answer.game]),
            "question": answer.question,
            "text": texts[answer.question],
            "score": answer.score,
            "words": answer.words,
            "at": answer.at.isoformat(),
        }


def _switches(game: StudyGameData) -> Iterator[Row]:
    for response in switch_responses(game.trace.ticks) if game.trace else ():
        yield {
            **_which(game.progress, game.played.game, game.condition),
            "step": response.start + 1,
            "role": role_name(response.role),
            "steps": response.end - response.start,
            "belief_delay": response.noticed,
            "action_delay": response.complemented,
        }
