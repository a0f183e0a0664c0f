"""What each column of a study's tables holds; the tables and their data dictionary are both made from this."""

from dataclasses import fields
from typing import Literal, NamedTuple

from bba.analysis.measures import Measures

Kind = Literal["int", "float", "bool", "str"]


class StudyColumn(NamedTuple):
    """The type of a column's values, each of which may be missing, and what they mean."""

    type: Kind
    description: str


WHO = {"participant": StudyColumn("str", "the participant's code")}
WHICH = {
    **WHO,
    "game": StudyColumn("int", "which of the participant's games, from 1 in the order of play"),
    "layout": StudyColumn("str", "the kitchen"),
    "agent": StudyColumn("str", "who played beside the participant"),
}
PARTICIPANTS = {
    **WHO,
    "number": StudyColumn("int", "which participant this is, from 0; it decides the order of the games"),
    "order": StudyColumn("str", "the games in the participant's order, as layout/agent, with spaces between"),
    "consented": StudyColumn("str", "when consent was given (UTC, ISO 8601)"),
    "practised": StudyColumn("str", "when the tutorial ended (UTC); missing where there was none yet"),
    "stages": StudyColumn("int", "stages of the tutorial that were done"),
    "games_ended": StudyColumn("int", "games that have ended"),
    "answers": StudyColumn("int", "questions that have been answered"),
    "complete": StudyColumn("bool", "whether everything is done"),
}
MEANINGS = {
    "reward": "the team's reward",
    "deliveries": "dishes handed in",
    "in_order": "dishes handed in that were those of the first order",
    "streak": "the most dishes in order in a row",
    "orders_expired": "orders that ran out",
    "fires": "times that food began to burn",
    "skill_accuracy": "share of scored steps in which the observer's likeliest role was the participant's",
    "skill_accuracy_confident": "the same, where the observer's confidence was 0.65 or more",
    "gap_rate": "belief-action gap: of the agent's decisions with a right belief, the share that did not complement it",
    "gap_rate_confident": "the same, where the observer's confidence was 0.65 or more",
    "comp_at_3": "share of contradictions after which the agent complemented the participant within 3 steps",
    "duplicate_rate": "share of scored steps in which both were at the same role",
    "contradictions": "steps in which the participant's last actions contradicted the observer's belief",
    "replans": "times that the agent dropped a running skill to plan anew",
    "switches": "times that the participant turned to another role",
    "switches_caught": "switches that the observer noticed before the next one",
    "catch_delay": "mean steps until it noticed those",
    "recovery": "mean steps from a switch until the agent complemented the participant's role",
    "planner_calls": "times that the agent's planner was asked, re-asks included",
    "planner_retries": "re-asks after an unusable answer",
    "planner_fallbacks": "skills for which no answer could be used",
    "planner_prompt_tokens": "tokens sent to the planner, where known",
    "planner_completion_tokens": "tokens in its answers, where known",
    "planner_seconds": "seconds that it took, where known",
    "planner_cost": "US dollars that it took, where known",
}
GAMES = {
    **WHICH,
    "planner": StudyColumn("str", "what planned for the agent"),
    "seed": StudyColumn("int", "of everything random in the game"),
    "horizon": StudyColumn("int", "steps of a whole game"),
    "recording": StudyColumn("str", "the file in recordings/; missing where no step was recorded"),
    "started": StudyColumn("str", "when it began (UTC, ISO 8601)"),
    "ended": StudyColumn("str", "when it ended (UTC); missing where it has not"),
    "interruptions": StudyColumn("int", "times that it was interrupted and went on later"),
    "given_up": StudyColumn("bool", "whether the participant ended it early"),
    "steps": StudyColumn("int", "steps that are recorded"),
    **{
        field.name: StudyColumn("float" if "float" in str(field.type) else "int", MEANINGS[field.name])
        for field in fields(Measures)
    },
}
ANSWERS = {
    **WHICH,
    "question": StudyColumn("str", "the question's name"),
    "text": StudyColumn("str", "the question as it was asked"),
    "score": StudyColumn("int", "the answer on the scale, 1 to 5; missing for questions that want words"),
    "words": StudyColumn("str", "the answer in words; missing for questions with a scale"),
    "at": StudyColumn("str", "when it was given (UTC, ISO 8601)"),
}
SWITCHES = {
    **WHICH,
    "step": StudyColumn("int", "the first step in which the participant was at the new role"),
    "role": StudyColumn("str", "the new role; missing for work that has none, as putting out a fire"),
    "steps": StudyColumn("int", "steps until the next switch or the end"),
    "belief_delay": StudyColumn("int", "steps until the observer's likeliest role was the new one; missing if never"),
    "action_delay": StudyColumn("int", "steps until the agent ran a skill that complements it; missing if never"),
}

TABLES = {"participants": PARTICIPANTS, "games": GAMES, "answers": ANSWERS, "switches": SWITCHES}
ONE_ROW = {
    "participants": "a participant who has agreed to take part",
    "games": "a game that was begun",
    "answers": "an answer to a question",
    "switches": "a time at which a participant turned to another role",
}
