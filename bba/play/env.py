"""Environments of a kitchen: both seats, or one of them beside a named agent, for PettingZoo and for Gymnasium."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bba.agents import HUMAN, Agent, AgentOptions, load_agent
from bba.config import EPISODE_DEFAULTS
from bba.errors import BBAError
from bba.kitchen import Layout, env
from bba.kitchen.env import Infos, KitchenEnv, Observations, ParallelEnv
from bba.kitchen.observation import Float32Array
from bba.play.seat_env import SeatEnv
from bba.play.trace import Trace


class OneAgentEnv(ParallelEnv[str, Float32Array, int]):  # type: ignore[misc]  # PettingZoo ships no types
    """One seat of a kitchen for PettingZoo's parallel API, which has one agent then. `parallel_env` makes it."""

    metadata = KitchenEnv.metadata

    def __init__(self, seat_env: SeatEnv) -> None:
        self._env, self.render_mode = seat_env, seat_env.render_mode
        self.level, self.max_cycles = seat_env.level, seat_env.max_cycles
        self.possible_agents = [f"player_{seat_env.seat}"]
        self.agents: list[str] = []
        self.state_space = env.unit_box(2 * seat_env.observation_space.shape[0])

    @property
    def trace(self) -> Trace:
        """The game so far: the present one, or the last one until `reset`."""
        return self._env.trace

    def observation_space(self, agent: str) -> Any:  # noqa: ARG002 - there is one
        """Returns the space of observations: a vector of numbers from 0 to 1."""
        return self._env.observation_space

    def action_space(self, agent: str) -> Any:  # noqa: ARG002 - there is one
        """Returns the space of actions: the six primitive actions or the 27 skills."""
        return self._env.action_space

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observations, Infos]:
        """Starts a game. The same seed gives the same game; None draws a new one. `options` are not used."""
        seen, info = self._env.reset(seed=seed, options=options)
        self.agents = list(self.possible_agents)
        return self._of(seen), self._of(info)

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[Observations, dict[str, float], dict[str, bool], dict[str, bool], Infos]:
        """Plays one step with the agent's action.

        Raises:
            ValueError: an agent without an action, or an action outside its space.
        """
        if not self.agents:
            return {}, {}, {}, {}, {}
        if set(actions) != set(self.agents):
            raise ValueError(f"actions for {sorted(actions)}; needed for {self.agents}")
        results = self._env.step(actions[self.agents[0]])
        seen, reward, terminated, truncated, info = map(self._of, results)
        if results[3]:
            self.agents = []
        return seen, reward, terminated, truncated, info

    def state(self) -> Float32Array:
        """Returns what both players observe, player_0 first, as one vector."""
        return self._env.encoded().reshape(-1)

    def render(self) -> str | NDArray[np.uint8] | None:
        """Returns the kitchen as text ("ansi") or as an image (height, width, 3) ("rgb_array"); None without a mode."""
        return self._env.render()

    def _of(self, value: Any) -> dict[str, Any]:
        return {self.possible_agents[0]: value}


def gym_env(
    layout: str | Layout = "open",
    other: str | Agent = "bayes",
    level: str = "skill",
    max_cycles: int = EPISODE_DEFAULTS.horizon,
    render_mode: str | None = None,
    *,
    seat: int = 0,
    options: AgentOptions | None = None,
) -> SeatEnv:
    """Makes one seat of a kitchen for Gymnasium; MaskablePPO of sb3-contrib takes it as it is.

    Args:
        layout, level, max_cycles, render_mode: as in `parallel_env`.
        other: the other player: an agent or its name.
        seat: the learner's, 0 or 1.
        options: of the other player, if it is named; None for the scripted planner with default parameters.

    Raises:
        BBAError: an argument that is not allowed.
    """
    if other == HUMAN:
        raise BBAError("other: a person cannot sit in an environment; name an agent")
    agent = load_agent(other, options) if isinstance(other, str) else other
    return SeatEnv(layout, agent, level, max_cycles, render_mode, seat)


def parallel_env(
    layout: str | Layout = "open",
    level: str = "primitive",
    max_cycles: int = EPISODE_DEFAULTS.horizon,
    render_mode: str | None = None,
    *,
    other: str | Agent | None = None,
    seat: int = 0,
    options: AgentOptions | None = None,
) -> KitchenEnv | OneAgentEnv:
    """Makes a kitchen for PettingZoo's parallel API.

    Args:
        layout: a shipped layout's name, a ``.toml`` file, or a `Layout`.
        level: ``"primitive"`` (6 actions, carried out as given) or ``"skill"`` (27 skills; with the mobility noise
            of every player that uses the controller).
        max_cycles: number of steps of a game.
        render_mode: what `render` returns: None, ``"ansi"`` or ``"rgb_array"``.
        other: who takes the other seat, an agent or its name; None for two agents of the environment.
        seat: with `other`, the seat of the environment's only agent, 0 or 1.
        options: with `other`, as in `gym_env`.

    Raises:
        BBAError: an argument that is not allowed.
    """
    if other is None:
        return env.parallel_env(layout, level, max_cycles, render_mode)
    return OneAgentEnv(gym_env(layout, other, level, max_cycles, render_mode, seat=seat, options=options))
