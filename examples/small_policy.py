"""A small policy, learned through the environment with NumPy alone: which skills to like, by random search.

python examples/small_policy.py
"""

import numpy as np

from bba import gym_env

env = gym_env("open", "proagent", max_cycles=150)
rng = np.random.default_rng(0)


def play(liking: np.ndarray, seed: int) -> float:
    """Plays a game with the feasible skill that is liked best, again and again; returns what both earned by working.

    Rewards are sparse, so each completed skill of the ego counts a little.
    """
    _, info = env.reset(seed=seed)  # the game of this seed, as everywhere
    over, earned, running = False, 0.0, -1
    while not over:
        possible = np.flatnonzero(info["action_mask"])
        action = running if running in possible else possible[liking[possible].argmax()]
        _, reward, _, over, info = env.step(int(action))
        earned += reward + 0.1 * (running >= 0 and info["skill"] != running)
        running = info["skill"]
    return earned


best = rng.normal(size=27)
score = first = play(best, seed=0)
for _ in range(12):
    changed = best + rng.normal(0, 0.5, 27)
    found = play(changed, seed=0)
    if found > score:
        best, score = changed, found
print(f"from {first:.1f} to {score:.1f} in 12 tries; in an unseen game {play(best, seed=1):.1f}")
