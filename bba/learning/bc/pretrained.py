"""The common start of all trainings on a layout: a clone of the scripted planner, and recorded states."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from filelock import FileLock
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.utils import set_random_seed

from bba.agents.learned.policy import Layers
from bba.kitchen.layout import Layout, layout_digest
from bba.kitchen.state import StateVector
from bba.learning.bc.demonstrations import EXPERT, Demonstrations, record_demonstrations
from bba.learning.rl.checkpoint import Checkpoint, read_checkpoint, with_prefix, write_checkpoint
from bba.learning.rl.fixed_partners import feasible_masks
from bba.learning.rl.initial_states import InitialStates
from bba.learning.rl.ppo import Tensors, make_ppo, policy_layers
from bba.learning.rl.vec_env import BOTH_SEATS, KitchenVecEnv

DEMONSTRATION_GAMES, EPOCHS = 160, 25
BATCH, LEARNING_RATE = 1024, 1e-3


@dataclass(frozen=True, slots=True)
class PretrainedBase:
    """The common start of all trainings on a layout.

    Attributes:
        network: the learner's network; its policy is cloned, its value untrained.
        clone: the cloned policy's layers.
        states: states of games in progress, (R, …).
    """

    network: Tensors
    clone: Layers
    states: StateVector


def pretrained_base(
    layout: Layout, folder: Path, *, hidden: int, seed: int = 0, games: int = DEMONSTRATION_GAMES
) -> PretrainedBase:
    """Returns the base of a layout from its file in `folder`; the first caller creates it (some minutes).

    Raises:
        BBAError: the file is damaged, or was created with other parameters.
    """
    path = folder / f"base-{layout.name}.safetensors"
    plan = {
        "base": layout.name,
        "map": layout_digest(layout),
        "expert": EXPERT,
        "games": games,
        "epochs": EPOCHS,
        "hidden": hidden,
        "seed": seed,
    }
    with FileLock(path.with_suffix(".lock")):
        stored = read_checkpoint(path, plan)
        if stored is None:
            stored = create_base(plan, layout, hidden, seed, games)
            write_checkpoint(path, stored)
    ppo = make_ppo(placeholder_env(layout), hidden=hidden, seed=seed)
    network = {name: torch.from_numpy(array) for name, array in with_prefix(stored.arrays, "network.").items()}
    ppo.policy.load_state_dict(network)
    return PretrainedBase(network, policy_layers(ppo.policy), stored.arrays["rows"])


def create_base(plan: dict[str, object], layout: Layout, hidden: int, seed: int, games: int) -> Checkpoint:
    """Records demonstrations and clones a policy from them."""
    demonstrations = record_demonstrations(layout, games, seed)
    set_random_seed(seed)
    policy = make_ppo(placeholder_env(layout), hidden=hidden, seed=seed).policy
    losses = clone_behaviour(policy, demonstrations, EPOCHS, seed)
    arrays = {f"network.{name}": tensor.numpy() for name, tensor in policy.state_dict().items()}
    metadata = {"plan": plan, "losses": losses, "choices": len(demonstrations.skills)}
    return Checkpoint(arrays | {"rows": demonstrations.states}, metadata)


def clone_behaviour(
    policy: MaskableActorCriticPolicy, demonstrations: Demonstrations, epochs: int, seed: int
) -> list[float]:
    """Trains the policy to imitate the demonstrations; returns each epoch's mean cross-entropy in nats."""
    rng = np.random.default_rng(seed)
    observations = torch.from_numpy(demonstrations.observations)
    skills = torch.from_numpy(demonstrations.skills)
    masks = feasible_masks(demonstrations.observations)
    optimiser = torch.optim.Adam(policy.parameters(), lr=LEARNING_RATE)
    losses = []
    for _ in range(epochs):
        order = rng.permutation(len(skills))
        total = 0.0
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            distribution = policy.get_distribution(observations[batch], action_masks=masks[batch])
            loss = -distribution.log_prob(skills[batch]).mean()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            total += loss.item() * len(batch)
        losses.append(total / len(order))
    return losses


def placeholder_env(layout: Layout) -> KitchenVecEnv:
    """An environment that is never stepped: a learner reads the sizes of its inputs and outputs from it."""
    return KitchenVecEnv(layout, BOTH_SEATS, None, np.zeros(9), InitialStates(layout), 1, 0)
