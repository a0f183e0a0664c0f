"""Planners of skills: what a planning agent needs of one, and the rollout planner at play.

The rollout planner's decisions depend on seed, player and step only, so that forks and replays continue as the game
did. It always computes with compiled kernels: plain ones would take minutes for a decision.
"""

from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np

from bba.agents.base import Decision, EpisodeContext, Observation
from bba.agents.kernel_policy import Chooser
from bba.agents.learned.weights import planning_networks
from bba.agents.planner_names import ROLLOUT
from bba.agents.waiting import Wait
from bba.belief import (
    COMPLEMENTS,
    NO_ROLE,
    ROLE_NAMES,
    ROLE_SKILLS,
    BeliefUpdate,
    HypothesisSpace,
    Tendencies,
    TypeBelief,
    likeliest,
)
from bba.config import RolloutOptions
from bba.kitchen import (
    COMPLETED,
    EVENT,
    FACING,
    HELD,
    POSITION,
    STEP,
    Float64Array,
    Kitchen,
    StateVector,
    constants,
    grid_of,
    hash_random,
)
from bba.planner import (
    NUMBERED_SKILLS,
    BeliefView,
    Comparison,
    Planner,
    PlannerInput,
    SkillComparer,
    at,
    read_judgement,
    stations_of,
)


class PartnerBelief(NamedTuple):
    """What a planner is told of the partner.

    Attributes:
        hypotheses: Ψ.
        update: the belief after the partner's last action.
        gamma_conf: Γ, the confidence from which the MAP counts.
        tendencies: how the partner differs from the behaviour network; None if that is not learned.
        types: who the partner is; None if the belief is not over that.
    """

    hypotheses: HypothesisSpace
    update: BeliefUpdate
    gamma_conf: float
    tendencies: Tendencies | None = None
    types: TypeBelief | None = None

    @property
    def confident_role(self) -> int:
        """The partner's likeliest role; NO_ROLE if that is not clear."""
        by_role = self.hypotheses.by_role(self.update.posterior)
        best = likeliest(by_role)
        return best if by_role[best] >= self.gamma_conf else NO_ROLE

    def by_skill(self, prior: Float64Array) -> Float64Array:
        """Returns the probability of each skill, (27,); a role's is shared among its skills by `prior` (27,).

        An idle partner waits.
        """
        posterior = self.update.posterior
        hypothesis = self.hypotheses.hypothesis_of_skill
        busy = np.zeros(constants.N_SKILLS)
        weights = prior if len(posterior) == len(ROLE_NAMES) else np.ones(constants.N_SKILLS)
        for number, probability in enumerate(posterior):
            mass = np.where(hypothesis == number, weights, 0.0)
            if mass.any():
                busy += probability * mass / mass.sum()
        idle = 0.0 if self.tendencies is None else self.tendencies.idle
        by_skill = (1 - idle) * busy
        by_skill[constants.SKILL_STAY] += idle
        return by_skill


Shown = tuple[HypothesisSpace, float]  # Ψ and Γ of the belief that a prompt shows


class SkillPlanner:
    """What chooses the skills of a planning agent.

    Attributes:
        name: in results and recordings, such as "scripted".
        rollout: the options of the rollout planner; None for any other.
    """

    name: str
    rollout: RolloutOptions | None = None

    @property
    def ready(self) -> bool:
        """Whether it can decide at once, as in `bba.agents.base.Preparable`."""
        return True

    def prepare(self) -> None:
        """Compiles or loads what it needs; called during an episode."""

    def reset(self, context: EpisodeContext) -> None:
        """Begins an episode.

        Raises:
            BBAError: it cannot plan in this kitchen.
        """

    def copy(self) -> Self:
        """Returns an independent planner in the same state."""
        return copy(self)

    def observe(self, observation: Observation) -> None:
        """Takes in what the last step showed."""

    def plan(self, observation: Observation, belief: PartnerBelief | None) -> Decision:
        """Chooses a skill; nothing changes until the decision is committed.

        Raises:
            BBAError: it cannot decide, now or later.
        """
        raise NotImplementedError

    def judge(self, observation: Observation, belief: PartnerBelief | None) -> Decision:
        """Says whether another skill should replace the running one: the decision is `replanned` if so.

        Raises:
            BBAError: it cannot decide, now or later.
        """
        raise NotImplementedError

    def compare(self, observation: Observation, belief: PartnerBelief | None) -> Decision:
        """Says whether another skill is worth more than the running one: the decision is `replanned` if so.

        A planner that cannot tell judges instead. Errors are as of `judge`.
        """
        return self.judge(observation, belief)

    def commit(self, observation: Observation, decision: Decision) -> None:
        """Takes over the decision of this step."""

    def chooser(self, shown: Shown | None, wait: Wait, *, asks_always: bool) -> Chooser | None:
        """Returns what chooses in a kernel as this planner does, for the rest of the episode; None if nothing can.

        Args:
            shown: of the agent's belief; None if the prompt shows none.
            wait: what the cook was asked about, if it waits.
            asks_always: whether a waiting cook is asked in every step.
        """


UNUSABLE_JUDGEMENT = "it says neither REPLAN nor CONTINUE, or both"
MODERATE_CONFIDENCE = 0.45  # the confidence from which a belief below Γ is called moderate in the prompt


class PromptPlanner(SkillPlanner):
    """Asks a chat planner.

    Args:
        planner: the chat with a model.
        name: the model's name.
    """

    def __init__(self, planner: Planner, name: str) -> None:
        self.name = name
        self._planner = planner

    def reset(self, context: EpisodeContext) -> None:  # noqa: ARG002 - the chat does not depend on the episode
        """Begins an episode with an empty history."""
        self._planner.reset()

    def copy(self) -> Self:
        """Returns an independent planner with the same history."""
        clone = copy(self)
        clone._planner = self._planner.copy()
        return clone

    def plan(self, observation: Observation, belief: PartnerBelief | None) -> Decision:
        """Asks for a skill.

        Raises:
            BBAError: the model will not answer.
        """
        call = self._planner.decide(planner_input(observation, belief))
        return Decision(call.skill, chosen=True, calls=(call,))

    def judge(self, observation: Observation, belief: PartnerBelief | None) -> Decision:
        """Asks whether to replan; if no response can be parsed, after all retries, the skill continues.

        Raises:
            BBAError: the model will not answer.
        """
        call = self._planner.ask(
            "judge",
            planner_input(observation, belief),
            lambda answer: None if read_judgement(answer) is not None else UNUSABLE_JUDGEMENT,
            **judge_values(observation),
        )
        replans = call.problem is None and read_judgement(call.response) is True
        return Decision(observation.running, replanned=replans, calls=(call,))

    def commit(self, observation: Observation, decision: Decision) -> None:  # noqa: ARG002 - the plan says it all
        """Adds the plan to the history."""
        if decision.plan is not None:
            self._planner.commit(decision.plan)


def planner_input(observation: Observation, belief: PartnerBelief | None) -> PlannerInput:
    """Returns what a model is told, with the belief if there is one."""
    return PlannerInput(
        scene=observation.scene(),
        player=observation.player,
        stations=stations_of(observation.layout),
        feasible=observation.feasible(),
        belief=belief and belief_view(belief, observation),
        timing=observation.layout.timing,
        plates=observation.layout.plates,
    )


def belief_view(belief: PartnerBelief, observation: Observation) -> BeliefView:
    """Returns the belief over roles as the prompt shows it."""
    posterior = belief.hypotheses.by_role(belief.update.posterior)
    role = likeliest(posterior)
    confident = belief.confident_role == role
    return BeliefView(
        roles=ROLE_NAMES,
        posterior=posterior,
        map_index=role,
        confidence=posterior[role],
        stable_updates=belief.update.stable_updates,
        confident=confident,
        heading=partner_destination(observation, role) if confident else None,
        complements=tuple(ROLE_NAMES[complement] for complement in COMPLEMENTS[role]),
        moderate=not confident and posterior[role] >= MODERATE_CONFIDENCE,
    )


def partner_destination(observation: Observation, role: int) -> str | None:
    """Returns kind and position of the nearest work of a partner in this role; None if it has none."""
    partner = 1 - observation.player
    layout = observation.layout
    grid = grid_of(layout)
    targets = observation.targets(partner)
    position = observation.state[POSITION + partner]
    reachable = [targets[skill] for skill in ROLE_SKILLS[role] if targets[skill] >= 0]
    if not reachable:
        return None
    nearest = min(reachable, key=lambda target: (grid.distance_to_adjacent[target, position], target))
    return f"{constants.TILE_NAMES[grid.kind[nearest]]} ({nearest % layout.width},{nearest // layout.width})"


def judge_values(observation: Observation) -> dict[str, object]:
    """Returns what the judge is told besides the scene: of the partner one step ago what a scene says, and its work."""
    state = observation.before
    partner = 1 - observation.player
    width = observation.layout.width
    assert state is not None  # nobody runs a skill in the first step
    tile = int(state[POSITION + partner])
    facing = constants.ACTION_NAMES[state[FACING + partner]]
    text = f"P{partner} pos={at((tile % width, tile // width))} or={facing} hold={held_name(state, partner)}"
    event = describe_event(observation.state, partner)
    if event:
        text += f"; since then it {event}"
    return {"skill": NUMBERED_SKILLS[observation.running], "age": observation.age, "before": f"{text}."}


def describe_event(state: StateVector, player: int) -> str:
    """Describes what a player did at a station in the last step; "" if it did nothing there.

    For example ``completed 8:GRAB_MEAT, holds meat``.
    """
    skill = int(state[EVENT + player])
    if skill == constants.NO_SKILL:
        return ""
    how = "completed" if state[COMPLETED + player] else "went on with"
    return f"{how} {skill}:{constants.SKILL_NAMES[skill]}, holds {held_name(state, player)}"


def held_name(state: StateVector, player: int) -> str:
    """Returns the name in prompts of the item that a player holds."""
    return constants.ITEM_NAMES.get(int(state[HELD + player]), "nothing")


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
        certain = np.eye(constants.N_SKILLS)[constants.SKILL_STAY]
        self._new_comparer().compare(state, self._context.player, constants.NO_SKILL, 0, certain, 0)

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
        clone = copy(self)
        clone._comparer = clone._new_comparer()
        return clone

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
        partner: Float64Array | TypeBelief | None = None
        tendencies = None
        if belief is not None:
            partner = belief.types
            tendencies = belief.tendencies
            if partner is None:
                prior = self._comparer.behaviour.probabilities(observation.state, 1 - observation.player)
                partner = belief.by_skill(prior)
        key = hash_random(self._key, int(observation.state[STEP])) >> 1
        running = observation.running
        age = observation.age if running != constants.NO_SKILL else 0
        return self._comparer.compare(observation.state, observation.player, running, age, partner, key, tendencies)
