"""Training GAMMA and TALENTS on a layout: population, trajectories, autoencoder, clusters, cooperator.

Both learn partners from games of the population (`population`), whose choices a variational autoencoder explains
(`vae`), and train a policy beside partners decoded from latents: GAMMA's from the standard Gaussian, TALENTS' from the
Gaussian of one of its clusters, which the policy is told.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.cluster import KMeans
from sklearn.metrics import normalized_mutual_info_score, silhouette_score

from bba.agents.learned.policy import Layers
from bba.agents.learned.policy_weights import Clusters
from bba.kitchen.features import N_FEATURES
from bba.kitchen.layout import Layout, layout_digest
from bba.kitchen.observation import Float32Array
from bba.learning.bc.pretrained import pretrained_base
from bba.learning.partner_model.trajectories import Trajectory, TrajectoryWindows, play, trajectory_windows
from bba.learning.partner_model.vae import PartnerVAE, VAEConfig, decoder_layers, latents_of, train_vae, vae_quality
from bba.learning.partner_model.vae_partners import GaussianPrior, LatentPrior, MixturePrior, VAEPartner
from bba.learning.recipes.bp import ASSESS_SEED, ASSESSED
from bba.learning.recipes.population import EpsilonPolicy, PopulationMember, population_of
from bba.learning.rl.evaluation import EvaluationScore, evaluate_policy
from bba.learning.rl.fixed_partners import PolicyPartner
from bba.learning.rl.initial_states import InitialStates
from bba.learning.rl.trainer import PPOConfig, Tensors, Training
from bba.learning.rl.vec_env import EITHER, KitchenVecEnv, in_turn

BESIDE = 12  # games of each member at each level beside the clone, in either seat
COLLECT_STEPS = 2400
HELD_OUT = 0.15  # share of the games that the autoencoder is judged on
CLUSTERS = 3
ETA, ALPHA, DECAY = 5.0, 0.05, 0.75  # of fixed share
NO_WEIGHTS = np.zeros(N_FEATURES)


@dataclass(frozen=True, slots=True)
class LearnedPartners:
    """What was learned about partners.

    Attributes:
        vae: the autoencoder.
        clusters: of TALENTS; None for GAMMA.
        report: figures for the training's record.
    """

    vae: PartnerVAE
    clusters: Clusters | None
    report: dict[str, Any]


def collect(
    layout: Layout, members: list[PopulationMember], clone: Layers, seed: int
) -> tuple[TrajectoryWindows, TrajectoryWindows]:
    """Stretches of the members' games, to learn from and to be judged on; whole games go to one or the other."""
    names = sorted({member.name for member in members})
    watched = [
        (trajectory, names.index(member.name))
        for number, member in enumerate(members)
        for trajectory in watch(layout, member, clone, [seed, number])
    ]
    held = np.random.default_rng(seed).random(len(watched)) < HELD_OUT
    told = trajectory_windows([game for game, out in zip(watched, held, strict=True) if not out])
    return told, trajectory_windows([game for game, out in zip(watched, held, strict=True) if out])


def watch(layout: Layout, member: PopulationMember, clone: Layers, seed: list[int]) -> list[Trajectory]:
    """What a member chose in its games beside the clone, in the first seat and in the second."""
    itself, other = EpsilonPolicy(member.policy, member.errors), PolicyPartner(clone)
    seeds = np.random.SeedSequence(seed).generate_state(2).tolist()
    first = play(layout, (itself, other), BESIDE, COLLECT_STEPS, seeds[0])[:BESIDE]
    second = play(layout, (other, itself), BESIDE, COLLECT_STEPS, seeds[1])[BESIDE:]
    return first + second


def learn_partners(layout: Layout, folder: Path, settings: PPOConfig, *, clusters: bool, seed: int) -> LearnedPartners:
    """Train the population, watch it, and fit the autoencoder; with `clusters`, TALENTS', else GAMMA's."""
    base = pretrained_base(layout, folder, hidden=settings.hidden)
    population = population_of(layout, folder, settings, early=not clusters)
    told, held_out = collect(layout, population, base.clone, seed)
    plan = VAEConfig(ahead=clusters)
    vae = train_vae(told, plan, seed)
    judged = vae_quality(vae, held_out, ahead=clusters)
    report = {"stretches": len(told), "held_out": len(held_out), "fit": asdict(plan), "quality": asdict(judged)}
    if not clusters:
        return LearnedPartners(vae, None, report)
    found, separation = cluster(vae, told, held_out, seed)
    return LearnedPartners(vae, found, report | {"clusters": separation})


def cluster(
    vae: PartnerVAE, told: TrajectoryWindows, held_out: TrajectoryWindows, seed: int
) -> tuple[Clusters, dict[str, Any]]:
    """k-means on the latents of games, and how well the clusters are told apart on held-out games.

    A game's latent is the mean over its stretches: of that, more is the partner and less what just went on around it.
    """
    (latents, _), (unseen, partner) = latents_of_games(vae, told), latents_of_games(vae, held_out)
    means = KMeans(CLUSTERS, n_init=10, random_state=seed).fit(latents)
    std = np.stack([latents[means.labels_ == k].std(axis=0) for k in range(CLUSTERS)])
    assigned = means.predict(unseen)
    separation = {
        "sizes": np.bincount(means.labels_, minlength=CLUSTERS).tolist(),
        "silhouette": float(silhouette_score(unseen, assigned)),
        "information about the partner": float(normalized_mutual_info_score(partner, assigned)),
    }
    centres = means.cluster_centers_.astype(np.float32)
    return Clusters(centres, std.astype(np.float32), decoder_layers(vae), ETA, ALPHA, DECAY), separation


def latents_of_games(vae: PartnerVAE, watched: TrajectoryWindows) -> tuple[Float32Array, NDArray[np.int64]]:
    """The mean latent of each game's stretches, (G, Z), and its partner's number, (G,)."""
    latents = latents_of(vae, watched)
    games, first, of = np.unique(watched.game, return_index=True, return_inverse=True)
    sums = np.zeros((len(games), latents.shape[1]), np.float32)
    np.add.at(sums, of, latents)
    means: Float32Array = sums / np.bincount(of).astype(np.float32)[:, None]
    return means, watched.partner[first]


@dataclass(frozen=True, slots=True)
class CooperatorTraining:
    """A cooperator's training.

    Attributes:
        training: the training.
        partners: what it learns beside.
        evaluate: plays so many games, drawn from a seed, beside decoded partners; returns the score by kind of games.
    """

    training: Training
    partners: LearnedPartners
    evaluate: Callable[[Layers, int, int], dict[str, EvaluationScore]]


def cooperator_training(kind: str, layout: Layout, folder: Path, settings: PPOConfig, seed: int) -> CooperatorTraining:
    """The training of the cooperator of this kind, "gamma" or "talents", beside the partners that were learned."""
    partners = learn_partners(layout, folder, settings, clusters=kind == "talents", seed=seed)
    base = pretrained_base(layout, folder, hidden=settings.hidden)
    decoder = decoder_layers(partners.vae)
    prior: LatentPrior = GaussianPrior(decoder[0][0].shape[1] - base.clone[0][0].shape[1])
    if partners.clusters:
        prior = MixturePrior(partners.clusters.mean, partners.clusters.std)
    starts, learners = InitialStates(layout, played=base.states), in_turn(EITHER, settings.games)

    def games(round_seed: int) -> KitchenVecEnv:
        companion = VAEPartner(decoder, prior, settings.games)
        return KitchenVecEnv(layout, learners, companion, NO_WEIGHTS, starts, settings.length, round_seed)

    def evaluate(policy: Layers, n: int, drawn: int) -> dict[str, EvaluationScore]:
        companion = VAEPartner(decoder, prior, n)
        return {"beside decoded partners": evaluate_policy(policy, layout, companion, NO_WEIGHTS, n, drawn)}

    def scores(policy: Layers) -> dict[str, EvaluationScore]:
        return evaluate(policy, 2 * ASSESSED, ASSESS_SEED)

    plan = {
        "policy": kind,
        "layout": layout.name,
        "map": layout_digest(layout),
        "seed": seed,
        "partners": partners.report,
    } | asdict(settings)
    start = with_hints(base.network, prior.kinds if prior.kinds > 1 else 0)
    checkpoint = folder / f"{kind}-{layout.name}.checkpoint"
    return CooperatorTraining(Training(plan, games, scores, start, settings, seed, checkpoint), partners, evaluate)


def with_hints(network: Tensors, hints: int) -> Tensors:
    """The same network with so many more inputs, which it ignores at first."""
    wider = dict(network)
    for name in ("mlp_extractor.policy_net.0.weight", "mlp_extractor.value_net.0.weight"):
        weight = network[name]
        wider[name] = torch.cat([weight, torch.zeros(len(weight), hints)], dim=1)
    return wider
