"""Decisions of the rollout planner with tiny networks, to be compared between processes: prints them as JSON."""

import json
import sys
from dataclasses import asdict

import numpy as np

from bba.config import RolloutOptions
from bba.kitchen import Kitchen, constants
from bba.kitchen.constants import NO_SKILL
from bba.planner import SkillComparer
from tests.helpers import tiny_policies

COUNT = 20


def decisions(count: int = COUNT) -> list[dict]:
    """What the planner compares and chooses in situations of games in which both cooks move at random."""
    comparer = SkillComparer(
        tiny_policies.planning_networks(), RolloutOptions(futures=8, future_steps=30), timeout=30, fast=True
    )
    found = []
    for number in range(count):
        kitchen, rng = Kitchen("open", number, mobility=(0.35, 0.35)), np.random.default_rng(number)
        for _ in range(20 + 7 * number):
            kitchen.step(rng.integers(0, constants.N_ACTIONS, 2))
        partner = np.eye(constants.N_SKILLS)[number % 23] if number % 3 else None
        comparison = asdict(comparer.compare(kitchen.state, number % 2, NO_SKILL, 0, partner, number))
        found.append({name: value for name, value in comparison.items() if name != "seconds"})
    return found


if __name__ == "__main__":
    json.dump(decisions(), sys.stdout)
