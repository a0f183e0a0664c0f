"""An agent that plays a policy as the environments see it: a function of an observation vector and an action mask."""

from collections.abc import Callable

import numpy as np

from bba.agents.base import Decision, EpisodeContext, Observation, Profile
from bba.agents.learned.policy import Mask, ObservationEncoder, feasible_mask
from bba.errors import BBAError
from bba.kitchen import constants
from bba.kitchen.observation import Float32Array

Act = Callable[[Float32Array, Mask], int]
LEVELS = ("primitive", "skill")


class PolicyAgent:
    """Plays what a function chooses, in every step, as `bba.gym_env` and `bba.parallel_env` carry it out.

    At the level "skill" the running skill continues if the function names it again; another one interrupts it, and an
    infeasible one counts as STAY.

    Args:
        act: is given the observation, float32 (size,), and the mask, booleans (27,) or (6,); returns an action: a skill
            0 to 26, or a primitive action 0 to 5. The same action for the same observation, so that a game can be
            repeated, copied and forked.
        name: what it is called in traces and recordings.
        level: "skill" or "primitive".

    Raises:
        BBAError: another level.
    """

    def __init__(self, act: Act, name: str = "policy", level: str = "skill") -> None:
        if level not in LEVELS:
            raise BBAError(f"level: {level!r} is not allowed; {' or '.join(LEVELS)}")
        self.profile = Profile(name)
        self._act, self._level = act, level

    def reset(self, context: EpisodeContext) -> None:
        """Begins an episode."""
        self._encoder = ObservationEncoder(context.layout, fast=context.fast)

    def observe(self, observation: Observation) -> None:
        """Learns nothing: the policy sees the state alone."""

    def decide(self, observation: Observation) -> Decision:
        """Returns what the function chooses, as a decision.

        Raises:
            ValueError: an action outside its range.
        """
        encoded = self._encoder.of(observation.state)[observation.player]
        feasible = feasible_mask(encoded)
        mask = feasible if self._level == "skill" else np.ones(constants.N_ACTIONS, np.bool_)
        action = int(self._act(encoded, mask))
        if not 0 <= action < len(mask):
            raise ValueError(f"{self.profile.agent} chose action {action}; each must be 0 to {len(mask) - 1}")
        if self._level == "primitive":
            return Decision(constants.NO_SKILL, action=action)
        return _decision(action if feasible[action] else constants.SKILL_STAY, observation.running)

    def commit(self, observation: Observation, decision: Decision) -> None:
        """Remembers nothing."""


def _decision(skill: int, running: int) -> Decision:
    """Returns the decision to run a skill: to continue it, to begin it, or to interrupt another one for it."""
    if skill == running:
        return Decision(skill)
    return Decision(skill, chosen=True, replanned=running != constants.NO_SKILL)
