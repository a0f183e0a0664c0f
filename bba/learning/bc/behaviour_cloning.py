"""A policy cloned from the scripted planner's games: where the partners' learning begins."""

import numpy as np
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from bba.learning.bc.demonstrations import Demonstrations
from bba.learning.rl.vec_env import mask_of

BATCH, RATE = 1024, 1e-3


def clone_behaviour(policy: MaskableActorCriticPolicy, shown: Demonstrations, epochs: int, seed: int) -> list[float]:
    """Teach the policy's actor what was shown. Returns each epoch's mean cross-entropy."""
    rng = np.random.default_rng(seed)
    seen, skills = torch.from_numpy(shown.seen), torch.from_numpy(shown.skills)
    masks = mask_of(shown.seen)
    optimiser = torch.optim.Adam(policy.parameters(), lr=RATE)
    losses = []
    for _ in range(epochs):
        order = rng.permutation(len(skills))
        total = 0.0
        for at in range(0, len(order), BATCH):
            some = order[at : at + BATCH]
            distribution = policy.get_distribution(seen[some], action_masks=masks[some])
            loss = -distribution.log_prob(skills[some]).mean()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            total += loss.item() * len(some)
        losses.append(total / len(order))
    return losses
