"""Masked PPO over decisions of unequal length, with stable-baselines3."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import nn

from bba.agents.learned.policy import Layers
from bba.learning.rl.vec_env import KitchenVecEnv

Tensors = dict[str, torch.Tensor]


class SMDPRolloutBuffer(MaskableRolloutBuffer):  # type: ignore[misc]  # no types
    """A rollout buffer for decisions of unequal length: the discount is gamma per kitchen step.

    The value after the end of a game is an exception: stable-baselines3 adds it to the last reward, discounted by one
    step.

    Args:
        env: the environment, from which the decisions' durations are read; the rest as in `MaskableRolloutBuffer`.
    """

    def __init__(self, *args: Any, env: KitchenVecEnv, **kwargs: Any) -> None:
        self.env = env
        super().__init__(*args, **kwargs)

    def reset(self) -> None:
        """Clears the buffer."""
        super().reset()
        self.durations = np.zeros((self.buffer_size, self.n_envs), np.int64)

    def add(self, *args: Any, **kwargs: Any) -> None:
        """Adds one decision per column, and its duration."""
        self.durations[self.pos] = self.env.durations
        super().add(*args, **kwargs)

    def compute_returns_and_advantage(self, last_values: torch.Tensor, dones: NDArray[np.bool_]) -> None:
        """Computes generalised advantages (Schulman et al., 2016) over decisions of unequal length."""
        alive = 1.0 - np.concatenate([self.episode_starts[1:], dones[None].astype(np.float32)])
        next_values = np.concatenate([self.values[1:], last_values.cpu().numpy().reshape(1, -1)])
        discount = alive * self.gamma**self.durations
        td_errors = self.rewards + discount * next_values - self.values
        advantage = np.zeros(self.n_envs, np.float32)
        for t in reversed(range(self.buffer_size)):
            advantage = td_errors[t] + discount[t] * self.gae_lambda * advantage
            self.advantages[t] = advantage
        self.returns = self.advantages + self.values


def make_ppo(env: KitchenVecEnv, *, hidden: int, seed: int, **options: Any) -> MaskablePPO:
    """Returns an untrained learner: two tanh layers for the policy and two separate ones for the value.

    Args:
        env: the environment.
        hidden: width of the layers.
        seed: seeds the network and the sampling.
        options: further arguments of `MaskablePPO`.
    """
    return MaskablePPO(
        "MlpPolicy",
        env,
        rollout_buffer_class=SMDPRolloutBuffer,
        rollout_buffer_kwargs={"env": env},
        policy_kwargs={"net_arch": {"pi": [hidden, hidden], "vf": [hidden, hidden]}, "activation_fn": nn.Tanh},
        seed=seed,
        device="cpu",
        **options,
    )


def is_policy_parameter(name: str) -> bool:
    """Whether a parameter of the learner's network belongs to the policy, not to the value."""
    return "policy_net" in name or "action_net" in name


def policy_layers(policy: MaskableActorCriticPolicy) -> Layers:
    """Returns copies of the policy's layers as NumPy arrays."""
    return linear_layers([*policy.mlp_extractor.policy_net, policy.action_net])


def linear_layers(modules: Iterable[nn.Module]) -> Layers:
    """Returns copies of the linear ones among these modules as NumPy arrays."""
    linear = [module for module in modules if isinstance(module, nn.Linear)]
    return tuple((layer.weight.detach().numpy().copy(), layer.bias.detach().numpy().copy()) for layer in linear)


def with_context_inputs(network: Tensors, context_size: int) -> Tensors:
    """Returns the same network with `context_size` more inputs, whose weights are zero."""
    widened = dict(network)
    for name in ("mlp_extractor.policy_net.0.weight", "mlp_extractor.value_net.0.weight"):
        weight = network[name]
        widened[name] = torch.cat([weight, torch.zeros(len(weight), context_size)], dim=1)
    return widened
