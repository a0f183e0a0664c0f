"""A variational autoencoder of partners: what kind of partner chooses so, as a few numbers.

The encoder, a recurrent network over a stretch of a partner's choices, gives a Gaussian over latents; the decoder gives
the partner's next skill from what it sees and a latent. For GAMMA the decoder explains the choices of the stretch
itself, for TALENTS the ones that follow it.
"""

from dataclasses import dataclass
from typing import TypeAlias

import torch
from torch import nn
from torch.distributions import Normal, kl_divergence
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence

from bba.agents.learned.policy import Layers
from bba.kitchen.constants import N_SKILLS
from bba.kitchen.observation import REACH, Float32Array
from bba.learning.partner_model.trajectories import TrajectoryWindows

LATENTS, HIDDEN = 8, 128

Some: TypeAlias = "slice | torch.Tensor"


@dataclass(frozen=True, slots=True)
class VAEConfig:
    """How an autoencoder is trained.

    Attributes:
        ahead: whether it explains the choices that follow a stretch, not those in it.
        epochs, batch, rate: passes over the stretches, stretches a gradient step, learning rate.
        beta: weight of the latents' divergence from the standard Gaussian; reached half-way, from 0.
    """

    ahead: bool
    epochs: int = 15
    batch: int = 128
    rate: float = 2e-3
    beta: float = 0.02


@dataclass(frozen=True, slots=True)
class VAEQuality:
    """How well it explains choices, per choice.

    Attributes:
        loss: cross-entropy in nats, latents as encoded.
        loss_without: the same with the latent 0: what is lost without knowing the partner.
        right: share of choices that were the most likely.
        divergence: of the latents from the standard Gaussian, nats a stretch.
    """

    loss: float
    loss_without: float
    right: float
    divergence: float


class PartnerVAE(nn.Module):  # type: ignore[misc]  # no types
    """Encoder and decoder.

    Args:
        size: numbers in an observation.
        latents: of a latent.
        hidden: width of the layers.
    """

    def __init__(self, size: int, latents: int = LATENTS, hidden: int = HIDDEN) -> None:
        super().__init__()
        self.look = nn.Linear(size + N_SKILLS, hidden)
        self.recur = nn.GRU(hidden, hidden, batch_first=True)
        self.mean, self.log_scale = nn.Linear(hidden, latents), nn.Linear(hidden, latents)
        self.decoder = nn.Sequential(
            nn.Linear(size + latents, hidden),
            nn.Tanh(),
            nn.Linear(hidden, hidden),
            nn.Tanh(),
            nn.Linear(hidden, N_SKILLS),
        )

    def encode(self, seen: torch.Tensor, skills: torch.Tensor, lengths: torch.Tensor) -> Normal:
        """Over latents (N, Z), from observations (N, L, size), skills (N, L) and how many count (N,)."""
        chosen = functional.one_hot(skills, N_SKILLS).to(seen.dtype)
        inputs = torch.tanh(self.look(torch.cat([seen, chosen], dim=2)))
        packed = pack_padded_sequence(inputs, lengths, batch_first=True, enforce_sorted=False)
        last = self.recur(packed)[1][0]
        return Normal(self.mean(last), functional.softplus(self.log_scale(last)) + 1e-3)

    def decode(self, seen: torch.Tensor, latents: torch.Tensor) -> torch.Tensor:
        """Log-probabilities (N, L, 27) of the next skill, from observations (N, L, size) and latents (N, Z)."""
        spread = latents[:, None, :].expand(-1, seen.shape[1], -1)
        logits = self.decoder(torch.cat([seen, spread], dim=2))
        feasible = seen[:, :, REACH : REACH + N_SKILLS] > 0
        return torch.log_softmax(logits.masked_fill(~feasible, -1e9), dim=2)


class _Data:
    """Stretches as tensors."""

    def __init__(self, stretches: TrajectoryWindows, *, ahead: bool) -> None:
        self.seen, self.skills = torch.from_numpy(stretches.seen), torch.from_numpy(stretches.skills)
        self.lengths = torch.from_numpy(stretches.known.sum(axis=1))
        told = (stretches.ahead_seen, stretches.ahead_skills, stretches.ahead_known)
        told = told if ahead else (stretches.seen, stretches.skills, stretches.known)
        self.told_seen, self.told_skills, self.told = (torch.from_numpy(part) for part in told)

    def encoded(self, vae: PartnerVAE, some: Some) -> Normal:
        return vae.encode(self.seen[some], self.skills[some], self.lengths[some])

    def losses(self, vae: PartnerVAE, some: Some, latents: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Of the choices to explain: their cross-entropy and whether they were the most likely, 0 for padding."""
        told = self.told[some]
        logs = vae.decode(self.told_seen[some], latents)
        loss = -logs.gather(2, self.told_skills[some][:, :, None])[:, :, 0] * told
        return loss, (logs.argmax(dim=2) == self.told_skills[some]) & told


def train_vae(stretches: TrajectoryWindows, settings: VAEConfig, seed: int) -> PartnerVAE:
    """An autoencoder trained on these stretches."""
    torch.manual_seed(seed)
    vae = PartnerVAE(stretches.seen.shape[2])
    data = _Data(stretches, ahead=settings.ahead)
    optimiser = torch.optim.Adam(vae.parameters(), lr=settings.rate)
    for epoch in range(settings.epochs):
        beta = settings.beta * min(1.0, 2 * epoch / settings.epochs)
        for some in torch.randperm(len(stretches)).split(settings.batch):
            latents = data.encoded(vae, some)
            explained, _ = data.losses(vae, some, latents.rsample())
            surplus = kl_divergence(latents, Normal(0.0, 1.0)).sum(dim=1)
            loss = (explained.sum(dim=1) + beta * surplus).mean()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
    return vae


def vae_quality(vae: PartnerVAE, stretches: TrajectoryWindows, *, ahead: bool) -> VAEQuality:
    """How well it explains stretches that it was not trained on."""
    data, everything = _Data(stretches, ahead=ahead), slice(None)
    with torch.no_grad():
        latents = data.encoded(vae, everything)
        loss, right = data.losses(vae, everything, latents.mean)
        without, _ = data.losses(vae, everything, torch.zeros_like(latents.mean))
        surplus = kl_divergence(latents, Normal(0.0, 1.0)).sum(dim=1).mean()
    count = data.told.sum().item()
    return VAEQuality(
        loss.sum().item() / count, without.sum().item() / count, right.sum().item() / count, surplus.item()
    )


def latents_of(vae: PartnerVAE, stretches: TrajectoryWindows) -> Float32Array:
    """The latent of each stretch, (N, Z)."""
    with torch.no_grad():
        means: Float32Array = _Data(stretches, ahead=False).encoded(vae, slice(None)).mean.numpy()
    return means


def decoder_layers(vae: PartnerVAE) -> Layers:
    """The decoder's layers as arrays, for NumPy."""
    layers = [layer for layer in vae.decoder if isinstance(layer, nn.Linear)]
    return tuple((layer.weight.detach().numpy().copy(), layer.bias.detach().numpy().copy()) for layer in layers)
