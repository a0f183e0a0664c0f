"""Running skills: how they end, that two cooks never lock each other up, and that people are given way to."""

import numpy as np
import pytest
from numpy.typing import NDArray

from bba.kitchen import Kitchen, Layout, Skill, constants
from bba.kitchen.batch import KitchenBatch
from bba.kitchen.constants import FACING, HELD, POSITION, STATE_HEADER
from bba.kitchen.controller import (
    AGE,
    ENDED,
    PRIORITY,
    SKILL,
    TARGET,
    check_completion,
    new_skill_runs,
    next_actions,
    start_skill,
    stop_skill,
)
from benchmarks.kitchens import random_skills
from tests.helpers.kitchen_states import find, give, held, item_on, place_player, position_of, put_item, tile_number

PROBLEMS = 10_000


class ControlledPlayer:
    """Player 0 under control; player 1 does as told."""

    def __init__(self, kitchen: Kitchen, skill: int) -> None:
        self.kitchen, self.runs = kitchen, new_skill_runs((True, False))
        assert start_skill(kitchen.grid, kitchen.state, self.runs, 0, skill)

    def step(self, person: int = constants.ACTION_STAY, timeout: int = 1000) -> int:
        """One step; how player 0's skill stands."""
        actions = np.array([constants.ACTION_STAY, person], np.int32)
        next_actions(self.kitchen.grid, self.kitchen.state, self.runs, actions)
        assert actions[1] == person
        self.kitchen.advance(int(actions[0]), person)
        check_completion(self.kitchen.grid, self.kitchen.state, self.runs, 0, timeout)
        return int(self.runs[0, ENDED])

    def until_it_ends(self, limit: int = 100) -> tuple[int, int]:
        """How the skill ended, and after how many steps."""
        for steps in range(1, limit + 1):
            if ended := self.step():
                return ended, steps
        raise AssertionError(f"still running after {limit} steps")


# --- how a skill runs and ends ---------------------------------------------------------------------------------


def test_a_skill_walks_the_shortest_path_turns_and_interacts() -> None:
    kitchen = Kitchen("open")  # player 0 starts on (3, 2), facing north; meat is on (5, 3)
    assert ControlledPlayer(kitchen, Skill.GRAB_MEAT).until_it_ends() == (
        constants.DONE,
        4,
    )  # two steps, a turn, the interaction
    assert held(kitchen, 0) == constants.MEAT


def test_chopping_goes_on_until_the_food_is_ready_and_washing_until_the_plate_is_clean() -> None:
    kitchen = Kitchen("open")
    place_player(kitchen, 0, (2, 1))
    give(kitchen, 0, constants.MEAT)
    assert ControlledPlayer(kitchen, constants.CHOP).until_it_ends() == (constants.DONE, 3)
    assert item_on(kitchen, (2, 0)) == (constants.CHOPPED_MEAT, 2)
    place_player(kitchen, 0, (8, 2), constants.EAST)
    give(kitchen, 0, constants.DIRTY_PLATE)
    assert ControlledPlayer(kitchen, constants.WASH).until_it_ends() == (constants.DONE, 4)
    assert item_on(kitchen, (9, 2)) == (constants.PLATE, 0)


def test_stay_is_one_step() -> None:
    assert ControlledPlayer(Kitchen("open"), constants.SKILL_STAY).until_it_ends() == (constants.DONE, 1)


def test_a_target_that_is_taken_is_replaced_by_the_next_nearest() -> None:
    kitchen = Kitchen("open")
    for position in ((0, 1), (0, 5)):
        put_item(kitchen, position, constants.PLATE)
    player = ControlledPlayer(kitchen, constants.GRAB_CLEAN_PLATE)
    assert player.runs[0, TARGET] == tile_number(kitchen, (0, 1))
    put_item(kitchen, (0, 1), constants.NOTHING)
    assert player.step() == constants.RUNNING
    assert player.runs[0, TARGET] == tile_number(kitchen, (0, 5))
    assert player.until_it_ends()[0] == constants.DONE


def test_a_skill_without_a_target_left_is_invalid() -> None:
    kitchen = Kitchen("open")
    put_item(kitchen, (0, 5), constants.PLATE)
    player = ControlledPlayer(kitchen, constants.GRAB_CLEAN_PLATE)
    put_item(kitchen, (0, 5), constants.NOTHING)
    assert player.step() == constants.INVALID
    assert player.runs[0, SKILL] == constants.NO_SKILL


def test_a_skill_times_out_after_30_steps_and_can_be_interrupted() -> None:
    kitchen = Kitchen("open", mobility=(0.0, 1.0))
    player = ControlledPlayer(kitchen, constants.GRAB_MEAT)
    assert [player.step(timeout=30) for _ in range(30)] == [constants.RUNNING] * 29 + [constants.TIMEOUT]
    player = ControlledPlayer(kitchen, constants.GRAB_MEAT)
    stop_skill(player.runs, 0, constants.INTERRUPTED)
    assert player.runs[0, [SKILL, ENDED]].tolist() == [constants.NO_SKILL, constants.INTERRUPTED]


def test_an_infeasible_skill_does_not_start_and_changes_nothing() -> None:
    kitchen, runs = Kitchen("open"), new_skill_runs()
    assert not start_skill(kitchen.grid, kitchen.state, runs, 0, constants.SERVE)
    assert (runs == new_skill_runs()).all()


# --- two players -----------------------------------------------------------------------------------------------


def navigation_problems(layout: str, seed: int, mobility: float) -> KitchenBatch:
    """Both players stand anywhere and carry an item to a counter anywhere, sometimes the same one."""
    batch = KitchenBatch(layout, PROBLEMS, seed, (mobility, mobility))
    rng = np.random.default_rng(seed)
    grid = batch.grid
    floor = np.flatnonzero(grid.kind == constants.FLOOR)
    counters = np.array([tile for tile in grid.stations if grid.kind[tile] == constants.COUNTER])
    batch.states[:, STATE_HEADER : STATE_HEADER + len(grid.kind)] = constants.NOTHING
    batch.states[:, POSITION] = rng.choice(floor, PROBLEMS)
    others = rng.choice(floor[:-1], PROBLEMS)
    batch.states[:, POSITION + 1] = np.where(
        others >= batch.states[:, POSITION], floor[np.searchsorted(floor, others) + 1], others
    )
    batch.states[:, FACING : FACING + 2] = rng.integers(0, 4, (PROBLEMS, 2))
    batch.states[:, HELD : HELD + 2] = constants.RICE
    batch.runs[:, :, SKILL] = constants.PUT_DOWN_OBJECT
    batch.runs[:, :, TARGET] = rng.choice(counters, (PROBLEMS, 2))
    return batch


def skills_done(batch: KitchenBatch, steps: int, timeout: int) -> NDArray[np.bool_]:
    """Which skills (N, 2) are done after so many steps, or fewer where all are; who is done stays."""
    done = np.zeros((len(batch), 2), np.bool_)
    stay = np.full(done.shape, constants.SKILL_STAY)
    for _ in range(steps):
        done |= batch.step_skills(stay, timeout=timeout) == constants.DONE
        if done.all():
            break
    return done


@pytest.mark.thorough
@pytest.mark.parametrize(("mobility", "limit"), [(1.0, 40), (0.35, 150)])
@pytest.mark.parametrize("layout", ["ring", "open", "burrito"])
def test_both_players_reach_their_targets_from_anywhere(layout: str, mobility: float, limit: int) -> None:
    done = skills_done(navigation_problems(layout, 1, mobility), limit, timeout=10_000)
    assert np.count_nonzero(~done.all(axis=1)) == 0


def longest_wait(batch: KitchenBatch, steps: int, seed: int) -> NDArray[np.int32]:
    """Random skill play without timeout: for each game the longest that any skill took."""
    rng = np.random.default_rng(seed)
    longest = np.zeros(len(batch), np.int32)
    for _ in range(steps):
        batch.step_skills(random_skills(batch.masks(batch.waiting), rng), timeout=100_000)
        longest = np.maximum(longest, batch.runs[:, :, AGE].max(axis=1))
    return longest


@pytest.mark.thorough
@pytest.mark.parametrize("layout", Layout.names())
def test_every_skill_ends_soon_in_long_random_play(layout: str) -> None:
    assert longest_wait(KitchenBatch(layout, 50), 1000, 5).max() <= 60


LOOP = """
XXUPWDSTBGXX
X2   1     M
X XX XXXXXXX
X    XXXXXXX
XZXRXXXXXXXX
""".strip()
"""A dead end, one tile wide, that leaves a loop. The meat is at its end."""


@pytest.mark.parametrize("inside", [0, 1])
@pytest.mark.parametrize("priorities", [(0, 0), (9, 0), (0, 9)])
def test_a_player_leaves_a_dead_end_before_the_other_enters(inside: int, priorities: tuple[int, int]) -> None:
    batch = KitchenBatch(Layout.model_validate({"name": "loop", "map": LOOP, "extinguisher": (0, 1)}), 1)
    width, runs = batch.layout.width, batch.runs[0]
    for player, skill, x, target in (
        (inside, constants.GRAB_MUSHROOM, 10, (1, 4)),
        (1 - inside, constants.GRAB_MEAT, 9, (11, 1)),
    ):
        batch.states[0, POSITION + player] = width + x
        runs[player, [SKILL, TARGET, PRIORITY]] = skill, target[1] * width + target[0], priorities[player]
    done = skills_done(batch, 60, timeout=1000)
    assert done.all(), f"still at {batch.states[0, POSITION : POSITION + 2] % width} of the corridor"


# --- a person in the other player --------------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize("layout", ["ring", "open"])
def test_a_person_who_stands_still_is_walked_around_where_a_way_exists(layout: str) -> None:
    kitchen = Kitchen(layout)
    floor = [position for position, _ in kitchen.layout.tiles() if kitchen.layout.is_floor(position)]
    trash = find(kitchen.layout, "U")
    for here in floor:
        for person in floor:
            beside_trash = abs(person[0] - trash[0]) + abs(person[1] - trash[1]) == 1
            if here == person or beside_trash:
                continue
            kitchen.reset()
            place_player(kitchen, 0, here)
            place_player(kitchen, 1, person)
            give(kitchen, 0, constants.CHARCOAL)
            ended, _ = ControlledPlayer(kitchen, constants.THROW).until_it_ends(40)
            assert ended == constants.DONE
            assert position_of(kitchen, 1) == person


def test_a_person_who_wanders_does_not_keep_the_agent_from_its_work() -> None:
    kitchen = Kitchen("ring")
    rng = np.random.default_rng(3)
    done = 0
    player = ControlledPlayer(kitchen, constants.GRAB_RICE)
    for step in range(3000):
        ended = player.step(int(rng.integers(0, 4)))
        if ended:
            done += ended == constants.DONE
            player = ControlledPlayer(
                kitchen,
                constants.PUT_DOWN_OBJECT if held(kitchen, 0) else (constants.GRAB_RICE, constants.GRAB_MEAT)[step % 2],
            )
    assert done > 200


DEAD_END = """
XXUPWDSXXXXX
X2   1     M
X XXXXXXXXXX
X          X
XZXRXTXBXGXX
""".strip()
"""Two corridors, one tile wide, joined in the west. The meat is at the end of the northern one."""


@pytest.mark.parametrize("agent", range(2, 8))
def test_a_player_gives_way_to_a_person_leaving_a_dead_end(agent: int) -> None:
    kitchen = Kitchen(Layout.model_validate({"name": "dead-end", "map": DEAD_END, "extinguisher": (0, 1)}))
    place_player(kitchen, 0, (agent, 1), constants.EAST)
    place_player(kitchen, 1, (8, 1))
    player = ControlledPlayer(kitchen, constants.GRAB_MEAT)
    person = []
    for _ in range(20):
        x, _ = position_of(kitchen, 1)
        player.step(constants.WEST if x > 1 else constants.SOUTH)
        person.append(position_of(kitchen, 1))
    assert (1, 3) in person, f"stuck, with the agent at {position_of(kitchen, 0)}"


def test_an_agent_waits_for_a_person_who_stands_in_the_only_way_and_goes_on_when_it_is_free() -> None:
    kitchen = Kitchen(Layout.model_validate({"name": "dead-end", "map": DEAD_END, "extinguisher": (0, 1)}))
    place_player(kitchen, 0, (5, 1), constants.EAST)
    place_player(kitchen, 1, (8, 1), constants.NORTH)
    player = ControlledPlayer(kitchen, constants.GRAB_MEAT)
    for _ in range(10):
        assert player.step() == constants.RUNNING
    assert position_of(kitchen, 0) == (7, 1)
    for _ in range(2):
        player.step(constants.EAST)
    assert position_of(kitchen, 0) == (8, 1)


@pytest.mark.parametrize(
    ("ended", "priority"), [(constants.TIMEOUT, 17), (constants.DONE, 0), (constants.INTERRUPTED, 0)]
)
def test_a_player_keeps_its_priority_after_a_timeout_only(ended: int, priority: int) -> None:
    kitchen, runs = Kitchen("ring"), new_skill_runs()
    runs[0, PRIORITY], runs[0, ENDED] = 17, ended
    assert start_skill(kitchen.grid, kitchen.state, runs, 0, constants.GRAB_RICE)
    assert runs[0, PRIORITY] == priority


def test_a_hand_over_that_became_a_swap_is_not_done() -> None:
    kitchen, runs = Kitchen("forced_coordination"), new_skill_runs()
    counter = (4, 3)
    place_player(kitchen, 0, (3, 3), constants.EAST)
    place_player(kitchen, 1, (5, 3), constants.WEST)
    give(kitchen, 0, constants.RICE)
    give(kitchen, 1, constants.CHOPPED_MEAT)
    for player in (0, 1):
        assert start_skill(kitchen.grid, kitchen.state, runs, player, constants.PASS_OBJECT)
        runs[player, TARGET] = tile_number(kitchen, counter)
    kitchen.step((constants.INTERACT, constants.INTERACT))
    for player in (0, 1):
        check_completion(kitchen.grid, kitchen.state, runs, player, 30)
    assert held(kitchen, 1) == constants.RICE
    assert runs[0, ENDED] == constants.DONE
    assert runs[1, ENDED] != constants.DONE
