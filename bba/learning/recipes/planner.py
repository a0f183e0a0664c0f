"""The training of the rollout planner's networks: a policy by reinforcement learning, then two small networks.

The policy starts from the clone of the scripted planner and learns from the team's reward alone, half of the time with
itself and half with the clone. In its games with itself it shows what it chooses in which situation and what reward
follows; the behaviour network learns the one, the value network the other. None of the twelve partners of the
evaluation takes part, and no game of the evaluation's seeds is played.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from bba.agents.learned.policy import Layers, forward, masked_softmax
from bba.kitchen.batch import KitchenBatch
from bba.kitchen.layout import Layout
from bba.kitchen.observation import Float32Array
from bba.kitchen.skill_stepping import NO_CHOICE, SkillStepper, SpanTotals
from bba.kitchen.state import STEP
from bba.learning.recipes.population import EpsilonPolicy
from bba.learning.rl.fixed_partners import PolicyPartner, feasible_masks
from bba.learning.rl.vec_env import InitialStates

VALUE_SCALE = 100.0  # points


@dataclass(frozen=True, slots=True)
class DistillationConfig:
    """The parameters of the second part of the training.

    Attributes:
        games: number of games that are played side by side.
        steps: kitchen steps of a game; states from its first half are used, so that a return is nearly complete.
        every: steps between two states.
        noise: share of random choices in half of the games, so that the networks know bad situations, too.
        discount: per step, of the returns.
        hidden: width of the two hidden layers.
        epochs, minibatch, rate: of the supervised learning.
        held_out: share of the games on which the networks are evaluated.
    """

    games: int = 512
    steps: int = 1600
    every: int = 10
    noise: float = 0.1
    discount: float = 0.997
    hidden: int = 64
    epochs: int = 12
    minibatch: int = 1024
    rate: float = 1e-3
    held_out: float = 0.1


class Situations(NamedTuple):
    """What the policy saw, chose and got: N situations.

    Attributes:
        observations: of the players, (N, 2, size).
        returns: the team's discounted reward from then on, in points, (N,).
        game: number of the game, (N,).
    """

    observations: Float32Array
    returns: NDArray[np.float64]
    game: NDArray[np.int64]


def record_situations(layout: Layout, policy: Layers, config: DistillationConfig, seed: int) -> Situations:
    """Lets a policy play with itself, and records what it sees and what reward follows."""
    rng = np.random.default_rng(seed)
    batch, initial_states = KitchenBatch(layout, config.games), InitialStates(layout)
    for i in range(config.games):
        batch.states[i] = initial_states.sample(rng)
    noisy = np.arange(config.games) % 2 == 1
    players = PolicyPartner(policy), EpsilonPolicy(policy, config.noise)
    advance, span = SkillStepper(batch), SpanTotals(config.games)
    seen, rewards = [], []
    for end in range(config.every, config.steps + 1, config.every):
        seen.append(batch.observe())
        span.clear()
        until = np.full(config.games, end, np.int32)
        while (batch.states[:, STEP] < until).any():
            games, seats = np.nonzero(batch.waiting & (batch.states[:, STEP] < until)[:, None])
            choices = np.full((config.games, 2), NO_CHOICE, np.int32)
            if len(games):
                observed = batch.observe(games)[np.arange(len(games)), seats]
                masks = feasible_masks(observed)
                for player, mine in zip(players, (~noisy[games], noisy[games]), strict=True):
                    if mine.any():
                        choices[games[mine], seats[mine]] = player.choose(games[mine], observed[mine], masks[mine], rng)
            advance(choices, until, span)
        rewards.append(span.rewards.copy())
    return _situations(np.stack(seen), np.stack(rewards).astype(np.float64), config)


def _situations(seen: Float32Array, rewards: NDArray[np.float64], config: DistillationConfig) -> Situations:
    """Returns the situations of the first halves; `seen` (T, games, 2, size), `rewards` (T, games)."""
    discount = config.discount**config.every
    returns = np.zeros_like(rewards)
    rest = rewards.mean() / (1 - discount) * np.ones(rewards.shape[1])  # what is expected after the end
    for t in reversed(range(len(rewards))):
        rest = rewards[t] + discount * rest
        returns[t] = rest
    used = len(rewards) // 2
    games = np.broadcast_to(np.arange(rewards.shape[1]), (used, rewards.shape[1]))
    return Situations(
        seen[:used].reshape(-1, *seen.shape[2:]), returns[:used].reshape(-1), np.ascontiguousarray(games).reshape(-1)
    )


def distil_behaviour(
    situations: Situations, policy: Layers, config: DistillationConfig, seed: int
) -> tuple[Layers, dict[str, float]]:
    """Returns a small network that chooses as the policy does, and how near it comes on the games held out."""
    observations = situations.observations.reshape(-1, situations.observations.shape[2])
    games = np.repeat(situations.game, 2)
    masks = feasible_masks(observations)
    wanted = torch.from_numpy(masked_softmax(forward(policy, observations), masks))
    blocked = torch.from_numpy(np.where(masks, 0, -1e9).astype(np.float32))

    def loss(outputs: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
        chosen = torch.log_softmax(outputs + blocked[rows], dim=1)
        return -(wanted[rows] * chosen).sum(dim=1).mean()

    network, held_out = _fit(observations, games, wanted.shape[1], loss, config, seed)
    with torch.no_grad():
        rows = torch.from_numpy(np.flatnonzero(held_out))
        outputs = network(torch.from_numpy(observations)[rows])
        chosen = torch.log_softmax(outputs + blocked[rows], dim=1)
        target = wanted[rows]
        entropy = -(target * torch.log(target.clamp_min(1e-12))).sum(dim=1).mean()
        same = (chosen.argmax(dim=1) == target.argmax(dim=1)).float().mean()
        divergence = loss(outputs, rows) - entropy
    return _layers(network), {"divergence": float(divergence), "same_choice": float(same)}


def fit_value(situations: Situations, config: DistillationConfig, seed: int) -> tuple[Layers, dict[str, float]]:
    """Returns a small network that predicts returns, and its R² on the games held out."""
    observations = situations.observations[:, 0]
    wanted = torch.from_numpy((situations.returns / VALUE_SCALE).astype(np.float32))

    def loss(outputs: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
        return nn.functional.mse_loss(outputs[:, 0], wanted[rows])

    network, held_out = _fit(observations, situations.game, 1, loss, config, seed)
    with torch.no_grad():
        predicted = network(torch.from_numpy(observations[held_out]))[:, 0].numpy()
    truth = wanted.numpy()[held_out]
    return _layers(network), {"r2": float(1 - ((predicted - truth) ** 2).mean() / truth.var())}


def _fit(observations, games, outputs, loss, config, seed):  # type: ignore[no-untyped-def]
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    held_out = (rng.random(games.max() + 1) < config.held_out)[games]
    size, hidden = observations.shape[1], config.hidden
    network = nn.Sequential(
        nn.Linear(size, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, outputs)
    )
    inputs, training = torch.from_numpy(observations), np.flatnonzero(~held_out)
    steps = config.epochs * (len(training) // config.minibatch)
    optimiser = torch.optim.Adam(network.parameters(), lr=config.rate)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps)
    for _ in range(config.epochs):
        order = rng.permutation(training)
        for start in range(0, len(order) - config.minibatch + 1, config.minibatch):
            rows = torch.from_numpy(order[start : start + config.minibatch])
            optimiser.zero_grad()
            loss(network(inputs[rows]), rows).backward()
            optimiser.step()
            schedule.step()
    return network, held_out


def _layers(network: nn.Sequential) -> Layers:
    linear = [module for module in network if isinstance(module, nn.Linear)]
    return tuple((layer.weight.detach().numpy().copy(), layer.bias.detach().numpy().copy()) for layer in linear)
