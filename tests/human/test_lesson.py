"""The lesson knows the next thing in every state: who does it key by key makes the burrito."""

from pathlib import Path

import pytest

from bba.analysis.advice import WAIT_ADVICE
from bba.kitchen import Action, Skill, constants
from bba.kitchen.constants import HELD
from human.lesson import CHAINS, next_thing
from human.study.tutorial import PERSON_SEAT, STAGES, TutorialProgress, practice_session
from tests.helpers.kitchen_states import give, put_item


def test_who_follows_it_key_by_key_makes_a_burrito_stage_by_stage():
    session, stages = practice_session(Path("unused")), []
    game, controls, progress = session.game, session.controls[PERSON_SEAT], TutorialProgress(session.trace.start)
    walk = iter([Action.NORTH, Action.WEST, Action.WEST, Action.SOUTH, Action.SOUTH, Action.EAST])
    while progress.done < len(STAGES):
        assert len(game.trace.ticks) < 600, f"stuck in stage {progress.done}"
        stages.append(progress.done)
        state = game.trace.ticks[-1].state if game.trace.ticks else game.trace.start
        advice = next_thing(game.kitchen.layout, state, PERSON_SEAT, progress.done)
        controls.press(next(walk) if progress.done == 0 else advice.action)
        progress.see(game.step())
    assert sorted(set(stages)) == stages[:1] + sorted(set(stages))[1:]
    assert set(stages) == set(range(len(STAGES)))


def test_tiles_that_are_left_to_walk_do_not_fall_while_nobody_walks():
    session = practice_session(Path("unused"))
    progress = TutorialProgress(session.trace.start)
    left = [progress.tiles_left]
    for action in (None, Action.NORTH, Action.WEST, Action.EAST):  # to the north there is a counter
        if action is not None:
            session.controls[PERSON_SEAT].press(action)
        progress.see(session.step())
        left.append(progress.tiles_left)
    assert left == [3, 3, 3, 2, 2]


def test_what_is_in_the_way_is_put_down_and_what_was_lost_is_done_again():
    game = practice_session(Path("unused")).game
    layout, state = game.kitchen.layout, game.trace.start.copy()
    boil = next(i for i, stage in enumerate(STAGES) if stage.title == "boil")
    state[HELD + PERSON_SEAT] = constants.TORTILLA
    assert next_thing(layout, state, PERSON_SEAT, boil).skill == Skill.PUT_DOWN_OBJECT
    state[HELD + PERSON_SEAT] = constants.NOTHING
    plate = next(i for i, stage in enumerate(STAGES) if stage.title == "serve")
    assert next_thing(layout, state, PERSON_SEAT, plate).skill in CHAINS[plate - 1] + CHAINS[plate]
    assert next_thing(layout, state, PERSON_SEAT, boil).skill == Skill.GRAB_RICE
    assert next_thing(layout, state, PERSON_SEAT, 0) == WAIT_ADVICE


@pytest.mark.parametrize("picked", [constants.RICE, constants.PLATE])
def test_what_was_picked_by_mistake_is_put_down_also_while_something_cooks(picked):
    kitchen = practice_session(Path("unused")).game.kitchen
    grill = next(at for at, char in kitchen.layout.tiles() if char == "G")
    put_item(kitchen, grill, constants.CHOPPED_STEAK, 1)
    give(kitchen, PERSON_SEAT, picked)
    for stage in (i for i, stage in enumerate(STAGES) if stage.title in ("take", "chop", "fry", "wash")):
        assert next_thing(kitchen.layout, kitchen.state, PERSON_SEAT, stage).skill == Skill.PUT_DOWN_OBJECT
    plating = next(i for i, stage in enumerate(STAGES) if stage.title == "plate the meat")
    waits = next_thing(kitchen.layout, kitchen.state, PERSON_SEAT, plating) == WAIT_ADVICE._replace(target=grill)
    assert waits == (picked == constants.PLATE)
