"""How the rows of a study's tables are made from progress, logs and recordings."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from bba.analysis import SwitchResponse, calibration_error
from bba.analysis.coordination import BeliefTally, GateCount, Reliability
from bba.analysis.trace_columns import role_name
from human.study import (
    TUTORIAL,
    Condition,
    Pause,
    Progress,
    Study,
    SurveyAnswer,
    SurveyQuestion,
    finished,
    games_of,
    place_of,
)
from human.study.activity_log import KeyPress, LogLine
from human.study.game_data import StudyGameData
from human.study.progress import Break
from human.study.step_rows import EventRow
from human.study.table_columns import (
    AnswerRow,
    BeliefRow,
    BreakRow,
    CalibrationRow,
    GameKey,
    GameRow,
    GateRow,
    KeyRow,
    ParticipantRow,
    PauseRow,
    PracticeRow,
    SwitchRow,
)


def _seconds_between(start: datetime | None, end: datetime | None) -> float | None:
    if start is None or end is None:
        return None
    return (end - start).total_seconds()


def _from_one(game: int | None) -> int | None:
    """Returns the number of a game as the tables count, from 1; None for what is about no game."""
    if game is None:
        return None
    return game + 1


def participant_row(study: Study, progress: Progress) -> ParticipantRow:
    """Returns a participant's row, without scores."""
    group, _ = place_of(study, progress)
    order = []
    for game in games_of(study, progress):
        order.append(f"{game.layout}/{game.agent}")
    consent_version = None
    if progress.consent is not None:
        consent_version = progress.consent.version
    platform_participant = None
    platform_study = None
    platform_session = None
    if progress.platform is not None:
        platform_participant = progress.platform.participant
        platform_study = progress.platform.study
        platform_session = progress.platform.session
    practised = None
    stages = None
    if progress.practice is not None:
        practised = progress.practice.ended
        stages = progress.practice.stages
    games_ended = [played for played in progress.games if played.ended is not None]
    pair = None
    if progress.pair is not None:
        pair = progress.pair.number
    tries = len(progress.tries)
    if study.practice is not None:
        tries += 1  # the one under way, or the one that met the rule
    excluded = None
    reason = None
    if progress.excluded is not None:
        excluded = progress.excluded.why
        reason = progress.excluded.reason
    ending = None
    if progress.endings:
        ending = progress.endings[-1]
    return ParticipantRow(
        number=progress.number,
        group=study.group_name(group),
        order=" ".join(order),
        consented=progress.consented,
        consent_version=consent_version,
        platform_participant=platform_participant,
        platform_study=platform_study,
        platform_session=platform_session,
        practised=practised,
        stages=stages,
        games_ended=len(games_ended),
        answers=len(progress.answers),
        pair=pair,
        seat=progress.seat,
        tries=tries,
        excluded=excluded,
        reason=reason,
        simulated=progress.simulated,
        ending=ending,
        complete=finished(study, progress),
    )


def game_key(progress: Progress, order: Sequence[Condition], game: int | None) -> GameKey:
    """Returns the columns that say which game of this order a row is about, from 1; 0 is the tutorial."""
    if game == 0:
        return GameKey(progress.participant, game, TUTORIAL, None)
    if game is None or game > len(order):
        return GameKey(progress.participant, game, None, None)
    condition = order[game - 1]
    return GameKey(progress.participant, game, condition.layout, condition.agent)


def game_row(game: StudyGameData) -> GameRow:
    """Returns a game's row, without measures and scores."""
    trace = game.trace
    played = game.played
    recording = None
    if trace is not None or game.problem:
        recording = game.recording
    speed = None
    if not played.turns:
        speed = game.study.speed_of(game.condition)
    planner = None
    steps = 0
    if trace is not None:
        planner = trace.config.seats[0].planner
        steps = len(trace.ticks)
    return GameRow(
        planner=planner,
        seed=game.condition.seed,
        hints=game.condition.hints,
        speed=speed,
        horizon=game.study.horizon,
        recording=recording,
        started=played.started,
        ended=played.ended,
        interruptions=len(played.resumed),
        given_up=played.given_up,
        problem=game.problem,
        steps=steps,
    )


def key_row(press: KeyPress) -> KeyRow:
    """Returns the row of a key."""
    return KeyRow(
        step=press.step,
        at=press.at,
        key=press.key,
        decided=press.decided,
        seconds=press.seconds,
        undone=press.undone,
    )


def log_event_row(line: LogLine) -> EventRow:
    """Returns the row of a line of the log that is neither a key nor a step."""
    return EventRow(step=line.step, at=line.at, event=line.what, who="participant", detail=line.detail)


def switch_row(response: SwitchResponse) -> SwitchRow:
    """Returns the row of a switch, with how belief and agent followed it."""
    return SwitchRow(
        step=response.start + 1,
        role=role_name(response.role),
        steps=response.end - response.start,
        belief_delay=response.noticed,
        action_delay=response.complemented,
    )


def pause_row(pause: Pause) -> PauseRow:
    """Returns the row of a time in which a game stood still."""
    seconds = (pause.ended - pause.started).total_seconds()
    return PauseRow(step=pause.step, started=pause.started, seconds=seconds, why=pause.why)


def answer_row(answer: SurveyAnswer, question: SurveyQuestion, condition: Condition | None) -> AnswerRow:
    """Returns the row of an answer; `condition` is None for a question about no game."""
    layout = None
    agent = None
    if condition is not None:
        layout = condition.layout
        agent = condition.agent
    chosen = None
    if answer.chosen is not None:
        chosen = " | ".join(answer.chosen)
    return AnswerRow(
        when=question.when,
        game=_from_one(answer.game),
        layout=layout,
        agent=agent,
        question=question.name,
        block=question.block,
        type=question.type,
        text=question.text,
        score=answer.score,
        number=answer.number,
        chosen=chosen,
        words=answer.words,
        as_expected=question.as_expected(answer.value),
        position=answer.position,
        shown=answer.shown,
        at=answer.at,
        seconds=_seconds_between(answer.shown, answer.at),
        changes=answer.changes,
    )


def answer_rows(study: Study, progress: Progress) -> Iterator[AnswerRow]:
    """Yields the rows of a participant's answers."""
    order = games_of(study, progress)
    questions = {question.name: question for question in study.questions}
    for answer in progress.answers:
        condition = None
        if answer.game is not None:
            condition = order[answer.game]
        yield answer_row(answer, questions[answer.question], condition)


def practice_rows(study: Study, progress: Progress) -> Iterator[PracticeRow]:
    """Yields the tries of the practice, question by question; nothing in a study that has no rule for it."""
    if study.practice is None:
        return
    questions = [question for question in study.questions if question.when == "practice"]
    stages = None
    if progress.practice is not None:
        stages = progress.practice.stages
    tries = [(failed.ended, failed.stages, failed.answers) for failed in progress.tries]
    last_try = (None, stages, progress.answers)
    for number, (ended, completed, answers) in enumerate([*tries, last_try], 1):
        if not questions:
            yield PracticeRow(number, ended, completed, question=None, as_expected=None)
        values = {answer.question: answer.value for answer in answers}
        for question in questions:
            as_expected = None
            if question.name in values:
                as_expected = question.as_expected(values[question.name])
            yield PracticeRow(number, ended, completed, question.name, as_expected)


def break_row(pause: Break) -> BreakRow:
    """Returns the row of a break, or of a page of the study's own."""
    return BreakRow(
        page=pause.page,
        game=_from_one(pause.game),
        started=pause.started,
        seconds=_seconds_between(pause.started, pause.ended),
    )


def calibration_row(steps: Reliability) -> CalibrationRow:
    """Returns the row of a range of beliefs."""
    return CalibrationRow(low=steps.low, steps=steps.steps, belief=steps.belief, right=steps.right)


def gate_row(count: GateCount) -> GateRow:
    """Returns the row of a gate."""
    return GateRow(
        gate=count.gate,
        switches=count.switches,
        caught_10=count.caught_10,
        caught_30=count.caught_30,
        openings=count.openings,
        needless=count.needless,
        steps=count.steps,
    )


def belief_row(belief: str, tally: BeliefTally, gates: Iterable[GateCount] = ()) -> BeliefRow:
    """Returns the row of a belief.

    Args:
        belief: whose.
        tally: of a game in which the participant pursued a role.
        gates: of the belief, if they are counted.
    """
    counts = {count.gate: count for count in gates}
    contradiction = counts.get("contradiction")
    commitment = counts.get("commitment")
    return BeliefRow(
        belief=belief,
        steps=tally.steps,
        right=tally.right / tally.steps,
        log_loss=tally.log_loss / tally.steps,
        calibration_error=calibration_error(tally.bins),
        contradiction_caught_30=None if contradiction is None else contradiction.caught_30,
        contradiction_needless=None if contradiction is None else contradiction.needless,
        commitment_caught_30=None if commitment is None else commitment.caught_30,
        commitment_needless=None if commitment is None else commitment.needless,
    )
