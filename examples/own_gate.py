"""A trigger of your own beside the gate, on twenty paired seeds: same kitchen, partner and seed.

python examples/own_gate.py
"""

import numpy as np
from scipy import stats

from bba import SeatSpec, measure, play_game


class Doubt:
    """Interrupts the running skill when the belief has been unsure for some steps in a row."""

    def __init__(self, confidence: float = 0.4, patience: int = 5) -> None:
        self.confidence, self.patience, self.unsure = confidence, patience, 0

    def __call__(self, context) -> bool:
        """Returns whether the ego drops its skill now; called once in every step of a running skill."""
        self.unsure = self.unsure + 1 if context.belief.confidence < self.confidence else 0
        return self.unsure >= self.patience


def play(seed: int, options: SeatSpec | None = None) -> dict:
    """Plays one game and measures it."""
    return measure(play_game("ring", "bayes", "switching", seed, options, horizon=300, progress=False))


ours = [play(seed, SeatSpec(trigger=Doubt)) for seed in range(20)]
gate = [play(seed) for seed in range(20)]
difference = np.array([a["reward"] - b["reward"] for a, b in zip(ours, gate, strict=True)])
low, high = stats.ttest_1samp(difference, 0).confidence_interval()
replans = [np.mean([game["replans"] for game in games]) for games in (ours, gate)]
print(f"replans a game: {replans[0]:.1f} with ours, {replans[1]:.1f} with the gate")
print(f"reward, ours − gate: {difference.mean():+.1f} [{low:.1f}, {high:.1f}], {len(difference)} pairs")
