"""The training of one policy: its parameters, learning curve, rounds of PPO, and its evaluation in whole games.

Each round is followed by an evaluation and a checkpoint. It starts new games, and everything random in it follows from
the training's seed and the round's number. Therefore an interrupted training continues from its last checkpoint exactly
as if it had not been interrupted, and a checkpoint needs to hold only the network, the optimiser and the curve.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from pydantic import TypeAdapter
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import configure
from stable_baselines3.common.utils import set_random_seed

from bba.agents.learned.policy import Activation, Layers, forward
from bba.kitchen import FEATURE_NAMES, Layout, reachable_features
from bba.learning.rl.checkpoint import Arrays, Checkpoint, read_checkpoint, with_prefix, write_checkpoint
from bba.learning.rl.vec_env import (
    ALTERNATING_SEATS,
    BOTH_SEATS,
    InitialStates,
    KitchenVecEnv,
    PolicyPartner,
    Tensors,
    is_policy_parameter,
    make_ppo,
    policy_layers,
    repeat_seats,
    sample_actions,
)

HORIZON = 2400


@dataclass(frozen=True, slots=True)
class EvaluationScore:
    """Means over games of 2400 steps.

    Attributes:
        reward: the team's reward.
        objective: the team's reward plus the weighted features of what the policy did, in points.
        rates: how often the policy did each feature per game, by name; in self-play of both seats together.
    """

    reward: float
    objective: float
    rates: dict[str, float]


def evaluate_policy(
    layers: Layers,
    layout: Layout,
    partner: PolicyPartner | None,
    weights: NDArray[np.floating],
    games: int,
    seed: int,
    activation: Activation = np.tanh,
    skill_known: float | None = None,
    seats: NDArray[np.bool_] | None = None,
) -> EvaluationScore:
    """Plays whole games and returns the means.

    The same seed gives the same initial states, so that policies are compared in the same games.

    Args:
        layers: the policy.
        layout: the kitchen.
        partner: who plays with the policy; None for self-play.
        weights: value of each of the nine features in points, shape (9,).
        games: number of games.
        seed: seeds everything random in them.
        activation: of the policy.
        skill_known: as in `KitchenVecEnv`.
        seats: the policy's in the first games, (M, 2); the next games repeat them. None for the first and the second in
            turn, and both in self-play.
    """
    if seats is None:
        seats = ALTERNATING_SEATS if partner else BOTH_SEATS
    learner_seats = repeat_seats(seats, games)
    env = KitchenVecEnv(layout, learner_seats, partner, weights, InitialStates(layout), HORIZON, seed, skill_known)
    rng = np.random.default_rng([seed, 1])
    observations = env.reset()
    rewards = np.zeros(games)
    counts = np.zeros((games, len(weights)))
    unfinished = np.ones(games, np.bool_)
    while unfinished.any():
        actions = sample_actions(forward(layers, observations, activation), env.action_masks(), rng)
        observations, _, dones, _ = env.step(actions)
        ended = dones & unfinished
        rewards[ended] = env.team_rewards[ended]
        counts[ended] = (env.feature_counts * learner_seats[:, :, None]).sum(axis=1)[ended]
        unfinished &= ~dones
    objective = rewards + counts @ np.asarray(weights)
    rates = dict(zip(FEATURE_NAMES, counts.mean(axis=0).round(3).tolist(), strict=True))
    return EvaluationScore(float(rewards.mean()), float(objective.mean()), rates)


def evaluate_beside(
    layers: Layers,
    layout: Layout,
    partners: Mapping[str, PolicyPartner | None],
    weights: NDArray[np.floating],
    games: int,
    seed: int,
) -> dict[str, EvaluationScore]:
    """Evaluates a policy beside each of these partners, by name; None for self-play."""
    return {name: evaluate_policy(layers, layout, partners[name], weights, games, seed) for name in partners}


BEST_AFTER = 0.5  # share of the steps after which the best policy is chosen: earlier ones still resemble the clone
EARLY = 0.2  # share of the steps after which the early policy is taken
STATISTICS = ("entropy_loss", "approx_kl", "clip_fraction", "explained_variance")  # of PPO, kept in the curve

Evaluate = Callable[[Layers], dict[str, EvaluationScore]]
MakeEnv = Callable[[int, float], KitchenVecEnv]  # from a seed and the share of the training that is over, 0 to 1


@dataclass(frozen=True, slots=True)
class PPOConfig:
    """The parameters of a PPO training. The preprint's values, if they differ, are in brackets.

    Attributes:
        steps: kitchen steps to train on, in all games together, rounded up to whole rounds (3 million).
        games: number of games that are played side by side.
        length: kitchen steps of a training game.
        rollout: decisions per game between two updates; an update has `games` times that many samples (8192).
        minibatch: samples per gradient step (768).
        epochs: passes over the samples of an update.
        rate: learning rate at the start; it decreases linearly to a tenth (5e-5).
        gamma: discount per kitchen step (0.999).
        lam: λ of the generalised advantage, per decision (0.999).
        clip: clip range of the probability ratio (0.2).
        entropy: coefficient of the policy's entropy (0.02).
        hidden: width of the two hidden layers.
        updates: updates per round; each round ends with an evaluation and a checkpoint.
        critic_first: rounds at the start that train the value only, so that an untrained value does not spoil the
            cloned policy.
    """

    steps: int = 3_000_000
    games: int = 256
    length: int = 600
    rollout: int = 32
    minibatch: int = 1024
    epochs: int = 4
    rate: float = 1e-3
    gamma: float = 0.997
    lam: float = 0.9
    clip: float = 0.2
    entropy: float = 0.003
    hidden: int = 128
    updates: int = 4
    critic_first: int = 1


def config_for(layout: Layout, config: PPOConfig) -> PPOConfig:
    """Returns the parameters for a layout: longer horizons and a lower learning rate if the map divides the work.

    On such a map a cook often has nothing to do, and each idle step is a decision: on `forced_coordination` a decision
    lasts 3 steps, not 10. With the discount and the λ of the other maps, a policy that dislikes plating learns there
    that delivering never pays.
    """
    divided = not (reachable_features(layout, 0) & reachable_features(layout, 1)).all()
    return replace(config, rate=5e-4, gamma=0.999, lam=0.98) if divided else config


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The evaluation after a round.

    Attributes:
        steps: kitchen steps so far.
        decisions: samples so far.
        seconds: time spent training so far, interruptions not counted.
        objective: the value by which the best policy is chosen, in points per game.
        scores: the evaluations, by name, such as "self-play".
        learning: statistics of PPO's last update: entropy_loss, approx_kl, clip_fraction, explained_variance.
    """

    steps: int
    decisions: int
    seconds: float
    objective: float
    scores: dict[str, EvaluationScore]
    learning: dict[str, float]


def best_point(curve: Sequence[CurvePoint], config: PPOConfig) -> CurvePoint | None:
    """Returns the first of the points with the highest objective; None if no point qualifies yet.

    A point qualifies after `BEST_AFTER` of the steps, and only if the policy has been trained, not just the value.
    """
    value_only = config.critic_first * config.updates * config.rollout * config.games
    qualified = []
    for point in curve:
        if point.steps >= BEST_AFTER * config.steps and point.decisions > value_only:
            qualified.append(point)
    return max(qualified, key=lambda point: point.objective, default=None)


CURVE_POINTS = TypeAdapter(tuple[CurvePoint, ...])  # of a checkpoint


@dataclass(frozen=True, slots=True)
class TrainingResult:
    """The result of a training.

    Attributes:
        policy: the best policy.
        early: the policy after a fifth of the training.
        best: the point of the curve at which the best policy was kept.
        curve: all points.
        companion: the other policy that was kept with the best one; None for none.
    """

    policy: Layers
    early: Layers
    best: CurvePoint
    curve: list[CurvePoint]
    companion: Layers | None = None


class Trainer:
    """Trains one policy.

    Args:
        plan: what is trained and how, JSON-serialisable; a checkpoint of another plan is refused.
        make_env: creates the environment of a round from its seed and the share of the training that is over.
        evaluate: evaluates a policy; the mean of its scores' objectives is the objective.
        network: the network to start from; None for a random one.
        config: the parameters.
        seed: seeds everything random in the training.
        checkpoint: the file to continue from and to write after each round; None for none.
        companion: returns another policy, which is kept with the best one; None for none.

    Raises:
        BBAError: the checkpoint is damaged, or belongs to another plan.
    """

    def __init__(
        self,
        plan: dict[str, Any],
        make_env: MakeEnv,
        evaluate: Evaluate,
        network: Tensors | None,
        config: PPOConfig,
        seed: int,
        checkpoint: Path | None,
        companion: Callable[[], Layers] | None = None,
    ) -> None:
        self._plan = plan
        self._make_env = make_env
        self._evaluate = evaluate
        self._config = config
        self._seed = seed
        self._checkpoint = checkpoint
        self._companion = companion
        # steps, decisions, seconds
        self._round = 0
        self._totals = (0, 0, 0.0)
        self._curve: list[CurvePoint] = []
        set_random_seed(seed)
        self._ppo = self._make_ppo()
        if network is not None:
            self._ppo.policy.load_state_dict(network, strict=True)
        self._kept = {"best": self.policy, "early": self.policy}
        if companion is not None:
            self._kept["companion"] = companion()
        self._resume()

    def run(self, report: Callable[[CurvePoint], None] = lambda _: None) -> TrainingResult:
        """Trains to the end and returns the result; `report` is called with each new point."""
        self.begin(report)
        while not self.over:
            self.advance(report)
        return self.result

    @property
    def policy(self) -> Layers:
        """The policy as it is now."""
        return policy_layers(self._ppo.policy)

    @property
    def rounds(self) -> int:
        """The number of rounds that are over."""
        return self._round

    @property
    def over(self) -> bool:
        """Whether it has trained for all steps."""
        return self._totals[0] >= self._config.steps and self._round > self._config.critic_first

    @property
    def result(self) -> TrainingResult:
        """The best policy so far, with the curve."""
        best = best_point(self._curve, self._config) or self._curve[-1]
        return TrainingResult(
            self._kept["best"], self._kept["early"], best, list(self._curve), self._kept.get("companion")
        )

    def begin(self, report: Callable[[CurvePoint], None] = lambda _: None) -> None:
        """Evaluates the policy as it is before the first round, unless a checkpoint goes on."""
        if not self._curve:
            self._end_round(report)

    def advance(self, report: Callable[[CurvePoint], None] = lambda _: None) -> None:
        """Trains for a round."""
        self._train_round()
        self._end_round(report)

    @property
    def _share_over(self) -> float:
        """The share of the training that is over, 0 to 1."""
        return min(1.0, self._totals[0] / self._config.steps)

    def _make_ppo(self) -> MaskablePPO:
        config = self._config
        ppo = make_ppo(
            self._make_env(self._seed, 0.0),
            hidden=config.hidden,
            seed=self._seed,
            n_steps=config.rollout,
            batch_size=config.minibatch,
            n_epochs=config.epochs,
            learning_rate=lambda _: config.rate * (1 - 0.9 * self._share_over),
            gamma=config.gamma,
            gae_lambda=config.lam,
            clip_range=config.clip,
            ent_coef=config.entropy,
        )
        ppo.set_logger(configure(None, []))
        return ppo

    def _train_round(self) -> None:
        started = time.perf_counter()
        config = self._config
        ppo = self._ppo
        seed = int(np.random.SeedSequence([self._seed, self._round]).generate_state(1)[0])
        set_random_seed(seed)
        env = self._make_env(seed, self._share_over)
        ppo.set_env(env)
        ppo.rollout_buffer.env = env
        for name, parameter in ppo.policy.named_parameters():
            parameter.requires_grad_(self._round >= config.critic_first or not is_policy_parameter(name))
        ppo.learn(config.updates * config.rollout * config.games, reset_num_timesteps=True)
        self._round += 1
        steps, decisions, seconds = self._totals
        seconds += time.perf_counter() - started
        self._totals = (steps + env.steps_played, decisions + ppo.num_timesteps, seconds)

    def _end_round(self, report: Callable[[CurvePoint], None]) -> None:
        """Evaluates the policy, keeps it if it is the best, and writes the checkpoint."""
        policy = self.policy
        logged = self._ppo.logger.name_to_value
        scores = self._evaluate(policy)
        objective = float(np.mean([score.objective for score in scores.values()])) if scores else 0.0
        learning = {name: float(logged[f"train/{name}"]) for name in STATISTICS if f"train/{name}" in logged}
        point = CurvePoint(*self._totals, objective, scores, learning)
        self._curve.append(point)
        if self._totals[0] <= EARLY * self._config.steps:
            self._kept["early"] = policy
        if best_point(self._curve, self._config) is point:
            self._kept["best"] = policy
            if self._companion is not None:
                self._kept["companion"] = self._companion()
        if self._checkpoint:
            write_checkpoint(self._checkpoint, self._state())
        report(point)

    def _state(self) -> Checkpoint:
        arrays: Arrays = {f"network.{name}": tensor.numpy() for name, tensor in self._ppo.policy.state_dict().items()}
        for index, tensors in self._ppo.policy.optimizer.state_dict()["state"].items():
            arrays |= {f"optimiser.{index}.{name}": tensor.numpy() for name, tensor in tensors.items()}
        for name, layers in self._kept.items():
            for index, (weight, bias) in enumerate(layers):
                arrays |= {f"{name}.{index}.weight": weight, f"{name}.{index}.bias": bias}
        curve = [asdict(point) for point in self._curve]
        return Checkpoint(arrays, {"plan": self._plan, "round": self._round, "done": self._totals, "curve": curve})

    def _resume(self) -> None:
        if not self._checkpoint:
            return
        checkpoint = read_checkpoint(self._checkpoint, self._plan)
        if checkpoint is None:
            return
        arrays, metadata = checkpoint
        self._round = metadata["round"]
        self._totals = tuple(metadata["done"])
        self._curve = [*CURVE_POINTS.validate_python(metadata["curve"])]
        network = {name: torch.from_numpy(array) for name, array in with_prefix(arrays, "network.").items()}
        self._ppo.policy.load_state_dict(network)
        optimiser = self._ppo.policy.optimizer.state_dict()
        for key, array in with_prefix(arrays, "optimiser.").items():
            index, name = key.split(".")
            optimiser["state"].setdefault(int(index), {})[name] = torch.from_numpy(array)
        self._ppo.policy.optimizer.load_state_dict(optimiser)
        for kept, layers in self._kept.items():
            names = [f"{kept}.{index}" for index in range(len(layers))]
            self._kept[kept] = tuple((arrays[f"{name}.weight"], arrays[f"{name}.bias"]) for name in names)
