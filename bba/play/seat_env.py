"""One seat of a kitchen as a Gymnasium environment, in which an agent takes the other seat.

It plays a `Game`, so the other player is exactly the one of all other games, and its trace can be watched, measured and
recorded. Actions, observations, masks and rewards are those of `bba.kitchen.env`.
"""

from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete
from numpy.typing import NDArray

from bba.agents import Agent
from bba.agents.learned.policy import ObservationEncoder
from bba.agents.policy_agent import PolicyAgent
from bba.config import EPISODE_DEFAULTS
from bba.errors import BBAError
from bba.kitchen import Layout, constants, env
from bba.kitchen.grid import grid_of
from bba.kitchen.observation import Float32Array, observation_size
from bba.play.game import Game
from bba.play.trace import Trace

Info = dict[str, Any]


class SeatEnv(gymnasium.Env[Float32Array, int]):  # type: ignore[misc]  # its types are not read
    """One seat of a kitchen as a Gymnasium environment; the other seat is an agent's. `gym_env` makes it."""

    metadata: dict[str, Any] = {"render_modes": list(env.RENDER_MODES), "render_fps": 10}  # noqa: RUF012

    def __init__(
        self, layout: str | Layout, other: Agent, level: str, max_cycles: int, render_mode: str | None, seat: int
    ) -> None:
        env.check_arguments(level, max_cycles, render_mode)
        if seat not in (0, 1):
            raise BBAError(f"seat: {seat!r} is not allowed; 0 or 1")
        self.level, self.max_cycles, self.render_mode, self.seat = level, max_cycles, render_mode, seat
        self.layout = Layout.load(layout) if isinstance(layout, str) else layout
        self._other, self._chosen = other, constants.ACTION_STAY
        self._policy = PolicyAgent(lambda *_: self._chosen, level=level)
        self._encoder = ObservationEncoder(self.layout, fast=True)
        self.action_space = Discrete(env.LEVELS[level])
        self.observation_space = env.unit_box(observation_size(grid_of(self.layout)))
        self._game = self._new_game(0)

    @property
    def trace(self) -> Trace:
        """The game so far: the present one, or the last one until `reset`."""
        return self._game.trace

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Float32Array, Info]:
        """Starts a game. The same seed gives the same game; None draws a new one. `options` are not used."""
        super().reset(seed=seed, options=options)
        self._game = self._new_game(int(self.np_random.integers(2**31)))
        return self._observation(), self._info()

    def step(self, action: int) -> tuple[Float32Array, float, bool, bool, Info]:
        """Plays one step; the reward is the team's. A game never terminates: it is truncated at its last step.

        Raises:
            ValueError: an action outside its space, or a game that is over.
            BBAError: the other player cannot decide.
        """
        if self._game.done:
            raise ValueError("the game is over; reset begins another")
        self._chosen = int(action)
        tick = self._game.step()
        return self._observation(), float(tick.reward), False, self._game.done, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns the actions that are possible now, booleans (27,) or (6,), as MaskablePPO of sb3-contrib asks."""
        if self.level == "primitive":
            return np.ones(constants.N_ACTIONS, np.bool_)
        return self._game.kitchen.mask(self.seat)

    def render(self) -> str | NDArray[np.uint8] | None:
        """Returns the kitchen as text ("ansi") or as an image (height, width, 3) ("rgb_array"); None without a mode."""
        return env.rendered(self.layout, self._game.kitchen.scene(), self.render_mode)

    def encoded(self) -> Float32Array:
        """Returns what both players observe, (2, size)."""
        return self._encoder.of(self._game.kitchen.state)

    def _new_game(self, seed: int) -> Game:
        own, others = env.MOBILITY[self.level], EPISODE_DEFAULTS.mobility
        agents: tuple[Agent, Agent] = (self._policy, self._other)
        mobility = (own, others)
        if self.seat == 1:
            agents, mobility = agents[::-1], mobility[::-1]
        return Game(self.layout, *agents, seed, horizon=self.max_cycles, mobility=mobility, fast=True)

    def _observation(self) -> Float32Array:
        seen: Float32Array = self.encoded()[self.seat]
        return seen

    def _info(self) -> Info:
        return {"action_mask": self.action_masks().astype(np.int8), "skill": self._game.running(self.seat)}
