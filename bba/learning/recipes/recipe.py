"""What a recipe is, the trainer that all recipes share, and the games in which all policies are evaluated."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bba.agents.learned.policy import Clusters, Layers
from bba.agents.learned.weights import ValueNetwork
from bba.kitchen import Layout, layout_digest
from bba.kitchen.constants import N_SKILLS
from bba.kitchen.features import NO_WEIGHTS
from bba.learning.bc import PretrainedBase
from bba.learning.rl.trainer import Evaluate, EvaluationScore, PPOConfig, Trainer
from bba.learning.rl.vec_env import InitialStates, KitchenVecEnv, PolicyPartner, repeat_seats, with_context_inputs

CURVE_GAMES, CURVE_SEED = 24, 10_000  # games of each kind per evaluation along the learning curve
FINAL_GAMES, FINAL_SEED = 100, 20_000  # games of each kind in the final evaluation: others than along the curve
SELF_PLAY, WITH_CLONE, WITH_DECODED = "self-play", "beside the clone", "beside decoded partners"  # as in records


@dataclass(frozen=True, slots=True)
class TrainedNetworks:
    """The networks that are made of a trained policy.

    Attributes:
        policy: the one to be played.
        value: what is still to come; None for none.
        report: measurements for the training's record, JSON-serialisable.
    """

    policy: Layers
    value: ValueNetwork | None = None
    report: Mapping[str, Any] = field(default_factory=dict)


def no_evaluation(_: Layers) -> dict[str, EvaluationScore]:
    """Returns no scores: the policy only serves the training of others."""
    return {}


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
    """

    trainer: Trainer
    weights: NDArray[np.float64] = field(default_factory=NO_WEIGHTS.copy)
    evaluate: Evaluate = no_evaluation
    clusters: Clusters | None = None
    partners: Mapping[str, Any] = field(default_factory=dict)
    networks: Callable[[Layers], TrainedNetworks] = TrainedNetworks


@dataclass(frozen=True, slots=True)
class Recipe:
    """How one kind of policy is trained.

    Attributes:
        names: the policies of this kind.
        prepare: prepares the training of one of them from its name, layout, folder, parameters and seed.
        needs: the kind whose policies on the same layout have to be trained before; None for none.
        playable: whether its policies can be played; the others serve the training of others and stay checkpoints.
    """

    names: Sequence[str]
    prepare: Callable[[str, Layout, Path, PPOConfig, int], PreparedRun]
    needs: str | None = None
    playable: bool = True


def policy_trainer(
    name: str,
    layout: Layout,
    folder: Path,
    config: PPOConfig,
    seed: int,
    base: PretrainedBase,
    seats: NDArray[np.bool_],
    partner: PolicyPartner,
    evaluate: Evaluate,
    *,
    weights: NDArray[np.float64] = NO_WEIGHTS,
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
    learner_seats, states = repeat_seats(seats, config.games), InitialStates(layout, recorded=base.states)
    games = (layout, learner_seats, partner, weights, states, config.length)
    further = partner.context_size + (0 if skill_known is None else N_SKILLS)
    plan = {"policy": name, "layout": layout.name, "map": layout_digest(layout), "seed": seed, **(more or {})}
    return Trainer(
        plan | asdict(config),
        partial(KitchenVecEnv, *games, skill_known=skill_known),
        evaluate,
        with_context_inputs(base.network, further),
        config,
        seed,
        policy_file(folder, name, layout, ".checkpoint"),
    )


def policy_file(folder: Path, name: str, layout: Layout, suffix: str) -> Path:
    """Returns the path of one of a policy's files, such as ``bp-G1-1-open.checkpoint``."""
    return folder / f"{name.replace(':', '-')}-{layout.name}{suffix}"
