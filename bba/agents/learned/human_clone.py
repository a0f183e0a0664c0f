"""A clone of people: a policy over skills that was learned from their recordings, with their pauses.

Its policy sees the observation and the role of its last work, so that it keeps to a role and changes it as often as the
people did. Before each skill it pauses: a length is drawn from the pauses that people made before work in their last
role, or before work in another one. People's idle steps within a skill are counted as part of the pause before it.
Everything drawn depends on seed, player and step only, so that forks and replays continue as the game did.
"""

import numpy as np

from bba.agents.base import Decision, EpisodeContext, Observation
from bba.agents.learned.agent import LearnedAgent
from bba.agents.learned.policy import Mask, feasible_mask, sample_index
from bba.belief import NO_ROLE, ROLE_NAMES, ROLE_OF_SKILL
from bba.belief.roles import STAGE_PASS
from bba.kitchen import constants
from bba.kitchen.observation import Float32Array
from bba.kitchen.rules import hash_random
from bba.kitchen.state import STEP

PAUSES = 4  # the first random key of the two players' pauses; the smaller ones are used elsewhere
PAUSE = "pauses as people do"


class HumanClone(LearnedAgent):
    """Plays what was learned from the people of a study."""

    def reset(self, context: EpisodeContext) -> None:
        """Begins an episode with the weights for its layout.

        Raises:
            BBAError: there are none, or they cannot be used here.
        """
        super().reset(context)
        pauses = self._weights.pauses
        assert pauses is not None  # the reader requires it of this kind
        self._pauses, self._role = pauses, NO_ROLE
        self._left: int | None = None  # steps of the pause that are left; None if none was drawn since the last skill
        self._pause_key = int(np.random.SeedSequence([context.seed, PAUSES + context.player]).generate_state(1)[0])

    def decide(self, observation: Observation) -> Decision:
        """Continues the running skill; if none is running, pauses, then draws one."""
        if observation.running != constants.NO_SKILL:
            return self._continue(observation)
        drawn = self._draw(observation)
        if self._pause_before(observation, drawn.skill) > 0:
            return Decision(constants.SKILL_STAY, chosen=True, note=PAUSE, policy=drawn.policy)
        return drawn

    def commit(self, observation: Observation, decision: Decision) -> None:
        """Remembers the role that it works in, and how long its pause still is."""
        super().commit(observation, decision)
        if not decision.chosen:
            return
        if decision.note == PAUSE:
            self._left = self._pause_before(observation, self._draw(observation).skill) - 1
        else:
            self._left, self._role = None, role_after(self._role, decision.skill)

    def _pause_before(self, observation: Observation, skill: int) -> int:
        """Returns how many steps the pause before this skill lasts from now on."""
        if self._left is not None:
            return self._left
        row = int(is_switch(self._role, role_after(self._role, skill)))
        return sample_index(self._pauses[row], hash_random(self._pause_key, int(observation.state[STEP])) / 2**32)

    def _mask(self, observation: Observation, encoded: Float32Array) -> Mask:  # noqa: ARG002 - as its base
        return work_mask(feasible_mask(encoded))

    def _inputs(self, encoded: Float32Array) -> Float32Array:
        return with_last_role(encoded, self._role)


def with_last_role(encoded: Float32Array, role: int) -> Float32Array:
    """Returns a clone's inputs: an observation (size,), and the last role as a one-hot whose last place is for none."""
    one_hot = np.zeros(len(ROLE_NAMES) + 1, np.float32)
    one_hot[role] = 1
    return np.concatenate([encoded, one_hot])


def role_after(before: int, skill: int) -> int:
    """Returns the role of the last work once a skill was chosen; passing, fires and waiting belong to it."""
    role = ROLE_OF_SKILL[skill]
    return before if role in (NO_ROLE, STAGE_PASS) else role


def is_switch(before: int, after: int) -> bool:
    """Returns whether the role of the last work changed; the first one is no change."""
    return before not in (NO_ROLE, after)


def work_mask(feasible: Mask) -> Mask:
    """Returns the feasible skills (…, 27) without STAY, which is a pause; STAY alone where nothing else is feasible."""
    mask = feasible.copy()
    mask[..., constants.SKILL_STAY] = ~np.delete(feasible, constants.SKILL_STAY, axis=-1).any(axis=-1)
    return mask
