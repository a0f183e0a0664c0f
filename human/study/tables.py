"""The recorded games of a study's people, the rows of its tables, and whose rows are left out of what is computed.

`human.study.table_columns` says what their columns are, `table_rows` makes the rows, and `table_files` writes them.

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
from statistics import fmean, median
from types import MappingProxyType

from bba.agents.base import MakeModel
from bba.analysis import (
    EPISODE_MEASURES,
    gate_counts,
    measure,
    observer_tally,
    own_tally,
    pursued_steps,
    reliability,
    switch_responses,
)
from bba.analysis.belief_evaluation import observed_by
from bba.bench.statistics import grouped
from bba.play import Trace
from bba.tabular import Row, Value
from human.study import PERSON_SEAT, ActivityRecord, ExclusionRules, Progress, StudyFolder, games_of, read_log
from human.study.annotated_rows import AnnotatedRow
from human.study.game_data import StudyGameData, game_data
from human.study.step_rows import kitchen_events, step_rows
from human.study.table_columns import STUDY_TABLES, BeliefRow, GameKey, ParticipantKey, score_cells
from human.study.table_rows import (
    answer_rows,
    belief_row,
    break_row,
    calibration_row,
    game_key,
    game_row,
    gate_row,
    key_row,
    log_event_row,
    participant_row,
    pause_row,
    practice_rows,
    switch_row,
)

Tables = dict[str, list[Row]]
Beliefs = Mapping[str, MakeModel]  # by name
NO_BELIEFS: Beliefs = MappingProxyType({})

OF_BOTH = ("reward", "deliveries", "in_order", "streak", "orders_expired", "fires")  # measures of both cooks together
SHORTEST = {"page-seconds"}  # rules whose limit must be reached; the limits of the others must not be exceeded


def recorded_games(folder: StudyFolder) -> Iterator[tuple[StudyGameData, Trace]]:
    """Yields the usable games of all people who were not excluded, person by person, with their traces.

    Raises:
        BBAError: a participant's file cannot be read.
    """
    rules = folder.study.exclude
    broken_rules: dict[str, list[str]] = {}
    if rules != ExclusionRules():
        broken_rules = by_rule(rules, tables_of(folder))
    for progress in folder.everybody():
        if progress.excluded is not None or progress.participant in broken_rules:
            continue
        for game in game_data(folder, progress):
            if game.trace is not None:  # the tables name the problem of one that cannot be used
                yield game, game.trace


def tables_of(folder: StudyFolder, beliefs: Beliefs = NO_BELIEFS) -> Tables:
    """Returns all tables, each as a list of rows in the order of participants and time.

    Args:
        folder: the study.
        beliefs: what makes the partner models that are compared with observer and agent, by name.

    Raises:
        BBAError: a file that cannot be read.
    """
    tables: Tables = {name: [] for name in STUDY_TABLES}
    for progress in folder.everybody():
        _add_participant(tables, folder, progress, beliefs)
    broken_rules = by_rule(folder.study.exclude, tables)
    tables["participants"] = [_with_exclusion(row, broken_rules) for row in tables["participants"]]
    return tables


def _with_exclusion(row: Row, broken_rules: Mapping[str, Sequence[str]]) -> Row:
    """Returns a participant's row, which names the rules that exclude them, if nothing else does."""
    rules = broken_rules.get(str(row["participant"]))
    if row["excluded"] or not rules:
        return row
    return {**row, "excluded": ", ".join(rules)}


def _add_participant(tables: Tables, folder: StudyFolder, progress: Progress, beliefs: Beliefs) -> None:
    """Adds the rows of all tables that are about a participant."""
    study = folder.study
    order = games_of(study, progress)
    lines, _ = read_log(folder.log_of(progress.participant))
    record = ActivityRecord.of(lines)
    key = ParticipantKey(progress.participant)
    row = participant_row(study, progress)
    scores = score_cells("participants", study, progress)
    tables["participants"].append({**key.cells(), **row.cells(), **scores})
    _add(tables, "answers", key, answer_rows(study, progress))
    _add(tables, "practice", key, practice_rows(study, progress))
    _add(tables, "breaks", key, [break_row(pause) for pause in progress.breaks])
    for press in record.keys:
        press_key = game_key(progress, order, press.game)
        _add(tables, "keys", press_key, [key_row(press)])
    for line in record.events:
        event_key = game_key(progress, order, line.game)
        _add(tables, "events", event_key, [log_event_row(line)])
    for game in game_data(folder, progress):  # one at a time: a trace takes much memory
        played_key = game_key(progress, order, game.played.game + 1)
        _add_game(tables, played_key, game, record, beliefs)


def _add(tables: Tables, table: str, key: ParticipantKey, rows: Iterable[AnnotatedRow]) -> None:
    """Adds rows to a table; `key` has the columns that say whom and which game they belong to."""
    key_cells = key.cells()
    tables[table] += ({**key_cells, **row.cells()} for row in rows)


def _add_game(tables: Tables, key: GameKey, game: StudyGameData, record: ActivityRecord, beliefs: Beliefs) -> None:
    """Adds the rows of all tables that are about a game."""
    trace = game.trace
    seat = game.progress.seat
    scores = score_cells("games", game.study, game.progress, game.played.game)
    row = game_row(game)
    measures = _measures(trace, seat)
    tables["games"].append({**key.cells(), **row.cells(), **measures, **scores})
    _add(tables, "pauses", key, [pause_row(pause) for pause in game.played.pauses])
    if trace is None:
        return
    if seat == PERSON_SEAT:
        responses = switch_responses(pursued_steps(trace))
        tally = observer_tally(trace)
        bins = reliability(tally.bins)
        _add(tables, "switches", key, [switch_row(response) for response in responses])
        _add(tables, "calibration", key, [calibration_row(steps) for steps in bins])
        _add(tables, "gates", key, [gate_row(count) for count in gate_counts(trace)])
        _add(tables, "beliefs", key, belief_rows(trace, beliefs))
    times = record.times.get(game.played.game + 1, {})
    key_cells = key.cells()
    tables["steps"] += ({**key_cells, **row} for row in step_rows(trace, times, seat))
    _add(tables, "events", key, kitchen_events(trace, times, seat))


def belief_rows(trace: Trace, beliefs: Beliefs) -> Iterator[BeliefRow]:
    """Yields how good each belief about the participant is in a game; nothing where no role was pursued."""
    tally = observer_tally(trace)
    if not tally.steps:
        return
    yield belief_row("observer", tally, gate_counts(trace))
    of_agent = own_tally(trace)
    if of_agent is not None:
        yield belief_row("agent", of_agent)
    for name, make_model in beliefs.items():
        observed = observed_by(trace, make_model)
        yield belief_row(name, observer_tally(observed), gate_counts(observed))


def _measures(trace: Trace | None, seat: int) -> dict[str, Value]:
    """Returns all measures of a game; those that it does not have are None."""
    measures: dict[str, Value] = dict.fromkeys(EPISODE_MEASURES)
    if trace is None:
        return measures
    for name, value in measure(trace).items():
        # in the other seat no belief was about the participant
        if seat == PERSON_SEAT or name in OF_BOTH:
            measures[name] = value
    return measures


def unreadable_lines(folder: StudyFolder) -> list[str]:
    """Returns a line for each log of which not every line can be read."""
    problems = []
    for progress in folder.everybody():
        log = folder.log_of(progress.participant)
        _, unreadable = read_log(log)
        if unreadable > 0:
            problems.append(f"logs/{log.name}: lines that cannot be read: {unreadable}")
    return problems


def limits_of(rules: ExclusionRules) -> dict[str, float]:
    """Returns the limit of each rule that is named, by its name in the study's file."""
    return rules.model_dump(by_alias=True, exclude_none=True)


def by_rule(rules: ExclusionRules, tables: Mapping[str, Sequence[Row]]) -> dict[str, list[str]]:
    """Returns the names of the rules that exclude each participant, for those whom any excludes."""
    limits = limits_of(rules)
    if not limits:
        return {}
    broken_rules = {}
    for person in tables["participants"]:
        code = str(person["participant"])
        values = _rule_values(code, tables)
        names = []
        for name, limit in limits.items():
            if _is_broken(name, limit, values[name]):
                names.append(name)
        if names:
            broken_rules[code] = names
    return broken_rules


def _is_broken(rule: str, limit: float, value: float | None) -> bool:
    if value is None:
        return False
    if rule in SHORTEST:
        return value < limit
    return value > limit


def _rule_values(code: str, tables: Mapping[str, Sequence[Row]]) -> dict[str, float | None]:
    """Returns what the rules ask of a participant's rows, by the rules' names; None where there are no data."""
    answers = _rows_of(code, tables["answers"])
    games = _rows_of(code, tables["games"])
    failed_checks = [row for row in answers if row["as_expected"] is False]
    page_seconds = [float(row["seconds"]) for row in answers if row["seconds"] is not None]
    interruptions = [int(row["interruptions"] or 0) for row in games]
    steps = _rows_of(code, tables["steps"])
    stays = [row["participant_action"] == "stay" for row in steps]
    events = _rows_of(code, tables["events"])
    blurs = rows_where(events, event="blur")
    blurs_in_games = [row for row in blurs if row["game"]]  # the tutorial has the number 0
    return {
        "attention": len(failed_checks),
        "focus-lost": len(blurs_in_games),
        "interruptions": sum(interruptions),
        "idle": fmean(stays) if stays else None,
        "straight-lining": _most_alike(answers) + 0.5,  # so many are too many
        "page-seconds": median(page_seconds) if page_seconds else None,
    }


def _most_alike(answers: Sequence[Row]) -> int:
    """Returns the most scales of one point of the study among those points where all are answered alike."""
    scales = rows_where(answers, type="scale")
    scores_by_point = grouped(((row["when"], row["game"]), row["score"]) for row in scales)
    most = 0
    for scores in scores_by_point.values():
        if len(set(scores)) == 1:
            most = max(most, len(scores))
    return most


def _rows_of(code: str, rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row["participant"] == code]


def rows_where(rows: Iterable[Row], **values: Value) -> list[Row]:
    """Returns the rows that have these values in the columns of these names; None stands for a missing column, too."""
    return [row for row in rows if _has_values(row, values)]


def _has_values(row: Row, values: Mapping[str, Value]) -> bool:
    return all(row.get(column) == value for column, value in values.items())


def without_excluded(tables: Mapping[str, Sequence[Row]]) -> dict[str, list[Row]]:
    """Returns the tables of a study without the rows of people who were excluded."""
    excluded = set()
    for person in tables["participants"]:
        if person["excluded"] is not None:
            excluded.add(person["participant"])
    counted = {}
    for name, rows in tables.items():
        counted[name] = [row for row in rows if row["participant"] not in excluded]
    return counted


def whole_games(games: Sequence[Row]) -> list[Row]:
    """Returns the games that count: played to their end, with a recording that can be used."""
    whole = []
    for row in games:
        ended = row["ended"] is not None and not row["given_up"]
        if ended and row["reward"] is not None:
            whole.append(row)
    return whole
