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
from pathlib import Path
from types import MappingProxyType
from typing import Self

import numpy as np

from bba.agents.async_agent import AsyncAgent
from bba.agents.base import (
    Agent,
    AgentLike,
    Belief,
    Preparable,
    reconfigure,
    tune_trigger,
)
from bba.agents.human import HUMAN, Controls
from bba.agents.planning_agent import partner_model
from bba.agents.registry import load_agent
from bba.agents.seat import SeatSpec, seat_of
from bba.config import EPISODE_DEFAULTS, SKILL_TIMEOUT, BeliefConfig
from bba.errors import BBAError
from bba.keywords import known_keywords, known_options
from bba.kitchen import (
    NO_SKILL,
    TIMEOUT,
    Kitchen,
    Layout,
    StateVector,
    stop_skill,
)
from bba.planner.chat import QuestionProgress
from bba.play.game_spec import GameSpec
from bba.play.game_state import GameState
from bba.play.oracle import Truth
from bba.play.seated_agents import OpenStep, SeatedAgents
from bba.play.step_runner import InfeasibleSkill, StepRunner
from bba.play.ticks import Ticks
from bba.play.trace import GameConfig, Tick, Trace
from bba.play.trajectory import OBSERVER_SEAT, Decisions
from bba.progress import progress_bar

NO_CONTROLS: Mapping[int, Controls] = MappingProxyType({})
PERSON_MOBILITY = 1.0  # the mobility of people: each of their steps is carried out


@known_options
class Game:
    """A game of two agents in one kitchen.

    It is played without a warning in a kitchen in which nobody can deliver: `bba.can_deliver` asks that of a layout.

    Args:
        layout: the name of a shipped layout, the path of a layout file, or a `Layout`.
        ego, partner: players 0 and 1: a seat, or an agent alone, its name, or its class.
        seed: of everything random, 0 or more.
        options: what the seats share that are given by an agent alone; None for the scripted planner with default
            parameters. Trigger and partner model are the ego's alone, and options of a plug-in are for that plug-in.
        horizon: steps of the episode, 1 or more.
        mobility: the probability that a direction action of an agent is carried out, 0 to 1; that of people is 1.
            Two numbers are those of players 0 and 1.
        skill_timeout: steps after which a skill ends unfinished, 1 or more.
        fast: whether to compute with compiled kernels. They play the same game; plain ones start without a delay.
        controls: for each seat of a person, where their input comes from.

    Raises:
        BBAError: a name, an option or a number that is not allowed, or a person without controls.
    """

    def __init__(
        self,
        layout: str | Path | Layout = "open",
        ego: AgentLike | SeatSpec = "bayes",
        partner: AgentLike | SeatSpec = "switching",
        seed: int = 0,
        options: SeatSpec | None = None,
        *,
        horizon: int = EPISODE_DEFAULTS.horizon,
        mobility: float | tuple[float, float] | None = None,
        skill_timeout: int = SKILL_TIMEOUT,
        fast: bool = False,
        controls: Mapping[int, Controls] = NO_CONTROLS,
    ) -> None:
        seats = _seats(ego, partner, options)
        spec = GameSpec(layout, seats, seed, horizon, mobility, skill_timeout)
        truth = Truth()
        for player, seat in enumerate(seats):
            if seat.agent == HUMAN and player not in controls:
                raise BBAError("human: a person needs the screen; see --play")
        self.agents: tuple[Agent, Agent] = (
            load_agent(seats[0], controls=controls.get(0), oracle=truth.model_of),
            load_agent(seats[1], controls=controls.get(1), oracle=truth.model_of),
        )
        if mobility is None:
            mobility = EPISODE_DEFAULTS.mobility
        if not isinstance(mobility, tuple | list):
            mobility = (_mobility_of(self.agents[0], mobility), _mobility_of(self.agents[1], mobility))
        self.kitchen = Kitchen(spec.layout, spec.seed, mobility=mobility, fast=fast)
        self.horizon = spec.horizon
        self.skill_timeout = spec.skill_timeout
        self.fast = fast
        self._ticks = Ticks()
        config = GameConfig(
            layout=self.kitchen.layout,
            seats=(self.agents[0].profile, self.agents[1].profile),
            seed=spec.seed,
            horizon=spec.horizon,
            mobility=self.kitchen.mobility,
            skill_timeout=spec.skill_timeout,
        )
        self.trace = Trace(config, start=self.kitchen.state.copy(), ticks=self._ticks)
        truth.trace = self.trace
        self._now = GameState(self.kitchen.layout, self.trace.start, fast)
        contexts = [config.context(player, fast=fast) for player in (0, 1)]
        observer = partner_model(contexts[0], BeliefConfig())
        self._seated = SeatedAgents(self.agents, observer)
        self._runner = StepRunner(self.kitchen.layout, observer, spec.skill_timeout, fast=fast)
        for agent, context in zip(self.agents, contexts, strict=True):
            agent.reset(context)

    @classmethod
    def of(cls, spec: GameSpec, *, fast: bool = False, controls: Mapping[int, Controls] = NO_CONTROLS) -> Self:
        """Returns the game of a specification, at its start.

        Raises:
            BBAError: as the class.
        """
        return cls(
            spec.layout,
            spec.ego,
            spec.partner,
            spec.seed,
            horizon=spec.horizon,
            mobility=spec.mobility,
            skill_timeout=spec.skill_timeout,
            fast=fast,
            controls=controls,
        )

    def __repr__(self) -> str:
        return f"Game({self.trace!r})"

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
        return self._now.running(player)

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

        A kernel plays them if both agents state their policies (`bba.agents.kernel_policy`); else it is one step.

        Raises:
            BBAError: an agent cannot decide; then the step in which it was asked can be tried again.
        """
        steps = self.horizon - self.kitchen.steps
        if most is not None:
            steps = min(steps, most)
        played = self._run_kernel(steps)
        if not played:
            self.step()
            return 1
        return played

    def play(self) -> Iterator[Tick]:
        """Plays to the end, tick by tick."""
        while not self.done:
            yield self.step()

    @property
    def world_waits(self) -> bool | None:
        """Whether it waits for agents that decide in the background; None if none does."""
        deferring = [agent.waited_for for agent in self.agents if isinstance(agent, AsyncAgent)]
        return any(deferring) if deferring else None

    @property
    def progress(self) -> tuple[QuestionProgress | None, QuestionProgress | None]:
        """How far the decisions that are under way are, by player."""
        first, second = (agent.progress if isinstance(agent, AsyncAgent) else None for agent in self.agents)
        return first, second

    def begin_step(self) -> bool:
        """Lets the agents that the game waits for begin to decide; returns whether the step can be played at once."""
        begun = [
            agent.begin(self._now.observation(player))
            for player, agent in enumerate(self.agents)
            if isinstance(agent, AsyncAgent)
        ]
        return all(begun)

    def step(self) -> Tick:
        """Plays one step, which waits for whatever `begin_step` has not brought.

        Raises:
            BBAError: an agent cannot decide; then nothing was played, and the step can be tried again.
        """
        open_step = self._seated.observe(self._now)
        first = self._seated.decide(self._now, 0, open_step)
        second = self._seated.decide(self._now, 1, open_step)
        observed = open_step.beliefs(OBSERVER_SEAT)
        assert observed is not None
        tick = self._play((first, second), observed)
        self._append(tick)
        return tick

    def replay_step(self, tick: Tick) -> None:
        """Plays a recorded step: the decisions are taken from the tick, not from the agents.

        Raises:
            BBAError: controller and rules play another step: the tick comes from another version of them.
        """
        self._seated.observe(self._now)
        observed = Belief(tick.observer, tick.observer_gate, tick.observer_commitment_gate)
        played = self._play(tick.decisions, observed)
        if played.actions != tick.actions or not np.array_equal(played.state, tick.state):
            raise BBAError(f"step {tick.step} was played by other rules than these; the game cannot go on from there")
        self._append(tick)  # the very same one, which the forks of a game share

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

    def _note_profiles(self) -> None:
        """Records the agents as they are from the next step on."""
        self._seated.forget_policies()
        config = self.trace.config_at(len(self.trace.ticks) + 1)
        profiles = (self.agents[0].profile, self.agents[1].profile)
        self.trace.change(replace(config, seats=profiles))

    def time_out_skill(self, player: int) -> None:
        """Ends a player's running skill as timed out, so that it chooses one in the next step."""
        if self.running(player) != NO_SKILL:
            stop_skill(self._now.runs, player, TIMEOUT)
        self._seated.ask_both()

    def _run_kernel(self, most: int) -> int:
        """Runs the kernel for at most so many steps; returns how many, 0 if an agent has to be asked in every step."""
        now = self._now
        seated = self._seated
        played = self.kitchen.steps
        policies = seated.policies(played)
        if policies is None:
            return 0
        if now.before is None and seated.open_step is None:
            seated.begin(now, policies)
        while True:
            decisions = seated.decide_and_commit(now)
            policies = seated.policies_after(policies, decisions, played)
            beliefs = None if seated.open_step is None else seated.open_step.beliefs
            result = self._runner.run(now, policies, decisions, beliefs, most)
            trajectory = result.trajectory
            self._ticks.add(trajectory, result.steps)
            seated.open_step = None
            if result.steps:
                self._go_on(*trajectory.newest_states)
            if result.must_decide:
                beliefs_now = partial(trajectory.belief, trajectory.steps)
                seated.open_step = OpenStep(beliefs_now, result.must_decide, agents_know=False)
            if result.infeasible is not None:
                raise self._infeasible(result.infeasible)
            if result.steps:
                return result.steps

    def _play(self, decisions: Decisions, observed: Belief) -> Tick:
        """Commits the decisions of both agents and plays their step; the game does not go on from it yet."""
        self._seated.commit(self._now, decisions)
        try:
            return self._runner.step(self._now, self.kitchen.state, decisions, observed)
        except InfeasibleSkill as infeasible:
            raise self._infeasible(infeasible) from None

    def _append(self, tick: Tick) -> None:
        """Goes on after a step that was played singly."""
        self._go_on(self._now.state, tick.state)
        self._seated.forget_policies()
        self._ticks.append(tick)

    def _go_on(self, before: StateVector, state: StateVector) -> None:
        """Stands after another step, or several."""
        self._now.go_on(before, state)
        self.kitchen.state = state.copy()
        self._seated.open_step = None

    def _infeasible(self, infeasible: InfeasibleSkill) -> ValueError:
        agent = self.agents[infeasible.player].profile.agent
        return ValueError(f"{agent} chose skill {infeasible.skill}, which is not feasible")


def _seats(
    ego: AgentLike | SeatSpec, partner: AgentLike | SeatSpec, shared: SeatSpec | None
) -> tuple[SeatSpec, SeatSpec]:
    """Returns both seats, where the settings are shared by those that are given by an agent alone."""
    ego_seat = seat_of(ego, shared)
    partner_seat = seat_of(partner, shared)
    if not isinstance(partner, SeatSpec):
        agent_options = partner_seat.agent_options if partner == ego else {}
        partner_seat = partner_seat.as_partner(agent_options)
    return ego_seat, partner_seat


def _mobility_of(agent: Agent, mobility: float) -> float:
    """Returns the mobility of an agent; that of a person has a value of its own."""
    return PERSON_MOBILITY if agent.profile.agent == HUMAN else mobility


@known_keywords
def play_game(
    layout: str | Path | Layout = "open",
    ego: AgentLike | SeatSpec = "bayes",
    partner: AgentLike | SeatSpec = "switching",
    seed: int = 0,
    options: SeatSpec | None = None,
    *,
    horizon: int = EPISODE_DEFAULTS.horizon,
    mobility: float | tuple[float, float] | None = None,
    skill_timeout: int = SKILL_TIMEOUT,
    fast: bool = True,
    progress: bool | None = None,
) -> Trace:
    """Plays a game to its end and returns its trace.

    Args:
        layout, ego, partner, seed, options, horizon, mobility, skill_timeout: as in `Game`.
        fast: whether to compute with compiled kernels, which plays the same game much faster. What is not compiled on
            this machine is compiled in the background, and computes plain until then.
        progress: whether to show a bar; None for in a notebook only.

    Raises:
        BBAError: a name, an option or a number that is not allowed, or an agent that cannot decide.
    """
    game = Game(
        layout,
        ego,
        partner,
        seed,
        options,
        horizon=horizon,
        mobility=mobility,
        skill_timeout=skill_timeout,
        fast=fast,
    )
    with progress_bar(game.horizon, "steps", progress) as bar:
        while not game.done:
            for _ in range(game.advance()):
                bar.advance()
    return game.trace
