"""One game: two agents, a kitchen, a passive observer, and the trace of every step.

A step has one direction: both agents observe the state, each decides (or a recorded decision is taken), both commit
the decisions, the controller turns the skills into primitive actions, the kitchen plays them, a frozen `Tick` records
the step, and skills that have ended are cleared. Readers of ticks (screen, file, measure) never write back.

The passive observer is a belief with gates, all with default parameters, that observe the partner in every game. Belief
measures read it, so that egos with and without a belief of their own are compared on the same ground.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from bba.agents import (
    Agent,
    BeliefConfig,
    Decision,
    Deferring,
    Observation,
    Preparable,
    load_agent,
    reconfigure,
    tune_trigger,
)
from bba.agents.continuing import Continuation, foresees
from bba.agents.partner_models import partner_model
from bba.config import EPISODE_DEFAULTS
from bba.errors import BBAError
from bba.kernels import maybe_compiled
from bba.kitchen import Kitchen, Layout, constants, controller
from bba.kitchen.batch import SKILL_TIMEOUT
from bba.kitchen.controller import AGE, CONTROLLED, ENDED, SKILL
from bba.kitchen.state import StateVector
from bba.planner.progress import QuestionProgress
from bba.play.stretch.player import Played, StretchPlayer
from bba.play.stretch.rows import OBSERVER
from bba.play.stretch.stretch import Given, ReadBelief
from bba.play.ticks import Ticks
from bba.play.trace import GameConfig, Tick, Trace

Decisions = tuple[Decision, Decision]
Continuations = tuple[Continuation, Continuation]


class _StepView:
    """What is known before the decisions of a step, once the models have taken in the last actions.

    Args:
        beliefs: returns what player 0, player 1 or the observer believes; None without a model.
        asked: the players that have to be asked.
        told: the players that know it.
    """

    def __init__(self, beliefs: ReadBelief, asked: tuple[bool, bool], *, told: bool) -> None:
        self.beliefs, self.asked, self.told = beliefs, asked, [told, told]


class Game:
    """A game of two agents in one kitchen.

    Args:
        layout: the name of a shipped layout, the path of a layout file, or a `Layout`.
        ego, partner: players 0 and 1: an agent or its name.
        seed: of everything random, 0 or more.
        horizon: steps of the episode, 1 or more.
        mobility: for each player, the probability that a direction action is carried out, 0 to 1; 1 for people.
        skill_timeout: steps after which a skill ends unfinished, 1 or more.
        fast: whether to compute with compiled kernels. They play the same game; plain ones start without a delay.

    Raises:
        BBAError: an unknown name, or a number out of range.
    """

    def __init__(
        self,
        layout: str | Layout,
        ego: str | Agent,
        partner: str | Agent,
        seed: int = 0,
        *,
        horizon: int = EPISODE_DEFAULTS.horizon,
        mobility: tuple[float, float] = (EPISODE_DEFAULTS.mobility, EPISODE_DEFAULTS.mobility),
        skill_timeout: int = SKILL_TIMEOUT,
        fast: bool = False,
    ) -> None:
        if horizon < 1:
            raise BBAError(f"horizon: {horizon} is not allowed; 1 or more")
        if skill_timeout < 1:
            raise BBAError(f"skill-timeout: {skill_timeout} is not allowed; 1 or more")
        self.kitchen = Kitchen(layout, seed, mobility=mobility, fast=fast)
        self.agents: tuple[Agent, Agent] = (_as_agent(ego), _as_agent(partner))
        self.horizon, self.skill_timeout, self.fast = horizon, skill_timeout, fast
        self._ticks = Ticks()
        self.trace = Trace(
            GameConfig(
                layout=self.kitchen.layout,
                seats=(self.agents[0].profile, self.agents[1].profile),
                seed=seed,
                horizon=horizon,
                mobility=mobility,
                skill_timeout=skill_timeout,
            ),
            start=self.kitchen.state.copy(),
            ticks=self._ticks,
        )
        self._runs = controller.new_skill_runs()
        self._actions = np.zeros(2, np.int32)
        self._check_completion = maybe_compiled(controller.check_completion, fast=fast)
        self._begin_skill = maybe_compiled(controller.start_skill, fast=fast)
        self._next_actions = maybe_compiled(controller.next_actions, fast=fast)
        contexts = [self.trace.config.context(player, fast=fast) for player in (0, 1)]
        self._observer = partner_model(contexts[0], BeliefConfig())
        self._continuing = tuple([agent for agent in self.agents if foresees(agent)])
        together = fast and len(self._continuing) == len(self.agents)
        self._stretches = StretchPlayer(self.kitchen.layout, self._observer, skill_timeout) if together else None
        self._previous: StateVector | None = None
        self._state: StateVector = self.trace.start
        self._continuations: Continuations | None = None  # of agents that have said so since a step was played singly
        self._view: _StepView | None = None  # of the step to be played, once the agents have observed it
        for agent, context in zip(self.agents, contexts, strict=True):
            agent.reset(context)

    @property
    def done(self) -> bool:
        """Whether the horizon is reached."""
        return self.kitchen.steps >= self.horizon

    @property
    def ready(self) -> bool:
        """Whether both agents can decide at once; one that computes with compiled kernels has to load them first."""
        return all(agent.ready for agent in self.agents if isinstance(agent, Preparable))

    def running(self, player: int) -> int:
        """Returns the skill that a player runs; NO_SKILL if it has to choose one, or plays by primitive actions."""
        return int(self._runs[player, controller.SKILL])

    def prepare(self) -> None:
        """Lets the agents compile or load their kernels; a step would do so too, but would not return until then."""
        for agent in self.agents:
            if isinstance(agent, Preparable):
                agent.prepare()

    def run(self) -> Trace:
        """Plays to the end and returns the trace."""
        while not self.done:
            self.advance()
        return self.trace

    def advance(self, most: int | None = None) -> int:
        """Plays one step, and those after it in which no agent has to be asked, `most` of them; returns how many.

        A compiled game plays them in one call, if both agents follow `bba.agents.continuing.Continuing`; any other game
        plays one step.

        Raises:
            BBAError: an agent cannot decide; then the step in which it was asked can be tried again.
        """
        steps = self.horizon - self.kitchen.steps
        played = self._play_stretch(steps if most is None else min(steps, most))
        if not played:
            self.step()
        return played or 1

    def play(self) -> Iterator[Tick]:
        """Plays to the end, tick by tick."""
        while not self.done:
            yield self.step()

    @property
    def world_waits(self) -> bool | None:
        """Whether it waits for agents that decide in the background; None if none does."""
        deferring = [agent.waited_for for agent in self.agents if isinstance(agent, Deferring)]
        return any(deferring) if deferring else None

    @property
    def progress(self) -> tuple[QuestionProgress | None, QuestionProgress | None]:
        """How far the decisions that are under way are, by player."""
        first, second = (agent.progress if isinstance(agent, Deferring) else None for agent in self.agents)
        return first, second

    def begin_step(self) -> bool:
        """Lets the agents that the game waits for begin to decide; returns whether the step can be played at once."""
        begun = [
            agent.begin(self._observation(player))
            for player, agent in enumerate(self.agents)
            if isinstance(agent, Deferring)
        ]
        return all(begun)

    def step(self) -> Tick:
        """Plays one step, which waits for whatever `begin_step` has not brought.

        Raises:
            BBAError: an agent cannot decide; then nothing was played, and the step can be tried again.
        """
        view = self._observe()
        decisions = self._decide(0, view), self._decide(1, view)
        ended, actions = self._execute(decisions)
        self.kitchen.advance(*actions)
        runs, observed = self._runs, view.beliefs(OBSERVER)
        assert observed is not None
        tick = Tick(
            state=self.kitchen.state.copy(),
            actions=actions,
            skills=(int(runs[0, SKILL]), int(runs[1, SKILL])),
            ages=(int(runs[0, AGE]), int(runs[1, AGE])),
            ended=ended,
            decisions=decisions,
            observer=observed.belief,
            observer_gate=observed.gate,
            observer_commitment=observed.commitment,
        )
        self._append(tick)
        return tick

    def replay_step(self, tick: Tick) -> None:
        """Plays a recorded step: the decisions are taken from the tick, not from the agents.

        Raises:
            BBAError: the controller would have acted otherwise: the tick comes from another version of it.
        """
        self._observe()
        _, actions = self._execute(tick.decisions)
        if actions != tick.actions:
            raise BBAError(f"step {tick.step} was played by other rules than these; the game cannot go on from there")
        self.kitchen.state = tick.state.copy()
        self._append(tick)

    def reconfigure(self, player: int, belief_config: BeliefConfig) -> None:
        """Gives a player other parameters of belief and gate from the next step on, and records that in the trace.

        Raises:
            BBAError: it has no belief, or its belief is over other hypotheses.
        """
        reconfigure(self.agents[player], belief_config)
        self._note_profiles()

    def tune_trigger(self, player: int, changes: Mapping[str, float]) -> None:
        """Gives a player's trigger other thresholds, by name, from the next step on, and records that in the trace.

        Raises:
            BBAError: its trigger has none, or does not take these.
        """
        tune_trigger(self.agents[player], changes)
        self._note_profiles()

    def _leave_stretch(self) -> None:
        """Forgets what only steps of one stretch have in common."""
        self._continuations = None
        if self._stretches is not None:
            self._stretches.leave()

    def _note_profiles(self) -> None:
        """Records the agents as they are from the next step on."""
        self._continuations = None
        config = self.trace.config_at(len(self.trace.ticks) + 1)
        self.trace.change(replace(config, seats=(self.agents[0].profile, self.agents[1].profile)))

    def time_out_skill(self, player: int) -> None:
        """Ends a player's running skill as timed out, so that it chooses one in the next step."""
        if self._runs[player, SKILL] != constants.NO_SKILL:
            controller.stop_skill(self._runs, player, constants.TIMEOUT)

    def _play_stretch(self, steps: int) -> int:
        """Plays at most so many steps in compiled calls; returns how many, 0 if the next one cannot be played so."""
        if self._stretches is None:
            return 0
        if self._continuations is None:
            first, second = (agent.continuation(self.kitchen.steps) for agent in self._continuing)
            if first is None or second is None:
                return 0
            self._continuations = first, second
            if self._previous is None and self._view is None:
                self._observe().asked = first.chooser is None, second.chooser is None
        played = 0
        while not played:
            given = self._ask()
            if given is None:
                return 0
            continuations = self._continued(self._continuations, given)
            beliefs = None if self._view is None else self._view.beliefs
            now = self._previous, self._state, self._runs
            stretch = self._stretches.play(*now, continuations, given, beliefs, steps)
            self._take_over(stretch)
            played = stretch.steps
        return played

    def _continued(self, before: Continuations, given: Given) -> Continuations:
        """Returns what both agents do by themselves from now on, which a decision may have changed."""
        steps, now = self.kitchen.steps, list(before)
        found: list[Continuation | None] = list(before)
        for player, decision in enumerate(given):
            if decision is not None:
                found[player] = self._continuing[player].continuation(steps)
                now[player] = found[player] or before[player]._replace(until=steps + 1)
        self._continuations = None if None in found else (now[0], now[1])
        return now[0], now[1]

    def _ask(self) -> Given | None:
        """Returns the decisions of the agents that have to be asked; None if one of them acts otherwise than by skills.

        Raises:
            BBAError: one cannot decide; it can be asked again.
        """
        if self._view is None:
            return None, None
        given = list[Decision | None]()
        for player, asked in enumerate(self._view.asked):
            if asked:
                self._tell(self._view, player)
            given.append(self.agents[player].decide(self._observation(player)) if asked else None)
        for decision in given:
            if decision is not None and (decision.action is not None or decision.skill == constants.NO_SKILL):
                return None
        for player, decision in enumerate(given):
            if decision is not None:
                self.agents[player].commit(self._observation(player), decision)
        return given[0], given[1]

    def _take_over(self, played: Played) -> None:
        """Goes on after steps that were played in a stretch."""
        stretch, steps = played.stretch, played.stretch.steps
        self._ticks.add(stretch, played.steps)
        if played.steps:
            self._previous, self._state = stretch.rows.states[steps : steps + 2]
            self.kitchen.state = self._state.copy()
        self._view = _StepView(partial(stretch.belief, steps), played.asked, told=False) if any(played.asked) else None
        if played.infeasible is not None:
            player = played.infeasible
            raise self._infeasible(player, int(stretch.rows.skills[steps, player]))

    def _infeasible(self, player: int, skill: int) -> ValueError:
        return ValueError(f"{self.agents[player].profile.agent} chose skill {skill}, which is not feasible")

    def _observe(self) -> _StepView:
        """Returns the view of this step. Agents observe it only once, even if the step has to be tried again."""
        if self._view is None:
            beliefs = (
                self.agents[0].observe(self._observation(0)),
                self.agents[1].observe(self._observation(1)),
                self._observer.observe(self._previous, self._state, mid_skill=True),
            )
            self._view = _StepView(beliefs.__getitem__, (True, True), told=True)
        for player in (0, 1):
            self._tell(self._view, player)
        return self._view

    def _tell(self, view: _StepView, player: int) -> None:
        """Lets an agent know what its model has taken in elsewhere."""
        if view.told[player]:
            return
        belief, agent = view.beliefs(player), self._continuing[player]
        if belief is None:
            agent.observe(self._observation(player))
        else:
            agent.take_over(belief)
        view.told[player] = True

    def _observation(self, player: int) -> Observation:
        skill, _, age, ended, _, _ = self._runs[player].tolist()
        return Observation(player, self.kitchen.layout, self._previous, self._state, skill, age, ended, self.fast)

    def _decide(self, player: int, view: _StepView) -> Decision:
        """Asks a player's agent for its decision, and adds its belief."""
        decision = self.agents[player].decide(self._observation(player))
        belief, gate, commitment = view.beliefs(player) or (None, None, None)
        return decision._replace(belief=belief, gate=gate, commitment=commitment)

    def _execute(self, decisions: Decisions) -> tuple[tuple[int | None, int | None], tuple[int, int]]:
        """Commits the decisions and starts the skills; returns how the skills before ended, and the actions."""
        for player, agent in enumerate(self.agents):
            agent.commit(self._observation(player), decisions[player])
            self._runs[player, CONTROLLED] = decisions[player].action is None
        if decisions[0].commits:
            self._observer.remember()
        ended = (self._start_skill(0, decisions[0]), self._start_skill(1, decisions[1]))
        self._next_actions(self.kitchen.grid, self._state, self._runs, self._actions)
        return ended, self._actions_of(decisions)

    def _append(self, tick: Tick) -> None:
        """Appends the step to the trace, and clears the skills that have ended with it."""
        self._previous, self._state, self._view = self._state, tick.state, None
        self._leave_stretch()
        self.trace.ticks.append(tick)
        for player in (0, 1):
            self._check_completion(self.kitchen.grid, self._state, self._runs, player, self.skill_timeout)

    def _start_skill(self, player: int, decision: Decision) -> int | None:
        """Starts a chosen skill; returns how the one before it ended, None if it continues or there was none."""
        if not decision.chosen:
            return None
        runs = self._runs
        before = constants.INTERRUPTED if runs[player, SKILL] != constants.NO_SKILL else int(runs[player, ENDED])
        if decision.skill == constants.NO_SKILL:
            controller.stop_skill(runs, player, before)
            runs[player, AGE] = 0
        elif not self._begin_skill(self.kitchen.grid, self._state, runs, player, decision.skill):
            raise self._infeasible(player, decision.skill)
        return before if before != constants.RUNNING else None

    def _actions_of(self, decisions: Decisions) -> tuple[int, int]:
        first, second = self._actions.tolist()
        return (
            first if decisions[0].action is None else decisions[0].action,
            second if decisions[1].action is None else decisions[1].action,
        )


def _as_agent(agent: str | Agent) -> Agent:
    return load_agent(agent) if isinstance(agent, str) else agent
