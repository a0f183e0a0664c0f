"""Masked PPO from decision to decision, by stable-baselines3."""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from torch import nn

from bba.learning.rl.vec_env import KitchenVecEnv


class SMDPRolloutBuffer(MaskableRolloutBuffer):  # type: ignore[misc]  # no types
    """A rollout whose decisions take different times: the future is discounted by gamma for every step of the kitchen.

    But for what is beyond a game's end: that the library has added to the last reward, discounted by one step.

    Args:
        games: where the decisions' durations are read, beside what `MaskableRolloutBuffer` takes.
    """

    def __init__(self, *args: Any, games: KitchenVecEnv, **kwargs: Any) -> None:
        self.games = games
        super().__init__(*args, **kwargs)

    def reset(self) -> None:
        """Forget the last rollout."""
        super().reset()
        self.durations = np.zeros((self.buffer_size, self.n_envs), np.int64)

    def add(self, *args: Any, **kwargs: Any) -> None:
        """Take in a decision of every column, and how long it took."""
        self.durations[self.pos] = self.games.durations
        super().add(*args, **kwargs)

    def compute_returns_and_advantage(self, last_values: torch.Tensor, dones: NDArray[np.bool_]) -> None:
        """Generalised advantages (Schulman et al., 2016) over decisions of unequal length."""
        alive = 1.0 - np.concatenate([self.episode_starts[1:], dones[None].astype(np.float32)])
        ahead = np.concatenate([self.values[1:], last_values.cpu().numpy().reshape(1, -1)])
        discount = alive * self.gamma**self.durations
        surprise = self.rewards + discount * ahead - self.values
        running = np.zeros(self.n_envs, np.float32)
        for t in reversed(range(self.buffer_size)):
            running = surprise[t] + discount[t] * self.gae_lambda * running
            self.advantages[t] = running
        self.returns = self.advantages + self.values


def make_ppo(games: KitchenVecEnv, *, hidden: int, seed: int, **settings: Any) -> MaskablePPO:
    """A fresh learner: two tanh layers for the policy and two of its own for the value."""
    return MaskablePPO(
        "MlpPolicy",
        games,
        rollout_buffer_class=SMDPRolloutBuffer,
        rollout_buffer_kwargs={"games": games},
        policy_kwargs={"net_arch": {"pi": [hidden, hidden], "vf": [hidden, hidden]}, "activation_fn": nn.Tanh},
        seed=seed,
        device="cpu",
        **settings,
    )
