"""Advice to a person: what the scripted planner would do in its place, and the way there."""

import pytest

from bba.agents import Controls, HumanAgent, load_agent
from bba.analysis.advice import WAIT_ADVICE, Adviser, way_to
from bba.kitchen import Action, Kitchen, Skill, constants
from bba.kitchen.constants import DELIVERIES, HELD
from bba.play import Game
from tests.helpers.kitchen_states import find, give, place_player

PERSON = 1


def game_with(controls: Controls, layout: str = "open", ego: str = "proagent", horizon: int = 2400) -> Game:
    return Game(layout, load_agent(ego), HumanAgent(controls), 0, horizon=horizon, mobility=(0.35, 1.0))


@pytest.mark.thorough
@pytest.mark.parametrize("layout", ["open", "ring", "forced_coordination"])
def test_who_follows_the_advice_key_by_key_delivers_burritos(layout):
    controls = Controls()
    game = game_with(controls, layout, horizon=1200)
    adviser = Adviser(game.trace, PERSON)
    while not game.done:
        controls.press(adviser.advise().action)
        game.step()
    assert game.trace.ticks[-1].state[DELIVERIES] >= 3


def test_it_is_kept_until_it_is_done():
    controls = Controls()
    game = game_with(controls)
    adviser = Adviser(game.trace, PERSON)
    first = adviser.advise()
    assert first.target is not None
    while (
        game.trace.start[HELD + PERSON]
        == (game.trace.ticks[-1].state if game.trace.ticks else game.trace.start)[HELD + PERSON]
    ):
        advice = adviser.advise()
        assert advice.skill == first.skill
        controls.press(advice.action)
        game.step()
    assert adviser.advise().skill != first.skill


def test_without_work_it_says_to_wait_and_asks_again_in_the_next_step():
    controls = Controls()
    game = game_with(controls)
    adviser = Adviser(game.trace, PERSON)
    answers = iter([Skill.STAY, Skill.GRAB_RICE])
    adviser._ask_planner = lambda step: int(next(answers))
    assert adviser.advise() == adviser.advise() == WAIT_ADVICE
    game.step()
    assert adviser.advise().skill == Skill.GRAB_RICE


def test_the_way_leads_beside_the_target_then_turns_then_interacts():
    kitchen = Kitchen("open", 0)
    give(kitchen, PERSON, constants.MEAT)
    board = find(kitchen.layout, "B")
    place_player(kitchen, PERSON, (board[0], 3), constants.SOUTH)
    ways = []
    for _ in range(4):
        ways.append(way_to(kitchen.layout, kitchen.state, PERSON, Skill.GO_TO_CHOP_BOARD_AND_CHOP_INGREDIENT))
        kitchen.step((Action.STAY, ways[-1].action))
    assert [way.action for way in ways] == [Action.NORTH, Action.NORTH, Action.INTERACT, Action.INTERACT]
    assert [way.distance for way in ways] == [2, 1, 0, 0]
    assert {way.target for way in ways} == {board}


def test_what_cannot_be_done_has_no_way():
    kitchen = Kitchen("open", 0)
    assert way_to(kitchen.layout, kitchen.state, PERSON, Skill.GO_TO_SERVE_DISH) == WAIT_ADVICE
