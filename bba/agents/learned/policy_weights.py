"""A learned policy as arrays: its network, and for TALENTS the partner clusters."""

from dataclasses import dataclass

from bba.agents.learned.fixed_share import FixedShare
from bba.agents.learned.policy import Layers
from bba.kitchen.observation import Float32Array


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """The partner clusters of TALENTS: K clusters in a latent space of Z dimensions.

    Attributes:
        mean, std: of the latents in each cluster, (K, Z).
        decoder: from the partner's observation followed by a latent to one logit per skill.
        eta, alpha, decay: as in `FixedShare`.
    """

    mean: Float32Array
    std: Float32Array
    decoder: Layers
    eta: float
    alpha: float
    decay: float

    def __len__(self) -> int:
        return len(self.mean)

    def share(self) -> FixedShare:
        """Returns the weights of the clusters at the start of an episode.

        Raises:
            BBAError: a parameter out of range.
        """
        return FixedShare(len(self), self.eta, self.alpha, self.decay)


@dataclass(frozen=True, slots=True, eq=False)
class PolicyWeights:
    """A learned policy for one layout.

    Attributes:
        name: the agent's name, such as ``bp:G1-1``.
        layout: the layout's name.
        map: its `layout_digest`.
        policy: from the observation (for TALENTS followed by the one-hot of a cluster) to one logit per skill.
        clusters: of TALENTS; None for the others.
    """

    name: str
    layout: str
    map: str
    policy: Layers
    clusters: Clusters | None = None

    @property
    def kind(self) -> str:
        """The kind of policy: "bp", "gamma" or "talents"."""
        return self.name.partition(":")[0]

    @property
    def observation(self) -> int:
        """The size of an observation."""
        inputs: int = self.policy[0][0].shape[1]
        return inputs - (len(self.clusters) if self.clusters else 0)
