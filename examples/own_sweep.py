"""A sweep with a partner and a kitchen of your own, kept in a folder; its table of pairs, and its games step by step.

python examples/own_sweep.py results/own
"""

import sys
from tempfile import mkdtemp

from bba import Layout, Skill, load_results, run_sweep

MAP = """
XMZRTXX
B     W
G 1 2 D
P     S
XXXUXXX
"""


class Idler:
    """Waits."""

    def reset(self, context) -> None:
        """A game begins."""

    def observe(self, observation) -> None:
        """Sees a step."""

    def decide(self, _observation) -> int:
        """Returns the skill to begin."""
        return int(Skill.STAY)

    def commit(self, observation, decision) -> None:
        """The decision counts now."""


if __name__ == "__main__":  # the worker processes import this file
    folder = sys.argv[1] if len(sys.argv) > 1 else mkdtemp(prefix="bba-own-")
    sweep = {  # as in a file of a sweep, with a class and a kitchen where that has names
        "title": "Beside one who waits",
        "agents": ["bayes", "proagent"],
        "partners": {"idle": [Idler], "switching": ["switching"]},
        "layouts": [Layout(name="galley", map=tuple(MAP.strip().splitlines()), extinguisher=(1, 4))],
        "seeds": 4,
        "horizon": 600,
        "table": {"rows": ["group"], "paired": "all", "means": True},
    }
    run_sweep(sweep, folder, workers=1, recordings=True)
    stored = load_results(folder).sweeps[-1]
    print(stored)
    for trace in stored.traces(ego="bayes", partner="switching", seed=0):
        print("first replans of bayes:", [tick.step for tick in trace.ticks if tick.decisions[0].replanned][:5])
