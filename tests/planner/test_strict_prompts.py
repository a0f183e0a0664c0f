"""The layout "strict": prompts and Hypothetical Minds with the content of the preprint's, no more and no less."""

import re
from dataclasses import replace

import pytest

from bba.agents.hypothesis_store import PreprintStore
from bba.agents.hypothetical_minds import prompt_planner
from bba.agents.planning_agent import HYPOTHETICAL_MINDS, PlanningAgent
from bba.errors import BBAError
from bba.kitchen import Layout, OrderView
from bba.planner import Planner, Prompts, ScriptedBackend, stations_of
from bba.planner.scripted.prompt_reader import parse_prompt, role_shown
from bba.planner.scripted.scene_facts import ORDERS
from bba.play import Game
from bba.settings import GameOptions
from tests.helpers.planner_scenes import PROMPTS, STEAK_THEN_MUSHROOM, belief, cook, on, situation
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
        "[MODERATE CONFIDENCE] Your teammate's role is likely but not certain. Prefer actions that complement it.",
        "[CURRENT PRIORITY ORDER: steak_burrito_dish]",
        "[FIRE ACTIVE] This overrides ordinary planning.",
        "[COOKING TIMER LOW] Fetch the cooked item now.",
    ]
    assert "left" not in STRICT.system("base", BUSY).partition("Tags of objects")[2].partition("\n")[0]
    assert STRICT.retry("99", "there is no skill 99", (4,)).endswith("Choose one of these: 4:STAY")


PLAIN = situation(cook(1, 1), cook(2, 1))
CALM = situation(cook(1, 1), cook(2, 1), belief=belief("prep_rice", 0.8, confident=True))
DOUBT = situation(cook(1, 1), cook(2, 1), belief=belief("prep_rice", 0.2, confident=False))
CHARRED = situation(cook(1, 1), cook(2, 1), on("grill", "charcoal", 6, 6))
HYPOTHESES = {"strategy": "It cooks.", "prediction": "takes rice", "hypotheses": "", "events": "  none yet"}
LISTED = HYPOTHESES | {"hypotheses": "- h1: value=0.30, strategy=It cooks., predicted_next_behavior=takes rice"}
TEXTS = {
    "base": STRICT.system("base", CALM),
    "bayes": STRICT.system("bayes", CALM),
    "bayes alone": STRICT.system("bayes", CALM).removeprefix(STRICT.system("base", CALM)),
    "hypothetical": STRICT.system("hypothetical", CALM),
    "scene": STRICT.user(PLAIN, "base"),
    "burning": STRICT.user(BUSY, "base"),
    "belief": STRICT.user(CALM, "bayes"),
    "doubt": STRICT.user(DOUBT, "bayes"),
    "flags": STRICT.user(BUSY, "bayes"),
    "charcoal": STRICT.user(CHARRED, "bayes"),
    "without a belief": STRICT.user(PLAIN, "bayes"),
    "evaluate": STRICT.query("evaluate", PLAIN, predictions="PREDICTIONS", seen="SEEN"),
    "generate": STRICT.query("generate", PLAIN, **LISTED),
    "first": STRICT.query("generate", PLAIN, **HYPOTHESES),
    "predict": STRICT.query("predict", PLAIN, **LISTED),
    "plan": STRICT.with_hypotheses(PLAIN, **LISTED),
}
PRESENT, ABSENT = True, False
THREE_LINES = r'^Teammate role belief: .*\n^Intention for Player 1: ".*"\n^Plan for Player 0: ".*"\Z'
STRATEGY_LINES = (
    r"^Teammate strategy hypothesis: .*\n^Predicted next behavior for Player 1: .*\n" r'^Plan for Player 0: ".*"\Z'
)
POINTS_OF_THE_PREPRINT = (
    # the system prompt of ProAgent
    (
        "base",
        PRESENT,
        "a dish of an order has the name that orders have",
        "steak_burrito_dish .* mushroom_burrito_dish",
    ),
    ("base", PRESENT, "up to four orders", "Up to four orders"),
    ("base", PRESENT, "the first order's bonus", "first order .*in-order bonus"),
    ("base", PRESENT, "other orders can be delivered", "the other orders can be delivered"),
    (
        "base",
        PRESENT,
        "two recipes of three parts",
        "three parts .*chopped_steak or fried_mushroom.*boiled_rice and a tortilla",
    ),
    ("base", PRESENT, "a tortilla is not cooked", "Tortilla: it is not cooked"),
    ("base", PRESENT, "chop, then grill", "[Cc]hop meat or mushroom on a board, then cook it on a grill"),
    ("base", PRESENT, "rice in a pot", "Rice: cook it in a pot"),
    ("base", PRESENT, "a dirty plate is washed", "wash a dirty_plate in the sink"),
    ("base", PRESENT, "a clean plate takes food", "taken with a clean plate"),
    ("base", PRESENT, "stations by letter", " ".join(rf"{letter} .*" for letter in "MZRTUBGPWDSX")),
    ("base", PRESENT, "tags", "cooking, ready/waiting, warning .*, BURNT"),
    ("base", PRESENT, "out of a fire", "fire_ext .* charcoal .* trash"),
    ("base", PRESENT, "passing on and setting aside", "PASS_OBJECT is for .* PUT_DOWN_OBJECT sets"),
    ("base", PRESENT, "the least wasteful action", "choose the one that wastes least"),
    (
        "base",
        PRESENT,
        "one output, thought of silently",
        "Think silently.* one integer from 0 to 26 or .* one action name",
    ),
    ("base", ABSENT, "steps of cooking, chops, rinses, plates", r"\d+ steps|\d+ chops|\d+ times|\d+ exist"),
    ("base", ABSENT, "streaks and their multiplier", "[Ss]treak|[Mm]ultipl"),
    ("base", ABSENT, "the price of what nobody ordered", r"\bhalf\b|nobody ordered"),
    ("base", ABSENT, "clocks of orders", r"\b[Cc]lock|runs out"),
    ("base", ABSENT, "our eight rules", "^[1-8]\\. "),
    # what all agents are asked with
    (
        "scene",
        PRESENT,
        "the lines in their order",
        r"\ALayout=open\. M:.* Scene 60\.\nP0 pos=.*\nP1 pos=.*\norders: .*\nobjects: .*\nTeammate intent: P1 .*\n"
        r"VALID ACTIONS -> 0:.*\nReturn one action only \(index or name\)\.\Z",
    ),
    ("scene", PRESENT, "orders by dish", "^orders: steak_burrito_dish; mushroom_burrito_dish$"),
    ("scene", ABSENT, "clocks of orders", "left="),
    ("burning", PRESENT, "urgency before the actions", "^URGENCY: FIRE .*WARNING .*\\nVALID ACTIONS"),
    ("burning", ABSENT, "flags", r"^\["),
    # Hypothetical Minds
    ("hypothetical", PRESENT, "the rules of ProAgent", "three parts .* wastes least"),
    ("hypothetical", PRESENT, "its three lines, and nothing after", STRATEGY_LINES),
    ("evaluate", PRESENT, "all predictions, what was seen, a truth each", "PREDICTIONS.*SEEN.*h1: <True or False>\\Z"),
    ("generate", PRESENT, "instruction, scene, events, hypotheses", r"one concise .*Layout=.*  none yet.*- h1: .*\Z"),
    ("predict", PRESENT, "instruction, scene, events, strategy", r"one concise .*Layout=.*  none yet.*It cooks\.\Z"),
    ("predict", ABSENT, "a list of all skills", "26:PUT_DOWN_OBJECT.*26:PUT_DOWN_OBJECT"),
    (
        "plan",
        PRESENT,
        "the scene, then what is known",
        r"\ALayout=.*Return one.*: It cooks\..*: takes rice.*- h1: value=0\.30",
    ),
    ("plan", PRESENT, "then the instruction", "- h1: .*complementary action.* over again .* predicted"),
    ("plan", PRESENT, "then the format", "complementary action.*" + STRATEGY_LINES),
    (
        "first",
        PRESENT,
        "that there are no hypotheses",
        r"^There are no hypotheses yet about your teammate's strategy\.\Z",
    ),
    ("first", ABSENT, "an empty list of hypotheses", r"so far:\n  none yet"),
    # BayesBelief
    ("bayes", PRESENT, "the rules of ProAgent", "three parts .* wastes least"),
    (
        "bayes alone",
        PRESENT,
        "the filter, and no work twice",
        "Player 0 .* Player 1.* Bayesian filter .* same work twice",
    ),
    ("bayes alone", PRESENT, "a block of game rules", "^GAME RULES:\\n- .*protein, rice and a tortilla .* chopped"),
    (
        "bayes alone",
        PRESENT,
        "out of a fire",
        "14:GRAB_FIRE_EXT, then 3:GO_TO_PUT_OUT_FIRE, then 6:GO_TO_TRASH_AND_THROW",
    ),
    ("bayes alone", PRESENT, "one action only", r"one action only \(index or name\)"),
    ("bayes alone", PRESENT, "its three lines", THREE_LINES),
    (
        "belief",
        PRESENT,
        "the belief's lines in their order, above the scene",
        r"\A=== TEAMMATE BELIEF .*^  MAP role   : prep_rice  \(confidence=0\.80, commitment=7\)\n^  Heading to : pot .*"
        r"^  Posterior  :\n.*^    prep_rice: 0\.80  █+\n.*→ Teammate in 'prep_rice' — consider: .*^Layout=",
    ),
    ("doubt", PRESENT, "advice and flag of a low confidence", r"do NOT wait\..*^\[LOW CONFIDENCE\] .*STAY"),
    ("flags", PRESENT, "a moderate confidence", r"^\[MODERATE CONFIDENCE\] .*complement"),
    ("flags", ABSENT, "that urgent needs come first", r"urgent needs"),
    ("flags", PRESENT, "the first order", r"^\[CURRENT PRIORITY ORDER: steak_burrito_dish\]$"),
    ("flags", PRESENT, "a fire, and food about to burn", r"^\[FIRE ACTIVE\] .*^\[COOKING TIMER LOW\] .*^Layout="),
    ("flags", ABSENT, "skills against a fire in a flag", r"FIRE ACTIVE[^\n]*\d:"),
    ("flags", ABSENT, "charcoal in a pot", r"^\[CHARCOAL"),
    ("charcoal", PRESENT, "charcoal on a grill", r"^\[CHARCOAL\] .*24:GRAB_CHARCOAL, then 6:GO_TO_TRASH_AND_THROW"),
    ("without a belief", ABSENT, "a belief block", "BELIEF"),
)


@pytest.mark.parametrize(("text", "present", "point", "words"), POINTS_OF_THE_PREPRINT, ids=lambda part: str(part)[:40])
def test_each_point_of_the_preprint_is_said_and_what_it_has_not_is_not(text, present, point, words):
    found = re.search(words, TEXTS[text], re.MULTILINE | re.DOTALL)
    assert (found is not None) == present, point


def test_at_most_four_orders_are_listed():
    orders = tuple(OrderView(f"dish{number}", 540, 600) for number in range(6))
    crowded = situation(cook(1, 1), cook(2, 1), orders=orders)
    assert "\norders: dish0_dish; dish1_dish; dish2_dish; dish3_dish\n" in STRICT.user(crowded)
    assert "\norders: none\n" in STRICT.user(situation(cook(1, 1), cook(2, 1), orders=()))
    assert STRICT.user(situation(cook(1, 1), cook(2, 1), orders=()), "bayes").startswith("Layout=")


@pytest.mark.parametrize("orders", [(), STEAK_THEN_MUSHROOM, STEAK_THEN_MUSHROOM[::-1]])
def test_the_scripted_planner_reads_the_same_orders_with_and_without_clocks(orders):
    here = situation(cook(1, 1), cook(2, 1), orders=orders)
    facts = [parse_prompt(prompts.user(here)) for prompts in (STRICT, PROMPTS)]
    assert [list(one.dishes) for one in facts] == [list(facts[0].dishes)] * 2
    assert facts[0].numbers[ORDERS] == facts[1].numbers[ORDERS] == len(orders)


def test_the_scripted_planner_reads_hypotheses_below_a_scene():
    told = LISTED | {"hypotheses": "- h1: value=0.90, strategy=the role prep_rice, predicted_next_behavior=11"}
    assert role_shown(STRICT.with_hypotheses(PLAIN, **told)) == "prep_rice"


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
    assert plan.question.startswith("Layout=")
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


def test_a_folder_of_prompts_may_hold_the_texts_that_it_replaces_alone(tmp_path):
    texts = tmp_path / "preprint"
    with pytest.raises(BBAError, match="has no folder preprint, which holds the texts of --prompt-layout strict"):
        Prompts.load(tmp_path, "strict")
    texts.mkdir()
    (texts / "system_base.md").write_text("Cook well.")
    assert Prompts.load(tmp_path, "strict").system("base", CALM) == "Cook well."
    assert Prompts.load(tmp_path, "strict").user(BUSY, "bayes") == STRICT.user(BUSY, "bayes")
    (texts / "lines.md").write_text("## flag_fire\nFire!")
    with pytest.raises(BBAError, match=r"lines\.md, line 2: the file ends without the section"):
        Prompts.load(tmp_path, "strict")
    (texts / "lines.md").unlink()
    (texts / "sistem_bayes.md").write_text("You are Player {agent_id}, beside Player {other_id}.")
    with pytest.raises(BBAError, match=r"sistem_bayes\.md is no text of --prompt-layout strict; these are: README"):
        Prompts.load(tmp_path, "strict")
