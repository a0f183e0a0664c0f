"""Clusters of partners: k-means on the latents of whole games."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import KMeans
from sklearn.metrics import normalized_mutual_info_score, silhouette_score

from bba.agents.learned.clusters import Clusters
from bba.kitchen.observation import Float32Array
from bba.learning.partner_model.trajectories import TrajectoryWindows
from bba.learning.partner_model.vae import PartnerVAE, decoder_layers, window_latents

CLUSTERS = 3
ETA, ALPHA, DECAY = 5.0, 0.05, 0.75  # of fixed share


def cluster_partners(
    vae: PartnerVAE, windows: TrajectoryWindows, held_out: TrajectoryWindows, seed: int
) -> tuple[Clusters, dict[str, Any]]:
    """Clusters the latents of games with k-means.

    A game's latent is the mean over its windows: that depends more on the partner and less on what happened around it.

    Returns:
        The clusters, and for the training's record their sizes and how well they separate held-out games.
    """
    (latents, _), (held_out_latents, partners) = game_latents(vae, windows), game_latents(vae, held_out)
    kmeans = KMeans(CLUSTERS, n_init=10, random_state=seed).fit(latents)
    std = np.stack([latents[kmeans.labels_ == k].std(axis=0) for k in range(CLUSTERS)])
    assigned = kmeans.predict(held_out_latents)
    separation = {
        "sizes": np.bincount(kmeans.labels_, minlength=CLUSTERS).tolist(),
        "silhouette": float(silhouette_score(held_out_latents, assigned)),
        "information about the partner": float(normalized_mutual_info_score(partners, assigned)),
    }
    centres = kmeans.cluster_centers_.astype(np.float32)
    return Clusters(centres, std.astype(np.float32), decoder_layers(vae), ETA, ALPHA, DECAY), separation


def game_latents(vae: PartnerVAE, windows: TrajectoryWindows) -> tuple[Float32Array, NDArray[np.int64]]:
    """Returns the mean latent over each game's windows, (G, Z), and the number of its partner, (G,)."""
    latents = window_latents(vae, windows)
    games, first, game_of_window = np.unique(windows.game, return_index=True, return_inverse=True)
    sums = np.zeros((len(games), latents.shape[1]), np.float32)
    np.add.at(sums, game_of_window, latents)
    means: Float32Array = sums / np.bincount(game_of_window).astype(np.float32)[:, None]
    return means, windows.partner[first]
