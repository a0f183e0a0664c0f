"""The columns of a study's tables; the tables and their data dictionary are both made from them.

In the measures of a game the ego is the agent and the partner the participant.
"""

from bba.analysis.measures import measure_columns
from bba.tabular import Column

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
    "steps": Column("int", "steps that are recorded"),
    **measure_columns(),
}
ANSWERS = {
    **WHICH,
    "question": Column("str", "the question's name"),
    "text": Column("str", "the question as it was asked"),
    "score": Column("int", "the answer on the scale, 1 to 5; missing for questions answered in words"),
    "words": Column("str", "the answer in words; missing for questions with a scale"),
    "at": Column("str", "when it was given (UTC, ISO 8601)"),
}
SWITCHES = {
    **WHICH,
    "step": Column("int", "the first step in which the participant worked in the new role"),
    "role": Column("str", "the new role; missing for work without a role, such as putting out a fire"),
    "steps": Column("int", "steps until the next switch or the end"),
    "belief_delay": Column("int", "steps until the observer's MAP was the new role; missing if it never was"),
    "action_delay": Column("int", "steps until the agent ran a skill that complements it; missing if it never did"),
}

TABLES = {"participants": PARTICIPANTS, "games": GAMES, "answers": ANSWERS, "switches": SWITCHES}
ONE_ROW = {
    "participants": "a participant who has agreed to take part",
    "games": "a game that was begun",
    "answers": "an answer to a question",
    "switches": "a switch of a participant to another role",
}
