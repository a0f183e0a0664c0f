"""Puts the environments to the official checkers of PettingZoo, Gymnasium and, where installed, SB3 and TorchRL.

pip install 'bba-tui[env]' stable-baselines3 torchrl
python examples/check_environments.py
"""

import warnings
from importlib.util import find_spec

import gymnasium
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import parallel_api_test, parallel_seed_test

from bba import gym_env, parallel_env

STEPS = 60

for level in ("primitive", "skill", "option"):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*render")  # there is nothing to draw
        parallel_api_test(parallel_env("open", level, STEPS), num_cycles=STEPS)
        parallel_api_test(parallel_env("open", level, STEPS, other="bayes"), num_cycles=STEPS)
        parallel_seed_test(lambda level=level: parallel_env("open", level, STEPS), num_cycles=STEPS)
        check_env(gym_env("open", other="bayes", level=level, max_cycles=STEPS), skip_render_check=True)
    print(f"{level}: PettingZoo and Gymnasium have nothing against it")
    if find_spec("stable_baselines3"):
        from stable_baselines3.common.env_checker import check_env as check_for_sb3

        check_for_sb3(gym_env("open", other="bayes", level=level, max_cycles=STEPS), skip_render_check=True)
        print(f"{level}: nor has SB3")
    if find_spec("torchrl"):
        from torchrl.envs import GymWrapper, PettingZooWrapper, check_env_specs

        check_env_specs(GymWrapper(gym_env("open", other="bayes", level=level, max_cycles=STEPS)))
        check_env_specs(PettingZooWrapper(parallel_env("open", level, STEPS)))
        print(f"{level}: nor has TorchRL")
env = gymnasium.make("bba/Open-v0", other="bayes", level="option", max_cycles=STEPS)
print(f"{env.spec.id}: {env.action_space} actions, {env.observation_space.shape[0]} inputs")
