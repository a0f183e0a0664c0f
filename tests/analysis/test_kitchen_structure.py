"""What distinguishes a kitchen, and whether two scripted cooks finish a burrito in it."""

import pytest

from bba.analysis.kitchen_structure import kitchen_structure, structure_words
from bba.kitchen import Layout
from tests.helpers.kitchens import kitchen
from tui.design.panels import trial_game


# --- the shipped kitchens --------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("name", "one_room", "floor", "corridor", "bottlenecks", "shared", "single"),
    [
        ("open", True, 36, 0, (), 15, ("sink",)),
        ("ring", True, 25, 19, (), 25, ("sink",)),
        ("forced_coordination", False, 34, 0, (), 2, ()),
        ("burrito", True, 69, 2, ((4, 8), (5, 8), (6, 8), (7, 8)), 31, ("sink",)),
    ],
)
def test_the_shipped_kitchens(name, one_room, floor, corridor, bottlenecks, shared, single):
    structure = kitchen_structure(Layout.load(name))
    assert (structure.one_room, structure.floor, len(structure.corridor)) == (one_room, floor, corridor)
    assert (structure.bottlenecks, structure.shared_counters, structure.single) == (bottlenecks, shared, single)


# --- kitchens made by hand -------------------------------------------------------------------------------------
DOOR = (
    "XMZRXXTUX",
    "G 1 X 2 B",
    "X   E   P",
    "X       X",
    "XXWXXXDSX",
)
TWO_ROOMS = (
    "XMZRTUBXXXX",
    "X   1  X 2S",
    "XGPWDXXXEXX",
)
APART = (
    "XMZRTUBXXXXX",
    "X   1  XX 2S",
    "XGPWDXXXXEXX",
)


def test_a_door_is_a_bottleneck_and_as_wide_as_a_corridor():
    structure = kitchen_structure(kitchen(*DOOR))
    assert structure.one_room
    assert structure.bottlenecks == ((3, 3), (4, 3), (5, 3))
    assert structure.corridor == ((4, 3),)


def test_a_dead_end_without_a_station_is_a_corridor_and_no_bottleneck():
    structure = kitchen_structure(
        kitchen(
            "XMZRTUXXX",
            "G 1 2   X",
            "B     XXX",
            "XPWDSEXXX",
        )
    )
    assert structure.corridor == ((6, 1), (7, 1))
    assert structure.bottlenecks == ()


def test_only_a_workplace_that_both_can_reach_is_single_for_both():
    assert kitchen_structure(kitchen(*TWO_ROOMS)).single == ()
    assert kitchen_structure(kitchen(*DOOR)).single == ("board", "grill", "pot", "sink")


def test_counters_that_both_can_use_are_counted():
    assert kitchen_structure(kitchen(*TWO_ROOMS)).shared_counters == 1


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (DOOR, "each cook can make a burrito alone"),
        (DOOR, "3 bottlenecks: a cook there cuts the other off from stations"),
        (DOOR, "only one board, one grill, one pot, one sink for both"),
        (("XMZRTUBXXXX", "S   1  X 2X", "XGPWDXXXEXX"), "only cook 1 can make a burrito alone"),
        (TWO_ROOMS, "hand-overs at least: steak burrito 1, mushroom burrito 1"),
        (TWO_ROOMS, "two rooms, 1 counter between them"),
        (APART, "no burrito can be made and served"),
    ],
)
def test_what_is_found_is_said_in_words(rows, said):
    assert said in structure_words(kitchen_structure(kitchen(*rows)))


def test_the_share_of_skills_of_one_seat_is_said_first():
    words = structure_words(kitchen_structure(Layout.load("forced_coordination")))
    assert words[0] == "cook 1 has 25 of 27 skills, cook 2 19; 38% only one of them"


# --- the trial -------------------------------------------------------------------------------------------------
def test_two_scripted_cooks_deliver_in_the_open_kitchen_the_same_step_each_time():
    first, second = (trial_game(Layout.load("open")) for _ in range(2))
    assert first == second
    assert 0 < first < 1200


def test_where_no_burrito_can_be_made_the_cooks_give_up_at_the_horizon():
    hopeless = kitchen(*APART)
    assert trial_game(hopeless, horizon=40) == 0


def test_a_trial_that_is_stopped_has_no_result():
    asked = []

    def goes_on() -> bool:
        asked.append(True)
        return len(asked) < 5

    assert trial_game(Layout.load("open"), goes_on=goes_on) is None
    assert len(asked) == 5
