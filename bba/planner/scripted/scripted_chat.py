"""The scripted planner as a chat backend: it reads a prompt and answers in the requested format.

Only what the scene and the belief block say is known. Side queries ask whether to drop a running skill, and for
hypotheses on the teammate's strategy. The skill is dropped if the teammate is probably at work in the same role, or if
it has become useless: a cook with the same held item, which leaves the teammate's probable task to the teammate, would
not start it any more.
"""

from collections.abc import Callable, Sequence

from bba.errors import BBAError
from bba.kernels import in_use, maybe_compiled
from bba.planner.chat import Message, Reply
from bba.planner.scripted import prompt_reader
from bba.planner.scripted.answers import (
    answer_text,
    evaluation,
    prediction,
    proposal,
    role_of_hypothesis,
    shape_of,
    verdict,
)
from bba.planner.scripted.skill_choice import choose_skill, is_superseded, mates_skill

# The text that marks each query.
JUDGE = "Verdict: <"
EVALUATE = "1: <TRUE or FALSE>"
GENERATE = "Hypothesis: <"
PREDICT = "1: <index or name of the next skill>"
# The same in the preprint.
EVALUATE_IN_WORDS = "h1: <True or False>"
GENERATE_IN_WORDS = "one concise strategy"
PREDICT_IN_WORDS = "one concise next behavior"


def judge(question: str) -> str:
    """Answers REPLAN or CONTINUE.

    Raises:
        BBAError: the question does not say which skill is running.
    """
    running = prompt_reader.running_skill(question)
    facts = prompt_reader.parse_prompt(question)
    return verdict(is_superseded(facts, running))


def evaluate(question: str) -> str:
    """Answers whether each prediction came true."""
    hypotheses = prompt_reader.hypotheses_in(question)
    predictions = [(number, prompt_reader.predicted_skill(text)) for number, text in hypotheses]
    return evaluation(predictions, prompt_reader.roles_seen(question))


def generate(question: str) -> str:
    """Answers with another hypothesis."""
    texts = [text for _, text in prompt_reader.hypotheses_in(question)]
    return proposal(prompt_reader.roles_seen(question), texts)


def predict(question: str) -> str:
    """Answers with the next skill that each hypothesis implies, by its number, or the only strategy that is named."""
    facts = prompt_reader.parse_prompt(question)
    next_skill = maybe_compiled(mates_skill, fast=in_use())
    hypotheses = prompt_reader.hypotheses_in(question)
    if hypotheses:
        return prediction([(number, next_skill(facts, role_of_hypothesis(text))) for number, text in hypotheses])
    return str(next_skill(facts, role_of_hypothesis(prompt_reader.strategy_in(question))))


ANSWERED_BY: dict[str, Callable[[str], str]] = {
    JUDGE: judge,
    EVALUATE: evaluate,
    GENERATE: generate,
    PREDICT: predict,
    EVALUATE_IN_WORDS: evaluate,
    GENERATE_IN_WORDS: generate,
    PREDICT_IN_WORDS: predict,
}


class ScriptedBackend:
    """A deterministic and stateless chat backend: the same messages give the same answer."""

    name = "scripted"

    def complete(self, messages: Sequence[Message]) -> Reply:
        """Answers a side query, or chooses a skill for the last scene in the chat.

        The skill is given in three lines if the system prompt asks for them, otherwise as a number.

        Raises:
            BBAError: no message holds a scene, or a scene cannot be read.
        """
        system = messages[0]["content"] if messages else ""
        asked_by_user = [message["content"] for message in messages if message["role"] == "user"]
        questions = [prompt_reader.with_stations(question, system) for question in asked_by_user]
        if questions:
            for mark, answer in ANSWERED_BY.items():
                if mark in questions[-1]:
                    return Reply(answer(questions[-1]))
        scenes = [question for question in questions if prompt_reader.SCENE_MARK in question]
        if not scenes:
            raise BBAError(f"scripted planner: no message holds a scene (a line {prompt_reader.SCENE_MARK!r})")
        scene = scenes[-1]
        facts = prompt_reader.parse_prompt(scene, scenes[:-1])
        role = prompt_reader.role_shown(scene)
        choose = maybe_compiled(choose_skill, fast=in_use())
        skill, expected = choose(facts)
        return Reply(answer_text(shape_of(system), prompt_reader.player_in(scene), int(skill), int(expected), role))
