"""The layout "strict": prompts and Hypothetical Minds as in the preprint, with nothing added."""

import re
from dataclasses import replace

import pytest

from bba.agents.hypothesis_store import PreprintStore
from bba.agents.hypothetical_minds import prompt_planner
from bba.agents.planning_agent import HYPOTHETICAL_MINDS, PlanningAgent
from bba.errors import BBAError
from bba.kitchen import Layout
from bba.planner import Planner, Prompts, ScriptedBackend, stations_of
from bba.play import Game
from bba.settings import GameOptions
from tests.helpers.planner_scenes import PROMPTS, belief, cook, on, situation
from tui.arguments.seat_options import agent_options

STRICT = Prompts.load(layout="strict")
BUSY = situation(
    cook(1, 1),
    cook(2, 1),
    on("board", "chopped_meat", 2, 0, "unready", 1, 2),
    on("grill", "chopped_steak", 6, 6, "burning", 220, 220),
    on("pot", "charcoal", 2, 6),
    on("pot", "boiled_rice", 3, 6, "warning", 170, 220),
    dirty_plates=3,
    belief=belief("serve", 0.5, confident=False, moderate=True),
)


def test_objects_have_tags_without_figures_and_flags_say_no_more_than_the_preprint():
    told = STRICT.user(BUSY, "bayes")
    (objects,) = re.findall(r"^objects: (.*)$", told, re.MULTILINE)
    assert objects == (
        "(chopped_meat@(2,0) [unready]) (chopped_steak@(6,6) [BURNT]) (charcoal@(2,6)) (boiled_rice@(3,6) [warning]) "
        "(dirty_plate@(5,0) [stack])"
    )
    flags = told.partition("=========================================\n")[2].partition("Layout=")[0].splitlines()
    assert flags == [
        "MODERATE CONFIDENCE: your teammate's role is likely but not certain. Prefer actions that complement it.",
        "CURRENT PRIORITY ORDER: steak_burrito",
        "FIRE ACTIVE: this overrides ordinary planning.",
        "COOKING TIMER LOW: fetch the cooked item now.",
    ]
    assert "left" not in STRICT.system("base", BUSY).partition("Tags of objects")[2].partition("\n")[0]
    assert STRICT.retry("99", "there is no skill 99", (4,)).endswith("Choose one of these: 4:STAY")


def test_everything_else_is_as_in_the_other_layouts():
    calm = situation(cook(1, 1), cook(2, 1), belief=belief("prep_rice", 0.8, confident=True))
    for kind in ("base", "bayes", "hypothetical"):
        assert STRICT.user(calm, kind) == PROMPTS.user(calm, kind).replace("[stack x4]", "[stack]")
        ours, theirs = (set(prompts.system(kind, calm).splitlines()) for prompts in (PROMPTS, STRICT))
        assert [line[:17] for line in ours - theirs] == ["- Tags of objects"]


def test_a_side_query_has_the_system_prompt_of_the_plans():
    planner = Planner(ScriptedBackend(), STRICT, kind="hypothetical")
    here = replace(BUSY, stations=stations_of(Layout.load("open")))
    asked = planner.ask("predict", here, lambda _: None, strategy="the role serve", events="none")
    assert asked.texts[0] == STRICT.system("hypothetical", BUSY)


def test_values_follow_predictions_of_all_and_a_decision_follows_what_was_generated_for_it():
    store = PreprintStore()
    for kind, answer, step in (
        ("generate", "It cooks\nrice.", 3),
        ("predict", "takes rice", 3),
        ("generate", "It washes.", 9),
    ):
        store = store.after(kind, answer, step)
    told = store.prompt_values(9)
    assert (told["strategy"], told["prediction"]) == ("It washes.", "none")
    store = store.after("evaluate", "h1: True\nh2: False", 12)
    assert store.prompt_values(12)["predictions"].splitlines() == [
        "- h1: value=0.30, strategy=It cooks rice., predicted_next_behavior=takes rice",
        "- h2: value=-0.30, strategy=It washes., predicted_next_behavior=none",
    ]
    assert store.prompt_values(12)["strategy"] == "It cooks rice."
    assert store.after("evaluate", "h1: True", 13) is None
    assert store.after("generate", " \n", 13) is None


def test_it_asks_to_the_letter_and_goes_on_with_what_it_was_answered():
    planner = prompt_planner("hypothetical", ScriptedBackend(), STRICT, ask="always", by_state=True)
    trace = Game("open", PlanningAgent(HYPOTHETICAL_MINDS, planner), "switching", 0, horizon=120).run()
    calls = [call for tick in trace.ticks for call in tick.decisions[0].calls]
    assert [call.kind for call in calls[:3]] == ["generate", "predict", "plan"], "nothing is seen yet"
    assert not any(call.problem for call in calls)
    decisions = [tick.decisions[0].calls for tick in trace.ticks if tick.decisions[0].calls]
    assert all(len(asked) <= 4 for asked in decisions)
    evaluated, *_, plan = next(asked for asked in decisions if asked[0].kind == "evaluate")
    assert re.search(r"^- h1: value=0\.00, strategy=.+, predicted_next_behavior=\d+$", evaluated.question, re.M)
    assert evaluated.response.startswith("h1: ")
    assert plan.question.startswith("Teammate strategy: ")
    assert re.search(r"^- h1: value=-?0\.30, ", plan.question, re.MULTILINE)


def test_it_implies_the_preprints_conversation_answers_and_questions_unless_others_are_said():
    given = {"prompt_layout": "strict", "planner": "local", "base_url": "http://localhost:1", "model": "m"}
    options = agent_options(GameOptions(**given | {"planner": "openai"}))
    assert (options.prompt_layout, options.ask) == ("strict", "always")
    assert options.model is not None
    assert (options.model.conversation, options.model.form) == ("roll", "text")
    options = agent_options(GameOptions(**given | {"planner": "openai", "ask": "changed", "answer": "choice"}))
    assert options.model is not None
    assert (options.ask, options.model.form, options.model.conversation) == ("changed", "choice", "roll")


def test_it_takes_no_folder_of_prompts(tmp_path):
    with pytest.raises(BBAError, match="--prompt-layout strict: has prompts of its own"):
        Prompts.load(tmp_path, "strict")
