"""The training of GAMMA and TALENTS on a layout: population, trajectories, autoencoder, clusters, cooperator.

Both learn about partners from games of the population. A variational autoencoder explains the population's choices, and
the cooperator's policy is trained with partners decoded from latents. GAMMA's latents come from the standard Gaussian,
TALENTS' from the Gaussian of a cluster, and the policy is told which cluster.
"""

from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from bba.agents.learned.policy import Clusters, Layers
from bba.kitchen.layout import Layout, layout_digest
from bba.learning.bc import PretrainedBase, pretrained_base
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
from bba.learning.recipes.population import EpsilonPolicy, PopulationMember, trained_population
from bba.learning.recipes.recipe import (
    CURVE_GAMES,
    CURVE_SEED,
    FINAL_GAMES,
    FINAL_SEED,
    NO_WEIGHTS,
    WITH_DECODED,
    PreparedRun,
    policy_file,
)
from bba.learning.rl.evaluation import EvaluationScore, evaluate_policy
from bba.learning.rl.ppo import with_context_inputs
from bba.learning.rl.ppo_config import PPOConfig
from bba.learning.rl.trainer import Trainer
from bba.learning.rl.vec_env import ALTERNATING_SEATS, InitialStates, KitchenVecEnv, PolicyPartner, repeat_seats

GAMES_PER_SEAT = 12  # games of each member at each level with the clone, in each of the two seats
GAME_STEPS = 2400
HELD_OUT = 0.15  # share of the games on which the autoencoder is evaluated
IDENTIFICATION_GAMES = 40  # games in which TALENTS' identification of the cluster is evaluated


@dataclass(frozen=True, slots=True)
class LearnedPartners:
    """What was learned about partners.

    Attributes:
        vae: the autoencoder.
        clusters: the clusters of TALENTS; None for GAMMA.
        report: measurements for the training's record, JSON-serialisable.
    """

    vae: PartnerVAE
    clusters: Clusters | None
    report: dict[str, Any]

    @property
    def prior(self) -> LatentPrior:
        """The distribution of the latents from which partners are decoded."""
        if self.clusters:
            return LatentPrior(self.clusters.mean, self.clusters.std)
        return LatentPrior.standard(self.vae.mean.out_features)

    def partner(self, games: int) -> VAEPartner:
        """Returns a partner for `games` games, decoded from a new latent in each."""
        return VAEPartner(decoder_layers(self.vae), self.prior, games)


def prepare_cooperator(name: str, layout: Layout, folder: Path, config: PPOConfig, seed: int) -> PreparedRun:
    """Learns about partners, then prepares the training of "gamma" or "talents" with them."""
    base = pretrained_base(layout, folder, hidden=config.hidden)
    partners = learn_partners(layout, folder, config, base.clone, with_clusters=name == "talents", seed=seed)
    trainer = cooperator_trainer(name, layout, folder, config, seed, base, partners)
    report = partners.report
    if partners.clusters:
        identified = evaluate_identification(partners.clusters, layout, IDENTIFICATION_GAMES, FINAL_SEED)
        report = report | {"identified": asdict(identified)}
    evaluate = partial(cooperator_scores, layout=layout, partners=partners, games=FINAL_GAMES, seed=FINAL_SEED)
    return PreparedRun(trainer, evaluate=evaluate, clusters=partners.clusters, partners=report)


def cooperator_trainer(
    name: str,
    layout: Layout,
    folder: Path,
    config: PPOConfig,
    seed: int,
    base: PretrainedBase,
    partners: LearnedPartners,
) -> Trainer:
    """Returns the trainer of a cooperator with decoded partners, in either seat."""
    initial_states = InitialStates(layout, recorded=base.states)
    learner_seats = repeat_seats(ALTERNATING_SEATS, config.games)

    def make_env(round_seed: int) -> KitchenVecEnv:
        partner = partners.partner(config.games)
        return KitchenVecEnv(layout, learner_seats, partner, NO_WEIGHTS, initial_states, config.length, round_seed)

    evaluate = partial(cooperator_scores, layout=layout, partners=partners, games=2 * CURVE_GAMES, seed=CURVE_SEED)
    plan = {
        "policy": name,
        "layout": layout.name,
        "map": layout_digest(layout),
        "seed": seed,
        "partners": partners.report,
    } | asdict(config)
    network = with_context_inputs(base.network, partners.prior.context_size)
    checkpoint = policy_file(folder, name, layout, ".checkpoint")
    return Trainer(plan, make_env, evaluate, network, config, seed, checkpoint)


def cooperator_scores(
    policy: Layers, layout: Layout, partners: LearnedPartners, games: int, seed: int
) -> dict[str, EvaluationScore]:
    """Evaluates a cooperator with decoded partners."""
    partner = partners.partner(games)
    return {WITH_DECODED: evaluate_policy(policy, layout, partner, NO_WEIGHTS, games, seed)}


def learn_partners(
    layout: Layout, folder: Path, config: PPOConfig, clone: Layers, *, with_clusters: bool, seed: int
) -> LearnedPartners:
    """Trains the population and, on its games, the autoencoder of TALENTS if `with_clusters`, else of GAMMA."""
    population = trained_population(layout, folder, config, early=not with_clusters)
    windows, held_out = population_windows(layout, population, clone, seed)
    vae_config = VAEConfig(ahead=with_clusters)
    vae = train_vae(windows, vae_config, seed)
    quality = vae_quality(vae, held_out, ahead=with_clusters)
    report = {  # these keys are part of the record's format
        "stretches": len(windows),
        "held_out": len(held_out),
        "fit": asdict(vae_config),
        "quality": asdict(quality),
    }
    if not with_clusters:
        return LearnedPartners(vae, None, report)
    clusters, separation = cluster_partners(vae, windows, held_out, seed)
    return LearnedPartners(vae, clusters, report | {"clusters": separation})


def population_windows(
    layout: Layout, population: list[PopulationMember], clone: Layers, seed: int
) -> tuple[TrajectoryWindows, TrajectoryWindows]:
    """Returns windows of the population's games, to train on and held out; each whole game is in one of the two."""
    names = sorted({member.name for member in population})
    games = [
        (trajectory, names.index(member.name))
        for number, member in enumerate(population)
        for trajectory in member_trajectories(layout, member, clone, [seed, number])
    ]
    held_out = np.random.default_rng(seed).random(len(games)) < HELD_OUT
    training_games = [game for game, out in zip(games, held_out, strict=True) if not out]
    held_out_games = [game for game, out in zip(games, held_out, strict=True) if out]
    return trajectory_windows(training_games), trajectory_windows(held_out_games)


def member_trajectories(layout: Layout, member: PopulationMember, clone: Layers, seed: list[int]) -> list[Trajectory]:
    """Returns a member's trajectories in games with the clone, in the first seat and then in the second."""
    policy, partner = EpsilonPolicy(member.policy, member.epsilon), PolicyPartner(clone)
    seeds = np.random.SeedSequence(seed).generate_state(2).tolist()
    first = record_trajectories(layout, (policy, partner), GAMES_PER_SEAT, GAME_STEPS, seeds[0])[:GAMES_PER_SEAT]
    second = record_trajectories(layout, (partner, policy), GAMES_PER_SEAT, GAME_STEPS, seeds[1])[GAMES_PER_SEAT:]
    return first + second
