"""Side queries: how they are asked, and how every response is parsed."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bba.errors import BBAError
from bba.planner import Message, NoAnswer, Planner, Reply, Usage
from bba.planner.short_answers import LONGEST_HYPOTHESIS, read_hypothesis, read_judgement, read_skills, read_truths
from tests.helpers.planner_scenes import PROMPTS, belief, cook, situation

SITUATION = situation(cook(1, 1), cook(2, 1), belief=belief("serve", 0.8, confident=True))
WORDS = {"skill": "8:GRAB_MEAT", "age": 4, "before": "P1 pos=(2,1) or=north hold=nothing."}


class Told:
    """A backend that gives prepared answers, or fails as it is told to."""

    name = "told"

    def __init__(self, *answers: str | Exception) -> None:
        self.answers = list(answers)

    def complete(self, messages: Sequence[Message]) -> Reply:
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return Reply(answer, Usage(10, 1))


def judged(*answers, retries=2):
    error = {True: "neither"}.get
    return Planner(Told(*answers), PROMPTS, kind="base", retries=retries).ask(
        "judge", SITUATION, lambda answer: error(read_judgement(answer) is None), **WORDS
    )


def test_a_question_carries_the_whole_user_message_and_its_own_system_prompt():
    call = judged("Verdict: CONTINUE")
    assert call.texts[0] == PROMPTS.system("side_query", SITUATION)
    assert call.texts[0].startswith(PROMPTS.system("base", SITUATION))
    assert PROMPTS.user(SITUATION, "bayes") in call.question
    assert "the skill 8:GRAB_MEAT has been running for 4 steps" in call.question
    assert (call.kind, call.attempts, call.problem) == ("judge", 1, None)


def test_an_unusable_answer_is_sent_back_and_all_attempts_are_paid_for():
    call = judged("hm", "Verdict: REPLAN")
    assert (call.response, call.attempts, call.problem) == ("Verdict: REPLAN", 2, None)
    assert [message["role"] for message in call.messages] == ["system", "user", "assistant", "user"]
    assert call.texts[3] == PROMPTS.retry("hm", "neither", ())
    assert call.usage == Usage(20, 2)


def test_after_the_last_retry_the_problem_is_kept():
    call = judged("hm", "well", "so", retries=2)
    assert (call.attempts, call.response, call.problem) == (3, "so", "neither")


def test_no_answer_is_a_problem_and_a_final_error_ends_the_run():
    call = judged(NoAnswer("time is up"))
    assert (call.response, call.problem) == ("", "time is up")
    with pytest.raises(BBAError, match="no key"):
        judged(BBAError("no key"))


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("Verdict: REPLAN", True),
        ("verdict = continue.", False),
        ("**Verdict:** `Replan`", True),
        ("I would continue.", False),
        ("To replan costs the way.\nVerdict: CONTINUE", False),
        ("REPLAN or CONTINUE", None),
        ("Verdict: <REPLAN or CONTINUE>", None),
        ("Verdict: REPLAN\nVerdict: CONTINUE", None),
        ("replanning", None),
        ("", None),
    ],
)
def test_a_judgement_is_read_from_its_line_or_the_only_word(answer, says):
    assert read_judgement(answer) is says


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("1: TRUE\n2: FALSE", (True, False)),
        ("2) false\n1) true", (True, False)),
        ("- Hypothesis 1: **True**, it took meat.\n- Hypothesis 2: **False**", (True, False)),
        ("True, False", (True, False)),
        ("1: TRUE", None),
        ("1: TRUE\n1: FALSE\n2: TRUE", None),
        ("1: true or false\n2: true", None),
        ("True", None),
        ("Both came true.", None),
    ],
)
def test_truths_are_read_by_number_or_all_in_order(answer, says):
    assert read_truths(answer, 2) == says


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("1: 8:GRAB_MEAT\n2: 11", (8, 11)),
        ('Prediction 1: "grab meat"\nPrediction 2: GRAB_RICE, for the pot', (8, 11)),
        ("1: 8", None),
        ("8\n11", None),
        ("1: 8\n2: 40", None),
    ],
)
def test_skills_are_read_by_number(answer, says):
    assert read_skills(answer, 2) == says


def test_a_hypothesis_is_one_line_that_can_be_shown_anywhere():
    assert read_hypothesis("Thinking...\n**Hypothesis:** it cooks\x1b[31m  rice.") == "it cooks [31m rice."
    assert read_hypothesis("it cooks rice") == "it cooks rice"
    assert read_hypothesis("Hypothesis: " + "rice " * 900) == ("rice " * 900)[:LONGEST_HYPOTHESIS].strip()
    assert read_hypothesis("it cooks\nor not") is None
    assert read_hypothesis("Hypothesis:\n") is None


@given(
    text=st.text(st.sampled_from("12:.) -*`\n\x1btruefalsREPLANcontiuGRAB_MT<>"), max_size=60), count=st.integers(1, 3)
)
def test_whatever_comes_back_reading_never_raises(text, count):
    assert read_judgement(text) in (True, False, None)
    truths, skills, hypothesis = read_truths(text, count), read_skills(text, count), read_hypothesis(text)
    assert truths is None or len(truths) == count
    assert skills is None or all(0 <= skill < 27 for skill in skills)
    assert hypothesis is None or (hypothesis.isprintable() and hypothesis.strip())
