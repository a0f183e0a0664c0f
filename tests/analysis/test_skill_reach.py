"""Skills that each seat can reach and hand-overs: on the shipped kitchens, and on small ones made by hand."""

import pytest

from bba.analysis.kitchen_structure import PASS, SkillReach, skill_reach, used
from bba.kitchen import Kitchen, Layout
from bba.kitchen.constants import (
    CHOP,
    CHOPPED_MEAT,
    FIRE_EXT,
    MEAT,
    NO_SKILL,
    NOTHING,
    PASS_OBJECT,
    PLATE,
    PUT_DOWN_OBJECT,
    STEAK_BURRITO,
    WASH,
    Skill,
)
from tests.helpers.kitchens import kitchen
from tests.helpers.random_kitchens import SkillPlay, random_layout

NEVER_PASSED = frozenset(Skill) - {Skill.PASS_OBJECT}  # without pass counters


def reach_of(*rows: str, **fields) -> SkillReach:
    return skill_reach(kitchen(*rows, **fields))


# --- the shipped kitchens --------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["open", "ring"])
def test_in_one_room_without_pass_counters_both_can_do_all_but_pass(name):
    reach = skill_reach(Layout.load(name))
    assert reach.skills == (NEVER_PASSED, NEVER_PASSED)
    assert (reach.hand_overs, reach.alone, reach.share_of_one) == ((0, 0), (True, True), 0.0)


def test_the_doorway_of_burrito_lets_both_do_everything():
    reach = skill_reach(Layout.load("burrito"))
    assert reach.skills == (frozenset(Skill), frozenset(Skill))
    assert (reach.hand_overs, reach.alone) == ((0, 0), (True, True))


def test_forced_coordination_needs_four_hand_overs_and_gives_each_cook_skills_of_its_own():
    reach = skill_reach(Layout.load("forced_coordination"))
    # raw meat to the board, chopped meat back, a dirty plate to the sink, the burrito to the window
    assert reach.hand_overs == (4, 4)
    assert reach.alone == (False, False)
    assert reach.only == (
        {
            Skill.GO_TO_PAN_AND_FRY_INGREDIENT,
            Skill.GO_TO_POT_AND_BOIL_RICE,
            Skill.GO_TO_PUT_OUT_FIRE,
            Skill.GO_TO_SINK_TO_WASH_PLATE,
            Skill.GET_MUSHROOM_FROM_GRILLER,
            Skill.GET_STEAK_FROM_GRILLER,
            Skill.GET_BOILED_RICE,
            Skill.GRAB_CHARCOAL,
        },
        {Skill.GO_TO_CHOP_BOARD_AND_CHOP_INGREDIENT, Skill.GO_TO_SERVE_DISH},
    )
    assert reach.share_of_one == pytest.approx(10 / 26)


# --- kitchens made by hand -------------------------------------------------------------------------------------
LEFT_HAS_ALL_BUT_THE_WINDOW = (
    "XMZRTUBXXXX",
    "X   1  X 2S",
    "XGPWDXXXEXX",
)


def test_where_all_but_the_window_is_on_one_side_only_the_burrito_is_handed_over():
    reach = reach_of(*LEFT_HAS_ALL_BUT_THE_WINDOW)
    assert reach.hand_overs == (1, 1)
    assert reach.alone == (False, False)
    assert Skill.GO_TO_SERVE_DISH in reach.only[1]


def test_a_cook_who_reaches_everything_needs_nobody():
    reach = reach_of(
        "XMZRTUBXXXX",
        "S   1  X 2X",
        "XGPWDXXXEXX",
    )
    assert (reach.hand_overs, reach.alone) == ((0, 0), (True, False))


def test_a_shared_board_hands_over_what_lies_on_it_where_no_counter_is_shared():
    reach = reach_of(
        "XMZRTUXXXXX",
        "X   1  B 2G",
        "XPWDSXXXEXX",
    )
    assert Skill.GRAB_CHOPPED_MEAT in reach.skills[1]
    assert Skill.GO_TO_PAN_AND_FRY_INGREDIENT in reach.only[1]
    assert Skill.GET_STEAK_FROM_GRILLER not in reach.skills[1], "no plate ever comes there"
    assert reach.hand_overs == (None, None)


def test_without_any_way_across_no_burrito_can_be_made():
    reach = reach_of(
        "XMZRTUBXXXXX",
        "X   1  XX 2S",
        "XGPWDXXXXEXX",
    )
    assert reach.hand_overs == (None, None)
    assert reach.skills[1] == {Skill.STAY, Skill.GRAB_FIRE_EXT, Skill.PUT_DOWN_OBJECT}


def test_a_pass_counter_makes_passing_a_skill_of_both():
    assert Skill.PASS_OBJECT not in reach_of(*LEFT_HAS_ALL_BUT_THE_WINDOW).skills[1]
    reach = reach_of(*LEFT_HAS_ALL_BUT_THE_WINDOW, pass_counters=[(7, 1)])
    assert all(Skill.PASS_OBJECT in skills for skills in reach.skills)


@pytest.mark.parametrize("extinguisher", [(0, 1), (8, 0)])
def test_the_extinguisher_is_handed_over_to_the_cook_who_reaches_the_fire(extinguisher):
    reach = reach_of(*LEFT_HAS_ALL_BUT_THE_WINDOW, extinguisher=extinguisher)
    assert Skill.GO_TO_PUT_OUT_FIRE in reach.only[0]
    assert Skill.GRAB_FIRE_EXT in reach.skills[0] & reach.skills[1]


# --- the bench -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("kind", "held", "item", "progress", "outcome"),
    [
        ("M", NOTHING, NOTHING, 0, (Skill.GRAB_MEAT, MEAT, NOTHING, 0)),
        ("B", MEAT, NOTHING, 0, (CHOP, NOTHING, CHOPPED_MEAT, 0)),
        ("B", NOTHING, CHOPPED_MEAT, 1, (CHOP, NOTHING, CHOPPED_MEAT, 2)),
        ("B", NOTHING, CHOPPED_MEAT, 2, (Skill.GRAB_CHOPPED_MEAT, CHOPPED_MEAT, NOTHING, 0)),
        ("X", PLATE, NOTHING, 0, (PUT_DOWN_OBJECT, NOTHING, PLATE, 0)),
        (PASS, PLATE, NOTHING, 0, (PASS_OBJECT, NOTHING, PLATE, 0)),
        ("S", STEAK_BURRITO, NOTHING, 0, (Skill.GO_TO_SERVE_DISH, NOTHING, NOTHING, 0)),
        ("G", FIRE_EXT, NOTHING, 0, (NO_SKILL, FIRE_EXT, NOTHING, 0)),
    ],
)
def test_the_bench_tells_what_the_rules_do(kind, held, item, progress, outcome):
    assert used(kind, held, item, progress) == outcome


def test_washing_goes_on_until_the_plate_is_clean():
    held, item, rinses = NOTHING, Skill.GRAB_DIRTY_PLATE, 0
    _, held, item, rinses = used("W", 7, NOTHING, 0)
    seen = []
    while item != PLATE:
        skill, held, item, rinses = used("W", held, item, rinses)
        seen.append(skill)
    assert seen == [WASH] * 3


# --- games -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(6))
def test_whatever_random_cooks_do_was_foretold(seed):
    layout = random_layout(seed)
    reach = skill_reach(layout)
    play = SkillPlay(Kitchen(layout, seed), seed)
    for _ in range(300):
        play.step()
        for seat in (0, 1):
            assert int(play.wanted[seat]) in reach.skills[seat]
