"""The two agents of a game with its passive observer: they observe a step, and those decide that no kernel plays."""

from collections.abc import Sequence

from bba.agents.base import Agent, Decision
from bba.agents.kernel_policy import KernelPolicy, has_kernel_policy
from bba.belief import PartnerModel
from bba.play.game_state import GameState
from bba.play.trajectory import AgentDecisions, KernelPolicies, ReadBelief

BOTH = (0, 1)


class OpenStep:
    """A step that is to be played, once all models have taken in the last actions.

    Args:
        beliefs: returns what player 0, player 1 or the observer believes; None without a model.
        must_decide: the players whose agents have to decide.
        agents_know: whether the agents know their beliefs, which a kernel may have updated.
    """

    def __init__(self, beliefs: ReadBelief, must_decide: Sequence[int], *, agents_know: bool) -> None:
        self.beliefs = beliefs
        self.must_decide = must_decide
        self.agents_know = [agents_know, agents_know]


class SeatedAgents:
    """Two agents at play.

    Args:
        agents: players 0 and 1, in an episode that has begun.
        observer: the passive observer's model.

    Attributes:
        kernel_plays: whether a kernel can play both.
        open_step: the step to be played, once all models have taken in the last actions; else None.
    """

    def __init__(self, agents: tuple[Agent, Agent], observer: PartnerModel) -> None:
        self._agents = agents
        self._observer = observer
        self._kernel_agents = tuple([agent for agent in agents if has_kernel_policy(agent)])
        self.kernel_plays = len(self._kernel_agents) == len(agents)
        self._policies: KernelPolicies | None = None  # as the agents last stated them
        self.open_step: OpenStep | None = None

    def observe(self, now: GameState) -> OpenStep:
        """Lets all take in the last actions, once a step, even if it has to be tried again; returns the step."""
        if self.open_step is None:
            first = self._agents[0].observe(now.observation(0))
            second = self._agents[1].observe(now.observation(1))
            observer = self._observer.observe(now.before, now.state, mid_skill=True)
            beliefs = (first, second, observer)
            self.open_step = OpenStep(beliefs.__getitem__, BOTH, agents_know=True)
        for player in BOTH:
            self._inform(now, player, self.open_step)
        return self.open_step

    def decide(self, now: GameState, player: int, open_step: OpenStep) -> Decision:
        """Asks the agent of a player for its decision; returns that with its belief.

        Raises:
            BBAError: it cannot decide; it can be asked again.
        """
        agent = self._agents[player]
        decision = agent.decide(now.observation(player))
        if decision.replanned and not agent.profile.plans:  # without a planner it does not replan
            decision = decision._replace(replanned=False)
        return decision.with_belief(open_step.beliefs(player))

    def commit(self, now: GameState, decisions: AgentDecisions) -> None:
        """Lets the agents take over the decisions of a step; None for a player whose agent has not decided."""
        for player, decision in enumerate(decisions):
            if decision is not None:
                self._agents[player].commit(now.observation(player), decision)

    def forget_policies(self) -> None:
        """Has both state their policies anew: a step was played singly, or an agent was changed."""
        self._policies = None

    def ask_both(self) -> None:
        """Has both decide in the next step, if it is known already who does."""
        if self.open_step is not None:
            self.open_step.must_decide = BOTH

    def policies(self, played: int) -> KernelPolicies | None:
        """Returns the policies of both after so many steps; None if an agent has to be asked in every step."""
        if self._policies is None and self.kernel_plays:
            first, second = (agent.kernel_policy(played) for agent in self._kernel_agents)
            if first is not None and second is not None:
                self._policies = (first, second)
        return self._policies

    def begin(self, now: GameState, policies: KernelPolicies) -> None:
        """Opens the first step, in which the agents decide whose choosers say so."""
        open_step = self.observe(now)
        open_step.must_decide = [player for player in BOTH if _agent_begins(policies[player])]

    def decide_and_commit(self, now: GameState) -> AgentDecisions:
        """Returns the decisions of the agents that have to decide in this step, which are committed.

        Raises:
            BBAError: one cannot decide; it can be asked again.
        """
        if self.open_step is None:
            return None, None
        decisions: list[Decision | None] = [None, None]
        for player in self.open_step.must_decide:
            self._inform(now, player, self.open_step)
            decisions[player] = self.decide(now, player, self.open_step)
        first, second = decisions
        self.commit(now, (first, second))
        return first, second

    def policies_after(self, before: KernelPolicies, decisions: AgentDecisions, played: int) -> KernelPolicies:
        """Returns the policies of both after decisions of their agents, which may have changed them."""
        policies = list(before)
        known = True
        for player, decision in enumerate(decisions):
            chooser = before[player].chooser
            if decision is not None or (chooser is not None and chooser.chose):
                policy = self._kernel_agents[player].kernel_policy(played)
                if policy is None:
                    known = False
                    policy = before[player]._replace(until=played + 1)
                policies[player] = policy
        first, second = policies
        self._policies = (first, second) if known else None
        return first, second

    def _inform(self, now: GameState, player: int, open_step: OpenStep) -> None:
        """Gives an agent the belief that a kernel has updated, unless it has it already."""
        if open_step.agents_know[player]:
            return
        belief = open_step.beliefs(player)
        agent = self._kernel_agents[player]
        if belief is None:
            agent.observe(now.observation(player))
        else:
            agent.accept_belief(belief)
        open_step.agents_know[player] = True


def _agent_begins(policy: KernelPolicy) -> bool:
    return policy.chooser is None or policy.chooser.agent_begins
