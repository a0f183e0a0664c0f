"""The trainings of ``population``: how partners from nothing choose, for the rollout planner's belief.

Ten members are trained as the partners from nothing are (`bba.learning.recipes.scratch`), with seeds and likings of
their own: each feature is liked, disliked or neither, by chance. None of them is a partner of the evaluation. Each then
plays in the seat that it has learned, beside its own best response, beside another member's and beside one that slips
now and then. One network learns what all of them choose, with an offset for each member and skill, its
log-propensities; without these it is p₀ of `bba.belief.propensities`.

The variance of a skill's log-propensity is that of members whom the network has never seen: it learns from one half of
them, and the offsets of the other half are then fitted to it. Half as many more members count as if each had the mean
variance of all skills.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import nn

from bba.agents import Layers, feasible_mask, forward, masked_softmax
from bba.kitchen import (
    N_FEATURES,
    N_SKILLS,
    SKILL_NAMES,
    TAKING_MEAT,
    TAKING_MUSHROOM,
    TAKING_RICE,
    Float32Array,
    Float64Array,
    Int64Array,
    Layout,
    reachable_features,
)
from bba.learning.partner_model.vae import record_trajectories
from bba.learning.recipes.recipe import PreparedRun, TrainedNetworks, no_evaluation
from bba.learning.recipes.scratch import prepare_pair
from bba.learning.rl.trainer import CurvePoint, PPOConfig, TrainingResult
from bba.learning.rl.vec_env import PolicyPartner, linear_layers

MEMBER = "population-member-"  # how the names of the members begin
MEMBERS = 10
SEED = 7000
LIKED = 20.0  # points per event
DISLIKED = -30.0
CHANCES = (0.3, 0.4, 0.3)  # that a feature is disliked, neither, or liked
SOURCING = (TAKING_MUSHROOM, TAKING_RICE, TAKING_MEAT)  # which are worth half as much, as to the others

SHARED = 1 / 3  # the weight of the mean variance of all skills in that of each
IMPOSSIBLE = -1e9  # the logit of a skill that is not feasible


@dataclass(frozen=True, slots=True)
class PopulationConfig:
    """The parameters of what is learned of a population.

    Attributes:
        games: of each member beside each of three others.
        steps: of a game.
        slips: share of random choices of the third of the others.
        hidden: width of the two hidden layers.
        epochs: passes over the choices.
        minibatch, rate: of the supervised learning; the rate decreases to 0.
        offsets_rate: that of the offsets, with which a member differs sooner than by what it is seen in.
        shrinkage: what a squared log-propensity costs, in nats, so that one that says nothing stays 0.
        fit_steps, fit_rate: of the fit of a member's offsets to a network that has not seen it.
    """

    games: int = 32
    steps: int = 1600
    slips: float = 0.1
    hidden: int = 64
    epochs: int = 20
    minibatch: int = 1024
    rate: float = 1e-3
    offsets_rate: float = 1e-2
    shrinkage: float = 1e-4
    fit_steps: int = 200
    fit_rate: float = 0.05


class MemberChoices(NamedTuple):
    """What the members saw and how they would have chosen: M choices.

    Attributes:
        observations: (M, size).
        blocked: 0 for a feasible skill, `IMPOSSIBLE` for another one, (M, 27).
        targets: each member's own probabilities, (M, 27).
        members: who chose, (M,), counted from 0.
    """

    observations: Float32Array
    blocked: Float32Array
    targets: Float32Array
    members: Int64Array

    def of(self, members: Sequence[int]) -> "MemberChoices":
        """Returns the choices of some members, counted from 0 in their order."""
        chosen = np.isin(self.members, members)
        numbers = np.searchsorted(np.array(members), self.members[chosen])
        return MemberChoices(self.observations[chosen], self.blocked[chosen], self.targets[chosen], numbers)


@dataclass(frozen=True, slots=True)
class PopulationTrainer:
    """Trains the members one after the other, or reads them from complete checkpoints.

    Attributes:
        trainings: of each member.
    """

    trainings: Sequence[Callable[[], TrainingResult]]

    def run(self, report: Callable[[CurvePoint], None] = lambda _: None) -> TrainingResult:
        """Returns the result of the last member, whose curve has a point for each of them."""
        curve: list[CurvePoint] = []
        result = None
        for train_member in self.trainings:
            result = train_member()
            point = result.best
            if curve:
                last = curve[-1]
                point = replace(
                    point,
                    steps=last.steps + point.steps,
                    decisions=last.decisions + point.decisions,
                    seconds=last.seconds + point.seconds,
                )
            curve.append(point)
            report(point)
        assert result is not None
        return replace(result, curve=curve, best=curve[-1], companion=None)


def member_likings(number: int, layout: Layout) -> Float64Array:
    """Returns the value of each feature to a member on a layout, (9,) in points per event."""
    kinds = np.random.default_rng([SEED, number]).choice(len(CHANCES), N_FEATURES, p=CHANCES)
    points = np.array([DISLIKED, 0.0, LIKED])[kinds]
    points[list(SOURCING)] /= 2
    return np.where(reachable_features(layout, 1), points, 0.0)


def prepare_population_member(name: str, layout: Layout, folder: Path, config: PPOConfig, seed: int) -> PreparedRun:  # noqa: ARG001
    """Prepares the training of a member such as ``population-member-3``.

    It has as many steps as a partner, or it would choose less surely than partners do; its own seed, whatever `seed`
    is; and no final evaluation.
    """
    number = int(name.rpartition("-")[2])
    pair = prepare_pair(name, member_likings(number, layout), layout, folder, config, SEED + number)
    return replace(pair, evaluate=no_evaluation)


def prepare_population(name: str, layout: Layout, folder: Path, config: PPOConfig, seed: int) -> PreparedRun:  # noqa: ARG001
    """Prepares what is learned of the members of a population; their checkpoints are in `folder`."""
    trainings = []
    for number in range(MEMBERS):
        trainings.append(partial(train_member, f"{MEMBER}{number}", layout, folder, config))

    def networks(_: Layers) -> TrainedNetworks:
        members = []
        for read_member in trainings:  # they are complete by now
            trained = read_member()
            assert trained.companion is not None
            members.append((trained.policy, trained.companion))
        return distil_population(layout, members, PopulationConfig(), seed)

    return PreparedRun(PopulationTrainer(trainings), networks=networks)


def train_member(name: str, layout: Layout, folder: Path, config: PPOConfig) -> TrainingResult:
    """Trains a member, or continues its training."""
    return prepare_population_member(name, layout, folder, config, 0).trainer.run()


def distil_population(
    layout: Layout, members: Sequence[tuple[Layers, Layers]], config: PopulationConfig, seed: int
) -> TrainedNetworks:
    """Returns the network of a population with its variance, and how near it comes to the members.

    `members` are the policies of each and of its best response.
    """
    torch.manual_seed(seed)
    choices = record_choices(layout, members, config, seed)
    network, offsets = fit_choices(choices, len(members), config, seed)
    own = entropy(choices)
    unseen = log_propensities_of_unseen(choices, len(members), config, seed)
    report = {
        "settings": asdict(config),
        "choices": len(choices.members),
        "entropy": own,
        "divergence": loss_of(network, choices, offsets) - own,
        "divergence_unseen": unseen.divergence,
        "variance": dict(zip(SKILL_NAMES, unseen.variance.tolist(), strict=True)),
    }
    return TrainedNetworks(linear_layers(network), report=report, variance=unseen.variance)


def record_choices(
    layout: Layout, members: Sequence[tuple[Layers, Layers]], config: PopulationConfig, seed: int
) -> MemberChoices:
    """Lets each member play in the second seat, and records its choices."""
    observations = []
    targets = []
    numbers = []
    for number, (policy, response) in enumerate(members):
        others = [
            PolicyPartner(response),
            PolicyPartner(members[(number + 1) % len(members)][1]),
            PolicyPartner(members[(number + 2) % len(members)][1], config.slips),
        ]
        for beside, other in enumerate(others):
            game_seed = int(np.random.SeedSequence([seed, number, beside]).generate_state(1)[0])
            pair = (other, PolicyPartner(policy))
            trajectories = record_trajectories(layout, pair, config.games, config.steps, game_seed)
            for trajectory in trajectories[config.games :]:
                observations.append(trajectory.observations)
                masks = feasible_mask(trajectory.observations)
                targets.append(masked_softmax(forward(policy, trajectory.observations), masks))
                numbers.append(np.full(len(trajectory.observations), number))
    seen = np.concatenate(observations).astype(np.float32)
    blocked = np.where(feasible_mask(seen), 0.0, IMPOSSIBLE).astype(np.float32)
    return MemberChoices(seen, blocked, np.concatenate(targets).astype(np.float32), np.concatenate(numbers))


def fit_choices(
    choices: MemberChoices, members: int, config: PopulationConfig, seed: int
) -> tuple[nn.Sequential, torch.Tensor]:
    """Returns one network for all members, and each member's offsets, (members, 27)."""
    rng = np.random.default_rng(seed)
    hidden = config.hidden
    network = nn.Sequential(
        nn.Linear(choices.observations.shape[1], hidden),
        nn.ReLU(),
        nn.Linear(hidden, hidden),
        nn.ReLU(),
        nn.Linear(hidden, N_SKILLS),
    )
    offsets = nn.Parameter(torch.zeros(members, N_SKILLS))
    groups = [{"params": network.parameters()}, {"params": [offsets], "lr": config.offsets_rate}]
    optimiser = torch.optim.Adam(groups, lr=config.rate)
    batches = max(1, len(choices.members) // config.minibatch)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, config.epochs * batches)
    observations, blocked, targets, numbers = tensors_of(choices)
    for _ in range(config.epochs):
        for part in np.array_split(rng.permutation(len(choices.members)), batches):
            rows = torch.from_numpy(part)
            logits = network(observations[rows]) + blocked[rows] + offsets[numbers[rows]]
            loss = cross_entropy(logits, targets[rows]) + config.shrinkage * (offsets**2).sum()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
    return network, offsets.detach()


class Unseen(NamedTuple):
    """Members whom a network has not seen: the variance of their log-propensities, and how near these come to them."""

    variance: Float32Array  # (27,)
    divergence: float


def log_propensities_of_unseen(choices: MemberChoices, members: int, config: PopulationConfig, seed: int) -> Unseen:
    """Fits the offsets of each half of the members to a network of the other half."""
    halves = list(range(0, members, 2)), list(range(1, members, 2))
    squares = []
    divergences = []
    for seen, unseen in (halves, halves[::-1]):
        network, _ = fit_choices(choices.of(seen), len(seen), config, seed)
        for number in unseen:
            own = choices.of([number])
            offsets = fit_offsets(network, own, config)
            # A constant that is added to all of them changes nothing.
            squares.append((offsets - offsets.mean()).square().numpy()[0])
            divergences.append(loss_of(network, own, offsets) - entropy(own))
    of_skill = np.mean(squares, axis=0)
    variance = (1 - SHARED) * of_skill + SHARED * of_skill.mean()
    return Unseen(variance.astype(np.float32), float(np.mean(divergences)))


def fit_offsets(network: nn.Sequential, choices: MemberChoices, config: PopulationConfig) -> torch.Tensor:
    """Returns the offsets, (1, 27), with which a network comes nearest to one member's choices."""
    observations, blocked, targets, _ = tensors_of(choices)
    with torch.no_grad():
        logits = network(observations) + blocked
    offsets = nn.Parameter(torch.zeros(1, N_SKILLS))
    optimiser = torch.optim.Adam([offsets], lr=config.fit_rate)
    for _ in range(config.fit_steps):
        loss = cross_entropy(logits + offsets, targets) + config.shrinkage * (offsets**2).sum()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return offsets.detach()


def loss_of(network: nn.Sequential, choices: MemberChoices, offsets: torch.Tensor) -> float:
    """Returns the mean cross-entropy of choices to a network with offsets, in nats."""
    observations, blocked, targets, numbers = tensors_of(choices)
    with torch.no_grad():
        return float(cross_entropy(network(observations) + blocked + offsets[numbers], targets))


def entropy(choices: MemberChoices) -> float:
    """Returns the mean entropy of the members' choices, in nats: no network has a lower cross-entropy."""
    probabilities: Float64Array = choices.targets.astype(np.float64)
    logarithms = np.log(np.maximum(probabilities, 1e-12))
    return float(-(probabilities * logarithms).sum(axis=1).mean())


def cross_entropy(logits: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """Returns the mean cross-entropy of (M, 27) targets to (M, 27) logits, in nats."""
    return -(targets * torch.log_softmax(logits, dim=1)).sum(dim=1).mean()


def tensors_of(choices: MemberChoices) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Returns observations, what is blocked, targets and numbers of members as tensors."""
    return (
        torch.from_numpy(choices.observations),
        torch.from_numpy(choices.blocked),
        torch.from_numpy(choices.targets),
        torch.from_numpy(choices.members),
    )
