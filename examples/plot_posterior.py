"""Draws the posterior over the partner's role over time, with the true role below it, into an SVG file.

pip install 'bba-tui[report]'
python examples/plot_posterior.py posterior.svg
"""

import sys
from pathlib import Path
from tempfile import mkdtemp

import matplotlib.pyplot as plt
import numpy as np

from bba import ROLE_NAMES, Game

trace = Game("open", "bayes", "switching", seed=3, horizon=600).run()
steps = np.array([tick.step for tick in trace.ticks])
posterior = np.array([tick.decisions[0].belief.posterior for tick in trace.ticks])  # (steps, 6)
true_role = np.array([tick.role(1) for tick in trace.ticks])  # -1 where the partner's skill has no role
replans = [tick.step for tick in trace.ticks if tick.decisions[0].replanned]

figure, (above, below) = plt.subplots(2, 1, sharex=True, height_ratios=[4, 1], figsize=(9, 4), layout="constrained")
bands = above.stackplot(steps, posterior.T, labels=ROLE_NAMES)
above.vlines(replans, 0, 1, colors="black", linestyles="dotted", label="replan")
above.set(ylabel="posterior", ylim=(0, 1), xlim=(steps[0], steps[-1]))
above.legend(loc="center left", bbox_to_anchor=(1, 0.5))
for role, band in enumerate(bands):
    below.fill_between(steps, 0, 1, where=true_role == role, color=band.get_facecolor()[0], step="mid")
below.set(ylabel="true role", xlabel="step", yticks=[])
file = Path(sys.argv[1] if len(sys.argv) > 1 else mkdtemp(prefix="bba-posterior-"))
file = file / "posterior.svg" if file.is_dir() else file
figure.savefig(file)
print(f"{file}: {len(steps)} steps, {len(replans)} replans")
