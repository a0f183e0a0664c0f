"""The training of the rollout planner's networks: a policy by reinforcement learning, then two small networks.

The policy starts from the clone of the scripted planner and learns from the team's reward alone, half of the time with
itself and half with the clone. In half of the games it sees which skill the other cook runs, so that it knows what to
do with such knowledge, and without. None of the twelve partners of the evaluation takes part, and no game of the
evaluation's seeds is played.

Then the policy plays with itself and shows what it chooses in which situation and what reward follows: the behaviour
network learns the one, the value network the other. They are small, and with rectified linear units, because the
rollout planner evaluates them in every future (`bba.planner.rollout.networks`).
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import nn

from bba.agents import Activation, Layers, Mask, ValueNetwork, feasible_mask, forward, masked_softmax, relu
from bba.kitchen import NO_WEIGHTS, SKILL, STEP, Float32Array, Float64Array, Int64Array, Layout
from bba.kitchen.batch import NO_CHOICE, KitchenBatch, SpanTotals
from bba.learning.recipes.cooperators import HALF_SELF_PLAY
from bba.learning.recipes.recipe import (
    CURVE_GAMES,
    CURVE_SEED,
    FINAL_GAMES,
    FINAL_SEED,
    SELF_PLAY,
    WITH_CLONE,
    PreparedRun,
    TrainedNetworks,
    policy_trainer,
    pretrained_base,
)
from bba.learning.rl.trainer import EvaluationScore, PPOConfig, evaluate_policy
from bba.learning.rl.vec_env import InitialStates, PolicyPartner, linear_layers, with_skill

VALUE_SCALE = 100.0  # points
SKILL_KNOWN = 0.5  # share of games, and of situations, in which it is seen which skill the other cook runs
Loss = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]  # of outputs (M, n) and the rows (M,) that they are for


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
        behaviour_epochs, value_epochs: passes over the situations.
        minibatch, rate: of the supervised learning; the rate decreases to 0.
        held_out: share of the games on which the networks are evaluated.
    """

    games: int = 2560
    steps: int = 1600
    every: int = 20
    noise: float = 0.1
    discount: float = 0.997
    hidden: int = 64
    behaviour_epochs: int = 40
    value_epochs: int = 12
    minibatch: int = 1024
    rate: float = 1e-3
    held_out: float = 0.1


class Situations(NamedTuple):
    """What the policy saw and what it got: N situations.

    Attributes:
        observations: of both players, (N, 2, size).
        skills: that they run, (N, 2); NO_SKILL for none.
        returns: the team's discounted reward from then on, in points, (N,).
        game: number of the game, (N,).
    """

    observations: Float32Array
    skills: Int64Array
    returns: Float64Array
    game: Int64Array


def distil_networks(policy: Layers, layout: Layout, config: DistillationConfig, seed: int) -> TrainedNetworks:
    """Returns the two networks that a policy's games teach, with their quality on games held out."""
    situations = record_situations(layout, policy, config, seed)
    behaviour, behaviour_quality = fit_behaviour(situations, policy, config, seed)
    value, value_quality = fit_value(situations, config, seed)
    report = {"settings": asdict(config), "behaviour": behaviour_quality, "value": value_quality}
    return TrainedNetworks(behaviour, ValueNetwork(value, config.discount, VALUE_SCALE), report)


def record_situations(layout: Layout, policy: Layers, config: DistillationConfig, seed: int) -> Situations:
    """Lets a policy play with itself, and records what it sees and what reward follows."""
    rng = np.random.default_rng(seed)
    batch = KitchenBatch(layout, config.games)
    initial_states = InitialStates(layout)
    batch.states[:] = [initial_states.sample(rng) for _ in range(config.games)]
    exact = PolicyPartner(policy)
    noisy = PolicyPartner(policy, config.noise)
    skill_known = np.arange(config.games) // 2 % 2 == 0
    seen = []
    skills = []
    rewards = []
    for end in range(config.every, config.steps + 1, config.every):
        seen.append(batch.observe())
        skills.append(batch.runs[:, :, SKILL].astype(np.int64))
        totals = SpanTotals.zeros(config.games)
        until = np.full(config.games, end, np.int32)
        while True:
            unfinished = batch.states[:, STEP] < until
            if not unfinished.any():
                break
            choices = np.full((config.games, 2), NO_CHOICE, np.int32)
            games, seats = np.nonzero(batch.waiting & unfinished[:, None])
            if len(games):
                observed = batch.observe(games)[np.arange(len(games)), seats]
                skill = with_skill(batch.runs[games, 1 - seats, SKILL], skill_known[games])
                inputs = np.concatenate([observed, skill], axis=1)
                masks = feasible_mask(observed)
                exact_choices = exact.choose(games, inputs, masks, rng)
                noisy_choices = noisy.choose(games, inputs, masks, rng)
                choices[games, seats] = np.where(games % 2 == 0, exact_choices, noisy_choices)
            batch.play_until_choice(choices, until, totals)
        rewards.append(totals.rewards)
    rewards_by_time = np.stack(rewards).astype(np.float64)
    return with_returns(np.stack(seen), np.stack(skills), rewards_by_time, config)


def with_returns(
    seen: Float32Array, skills: Int64Array, rewards: Float64Array, config: DistillationConfig
) -> Situations:
    """Returns the situations of the games' first halves with their returns.

    Args:
        seen: observations at T times, (T, games, 2, size).
        skills: that both players run then, (T, games, 2).
        rewards: from each of these times to the next, (T, games).
        config: the parameters.
    """
    discount = config.discount**config.every
    returns = np.zeros_like(rewards)
    rest = np.full(rewards.shape[1], rewards.mean() / (1 - discount))  # what is expected after the end
    for t in reversed(range(len(rewards))):
        rest = rewards[t] + discount * rest
        returns[t] = rest
    used = len(rewards) // 2
    games = np.arange(rewards.shape[1])
    return Situations(
        seen[:used].reshape(-1, *seen.shape[2:]),
        skills[:used].reshape(-1, 2),
        returns[:used].reshape(-1),
        np.tile(games, used),
    )


def fit_behaviour(
    situations: Situations, policy: Layers, config: DistillationConfig, seed: int
) -> tuple[Layers, dict[str, float]]:
    """Returns a small network that chooses as a policy does, and how near it comes on the games held out.

    The quality is the mean divergence from the policy's probabilities in nats, and the share of situations in which
    both find the same skill likeliest.
    """
    seen = situations.observations.reshape(-1, situations.observations.shape[2])
    skill_known = np.random.default_rng([seed, 1]).random(len(seen)) < SKILL_KNOWN
    partner_skills = situations.skills[:, ::-1].reshape(-1)
    observations = np.concatenate([seen, with_skill(partner_skills, skill_known)], axis=1)
    masks: Mask = feasible_mask(seen)
    targets = torch.from_numpy(masked_softmax(forward(policy, observations), masks))
    blocked = torch.from_numpy(np.where(masks, 0, -1e9).astype(np.float32))

    def loss(outputs: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
        return -(targets[rows] * torch.log_softmax(outputs + blocked[rows], dim=1)).sum(dim=1).mean()

    games = np.repeat(situations.game, 2)
    network, held_out = _fit(observations, games, targets.shape[1], loss, config, config.behaviour_epochs, seed)
    rows = torch.from_numpy(np.flatnonzero(held_out))
    with torch.no_grad():
        outputs = network(torch.from_numpy(observations[held_out]))
        target = targets[rows]
        entropy = -(target * torch.log(target.clamp_min(1e-12))).sum(dim=1).mean()
        same = (outputs + blocked[rows]).argmax(dim=1) == target.argmax(dim=1)
        quality = {"divergence": float(loss(outputs, rows) - entropy), "same_choice": float(same.float().mean())}
    return linear_layers(network), quality


def fit_value(situations: Situations, config: DistillationConfig, seed: int) -> tuple[Layers, dict[str, float]]:
    """Returns a small network that predicts returns from player 0's observation, and its R² on the games held out.

    Where all returns that are held out are the same there is none: it is 0.
    """
    observations = situations.observations[:, 0]
    returns = torch.from_numpy((situations.returns / VALUE_SCALE).astype(np.float32))

    def loss(outputs: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
        return nn.functional.mse_loss(outputs[:, 0], returns[rows])

    network, held_out = _fit(observations, situations.game, 1, loss, config, config.value_epochs, seed)
    with torch.no_grad():
        predicted = network(torch.from_numpy(observations[held_out]))[:, 0].numpy()
    truth = returns.numpy()[held_out]
    variance = truth.var()
    r2 = 0.0
    if variance:
        r2 = float(1 - ((predicted - truth) ** 2).mean() / variance)
    return linear_layers(network), {"r2": r2}


def _fit(
    observations: Float32Array,
    games: Int64Array,
    outputs: int,
    loss: Loss,
    config: DistillationConfig,
    epochs: int,
    seed: int,
) -> tuple[nn.Sequential, Mask]:
    """Returns a network fitted to all but the games held out, and which rows those are."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    held_out: Mask = (rng.random(games.max() + 1) < config.held_out)[games]
    size = observations.shape[1]
    hidden = config.hidden
    network = nn.Sequential(
        nn.Linear(size, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, outputs)
    )
    inputs = torch.from_numpy(observations)
    training = np.flatnonzero(~held_out)
    optimiser = torch.optim.Adam(network.parameters(), lr=config.rate)
    batches = max(1, len(training) // config.minibatch)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, epochs * batches)
    for _ in range(epochs):
        for part in np.array_split(rng.permutation(training), batches):
            rows = torch.from_numpy(part)
            optimiser.zero_grad()
            loss(network(inputs[rows]), rows).backward()
            optimiser.step()
            schedule.step()
    return network, held_out


def prepare_planner(name: str, layout: Layout, folder: Path, config: PPOConfig, seed: int) -> PreparedRun:
    """Prepares the training of the rollout planner's networks; its checkpoint and its base are in `folder`."""
    base = pretrained_base(layout, folder, hidden=config.hidden)
    clone = PolicyPartner(base.clone)
    evaluate = partial(policy_scores, layout=layout, clone=clone, games=CURVE_GAMES, seed=CURVE_SEED)
    trainer = policy_trainer(
        name,
        layout,
        folder,
        config,
        seed,
        base,
        HALF_SELF_PLAY,
        clone,
        evaluate,
        skill_known=SKILL_KNOWN,
        more={"skill_known": SKILL_KNOWN},
    )
    networks = partial(distil_networks, layout=layout, config=DistillationConfig(), seed=seed)
    scores = partial(policy_scores, layout=layout, clone=None, games=FINAL_GAMES, seed=FINAL_SEED, activation=relu)
    return PreparedRun(trainer, networks=networks, evaluate=scores)


def policy_scores(
    policy: Layers,
    layout: Layout,
    clone: PolicyPartner | None,
    games: int,
    seed: int,
    activation: Activation = np.tanh,
) -> dict[str, EvaluationScore]:
    """Evaluates a policy that sees the other cook's skill, and one that does not, with itself and with the clone."""
    partners: dict[str, PolicyPartner | None] = {SELF_PLAY: None}
    if clone:
        partners[WITH_CLONE] = clone
    scores = {}
    for kind, partner in partners.items():
        scores[kind] = evaluate_policy(policy, layout, partner, NO_WEIGHTS, games, seed, activation, 1.0)
        scores[f"{kind}, skill unknown"] = evaluate_policy(
            policy, layout, partner, NO_WEIGHTS, games, seed, activation, 0.0
        )
    return scores
