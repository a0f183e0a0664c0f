"""Plays the PettingZoo environment with a random policy that respects the action masks.

pip install 'bba-tui[env]'
python examples/random_policy.py
"""

import numpy as np

from bba import parallel_env

rng = np.random.default_rng(0)
env = parallel_env("ring", level="skill", max_cycles=400)
observations, infos = env.reset(seed=0)
total = 0.0

while env.agents:
    actions = {}
    for agent in env.agents:
        running = infos[agent]["skill"]
        feasible = np.flatnonzero(infos[agent]["action_mask"])
        actions[agent] = running if running >= 0 else int(rng.choice(feasible))
    observations, rewards, terminations, truncations, infos = env.step(actions)
    total += rewards["player_0"]  # the reward is the team's: both players get the same

print(f"observations of shape {env.observation_space('player_0').shape}")
print(f"a random policy earned {total:.0f} in {env.max_cycles} steps")
