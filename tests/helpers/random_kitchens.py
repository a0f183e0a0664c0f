"""Random layouts, and games in which both players run random skills."""

import random

import numpy as np
from hypothesis import strategies as st

from bba.kitchen import Kitchen, Layout, constants
from bba.kitchen.controller import SKILL, SkillRuns, check_completion, new_skill_runs, next_actions, start_skill
from bba.kitchen.layout import REQUIRED_STATIONS
from tests.helpers.kitchen_states import feasible


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
