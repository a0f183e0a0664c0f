"""The columns of a study's tables, from which the files and their data dictionary are made."""

from bba.analysis.measures import measure_columns
from bba.tabular import Column
from human.study.step_rows import STEP_COLUMNS

WHO = {"participant": Column("str", "the participant's code")}
WHICH = {
    **WHO,
    "game": Column("int", "which of the participant's games, from 1 in the order of play; 0 is the tutorial"),
    "layout": Column("str", "the kitchen"),
    "agent": Column("str", "who played beside the participant; missing in the tutorial"),
}
PARTICIPANTS = {
    **WHO,
    "number": Column("int", "the participant's number, from 0, in the order of consent"),
    "group": Column("str", "the levels of the factors that differ between participants; missing if none do"),
    "order": Column("str", "the games in the participant's order, as layout/agent, with spaces between"),
    "consented": Column("str", "when consent was given (UTC, ISO 8601)"),
    "consent_version": Column("str", "the version of the consent text, where the study names one"),
    "platform_participant": Column("str", "the participant's id on the recruiting platform; else missing"),
    "platform_study": Column("str", "the id of the study there; else missing"),
    "platform_session": Column("str", "the id of the session there; else missing"),
    "practised": Column("str", "when the tutorial ended (UTC, ISO 8601); missing before that"),
    "stages": Column("int", "stages of the tutorial that were completed"),
    "games_ended": Column("int", "games that have ended"),
    "answers": Column("int", "questions that have been answered"),
    "pair": Column("int", "where two people play, the number of the one of the pair who came first; else missing"),
    "seat": Column("int", "the participant's seat in the kitchen: 0 or 1"),
    "tries": Column("int", "tries of the practice so far; 0 in a study that asks for none"),
    "excluded": Column("str", "practice: by its rule; researcher: by them; missing if not excluded"),
    "complete": Column("bool", "whether everything is done"),
}
GAME_TABLE = {
    **WHICH,
    "planner": Column("str", "what planned for the agent"),
    "seed": Column("int", "the seed of everything random in the game"),
    "hints": Column("bool", "whether hints were shown at first"),
    "speed": Column("float", "steps a second; missing where the game waits for a key in every step"),
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
ANSWER_TABLE = {
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
PAUSE_TABLE = {
    **WHICH,
    "step": Column("int", "steps before the pause"),
    "started": Column("str", "when it began (UTC, ISO 8601), to a tenth of a second"),
    "seconds": Column("float", "how long it lasted"),
    "why": Column(
        "str",
        "key: the participant paused; dialog: a question lay over the game; small: so was the window; "
        "partner: the other one of a pair was missing, or paused",
    ),
}
KEY_TABLE = {
    **WHICH,
    "step": Column("int", "steps before the key"),
    "at": Column("str", "when it was pressed (UTC, ISO 8601)"),
    "key": Column("str", "the key; one that does nothing in the game, too"),
    "decided": Column("int", "the step that it decided; missing if none: another key came, or it does not act"),
    "seconds": Column("float", "from the key to that step, as it was played; missing if there is none"),
    "undone": Column("bool", "whether what it did was lost in a crash, after which the game resumed before it"),
}
EVENT_TABLE = {
    **WHICH,
    "step": Column("int", "the step, or the steps before it; missing outside of games"),
    "at": Column("str", "when it was (UTC, ISO 8601); missing for steps without a log"),
    "event": Column(
        "str",
        "the participant joined or left; a game began or went on (game), ended or was left (over), paused or resumed; "
        "the window lost the keyboard (blur), had it (focus), got a size; completed: a skill; delivery, order lost, "
        "fire; replan: the agent's trigger interrupted its skill; fallback: its planner had no usable answer",
    ),
    "who": Column("str", "participant or agent; missing if nobody did it"),
    "detail": Column("str", "the skill, the reason of a pause, the size in columns and rows; else missing"),
}
STEP_TABLE = {**WHICH, **STEP_COLUMNS}

CALIBRATION = {
    **WHICH,
    "low": Column("float", "the lower limit of the belief in the likeliest role; the upper one is 0.1 above"),
    "steps": Column("int", "steps with such a belief in which the participant pursued a role"),
    "belief": Column("float", "the observer's mean belief in the likeliest role in these steps"),
    "right": Column("float", "the share of these steps in which the participant pursued that role"),
}
GATE_TABLE = {
    **WHICH,
    "gate": Column("str", "contradiction or commitment: the gate of the observer, as for an ego always mid-skill"),
    "switches": Column("int", "switches of the participant"),
    "caught_10": Column("int", "of these, after which the gate opened within 10 steps"),
    "caught_30": Column("int", "of these, after which it opened within 30 steps"),
    "openings": Column("int", "times that the gate opened"),
    "needless": Column("int", "of these, without a switch in the 30 steps before"),
    "steps": Column("int", "steps of the game"),
}
PRACTICE = {
    **WHO,
    "try": Column("int", "which try, from 1"),
    "ended": Column("str", "when a failed try ended (UTC, ISO 8601); missing for the last one"),
    "stages": Column("int", "stages of the tutorial that were completed; missing without a tutorial"),
    "question": Column("str", "a question of practice; missing if there is none"),
    "as_expected": Column("bool", "whether it was answered right; missing before it is answered"),
}
BREAKS = {
    **WHO,
    "game": Column("int", "the game before it, from 1"),
    "started": Column("str", "when it began (UTC, ISO 8601)"),
    "seconds": Column("float", "how long it lasted; missing while it lasts"),
}

STUDY_TABLES = {
    "participants": PARTICIPANTS,
    "games": GAME_TABLE,
    "steps": STEP_TABLE,
    "keys": KEY_TABLE,
    "switches": SWITCHES,
    "pauses": PAUSE_TABLE,
    "answers": ANSWER_TABLE,
    "events": EVENT_TABLE,
    "practice": PRACTICE,
    "breaks": BREAKS,
    "calibration": CALIBRATION,
    "gates": GATE_TABLE,
}
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
    "breaks": "a break between two games",
}
