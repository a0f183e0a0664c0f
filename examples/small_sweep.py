"""Runs a small sweep from Python and compares agents. Run it again into the same folder: nothing is played twice.

python examples/small_sweep.py results/small
"""

import sys
from collections import defaultdict
from statistics import mean
from tempfile import mkdtemp

from bba import load_sweep, run_sweep


def main() -> None:
    """Plays three agents on one layout, two seeds each."""
    sweep = load_sweep("quick").changed({"layouts": ["open"], "seeds": 2, "horizon": 200})
    folder = sys.argv[1] if len(sys.argv) > 1 else mkdtemp(prefix="bba-sweep-")
    rows = run_sweep(sweep, folder, workers=1)  # a list of dictionaries: pandas.DataFrame(rows) is a table

    by_agent = defaultdict(list)
    for row in rows:
        by_agent[row["agent"]].append(row)
    for agent, games in by_agent.items():
        accuracy = mean(game["skill_accuracy"] for game in games)
        print(f"{agent:16} {len(games)} games, belief right in {accuracy:.0%}")


if __name__ == "__main__":  # the worker processes import this file
    main()
