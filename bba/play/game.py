"""One game: two seats, a kitchen, a passive observer, and the trace of every step.

A step flows one way: the skills that ended are cleared, each seat's agent gets its `Observation` and answers with a
`Decision`, the controller turns both skills into primitive actions, the kitchen plays them, and a frozen `Tick` says
what happened. Whoever reads ticks (screen, file, measure) never reaches back.
"""

from collections.abc import Iterator

import numpy as np

from bba.agents import Agent, Decision, Observation, Seat, load_agent
from bba.errors import BBAError
from bba.kernels import at_speed
from bba.kitchen import Kitchen, Layout, codes, controller
from bba.kitchen.controller import AGE, ENDED, SKILL
from bba.kitchen.state import Row
from bba.play.observer import Observer
from bba.play.trace import Setup, Tick, Trace

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
            Setup(
                layout=self.kitchen.layout,
                agents=(self.agents[0].name, self.agents[1].name),
                seed=seed,
                horizon=horizon,
                mobility=mobility,
                skill_timeout=skill_timeout,
                planners=(self.agents[0].planner, self.agents[1].planner),
                tunings=(self.agents[0].tuning, self.agents[1].tuning),
            ),
            start=self.kitchen.row.copy(),
        )
        self._runs = controller.new_runs()
        self._actions = np.zeros(2, np.int32)
        self._review = at_speed(controller.review, fast=fast)
        self._start = at_speed(controller.start, fast=fast)
        self._steer = at_speed(controller.steer, fast=fast)
        self._observer = Observer(self.kitchen)
        self._previous: Row | None = None
        self._row: Row = self.trace.start
        for number, agent in enumerate(self.agents):
            agent.reset(Seat(number, self.kitchen.layout, seed, mobility[1 - number] < 1.0, fast))

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
        """Play one step."""
        kitchen, runs = self.kitchen, self._runs
        for player in (0, 1):
            self._review(kitchen.grid, self._row, runs, player, self.skill_timeout)
        observed = self._observer.update(self._previous, self._row)
        decisions = (self._decide(0), self._decide(1))
        ended = tuple(self._begin(player, decision) for player, decision in enumerate(decisions))
        self._steer(kitchen.grid, self._row, runs, self._actions)
        first, second = self._acts(decisions)
        kitchen.advance(first, second)
        self._previous, self._row = self._row, kitchen.row.copy()
        tick = Tick(
            row=self._row,
            actions=(first, second),
            skills=(int(runs[0, SKILL]), int(runs[1, SKILL])),
            ages=(int(runs[0, AGE]), int(runs[1, AGE])),
            ended=(ended[0], ended[1]),
            decisions=decisions,
            observer=observed[0],
            observer_gate=observed[1],
        )
        self.trace.ticks.append(tick)
        return tick

    def _decide(self, player: int) -> Decision:
        skill, _, age, ended, _, _ = self._runs[player].tolist()
        observation = Observation(player, self.kitchen.layout, self._previous, self._row, skill, age, ended, self.fast)
        return self.agents[player].decide(observation)

    def _begin(self, player: int, decision: Decision) -> int | None:
        """Start the chosen skill; returns how the one before it ended (None: it goes on, or there was none)."""
        if not decision.chosen:
            return None
        runs = self._runs
        before = codes.INTERRUPTED if runs[player, SKILL] != codes.NO_SKILL else int(runs[player, ENDED])
        if not self._start(self.kitchen.grid, self._row, runs, player, decision.skill):
            raise ValueError(f"{self.agents[player].name} chose skill {decision.skill}, which is not feasible")
        return before if before != codes.RUNNING else None

    def _acts(self, decisions: tuple[Decision, Decision]) -> tuple[int, int]:
        first, second = self._actions.tolist()
        return (
            first if decisions[0].action is None else decisions[0].action,
            second if decisions[1].action is None else decisions[1].action,
        )


def _seated(agent: str | Agent) -> Agent:
    return load_agent(agent) if isinstance(agent, str) else agent
