"""Environments of a kitchen: both seats, or one of them beside a named agent, for PettingZoo and for Gymnasium.

One seat plays a `Game`, so the other player is exactly the one of all other games, and the trace can be watched,
measured and recorded. Actions, observations, masks and rewards are those of `bba.kitchen.env`.
"""

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete

from bba.agents import HUMAN, Agent, AgentLike, ObservationEncoder, PolicyAgent, SeatSpec, load_agent
from bba.config import EPISODE_DEFAULTS, SKILL_TIMEOUT
from bba.errors import BBAError, seed_number
from bba.keywords import changed_default, known_keywords
from bba.kitchen import BoolArray, ByteArray, Float32Array, Layout, constants, env, grid_of, observation_size
from bba.play.game import Game
from bba.play.trace import Trace

Info = dict[str, Any]


class SeatEnv(gymnasium.Env[Float32Array, int]):  # type: ignore[misc]  # its types are not read
    """One seat of a kitchen as a Gymnasium environment; the other seat is an agent's. `gym_env` makes it."""

    metadata: dict[str, Any] = {"render_modes": list(env.RENDER_MODES), "render_fps": env.FRAMES_A_SECOND}  # noqa: RUF012

    def __init__(
        self,
        layout: str | Path | Layout,
        other: Agent,
        level: str,
        max_cycles: int,
        render_mode: str | None,
        seat: int,
        mobility: float | tuple[float, float] | None,
        skill_timeout: int,
    ) -> None:
        env.check_arguments(level, max_cycles, render_mode)
        if seat not in (0, 1):
            raise BBAError(f"seat: {seat!r} is not allowed; 0 or 1")
        self.level = level
        self.max_cycles = max_cycles
        self.render_mode = render_mode
        self.seat = seat
        self.layout = Layout.load(layout)
        self._skill_timeout = skill_timeout
        if mobility is None:
            mobility = EPISODE_DEFAULTS.mobility
        if not isinstance(mobility, tuple | list):
            seat_mobility = env.level_mobility(level, mobility)
            mobility = (seat_mobility, mobility) if seat == 0 else (mobility, seat_mobility)
        self._mobility = mobility
        self._other = other
        self._chosen = constants.ACTION_STAY
        self._steps = 0
        self._policy = PolicyAgent(self._choose, level=level)
        self._encoder = ObservationEncoder(self.layout, fast=True)
        self.action_space = Discrete(env.LEVEL_SIZES[level])
        self.observation_space = env.unit_box(observation_size(grid_of(self.layout)))
        self._game = self._new_game(0)

    @property
    def trace(self) -> Trace:
        """The game so far: the present one, or the last one until `reset`."""
        return self._game.trace

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Float32Array, Info]:
        """Starts the game of this seed, that of `play_game` too; None draws another seed. `options` are not used.

        Raises:
            BBAError: a seed that is no whole number from 0 to 2^63 - 1.
        """
        if seed is not None:
            seed = seed_number(seed)
        super().reset(seed=seed, options=options)
        if seed is None:
            seed = int(self.np_random.integers(2**31))
        self._game = self._new_game(seed)
        self._steps = 0
        self._show()
        return self.encoded()[self.seat], self._info()

    def step(self, action: int) -> tuple[Float32Array, float, bool, bool, Info]:
        """Plays one step, at the level "option" until the seat has to choose; the reward is the team's in all of it.

        A game never terminates: it is truncated at its last step.

        Raises:
            ValueError: an action outside its space, or a game that is over.
            BBAError: the other player cannot decide.
        """
        if self._game.done:
            raise ValueError("the game is over; reset begins another")
        self._chosen = int(action)
        kitchen = self._game.kitchen
        score = kitchen.score
        played = kitchen.steps
        self._play()
        while self.level == env.OPTION and not self._game.done and self._game.running(self.seat) != constants.NO_SKILL:
            self._play()
        self._steps = kitchen.steps - played
        return self.encoded()[self.seat], float(kitchen.score - score), False, self._game.done, self._info()

    def action_masks(self) -> BoolArray:
        """Returns the actions that are possible now, booleans (27,) or (6,), as MaskablePPO of sb3-contrib asks."""
        if self.level == "primitive":
            return np.ones(constants.N_ACTIONS, np.bool_)
        return self._game.kitchen.mask(self.seat)

    def _play(self) -> None:
        """Plays a step; at the level "option" as many as no agent has to be asked for, unless a person watches."""
        runs_on = self.level == env.OPTION and self.render_mode != "human"
        self._game.advance(None if runs_on else 1)
        self._show()

    def _show(self) -> None:
        """Draws the kitchen for a person to watch, if the environment was made for that."""
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | ByteArray | None:
        """Returns what the mode says: "ansi" text, "rgb_array" an image (height, width, 3), "human" and none None."""
        scene = self._game.kitchen.scene()
        return env.rendered(self.layout, scene, self.render_mode)

    def encoded(self) -> Float32Array:
        """Returns what both players observe, (2, size)."""
        return self._encoder.of(self._game.kitchen.state)

    def _choose(self, *_: object) -> int:
        """Returns what the step under way was given; a method, so that the environment can be pickled."""
        return self._chosen

    def _new_game(self, seed: int) -> Game:
        ego: Agent = self._policy
        partner = self._other
        if self.seat == 1:
            ego, partner = partner, ego
        return Game(
            self.layout,
            ego,
            partner,
            seed,
            horizon=self.max_cycles,
            mobility=self._mobility,
            skill_timeout=self._skill_timeout,
            fast=True,
        )

    def _info(self) -> Info:
        mask = self.action_masks().astype(np.int8)
        return {"action_mask": mask, "skill": self._game.running(self.seat), "steps": self._steps}


class OneAgentEnv(env.KitchenEnv):
    """One seat of a kitchen for PettingZoo's parallel API, which has one agent then. `parallel_env` makes it."""

    def __init__(self, seat_env: SeatEnv) -> None:
        self._env = seat_env
        self.render_mode = seat_env.render_mode
        self.level = seat_env.level
        self.max_cycles = seat_env.max_cycles
        self.possible_agents = [f"player_{seat_env.seat}"]
        self.agents: list[str] = []
        self._set_spaces(seat_env.observation_space.shape[0])

    @property
    def trace(self) -> Trace:
        """The game so far: the present one, or the last one until `reset`."""
        return self._env.trace

    def state(self) -> Float32Array:
        """Returns what both players observe, player_0 first, as one vector."""
        return self._env.encoded().reshape(-1)

    def render(self) -> str | ByteArray | None:
        """Returns what the mode says: "ansi" text, "rgb_array" an image (height, width, 3), "human" and none None."""
        return self._env.render()

    def _restart(self, seed: int | None) -> None:
        self._observation, self._info = self._env.reset(seed=seed)

    def _play(self, actions: list[int]) -> tuple[float, bool]:
        self._observation, reward, _, over, self._info = self._env.step(actions[0])
        return reward, over

    def _observations(self) -> env.Observations:
        return dict.fromkeys(self.agents, self._observation)

    def _infos(self) -> env.Infos:
        return dict.fromkeys(self.agents, self._info)


@known_keywords
def gym_env(
    layout: str | Path | Layout = "open",
    other: AgentLike | SeatSpec = "bayes",
    level: str = "skill",
    max_cycles: int = EPISODE_DEFAULTS.horizon,
    render_mode: str | None = None,
    *,
    seat: int = 0,
    options: SeatSpec | None = None,
    mobility: float | tuple[float, float] | None = None,
    skill_timeout: int = SKILL_TIMEOUT,
) -> SeatEnv:
    """Makes one seat of a kitchen for Gymnasium; MaskablePPO of sb3-contrib takes it as it is.

    Args:
        layout, level, max_cycles, render_mode, mobility, skill_timeout: as in `parallel_env`.
        other: the other player: an agent, its name, or its class.
        seat: the learner's, 0 or 1.
        options: of the other player, if it is named; None for the scripted planner with default parameters.

    Raises:
        BBAError: an argument that is not allowed.
    """
    if other == HUMAN:
        raise BBAError("other: a person cannot sit in an environment; name an agent")
    agent = load_agent(other, options)
    return SeatEnv(layout, agent, level, max_cycles, render_mode, seat, mobility, skill_timeout)


@changed_default("level", before="primitive")
@known_keywords
def parallel_env(
    layout: str | Path | Layout = "open",
    level: str = "skill",
    max_cycles: int = EPISODE_DEFAULTS.horizon,
    render_mode: str | None = None,
    *,
    other: AgentLike | SeatSpec | None = None,
    seat: int = 0,
    options: SeatSpec | None = None,
    mobility: float | tuple[float, float] | None = None,
    skill_timeout: int = SKILL_TIMEOUT,
) -> env.KitchenEnv:
    """Makes a kitchen for PettingZoo's parallel API.

    Args:
        layout: a shipped layout's name, a ``.toml`` file, or a `Layout`.
        level: ``"primitive"`` (6 actions, carried out as given), ``"skill"`` (27 skills, which the controller turns
            into actions, chosen anew in every step) or ``"option"`` (the same skills, which run to their end: a step
            lasts until a choice is due, its reward is the sum, and ``info["steps"]`` says how many it took).
        max_cycles: number of kitchen steps of a game.
        render_mode: what `render` returns: None, ``"ansi"`` or ``"rgb_array"``; ``"human"`` draws on the terminal.
        other: who takes the other seat, an agent, its name or its class; None for two agents of the environment.
        seat: with `other`, the seat of the environment's only agent, 0 or 1.
        options: with `other`, as in `gym_env`.
        mobility: the probability that a direction action of a player that uses the controller is carried out, 0 to 1;
            primitive actions of the environment are carried out. Two numbers are those of players 0 and 1. None: 0.35.
        skill_timeout: steps after which a skill ends unfinished, 1 or more.

    Raises:
        BBAError: an argument that is not allowed.
    """
    if other is None:
        return env.parallel_env(layout, level, max_cycles, render_mode, mobility=mobility, skill_timeout=skill_timeout)
    one_seat = gym_env(
        layout,
        other,
        level,
        max_cycles,
        render_mode,
        seat=seat,
        options=options,
        mobility=mobility,
        skill_timeout=skill_timeout,
    )
    return OneAgentEnv(one_seat)
