"""The protocols of agents, and what passes between them and a game: contexts, observations and decisions.

An episode begins with `reset`. In every step the game calls `observe`, then `decide` (or takes a recorded decision
instead), then `commit`. Only `decide` may take long; it can be called again if it fails.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple, Protocol, Self, runtime_checkable

import numpy as np
from pydantic import AfterValidator, Field
from typing_extensions import deprecated

from bba.belief import (
    ROLE_NAMES,
    BeliefUpdate,
    CommitmentGateResult,
    GateResult,
    HypothesisSpace,
    PartnerUpdate,
    StayModel,
    Tendencies,
    TypeBelief,
    role_likelihoods,
)
from bba.config import SKILL_TIMEOUT, Ask, BeliefConfig, Knowledge, RolloutOptions, Share, StepsOrNone, TriggerName
from bba.errors import BBAError
from bba.kernels import is_loaded, maybe_compiled
from bba.kitchen import STEP, Float64Array, Layout, Scene, StateVector, constants, grid_of, scene_of, skills
from bba.planner.chat import LLMCall
from bba.planner.rollout.futures import Comparison
from bba.plugins.used import UsedPlugin, find_used
from bba.validation import PluginText

THINKING = "thinking"  # the note of a step in which an agent waits for its planner
CHANCE = "chance"  # agents that draw their skills at random
THRASHING = "thrashing"
RANDOM_AGENTS = (CHANCE, THRASHING)
WAITING = "waits: nothing has changed"  # the note of a step in which an agent stays without asking its planner
MAX_CLUSTERS = 1000
RoleNumber = Annotated[int, Field(ge=0, lt=len(ROLE_NAMES))]
Schedule = tuple[tuple[StepsOrNone, RoleNumber], ...]  # (from step, role) in order, starting at step 0
Belief = PartnerUpdate  # about the partner, with the results of both gates


def _one_per_skill(probabilities: tuple[float, ...]) -> tuple[float, ...]:
    if len(probabilities) not in (0, constants.N_SKILLS):
        raise ValueError(f"{len(probabilities)} of them; one a skill ({constants.N_SKILLS}) or none")
    return probabilities


@dataclass(frozen=True, slots=True)
class PolicyOutput:
    """What a learned policy computed. The annotations are the limits that a recording is validated against.

    Attributes:
        probabilities: of the 27 skills when it chose the running one; () if it did not choose the running skill.
        clusters: the weight of each partner cluster now; () for a policy without clusters.
    """

    probabilities: Annotated[tuple[Share, ...], AfterValidator(_one_per_skill)] = ()
    clusters: Annotated[tuple[Share, ...], Field(max_length=MAX_CLUSTERS)] = ()


class Decision(NamedTuple):
    """What an agent decides in one step, and what led to it.

    Attributes:
        skill: the skill to run from now on, which may be the running one; NO_SKILL for a primitive action.
        action: the primitive action of a person; None for agents that play by skills.
        chosen: whether the skill was chosen anew, even if it is the same one.
        replanned: whether the agent interrupted its running skill to ask its planner again. An agent without a planner
            (`Profile.plans`) has no plan to interrupt: another choice of it is `chosen`, and no replan.
        belief: the agent's belief after its update; None if it has none. The game sets it.
        gate: the gate's result on it; None if it has no gate, and at the first step. The game sets it.
        calls: the calls of its language model in this step, in order.
        scheduled_role: the role of a scripted partner by its schedule; None for others.
        declared_role: the role that a person declares in this step; None if it declares none.
        note: a few words for the trace, such as why a scripted partner works in another role.
        policy: the output of a learned policy, also while a skill runs; None for others.
        commitment_gate: the commitment gate's result, as `gate`. The game sets it.
        comparison: of skills by the rollout planner, if it was asked in this step.
    """

    skill: int = constants.NO_SKILL
    action: int | None = None
    chosen: bool = False
    replanned: bool = False
    belief: BeliefUpdate | None = None
    gate: GateResult | None = None
    calls: tuple[LLMCall, ...] = ()
    scheduled_role: int | None = None
    declared_role: int | None = None
    note: str = ""
    policy: PolicyOutput | None = None
    commitment_gate: CommitmentGateResult | None = None
    comparison: Comparison | None = None

    def with_belief(self, belief: Belief | None) -> "Decision":
        """Returns it with what the agent believes, gates included; None for an agent without a belief."""
        if belief is None:
            return self._replace(belief=None, gate=None, commitment_gate=None)
        return self._replace(belief=belief.belief, gate=belief.gate, commitment_gate=belief.commitment_gate)

    @property
    def plan(self) -> LLMCall | None:
        """The call that chose the skill; None if no model was asked for it in this step."""
        return next((call for call in self.calls if call.kind == "plan" and not call.late), None)

    @property
    def thinking(self) -> bool:
        """Whether the agent stays because its planner has not answered yet."""
        return self.note == THINKING

    @property
    def waiting(self) -> bool:
        """Whether the agent stays without asking its planner, which chose that before (`bba.agents.waiting`)."""
        return self.note == WAITING

    @property
    def deliberate(self) -> bool:
        """Whether the agent chose a skill by what it believes now; STAY while its planner thinks is no such choice."""
        return self.chosen and not self.thinking and not self.waiting

    @property
    @deprecated("commits is deliberate now; the old name goes with the next release")
    def commits(self) -> bool:
        """The old name of `deliberate`."""
        return self.deliberate

    @property
    @deprecated("commitment is commitment_gate now; the old name goes with the next release")
    def commitment(self) -> CommitmentGateResult | None:
        """The old name of `commitment_gate`."""
        return self.commitment_gate


def to_run(skill: int, running: int) -> Decision:
    """Returns the choice of a skill by an agent without a planner: to continue it, or to begin it, whatever runs."""
    return Decision(skill) if skill == running else Decision(skill, chosen=True)


@dataclass(frozen=True, slots=True)
class EpisodeContext:
    """What an agent is told when an episode begins.

    Attributes:
        player: its index, 0 or 1.
        layout: the kitchen.
        seed: of the agent's own random draws, if it has any.
        partner_stay_model: how to read STAY actions of the partner.
        partner_mobility: the chance that a step of the partner is carried out, 0 to 1.
        fast: whether to compute with compiled kernels.
        skill_timeout: steps after which a skill ends unfinished.
    """

    player: int
    layout: Layout
    seed: int
    partner_stay_model: StayModel
    fast: bool
    skill_timeout: int = SKILL_TIMEOUT
    partner_mobility: float = 1.0

    def scene(self, state: StateVector) -> Scene:
        """Returns a state of the game, decoded."""
        return scene_of(self.layout, state)

    def role_likelihoods(self, before: StateVector, state: StateVector) -> Float64Array:
        """Returns how likely the partner's action between two states is under each role, (6,), above 0."""
        partner = 1 - self.player
        stay_model = self.partner_stay_model
        return role_likelihoods(self.layout, before, state, partner, stay_model=stay_model, fast=self.fast)


class Observation(NamedTuple):
    """What one player knows when it decides: the public state before and after the last step, and its own skill.

    Attributes:
        player: the deciding player, 0 or 1.
        layout: the kitchen.
        before: the state one step ago; None at the first step.
        state: the state now.
        running: the skill that this player is running; NO_SKILL if it has to choose one.
        age: the number of steps for which it has been running.
        ended: how its last skill ended (`constants.END_NAMES`), if it has to choose.
        fast: whether to compute with compiled kernels.
    """

    player: int
    layout: Layout
    before: StateVector | None
    state: StateVector
    running: int
    age: int
    ended: int
    fast: bool

    def __repr__(self) -> str:
        skill = None if self.running == constants.NO_SKILL else constants.SKILL_NAMES[self.running]
        return f"Observation(player={self.player}, layout={self.layout.name!r}, step={self.step}, running={skill!r})"

    @property
    def step(self) -> int:
        """The number of the step that is to be played, from 1."""
        return int(self.state[STEP]) + 1

    def scene(self) -> Scene:
        """Returns the public state, decoded."""
        return scene_of(self.layout, self.state)

    def targets(self, player: int) -> list[int]:
        """Returns the target tile of each of the 27 skills for a player, -1 if the skill is infeasible."""
        target = np.empty(constants.N_SKILLS, np.int32)
        distance = np.empty(constants.N_SKILLS, np.int32)
        kernel = skills.feasible_targets
        # A first choice does not wait for the compiler: whom it asks may be dead, and then the game ends here.
        fast = self.fast and (self.before is not None or is_loaded(kernel))
        maybe_compiled(kernel, fast=fast)(grid_of(self.layout), self.state, player, target, distance)
        return target.tolist()

    def feasible(self) -> tuple[int, ...]:
        """Returns the skills that this player could start now, ascending."""
        return tuple(skill for skill, target in enumerate(self.targets(self.player)) if target >= 0)


@dataclass(frozen=True, slots=True)
class Profile:
    """What an agent is: identifies it in results, and suffices to make another one like it.

    The annotations are the limits that files are validated against.

    Attributes:
        agent: its name in the registry.
        planner: the name of its planner, such as "scripted"; None if it has none.
        belief_config: the parameters of its belief and gates; None if it has none.
        schedule: the roles of a switching partner, if they were given; None if they are drawn from the seed.
        ask: when its planner is asked again while it waits; None without a planner, and in older files, for "always".
        trigger: what interrupts its skills, if not what its name stands for.
        rollout: the options of the rollout planner that plans for it, or judges for a model; None without one.
        oracle: what it is told of its partner in the place of a belief (`bba.play.oracle`); True for the policy.
        plugins: the plug-ins among agent, planner, trigger and partner model.
    """

    agent: PluginText
    planner: PluginText | None = None
    belief_config: BeliefConfig | None = None
    schedule: Schedule | None = None
    ask: Ask | None = None
    trigger: TriggerName | None = None
    rollout: RolloutOptions | None = None
    oracle: bool | Knowledge = False
    plugins: tuple[UsedPlugin, ...] = ()

    @property
    def plans(self) -> bool:
        """Whether it replans: it has a planner, which can be asked again before a skill has ended, or draws skills."""
        return self.planner is not None or self.agent in RANDOM_AGENTS

    @property
    def label(self) -> str:
        """The agent's name as people read it: it says what sets its games apart."""
        if self.oracle:
            truth = "truth" if self.knows == "policy" else self.knows
            return f"{self.agent} (told the {truth})"
        plugin = find_used(self.plugins, "agent")
        return self.agent if plugin is None else plugin.label

    @property
    def knows(self) -> Knowledge | None:
        """What it is told of its partner; None if it is told nothing."""
        return "policy" if self.oracle is True else self.oracle or None

    @property
    def repeatable(self) -> bool:
        """Whether its decisions do not depend on how fast the machine is: its planner has no budget in milliseconds."""
        return self.rollout is None or self.rollout.budget_ms is None

    @property
    def effective_ask(self) -> Ask | None:
        """When its planner is asked again while it waits, in older files too; None without a planner."""
        return self.ask or ("always" if self.planner else None)


class Agent(Protocol):
    """Protocol of a player: a planner, a learned policy, a script or a person."""

    @property
    def profile(self) -> Profile:
        """What the agent is."""

    def reset(self, context: EpisodeContext) -> None:
        """Begins an episode with nothing known of earlier ones."""

    def observe(self, observation: Observation) -> Belief | None:
        """Takes in what the last step showed. Called exactly once a step, in order, before `decide`.

        Returns:
            The belief about the partner after its update; None for an agent without a belief.
        """

    def decide(self, observation: Observation) -> Decision:
        """Chooses what to do in this step, without changing belief or memory.

        Raises:
            BBAError: it cannot decide; it may be asked again.
        """

    def commit(self, observation: Observation, decision: Decision) -> None:
        """Takes over the decision of this step: its own, or a recorded one that may be another agent's."""


class Memoryless:
    """Base class of an agent that has no belief, and whose decisions do not depend on earlier ones."""

    def observe(self, observation: Observation) -> Belief | None:  # noqa: ARG002 - what it shows is forgotten
        """Takes in nothing."""
        return None

    def accept_belief(self, belief: Belief) -> None:
        """Takes in nothing."""

    def commit(self, observation: Observation, decision: Decision) -> None:
        """Remembers nothing."""


AgentLike = str | type[Any] | Agent  # a name, a class of agents as plug-ins are, or an agent


@runtime_checkable
class Tunable(Protocol):
    """Protocol of an agent whose belief, gate and trigger can be changed during an episode."""

    def reconfigure(self, belief_config: BeliefConfig) -> None:
        """Continues with other parameters of belief and gate.

        Raises:
            BBAError: the belief is over other hypotheses than these parameters.
        """

    def tune_trigger(self, changes: Mapping[str, float]) -> None:
        """Continues with other thresholds of its trigger, by name.

        Raises:
            BBAError: its trigger has none, or does not take these.
        """


@runtime_checkable
class Preparable(Protocol):
    """Protocol of what can decide only after kernels have been compiled, even where everything else runs plain."""

    @property
    def ready(self) -> bool:
        """Whether it can decide at once."""

    def prepare(self) -> None:
        """Compiles the kernels or loads them: up to a minute once on a machine, else a second or two.

        It may be called from another thread, and more than once.
        """


class Forkable(Agent, Protocol):
    """Protocol of an agent that can be copied during an episode."""

    def copy(self) -> Self:
        """Returns an independent agent in the same state."""


def reconfigure(agent: Agent, belief_config: BeliefConfig) -> None:
    """Gives an agent other parameters of belief and gate.

    Raises:
        BBAError: it has neither, or its belief is over other hypotheses.
    """
    if agent.profile.belief_config is None or not isinstance(agent, Tunable):
        raise BBAError(f"{agent.profile.agent}: has no belief and no gate to tune")
    agent.reconfigure(belief_config)


def tune_trigger(agent: Agent, changes: Mapping[str, float]) -> None:
    """Gives an agent's trigger other thresholds, by name.

    Raises:
        BBAError: it has none, or does not take these.
    """
    if not isinstance(agent, Tunable):
        raise BBAError(f"{agent.profile.agent}: has no trigger to tune")
    agent.tune_trigger(changes)


class ModelOfPartner(Protocol):
    """Protocol of what an agent believes about its partner: `PartnerModel`, or an oracle in its place."""

    belief_config: BeliefConfig

    @property
    def hypotheses(self) -> HypothesisSpace:
        """Ψ, the hypotheses of the belief."""

    @property
    def tendencies(self) -> Tendencies | None:
        """How the partner differs from the behaviour network; None if that is not learned."""

    @property
    def types(self) -> TypeBelief | None:
        """Who the partner is; None if the belief is not over that."""

    @property
    def moved(self) -> float:
        """How far the belief is from the one with which the ego has chosen its skill, 0 to 1."""

    def observe(self, before: StateVector | None, state: StateVector, *, mid_skill: bool) -> Belief:
        """Takes in the partner's last action and evaluates the gates."""

    def remember(self) -> None:
        """Tells the commitment gate that the ego has chosen a skill."""

    def copy(self) -> Self:
        """Returns an independent copy in the same state."""

    def reconfigure(self, belief_config: BeliefConfig) -> None:
        """Uses other parameters from the next step on.

        Raises:
            BBAError: Ψ would change.
        """


MakeModel = Callable[[EpisodeContext, BeliefConfig], ModelOfPartner]
MakeOracle = Callable[[Knowledge, EpisodeContext, BeliefConfig], ModelOfPartner]
