"""A person in a seat: every wish counts for one step, by hand or by skill."""

from dataclasses import replace

import pytest

from bba.agents import Controls, HumanAgent, Profile, load_agent, reconfigure
from bba.config import BeliefConfig
from bba.errors import BBAError
from bba.kitchen import Action, Skill, constants
from bba.play import Game, Replay, fork, load, record, save
from tests.helpers.typist import game_of_a_typist, played_by_hand


@pytest.fixture
def controls():
    return Controls()


@pytest.fixture
def game(controls):
    return Game("open", "switching", HumanAgent(controls), 0, mobility=(0.35, 1.0))


def taken(controls, steps: int) -> list[int | None]:
    """The actions of the next steps."""
    return [controls.take().action for _ in range(steps)]


class Watch:
    """A clock that stands still until the test moves it."""

    def __init__(self):
        self.seconds = 100.0

    def __call__(self):
        return self.seconds


def test_a_key_counts_for_one_step(game, controls):
    x, y = game.kitchen.scene().players[1].position
    controls.press(Action.WEST)
    assert game.step().actions[1] == Action.WEST
    assert game.kitchen.scene().players[1].position == (x - 1, y)
    assert game.step().actions[1] == Action.STAY


def test_taps_that_come_faster_than_the_steps_are_all_walked(game, controls):
    x, y = game.kitchen.scene().players[1].position
    for _ in range(3):
        controls.press(Action.WEST)
    assert [game.step().actions[1] for _ in range(4)] == [*[Action.WEST] * 3, Action.STAY]
    assert game.kitchen.scene().players[1].position == (x - 3, y)


def test_three_taps_wait_at_most_and_the_newest_count(controls):
    for action in (Action.NORTH, Action.WEST, Action.SOUTH, Action.INTERACT):
        controls.press(action)
    assert taken(controls, 4) == [Action.WEST, Action.SOUTH, Action.INTERACT, None]


def test_a_tap_that_waited_for_more_than_a_second_is_dropped_unless_it_is_the_last():
    watch = Watch()
    controls = Controls(watch)
    for action in (Action.NORTH, Action.WEST):
        controls.press(action)
    watch.seconds += 1.1
    assert taken(controls, 2) == [Action.WEST, None]


@pytest.mark.parametrize(("gap", "steps"), [(0.03, 1), (0.3, 3)])
def test_a_key_that_is_held_down_does_not_walk_on_after_it_is_let_go(gap, steps):
    watch = Watch()
    controls = Controls(watch)
    for _ in range(10):
        controls.press(Action.WEST)
        watch.seconds += gap
    assert taken(controls, 4) == [*[Action.WEST] * steps, *[None] * (4 - steps)]


def test_a_key_after_a_skill_was_picked_takes_its_place_and_a_skill_takes_that_of_keys(controls):
    controls.choose(Skill.GRAB_RICE)
    controls.press(Action.WEST)
    assert [controls.take()[:2] for _ in range(2)] == [(Action.WEST, None), (None, None)]
    controls.press(Action.WEST)
    controls.choose(Skill.GRAB_RICE)
    assert [controls.take()[:2] for _ in range(2)] == [(None, Skill.GRAB_RICE), (None, None)]


def test_a_held_key_counts_in_every_step_but_gives_way_to_a_pressed_one(game, controls):
    controls.hold(Action.WEST)
    controls.press(Action.INTERACT)
    assert [game.step().actions[1] for _ in range(3)] == [Action.INTERACT, Action.WEST, Action.WEST]
    controls.hold(None)
    assert game.step().actions[1] == Action.STAY


def test_a_person_is_never_held_back(game, controls):
    x, y = game.kitchen.scene().players[1].position
    for _ in range(3):
        controls.press(Action.WEST)
        game.step()
    assert game.kitchen.scene().players[1].position == (x - 3, y)


def test_a_picked_skill_is_walked_until_it_is_done(game, controls):
    controls.choose(Skill.GRAB_RICE)
    ticks = [game.step()]
    while ticks[-1].skills[1] == Skill.GRAB_RICE:
        ticks.append(game.step())
    assert game.kitchen.scene().players[1].held == "rice"
    assert (ticks[-1].ended[1], ticks[-1].actions[1]) == (constants.DONE, Action.STAY)
    assert all(tick.role(1) == 1 for tick in ticks[:-1])


def test_a_key_interrupts_the_skill(game, controls):
    controls.choose(Skill.GRAB_RICE)
    game.step()
    controls.press(Action.EAST)
    tick = game.step()
    assert (tick.actions[1], tick.skills[1], tick.ended[1]) == (Action.EAST, constants.NO_SKILL, constants.INTERRUPTED)
    assert game.step().skills[1] == constants.NO_SKILL


def test_a_skill_that_is_not_feasible_is_not_taken_up(game, controls):
    controls.choose(Skill.GO_TO_SERVE_DISH)
    tick = game.step()
    assert (tick.actions[1], tick.skills[1]) == (Action.STAY, constants.NO_SKILL)


def test_a_declared_role_is_a_mark_in_the_step_and_changes_nothing_else(game, controls):
    controls.press(Action.WEST)
    controls.declare(4)
    tick = game.step()
    assert (tick.decisions[1].declared_role, tick.actions[1]) == (4, Action.WEST)
    assert game.step().decisions[1].declared_role is None


def test_what_was_pressed_before_the_game_is_forgotten(controls):
    controls.press(Action.WEST)
    assert Game("open", "switching", HumanAgent(controls), 0).step().actions[1] == Action.STAY


def test_a_person_has_nothing_to_tune():
    with pytest.raises(BBAError, match="human: has no belief"):
        reconfigure(load_agent("human"), BeliefConfig())


def test_a_persons_game_is_recorded_replayed_and_forked(tmp_path):
    trace = played_by_hand(240)
    save(record(trace), tmp_path / "game.bba")
    again = Replay(load(tmp_path / "game.bba")).run()
    forked = fork(again, 130).run()
    for other in (again, forked):
        for one, two in zip(trace.ticks, other.ticks, strict=True):
            assert (one.state == two.state).all()
            assert one[1:] == two[1:]


def test_in_another_future_the_person_acts_as_before_and_then_stays():
    trace = played_by_hand(120)
    ticks = list(trace.ticks)
    short = replace(trace, ticks=ticks[:80])
    other = fork(short, 40, (Profile("proagent", "scripted"), trace.config.seats[1])).run()
    assert [t.actions[1] for t in other.ticks[40:80]] == [t.actions[1] for t in ticks[40:80]]
    assert {t.actions[1] for t in other.ticks[80:]} == {Action.STAY}


@pytest.mark.thorough
def test_a_person_who_pauses_does_not_contradict_what_it_is_believed_to_do():
    game, typist = game_of_a_typist(horizon=600)
    for step in range(600):
        if step % 2:
            typist.press()
        game.step()
    contradictions = sum(
        tick.observer_gate is not None and tick.observer_gate.contradiction for tick in game.trace.ticks
    )
    assert contradictions < 60  # of 600; with pauses counted it is two steps in three
