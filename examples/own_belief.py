"""A belief of your own, a particle filter, compared with the built-in one on recorded games; then an agent plays by it.

python examples/own_belief.py [FOLDER]   # with recordings (.bba) or of a study; without it four games are played
"""

import sys

import numpy as np

from bba import ROLE_NAMES, SeatSpec, evaluate_belief, measure, play_game


class Particles:
    """Each particle is a role that the partner may have; now and then it is another one."""

    def __init__(self, particles: int = 1000, change: float = 0.02) -> None:
        self.particles, self.change = particles, change

    def reset(self, context) -> None:
        """Begins a game: the context knows the kitchen, and how likely an action is under each role."""
        self.context, self.rng = context, np.random.default_rng(context.seed)
        self.roles = self.rng.integers(len(ROLE_NAMES), size=self.particles)

    def observe(self, before, state) -> np.ndarray:
        """Takes in the partner's last action; returns the probability of each role."""
        if before is not None:
            changed = self.rng.random(self.particles) < self.change
            self.roles[changed] = self.rng.integers(len(ROLE_NAMES), size=changed.sum())
            weights = self.context.role_likelihoods(before, state)[self.roles]
            self.roles = self.rng.choice(self.roles, self.particles, p=weights / weights.sum())
        shares = np.bincount(self.roles, minlength=len(ROLE_NAMES)) + 1
        return shares / shares.sum()


games = sys.argv[1:] or [play_game("ring", partner="switching", seed=seed, horizon=400) for seed in range(4)]
beliefs = [evaluate_belief(model, games) for model in (None, Particles)]
for belief in sorted(beliefs, key=lambda found: found.log_loss):
    print(f"{belief.name}: log loss {belief.log_loss:.2f}, right in {belief.accuracy:.0%} of {belief.steps} steps")
trace = play_game("ring", "bayes", "switching", 9, SeatSpec(partner_model=Particles), horizon=400)
print(f"an agent that goes by it: {measure(trace)['replans']} replans, {trace.score} points")
