"""Generalised advantages over decisions of unequal length, compared with an example computed by hand."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch
from gymnasium.spaces import Box, Discrete

from bba.learning.rl.vec_env import SMDPRolloutBuffer

GAMMA, LAM = 0.9, 0.5


def filled_buffer(rewards, values, durations, starts):
    """A rollout of one column."""
    n = len(rewards)
    buffer = SMDPRolloutBuffer(
        n, Box(0, 1, (1,)), Discrete(2), gamma=GAMMA, gae_lambda=LAM, n_envs=1, env=SimpleNamespace(durations=None)
    )
    for t in range(n):
        buffer.env.durations = np.array([durations[t]])
        buffer.add(
            np.zeros((1, 1)),
            np.zeros((1, 1)),
            np.array([rewards[t]]),
            np.array([starts[t]]),
            torch.tensor([values[t]]),
            torch.zeros(1),
            action_masks=np.ones((1, 2)),
        )
    return buffer


def test_the_discount_applies_once_per_step_of_a_decision():
    buffer = filled_buffer(
        rewards=[1.0, 2.0, 3.0], values=[0.5, 1.0, 2.0], durations=[2, 0, 3], starts=[True, False, False]
    )
    buffer.compute_returns_and_advantage(torch.tensor([4.0]), np.array([False]))
    third = 3 + 0.9**3 * 4 - 2
    second = (2 + 1 * 2 - 1) + 1 * LAM * third
    first = (1 + 0.9**2 * 1 - 0.5) + 0.9**2 * LAM * second
    assert buffer.advantages[:, 0] == pytest.approx([first, second, third])
    assert buffer.returns[:, 0] == pytest.approx([first + 0.5, second + 1, third + 2])


def test_no_advantage_crosses_the_end_of_a_game():
    buffer = filled_buffer(rewards=[1.0, 2.0], values=[0.5, 1.0], durations=[2, 2], starts=[True, True])
    buffer.compute_returns_and_advantage(torch.tensor([4.0]), np.array([True]))
    assert buffer.advantages[:, 0] == pytest.approx([1 - 0.5, 2 - 1])
