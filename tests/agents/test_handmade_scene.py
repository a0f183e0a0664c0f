"""A scene made by hand and the prompt that a planner is sent in it, in Python and as a command."""

import json
from pathlib import Path

import pytest

import bba
from bba.kitchen import Kitchen
from tests.helpers.command_line import no_settings_from_outside, run  # noqa: F401 - a fixture that is used by itself

PLAYERS = (((3, 4), "rice", "south"), ((8, 2), None, "east"))
OBJECTS = (("chopped_meat", (2, 0), 1), ("chopped_steak", (6, 6), 34), ("fire_ext", (9, 5)))
ORDERS = (("steak_burrito", 540), ("mushroom_burrito", 540))
FILE = Path(__file__).parents[2] / "examples/scene.toml"


def by_hand(**others):
    return bba.scene("open", **{"step": 60, "players": PLAYERS, "objects": OBJECTS, "orders": ORDERS} | others)


def test_the_question_shows_the_scene_and_what_can_be_done_in_it():
    system, question = bba.prompt_of(by_hand(), {"prep_rice": 0.75, "serve": 0.25})
    assert system["content"].startswith("You plan for one of two cooks")
    assert "prep_rice  (confidence=0.75, commitment=1)" in question["content"]
    lines = question["content"].splitlines()
    assert any(line.endswith(" Scene 60.") for line in lines)
    assert "P0 pos=(3,4) or=south hold=rice." in lines
    assert "orders: steak_burrito left=540/600; mushroom_burrito left=540/600" in lines
    assert (
        "objects: (chopped_meat@(2,0) [unready 1/2]) (fire_ext@(9,5)) (chopped_steak@(6,6) [cooking left=46])"
        " (dirty_plate@(5,0) [stack x4])" in lines
    )
    actions = next(line for line in lines if line.startswith("VALID ACTIONS"))
    assert "1:GO_TO_POT_AND_BOIL_RICE" in actions
    assert "8:GRAB_MEAT" not in actions, "its hands are full"


def test_without_a_belief_there_is_no_block_and_either_player_can_be_asked():
    (_, question), (_, other) = bba.prompt_of(by_hand()), bba.prompt_of(by_hand(), player=1, agent="proagent")
    assert "TEAMMATE BELIEF" not in question["content"]
    assert other["content"].splitlines()[1] == "P1 pos=(8,2) or=east hold=nothing."


def test_the_scene_of_a_game_has_a_prompt_too():
    game = bba.Game("ring", "bayes", "switching", 3, horizon=100)
    game.run()
    assert bba.scene("ring", step=0).players == Kitchen("ring").scene().players
    assert " Scene 100." in bba.prompt_of(game.kitchen.scene())[1]["content"]


def test_the_command_prints_the_same(capsys):
    code, out, err = run(capsys, "prompt", "--scene", str(FILE))
    messages = bba.prompt_of(by_hand(), {"prep_rice": 0.75, "serve": 0.25})
    assert (code, err) == (0, "")
    assert out == "".join(f"--- plan: {one['role']} ---\n{one['content']}\n" for one in messages)
    found = json.loads(run(capsys, "prompt", "--scene", str(FILE), "--json")[1])
    assert found == {
        "layout": "open",
        "agent": "bayes",
        "player": 0,
        "step": 60,
        "prompts": [{"question": "plan", "messages": list(messages)}],
    }


@pytest.mark.parametrize(
    ("others", "problem"),
    [
        ({"players": (((0, 0),), ((8, 2),))}, r"player 0 cannot stand at \(0,0\)"),
        ({"players": (((8, 2),), ((8, 2),))}, r"player 1 cannot stand at \(8,2\)"),
        ({"players": (((3, 4), "boiled_rice"), ((8, 2),))}, "player 0 cannot hold 'boiled_rice'"),
        ({"players": (((3, 4), None, "up"), ((8, 2),))}, r"players\.0\.2: Input should be 'north'"),
        ({"objects": (("meat", (6, 6)),)}, r"'meat' cannot lie at \(6,6\)"),
        ({"objects": (("meat", (99, 6)),)}, r"'meat' cannot lie at \(99,6\)"),
        ({"objects": (("fire_ext", (9, 5)), ("meat", (9, 5)))}, r"'meat' cannot lie at \(9,5\)"),
        ({"objects": [("clean_plate", (x, 6)) for x in (0, 1, 4, 5, 8)]}, "more plates than the 4 of open"),
        ({"orders": (("soup", 5),)}, "'soup' is no order"),
        ({"orders": ORDERS * 3}, "orders: Tuple should have at most 4 items"),
        ({"colour": "red"}, "colour: unknown key"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(others, problem):
    with pytest.raises(bba.BBAError, match=f"^scene: .*{problem}") as caught:
        by_hand(**others)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("belief", "agent", "problem"),
    [
        ({"cook": 1.0}, "bayes", "^belief: it must give probabilities"),
        ({"serve": 0.5}, "bayes", "^belief: it must give probabilities"),
        (None, "switching", "^prompt: switching has none for a scene; these agents have: bayes, "),
    ],
)
def test_what_has_no_prompt_is_refused(belief, agent, problem):
    with pytest.raises(bba.BBAError, match=problem):
        bba.prompt_of(by_hand(), belief, agent=agent)
