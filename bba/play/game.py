"""One game: two seats, a kitchen, a passive observer, and the trace of every step.

A step flows one way: each seat's agent gets its `Observation` and answers with a `Decision`, the controller turns both
skills into primitive actions, the kitchen plays them, a frozen `Tick` says what happened, and the skills that ended are
cleared. Whoever reads ticks (screen, file, measure) never reaches back.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from bba.agents import Agent, BeliefConfig, Decision, EpisodeContext, Observation, load_agent, stay_model_of
from bba.errors import BBAError
from bba.kernels import maybe_compiled
from bba.kitchen import Kitchen, Layout, constants, controller
from bba.kitchen.controller import AGE, CONTROLLED, ENDED, SKILL
from bba.kitchen.state import StateVector
from bba.play.observer import PARTNER, Observer
from bba.play.trace import GameConfig, Tick, Trace

HORIZON = 2400
MOBILITY = 0.35
SKILL_TIMEOUT = 30


class Game:
    """Two agents in one kitchen.

    Args:
        layout: a shipped layout's name, a path to a layout file, or a `Layout`.
        ego, partner: who plays seats 0 and 1: an agent or an agent's name.
        seed: of everything random, 0 or more.
        horizon: steps of the episode, 1 or more.
        mobility: chance that an agent's direction action is carried out, 0 to 1, for each seat; people move freely.
        skill_timeout: steps after which a skill ends unfinished, 1 or more.
        fast: compiled kernels (headless) instead of plain ones (a screen, which then starts at once). Same game.

    Raises:
        BBAError: an unknown name or a number out of range.
    """

    def __init__(
        self,
        layout: str | Layout,
        ego: str | Agent,
        partner: str | Agent,
        seed: int = 0,
        *,
        horizon: int = HORIZON,
        mobility: tuple[float, float] = (MOBILITY, MOBILITY),
        skill_timeout: int = SKILL_TIMEOUT,
        fast: bool = False,
    ) -> None:
        if horizon < 1:
            raise BBAError(f"horizon: {horizon} is not allowed; 1 or more")
        if skill_timeout < 1:
            raise BBAError(f"skill-timeout: {skill_timeout} is not allowed; 1 or more")
        self.kitchen = Kitchen(layout, seed, mobility=mobility, fast=fast)
        self.agents: tuple[Agent, Agent] = (_seated(ego), _seated(partner))
        self.horizon, self.skill_timeout, self.fast = horizon, skill_timeout, fast
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
        )
        self._runs = controller.new_skill_runs()
        self._actions = np.zeros(2, np.int32)
        self._review = maybe_compiled(controller.check_completion, fast=fast)
        self._start = maybe_compiled(controller.start_skill, fast=fast)
        self._steer = maybe_compiled(controller.next_actions, fast=fast)
        stay_models = [stay_model_of(agent.profile.agent, mobility[seat]) for seat, agent in enumerate(self.agents)]
        self._observer = Observer(self.kitchen, stay_models[PARTNER])
        self._previous: StateVector | None = None
        self._state: StateVector = self.trace.start
        for number, agent in enumerate(self.agents):
            agent.reset(EpisodeContext(number, self.kitchen.layout, seed, stay_models[1 - number], fast))

    @property
    def done(self) -> bool:
        """Whether the horizon is reached."""
        return self.kitchen.steps >= self.horizon

    def run(self) -> Trace:
        """Play to the end and return the trace."""
        for _ in self.play():
            pass
        return self.trace

    def play(self) -> Iterator[Tick]:
        """Play to the end, tick by tick."""
        while not self.done:
            yield self.step()

    def step(self) -> Tick:
        """Play one step.

        Raises:
            BBAError: an agent cannot decide; then nothing was played.
        """
        first, second = self.agents
        decisions = (first.decide(self._observation(0)), second.decide(self._observation(1)))
        observer, observer_gate = self._observer.update(self._previous, self._state)
        ended, actions = self._carry_out(decisions)
        self.kitchen.advance(*actions)
        runs = self._runs
        tick = Tick(
            state=self.kitchen.state.copy(),
            actions=actions,
            skills=(int(runs[0, SKILL]), int(runs[1, SKILL])),
            ages=(int(runs[0, AGE]), int(runs[1, AGE])),
            ended=ended,
            decisions=decisions,
            observer=observer,
            observer_gate=observer_gate,
        )
        self._take_in(tick)
        return tick

    def replay_step(self, tick: Tick) -> None:
        """Let the next step be one that was played before, by these agents or by others in their place.

        Raises:
            BBAError: the controller would not have acted so: the step comes from another version of it.
        """
        self._observer.update(self._previous, self._state)
        for player, agent in enumerate(self.agents):
            agent.commit(self._observation(player), tick.decisions[player])
        _, actions = self._carry_out(tick.decisions)
        if actions != tick.actions:
            raise BBAError(f"step {tick.step} was played by other rules than these; the game cannot go on from there")
        self.kitchen.state = tick.state.copy()
        self._take_in(tick)

    def reconfigure(self, player: int, belief_config: BeliefConfig) -> None:
        """Give a player other parameters of belief and gate from the next step on, and note it in the trace.

        Raises:
            BBAError: it has no belief, or the belief cannot go on with these.
        """
        self.agents[player].reconfigure(belief_config)
        config = self.trace.config_at(len(self.trace.ticks) + 1)
        self.trace.change(replace(config, seats=(self.agents[0].profile, self.agents[1].profile)))

    def time_out_skill(self, player: int) -> None:
        """Let the time of a player's running skill be up, so that it chooses in the next step."""
        if self._runs[player, SKILL] != constants.NO_SKILL:
            controller.stop_skill(self._runs, player, constants.TIMEOUT)

    def _take_in(self, tick: Tick) -> None:
        """Let this be the last step, and clear the skills that have ended with it."""
        self._previous, self._state = self._state, tick.state
        self.trace.ticks.append(tick)
        for player in (0, 1):
            self._review(self.kitchen.grid, self._state, self._runs, player, self.skill_timeout)

    def _observation(self, player: int) -> Observation:
        skill, _, age, ended, _, _ = self._runs[player].tolist()
        return Observation(player, self.kitchen.layout, self._previous, self._state, skill, age, ended, self.fast)

    def _carry_out(self, decisions: tuple[Decision, Decision]) -> tuple[tuple[int | None, int | None], tuple[int, int]]:
        """Begin what was chosen and let the controller steer; returns how the skills before ended, and the actions."""
        for player, decision in enumerate(decisions):
            self._runs[player, CONTROLLED] = decision.action is None
        ended = (self._begin(0, decisions[0]), self._begin(1, decisions[1]))
        self._steer(self.kitchen.grid, self._state, self._runs, self._actions)
        return ended, self._acts(decisions)

    def _begin(self, player: int, decision: Decision) -> int | None:
        """Start the chosen skill; returns how the one before it ended (None: it goes on, or there was none)."""
        if not decision.chosen:
            return None
        runs = self._runs
        before = constants.INTERRUPTED if runs[player, SKILL] != constants.NO_SKILL else int(runs[player, ENDED])
        if decision.skill == constants.NO_SKILL:
            controller.stop_skill(runs, player, before)
            runs[player, AGE] = 0
        elif not self._start(self.kitchen.grid, self._state, runs, player, decision.skill):
            raise ValueError(f"{self.agents[player].profile.agent} chose skill {decision.skill}, which is not feasible")
        return before if before != constants.RUNNING else None

    def _acts(self, decisions: tuple[Decision, Decision]) -> tuple[int, int]:
        first, second = self._actions.tolist()
        return (
            first if decisions[0].action is None else decisions[0].action,
            second if decisions[1].action is None else decisions[1].action,
        )


def _seated(agent: str | Agent) -> Agent:
    return load_agent(agent) if isinstance(agent, str) else agent
