"""The skill mask, compared with a table of skills written for the decoded scene."""

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bba.kitchen import Kitchen, Layout, Scene, Skill, constants
from bba.kitchen.batch import KitchenBatch
from bba.kitchen.constants import HELD, POSITION, STATE_HEADER
from bba.kitchen.controller import new_skill_runs, start_skill
from bba.kitchen.layout import UNREACHABLE, Position, neighbours
from bba.kitchen.skills import feasible_targets, mark_feasible, nearest_target
from benchmarks.kitchens import random_skills
from tests.helpers.kitchen_states import HOLDABLE, feasible, give, place_player, put_item
from tests.helpers.random_kitchens import layouts

RAW = {"meat", "mushroom"}
CHOPPED = {"chopped_meat", "chopped_mushroom"}
BURRITOS = {"steak_burrito": Skill.GRAB_STEAK_BURRITO_PLATE, "mushroom_burrito": Skill.GRAB_MUSHROOM_BURRITO_PLATE}
COOKS = {"grill": CHOPPED, "pot": {"rice"}}
SIMPLE = {
    "meat": Skill.GRAB_MEAT,
    "mushroom": Skill.GRAB_MUSHROOM,
    "tortilla": Skill.GRAB_TORTILLA,
    "rice": Skill.GRAB_RICE,
    "dirty_plate": Skill.GRAB_DIRTY_PLATE,
    "clean_plate": Skill.GRAB_CLEAN_PLATE,
    "fire_ext": Skill.GRAB_FIRE_EXT,
    "chopped_mushroom": Skill.GRAB_CHOPPED_MUSHROOM,
    "chopped_meat": Skill.GRAB_CHOPPED_MEAT,
}


def parts(name: str | None) -> set[str] | None:
    """What lies on a clean plate of this name; None for anything that is no clean plate."""
    if name in BURRITOS:
        return {"protein", "rice", "tortilla"}
    if name == "clean_plate":
        return set()
    if name is None or not name.endswith("-plate"):
        return None
    kinds = {"chopped_steak": "protein", "fried_mushroom": "protein", "boiled_rice": "rice", "tortilla": "tortilla"}
    return {kinds[part] for part in name.removesuffix("-plate").split("-")}


def offers(layout: Layout, scene: Scene, position: Position, held_item: str | None) -> Iterator[Skill]:
    """The skills whose target this tile is, from the table of skills."""
    kind = constants.TILE_NAMES[constants.TILE_CHARS.index(layout.char(position))]
    view = next((view for view in scene.objects if view.position == position), None)
    name, state = (view.name, view.state) if view else (None, "")
    plate = parts(held_item)
    if kind.endswith("_dispenser"):
        item = kind.removesuffix("_dispenser")
        if held_item is None or (item == "tortilla" and plate is not None and "tortilla" not in plate):
            yield SIMPLE[item]
    elif kind == "plate_stack" and held_item is None and scene.dirty_plates:
        yield Skill.GRAB_DIRTY_PLATE
    elif kind == "trash" and held_item == "charcoal":
        yield Skill.GO_TO_TRASH_AND_THROW
    elif kind == "window" and held_item in BURRITOS:
        yield Skill.GO_TO_SERVE_DISH
    elif kind == "board":
        if (name is None and held_item in RAW) or (held_item is None and state == "unready"):
            yield Skill.GO_TO_CHOP_BOARD_AND_CHOP_INGREDIENT
        elif held_item is None and name is not None:
            yield SIMPLE[name]
    elif kind == "sink":
        if (name is None and held_item == "dirty_plate") or (held_item is None and name == "dirty_plate"):
            yield Skill.GO_TO_SINK_TO_WASH_PLATE
        elif held_item is None and name == "clean_plate":
            yield Skill.GRAB_CLEAN_PLATE
    elif kind in COOKS:
        yield from offers_of_stove(kind, name, state, held_item)
    elif kind == "counter":
        yield from offers_of_counter(position in layout.pass_counters, name, held_item)


def offers_of_stove(kind: str, name: str | None, state: str, held_item: str | None) -> Iterator[Skill]:
    plate = parts(held_item)
    if name is None and held_item in COOKS[kind]:
        yield Skill.GO_TO_PAN_AND_FRY_INGREDIENT if kind == "grill" else Skill.GO_TO_POT_AND_BOIL_RICE
    elif name == "charcoal" and (held_item is None or held_item in COOKS[kind]):
        yield Skill.GRAB_CHARCOAL
    elif state == "burning" and held_item == "fire_ext":
        yield Skill.GO_TO_PUT_OUT_FIRE
    elif state in ("ready", "warning") and plate is not None:
        if name == "boiled_rice" and "rice" not in plate:
            yield Skill.GET_BOILED_RICE
        if name == "chopped_steak" and "protein" not in plate:
            yield Skill.GET_STEAK_FROM_GRILLER
        if name == "fried_mushroom" and "protein" not in plate:
            yield Skill.GET_MUSHROOM_FROM_GRILLER


def offers_of_counter(is_pass_counter: bool, name: str | None, held_item: str | None) -> Iterator[Skill]:
    plate, there = parts(held_item), parts(name)
    if name is None:
        if held_item is not None:
            yield Skill.PASS_OBJECT if is_pass_counter else Skill.PUT_DOWN_OBJECT
    elif name in BURRITOS:
        if held_item != name:
            yield BURRITOS[name]
    elif there:
        if held_item != name:
            yield (Skill.GRAB_ONE_INGREDIENT_PLATE, Skill.GRAB_TWO_INGREDIENT_PLATE)[len(there) - 1]
    elif name == "fire_ext":
        if held_item != name:
            yield Skill.GRAB_FIRE_EXT
    elif name == "tortilla" and plate is not None and "tortilla" not in plate:
        yield Skill.GRAB_TORTILLA
    elif held_item is None and name in SIMPLE:
        yield SIMPLE[name]


def expected_mask(kitchen: Kitchen, player: int) -> list[int]:
    layout, scene = kitchen.layout, kitchen.scene()
    floor = layout.reachable(scene.players[player].position)
    skills = {Skill.STAY}
    for position, char in layout.tiles():
        if char not in " 12" and any(place in floor for place in neighbours(position)):
            skills.update(offers(layout, scene, position, scene.players[player].held))
    return sorted(skills)


@pytest.mark.thorough
@given(layouts(), st.integers(0, 2**32 - 1))
def test_the_mask_is_what_the_table_of_skills_says(layout: Layout, seed: int) -> None:
    batch = KitchenBatch(layout, 4, seed)
    rng = np.random.default_rng(seed)
    for _ in range(12):
        for _ in range(25):
            batch.step_skills(random_skills(batch.masks(batch.waiting), rng))
        masks = batch.masks()
        for i in range(4):
            for player in (0, 1):
                assert np.flatnonzero(masks[i, player]).tolist() == expected_mask(batch.kitchen(i), player)


@pytest.mark.thorough
@given(st.integers(0, 2**32 - 1))
def test_the_mask_is_what_the_table_says_in_random_states(seed: int) -> None:
    rng = np.random.default_rng(seed)
    kitchen = Kitchen(("open", "forced_coordination", "burrito", "ring")[seed % 4])
    choices = {
        constants.COUNTER: [0, *HOLDABLE],
        constants.BOARD: [0, constants.CHOPPED_MEAT, constants.CHOPPED_MUSHROOM],
        constants.GRILL: [0, constants.CHOPPED_STEAK, constants.FRIED_MUSHROOM, constants.CHARCOAL],
        constants.POT: [0, constants.BOILED_RICE, constants.CHARCOAL],
        constants.SINK: [0, constants.DIRTY_PLATE, constants.PLATE],
    }
    for position, _ in kitchen.layout.tiles():
        kind = int(kitchen.grid.kind[position[1] * kitchen.layout.width + position[0]])
        if kind in choices:
            item = int(rng.choice(choices[kind]))
            heat = kind in (constants.GRILL, constants.POT) and item not in (0, constants.CHARCOAL)
            put_item(kitchen, position, item, int(rng.choice([1, 79, 80, 219, 220])) if heat else 0)
    for player in (0, 1):
        for held_item in (constants.NOTHING, *HOLDABLE):
            give(kitchen, player, held_item)
            assert feasible(kitchen.grid, kitchen.state, player) == expected_mask(kitchen, player)


@pytest.mark.thorough
@given(layouts(), st.integers(0, 2**32 - 1))
def test_the_mask_holds_exactly_the_skills_that_can_start_with_the_same_targets(layout: Layout, seed: int) -> None:
    batch = KitchenBatch(layout, 2, seed)
    rng = np.random.default_rng(seed)
    target, walk = np.empty(constants.N_SKILLS, np.int32), np.empty(constants.N_SKILLS, np.int32)
    for _ in range(6):
        for _ in range(20):
            batch.step_skills(random_skills(batch.masks(batch.waiting), rng))
        for state in batch.states:
            for player in (0, 1):
                feasible_targets(batch.grid, state, player, target, walk)
                assert ((target >= 0) == (walk < UNREACHABLE)).all()
                mask = np.zeros(constants.N_SKILLS, np.bool_)
                mark_feasible(batch.grid, state, player, mask)
                assert (mask == (target >= 0)).all()
                for skill in range(constants.N_SKILLS):
                    assert nearest_target(batch.grid, state, player, skill) == target[skill]
                    assert start_skill(batch.grid, state, new_skill_runs(), player, skill) == (target[skill] >= 0)


def test_the_target_is_the_nearest_by_walking_distance_then_by_reading_order() -> None:
    kitchen = Kitchen("open")
    give(kitchen, 0, constants.MEAT)
    place_player(kitchen, 0, (2, 1))
    assert nearest_target(kitchen.grid, kitchen.state, 0, constants.CHOP) == 2
    place_player(kitchen, 0, (3, 1))
    assert nearest_target(kitchen.grid, kitchen.state, 0, constants.CHOP) == 3
    put_item(kitchen, (3, 0), constants.CHOPPED_MEAT)
    assert nearest_target(kitchen.grid, kitchen.state, 0, constants.CHOP) == 2
    give(kitchen, 0, constants.NOTHING)
    for at in (1, 4):
        kitchen.state[STATE_HEADER + at] = constants.RICE
    place_player(kitchen, 0, (2, 2))
    kitchen.state[POSITION] = 12  # (2, 1): beside (2, 0); one step from beside (1, 0), two from beside (4, 0)
    assert nearest_target(kitchen.grid, kitchen.state, 0, constants.GRAB_RICE) == 1


def test_the_other_player_does_not_block_the_mask() -> None:
    kitchen = Kitchen("ring")
    free = feasible(kitchen.grid, kitchen.state, 0)
    place_player(kitchen, 1, (4, 2))
    assert feasible(kitchen.grid, kitchen.state, 0) == free


@pytest.mark.parametrize("skill", [Skill.GRAB_FIRE_EXT, Skill.GRAB_ONE_INGREDIENT_PLATE])
def test_an_item_like_the_held_one_is_no_target(skill: Skill) -> None:
    item = constants.FIRE_EXT if skill == Skill.GRAB_FIRE_EXT else constants.PLATE | constants.ON_RICE
    kitchen = Kitchen("open")
    put_item(kitchen, (9, 5), item)
    assert skill in feasible(kitchen.grid, kitchen.state, 0)
    kitchen.state[HELD] = item
    assert skill not in feasible(kitchen.grid, kitchen.state, 0)
