"""Puts the environments to the official checkers of PettingZoo and Gymnasium, at every level of action.

pip install 'bba-tui[env]'
python examples/check_environments.py
"""

import warnings

import gymnasium
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import parallel_api_test, parallel_seed_test

from bba import gym_env, parallel_env

LEVELS = ("primitive", "skill", "option")
STEPS = 60

for level in LEVELS:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*render")  # there is nothing to draw
        parallel_api_test(parallel_env("open", level, STEPS), num_cycles=STEPS)
        parallel_api_test(parallel_env("open", level, STEPS, other="bayes"), num_cycles=STEPS)
        parallel_seed_test(lambda level=level: parallel_env("open", level, STEPS), num_cycles=STEPS)
        check_env(gym_env("open", other="bayes", level=level, max_cycles=STEPS), skip_render_check=True)
    print(f"{level}: PettingZoo and Gymnasium have nothing against it")
env = gymnasium.make("bba/Open-v0", other="bayes", level="option", max_cycles=STEPS)
print(f"{env.spec.id}: {env.action_space} actions, {env.observation_space.shape[0]} inputs")
