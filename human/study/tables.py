"""The rows of a study's tables; `table_columns` beside this has their columns, `table_files` writes them.

In the measures of a game the ego is the agent and the partner the participant.

The rows of a study's tables on practice and breaks.

The rows of a study's tables that come from the participants' activity logs.
"""

from collections.abc import Iterator, Sequence

from bba.analysis.measures import EPISODE_MEASURES, measure
from bba.analysis.switch_responses import switch_responses
from bba.analysis.trace_columns import role_name
from bba.play.ticks import step_arrays
from bba.tabular import Row
from human.study.activity_log import ActivityRecord, read_log
from human.study.belief_rows import calibration_rows, gate_rows
from human.study.folder import StudyFolder
from human.study.game_data import StudyGameData, game_data, which_game, which_of_log
from human.study.plan import Study, group_name
from human.study.practice import PERSON_SEAT
from human.study.progress import Progress, SurveyAnswer
from human.study.step_rows import kitchen_rows, log_rows, step_rows
from human.study.table_columns import STUDY_TABLES
from human.study.tasks import finished, games_of, place_of


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


def key_rows(folder: StudyFolder, progress: Progress, record: ActivityRecord) -> Iterator[Row]:
    """Yields the rows of the table `keys`."""
    for press in record.keys:
        which = which_of_log(folder, progress, press.game)
        yield {
            **which,
            "step": press.step,
            "at": press.at.isoformat(),
            "key": press.key,
            "decided": press.decided,
            "seconds": press.seconds,
            "undone": press.undone,
        }


def log_event_rows(folder: StudyFolder, progress: Progress, record: ActivityRecord) -> Iterator[Row]:
    """Yields the rows of the table `events` that the participant's log holds."""
    for line, row in zip(record.events, log_rows(record.events), strict=True):
        yield {**which_of_log(folder, progress, line.game), **row}


def unreadable_lines(folder: StudyFolder) -> list[str]:
    """Returns a line for each log of which not every line can be read."""
    logs = [folder.log_of(progress.participant) for progress in folder.everybody()]
    counts = [(log.name, read_log(log)[1]) for log in logs]
    return [f"logs/{name}: lines that cannot be read: {count}" for name, count in counts if count]


Tables = dict[str, list[Row]]

OF_BOTH = ("reward", "deliveries", "in_order", "streak", "orders_expired", "fires")


def tables_of(folder: StudyFolder) -> Tables:
    """Returns all tables, each as a list of rows in the order of participants and time.

    Raises:
        BBAError: a file that cannot be read.
    """
    tables: Tables = {name: [] for name in STUDY_TABLES}
    for progress in folder.everybody():
        lines, _ = read_log(folder.log_of(progress.participant))
        record = ActivityRecord.of(lines)
        tables["participants"].append(_participant(folder, progress))
        tables["answers"] += _answers(folder, progress)
        tables["practice"] += practice_rows(folder.study, progress)
        tables["breaks"] += break_rows(progress)
        tables["keys"] += key_rows(folder, progress, record)
        tables["events"] += log_event_rows(folder, progress, record)
        for game in game_data(folder, progress):  # one at a time: a trace takes much memory
            _add_game(tables, folder, game, record)
    return tables


def _add_game(tables: Tables, folder: StudyFolder, game: StudyGameData, record: ActivityRecord) -> None:
    """Adds the rows about a game to the tables."""
    which = which_game(game.progress, game.played.game, game.condition)
    times = record.times.get(game.played.game + 1, {})
    tables["games"].append(_game(folder, game))
    tables["pauses"] += _pauses(game)
    if game.trace is None:
        return
    if game.seat == PERSON_SEAT:
        tables["switches"] += _switches(game)
        tables["calibration"] += calibration_rows(which, game.trace)
        tables["gates"] += gate_rows(which, game.trace)
    tables["steps"] += ({**which, **row} for row in step_rows(game.trace, times, game.seat))
    tables["events"] += ({**which, **row} for row in kitchen_rows(game.trace, times, game.seat))


def _participant(folder: StudyFolder, progress: Progress) -> Row:
    practice, platform = progress.practice, progress.platform
    return {
        "participant": progress.participant,
        "number": progress.number,
        "group": group_name(folder.study.groups[place_of(folder.study, progress)[0]], folder.study.between),
        "order": " ".join(f"{game.layout}/{game.agent}" for game in games_of(folder.study, progress)),
        "consented": progress.consented.isoformat(),
        "consent_version": progress.consent.version if progress.consent else None,
        "platform_participant": platform.participant if platform else None,
        "platform_study": platform.study if platform else None,
        "platform_session": platform.session if platform else None,
        "practised": practice.ended.isoformat() if practice else None,
        "stages": practice.stages if practice else None,
        "games_ended": sum(played.ended is not None for played in progress.games),
        "answers": len(progress.answers),
        "pair": progress.pair.number if progress.pair else None,
        "seat": progress.pair.seat if progress.pair else PERSON_SEAT,
        "tries": len(progress.tries) + (folder.study.practice is not None),
        "excluded": progress.excluded.why if progress.excluded else None,
        "complete": finished(folder.study, progress),
    }


def _game(folder: StudyFolder, game: StudyGameData) -> Row:
    played, trace = game.played, game.trace
    return {
        **which_game(game.progress, played.game, game.condition),
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
        **dict.fromkeys(EPISODE_MEASURES),
        **_measures(game),
    }


def _measures(game: StudyGameData) -> Row:
    """Returns the measures of a game; where no belief was about the participant, those of both cooks together."""
    found = measure(game.trace) if game.trace else {}
    return found if game.seat == PERSON_SEAT else {name: value for name, value in found.items() if name in OF_BOTH}


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
    for response in switch_responses(step_arrays(game.trace.ticks)) if game.trace else ():
        yield {
            **which_game(game.progress, game.played.game, game.condition),
            "step": response.start + 1,
            "role": role_name(response.role),
            "steps": response.end - response.start,
            "belief_delay": response.noticed,
            "action_delay": response.complemented,
        }


def _pauses(game: StudyGameData) -> Iterator[Row]:
    for pause in game.played.pauses:
        yield {
            **which_game(game.progress, game.played.game, game.condition),
            "step": pause.step,
            "started": pause.started.isoformat(),
            "seconds": (pause.ended - pause.started).total_seconds(),
            "why": pause.why,
        }
