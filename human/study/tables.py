"""The recorded games of a study's people, the rows of its tables, and whose rows are left out of what is computed.

`human.study.table_columns` says how rows are read from what they are about, `table_files` writes them.

There are three reasons for which somebody is excluded from a study, and no other:

    practice    the last try of the practice does not meet the study's rule, which says `otherwise = "exclude"`
                (`tasks.failed_try`)
    researcher  by hand, `bba-tui study FILE --exclude CODE --why TEXT`, until `--include CODE`
    rules       those of the table `[exclude]`, by name: they are applied whenever tables are made (`by_rule`)

What they did is kept. Who is excluded

    - has no further task, unless by a rule (`tasks.next_task`);
    - has no place any more, unless by a rule: their group and order are given again (`tasks.has_place`);
    - stays in the tables, whose column `excluded` of the participants says why;
    - does not count in what is computed from them: in the report and `people.md` (`without_excluded`), and for those
      who learn from people (`recorded_games`).

Of the participants who count, the report's means leave out games that are not whole (`whole_games`). Who withdraws is
not excluded: everything about them is deleted (`StudyFolder.withdraw`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from statistics import fmean, median
from typing import NamedTuple

from bba.analysis import (
    EPISODE_MEASURES,
    gate_counts,
    measure,
    observer_tally,
    pursued_steps,
    reliability,
    switch_responses,
    with_inferred_skills,
)
from bba.bench.statistics import grouped
from bba.errors import BBAError
from bba.kitchen import Layout
from bba.play import Replay, Trace, load
from bba.tabular import Row, read_row
from human.study import (
    PERSON_SEAT,
    TUTORIAL,
    ActivityRecord,
    Condition,
    ExclusionRules,
    PlayedGame,
    Progress,
    Study,
    StudyFolder,
    SurveyAnswer,
    SurveyQuestion,
    games_of,
    read_log,
    recording_of,
)
from human.study.step_rows import StudyEvent, kitchen_events, step_rows
from human.study.table_columns import READ_COLUMNS, STUDY_TABLES, score_columns

Tables = dict[str, list[Row]]

OF_BOTH = ("reward", "deliveries", "in_order", "streak", "orders_expired", "fires")  # measures of both cooks together


class StudyGameData(NamedTuple):
    """A game of a participant; `trace` is None if no step was recorded, or if the recording has a `problem`.

    The trace has the skills that the person pursued, as they were inferred afterwards.
    """

    study: Study
    progress: Progress
    played: PlayedGame
    condition: Condition
    recording: str
    trace: Trace | None
    problem: str | None


def game_data(folder: StudyFolder, progress: Progress) -> Iterator[StudyGameData]:
    """Yields the games of a participant, in order, each with its recording."""
    study, order = folder.study, games_of(folder.study, progress)
    for played in progress.games:
        file = recording_of(folder.recordings, progress.participant, played.game)
        trace, problem = _trace(file, order[played.game], study.horizon) if file.exists() else (None, None)
        yield StudyGameData(study, progress, played, order[played.game], file.name, trace, problem)


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


def which_game(progress: Progress, order: Sequence[Condition], game: int | None) -> Row:
    """Returns the columns that say which game of this order a row is about, from 1; 0 is the tutorial."""
    condition = order[game - 1] if game and game <= len(order) else None
    layout = condition.layout if condition else TUTORIAL if game == 0 else None
    agent = condition.agent if condition else None
    return {"participant": progress.participant, "game": game, "layout": layout, "agent": agent}


def recorded_games(folder: StudyFolder) -> Iterator[tuple[StudyGameData, Trace]]:
    """Yields the usable games of all people who were not excluded, person by person, with their traces.

    Raises:
        BBAError: a participant's file cannot be read.
    """
    rules = folder.study.exclude
    broken = by_rule(rules, tables_of(folder)) if rules != ExclusionRules() else {}
    for progress in folder.everybody():
        counts = progress.excluded is None and progress.participant not in broken
        for game in game_data(folder, progress) if counts else ():
            if game.trace is not None:  # the tables name the problem of one that cannot be used
                yield game, game.trace


class Participant(NamedTuple):
    """What a row of `participants` is about."""

    study: Study
    progress: Progress


class GivenAnswer(NamedTuple):
    """What a row of `answers` is about; `condition` is None for a question about no game."""

    answer: SurveyAnswer
    question: SurveyQuestion
    condition: Condition | None


class PracticeAnswer(NamedTuple):
    """What a row of `practice` is about: a question in the try of this number, from 1; None where there is none."""

    number: int
    ended: datetime | None
    stages: int | None
    question: str | None
    as_expected: bool | None


def tables_of(folder: StudyFolder) -> Tables:
    """Returns all tables, each as a list of rows in the order of participants and time.

    Raises:
        BBAError: a file that cannot be read.
    """
    tables: Tables = {name: [] for name in STUDY_TABLES}
    for progress in folder.everybody():
        who: Row = {"participant": progress.participant}
        order = games_of(folder.study, progress)
        record = ActivityRecord.of(read_log(folder.log_of(progress.participant))[0])
        columns = READ_COLUMNS["participants"] | score_columns(folder.study)["participants"]
        tables["participants"].append({**who, **read_row(columns, Participant(folder.study, progress))})
        _add(tables, "answers", who, _answers(folder.study, progress))
        _add(tables, "practice", who, _practice(folder.study, progress))
        _add(tables, "breaks", who, progress.breaks)
        for press in record.keys:
            _add(tables, "keys", which_game(progress, order, press.game), [press])
        for line in record.events:
            event = StudyEvent(line.step, line.at, line.what, "participant", line.detail)
            _add(tables, "events", which_game(progress, order, line.game), [event])
        for game in game_data(folder, progress):  # one at a time: a trace takes much memory
            _add_game(tables, which_game(progress, order, game.played.game + 1), game, record)
    broken = by_rule(folder.study.exclude, tables)
    tables["participants"] = [
        {**row, "excluded": row["excluded"] or ", ".join(broken.get(str(row["participant"]), [])) or None}
        for row in tables["participants"]
    ]
    return tables


def _add(tables: Tables, table: str, which: Row, rows_about: Iterable[object]) -> None:
    """Adds a row to a table for each of these; `which` has the columns that say whom and which game they belong to."""
    tables[table] += ({**which, **read_row(READ_COLUMNS[table], about)} for about in rows_about)


def _add_game(tables: Tables, which: Row, game: StudyGameData, record: ActivityRecord) -> None:
    seat = game.progress.seat
    found = measure(game.trace) if game.trace else {}
    # in the other seat no belief was about the participant
    measured = {name: value for name, value in found.items() if seat == PERSON_SEAT or name in OF_BOTH}
    tables["games"].append(
        {**which, **read_row(READ_COLUMNS["games"], game), **dict.fromkeys(EPISODE_MEASURES), **measured}
        | read_row(score_columns(game.study)["games"], game)
    )
    _add(tables, "pauses", which, game.played.pauses)
    if game.trace is None:
        return
    if seat == PERSON_SEAT:
        _add(tables, "switches", which, switch_responses(pursued_steps(game.trace)))
        _add(tables, "calibration", which, reliability(observer_tally(game.trace).bins))
        _add(tables, "gates", which, gate_counts(game.trace))
    times = record.times.get(game.played.game + 1, {})
    tables["steps"] += ({**which, **row} for row in step_rows(game.trace, times, seat))
    _add(tables, "events", which, kitchen_events(game.trace, times, seat))


def _answers(study: Study, progress: Progress) -> Iterator[GivenAnswer]:
    order = games_of(study, progress)
    questions = {asked.name: asked for asked in study.questions}
    return (
        GivenAnswer(answer, questions[answer.question], None if answer.game is None else order[answer.game])
        for answer in progress.answers
    )


def _practice(study: Study, progress: Progress) -> Iterator[PracticeAnswer]:
    """Yields the tries of the practice, question by question; nothing in a study that has no rule for it."""
    if study.practice is None:
        return
    asked = [question for question in study.questions if question.when == "practice"]
    questions: Sequence[SurveyQuestion | None] = asked or [None]
    stages = progress.practice.stages if progress.practice else None
    tries = [(failed.ended, failed.stages, failed.answers) for failed in progress.tries]
    for number, (ended, done, answers) in enumerate([*tries, (None, stages, progress.answers)], 1):
        given = {answer.question: answer.value for answer in answers}
        for question in questions:
            right = question.as_expected(given[question.name]) if question and question.name in given else None
            yield PracticeAnswer(number, ended, done, question.name if question else None, right)


def unreadable_lines(folder: StudyFolder) -> list[str]:
    """Returns a line for each log of which not every line can be read."""
    logs = [folder.log_of(progress.participant) for progress in folder.everybody()]
    counts = [(log.name, read_log(log)[1]) for log in logs]
    return [f"logs/{name}: lines that cannot be read: {count}" for name, count in counts if count]


def limits_of(rules: ExclusionRules) -> dict[str, float]:
    """Returns the limit of each rule that is named, by its name in the study's file."""
    return {name: limit for name, limit in rules.model_dump(by_alias=True).items() if limit is not None}


def by_rule(rules: ExclusionRules, tables: Mapping[str, Sequence[Row]]) -> dict[str, list[str]]:
    """Returns the names of the rules that exclude each participant, for those whom any excludes."""
    limits = limits_of(rules)
    below = {"page-seconds"}  # what must be reached; the others must not be exceeded
    broken = {}
    for person in tables["participants"]:
        code = str(person["participant"])
        measured = _measured(code, tables) if limits else {}
        broken[code] = [
            name
            for name, limit in limits.items()
            if (value := measured[name]) is not None and (value < limit if name in below else value > limit)
        ]
    return {code: names for code, names in broken.items() if names}


def _measured(code: str, tables: Mapping[str, Sequence[Row]]) -> dict[str, float | None]:
    """Returns what the rules ask of a participant's rows, by the rules' names; None where there are no data."""
    mine = {
        name: [row for row in tables[name] if row["participant"] == code]
        for name in ("answers", "events", "games", "steps")
    }
    scales = grouped(((row["when"], row["game"]), row["score"]) for row in mine["answers"] if row["type"] == "scale")
    alike = [len(scores) for scores in scales.values() if len(set(scores)) == 1]
    seconds = [float(row["seconds"]) for row in mine["answers"] if row["seconds"] is not None]
    still = [row["participant_action"] == "stay" for row in mine["steps"]]
    return {
        "attention": sum(row["as_expected"] is False for row in mine["answers"]),
        "focus-lost": sum(row["event"] == "blur" and bool(row["game"]) for row in mine["events"]),
        "interruptions": sum(int(row["interruptions"] or 0) for row in mine["games"]),
        "idle": fmean(still) if still else None,
        "straight-lining": max(alike, default=0) + 0.5,  # so many are too many
        "page-seconds": median(seconds) if seconds else None,
    }


def without_excluded(tables: Mapping[str, Sequence[Row]]) -> dict[str, list[Row]]:
    """Returns the tables of a study without the rows of people who were excluded."""
    out = {row["participant"] for row in tables["participants"] if row["excluded"] is not None}
    return {name: [row for row in rows if row["participant"] not in out] for name, rows in tables.items()}


def whole_games(games: Sequence[Row]) -> list[Row]:
    """Returns the games that count: played to their end, with a recording that can be used."""
    return [row for row in games if row["ended"] is not None and not row["given_up"] and row["reward"] is not None]
