"""How well TALENTS at play tells which cluster its partner is of, beside partners that switch cluster."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bba.agents import Decision, EpisodeContext, Observation, Profile
from bba.agents.learned.cluster_posterior import ClusterPosterior
from bba.agents.learned.observation_encoder import ObservationEncoder, feasible_mask
from bba.agents.learned.policy import forward, masked_softmax, sample_index
from bba.agents.learned.policy_weights import Clusters
from bba.kitchen import constants
from bba.kitchen.layout import Layout
from bba.kitchen.state import STEP
from bba.play import Game

EGO = "proagent"
SHORTEST, LONGEST = 300, 500  # steps for which a partner stays of a cluster
SETTLING = 60  # steps after a switch that are not judged
HORIZON = 2400


@dataclass(frozen=True, slots=True)
class IdentificationScore:
    """How often the heaviest cluster was the partner's.

    Attributes:
        right: share of the steps from 60 after a switch on, and from 60 after the start.
        by_delay: the same share by steps since the switch, in spans of 20 steps from 0 on.
        chance: the share of always naming the commonest cluster.
    """

    right: float
    by_delay: list[float]
    chance: float


class SwitchingVAEPartner:
    """A partner decoded from a latent of one cluster, then of another; it draws both from its game's seed.

    Args:
        clusters: what it is drawn from.

    Attributes:
        is_now: of which cluster it is in each step so far.
        since: for how many steps.
    """

    def __init__(self, clusters: Clusters) -> None:
        self.profile = Profile("chameleon")
        self._clusters = clusters
        self.is_now: list[int] = []
        self.since: list[int] = []

    def reset(self, context: EpisodeContext) -> None:
        """Begin a game."""
        self._rng = np.random.default_rng([context.seed, 9])
        self._sight = ObservationEncoder(context.layout, fast=context.fast)
        self._cluster, self._until = -1, 0

    def observe(self, observation: Observation) -> None:
        """It plays by its clock alone."""

    def decide(self, observation: Observation) -> Decision:
        """Go on, or draw a skill."""
        step = int(observation.state[STEP])
        if step >= self._until:
            self._switch(step)
        self.is_now.append(self._cluster)
        self.since.append(step - self._switched)
        if observation.running != constants.NO_SKILL:
            return Decision(observation.running)
        seen = self._sight.of(observation.state)[observation.player]
        logits = forward(self._clusters.decoder, np.concatenate([seen, self._latent]))
        return Decision(sample_index(masked_softmax(logits, feasible_mask(seen)), self._rng.random()), chosen=True)

    def commit(self, observation: Observation, decision: Decision) -> None:
        """Its games are not replayed."""

    def _switch(self, step: int) -> None:
        others = [k for k in range(len(self._clusters)) if k != self._cluster]
        self._cluster = int(self._rng.choice(others))
        noise = self._rng.standard_normal(self._clusters.mean.shape[1])
        self._latent = (self._clusters.mean + self._clusters.std * noise)[self._cluster].astype(np.float32)
        self._switched, self._until = step, step + int(self._rng.integers(SHORTEST, LONGEST + 1))


def identify(clusters: Clusters, layout: Layout, games: int, seed: int) -> IdentificationScore:
    """Play games beside chameleons and ask in every step which cluster is the heaviest."""
    truth, since, named = [], [], []
    for game in range(games):
        partner = SwitchingVAEPartner(clusters)
        trace = Game(layout, EGO, partner, seed=seed + game, horizon=HORIZON, fast=True).run()
        truth += partner.is_now
        since += partner.since
        named += followed(clusters, layout, [trace.start, *(tick.state for tick in trace.ticks[:-1])])
    return judged(np.array(truth), np.array(since), np.array(named))


def followed(clusters: Clusters, layout: Layout, rows: list[NDArray[np.int32]]) -> list[int]:
    """The heaviest cluster in each state of a game."""
    acquaintance = ClusterPosterior(clusters, 1, ObservationEncoder(layout, fast=True))
    named = []
    for state in rows:
        acquaintance.observe(Observation(0, layout, None, state, constants.NO_SKILL, 0, 0, fast=True))
        named.append(int(acquaintance.weights.argmax()))
    return named


def judged(truth: NDArray[np.int64], since: NDArray[np.int64], named: NDArray[np.int64]) -> IdentificationScore:
    """The shares, from three columns with a step in each line."""
    right, counted = truth == named, since >= SETTLING
    spans = [right[(since >= at) & (since < at + 20)].mean() for at in range(0, SHORTEST, 20)]
    chance = np.bincount(truth[counted]).max() / counted.sum()
    return IdentificationScore(float(right[counted].mean()), [round(float(share), 3) for share in spans], float(chance))
