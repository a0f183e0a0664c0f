"""What a recipe is, and the games in which all policies are evaluated."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bba.agents.learned import Clusters, Layers
from bba.agents.learned.weights import ValueNetwork
from bba.kitchen import Layout
from bba.kitchen.features import N_FEATURES
from bba.learning.rl.evaluation import EvaluationScore
from bba.learning.rl.ppo_config import PPOConfig
from bba.learning.rl.trainer import Trainer

CURVE_GAMES, CURVE_SEED = 24, 10_000  # games of each kind per evaluation along the learning curve
FINAL_GAMES, FINAL_SEED = 100, 20_000  # games of each kind in the final evaluation: others than along the curve
SELF_PLAY, WITH_CLONE, WITH_DECODED = "self-play", "beside the clone", "beside decoded partners"  # as in records
NO_WEIGHTS = np.zeros(N_FEATURES)


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
    evaluate: Callable[[Layers], dict[str, EvaluationScore]] = lambda _: {}
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


def policy_file(folder: Path, name: str, layout: Layout, suffix: str) -> Path:
    """Returns the path of one of a policy's files, such as ``bp-G1-1-open.checkpoint``."""
    return folder / f"{name.replace(':', '-')}-{layout.name}{suffix}"
