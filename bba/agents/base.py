"""The protocols of agents.

An episode begins with `reset`. In every step the game calls `observe`, then `decide` (or takes a recorded decision
instead), then `commit`. Only `decide` may take long; it can be called again if it fails.
"""

from dataclasses import dataclass
from typing import Annotated, Protocol, Self, runtime_checkable

from pydantic import Field

from bba.agents.decision import Decision
from bba.agents.observation import EpisodeContext, Observation
from bba.belief import ROLE_NAMES, BeliefConfig, BeliefUpdate, GateResult, PartnerModel
from bba.errors import BBAError
from bba.kitchen.grid import grid_of
from bba.limits import StepsOrNone

RoleNumber = Annotated[int, Field(ge=0, lt=len(ROLE_NAMES))]
Schedule = tuple[tuple[StepsOrNone, RoleNumber], ...]  # (from step, role) in order, starting at step 0
Belief = tuple[BeliefUpdate, GateResult | None]  # about the partner; the gate has no result at the first step


@dataclass(frozen=True, slots=True)
class Profile:
    """What an agent is: identifies it in results, and suffices to make another one like it.

    The annotations are the limits that files are validated against.

    Attributes:
        agent: its name in the registry.
        planner: the name of its planner, such as "scripted"; None if it has none.
        belief_config: the parameters of its belief and gate; None if it has neither.
        schedule: the roles of a switching partner, if they were given; None if they are drawn from the seed.
    """

    agent: Annotated[str, Field(pattern=r"^[\w .:+-]{1,80}$")]
    planner: Annotated[str, Field(pattern=r"^[\w .:/@+-]{1,120}$")] | None = None
    belief_config: BeliefConfig | None = None
    schedule: Schedule | None = None


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


@runtime_checkable
class Configurable(Protocol):
    """Protocol of an agent whose belief and gate can be changed during an episode."""

    def reconfigure(self, belief_config: BeliefConfig) -> None:
        """Continues with other parameters of belief and gate.

        Raises:
            BBAError: the belief is over other hypotheses than these parameters.
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
    if agent.profile.belief_config is None or not isinstance(agent, Configurable):
        raise BBAError(f"{agent.profile.agent}: has no belief and no gate to tune")
    agent.reconfigure(belief_config)


def partner_model_for(context: EpisodeContext, belief_config: BeliefConfig | None) -> PartnerModel | None:
    """Returns a new model of an agent's partner; None without parameters for one."""
    if belief_config is None:
        return None
    grid, partner = grid_of(context.layout), 1 - context.player
    return PartnerModel(grid, partner, belief_config, stay_model=context.partner_stay_model, fast=context.fast)
