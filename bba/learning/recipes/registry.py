"""The kinds of policies that can be trained, and what each of them needs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bba.agents.learned import Clusters, Layers
from bba.agents.learned.preferences import PARTNERS, feature_weights
from bba.kitchen import Layout
from bba.kitchen.features import N_FEATURES
from bba.learning.bc.pretrained import pretrained_base
from bba.learning.partner_model.cluster_identification import identify
from bba.learning.recipes.bp import partner_training
from bba.learning.recipes.cooperators import cooperator_training
from bba.learning.recipes.population import MEMBERS, member_training, member_weights
from bba.learning.rl.evaluation import EvaluationScore, evaluate_policy
from bba.learning.rl.fixed_partners import PolicyPartner
from bba.learning.rl.trainer import PPOConfig, Training

EVALUATED, EVALUATION_SEED = 100, 20_000  # games of each kind in the last evaluation: not those of the curve
IDENTIFIED = 40  # games in which TALENTS has to tell the cluster of its partner
UNWEIGHED = np.zeros(N_FEATURES)


def unevaluated(policy: Layers) -> dict[str, EvaluationScore]:  # noqa: ARG001
    """No last evaluation."""
    return {}


@dataclass(frozen=True, slots=True)
class PreparedRun:
    """A training that can begin.

    Attributes:
        training: the training.
        weights: worth of each of the nine features to the policy, (9,) in points an event.
        evaluate: how good a policy is in games that the best was not chosen by, kind of games by kind.
        clusters: of partners that the policy is told; None if it is told none.
        partners: what was learned about partners before, as JSON takes it.
    """

    training: Training
    weights: NDArray[np.float64] = field(default_factory=UNWEIGHED.copy)
    evaluate: Callable[[Layers], dict[str, EvaluationScore]] = unevaluated
    clusters: Clusters | None = None
    partners: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Recipe:
    """A kind of policies.

    Attributes:
        names: of its policies.
        prepare: prepares the training of one of them on a layout, in a folder, with settings and a seed.
        needs: the kind whose policies on the same layout have to be trained before; None for none.
        plays: whether its policies sit in seats; the others are there for others to learn from, and stay checkpoints.
    """

    names: Sequence[str]
    prepare: Callable[[str, Layout, Path, PPOConfig, int], PreparedRun]
    needs: str | None = None
    plays: bool = True


def prepare_partner(name: str, layout: Layout, folder: Path, settings: PPOConfig, seed: int) -> PreparedRun:
    """A partner with preferences."""
    weights = feature_weights(name)

    def evaluate(policy: Layers) -> dict[str, EvaluationScore]:
        clone = PolicyPartner(pretrained_base(layout, folder, hidden=settings.hidden).clone)
        return {
            "self-play": evaluate_policy(policy, layout, None, weights, EVALUATED, EVALUATION_SEED),
            "beside the clone": evaluate_policy(policy, layout, clone, weights, EVALUATED, EVALUATION_SEED),
        }

    return PreparedRun(partner_training(name, layout, folder, settings, seed), weights, evaluate)


def prepare_member(name: str, layout: Layout, folder: Path, settings: PPOConfig, seed: int) -> PreparedRun:  # noqa: ARG001
    """A member of the population; it has a seed of its own, whatever that of the others."""
    number = int(name.rpartition("-")[2])
    return PreparedRun(member_training(number, layout, folder, settings), member_weights(number, layout))


def prepare_cooperator(name: str, layout: Layout, folder: Path, settings: PPOConfig, seed: int) -> PreparedRun:
    """A cooperator that learns beside what it knows of the population."""
    cooperation = cooperator_training(name, layout, folder, settings, seed)
    partners, report = cooperation.partners, cooperation.partners.report
    if partners.clusters:
        report = report | {"identified": asdict(identify(partners.clusters, layout, IDENTIFIED, EVALUATION_SEED))}

    def evaluate(policy: Layers) -> dict[str, EvaluationScore]:
        return cooperation.evaluate(policy, EVALUATED, EVALUATION_SEED)

    return PreparedRun(cooperation.training, evaluate=evaluate, clusters=partners.clusters, partners=report)


RECIPES = {
    "bp": Recipe(PARTNERS, prepare_partner),
    "member": Recipe([f"member-{number}" for number in range(MEMBERS)], prepare_member, plays=False),
    "gamma": Recipe(["gamma"], prepare_cooperator, needs="member"),
    "talents": Recipe(["talents"], prepare_cooperator, needs="member"),
}
