"""The training of GAMMA and TALENTS on a layout: population, trajectories, autoencoder, clusters, cooperator.

Both learn about partners from games of the population. A variational autoencoder explains the population's choices, and
the cooperator's policy is trained with partners decoded from latents. GAMMA's latents come from the standard Gaussian,
TALENTS' from the Gaussian of a cluster, and the policy is told which cluster.
"""

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from bba.agents.learned.clusters import Clusters
from bba.agents.learned.policy import Layers
from bba.kitchen.features import NO_WEIGHTS
from bba.kitchen.layout import Layout
from bba.learning.bc import pretrained_base
from bba.learning.partner_model.clusters import cluster_partners, evaluate_identification
from bba.learning.partner_model.trajectories import (
    Trajectory,
    TrajectoryWindows,
    record_trajectories,
    trajectory_windows,
)
from bba.learning.partner_model.vae import (
    LatentPrior,
    PartnerVAE,
    VAEConfig,
    VAEPartner,
    decoder_layers,
    train_vae,
    vae_quality,
)
from bba.learning.recipes.population import trained_population
from bba.learning.recipes.recipe import (
    CURVE_GAMES,
    CURVE_SEED,
    FINAL_GAMES,
    FINAL_SEED,
    WITH_DECODED,
    PreparedRun,
    policy_trainer,
)
from bba.learning.rl.evaluation import EvaluationScore, evaluate_beside
from bba.learning.rl.ppo_config import PPOConfig
from bba.learning.rl.vec_env import ALTERNATING_SEATS, PolicyPartner

GAMES_PER_SEAT = 12  # games of each member at each level with the clone, in each of the two seats
GAME_STEPS = 2400
HELD_OUT = 0.15  # share of the games on which the autoencoder is evaluated
IDENTIFICATION_GAMES = 40  # games in which TALENTS' identification of the cluster is evaluated


def prepare_cooperator(name: str, layout: Layout, folder: Path, config: PPOConfig, seed: int) -> PreparedRun:
    """Learns about partners, then prepares the training of "gamma" or "talents" with them, in either seat."""
    base = pretrained_base(layout, folder, hidden=config.hidden)
    vae, clusters, report = learn_partners(
        layout, folder, config, base.clone, with_clusters=name == "talents", seed=seed
    )
    prior = LatentPrior(clusters.mean, clusters.std) if clusters else LatentPrior.standard(vae.mean.out_features)

    def scores(policy: Layers, games: int, game_seed: int) -> dict[str, EvaluationScore]:
        partners = {WITH_DECODED: VAEPartner(decoder_layers(vae), prior, games)}
        return evaluate_beside(policy, layout, partners, NO_WEIGHTS, games, game_seed)

    partner = VAEPartner(decoder_layers(vae), prior, config.games)
    along_curve = partial(scores, games=2 * CURVE_GAMES, game_seed=CURVE_SEED)
    trainer = policy_trainer(
        *(name, layout, folder, config, seed, base, ALTERNATING_SEATS, partner, along_curve), more={"partners": report}
    )
    if clusters:
        report = report | {"identified": evaluate_identification(clusters, layout, IDENTIFICATION_GAMES, FINAL_SEED)}
    evaluate = partial(scores, games=FINAL_GAMES, game_seed=FINAL_SEED)
    return PreparedRun(trainer, evaluate=evaluate, clusters=clusters, partners=report)


def learn_partners(
    layout: Layout, folder: Path, config: PPOConfig, clone: Layers, *, with_clusters: bool, seed: int
) -> tuple[PartnerVAE, Clusters | None, dict[str, Any]]:
    """Trains the population and, on its games, the autoencoder of TALENTS if `with_clusters`, else of GAMMA.

    Returns:
        The autoencoder, the clusters of TALENTS, and measurements for the training's record, JSON-serialisable.
    """
    population = trained_population(layout, folder, config, early=not with_clusters)
    windows, held_out = population_windows(layout, population, clone, seed)
    vae_config = VAEConfig(ahead=with_clusters)
    vae = train_vae(windows, vae_config, seed)
    report = {  # these keys are part of the record's format
        "stretches": len(windows),
        "held_out": len(held_out),
        "fit": asdict(vae_config),
        "quality": vae_quality(vae, held_out, ahead=with_clusters),
    }
    if not with_clusters:
        return vae, None, report
    clusters, separation = cluster_partners(vae, windows, held_out, seed)
    return vae, clusters, report | {"clusters": separation}


def population_windows(
    layout: Layout, population: list[tuple[str, PolicyPartner]], clone: Layers, seed: int
) -> tuple[TrajectoryWindows, TrajectoryWindows]:
    """Returns windows of the population's games, to train on and held out; each whole game is in one of the two."""
    names = sorted({name for name, _ in population})
    games = [
        (trajectory, names.index(name))
        for number, (name, member) in enumerate(population)
        for trajectory in member_trajectories(layout, member, PolicyPartner(clone), [seed, number])
    ]
    held_out = np.random.default_rng(seed).random(len(games)) < HELD_OUT
    first, second = ([game for game, out in zip(games, held_out, strict=True) if out == kept] for kept in (False, True))
    return trajectory_windows(first), trajectory_windows(second)


def member_trajectories(
    layout: Layout, member: PolicyPartner, clone: PolicyPartner, seed: list[int]
) -> list[Trajectory]:
    """Returns a member's trajectories in games with the clone, in the first seat and then in the second."""
    seeds = np.random.SeedSequence(seed).generate_state(2).tolist()
    first = record_trajectories(layout, (member, clone), GAMES_PER_SEAT, GAME_STEPS, seeds[0])[:GAMES_PER_SEAT]
    second = record_trajectories(layout, (clone, member), GAMES_PER_SEAT, GAME_STEPS, seeds[1])[GAMES_PER_SEAT:]
    return first + second
