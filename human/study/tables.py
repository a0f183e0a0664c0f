"""The tables of a study: their columns, their rows, and the files.

The tables and their data dictionary are both made from the columns. In the measures of a game the ego is the agent and
the partner the participant. The files are CSV always, and Parquet if pyarrow is installed.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bba.analysis.human_labels import with_inferred_skills
from bba.analysis.measures import EPISODE_MEASURES, measure, measure_columns
from bba.analysis.switch_responses import switch_responses
from bba.analysis.trace_columns import role_name
from bba.errors import BBAError
from bba.files import write_whole
from bba.kitchen import Layout
from bba.play import Replay, Trace, load
from bba.tabular import Column, Row, data_dictionary, has_parquet, to_csv, to_parquet
from human.study.folder import StudyFolder
from human.study.participant_session import recording_of
from human.study.plan import Condition
from human.study.progress import PlayedGame, Progress
from human.study.tasks import games_of, next_task

WHO = {"participant": Column("str", "the participant's code")}
WHICH = {
    **WHO,
    "game": Column("int", "which of the participant's games, from 1 in the order of play"),
    "layout": Column("str", "the kitchen"),
    "agent": Column("str", "who played beside the participant"),
}
PARTICIPANTS = {
    **WHO,
    "number": Column("int", "the participant's number, from 0; it decides the order of the games"),
    "order": Column("str", "the games in the participant's order, as layout/agent, with spaces between"),
    "consented": Column("str", "when consent was given (UTC, ISO 8601)"),
    "practised": Column("str", "when the tutorial ended (UTC, ISO 8601); missing before that"),
    "stages": Column("int", "stages of the tutorial that were completed"),
    "games_ended": Column("int", "games that have ended"),
    "answers": Column("int", "questions that have been answered"),
    "complete": Column("bool", "whether everything is done"),
}
GAMES = {
    **WHICH,
    "planner": Column("str", "what planned for the agent"),
    "seed": Column("int", "the seed of everything random in the game"),
    "horizon": Column("int", "steps of a whole game"),
    "recording": Column("str", "the file in recordings/; missing if no step was recorded"),
    "started": Column("str", "when it began (UTC, ISO 8601)"),
    "ended": Column("str", "when it ended (UTC, ISO 8601); missing if it has not"),
    "interruptions": Column("int", "times that it was interrupted and continued later"),
    "given_up": Column("bool", "whether the participant ended it early"),
    "problem": Column("str", "why the recording cannot be used, so that measures are missing; missing if it can"),
    "steps": Column("int", "steps that are recorded"),
    **measure_columns(),
}
ANSWERS = {
    **WHO,
    "when": Column("str", "start, after-game or end: when it was asked"),
    "game": Column("int", "which of the participant's games it is about, from 1; missing if about none"),
    "layout": Column("str", "the kitchen of that game"),
    "agent": Column("str", "who played beside the participant in that game"),
    "question": Column("str", "the question's name"),
    "block": Column("str", "the block of questions from which it was included; missing for a study's own questions"),
    "type": Column("str", "scale, slider, choice, choices, number or text"),
    "text": Column("str", "the question as it was asked"),
    "score": Column("int", "the answer on a scale (1 to its points) or a slider (0 to 100); else missing"),
    "number": Column("float", "the answer to a question for a number; else missing"),
    "chosen": Column("str", "what was chosen from a list, with ` | ` between several; else missing"),
    "words": Column("str", "the answer in words; else missing"),
    "as_expected": Column("bool", "whether it is the answer of an attentive participant; missing if none is expected"),
    "position": Column(
        "int", "its position among the questions asked at the same time, from 1; missing in old studies"
    ),
    "shown": Column("str", "when the question was shown (UTC, ISO 8601); missing in old studies"),
    "at": Column("str", "when the answer was confirmed (UTC, ISO 8601)"),
    "seconds": Column("float", "seconds from shown to confirmed; missing in old studies"),
    "changes": Column("int", "how often the participant went back and confirmed it anew"),
}
SWITCHES = {
    **WHICH,
    "step": Column("int", "the first step of the work in the new role, or of putting something down for it"),
    "role": Column("str", "the new role, which the participant then pursued"),
    "steps": Column("int", "steps until the next switch or the end"),
    "belief_delay": Column("int", "steps until the observer's MAP was the new role; missing if it never was"),
    "action_delay": Column("int", "steps until the agent ran a skill that complements it; missing if it never did"),
}
PAUSES = {
    **WHICH,
    "step": Column("int", "steps before the pause"),
    "started": Column("str", "when it began (UTC, ISO 8601), to a tenth of a second"),
    "seconds": Column("float", "how long it lasted"),
    "why": Column("str", "key: the participant paused; dialog: a question lay over the game; small: so was the window"),
}

TABLES = {"participants": PARTICIPANTS, "games": GAMES, "answers": ANSWERS, "switches": SWITCHES, "pauses": PAUSES}
ONE_ROW = {
    "participants": "a participant who has agreed to take part",
    "games": "a game that was begun",
    "answers": "an answer to a question",
    "switches": "a switch of a participant to another role",
    "pauses": "a time in which a game stood still",
}


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
    }


def _games(folder: StudyFolder, progress: Progress) -> Iterator[StudyGameData]:
    order = games_of(folder.study, progress.number)
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
    order, questions = games_of(folder.study, progress.number), {asked.name: asked for asked in folder.study.questions}
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


def write_tables(folder: StudyFolder) -> tuple[Path, list[str]]:
    """Writes all tables of a study into its folder `tables`; returns it, and a line for each unusable recording.

    Raises:
        BBAError: a file that cannot be read or written.
    """
    place = folder.path / "tables"
    try:
        place.mkdir(exist_ok=True)
    except OSError as error:
        raise BBAError(f"{place}: cannot be made: {error.strerror or error}") from None
    tables = tables_of(folder)
    for name, rows in tables.items():
        write_whole(place / f"{name}.csv", to_csv(rows, TABLES[name]))
        if has_parquet():
            write_whole(place / f"{name}.parquet", to_parquet(rows, TABLES[name]))
    write_whole(place / "README.md", dictionary(folder))
    return place, [f"{row['recording']}: {row['problem']}" for row in tables["games"] if row["problem"] is not None]


def dictionary(folder: StudyFolder) -> str:
    """Returns what every column of every table holds, in Markdown."""
    about = (
        f"The tables of the study `{folder.study.name}`. Missing values are empty. The observer is a belief about the "
        "participant that is the same beside every agent. In the measures the ego is the agent and the partner the "
        "participant."
    )
    tables = (
        f"## {name}\n\nOne row is {ONE_ROW[name]}.\n\n{data_dictionary(columns)}" for name, columns in TABLES.items()
    )
    return "\n\n".join([f"# {folder.study.title}", about, *tables]) + "\n"
