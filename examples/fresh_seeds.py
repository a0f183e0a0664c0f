"""Holds a number of the documents against seeds that nobody has played: what belief and gate are worth to the planner.

python examples/fresh_seeds.py [SEEDS] [STEPS]   # 6 seeds of 2400 steps, some minutes; docs/results/reproduction.md
"""

import sys

from bba import crossplay

DOCUMENTED = 183  # points a game beside locked partners on `open`, of 2400 steps
FIRST = 400  # no seed of the documents is this high
LOCKED = [f"{name}+locked" for name in ("switching", "bp:G1-1", "bp:G1-4", "bp:G2-2", "bp:G3-3")]

if __name__ == "__main__":  # the worker processes import this file
    seeds, steps = (int(word) for word in (sys.argv[1:] + ["6", "2400"][len(sys.argv) - 1 :])[:2])
    knows = {"agent": "bayes-commit", "planner": "rollout"}
    nothing = {"agent": "proagent", "planner": "rollout"}
    egos = {"belief and gate": knows, "nothing": nothing}
    result = crossplay(egos, LOCKED, ["open"], range(FIRST, FIRST + seeds), horizon=steps)
    (lead,) = result.differences()
    interval = "one seed has no interval" if lead["low"] is None else f"95 % [{lead['low']:+.0f}, {lead['high']:+.0f}]"
    print(f"belief and gate − nothing: {lead['mean']:+.0f} points a game, {interval}; documented {DOCUMENTED:+d}")
