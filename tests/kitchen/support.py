"""Helpers of the kitchen's tests: setting up a state, checking invariants, random layouts and games."""

import random
from collections import Counter

import numpy as np
from hypothesis import strategies as st

from bba.kitchen import Kitchen, Layout, constants
from bba.kitchen.controller import SKILL, SkillRuns, check_completion, new_skill_runs, next_actions, start_skill
from bba.kitchen.grid import Grid
from bba.kitchen.layout import REQUIRED_STATIONS, Position
from bba.kitchen.skills import feasible_targets
from bba.kitchen.state import DIRTY_PLATES, FACING, HEADER, HELD, POSITION, StateVector

FOODS = [
    bits
    for bits in range(16)
    if bits & constants.ON_PROTEIN != constants.ON_PROTEIN  # at most one protein
]
PLATES = [constants.PLATE | bits for bits in FOODS]
HOLDABLE = [*range(constants.MEAT, constants.FIRE_EXT + 1), *PLATES]


def tile_number(kitchen: Kitchen, position: Position) -> int:
    return position[1] * kitchen.layout.width + position[0]


def place_player(kitchen: Kitchen, player: int, position: Position, facing: int = constants.NORTH) -> None:
    assert kitchen.layout.is_floor(position)
    kitchen.state[POSITION + player] = tile_number(kitchen, position)
    kitchen.state[FACING + player] = facing


def give(kitchen: Kitchen, player: int, item: int) -> None:
    kitchen.state[HELD + player] = item


def held(kitchen: Kitchen, player: int) -> int:
    return int(kitchen.state[HELD + player])


def put_item(kitchen: Kitchen, position: Position, item: int, progress: int = 0) -> None:
    tile = tile_number(kitchen, position)
    kitchen.state[HEADER + tile] = item
    kitchen.state[HEADER + len(kitchen.grid.kind) + tile] = progress


def item_on(kitchen: Kitchen, position: Position) -> tuple[int, int]:
    """The item on a tile and its progress."""
    tile = tile_number(kitchen, position)
    return int(kitchen.state[HEADER + tile]), int(kitchen.state[HEADER + len(kitchen.grid.kind) + tile])


def position_of(kitchen: Kitchen, player: int) -> Position:
    tile = int(kitchen.state[POSITION + player])
    return tile % kitchen.layout.width, tile // kitchen.layout.width


def find(layout: Layout, char: str) -> Position:
    """The first tile of a kind in reading order."""
    return next(position for position, tile in layout.tiles() if tile == char)


# --- invariants of every state ----------------------------------------------------------------------------------


def plates_in(grid: Grid, state: StateVector) -> int:
    return int(state[DIRTY_PLATES]) + sum(
        item >= constants.PLATE or item == constants.DIRTY_PLATE for item in items_in(grid, state)
    )


def items_in(grid: Grid, state: StateVector) -> list[int]:
    """Every item that is held or on a tile."""
    tiles = len(grid.kind)
    items = [*state[HELD : HELD + 2].tolist(), *state[HEADER : HEADER + tiles].tolist()]
    return [item for item in items if item != constants.NOTHING]


MAY_LIE = {
    constants.COUNTER: set(HOLDABLE),
    constants.BOARD: {constants.CHOPPED_MEAT, constants.CHOPPED_MUSHROOM},
    constants.GRILL: {constants.CHOPPED_STEAK, constants.FRIED_MUSHROOM, constants.CHARCOAL},
    constants.POT: {constants.BOILED_RICE, constants.CHARCOAL},
    constants.SINK: {constants.DIRTY_PLATE, constants.PLATE},
}


def check_state(layout: Layout, grid: Grid, state: StateVector) -> None:
    """No plate and no extinguisher is lost, items are on allowed tiles, the players on different floor tiles."""
    assert plates_in(grid, state) == layout.plates
    assert Counter(items_in(grid, state))[constants.FIRE_EXT] == 1
    for tile, item in enumerate(state[HEADER : HEADER + len(grid.kind)].tolist()):
        assert item == constants.NOTHING or item in MAY_LIE.get(int(grid.kind[tile]), set())
    for player in (0, 1):
        assert state[HELD + player] == constants.NOTHING or state[HELD + player] in HOLDABLE
        assert grid.kind[state[POSITION + player]] == constants.FLOOR
    assert state[POSITION] != state[POSITION + 1]


def check_moves(before: StateVector, after: StateVector) -> None:
    """In none of the games (N, …) do the players swap or share a tile."""
    first, second = after[:, POSITION], after[:, POSITION + 1]
    assert (first != second).all()
    assert not ((before[:, POSITION] == second) & (before[:, POSITION + 1] == first)).any()


# --- random ----------------------------------------------------------------------------------------------------


def random_layout(seed: int) -> Layout:
    """A random valid layout: odd shapes, walls anywhere, sometimes two rooms, stations in reach of a player."""
    rng = random.Random(seed)
    while True:
        rows = _random_map(rng)
        if rows is not None:
            break
    text = ["".join(row) for row in rows]
    bare = Layout.model_construct(rows=tuple(text), pass_counters=(), extinguisher=(0, 0))
    sides = [bare.reachable(start) for start in bare.starts]
    reached = [p for p, c in bare.tiles() if c == "X" and any(bare.touches(p, side) for side in sides)]
    is_pass_counter = [p for p in reached if all(bare.touches(p, side) for side in sides)]
    return Layout.model_validate(
        {
            "name": f"drawn-{seed}",
            "map": text,
            "pass_counters": rng.sample(is_pass_counter, rng.randint(0, min(3, len(is_pass_counter)))),
            "extinguisher": rng.choice(reached),
            "plates": rng.randint(1, 6),
            "timing": {
                "chops": rng.randint(1, 4),
                "rinses": rng.randint(1, 4),
                "cooking": rng.randint(1, 90),
                "ready": rng.randint(1, 90),
                "warning": rng.randint(1, 60),
            },
            "orders": {"life": rng.choice((1, 30, 600)), "active": [[0, rng.randint(1, 3)], [rng.randint(1, 90), 4]]},
        }
    )


def _random_map(rng: random.Random) -> list[list[str]] | None:
    """A map with all stations, or None if the random floor leaves no room for them and one counter."""
    width, height = rng.randint(4, 11), rng.randint(4, 9)
    wall = rng.randint(1, width - 2) if rng.random() < 0.3 else -1
    openness = rng.uniform(0.6, 1.0)
    rows = [["X"] * width for _ in range(height)]
    for y in range(1, height - 1):
        for x in range(1, width - 1):
            if x != wall and rng.random() < openness:
                rows[y][x] = " "
    floor = [(x, y) for y in range(height) for x in range(width) if rows[y][x] == " "]
    if len(floor) < 2:
        return None
    for char, (x, y) in zip("12", rng.sample(floor, 2), strict=True):
        rows[y][x] = char
    bare = Layout.model_construct(rows=tuple("".join(row) for row in rows))
    reached = set.union(*(set(bare.reachable(start)) for start in bare.starts))
    sites = [p for p, c in bare.tiles() if c == "X" and bare.touches(p, frozenset(reached))]
    if len(sites) < len(REQUIRED_STATIONS) + 1:
        return None
    rng.shuffle(sites)
    extra = rng.choices("BGPWS", k=rng.randint(0, min(4, len(sites) - len(REQUIRED_STATIONS) - 1)))
    for char, (x, y) in zip([*REQUIRED_STATIONS, *extra], sites, strict=False):
        rows[y][x] = char
    return rows


def layouts() -> st.SearchStrategy[Layout]:
    """Shipped and random layouts."""
    shipped = st.sampled_from([Layout.load(name) for name in Layout.names()])
    return st.one_of(shipped, st.integers(0, 10**6).map(random_layout))


class SkillPlay:
    """A plain game in which both players run random feasible skills with the controller."""

    def __init__(self, kitchen: Kitchen, seed: int) -> None:
        self.kitchen, self.random = kitchen, np.random.default_rng(seed)
        self.runs: SkillRuns = new_skill_runs()
        self.actions = np.zeros(2, np.int32)
        self.wanted = np.full(2, constants.SKILL_STAY)  # the skill that each player started last

    def step(self) -> None:
        grid, state = self.kitchen.grid, self.kitchen.state
        for player in (0, 1):
            if self.runs[player, SKILL] == constants.NO_SKILL:
                self.wanted[player] = self.random.choice(feasible(grid, state, player))
                assert start_skill(grid, state, self.runs, player, int(self.wanted[player]))
        next_actions(grid, state, self.runs, self.actions)
        self.kitchen.advance(int(self.actions[0]), int(self.actions[1]))
        for player in (0, 1):
            check_completion(grid, state, self.runs, player, 30)


def feasible(grid: Grid, state: StateVector, player: int) -> list[int]:
    """The skills in the player's mask."""
    target, distance = np.empty(constants.N_SKILLS, np.int32), np.empty(constants.N_SKILLS, np.int32)
    feasible_targets(grid, state, player, target, distance)
    return np.flatnonzero(target >= 0).tolist()
