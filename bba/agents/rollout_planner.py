"""The rollout planner at play: it compares skills by futures in which the partner does what the agent believes.

Its decisions depend on the seed, the player and the step only, so that forks and replays continue as the game did. It
always computes with compiled kernels: plain ones would take minutes for a decision.
"""

from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from bba.agents.base import Decision, EpisodeContext, Observation
from bba.agents.learned.weights import planning_networks
from bba.agents.skill_planner import PartnerBelief, SkillPlanner
from bba.belief.partner_types import TypeBelief
from bba.config import RolloutOptions
from bba.kitchen import Kitchen
from bba.kitchen.constants import N_SKILLS, NO_SKILL, SKILL_STAY
from bba.kitchen.rules import hash_random
from bba.kitchen.state import STEP
from bba.planner.rollout import Comparison, SkillComparer

ROLLOUT = "rollout"
FUTURE_KEYS = 4  # the first random key of the two players; learned agents have 2 and 3


class RolloutPlanner(SkillPlanner):
    """Chooses skills by simulation.

    Args:
        options: how many futures, and how long.
        weights: a folder with the networks; None for those that ship with the project.
    """

    name = ROLLOUT

    def __init__(self, options: RolloutOptions, weights: Path | None = None) -> None:
        self.rollout: RolloutOptions = options
        self._weights = weights

    @property
    def ready(self) -> bool:
        """Whether the kernels are loaded."""
        return self._comparer.ready

    def prepare(self) -> None:
        """Compares skills once, at the start of a game, so that the kernels are compiled or loaded."""
        state = Kitchen(self._context.layout, 0).state
        certain = np.eye(N_SKILLS)[SKILL_STAY]
        self._new_comparer().compare(state, self._context.player, NO_SKILL, 0, certain, 0)

    def reset(self, context: EpisodeContext) -> None:
        """Begins an episode with the networks of its layout.

        Raises:
            NoWeights: there are none.
            BBAError: they cannot be used here.
        """
        self._context = context
        self._comparer = self._new_comparer()
        self._key = int(np.random.SeedSequence([context.seed, FUTURE_KEYS + context.player]).generate_state(1)[0])

    def copy(self) -> Self:
        """Returns an independent planner, which can decide at the same time."""
        other = copy(self)
        other._comparer = other._new_comparer()
        return other

    def plan(self, observation: Observation, belief: PartnerBelief | None) -> Decision:
        """Chooses the skill whose futures promise most."""
        comparison = self._compare(observation, belief)
        return Decision(comparison.chosen, chosen=True, comparison=comparison)

    def judge(self, observation: Observation, belief: PartnerBelief | None) -> Decision:
        """Asks whether another skill beats the running one by more than a replan costs."""
        comparison = self._compare(observation, belief)
        replans = comparison.pays(self.rollout.replan_cost)
        going_on = None if replans else replace(comparison, chosen=observation.running)
        return Decision(observation.running, replanned=replans, comparison=going_on)

    def _new_comparer(self) -> SkillComparer:
        networks = planning_networks(self._context.layout, self._weights)
        return SkillComparer(networks, self.rollout, timeout=self._context.skill_timeout, fast=True)

    def _compare(self, observation: Observation, belief: PartnerBelief | None) -> Comparison:
        partner: NDArray[np.float64] | TypeBelief | None = None
        tendencies = None
        if belief is not None:
            partner, tendencies = belief.types, belief.tendencies
            if partner is None:
                prior = self._comparer.behaviour.probabilities(observation.state, 1 - observation.player)
                partner = belief.by_skill(prior)
        key = hash_random(self._key, int(observation.state[STEP])) >> 1
        running = observation.running
        age = observation.age if running != NO_SKILL else 0
        return self._comparer.compare(observation.state, observation.player, running, age, partner, key, tendencies)
