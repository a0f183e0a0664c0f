"""One training: rounds of PPO, each followed by an evaluation and a checkpoint; the best policy is kept.

A round begins afresh: its games, and all that is random in it, follow from the training's seed and the round's number.
So a training that was stopped goes on from its last checkpoint exactly as if it had not been, and what a checkpoint has
to hold is the network, the optimiser and the curve.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.logger import configure
from stable_baselines3.common.utils import set_random_seed

from bba.agents.learned.policy import Layers
from bba.kitchen.features import reachable_features
from bba.kitchen.layout import Layout
from bba.learning.rl.checkpoint import Checkpoint, read_checkpoint, write_checkpoint
from bba.learning.rl.evaluation import EvaluationScore
from bba.learning.rl.ppo import make_ppo
from bba.learning.rl.vec_env import KitchenVecEnv

EARLY = 0.2  # share of a training after which the policy is kept as it is then
SETTLED = 0.5  # the best policy is sought among those after this share: before, it is still the one that was cloned


@dataclass(frozen=True, slots=True)
class PPOConfig:
    """How a policy is trained. The preprint's figures, where they differ, are in brackets.

    Attributes:
        steps: steps of the kitchen to train on, all games together, rounded up to whole rounds (3 million).
        games: how many are played side by side.
        length: steps of a training game.
        rollout: decisions of each game between two updates; `games` times that many samples (8192).
        minibatch: samples a gradient step (768).
        epochs: passes over the samples of an update.
        rate: learning rate at the start; it falls linearly to a tenth (5e-5).
        gamma: discount a step of the kitchen (0.999).
        lam: of the generalised advantage, a decision (0.999).
        clip: of the probability ratio (0.2).
        entropy: weight of the policy's entropy (0.02).
        hidden: width of the two hidden layers.
        updates: a round's updates, before each evaluation and checkpoint.
        critic_first: rounds at the start in which only the value is learned, so that it does not spoil what was cloned.
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


def config_for(layout: Layout, settings: PPOConfig) -> PPOConfig:
    """The settings for a layout: as given, but for what is needed where the map divides the work between the cooks.

    There a cook often has nothing to do, and each idle step is a decision: on `forced_coordination` one lasts 3 steps,
    not 10. With the discount and the trace of the other maps a policy that dislikes plating learns there that
    delivering never pays.
    """
    divided = not (reachable_features(layout, 0) & reachable_features(layout, 1)).all()
    return replace(settings, rate=5e-4, gamma=0.999, lam=0.98) if divided else settings


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A point of the training's curve, after a round.

    Attributes:
        steps: of the kitchen so far.
        decisions: samples so far.
        seconds: spent training so far, over all sittings.
        objective: what the best policy is chosen by, in points a game.
        scores: the evaluations, by name, such as "self-play".
        learning: what PPO says of its last update: entropy, approx_kl, clip_fraction, explained_variance.
    """

    steps: int
    decisions: int
    seconds: float
    objective: float
    scores: dict[str, EvaluationScore]
    learning: dict[str, float]


@dataclass(frozen=True, slots=True)
class TrainingResult:
    """The outcome.

    Attributes:
        policy: the best.
        early: the policy as it was after a fifth of the training.
        best: the best policy's point.
        curve: all points.
    """

    policy: Layers
    early: Layers
    best: CurvePoint
    curve: list[CurvePoint]


Assess = Callable[[Layers], dict[str, EvaluationScore]]
Tensors = dict[str, torch.Tensor]


class Training:
    """Trains one policy.

    Args:
        plan: what is trained and how, as JSON takes it; a checkpoint of another plan is refused.
        games: makes the games of a round from its seed.
        assess: evaluates a policy; the mean of its scores' objectives is what counts.
        start: the network to begin with; None for a fresh one.
        settings: see there.
        seed: of everything random in it.
        checkpoint: the file to go on from and to write after each round; None for none.
    """

    def __init__(
        self,
        plan: dict[str, Any],
        games: Callable[[int], KitchenVecEnv],
        assess: Assess,
        start: Tensors | None,
        settings: PPOConfig,
        seed: int,
        checkpoint: Path | None,
    ) -> None:
        self._plan, self._games, self._assess, self._settings = plan, games, assess, settings
        self._seed, self._checkpoint = seed, checkpoint
        self._round, self._done = 0, (0, 0, 0.0)  # steps, decisions, seconds
        self._curve: list[CurvePoint] = []
        set_random_seed(seed)
        self._model = self._learner()
        if start is not None:
            self._model.policy.load_state_dict(start, strict=True)
        self._kept = {"best": actor(self._model.policy), "early": actor(self._model.policy)}
        self._resume()

    def run(self, report: Callable[[CurvePoint], None] = lambda _: None) -> TrainingResult:
        """Train to the end; `report` gets each new point."""
        if not self._curve:
            self._take_stock(report)
        while self._done[0] < self._settings.steps or self._round <= self._settings.critic_first:
            self._play_round()
            self._take_stock(report)
        best = best_of(self._curve, self._settings) or self._curve[-1]
        return TrainingResult(self._kept["best"], self._kept["early"], best, list(self._curve))

    def _learner(self) -> MaskablePPO:
        s = self._settings
        model = make_ppo(
            self._games(self._seed),
            hidden=s.hidden,
            seed=self._seed,
            n_steps=s.rollout,
            batch_size=s.minibatch,
            n_epochs=s.epochs,
            learning_rate=lambda _: s.rate * (1 - 0.9 * min(1.0, self._done[0] / s.steps)),
            gamma=s.gamma,
            gae_lambda=s.lam,
            clip_range=s.clip,
            ent_coef=s.entropy,
        )
        model.set_logger(configure(None, []))
        return model

    def _play_round(self) -> None:
        """One round: fresh games, some updates."""
        started, s, model = time.perf_counter(), self._settings, self._model
        seed = int(np.random.SeedSequence([self._seed, self._round]).generate_state(1)[0])
        set_random_seed(seed)
        games = self._games(seed)
        model.set_env(games)
        model.rollout_buffer.games = games
        for name, parameter in model.policy.named_parameters():
            parameter.requires_grad_(self._round >= s.critic_first or not is_actor(name))
        model.learn(s.updates * s.rollout * s.games, reset_num_timesteps=True)
        self._round += 1
        steps, decisions, seconds = self._done
        seconds += time.perf_counter() - started
        self._done = (steps + games.steps_played, decisions + model.num_timesteps, seconds)

    def _take_stock(self, report: Callable[[CurvePoint], None]) -> None:
        """Evaluate, keep the best, write the checkpoint."""
        policy = actor(self._model.policy)
        scores = self._assess(policy)
        objective = float(np.mean([score.objective for score in scores.values()]))
        if self._done[0] <= EARLY * self._settings.steps:
            self._kept["early"] = policy
        logged = self._model.logger.name_to_value
        wanted = ("entropy_loss", "approx_kl", "clip_fraction", "explained_variance")
        learning = {name: float(logged[f"train/{name}"]) for name in wanted if f"train/{name}" in logged}
        point = CurvePoint(*self._done, objective, scores, learning)
        self._curve.append(point)
        if best_of(self._curve, self._settings) is point:
            self._kept["best"] = policy
        if self._checkpoint:
            write_checkpoint(self._checkpoint, self._state())
        report(point)

    def _state(self) -> Checkpoint:
        arrays = {f"network.{name}": tensor.numpy() for name, tensor in self._model.policy.state_dict().items()}
        for index, moments in self._model.policy.optimizer.state_dict()["state"].items():
            arrays |= {f"optimiser.{index}.{name}": tensor.numpy() for name, tensor in moments.items()}
        for name, layers in self._kept.items():
            for index, (weight, bias) in enumerate(layers):
                arrays |= {f"{name}.{index}.weight": weight, f"{name}.{index}.bias": bias}
        curve = [asdict(point) for point in self._curve]
        return Checkpoint(arrays, {"plan": self._plan, "round": self._round, "done": self._done, "curve": curve})

    def _resume(self) -> None:
        """Go on from the checkpoint, if there is one."""
        found = read_checkpoint(self._checkpoint, self._plan) if self._checkpoint else None
        if found is None:
            return
        arrays, facts = found
        network = {name: torch.from_numpy(array) for name, array in part(arrays, "network.").items()}
        self._model.policy.load_state_dict(network)
        optimiser = self._model.policy.optimizer.state_dict()
        for key, array in part(arrays, "optimiser.").items():
            index, name = key.split(".")
            optimiser["state"].setdefault(int(index), {})[name] = torch.from_numpy(array)
        self._model.policy.optimizer.load_state_dict(optimiser)
        for kept, layers in self._kept.items():
            names = [f"{kept}.{index}" for index in range(len(layers))]
            self._kept[kept] = tuple((arrays[f"{name}.weight"], arrays[f"{name}.bias"]) for name in names)
        self._round, self._done = facts["round"], tuple(facts["done"])
        self._curve = [curve_point_from(given) for given in facts["curve"]]


def best_of(curve: Sequence[CurvePoint], settings: PPOConfig) -> CurvePoint | None:
    """The first of the best points of a curve whose policy may be kept; None while there is none.

    A policy may be kept after `SETTLED` of the steps, and after a round in which it learned.
    """
    unlearned = settings.critic_first * settings.updates * settings.rollout * settings.games
    late = [point for point in curve if point.steps >= SETTLED * settings.steps and point.decisions > unlearned]
    return max(late, key=lambda point: point.objective, default=None)


def curve_point_from(given: dict[str, Any]) -> CurvePoint:
    """A point as JSON holds it."""
    return CurvePoint(
        **{**given, "scores": {name: EvaluationScore(**score) for name, score in given["scores"].items()}}
    )


def part(arrays: dict[str, NDArray[Any]], prefix: str) -> dict[str, NDArray[Any]]:
    """The arrays whose names begin so, without that beginning."""
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}


def is_actor(name: str) -> bool:
    """Whether a parameter of the learner's network belongs to the policy, not to the value."""
    return "policy_net" in name or "action_net" in name


def actor(policy: MaskableActorCriticPolicy) -> Layers:
    """The policy's layers as arrays of their own, for NumPy."""
    state = policy.state_dict()
    names = [name.removesuffix(".weight") for name in state if is_actor(name) and name.endswith(".weight")]
    return tuple((state[f"{n}.weight"].numpy().copy(), state[f"{n}.bias"].numpy().copy()) for n in names)
