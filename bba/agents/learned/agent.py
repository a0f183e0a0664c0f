"""Agents with a learned policy: partners with preferences, GAMMA and TALENTS, clones of people; and any function.

When no skill is running, one is drawn from the policy's probabilities over the feasible skills. The draw depends only
on seed, player and step, so that forks and replays continue as the game did.

A clone of people: a policy over skills that was learned from their recordings, with their pauses.

Its policy sees the observation and the role of its last work, so that it keeps to a role and changes it as often as the
people did. Before each skill it pauses: a length is drawn from the pauses that people made before work in their last
role, or before work in another one. People's idle steps within a skill are counted as part of the pause before it.
Everything drawn depends on seed, player and step only, so that forks and replays continue as the game did.

An agent that plays a policy as the environments see it: a function of an observation vector and an action mask.
"""

from collections.abc import Callable, Reversible
from copy import copy
from functools import partial
from pathlib import Path

import numpy as np

from bba.agents.base import Decision, EpisodeContext, Memoryless, Observation, PolicyOutput, Profile, to_run
from bba.agents.kernel_policy import Chooser, KernelChoice, KernelPolicy
from bba.agents.learned.policy import (
    ClusterPosterior,
    Mask,
    ObservationEncoder,
    PolicySampler,
    feasible_mask,
    forward,
    masked_softmax,
    sample_index,
)
from bba.agents.learned.weights import weights_for
from bba.agents.skill_policy import DRAWS, SkillPolicy, new_numbers, no_policy
from bba.belief.roles import NO_ROLE, ROLE_NAMES, ROLE_OF_SKILL, STAGE_PASS
from bba.errors import BBAError
from bba.kitchen import (
    STEP,
    Float32Array,
    StateVector,
    constants,
    grid_of,
    hash_random,
    observation_size,
)
from bba.planner.rollout.networks import Network

OUTPUT_DIGITS = 4  # of the probabilities in a policy's output
PLAYER_KEYS = 2  # the first random key of the two players; 0 and 1 are used elsewhere (`numpy` reads [seed, 0] as seed)
NOTHING_DRAWN = partial(Decision, constants.NO_SKILL)  # before the first choice


class PolicyChooser(Chooser):
    """Draws in a kernel what an agent's policy draws.

    Args:
        policy: how the kernel draws.
        agent: whose policy it is.
    """

    draws = True

    def __init__(self, policy: SkillPolicy, agent: "LearnedAgent") -> None:
        super().__init__(policy)
        self._agent = agent
        self._episode = agent.as_shown()
        self._before = agent.last

    def record(self, choices: Reversible[KernelChoice], states: StateVector) -> None:
        """Tells the agent what it saw, and what it drew last."""
        # not itself, which remembers the choice before
        agent = self._agent
        episode = self._episode
        agent.learn(states)
        last = next(reversed(choices), None)
        if last is not None:
            agent.remember(partial(lambda choice: episode.draw(choice.observation()), last))
            self.chose = True

    def decision(self, choice: KernelChoice) -> Decision:
        """Returns the agent's decision, computed once more."""
        return self._episode.draw(choice.observation())

    def policy_at(self, step: int, choice: KernelChoice | None) -> PolicyOutput:
        """Returns what is shown of the policy after a kernel's choice; after the agent's own before it for None."""
        return self._episode.output(self._before() if choice is None else self.decision(choice), step)


class LearnedAgent(Memoryless):
    """Plays a policy from a file.

    Args:
        name: the agent's name, such as ``bp:G1-1``.
        folder: with its weights; None for those that ship with the project.
    """

    drawn_by_kernel = True  # whether its policy sees the observation alone, and chooses among all feasible skills

    def __init__(self, name: str, folder: Path | None = None) -> None:
        self.profile = Profile(name)
        self._name = name
        self._folder = folder

    def reset(self, context: EpisodeContext) -> None:
        """Begins an episode with the weights for its layout.

        Raises:
            BBAError: there are none, or they cannot be used here.
        """
        weights = weights_for(self._name, context.layout, self._folder)
        self._weights = weights
        self._policy = weights.policy
        self._encoder = ObservationEncoder(context.layout, fast=context.fast)
        clusters = weights.clusters
        self._clusters = ClusterPosterior(clusters, 1 - context.player, self._encoder) if clusters else None
        self._key = int(np.random.SeedSequence([context.seed, PLAYER_KEYS + context.player]).generate_state(1)[0])
        self.last: Callable[[], Decision] = NOTHING_DRAWN
        self._kernel_policy: KernelPolicy | None = None  # since the last choice
        self._compiled = no_policy()
        in_layers = len(weights.policy) == len(Network._fields) // 2
        if self.drawn_by_kernel and context.fast and in_layers and (clusters is None or clusters.can_be_followed):
            size = observation_size(grid_of(context.layout))
            numbers = new_numbers(DRAWS, context.player, context.layout.width)
            sampler = PolicySampler.of(weights.policy, size, self._key, clusters)
            self._compiled = no_policy()._replace(numbers=numbers, sampler=sampler)
        self.episode = copy(self)  # which computes what a trace shows, whatever the agent plays later

    def as_shown(self) -> "LearnedAgent":
        """Returns what computes the choices of the present that a trace shows."""
        return self.episode

    def observe(self, observation: Observation) -> None:
        """Updates the posterior over the partner's clusters, if the policy has them."""
        self.learn(observation.state[None])

    def learn(self, states: StateVector) -> None:
        """Takes in states that follow one another, (n, S), and tells a kernel what it lacks."""
        if self._clusters is not None:
            self._clusters.observe(states)
            self._clusters.tell(self._compiled.sampler)

    def kernel_policy(self, played: int) -> KernelPolicy:  # noqa: ARG002 - its schedule, if any, is another class's
        """Returns what it does by itself."""
        if self._kernel_policy is None:
            self._kernel_policy = KernelPolicy(chooser=PolicyChooser(self._compiled, self))
        return self._kernel_policy

    def decide(self, observation: Observation) -> Decision:
        """Continues the running skill; draws one if none is running."""
        if observation.running == constants.NO_SKILL:
            return self.draw(observation)
        return self._continue(observation)

    def commit(self, observation: Observation, decision: Decision) -> None:  # noqa: ARG002 - only the policy counts
        """Remembers its last choice, whose probabilities it shows."""
        self.remember(partial(Decision, *decision))

    def remember(self, last: Callable[[], Decision]) -> None:
        """Remembers its last choice, which may be computed when somebody looks."""
        self.last = last
        self._kernel_policy = None

    def draw(self, observation: Observation) -> Decision:
        """Chooses a skill by the policy's probabilities."""
        step = int(observation.state[STEP])
        encoded = self._encoder.of(observation.state)[observation.player]
        logits = forward(self._policy, self._inputs(encoded, step))
        probabilities = masked_softmax(logits, self._mask(observation, encoded))
        skill = sample_index(probabilities, hash_random(self._key, step) / 2**32)
        return Decision(skill, chosen=True, policy=PolicyOutput(rounded(probabilities), self._shown(step)))

    def output(self, last: Decision, step: int) -> PolicyOutput:
        """Returns what the policy shows in a step: the probabilities of its last choice, and its clusters' weights."""
        return PolicyOutput(last.policy.probabilities if last.policy else (), self._shown(step))

    def _shown(self, step: int) -> tuple[float, ...]:
        return () if self._clusters is None else rounded(self._clusters.weights_at(step))

    def _continue(self, observation: Observation) -> Decision:
        return Decision(observation.running, policy=self.output(self.last(), int(observation.state[STEP])))

    def _mask(self, observation: Observation, encoded: Float32Array) -> Mask:  # noqa: ARG002 - a locked one has a role
        """Returns the skills among which the policy chooses, (27,), of which at least one is True."""
        return feasible_mask(encoded)

    def _inputs(self, encoded: Float32Array, step: int) -> Float32Array:
        """Returns the policy's inputs: the observation and, with clusters, the one-hot of the most likely one."""
        if self._clusters is None:
            return encoded
        weights = self._clusters.weights_at(step)
        one_hot = np.zeros(len(weights), np.float32)
        one_hot[weights.argmax()] = 1
        return np.concatenate([encoded, one_hot])


def rounded(probabilities: np.ndarray) -> tuple[float, ...]:
    """Returns probabilities with the few digits that are shown, which a recording keeps exactly."""
    return tuple(probabilities.astype(np.float64).round(OUTPUT_DIGITS).tolist())


PAUSE_KEYS = 4  # the first random key of the two players' pauses; the smaller ones are used elsewhere
PAUSE_NOTE = "pauses as people do"


class HumanClone(LearnedAgent):
    """Plays what was learned from the people of a study."""

    drawn_by_kernel = False

    def reset(self, context: EpisodeContext) -> None:
        """Begins an episode with the weights for its layout.

        Raises:
            BBAError: there are none, or they cannot be used here.
        """
        super().reset(context)
        pauses = self._weights.pauses
        assert pauses is not None  # the reader requires it of this kind
        self._pauses = pauses
        self._role = NO_ROLE
        self._left: int | None = None  # steps of the pause that are left; None if none was drawn since the last skill
        self._pause_key = int(np.random.SeedSequence([context.seed, PAUSE_KEYS + context.player]).generate_state(1)[0])

    def decide(self, observation: Observation) -> Decision:
        """Continues the running skill; if none is running, pauses, then draws one."""
        if observation.running != constants.NO_SKILL:
            return self._continue(observation)
        drawn = self.draw(observation)
        if self._pause_before(observation, drawn.skill) > 0:
            return Decision(constants.SKILL_STAY, chosen=True, note=PAUSE_NOTE, policy=drawn.policy)
        return drawn

    def commit(self, observation: Observation, decision: Decision) -> None:
        """Remembers the role that it works in, and how long its pause still is."""
        super().commit(observation, decision)
        if not decision.chosen:
            return
        if decision.note == PAUSE_NOTE:
            self._left = self._pause_before(observation, self.draw(observation).skill) - 1
        else:
            self._left = None
            self._role = role_after(self._role, decision.skill)

    def _pause_before(self, observation: Observation, skill: int) -> int:
        """Returns how many steps the pause before this skill lasts from now on."""
        if self._left is not None:
            return self._left
        row = int(is_switch(self._role, role_after(self._role, skill)))
        return sample_index(self._pauses[row], hash_random(self._pause_key, int(observation.state[STEP])) / 2**32)

    def _mask(self, observation: Observation, encoded: Float32Array) -> Mask:  # noqa: ARG002 - as its base
        return work_mask(feasible_mask(encoded))

    def _inputs(self, encoded: Float32Array, step: int) -> Float32Array:  # noqa: ARG002 - it has no clusters
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


Act = Callable[[Float32Array, Mask], int]
ACTION_LEVELS = ("primitive", "skill", "option")


class PolicyAgent(Memoryless):
    """Plays what a function chooses, in every step, as `bba.gym_env` and `bba.parallel_env` carry it out.

    At the level "skill" the running skill continues if the function names it again; another one takes its place. At the
    level "option" the function is asked only when no skill runs. An infeasible one counts as STAY. It has no plan, so
    that another choice is no replan.

    Args:
        act: is given the observation, float32 (size,), and the mask, booleans (27,) or (6,); returns an action: a skill
            0 to 26, or a primitive action 0 to 5. The same action for the same observation, so that a game can be
            repeated, copied and forked.
        name: what it is called in traces and recordings.
        level: "skill", "option" or "primitive".

    Raises:
        BBAError: another level.
    """

    def __init__(self, act: Act, name: str = "policy", level: str = "skill") -> None:
        if level not in ACTION_LEVELS:
            raise BBAError(f"level: {level!r} is not allowed; primitive, skill or option")
        self.profile = Profile(name)
        self._act = act
        self._level = level

    def reset(self, context: EpisodeContext) -> None:
        """Begins an episode."""
        self._encoder = ObservationEncoder(context.layout, fast=context.fast)

    def kernel_policy(self, played: int) -> KernelPolicy | None:  # noqa: ARG002 - it is the same at any time
        """Returns that it goes on with its skill at the level "option"; None at others: it chooses in each step."""
        return KernelPolicy() if self._level == "option" else None

    def decide(self, observation: Observation) -> Decision:
        """Returns what the function chooses, as a decision.

        Raises:
            ValueError: an action outside its range.
        """
        if self._level == "option" and observation.running != constants.NO_SKILL:
            return Decision(observation.running)
        encoded = self._encoder.of(observation.state)[observation.player]
        feasible = feasible_mask(encoded)
        mask = np.ones(constants.N_ACTIONS, np.bool_) if self._level == "primitive" else feasible
        action = int(self._act(encoded, mask))
        if not 0 <= action < len(mask):
            raise ValueError(f"{self.profile.agent} chose action {action}; each must be 0 to {len(mask) - 1}")
        if self._level == "primitive":
            return Decision(constants.NO_SKILL, action=action)
        return to_run(action if feasible[action] else constants.SKILL_STAY, observation.running)
