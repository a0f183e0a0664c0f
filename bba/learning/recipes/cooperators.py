"""The trainings of partners: behaviour-preferring ones (BP), GAMMA and TALENTS on a layout.

GAMMA and TALENTS learn about partners from games of a population: eight policies of its own, none of the twelve of the
evaluation. Its members are specialists. Each likes some of the nine features and dislikes all others, with larger
weights than the partners of the evaluation have, and is trained with the clone of the scripted planner, which does the
rest of the work. If the map keeps one of the cooks from a feature, no member dislikes that feature: nobody else could
do it, and the member's team would deliver nothing.

Each member plays at three levels of skill. GAMMA learns from members early in their training, at their best, and at
their best with some random choices. For TALENTS, members with many random choices replace the early ones: all early
policies still resemble the clone, and clusters would separate beginners from the rest instead of preferences.

A variational autoencoder explains the population's choices, and the cooperator's policy is trained with partners
decoded from latents. GAMMA's latents come from the standard Gaussian, TALENTS' from the Gaussian of a cluster, and the
policy is told which cluster.

Half of BP's games are self-play, the other half are with the clone, in either seat. In self-play alone a policy that
dislikes washing would still have to wash. With the clone it learns to leave washing to its partner, as a partner with
preferences does.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from bba.agents import Clusters, Layers, feature_weights
from bba.kitchen import (
    CHOPPING,
    DELIVERING,
    GRILLING_MEAT,
    NO_WEIGHTS,
    PLATING,
    POTTING_RICE,
    TAKING_MEAT,
    TAKING_MUSHROOM,
    TAKING_RICE,
    WASHING,
    Float64Array,
    Layout,
    reachable_features,
)
from bba.learning.partner_model.clusters import cluster_partners, evaluate_identification
from bba.learning.partner_model.vae import (
    PartnerChoices,
    PartnerVAE,
    TrajectoryWindows,
    VAEConfig,
    VAEPartner,
    record_trajectories,
    train_vae,
    trajectory_windows,
    vae_quality,
)
from bba.learning.recipes.recipe import (
    CURVE_GAMES,
    CURVE_SEED,
    FINAL_GAMES,
    FINAL_SEED,
    SELF_PLAY,
    WITH_CLONE,
    WITH_DECODED,
    PreparedRun,
    no_evaluation,
    policy_trainer,
    pretrained_base,
)
from bba.learning.rl.trainer import EvaluationScore, PPOConfig, Trainer, TrainingResult, evaluate_beside
from bba.learning.rl.vec_env import ALTERNATING_SEATS, BOTH_SEATS, PolicyPartner, linear_layers

HALF_SELF_PLAY = np.concatenate([BOTH_SEATS, ALTERNATING_SEATS[:1], BOTH_SEATS, ALTERNATING_SEATS[1:]])


def prepare_bp(name: str, layout: Layout, folder: Path, config: PPOConfig, seed: int) -> PreparedRun:
    """Prepares the training of a partner such as ``bp:G1-1``; its checkpoint and its base are in `folder`."""
    return prepare_shaped(name, feature_weights(name), layout, folder, config, seed)


def prepare_shaped(
    name: str,
    weights: Float64Array,
    layout: Layout,
    folder: Path,
    config: PPOConfig,
    seed: int,
    *,
    self_play: bool = True,
) -> PreparedRun:
    """Prepares the training of a policy with a shaped reward: the team's reward plus weighted features.

    Args:
        name: the policy's name.
        weights: value of each of the nine features, (9,) in points per event.
        layout: the kitchen.
        folder: where the checkpoint and the base are.
        config: the parameters.
        seed: seeds everything random in the training; the base has its own seed.
        self_play: whether half of the games are self-play; else all are with the clone.
    """
    base = pretrained_base(layout, folder, hidden=config.hidden)
    clone = PolicyPartner(base.clone)
    partners: dict[str, PolicyPartner | None] = {WITH_CLONE: clone}
    seats = ALTERNATING_SEATS
    if self_play:
        partners = {SELF_PLAY: None, WITH_CLONE: clone}
        seats = HALF_SELF_PLAY
    evaluate = partial(evaluate_beside, layout=layout, partners=partners, weights=weights)
    along_curve = partial(evaluate, games=CURVE_GAMES, seed=CURVE_SEED)
    more = {"weights": weights.tolist()}
    trainer = policy_trainer(
        name, layout, folder, config, seed, base, seats, clone, along_curve, weights=weights, more=more
    )
    return PreparedRun(trainer, weights, partial(evaluate, games=FINAL_GAMES, seed=FINAL_SEED))


SPECIALTIES = (
    (PLATING, WASHING, DELIVERING),
    (TAKING_RICE, POTTING_RICE),
    (TAKING_MEAT, CHOPPING, GRILLING_MEAT),
    (TAKING_MUSHROOM, CHOPPING),
)
# points per event
LIKED = 40.0
DISLIKED = -80.0
MEMBERS = 2 * len(SPECIALTIES)
SEED = 500
# share of random choices
SOME = 0.15
MANY = 0.3
GAMES_PER_SEAT = 12  # games of each member at each level with the clone, in each of the two seats
GAME_STEPS = 2400
HELD_OUT = 0.15  # share of the games on which the autoencoder is evaluated
IDENTIFICATION_GAMES = 40  # games in which TALENTS' identification of the cluster is evaluated


def member_weights(number: int, layout: Layout) -> Float64Array:
    """Returns the value of each feature to a member on a layout, (9,) in points per event."""
    reachable = reachable_features(layout, 0) & reachable_features(layout, 1)
    specialty = SPECIALTIES[number % len(SPECIALTIES)]
    weights = np.where(reachable, DISLIKED, 0.0)
    weights[list(specialty)] = LIKED
    return weights


def prepare_member(name: str, layout: Layout, folder: Path, config: PPOConfig, seed: int) -> PreparedRun:  # noqa: ARG001
    """Prepares the training of a member such as ``member-3``: half as many steps as a playable policy.

    It has its own seed, whatever `seed` is, and no final evaluation.
    """
    number = int(name.rpartition("-")[2])
    shorter = replace(config, steps=config.steps // 2)
    weights = member_weights(number, layout)
    shaped = prepare_shaped(name, weights, layout, folder, shorter, SEED + number, self_play=False)
    return replace(shaped, evaluate=no_evaluation)


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a population at one of its levels of skill.

    Attributes:
        name: the member's, the same at all levels.
        policy: what it plays.
        teammate: who has the other seat in its games.
    """

    name: str
    policy: PolicyPartner
    teammate: PolicyPartner


def member_levels(name: str, trained: TrainingResult, teammate: Layers, *, early: bool) -> list[Member]:
    """Returns a trained member at its three levels of skill.

    Args:
        name: the member's.
        trained: its training.
        teammate: the policy of who has the other seat in its games.
        early: whether the third level is the policy early in the training; else it is the one with many random choices.
    """
    best = PolicyPartner(trained.policy, 0.0)
    noisy = PolicyPartner(trained.policy, SOME)
    if early:
        levels = [PolicyPartner(trained.early, 0.0), best, noisy]
    else:
        levels = [best, noisy, PolicyPartner(trained.policy, MANY)]
    return [Member(name, level, PolicyPartner(teammate)) for level in levels]


def trained_population(
    layout: Layout, folder: Path, config: PPOConfig, clone: Layers, *, early: bool, members: int = MEMBERS
) -> list[Member]:
    """Trains the population of a layout, or reads it from complete checkpoints in `folder`.

    Args:
        layout: the kitchen.
        folder: where the checkpoints and the base are.
        config: the parameters of a playable policy; members train for half as many steps.
        clone: the policy of their teammate.
        early: as in `member_levels`.
        members: number of members.

    Returns:
        Each member, once for each of its levels of skill.
    """
    population = []
    for number in range(members):
        name = f"member-{number}"
        trained = prepare_member(name, layout, folder, config, 0).trainer.run()
        population += member_levels(name, trained, clone, early=early)
    return population


def prepare_cooperator(name: str, layout: Layout, folder: Path, config: PPOConfig, seed: int) -> PreparedRun:
    """Learns about partners, then prepares the training of "gamma" or "talents" with them, in either seat."""
    with_clusters = name == "talents"
    base = pretrained_base(layout, folder, hidden=config.hidden)
    population = trained_population(layout, folder, config, base.clone, early=not with_clusters)
    learned = learn_partners(layout, population, with_clusters=with_clusters, seed=seed)
    partner = learned.decoded(config.games)
    along_curve = partial(learned.scores, layout=layout, games=2 * CURVE_GAMES, seed=CURVE_SEED)
    more = {"partners": learned.report}
    trainer = policy_trainer(
        name, layout, folder, config, seed, base, ALTERNATING_SEATS, partner, along_curve, more=more
    )
    return learned.prepared_run(trainer, layout)


@dataclass(frozen=True, slots=True)
class LearnedPartners:
    """What a cooperator learned about partners from the games of a population.

    Attributes:
        vae: the autoencoder of their choices.
        clusters: of TALENTS; None for GAMMA.
        report: measurements for the training's record, JSON-serialisable.
    """

    vae: PartnerVAE
    clusters: Clusters | None
    report: dict[str, Any]

    def decoded(self, games: int) -> VAEPartner:
        """Returns the partners that are decoded from latents, a new one in each of so many games."""
        size = 1, self.vae.mean.out_features
        if self.clusters is None:
            mean = np.zeros(size, np.float32)
            std = np.ones(size, np.float32)
        else:
            mean = self.clusters.mean
            std = self.clusters.std
        return VAEPartner(linear_layers(self.vae.decoder), mean, std, games)

    def scores(self, policy: Layers, layout: Layout, games: int, seed: int) -> dict[str, EvaluationScore]:
        """Evaluates a policy beside decoded partners."""
        return evaluate_beside(policy, layout, {WITH_DECODED: self.decoded(games)}, NO_WEIGHTS, games, seed)

    def prepared_run(self, trainer: Trainer, layout: Layout) -> PreparedRun:
        """Returns the training of a cooperator by this trainer, with its final evaluation."""
        report = self.report
        if self.clusters is not None:
            identified = evaluate_identification(self.clusters, layout, IDENTIFICATION_GAMES, FINAL_SEED)
            report = report | {"identified": identified}
        evaluate = partial(self.scores, layout=layout, games=FINAL_GAMES, seed=FINAL_SEED)
        return PreparedRun(trainer, evaluate=evaluate, clusters=self.clusters, partners=report)


def learn_partners(layout: Layout, population: Sequence[Member], *, with_clusters: bool, seed: int) -> LearnedPartners:
    """Trains, on a population's games, the autoencoder of TALENTS if `with_clusters`, else of GAMMA."""
    windows, held_out = population_windows(layout, population, seed)
    vae_config = VAEConfig(ahead=with_clusters)
    vae = train_vae(windows, vae_config, seed)
    report = {  # these keys are part of the record's format
        "stretches": len(windows),
        "held_out": len(held_out),
        "fit": asdict(vae_config),
        "quality": vae_quality(vae, held_out, ahead=with_clusters),
    }
    if not with_clusters:
        return LearnedPartners(vae, None, report)
    clusters, separation = cluster_partners(vae, windows, held_out, seed)
    return LearnedPartners(vae, clusters, report | {"clusters": separation})


def population_windows(
    layout: Layout, population: Sequence[Member], seed: int
) -> tuple[TrajectoryWindows, TrajectoryWindows]:
    """Returns windows of the population's games, to train on and held out; each whole game is in one of the two."""
    names = sorted({member.name for member in population})
    games = []
    for number, member in enumerate(population):
        for trajectory in member_trajectories(layout, member, [seed, number]):
            games.append((trajectory, names.index(member.name)))
    held_out = np.random.default_rng(seed).random(len(games)) < HELD_OUT
    training_games = []
    held_out_games = []
    for game, is_held_out in zip(games, held_out, strict=True):
        if is_held_out:
            held_out_games.append(game)
        else:
            training_games.append(game)
    return trajectory_windows(training_games), trajectory_windows(held_out_games)


def member_trajectories(layout: Layout, member: Member, seed: list[int]) -> list[PartnerChoices]:
    """Returns a member's trajectories in games with its teammate, in the first seat and then in the second."""
    seeds = np.random.SeedSequence(seed).generate_state(2).tolist()
    in_first_seat = record_trajectories(layout, (member.policy, member.teammate), GAMES_PER_SEAT, GAME_STEPS, seeds[0])
    in_second_seat = record_trajectories(layout, (member.teammate, member.policy), GAMES_PER_SEAT, GAME_STEPS, seeds[1])
    return in_first_seat[:GAMES_PER_SEAT] + in_second_seat[GAMES_PER_SEAT:]
