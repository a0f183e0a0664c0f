"""What is said of an event: the log names nobody, plain mode names the cook, and both say the same."""

import pytest

from bba.analysis import GameEvent, cook_names, log_text, plain_text, replan_heading, response_text
from bba.analysis.coordination import SwitchResponse
from bba.analysis.event_sentences import WORDINGS
from bba.kitchen.constants import SERVE
from bba.language import LANGUAGE, say

BURRITO = 0

EVENTS = [
    (GameEvent("fire"), "food burns: fire!", "food burns: fire!"),
    (GameEvent("order lost"), "an order ran out", "an order ran out"),
    (GameEvent("tuned", 0, detail="K 3 → 5"), "tuned: K 3 → 5", "the ego tuned: K 3 → 5"),
    (GameEvent("switch", 1, 1, "at 9"), "turned to the rice at 9", "the ego turned to the rice at 9"),
    (
        GameEvent("replan", 0, detail="not serving"),
        "▲ replans: not serving",
        "the ego replans and changes its plan. Why.",
    ),
    (GameEvent("replan", 0, kept=True), "△ replans; keeps its plan", "the ego replans and keeps its plan. Why."),
    (GameEvent("fallback", 0, detail="{no} skill"), "planner fell back: {no} skill", None),
    (GameEvent("completed", 1, SERVE), "serve a dish", "the ego finishes serving a dish"),
]


@pytest.mark.parametrize(("event", "log", "plain"), EVENTS)
def test_the_log_names_nobody_and_plain_mode_names_the_cook(event, log, plain):
    assert log_text(event) == log
    cook = "" if event.cook is None else "the ego"
    assert plain_text(event, cook, "Why.") == (plain or f"the ego {log}")


def test_a_cook_is_told_what_it_did_itself():
    assert plain_text(GameEvent("completed", 1, SERVE), "you") == "you finish serving a dish"
    late = GameEvent("delivery", 1, BURRITO, "out of order", 20)
    assert plain_text(late, "you") == f"you serve: {log_text(late)}"
    assert plain_text(late, "the ego") == f"the ego serves: {log_text(late)}"


def test_a_delivery_in_order_has_a_tip():
    late = GameEvent("delivery", 1, BURRITO, "out of order", 20)
    assert log_text(late).startswith("+20 ")
    assert log_text(late._replace(detail="in order")) == f"{log_text(late)} (tip)"


def test_a_heading_says_what_is_rejected_and_whether_the_plan_is_kept():
    assert replan_heading(GameEvent("replan", 0, detail="not serve")) == "replans: not serve"
    assert replan_heading(GameEvent("replan", 0, detail="not serve", kept=True)) == "keeps its plan: not serve"


def test_what_participants_read_is_translated_also_where_a_cook_is_you():
    token = LANGUAGE.set("de")
    try:
        assert log_text(GameEvent("fire")) != "food burns: fire!"
        work = GameEvent("completed", 1, SERVE)
        assert "finish" not in plain_text(work, say("you"))
        assert plain_text(work, say("you")) != plain_text(work, say("your partner"))
    finally:
        LANGUAGE.reset(token)


def test_every_kind_of_event_has_a_wording():
    assert {event.kind for event, _, _ in EVENTS} | {"delivery"} == set(WORDINGS)


def test_how_a_switch_was_followed_is_one_sentence():
    response = SwitchResponse(8, 40, 1, 3, None)
    named = cook_names(("bayes", "human"))
    assert response_text(response, named, own=True) == (
        "step 9: you turned to the rice; your partner noticed after 3 steps, your partner never did what goes with it"
    )
    assert "; the observer noticed after 3 steps, " in response_text(response, named, own=False)
    at_once = response_text(response._replace(noticed=1, complemented=0), named, own=True)
    assert at_once.endswith("; your partner noticed after 1 step, your partner did what goes with it at once")
