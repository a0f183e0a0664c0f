"""The rows of a study's tables; `table_columns` beside this has their columns, `table_files` writes them.

In the measures of a game the ego is the agent and the partner the participant.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bba.analysis.human_labels import with_inferred_skills
from bba.analysis.measures import EPISODE_MEASURES, measure
from bba.analysis.switch_responses import switch_responses
from bba.analysis.trace_columns import role_name
from bba.errors import BBAError
from bba.kitchen import Layout
from bba.play import Replay, Trace, load
from bba.tabular import Row
from human.study.belief_rows import calibration_rows, gate_rows
from human.study.design import group_name
from human.study.design_rows import break_rows, practice_rows
from human.study.folder import StudyFolder
from human.study.participant_session import recording_of
from human.study.plan import Condition
from human.study.practice import PERSON
from human.study.progress import PlayedGame, Progress
from human.study.tasks import finished, games_of, place_of

Tables = dict[str, list[Row]]


class StudyGameData(NamedTuple):
    """A game of a participant; `trace` is None if no step was recorded, or if the recording has a `problem`."""

    progress: Progress
    played: PlayedGame
    condition: Condition
    recording: str
    trace: Trace | None
    problem: str | None


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
        "pauses": [row for game in games for row in _pauses(game)],
        "calibration": [row for game in games if game.trace for row in calibration_rows(_which_game(game), game.trace)],
        "gates": [row for game in games if game.trace for row in gate_rows(_which_game(game), game.trace)],
        "practice": [row for progress in everybody for row in practice_rows(folder.study, progress)],
        "breaks": [row for progress in everybody for row in break_rows(progress)],
    }


def _games(folder: StudyFolder, progress: Progress) -> Iterator[StudyGameData]:
    order = games_of(folder.study, progress)
    for played in progress.games:
        file = recording_of(folder.recordings, progress.participant, played.game)
        trace, problem = _trace(file, order[played.game], folder.study.horizon) if file.exists() else (None, None)
        yield StudyGameData(progress, played, order[played.game], file.name, trace, problem)


def _trace(file: Path, condition: Condition, horizon: int) -> tuple[Trace | None, str | None]:
    """Returns the trace of a recording, or what is wrong with it: one damaged game must not cost the others."""
    try:
        trace = Replay(load(file), str(file)).run()
    except BBAError as error:
        return None, str(error).removeprefix(f"{file}: ")
    config = trace.config
    played = (config.layout.name, config.agents[0], config.seed, config.horizon)
    planned = (Layout.load(condition.layout).name, condition.agent, condition.seed, horizon)
    if played != planned:
        return None, f"it is of another game than planned: {played}, not {planned}"
    return with_inferred_skills(trace), None


def _participant(folder: StudyFolder, progress: Progress) -> Row:
    practice = progress.practice
    return {
        "participant": progress.participant,
        "number": progress.number,
        "group": group_name(folder.study.groups[place_of(folder.study, progress)[0]], folder.study.between),
        "order": " ".join(f"{game.layout}/{game.agent}" for game in games_of(folder.study, progress)),
        "consented": progress.consented.isoformat(),
        "practised": practice.ended.isoformat() if practice else None,
        "stages": practice.stages if practice else None,
        "games_ended": sum(played.ended is not None for played in progress.games),
        "answers": len(progress.answers),
        "pair": progress.pair.number if progress.pair else None,
        "seat": progress.pair.seat if progress.pair else PERSON,
        "tries": len(progress.tries) + (folder.study.practice is not None),
        "excluded": progress.excluded.why if progress.excluded else None,
        "complete": finished(folder.study, progress),
    }


def _which(progress: Progress, game: int, condition: Condition) -> Row:
    return {
        "participant": progress.participant,
        "game": game + 1,
        "layout": condition.layout,
        "agent": condition.agent,
    }


def _which_game(game: StudyGameData) -> Row:
    return _which(game.progress, game.played.game, game.condition)


def _game(folder: StudyFolder, game: StudyGameData) -> Row:
    played, trace = game.played, game.trace
    return {
        **_which(game.progress, played.game, game.condition),
        "planner": trace.config.seats[0].planner if trace else None,
        "seed": game.condition.seed,
        "hints": game.condition.hints,
        "speed": None if folder.study.turns else game.condition.speed,
        "horizon": folder.study.horizon,
        "recording": game.recording if trace or game.problem else None,
        "started": played.started.isoformat(),
        "ended": played.ended.isoformat() if played.ended else None,
        "interruptions": len(played.resumed),
        "given_up": played.given_up,
        "problem": game.problem,
        "steps": len(trace.ticks) if trace else 0,
        **(measure(trace) if trace else dict.fromkeys(EPISODE_MEASURES)),
    }


def _answers(folder: StudyFolder, progress: Progress) -> Iterator[Row]:
    order, questions = games_of(folder.study, progress), {asked.name: asked for asked in folder.study.questions}
    for answer in progress.answers:
        question, game = questions[answer.question], None if answer.game is None else order[answer.game]
        yield {
            "participant": progress.participant,
            "when": question.when,
            "game": None if answer.game is None else answer.game + 1,
            "layout": game.layout if game else None,
            "agent": game.agent if game else None,
            "question": question.name,
            "block": question.block,
            "type": question.type,
            "text": question.text,
            "score": answer.score,
            "number": answer.number,
            "chosen": None if answer.chosen is None else " | ".join(answer.chosen),
            "words": answer.words,
            "as_expected": question.as_expected(answer.value),
            "position": answer.position,
            "shown": answer.shown.isoformat() if answer.shown else None,
            "at": answer.at.isoformat(),
            "seconds": (answer.at - answer.shown).total_seconds() if answer.shown else None,
            "changes": answer.changes,
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


def _pauses(game: StudyGameData) -> Iterator[Row]:
    for pause in game.played.pauses:
        yield {
            **_which(game.progress, game.played.game, game.condition),
            "step": pause.step,
            "started": pause.started.isoformat(),
            "seconds": (pause.ended - pause.started).total_seconds(),
            "why": pause.why,
        }
