"""The columns of a study's tables: rows whose fields are the columns, and the scores that a study adds to them.

`human.study.tables` makes the rows. In the measures of a game the ego is the agent and the partner the participant.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from bba.analysis.measures import measure_columns
from bba.tabular import Column, Value
from human.study.annotated_rows import AnnotatedRow
from human.study.instrument_scores import InstrumentScore
from human.study.plan import Study
from human.study.progress import Progress
from human.study.step_rows import STEP_COLUMNS, EventRow


@dataclass(frozen=True)
class ParticipantKey(AnnotatedRow):
    """The first column of every table: whom the row is about."""

    participant: Annotated[str, "the participant's code"]


@dataclass(frozen=True)
class GameKey(ParticipantKey):
    """The first columns of a table about games: which game the row is about."""

    game: Annotated[int | None, "which of the participant's games, from 1 in the order of play; 0 is the tutorial"]
    layout: Annotated[str | None, "the kitchen"]
    agent: Annotated[str | None, "who played beside the participant; missing in the tutorial"]


@dataclass(frozen=True)
class ParticipantRow(AnnotatedRow):
    """A row of `participants`."""

    number: Annotated[int, "the participant's number, from 0, in the order of consent"]
    group: Annotated[str | None, "the levels of the factors that differ between participants; missing if none do"]
    order: Annotated[str, "the games in the participant's order, as layout/agent, with spaces between"]
    consented: Annotated[datetime, "when consent was given (UTC, ISO 8601)"]
    consent_version: Annotated[str | None, "the version of the consent text, where the study names one"]
    platform_participant: Annotated[str | None, "the participant's id on the recruiting platform; else missing"]
    platform_study: Annotated[str | None, "the id of the study there; else missing"]
    platform_session: Annotated[str | None, "the id of the session there; else missing"]
    practised: Annotated[datetime | None, "when the tutorial ended (UTC, ISO 8601); missing before that"]
    stages: Annotated[int | None, "stages of the tutorial that were completed"]
    games_ended: Annotated[int, "games that have ended"]
    answers: Annotated[int, "questions that have been answered"]
    pair: Annotated[int | None, "where two people play, the number of the one of the pair who came first; else missing"]
    seat: Annotated[int, "the participant's seat in the kitchen: 0 or 1"]
    tries: Annotated[int, "tries of the practice so far; 0 in a study that asks for none"]
    excluded: Annotated[
        str | None, "practice: by its rule; researcher: by them; else the rules of the study; missing if not excluded"
    ]
    reason: Annotated[str | None, "the researcher's reason"]
    simulated: Annotated[bool, "whether this is no person"]
    ending: Annotated[
        str | None,
        "the last ending that the participant came to, as in [online.endings]; missing before one, in old studies, "
        "and where the program was killed",
    ]
    complete: Annotated[bool, "whether everything is done"]


@dataclass(frozen=True)
class GameRow(AnnotatedRow):
    """A row of `games`, without the measures."""

    planner: Annotated[str | None, "what planned for the agent"]
    seed: Annotated[int, "the seed of everything random in the game"]
    hints: Annotated[bool, "whether hints were shown at first"]
    speed: Annotated[float | None, "steps a second; missing where the game waits for a key in every step"]
    horizon: Annotated[int, "steps of a whole game"]
    recording: Annotated[str | None, "the file in recordings/; missing if no step was recorded"]
    started: Annotated[datetime, "when it began (UTC, ISO 8601)"]
    ended: Annotated[datetime | None, "when it ended (UTC, ISO 8601); missing if it has not"]
    interruptions: Annotated[int, "times that it was interrupted and continued later"]
    given_up: Annotated[bool, "whether the participant ended it early"]
    problem: Annotated[str | None, "why the recording cannot be used, so that measures are missing; missing if it can"]
    steps: Annotated[int, "steps that are recorded"]


@dataclass(frozen=True)
class KeyRow(AnnotatedRow):
    """A row of `keys`."""

    step: Annotated[int, "steps before the key"]
    at: Annotated[datetime, "when it was pressed (UTC, ISO 8601)"]
    key: Annotated[str, "the key, in plain mode with the words after it; one that does nothing in the game, too"]
    decided: Annotated[int | None, "the step that it decided; missing if none: another key came, or it does not act"]
    seconds: Annotated[float | None, "from the key to that step, as it was played; missing if there is none"]
    undone: Annotated[bool, "whether what it did was lost in a crash, after which the game resumed before it"]


@dataclass(frozen=True)
class SwitchRow(AnnotatedRow):
    """A row of `switches`."""

    step: Annotated[int, "the first step of the work in the new role, or of putting something down for it"]
    role: Annotated[str | None, "the new role, which the participant then pursued"]
    steps: Annotated[int, "steps until the next switch or the end"]
    belief_delay: Annotated[int | None, "steps until the observer's MAP was the new role; missing if it never was"]
    action_delay: Annotated[
        int | None, "steps until the agent ran a skill that complements it; missing if it never did"
    ]


@dataclass(frozen=True)
class PauseRow(AnnotatedRow):
    """A row of `pauses`."""

    step: Annotated[int, "steps before the pause"]
    started: Annotated[datetime, "when it began (UTC, ISO 8601), to a tenth of a second"]
    seconds: Annotated[float, "how long it lasted"]
    why: Annotated[
        str,
        "key: the participant paused; dialog: a question lay over the game; small: so was the window; "
        "partner: the other one of a pair was missing, or paused",
    ]


@dataclass(frozen=True)
class AnswerRow(AnnotatedRow):
    """A row of `answers`."""

    when: Annotated[str, "start, after-game or end: when it was asked"]
    game: Annotated[int | None, "which of the participant's games it is about, from 1; missing if about none"]
    layout: Annotated[str | None, "the kitchen of that game"]
    agent: Annotated[str | None, "who played beside the participant in that game"]
    question: Annotated[str, "the question's name"]
    block: Annotated[
        str | None, "the block of questions from which it was included; missing for a study's own questions"
    ]
    type: Annotated[str, "scale, slider, choice, choices, number or text"]
    text: Annotated[str, "the question as it was asked"]
    score: Annotated[int | None, "the answer on a scale (1 to its points) or a slider (0 to 100); else missing"]
    number: Annotated[float | None, "the answer to a question for a number; else missing"]
    chosen: Annotated[str | None, "what was chosen from a list, with ` | ` between several; else missing"]
    words: Annotated[str | None, "the answer in words; else missing"]
    as_expected: Annotated[
        bool | None, "whether it is the answer of an attentive participant; missing if none is expected"
    ]
    position: Annotated[
        int | None, "its position among the questions asked at the same time, from 1; missing in old studies"
    ]
    shown: Annotated[datetime | None, "when the question was shown (UTC, ISO 8601); missing in old studies"]
    at: Annotated[datetime, "when the answer was confirmed (UTC, ISO 8601)"]
    seconds: Annotated[float | None, "seconds from shown to confirmed; missing in old studies"]
    changes: Annotated[int, "how often the participant went back and confirmed it anew"]


@dataclass(frozen=True)
class PracticeRow(AnnotatedRow):
    """A row of `practice`: a question in one try, or a try without questions."""

    try_: Annotated[int, "which try, from 1"]
    ended: Annotated[datetime | None, "when a failed try ended (UTC, ISO 8601); missing for the last one"]
    stages: Annotated[int | None, "stages of the tutorial that were completed; missing without a tutorial"]
    question: Annotated[str | None, "a question of practice; missing if there is none"]
    as_expected: Annotated[bool | None, "whether it was answered right; missing before it is answered"]


@dataclass(frozen=True)
class BreakRow(AnnotatedRow):
    """A row of `breaks`."""

    page: Annotated[str | None, "the page's name; missing for a break"]
    game: Annotated[int | None, "the game before it, from 1; missing for a page before or after all games"]
    started: Annotated[datetime, "when it began (UTC, ISO 8601)"]
    seconds: Annotated[float | None, "how long it lasted, interruptions included; missing while it lasts"]


@dataclass(frozen=True)
class CalibrationRow(AnnotatedRow):
    """A row of `calibration`."""

    low: Annotated[float, "the lower limit of the belief in the likeliest role; the upper one is 0.1 above"]
    steps: Annotated[int, "steps with such a belief in which the participant pursued a role"]
    belief: Annotated[float, "the observer's mean belief in the likeliest role in these steps"]
    right: Annotated[float, "the share of these steps in which the participant pursued that role"]


@dataclass(frozen=True)
class GateRow(AnnotatedRow):
    """A row of `gates`."""

    gate: Annotated[str, "contradiction or commitment: the gate of the observer, as for an ego always mid-skill"]
    switches: Annotated[int, "switches of the participant"]
    caught_10: Annotated[int, "of these, after which the gate opened within 10 steps"]
    caught_30: Annotated[int, "of these, after which it opened within 30 steps"]
    openings: Annotated[int, "times that the gate opened"]
    needless: Annotated[int, "of these, without a switch in the 30 steps before"]
    steps: Annotated[int, "steps of the game"]


@dataclass(frozen=True)
class BeliefRow(AnnotatedRow):
    """A row of `beliefs`."""

    belief: Annotated[
        str,
        "whose: observer, the same beside every agent; agent, its own, by which it played; or the name of the "
        "--partner-model for which the tables were written",
    ]
    steps: Annotated[int, "steps in which the participant pursued a role"]
    right: Annotated[float, "the share of these steps in which that was the likeliest role"]
    log_loss: Annotated[float, "mean of −log b(pursued role) over these steps, in nats; less is better"]
    calibration_error: Annotated[float, "by how much the belief in the likeliest role and that share differ, ten bins"]
    contradiction_caught_30: Annotated[
        int | None, "switches of the participant after which its contradiction gate opened within 30 steps"
    ]
    contradiction_needless: Annotated[
        int | None, "times that its contradiction gate opened without a switch in the 30 steps before"
    ]
    commitment_caught_30: Annotated[
        int | None, "switches of the participant after which its commitment gate opened within 30 steps"
    ]
    commitment_needless: Annotated[
        int | None, "times that its commitment gate opened without a switch in the 30 steps before"
    ]


STUDY_TABLES: dict[str, dict[str, Column]] = {
    "participants": ParticipantKey.columns() | ParticipantRow.columns(),
    "games": GameKey.columns() | GameRow.columns() | measure_columns(),
    "steps": GameKey.columns() | STEP_COLUMNS,
    "keys": GameKey.columns() | KeyRow.columns(),
    "switches": GameKey.columns() | SwitchRow.columns(),
    "pauses": GameKey.columns() | PauseRow.columns(),
    "answers": ParticipantKey.columns() | AnswerRow.columns(),
    "events": GameKey.columns() | EventRow.columns(),
    "practice": ParticipantKey.columns() | PracticeRow.columns(),
    "breaks": ParticipantKey.columns() | BreakRow.columns(),
    "calibration": GameKey.columns() | CalibrationRow.columns(),
    "gates": GameKey.columns() | GateRow.columns(),
    "beliefs": GameKey.columns() | BeliefRow.columns(),
}

ScoreTable = Literal["participants", "games"]


def scores_in(table: ScoreTable, study: Study) -> list[InstrumentScore]:
    """Returns the scores that are columns of a table: those of the answers after games are in that of the games."""
    after_game = table == "games"
    return [score for score in study.scores if (study.asked_when(score) == "after-game") == after_game]


def score_cells(table: ScoreTable, study: Study, progress: Progress, game: int | None = None) -> dict[str, Value]:
    """Returns the scores in a row of a table.

    Args:
        table: the table.
        study: the study.
        progress: the participant's, with the answers.
        game: the game that the row is about, from 0; None for a row about the participant.
    """
    points = {question.name: question.points for question in study.questions}
    values = progress.values(game)
    return {score.name: score.value(points, values) for score in scores_in(table, study)}


def table_columns(study: Study) -> dict[str, dict[str, Column]]:
    """Returns the columns of all tables of a study."""
    tables: tuple[ScoreTable, ...] = ("participants", "games")
    columns = dict(STUDY_TABLES)
    for table in tables:
        score_columns = {
            score.name: Column("float", f"{score.meaning}; missing if an answer is")
            for score in scores_in(table, study)
        }
        columns[table] = STUDY_TABLES[table] | score_columns
    return columns


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
    "beliefs": "a belief about the participant in a game",
    "practice": "a question of practice in one try, or a try without questions",
    "breaks": "a break between two games, or a page of the study's own",
}
