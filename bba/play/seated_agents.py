"""The two agents of a game and its passive observer: what they have taken in, and who is asked."""

from collections.abc import Callable

from bba.agents.base import Agent, Decision, Observation
from bba.agents.stretch_policy import Continuation, foresees
from bba.belief import PartnerModel
from bba.kitchen.constants import NO_SKILL, StateVector
from bba.play.stretch import Given, ReadBelief

Decisions = tuple[Decision, Decision]
Continuations = tuple[Continuation, Continuation]


class StepView:
    """What is known before the decisions of a step, once the models have taken in the last actions.

    Args:
        beliefs: returns what player 0, player 1 or the observer believes; None without a model.
        asked: the players that have to be asked.
        told: whether the players know it.
    """

    def __init__(self, beliefs: ReadBelief, asked: tuple[bool, bool], *, told: bool) -> None:
        self.beliefs = beliefs
        self.asked = asked
        self.told = [told, told]


class SeatedAgents:
    """Two agents at play.

    Args:
        agents: players 0 and 1, in an episode that has begun.
        observer: the passive observer's model.
        observation: returns what a player sees now.

    Attributes:
        foresee: whether both can tell in advance what they do.
        view: of the step to be played, once the models have taken in the last actions.
    """

    def __init__(
        self, agents: tuple[Agent, Agent], observer: PartnerModel, observation: Callable[[int], Observation]
    ) -> None:
        self._agents = agents
        self._observer = observer
        self._observation = observation
        self._continuing = tuple([agent for agent in agents if foresees(agent)])
        self.foresee = len(self._continuing) == len(agents)
        self._continuations: Continuations | None = None  # as they were last told
        self.view: StepView | None = None

    def observe(self, before: StateVector | None, state: StateVector) -> StepView:
        """Lets all take in the last actions, once a step, even if it has to be tried again; returns the view of it."""
        if self.view is None:
            first = self._agents[0].observe(self._observation(0))
            second = self._agents[1].observe(self._observation(1))
            observer = self._observer.observe(before, state, mid_skill=True)
            beliefs = (first, second, observer)
            self.view = StepView(beliefs.__getitem__, (True, True), told=True)
        for player in (0, 1):
            self._tell(self.view, player, self._observation(player))
        return self.view

    def decide(self, player: int, view: StepView) -> Decision:
        """Asks a player for its decision, and adds its belief."""
        decision = self._decision(player, self._observation(player))
        observed = view.beliefs(player)
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

    def forget_continuations(self) -> None:
        """Forgets what was told in advance: a step was played singly, or an agent was changed."""
        self._continuations = None

    def ask_both(self) -> None:
        """Has both asked before the next step, if it is known already who is: what they do has changed."""
        if self.view is not None:
            self.view.asked = (True, True)

    def continuations(self, steps: int) -> Continuations | None:
        """Returns what both do by themselves after so many steps; None if one has to be asked in every step."""
        if self._continuations is None:
            first, second = (agent.continuation(steps) for agent in self._continuing)
            if first is not None and second is not None:
                self._continuations = (first, second)
        return self._continuations

    def continued(self, before: Continuations, given: Given, steps: int) -> Continuations:
        """Returns what both do by themselves after the given decisions, which may have changed it."""
        continuations = list(before)
        foreseen = True
        for player, decision in enumerate(given):
            chooser = before[player].chooser
            if decision is not None or (chooser is not None and chooser.chose):
                continuation = self._continuing[player].continuation(steps)
                if continuation is None:
                    foreseen = False
                    continuation = before[player]._replace(until=steps + 1)
                continuations[player] = continuation
        first, second = continuations
        self._continuations = (first, second) if foreseen else None
        return first, second

    def ask(self) -> Given | None:
        """Returns the committed decisions of those that have to be asked; None if one acts otherwise than by skills.

        Raises:
            BBAError: one cannot decide; it can be asked again.
        """
        if self.view is None:
            return None, None
        observations = {player: self._observation(player) for player in (0, 1) if self.view.asked[player]}
        decisions = dict[int, Decision]()
        for player, observation in observations.items():
            self._tell(self.view, player, observation)
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

    def _tell(self, view: StepView, player: int, observation: Observation) -> None:
        """Lets an agent know what its model has taken in elsewhere."""
        if view.told[player]:
            return
        belief = view.beliefs(player)
        agent = self._continuing[player]
        if belief is None:
            agent.observe(observation)
        else:
            agent.take_over(belief)
        view.told[player] = True
