"""A recurrent variational autoencoder (VAE) of partners, and the trajectories on which it is trained.

The encoder, a recurrent network over a window of a partner's choices, returns a Gaussian over latents. The decoder
returns the partner's next skill from an observation and a latent. For GAMMA the decoder reconstructs the choices in the
window, for TALENTS it predicts those that follow. Partners decoded from latents train the policies of both.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
import torch
from torch import nn
from torch.distributions import Normal, kl_divergence
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence

from bba.agents.learned.policy import Layers, Mask, feasible_mask
from bba.kitchen import N_SKILLS, REACH, STEP, BoolArray, Float32Array, Int32Array, Int64Array, Layout
from bba.kitchen.batch import NO_CHOICE, KitchenBatch, SpanTotals
from bba.learning.rl.vec_env import Indices, InitialStates, PolicyPartner

# kitchen steps of a window, and between the starts of two windows
WINDOW = 400
STRIDE = 100
MAX_CHOICES = 48  # choices per window; later ones are dropped, as an idle partner has many
NEXT_CHOICES = 10  # choices to predict after a window


class PartnerChoices(NamedTuple):
    """One partner's choices in one game, M of them.

    Attributes:
        steps: the step of each choice, (M,).
        observations: what the partner observed then, (M, size).
        skills: what it chose, (M,).
    """

    steps: Int64Array
    observations: Float32Array
    skills: Int64Array


def record_trajectories(
    layout: Layout, partners: tuple[PolicyPartner, PolicyPartner], games: int, steps: int, seed: int
) -> list[PartnerChoices]:
    """Plays games side by side; returns the first seat's trajectory of every game, then the second seat's."""
    rng = np.random.default_rng(seed)
    batch = KitchenBatch(layout, games)
    initial_states = InitialStates(layout)
    batch.states[:] = [initial_states.sample(rng) for _ in range(games)]
    end_steps = batch.states[:, STEP] + steps
    for partner in partners:
        partner.reset(np.arange(games), rng)
    totals = SpanTotals.zeros(games)
    records: list[list[tuple[int, Float32Array, int]]] = [[] for _ in range(2 * games)]
    while True:
        running = np.flatnonzero(batch.states[:, STEP] < end_steps)
        if len(running) == 0:
            break
        observed = batch.observe(running)
        waiting = batch.waiting[running]
        choices = np.full((games, 2), NO_CHOICE, np.int32)
        for seat, partner in enumerate(partners):
            choosing = running[waiting[:, seat]]
            observations = observed[waiting[:, seat], seat]
            if len(choosing):
                choices[choosing, seat] = partner.choose(choosing, observations, feasible_mask(observations), rng)
            for game, observation in zip(choosing.tolist(), observations, strict=True):
                step = int(batch.states[game, STEP])
                skill = int(choices[game, seat])
                records[seat * games + game].append((step, observation, skill))
        batch.play_until_choice(choices, end_steps, totals)
    return [_trajectory(record) for record in records]


def _trajectory(record: list[tuple[int, Float32Array, int]]) -> PartnerChoices:
    """Returns the trajectory of choices: step, observation and skill of each."""
    steps, observations, skills = zip(*record, strict=True)
    return PartnerChoices(np.array(steps), np.array(observations), np.array(skills))


class PaddedChoices(NamedTuple):
    """Choices padded to L of them.

    Attributes:
        observations: (L, size), or (N, L, size) in N windows; float32.
        skills: (L,) or (N, L); 0 for padding.
        mask: which of them are choices, not padding, (L,) or (N, L).
    """

    observations: Float32Array
    skills: Int64Array
    mask: BoolArray


@dataclass(frozen=True, slots=True)
class TrajectoryWindows:
    """N windows of partners' choices.

    Attributes:
        inside: the choices in the windows.
        following: the next ones after each.
        partner: number of the partner, (N,).
        game: number of the trajectory, (N,).
    """

    inside: PaddedChoices
    following: PaddedChoices
    partner: Int64Array
    game: Int64Array

    def __len__(self) -> int:
        return len(self.game)


def trajectory_windows(games: list[tuple[PartnerChoices, int]]) -> TrajectoryWindows:
    """Cuts trajectories, each given with its partner's number, into windows."""
    inside = []
    following = []
    partners = []
    game_numbers = []
    for number, (trajectory, partner) in enumerate(games):
        for first, end in window_bounds(trajectory.steps):
            inside.append(pad(trajectory, slice(first, min(end, first + MAX_CHOICES)), MAX_CHOICES))
            following.append(pad(trajectory, slice(end, end + NEXT_CHOICES), NEXT_CHOICES))
            partners.append(partner)
            game_numbers.append(number)
    return TrajectoryWindows(_stacked(inside), _stacked(following), np.array(partners), np.array(game_numbers))


def _stacked(windows: list[PaddedChoices]) -> PaddedChoices:
    """Returns the choices of N windows in one array each."""
    return PaddedChoices(
        observations=np.stack([window.observations for window in windows]),
        skills=np.stack([window.skills for window in windows]),
        mask=np.stack([window.mask for window in windows]),
    )


def window_bounds(steps: Int64Array) -> Iterator[tuple[int, int]]:
    """Yields the indices of the first choice in a window and of the first one after it; skips empty windows."""
    for start in range(int(steps[0]), int(steps[-1]) - WINDOW + 1, STRIDE):
        first, end = np.searchsorted(steps, [start, start + WINDOW]).tolist()
        if end > first:
            yield first, end


def pad(trajectory: PartnerChoices, choices: slice, length: int) -> PaddedChoices:
    """Returns some of a trajectory's choices padded to `length`."""
    n = len(trajectory.skills[choices])
    observations = np.zeros((length, trajectory.observations.shape[1]), np.float32)
    skills = np.zeros(length, np.int64)
    observations[:n] = trajectory.observations[choices]
    skills[:n] = trajectory.skills[choices]
    return PaddedChoices(observations, skills, np.arange(length) < n)


LATENTS = 8
HIDDEN = 128

Index: TypeAlias = "slice | torch.Tensor"


@dataclass(frozen=True, slots=True)
class VAEConfig:
    """The parameters of an autoencoder's training.

    Attributes:
        ahead: whether it predicts the choices after a window; else it reconstructs those in the window.
        epochs: passes over the windows.
        batch: windows per gradient step.
        rate: learning rate.
        beta: weight of the KL divergence from the standard Gaussian; it rises from 0 and is reached half-way.
    """

    ahead: bool
    epochs: int = 15
    batch: int = 128
    rate: float = 2e-3
    beta: float = 0.02


class PartnerVAE(nn.Module):  # type: ignore[misc]  # no types
    """Encoder and decoder.

    Args:
        size: length of an observation.
        latents: length of a latent.
        hidden: width of the layers.
    """

    def __init__(self, size: int, latents: int = LATENTS, hidden: int = HIDDEN) -> None:
        super().__init__()
        self.embed = nn.Linear(size + N_SKILLS, hidden)
        self.recur = nn.GRU(hidden, hidden, batch_first=True)
        self.mean = nn.Linear(hidden, latents)
        self.log_scale = nn.Linear(hidden, latents)
        self.decoder = nn.Sequential(
            nn.Linear(size + latents, hidden),
            nn.Tanh(),
            nn.Linear(hidden, hidden),
            nn.Tanh(),
            nn.Linear(hidden, N_SKILLS),
        )

    def encode(self, observations: torch.Tensor, skills: torch.Tensor, lengths: torch.Tensor) -> Normal:
        """Returns Gaussians over latents (N, Z).

        Args:
            observations: (N, L, size).
            skills: (N, L).
            lengths: how many of the L choices count, (N,).
        """
        one_hot = functional.one_hot(skills, N_SKILLS).to(observations.dtype)
        inputs = torch.tanh(self.embed(torch.cat([observations, one_hot], dim=2)))
        packed = pack_padded_sequence(inputs, lengths, batch_first=True, enforce_sorted=False)
        last = self.recur(packed)[1][0]
        return Normal(self.mean(last), functional.softplus(self.log_scale(last)) + 1e-3)

    def decode(self, observations: torch.Tensor, latents: torch.Tensor) -> torch.Tensor:
        """Returns log-probabilities (N, L, 27) of skills from observations (N, L, size) and latents (N, Z)."""
        repeated = latents[:, None, :].expand(-1, observations.shape[1], -1)
        logits = self.decoder(torch.cat([observations, repeated], dim=2))
        feasible = observations[:, :, REACH : REACH + N_SKILLS] > 0
        return torch.log_softmax(logits.masked_fill(~feasible, -1e9), dim=2)


class _WindowTensors:
    """Windows as tensors: the encoder's inputs and the decoder's targets."""

    def __init__(self, windows: TrajectoryWindows, *, ahead: bool) -> None:
        self.inside = PaddedChoices(*map(torch.from_numpy, windows.inside))
        self.targets = PaddedChoices(*map(torch.from_numpy, windows.following)) if ahead else self.inside
        self.lengths = self.inside.mask.sum(axis=1)

    def encode(self, vae: PartnerVAE, batch: Index) -> Normal:
        return vae.encode(self.inside.observations[batch], self.inside.skills[batch], self.lengths[batch])

    def losses(self, vae: PartnerVAE, batch: Index, latents: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The targets' cross-entropy, and whether each was the most likely skill; both 0 for padding."""
        observations, skills, mask = (tensor[batch] for tensor in self.targets)
        log_probabilities = vae.decode(observations, latents)
        losses = -log_probabilities.gather(2, skills[:, :, None])[:, :, 0] * mask
        return losses, (log_probabilities.argmax(dim=2) == skills) & mask


def train_vae(windows: TrajectoryWindows, config: VAEConfig, seed: int) -> PartnerVAE:
    """Returns an autoencoder trained on these windows."""
    torch.manual_seed(seed)
    vae = PartnerVAE(windows.inside.observations.shape[2])
    data = _WindowTensors(windows, ahead=config.ahead)
    optimiser = torch.optim.Adam(vae.parameters(), lr=config.rate)
    for epoch in range(config.epochs):
        beta = config.beta * min(1.0, 2 * epoch / config.epochs)
        for batch in torch.randperm(len(windows)).split(config.batch):
            latents = data.encode(vae, batch)
            cross_entropy, _ = data.losses(vae, batch, latents.rsample())
            divergence = kl_divergence(latents, Normal(0.0, 1.0)).sum(dim=1)
            loss = (cross_entropy.sum(dim=1) + beta * divergence).mean()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
    return vae


def vae_quality(vae: PartnerVAE, windows: TrajectoryWindows, *, ahead: bool) -> dict[str, float]:
    """Returns how well the autoencoder explains windows that it was not trained on, for the training's record.

    These are `loss`, the cross-entropy with the encoded latent in nats per choice; `loss_without`, the same with the
    latent 0, that is without knowing the partner; `right`, the share of choices that were the most likely skill; and
    `divergence`, the KL divergence of the latents from the standard Gaussian in nats per window.
    """
    data = _WindowTensors(windows, ahead=ahead)
    everything = slice(None)
    with torch.no_grad():
        latents = data.encode(vae, everything)
        loss, correct = data.losses(vae, everything, latents.mean)
        loss_without, _ = data.losses(vae, everything, torch.zeros_like(latents.mean))
        divergence = kl_divergence(latents, Normal(0.0, 1.0)).sum(dim=1).mean()
    shares = {"loss": loss, "loss_without": loss_without, "right": correct}
    count = data.targets.mask.sum().item()
    quality = {name: of_choices.sum().item() / count for name, of_choices in shares.items()}
    quality["divergence"] = divergence.item()
    return quality


def window_latents(vae: PartnerVAE, windows: TrajectoryWindows) -> Float32Array:
    """Returns the mean latent of each window, (N, Z)."""
    with torch.no_grad():
        latents = _WindowTensors(windows, ahead=False).encode(vae, slice(None))
        means: Float32Array = latents.mean.numpy()
    return means


class VAEPartner(PolicyPartner):
    """A partner decoded from a latent that is sampled anew for each game: from the Gaussian of any of K clusters.

    The learner is told the cluster as a one-hot, if there is more than one.

    Args:
        decoder: from an observation followed by a latent to one logit per skill.
        mean, std: of the latents in each cluster, (K, Z).
        games: number of games.
    """

    def __init__(self, decoder: Layers, mean: Float32Array, std: Float32Array, games: int) -> None:
        clusters = len(mean)
        super().__init__(decoder, context_size=clusters if clusters > 1 else 0)
        self._mean = mean
        self._std = std
        self._latents = np.zeros((games, mean.shape[1]), np.float32)
        self._clusters = np.zeros(games, np.int64)

    def reset(self, games: Indices, rng: np.random.Generator) -> None:
        """Samples a new partner for each of these games; all clusters are equally likely."""
        clusters = rng.integers(len(self._mean), size=len(games))
        self._clusters[games] = clusters
        noise = rng.standard_normal((len(games), self._mean.shape[1]), np.float32)
        self._latents[games] = self._mean[clusters] + self._std[clusters] * noise

    def choose(self, games: Indices, observations: Float32Array, masks: Mask, rng: np.random.Generator) -> Int32Array:
        """Samples skills from the decoder."""
        inputs = np.concatenate([observations, self._latents[games]], axis=1)
        return super().choose(games, inputs, masks, rng)

    def context(self, games: Indices) -> Float32Array:
        """Returns the one-hot of each partner's cluster, (M, context_size)."""
        one_hots: Float32Array = np.eye(len(self._mean), dtype=np.float32)[self._clusters[games]]
        return one_hots[:, : self.context_size]
