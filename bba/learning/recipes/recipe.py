"""What a recipe is, the trainer that all recipes share, and the games in which all policies are evaluated.

Behaviour cloning: the common start of all trainings on a layout.

It is a clone of the scripted planner and recorded states. The clone learns from demonstrations: games of the planner
with itself, with some of its choices replaced by random ones. The replacements lead the games through states that the
planner alone would never reach. What the planner would have chosen there is recorded.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from filelock import FileLock
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from bba.agents import (
    AGENT_VARIANTS,
    Clusters,
    Decision,
    Layers,
    Observation,
    PlanningAgent,
    SeatSpec,
    ValueNetwork,
    feasible_mask,
    skill_planner,
)
from bba.kitchen import (
    NO_WEIGHTS,
    BoolArray,
    Float32Array,
    Float64Array,
    Int64Array,
    Layout,
    StateVector,
    constants,
    layout_digest,
)
from bba.kitchen.batch import KitchenBatch
from bba.learning.rl.checkpoint import Checkpoint, read_checkpoint, with_prefix, write_checkpoint
from bba.learning.rl.trainer import (
    HORIZON,
    CurvePoint,
    Evaluate,
    EvaluationScore,
    PPOConfig,
    Trainer,
    TrainingResult,
    config_for,
)
from bba.learning.rl.vec_env import (
    BOTH_SEATS,
    InitialStates,
    KitchenVecEnv,
    PolicyPartner,
    Tensors,
    make_ppo,
    policy_layers,
    repeat_seats,
    with_context_inputs,
)
from bba.play import Game

EXPERT = AGENT_VARIANTS["proagent"]
NOISES = (0.0, 0.1, 0.2, 0.4)  # share of random choices, game by game
STEPS_BETWEEN_STATES = 20  # of the states that training games may start from
DEMONSTRATION_GAMES = 160
EPOCHS = 25
BATCH = 1024
LEARNING_RATE = 1e-3


class _NoisyExpert(PlanningAgent):
    """The expert with some of its choices replaced by random ones; records what the expert chose each time."""

    def __init__(self, noise: float, rng: np.random.Generator) -> None:
        super().__init__(EXPERT, skill_planner(EXPERT.kind, SeatSpec()))
        self._noise = noise
        self._rng = rng
        self.choices: list[tuple[StateVector, int, int]] = []  # state, seat, skill

    def decide(self, observation: Observation) -> Decision:
        decision = super().decide(observation)
        if observation.running != constants.NO_SKILL:
            return decision
        self.choices.append((observation.state, observation.player, decision.skill))
        if self._rng.random() >= self._noise:
            return decision
        return decision._replace(skill=int(self._rng.choice(observation.feasible())))


def record_demonstrations(layout: Layout, games: int, seed: int) -> tuple[Float32Array, Int64Array, StateVector]:
    """Plays games of 2400 steps; returns the observations at all choices, the choices, and every 20th state."""
    observations = []
    skills = []
    states = []
    batch = KitchenBatch(layout, 1)
    for game in range(games):
        rng = np.random.default_rng([seed, game])
        noise = NOISES[game % len(NOISES)]
        first = _NoisyExpert(noise, rng)
        second = _NoisyExpert(noise, rng)
        trace = Game(layout, first, second, seed=int(rng.integers(2**31)), horizon=HORIZON, fast=True).run()
        states.append(np.stack([tick.state for tick in trace.ticks[::STEPS_BETWEEN_STATES]]))
        choices = first.choices + second.choices
        batch.states = np.stack([state for state, _, _ in choices])
        every = np.arange(len(choices))
        observations.append(batch.observe(every)[every, [seat for _, seat, _ in choices]])
        skills.append(np.array([skill for _, _, skill in choices]))
    return np.concatenate(observations), np.concatenate(skills), np.concatenate(states)


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
        "expert": EXPERT.name,
        "games": games,
        "epochs": EPOCHS,
        "hidden": hidden,
        "seed": seed,
    }
    with FileLock(path.with_suffix(".lock")):
        stored = read_checkpoint(path, plan)
        policy = untrained_policy(layout, hidden=hidden, seed=seed)
        if stored is None:
            observations, skills, states = record_demonstrations(layout, games, seed)
            losses = clone_behaviour(policy, observations, skills, EPOCHS, seed)
            arrays = {f"network.{name}": tensor.numpy() for name, tensor in policy.state_dict().items()}
            stored = Checkpoint(arrays | {"rows": states}, {"plan": plan, "losses": losses, "choices": len(skills)})
            write_checkpoint(path, stored)
    network = {name: torch.from_numpy(array) for name, array in with_prefix(stored.arrays, "network.").items()}
    policy.load_state_dict(network)
    return PretrainedBase(network, policy_layers(policy), stored.arrays["rows"])


def clone_behaviour(
    policy: MaskableActorCriticPolicy, observed: Float32Array, chosen: Int64Array, epochs: int, seed: int
) -> list[float]:
    """Trains the policy to choose as in (M, size) observations (M,) skills were chosen.

    Returns:
        Each epoch's mean cross-entropy in nats.
    """
    rng = np.random.default_rng(seed)
    observations = torch.from_numpy(observed)
    skills = torch.from_numpy(chosen)
    masks = feasible_mask(observed)
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


def untrained_policy(layout: Layout, *, hidden: int, seed: int, context_size: int = 0) -> MaskableActorCriticPolicy:
    """Returns a learner's policy with so many inputs beside the observation; its environment is never stepped."""
    partner = PolicyPartner((), context_size=context_size)
    env = KitchenVecEnv(layout, BOTH_SEATS, partner, NO_WEIGHTS, InitialStates(layout), 1, 0)
    return make_ppo(env, hidden=hidden, seed=seed).policy


# games of each kind per evaluation along the learning curve
CURVE_GAMES = 24
CURVE_SEED = 10_000
# games of each kind in the final evaluation: others than along the curve
FINAL_GAMES = 100
FINAL_SEED = 20_000
# as in records
SELF_PLAY = "self-play"
WITH_CLONE = "beside the clone"
WITH_DECODED = "beside decoded partners"


@dataclass(frozen=True, slots=True)
class TrainedNetworks:
    """The networks that are made of a trained policy.

    Attributes:
        policy: the one to be played.
        value: what is still to come; None for none.
        report: measurements for the training's record, JSON-serialisable.
        variance: of a population's log-propensities, (27,); None if it is of none.
    """

    policy: Layers
    value: ValueNetwork | None = None
    report: Mapping[str, Any] = field(default_factory=dict)
    variance: Float32Array | None = None


def no_evaluation(_: Layers) -> dict[str, EvaluationScore]:
    """Returns no scores: the policy only serves the training of others."""
    return {}


class Training(Protocol):
    """What trains a policy to the end: `Trainer` and others."""

    def run(self, report: Callable[[CurvePoint], None] = ...) -> TrainingResult:
        """Returns the result; `report` is called with each new point of the curve."""


@dataclass(frozen=True, slots=True)
class PreparedRun:
    """A training that is ready to start.

    Attributes:
        trainer: trains the policy.
        weights: value of each of the nine features to the policy, (9,) in points per event.
        evaluate: the final evaluation, in games by which the best policy was not chosen; scores by kind of game. By
            default there is none.
        clusters: the clusters of partners that the policy is told of; None for none.
        partners: what was learned about partners before, JSON-serialisable.
        networks: makes the networks to be played of the best policy; by default it is played itself.
        shaping: what each feature was worth beside these weights at the start of the training, (9,), fading.
    """

    trainer: Training
    weights: Float64Array = field(default_factory=NO_WEIGHTS.copy)
    evaluate: Evaluate = no_evaluation
    clusters: Clusters | None = None
    partners: Mapping[str, Any] = field(default_factory=dict)
    networks: Callable[[Layers], TrainedNetworks] = TrainedNetworks
    shaping: Float64Array = field(default_factory=NO_WEIGHTS.copy)


@dataclass(frozen=True, slots=True)
class Recipe:
    """How one kind of policy is trained.

    Attributes:
        names: the policies of this kind.
        prepare: prepares the training of one of them from its name, layout, folder, parameters and seed.
        settings: the parameters for a layout, from those that are asked for.
        needs: the kind whose policies on the same layout have to be trained before; None for none.
        playable: whether its policies can be played; the others serve the training of others and stay checkpoints.
        fits: whether its policies can be trained on a layout.
    """

    names: Sequence[str]
    prepare: Callable[[str, Layout, Path, PPOConfig, int], PreparedRun]
    settings: Callable[[Layout, PPOConfig], PPOConfig] = config_for
    needs: str | None = None
    playable: bool = True
    fits: Callable[[Layout], bool] = lambda _: True


def policy_trainer(
    name: str,
    layout: Layout,
    folder: Path,
    config: PPOConfig,
    seed: int,
    base: PretrainedBase,
    seats: BoolArray,
    partner: PolicyPartner,
    evaluate: Evaluate,
    *,
    weights: Float64Array = NO_WEIGHTS,
    skill_known: float | None = None,
    more: Mapping[str, object] | None = None,
) -> Trainer:
    """Returns the trainer of a policy that starts from the base, to which inputs beside the observation are added.

    Args:
        name: the policy's name.
        layout: the kitchen.
        folder: where the checkpoint is.
        config: the parameters.
        seed: seeds everything random in the training; the base has its own seed.
        base: the common start.
        seats: the learner's in the first games, (M, 2); the next games repeat them.
        partner: who has the other seats.
        evaluate: evaluates a policy after each round.
        weights: value of each of the nine features, (9,) in points per event.
        skill_known: as in `KitchenVecEnv`.
        more: of the training that a checkpoint of another one must not continue, JSON-serialisable.
    """
    learner_seats = repeat_seats(seats, config.games)
    states = InitialStates(layout, recorded=base.states)

    def make_env(round_seed: int, _: float) -> KitchenVecEnv:
        return KitchenVecEnv(layout, learner_seats, partner, weights, states, config.length, round_seed, skill_known)

    context_size = partner.context_size
    if skill_known is not None:
        context_size += constants.N_SKILLS
    return Trainer(
        training_plan(name, layout, config, seed, more or {}),
        make_env,
        evaluate,
        with_context_inputs(base.network, context_size),
        config,
        seed,
        policy_file(folder, name, layout, ".checkpoint"),
    )


def training_plan(
    name: str, layout: Layout, config: PPOConfig, seed: int, more: Mapping[str, object]
) -> dict[str, object]:
    """Returns what is trained and how, `more` with it; a checkpoint of another plan is refused."""
    plan = {"policy": name, "layout": layout.name, "map": layout_digest(layout), "seed": seed, **more}
    return plan | asdict(config)


def policy_file(folder: Path, name: str, layout: Layout, suffix: str) -> Path:
    """Returns the path of one of a policy's files, such as ``bp-G1-1-open.checkpoint``."""
    return folder / f"{name.replace(':', '-')}-{layout.name}{suffix}"
