"""The two agents of a game with its passive observer: they observe a step, and those decide that no kernel plays."""

from collections.abc import Callable

from bba.agents.base import Agent, Decision, Observation
from bba.agents.kernel_policy import KernelPolicy, has_kernel_policy
from bba.belief import PartnerModel
from bba.kitchen.constants import NO_SKILL, StateVector
from bba.play.trajectory import AgentDecisions, ReadBelief

Decisions = tuple[Decision, Decision]
KernelPolicies = tuple[KernelPolicy, KernelPolicy]


class OpenStep:
    """A step that is to be played, once all models have taken in the last actions.

    Args:
        beliefs: returns what player 0, player 1 or the observer believes; None without a model.
        must_decide: the players whose agents have to decide.
        agents_know: whether the agents know their beliefs; a kernel may have updated them.
    """

    def __init__(self, beliefs: ReadBelief, must_decide: tuple[bool, bool], *, agents_know: bool) -> None:
        self.beliefs = beliefs
        self.must_decide = must_decide
        self.agents_know = [agents_know, agents_know]


class SeatedAgents:
    """Two agents at play.

    Args:
        agents: players 0 and 1, in an episode that has begun.
        observer: the passive observer's model.
        observation: returns what a player sees now.

    Attributes:
        kernel_plays: whether a kernel can play both.
        open_step: the step to be played, once the models have taken in the last actions; else None.
    """

    def __init__(
        self, agents: tuple[Agent, Agent], observer: PartnerModel, observation: Callable[[int], Observation]
    ) -> None:
        self._agents = agents
        self._observer = observer
        self._observation = observation
        self._kernel_agents = tuple([agent for agent in agents if has_kernel_policy(agent)])
        self.kernel_plays = len(self._kernel_agents) == len(agents)
        self._policies: KernelPolicies | None = None  # as the agents last stated them
        self.open_step: OpenStep | None = None

    def observe(self, before: StateVector | None, state: StateVector) -> OpenStep:
        """Lets all take in the last actions, once a step, even if it has to be tried again; returns it."""
        if self.open_step is None:
            first = self._agents[0].observe(self._observation(0))
            second = self._agents[1].observe(self._observation(1))
            observer = self._observer.observe(before, state, mid_skill=True)
            beliefs = (first, second, observer)
            self.open_step = OpenStep(beliefs.__getitem__, (True, True), agents_know=True)
        for player in (0, 1):
            self._inform(self.open_step, player, self._observation(player))
        return self.open_step

    def decide(self, player: int, open_step: OpenStep) -> Decision:
        """Asks a player for its decision, and adds its belief."""
        decision = self._decision(player, self._observation(player))
        observed = open_step.beliefs(player)
        if observed is None:
            return decision._replace(belief=None, gate=None, commitment=None)
        belief, gate, commitment = observed
        return decision._replace(belief=belief, gate=gate, commitment=commitment)

    def commit(self, decisions: Decisions) -> None:
        """Commits both decisions of a step."""
        for player, agent in enumerate(self._agents):
            agent.commit(self._observation(player), decisions[player])
        if decisions[0].commits:
            self._observer.remember()

    def forget_policies(self) -> None:
        """Has both state their policies anew: a step was played singly, or an agent was changed."""
        self._policies = None

    def ask_both(self) -> None:
        """Has both decide in the next step, if it is known already who does."""
        if self.open_step is not None:
            self.open_step.must_decide = (True, True)

    def policies(self, steps: int) -> KernelPolicies | None:
        """Returns the policies of both after so many steps; None if an agent has to be asked in every step."""
        if self._policies is None:
            first, second = (agent.kernel_policy(steps) for agent in self._kernel_agents)
            if first is not None and second is not None:
                self._policies = (first, second)
        return self._policies

    def policies_after(self, before: KernelPolicies, decisions: AgentDecisions, steps: int) -> KernelPolicies:
        """Returns the policies of both after decisions of their agents, which may have changed them."""
        policies = list(before)
        known = True
        for player, decision in enumerate(decisions):
            chooser = before[player].chooser
            if decision is not None or (chooser is not None and chooser.chose):
                policy = self._kernel_agents[player].kernel_policy(steps)
                if policy is None:
                    known = False
                    policy = before[player]._replace(until=steps + 1)
                policies[player] = policy
        first, second = policies
        self._policies = (first, second) if known else None
        return first, second

    def agent_decisions(self) -> AgentDecisions | None:
        """Returns the committed decisions of the agents that must decide; None if one acts otherwise than by skills.

        Raises:
            BBAError: one cannot decide; it can be asked again.
        """
        if self.open_step is None:
            return None, None
        observations = {player: self._observation(player) for player in (0, 1) if self.open_step.must_decide[player]}
        decisions = dict[int, Decision]()
        for player, observation in observations.items():
            self._inform(self.open_step, player, observation)
            decision = self._decision(player, observation)
            decisions[player] = decision
            if decision.action is not None or decision.skill == NO_SKILL:
                return None
        for player, decision in decisions.items():
            self._agents[player].commit(observations[player], decision)
        return decisions.get(0), decisions.get(1)

    def _decision(self, player: int, observation: Observation) -> Decision:
        """Asks a player for its decision; one without a planner does not replan."""
        agent = self._agents[player]
        decision = agent.decide(observation)
        if decision.replanned and not agent.profile.plans:
            return decision._replace(replanned=False)
        return decision

    def _inform(self, open_step: OpenStep, player: int, observation: Observation) -> None:
        """Gives an agent the belief that a kernel has updated, unless it has it already."""
        if open_step.agents_know[player]:
            return
        belief = open_step.beliefs(player)
        agent = self._kernel_agents[player]
        if belief is None:
            agent.observe(observation)
        else:
            agent.accept_belief(belief)
        open_step.agents_know[player] = True
