"""Settings of your own: a kitchen with three pots, thresholds of belief and gate, and what a model is told.

python examples/own_settings.py [PROMPTS]   # a changed copy of the folder configs/prompts; without it, the shipped ones
"""

import sys

from bba import Layout, SeatSpec, measure, play_game

MAP = """
XMZRTXX
B     W
G 1 2 D
P     S
XPPXXUX
"""
PROMPTS = sys.argv[1] if len(sys.argv) > 1 else None

layout = Layout(name="three-pots", map=tuple(MAP.strip().splitlines()), extinguisher=(3, 4), timing={"cooking": 40})
doubting = {"theta_obs": 0.3, "gamma_conf": 0.5, "cooldown": 2}  # `bba-tui watch --help-all` says what each of them is
for name, changes in {"as shipped": {}, "quick to doubt": doubting}.items():
    options = SeatSpec(belief_changes=changes, prompts=PROMPTS)
    trace = play_game(layout, "bayes", "switching", 0, options, horizon=600, fast=False, progress=False)
    found = measure(trace)
    print(f"{name}: {found['replans']} replans, {found['reward']} points")
calls = [call for tick in trace.ticks for call in tick.decisions[0].calls]
print("the model is told:", calls[0].messages[0]["content"].splitlines()[0])
