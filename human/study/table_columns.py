"""The columns of a study's tables: what each holds, and how it is read from what a row is about.

`human.study.tables` yields what the rows are about. In the measures of a game the ego is the agent and the partner the
participant.
"""

from datetime import datetime
from functools import partial
from typing import Any

from bba.analysis.measures import measure_columns
from bba.analysis.trace_columns import role_name
from bba.tabular import Column
from human.study.plan import Study
from human.study.questions import InstrumentScore
from human.study.step_rows import STEP_COLUMNS
from human.study.tasks import finished, games_of, place_of


def _seconds(started: datetime | None, ended: datetime | None) -> float | None:
    return None if started is None or ended is None else (ended - started).total_seconds()


WHO = {"participant": Column("str", "the participant's code")}
WHICH = {
    **WHO,
    "game": Column("int", "which of the participant's games, from 1 in the order of play; 0 is the tutorial"),
    "layout": Column("str", "the kitchen"),
    "agent": Column("str", "who played beside the participant; missing in the tutorial"),
}
READ_COLUMNS: dict[str, dict[str, Column]] = {
    "participants": {
        "number": Column(
            "int", "the participant's number, from 0, in the order of consent", lambda one: one.progress.number
        ),
        "group": Column(
            "str",
            "the levels of the factors that differ between participants; missing if none do",
            lambda one: one.study.group_name(place_of(one.study, one.progress)[0]),
        ),
        "order": Column(
            "str",
            "the games in the participant's order, as layout/agent, with spaces between",
            lambda one: " ".join(f"{game.layout}/{game.agent}" for game in games_of(one.study, one.progress)),
        ),
        "consented": Column("str", "when consent was given (UTC, ISO 8601)", lambda one: one.progress.consented),
        "consent_version": Column(
            "str",
            "the version of the consent text, where the study names one",
            lambda one: one.progress.consent and one.progress.consent.version,
        ),
        "platform_participant": Column(
            "str",
            "the participant's id on the recruiting platform; else missing",
            lambda one: one.progress.platform and one.progress.platform.participant,
        ),
        "platform_study": Column(
            "str",
            "the id of the study there; else missing",
            lambda one: one.progress.platform and one.progress.platform.study,
        ),
        "platform_session": Column(
            "str",
            "the id of the session there; else missing",
            lambda one: one.progress.platform and one.progress.platform.session,
        ),
        "practised": Column(
            "str",
            "when the tutorial ended (UTC, ISO 8601); missing before that",
            lambda one: one.progress.practice and one.progress.practice.ended,
        ),
        "stages": Column(
            "int",
            "stages of the tutorial that were completed",
            lambda one: one.progress.practice and one.progress.practice.stages,
        ),
        "games_ended": Column(
            "int", "games that have ended", lambda one: sum(played.ended is not None for played in one.progress.games)
        ),
        "answers": Column("int", "questions that have been answered", lambda one: len(one.progress.answers)),
        "pair": Column(
            "int",
            "where two people play, the number of the one of the pair who came first; else missing",
            lambda one: one.progress.pair and one.progress.pair.number,
        ),
        "seat": Column("int", "the participant's seat in the kitchen: 0 or 1", lambda one: one.progress.seat),
        "tries": Column(
            "int",
            "tries of the practice so far; 0 in a study that asks for none",
            lambda one: len(one.progress.tries) + (one.study.practice is not None),
        ),
        "excluded": Column(
            "str",
            "practice: by its rule; researcher: by them; else the rules of the study; missing if not excluded",
            lambda one: one.progress.excluded and one.progress.excluded.why,
        ),
        "reason": Column(
            "str", "the researcher's reason", lambda one: one.progress.excluded and one.progress.excluded.reason
        ),
        "simulated": Column("bool", "whether this is no person", lambda one: one.progress.simulated),
        "ending": Column(
            "str",
            "the last ending that the participant came to, as in [online.endings]; missing before one, in old studies, "
            "and where the program was killed",
            lambda one: one.progress.endings[-1] if one.progress.endings else None,
        ),
        "complete": Column("bool", "whether everything is done", lambda one: finished(one.study, one.progress)),
    },
    "games": {
        "planner": Column(
            "str", "what planned for the agent", lambda one: one.trace and one.trace.config.seats[0].planner
        ),
        "seed": Column("int", "the seed of everything random in the game", lambda one: one.condition.seed),
        "hints": Column("bool", "whether hints were shown at first", lambda one: one.condition.hints),
        "speed": Column(
            "float",
            "steps a second; missing where the game waits for a key in every step",
            lambda one: None if one.played.turns else one.study.speed_of(one.condition),
        ),
        "horizon": Column("int", "steps of a whole game", lambda one: one.study.horizon),
        "recording": Column(
            "str",
            "the file in recordings/; missing if no step was recorded",
            lambda one: one.recording if one.trace or one.problem else None,
        ),
        "started": Column("str", "when it began (UTC, ISO 8601)", lambda one: one.played.started),
        "ended": Column("str", "when it ended (UTC, ISO 8601); missing if it has not", lambda one: one.played.ended),
        "interruptions": Column(
            "int", "times that it was interrupted and continued later", lambda one: len(one.played.resumed)
        ),
        "given_up": Column("bool", "whether the participant ended it early", lambda one: one.played.given_up),
        "problem": Column("str", "why the recording cannot be used, so that measures are missing; missing if it can"),
        "steps": Column("int", "steps that are recorded", lambda one: len(one.trace.ticks) if one.trace else 0),
    },
    "keys": {
        "step": Column("int", "steps before the key"),
        "at": Column("str", "when it was pressed (UTC, ISO 8601)"),
        "key": Column("str", "the key, in plain mode with the words after it; one that does nothing in the game, too"),
        "decided": Column("int", "the step that it decided; missing if none: another key came, or it does not act"),
        "seconds": Column("float", "from the key to that step, as it was played; missing if there is none"),
        "undone": Column("bool", "whether what it did was lost in a crash, after which the game resumed before it"),
    },
    "switches": {
        "step": Column(
            "int",
            "the first step of the work in the new role, or of putting something down for it",
            lambda one: one.start + 1,
        ),
        "role": Column("str", "the new role, which the participant then pursued", lambda one: role_name(one.role)),
        "steps": Column("int", "steps until the next switch or the end", lambda one: one.end - one.start),
        "belief_delay": Column(
            "int", "steps until the observer's MAP was the new role; missing if it never was", lambda one: one.noticed
        ),
        "action_delay": Column(
            "int",
            "steps until the agent ran a skill that complements it; missing if it never did",
            lambda one: one.complemented,
        ),
    },
    "pauses": {
        "step": Column("int", "steps before the pause"),
        "started": Column("str", "when it began (UTC, ISO 8601), to a tenth of a second"),
        "seconds": Column("float", "how long it lasted", lambda one: _seconds(one.started, one.ended)),
        "why": Column(
            "str",
            "key: the participant paused; dialog: a question lay over the game; small: so was the window; "
            "partner: the other one of a pair was missing, or paused",
        ),
    },
    "answers": {
        "when": Column("str", "start, after-game or end: when it was asked", lambda one: one.question.when),
        "game": Column(
            "int",
            "which of the participant's games it is about, from 1; missing if about none",
            lambda one: None if one.answer.game is None else one.answer.game + 1,
        ),
        "layout": Column("str", "the kitchen of that game", lambda one: one.condition and one.condition.layout),
        "agent": Column(
            "str", "who played beside the participant in that game", lambda one: one.condition and one.condition.agent
        ),
        "question": Column("str", "the question's name", lambda one: one.question.name),
        "block": Column(
            "str",
            "the block of questions from which it was included; missing for a study's own questions",
            lambda one: one.question.block,
        ),
        "type": Column("str", "scale, slider, choice, choices, number or text", lambda one: one.question.type),
        "text": Column("str", "the question as it was asked", lambda one: one.question.text),
        "score": Column(
            "int",
            "the answer on a scale (1 to its points) or a slider (0 to 100); else missing",
            lambda one: one.answer.score,
        ),
        "number": Column("float", "the answer to a question for a number; else missing", lambda one: one.answer.number),
        "chosen": Column(
            "str",
            "what was chosen from a list, with ` | ` between several; else missing",
            lambda one: None if one.answer.chosen is None else " | ".join(one.answer.chosen),
        ),
        "words": Column("str", "the answer in words; else missing", lambda one: one.answer.words),
        "as_expected": Column(
            "bool",
            "whether it is the answer of an attentive participant; missing if none is expected",
            lambda one: one.question.as_expected(one.answer.value),
        ),
        "position": Column(
            "int",
            "its position among the questions asked at the same time, from 1; missing in old studies",
            lambda one: one.answer.position,
        ),
        "shown": Column(
            "str", "when the question was shown (UTC, ISO 8601); missing in old studies", lambda one: one.answer.shown
        ),
        "at": Column("str", "when the answer was confirmed (UTC, ISO 8601)", lambda one: one.answer.at),
        "seconds": Column(
            "float",
            "seconds from shown to confirmed; missing in old studies",
            lambda one: _seconds(one.answer.shown, one.answer.at),
        ),
        "changes": Column(
            "int", "how often the participant went back and confirmed it anew", lambda one: one.answer.changes
        ),
    },
    "events": {
        "step": Column("int", "the step, or the steps before it; missing outside of games"),
        "at": Column("str", "when it was (UTC, ISO 8601); missing for steps without a log"),
        "event": Column(
            "str",
            "the participant joined, was readmitted or left; page: one of the study's own was shown; a game began or "
            "went on (game), ended or was left (over), paused or resumed; the window lost the keyboard (blur), had it "
            "(focus), got a size; completed: a skill; delivery, order lost, fire; replan: the agent's trigger "
            "interrupted its skill; fallback: its planner had no usable answer",
        ),
        "who": Column("str", "participant or agent; missing if nobody did it"),
        "detail": Column(
            "str",
            "the skill, the reason of a pause, the page, the size in columns and rows (plain: lines of text), "
            "the ending; else missing",
        ),
    },
    "practice": {
        "try": Column("int", "which try, from 1", lambda one: one.number),
        "ended": Column("str", "when a failed try ended (UTC, ISO 8601); missing for the last one"),
        "stages": Column("int", "stages of the tutorial that were completed; missing without a tutorial"),
        "question": Column("str", "a question of practice; missing if there is none"),
        "as_expected": Column("bool", "whether it was answered right; missing before it is answered"),
    },
    "breaks": {
        "page": Column("str", "the page's name; missing for a break"),
        "game": Column(
            "int",
            "the game before it, from 1; missing for a page before or after all games",
            lambda one: None if one.game is None else one.game + 1,
        ),
        "started": Column("str", "when it began (UTC, ISO 8601)"),
        "seconds": Column(
            "float",
            "how long it lasted, interruptions included; missing while it lasts",
            lambda one: _seconds(one.started, one.ended),
        ),
    },
    "calibration": {
        "low": Column("float", "the lower limit of the belief in the likeliest role; the upper one is 0.1 above"),
        "steps": Column("int", "steps with such a belief in which the participant pursued a role"),
        "belief": Column("float", "the observer's mean belief in the likeliest role in these steps"),
        "right": Column("float", "the share of these steps in which the participant pursued that role"),
    },
    "gates": {
        "gate": Column("str", "contradiction or commitment: the gate of the observer, as for an ego always mid-skill"),
        "switches": Column("int", "switches of the participant"),
        "caught_10": Column("int", "of these, after which the gate opened within 10 steps"),
        "caught_30": Column("int", "of these, after which it opened within 30 steps"),
        "openings": Column("int", "times that the gate opened"),
        "needless": Column("int", "of these, without a switch in the 30 steps before"),
        "steps": Column("int", "steps of the game"),
    },
}
STUDY_TABLES: dict[str, dict[str, Column]] = {
    "participants": WHO | READ_COLUMNS["participants"],
    "games": WHICH | READ_COLUMNS["games"] | measure_columns(),
    "steps": WHICH | STEP_COLUMNS,
    "keys": WHICH | READ_COLUMNS["keys"],
    "switches": WHICH | READ_COLUMNS["switches"],
    "pauses": WHICH | READ_COLUMNS["pauses"],
    "answers": WHO | READ_COLUMNS["answers"],
    "events": WHICH | READ_COLUMNS["events"],
    "practice": WHO | READ_COLUMNS["practice"],
    "breaks": WHO | READ_COLUMNS["breaks"],
    "calibration": WHICH | READ_COLUMNS["calibration"],
    "gates": WHICH | READ_COLUMNS["gates"],
}


def score_columns(study: Study) -> dict[str, dict[str, Column]]:
    """Returns the columns with the scores of a study, by table: those after games are in that of the games."""
    columns: dict[str, dict[str, Column]] = {"participants": {}, "games": {}}
    for score in study.scores:
        table = "games" if study.asked_when(score) == "after-game" else "participants"
        what = f"{score.meaning}; missing if an answer is"
        columns[table][score.name] = Column("float", what, partial(_score, score))
    return columns


def _score(score: InstrumentScore, one: Any) -> float | None:
    """Returns a score of the participant or the game that a row is about."""
    game = one.played.game if hasattr(one, "played") else None
    answers = {answer.question: answer.value for answer in one.progress.answers if answer.game == game}
    return score.value({asked.name: asked.points for asked in one.study.questions}, answers)


def table_columns(study: Study) -> dict[str, dict[str, Column]]:
    """Returns the columns of all tables of a study."""
    return STUDY_TABLES | {name: STUDY_TABLES[name] | scores for name, scores in score_columns(study).items()}


PRIMARY_KEYS = {
    "participants": ("participant",),
    "games": ("participant", "game"),
    "steps": ("participant", "game", "step"),
}
ONE_ROW = {
    "participants": "a participant who has agreed to take part",
    "games": "a game that was begun",
    "answers": "an answer to a question",
    "switches": "a switch of a participant to another role",
    "pauses": "a time in which a game stood still",
    "steps": "a step of a game",
    "keys": "a key that was pressed in a game or in the tutorial",
    "events": "something that happened to a participant or in a game",
    "calibration": "a range of beliefs in a game",
    "gates": "a gate in a game",
    "practice": "a question of practice in one try, or a try without questions",
    "breaks": "a break between two games, or a page of the study's own",
}
