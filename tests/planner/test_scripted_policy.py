"""The rules of the scripted planner, each on a scene made for it."""

import pytest

from bba.kitchen import constants
from bba.kitchen.kitchen import OrderView
from bba.planner import ScriptedBackend, parse_response
from tests.helpers.planner_scenes import EVERYTHING, PROMPTS, ROLES, belief, choice, choice_after, cook, on, situation

FAR_TEAMMATE = cook(8, 5, "rice")
LEFT, RIGHT = cook(3, 3), cook(5, 3)  # of the wall on forced_coordination
HEATED = {
    "steak": on("grill", "chopped_steak", 6, 6, "ready", 90, 160),
    "mushroom": on("grill", "fried_mushroom", 7, 6, "ready", 90, 160),
    "rice": on("pot", "boiled_rice", 2, 6, "ready", 90, 160),
}
MUSHROOM_THEN_STEAK = (OrderView("mushroom_burrito", 540, 600), OrderView("steak_burrito", 540, 600))


@pytest.mark.parametrize(
    ("held", "skill"),
    [
        ("meat", constants.CHOP),
        ("mushroom", constants.CHOP),
        ("chopped_meat", constants.FRY),
        ("rice", constants.BOIL),
        ("dirty_plate", constants.WASH),
        ("charcoal", constants.THROW),
        ("steak_burrito", constants.SERVE),
        ("fire_ext", constants.PUT_OUT_FIRE),
    ],
)
def test_a_held_item_goes_to_its_next_station(held: str, skill: int) -> None:
    assert choice(situation(cook(4, 4, held), cook(8, 5))) == skill


@pytest.mark.parametrize(
    ("held", "feasible"),
    [("meat", (4, 26)), ("rice", (4, 26)), ("fire_ext", (4, 26)), ("mushroom_burrito", (4, 7, 26))],
)
def test_an_item_without_a_use_is_put_down(held: str, feasible: tuple[int, ...]) -> None:
    assert choice(situation(cook(4, 4, held), cook(8, 5), feasible=feasible)) == constants.PUT_DOWN_OBJECT


def test_charcoal_is_carried_round_the_wall_as_no_skill_picks_it_up_from_a_counter() -> None:
    both = (cook(3, 2, "charcoal"), cook(9, 2))
    assert choice(situation(*both, layout="burrito", feasible=(4, 6, 25, 26))) == constants.THROW
    assert choice(situation(*both, layout="burrito", feasible=(4, 25, 26))) == constants.PUT_DOWN_OBJECT


def test_a_third_order_is_planned_once_the_food_of_the_first_two_is_cooking() -> None:
    taken = (HEATED["steak"], HEATED["rice"], on("pot", "boiled_rice", 3, 6, "cooking", 5, 80))
    plates = [on("counter", "tortilla-plate", x, 0) for x in (0, 1, 4)]
    cooking = on("grill", "fried_mushroom", 7, 6, "cooking", 5, 80)
    on_a_board = on("board", "chopped_mushroom", 3, 0, "ready", 2, 2)
    holder = cook(4, 4, "meat")
    assert choice(situation(holder, cook(8, 5), *taken, *plates, cooking)) == constants.CHOP
    assert choice(situation(holder, cook(8, 5), *taken, *plates, on_a_board)) == constants.PUT_DOWN_OBJECT


def test_with_every_counter_full_it_waits_with_what_it_holds() -> None:
    assert choice(situation(cook(4, 4, "meat"), cook(8, 5), feasible=(4,))) == constants.SKILL_STAY


def test_food_that_no_order_needs_is_not_cooked() -> None:
    pots = (HEATED["rice"], on("pot", "boiled_rice", 3, 6, "ready", 90, 160), on("counter", "rice", 0, 0))
    planner_input = situation(cook(4, 4, "rice"), cook(8, 5, "boiled_rice-plate"), *pots, feasible=(1, 4, 26))
    assert choice(planner_input) == constants.PUT_DOWN_OBJECT


@pytest.mark.parametrize(
    ("held", "skill"),
    [
        ("clean_plate", constants.GET_STEAK),
        ("tortilla-plate", constants.GET_STEAK),
        ("chopped_steak-tortilla-plate", constants.GET_BOILED_RICE),
        ("chopped_steak-boiled_rice-plate", constants.GRAB_TORTILLA),
    ],
)
def test_a_plate_gets_what_its_order_lacks(held: str, skill: int) -> None:
    assert choice(situation(cook(6, 5, held), FAR_TEAMMATE, *HEATED.values())) == skill


def test_a_plate_follows_the_sequence_of_orders() -> None:
    planner_input = situation(cook(6, 5, "tortilla-plate"), FAR_TEAMMATE, *HEATED.values(), orders=MUSHROOM_THEN_STEAK)
    assert choice(planner_input) == constants.GET_MUSHROOM


def test_a_plate_waits_for_food_that_is_nearly_ready_but_not_for_long() -> None:
    nearly = on("pot", "boiled_rice", 2, 6, "cooking", 70, 80)
    hardly = on("pot", "boiled_rice", 2, 6, "cooking", 10, 80)
    plate = cook(3, 5, "chopped_steak-tortilla-plate")
    assert choice(situation(plate, FAR_TEAMMATE, nearly, feasible=(4, 26))) == constants.SKILL_STAY
    assert choice(situation(plate, FAR_TEAMMATE, hardly, feasible=(4, 26))) == constants.PUT_DOWN_OBJECT


def test_a_later_orders_burrito_is_served_only_if_no_plate_is_left_for_the_first() -> None:
    waiting = [on("counter", "mushroom_burrito", x, 0) for x in (0, 1, 4)]
    holder = cook(6, 1, "mushroom_burrito")
    assert choice(situation(holder, FAR_TEAMMATE, *waiting, dirty_plates=1)) == constants.PUT_DOWN_OBJECT
    assert choice(situation(holder, FAR_TEAMMATE, *waiting, dirty_plates=0)) == constants.SERVE


def test_a_fire_comes_before_everything_else_unless_the_teammate_has_the_extinguisher() -> None:
    fire = on("grill", "chopped_steak", 6, 6, "burning", 220, 220)
    extinguisher = on("counter", "fire_ext", 9, 5)
    burrito = on("counter", "steak_burrito", 0, 1)
    assert choice(situation(cook(1, 1), FAR_TEAMMATE, fire, extinguisher, burrito)) == constants.GRAB_FIRE_EXT
    assert choice(situation(cook(1, 1), cook(8, 5, "fire_ext"), fire, burrito)) == constants.GRAB_STEAK_BURRITO


def test_the_first_orders_burrito_is_fetched_from_the_counter() -> None:
    both = (on("counter", "steak_burrito", 9, 4), on("counter", "mushroom_burrito", 0, 1))
    assert choice(situation(cook(1, 1), FAR_TEAMMATE, *both)) == constants.GRAB_STEAK_BURRITO


def test_unfinished_chopping_is_continued() -> None:
    assert (
        choice(situation(cook(2, 1), FAR_TEAMMATE, on("board", "chopped_meat", 2, 0, "unready", 1, 2)))
        == constants.CHOP
    )


def test_chopped_food_stays_on_the_board_while_both_grills_are_in_use() -> None:
    chopped = on("board", "chopped_meat", 2, 0, "ready", 2, 2)
    grills = [on("grill", "fried_mushroom", x, 6, "cooking", 5, 80) for x in (6, 7)]
    assert choice(situation(cook(2, 1), FAR_TEAMMATE, chopped)) == constants.GRAB_CHOPPED_MEAT
    assert choice(situation(cook(2, 1), FAR_TEAMMATE, chopped, *grills)) != constants.GRAB_CHOPPED_MEAT


def test_a_clean_plate_is_taken_for_food_that_will_be_ready_on_arrival() -> None:
    clean = on("sink", "clean_plate", 9, 2)
    soon = on("grill", "chopped_steak", 6, 6, "cooking", 75, 80)
    late = on("grill", "chopped_steak", 6, 6, "cooking", 5, 80)
    assert choice(situation(cook(8, 2), FAR_TEAMMATE, clean, soon)) == constants.GRAB_CLEAN_PLATE
    assert choice(situation(cook(8, 2), FAR_TEAMMATE, clean, late)) != constants.GRAB_CLEAN_PLATE


def test_an_item_that_the_teammate_carries_is_not_fetched_again() -> None:
    assert choice(situation(cook(5, 2), cook(8, 5))) == constants.GRAB_MEAT
    assert choice(situation(cook(5, 2), cook(5, 4, "meat"))) != constants.GRAB_MEAT


def test_without_a_belief_the_work_at_the_station_that_the_teammate_faces_is_left_to_it() -> None:
    assert choice(situation(cook(6, 2), cook(5, 2, facing="south"))) != constants.GRAB_MEAT
    assert choice(situation(cook(6, 2), cook(5, 2, facing="west"))) == constants.GRAB_MEAT


def test_the_direction_in_which_the_teammate_walks_counts_only_with_a_belief() -> None:
    both = (cook(6, 2), cook(4, 2, facing="east"))
    assert choice(situation(*both)) == constants.GRAB_MEAT
    assert choice(situation(*both, belief=belief("prep_protein", 0.9, confident=True))) != constants.GRAB_MEAT
    assert choice(situation(*both, belief=belief("prep_protein", 0.4, confident=False))) == constants.GRAB_MEAT


def test_an_idle_teammate_is_not_waited_for() -> None:
    idler = cook(5, 2, facing="south")
    before, now = (situation(cook(x, 2), idler, step=step) for x, step in ((7, 52), (6, 60)))
    assert choice(now) != constants.GRAB_MEAT
    assert choice_after(before, now) == constants.GRAB_MEAT
    assert choice_after(situation(cook(7, 2), idler, step=53), now) != constants.GRAB_MEAT, "it may just have begun"


def test_with_an_idle_teammate_it_walks_round_the_wall_itself_if_there_is_a_way() -> None:
    idler = cook(2, 4)
    before, now = (situation(cook(10, 7, "rice"), idler, layout="burrito", step=step) for step in (40, 60))
    assert choice(now) == constants.PASS_OBJECT
    assert choice_after(before, now) == constants.BOIL
    stuck = situation(cook(10, 7, "rice"), idler, layout="burrito", feasible=(4, 25, 26))
    assert choice_after(before, stuck) == constants.PASS_OBJECT


def test_a_plate_is_washed_first_when_food_is_about_to_burn() -> None:
    fresh = on("grill", "chopped_steak", 6, 6, "ready", 90, 160)
    late = on("grill", "chopped_steak", 6, 6, "warning", 200, 220)
    pot = on("pot", "boiled_rice", 2, 6, "cooking", 5, 80)
    both = (cook(6, 2), cook(2, 5, "mushroom"))
    assert choice(situation(*both, fresh, pot)) != constants.GRAB_DIRTY_PLATE
    assert choice(situation(*both, late, pot)) == constants.GRAB_DIRTY_PLATE


def test_a_belief_moves_the_choice_away_from_the_teammates_role() -> None:
    undecided = (cook(4, 4), cook(2, 4, facing="east"))
    sure = {role: belief(role, 0.9, confident=True) for role in ("prep_protein", "prep_rice")}
    assert choice(situation(*undecided, belief=sure["prep_rice"])) == constants.GRAB_MEAT
    assert choice(situation(*undecided, belief=sure["prep_protein"])) == constants.GRAB_RICE


def test_of_two_similar_tasks_the_one_outside_the_teammates_role_is_taken() -> None:
    near_rice, near_meat, teammate = cook(3, 4), cook(6, 4), cook(8, 4, "clean_plate")
    assert (choice(situation(near_rice, teammate)), choice(situation(near_meat, teammate))) == (
        constants.GRAB_RICE,
        constants.GRAB_MEAT,
    )
    for role, other in (("prep_rice", constants.GRAB_MEAT), ("prep_protein", constants.GRAB_RICE)):
        sure = belief(role, 0.9, confident=True)
        assert {choice(situation(me, teammate, belief=sure)) for me in (near_rice, near_meat)} == {other}
    unsure = belief("prep_rice", 0.5, confident=False)
    assert choice(situation(near_rice, teammate, belief=unsure)) == constants.GRAB_RICE


def test_urgent_work_is_done_in_the_teammates_role_too() -> None:
    sure = belief("serve", 0.9, confident=True)
    assert (
        choice(situation(cook(4, 4), FAR_TEAMMATE, on("counter", "steak_burrito", 0, 3), belief=sure))
        == constants.GRAB_STEAK_BURRITO
    )


def test_tasks_that_the_teammate_cannot_do_are_not_left_to_it() -> None:
    plates = [on("counter", "dirty_plate", 4, 3), on("counter", "clean_plate", 1, 0)]
    for side, teammate in ((LEFT, cook(5, 3, "chopped_meat")), (RIGHT, cook(3, 3, "rice"))):
        unknown = choice(situation(side, teammate, *plates, layout="forced_coordination"))
        for role in ROLES:
            sure = belief(role, 0.9, confident=True)
            assert choice(situation(side, teammate, *plates, layout="forced_coordination", belief=sure)) == unknown


def test_the_answer_has_three_lines_where_the_prompt_asks_for_them() -> None:
    planner_input = situation(
        cook(4, 4, "rice"), cook(8, 5, "meat"), belief=belief("prep_protein", 0.9, confident=True)
    )
    text = (
        ScriptedBackend()
        .complete(
            [
                {"role": "system", "content": PROMPTS.system("bayes", planner_input)},
                {"role": "user", "content": PROMPTS.user(planner_input)},
            ]
        )
        .text
    )
    assert text == (
        "Teammate role belief: prep_protein\n"
        'Intention for Player 1: "GO_TO_CHOP_BOARD_AND_CHOP_INGREDIENT"\n'
        'Plan for Player 0: "1:GO_TO_POT_AND_BOIL_RICE"'
    )
    assert parse_response(text, EVERYTHING).skill == constants.BOIL


@pytest.mark.parametrize(
    ("cook_x", "held"),
    [(3, "meat"), (3, "steak_burrito"), (5, "chopped_meat"), (5, "dirty_plate"), (5, "clean_plate")],
)
def test_items_that_the_other_side_needs_are_passed(cook_x: int, held: str) -> None:
    teammate = RIGHT if cook_x == 3 else LEFT
    grill = on("grill", "fried_mushroom", 3, 2, "ready", 90, 160)
    planner_input = situation(
        cook(cook_x, 3, held), teammate, grill, layout="forced_coordination", feasible=(4, 25, 26)
    )
    assert choice(planner_input) == constants.PASS_OBJECT


def test_items_passed_to_the_other_side_are_not_taken_back() -> None:
    meat = on("counter", "meat", 4, 3)
    planner_input = situation(LEFT, RIGHT, meat, layout="forced_coordination", feasible=(4, 8, 9, 11))
    assert choice(planner_input) != constants.GRAB_MEAT
    planner_input = situation(RIGHT, LEFT, meat, layout="forced_coordination", feasible=(4, 8, 12))
    assert choice(planner_input) == constants.GRAB_MEAT


def test_with_both_pass_counters_full_nothing_more_is_fetched_for_the_other_side() -> None:
    full = (on("counter", "meat", 4, 3), on("counter", "mushroom", 4, 6))
    planner_input = situation(RIGHT, cook(3, 5, "rice"), *full, layout="forced_coordination", feasible=(4, 12))
    assert choice(planner_input) == constants.SKILL_STAY


def test_items_that_no_order_needs_are_removed_from_full_pass_counters() -> None:
    clog = [on("counter", "rice", 4, y) for y in (3, 6)]
    pots = [on("pot", "boiled_rice", 3, y, "cooking", 5, 80) for y in (7, 8)]
    planner_input = situation(LEFT, RIGHT, *clog, *pots, layout="forced_coordination", feasible=(4, 11))
    assert choice(planner_input) == constants.GRAB_RICE
