"""The kitchen as a PettingZoo parallel environment.

There are three levels of actions. An infeasible skill counts as STAY.

- ``"primitive"``: one of the six of Overcooked-AI.
- ``"skill"``: one of the 27 macro-skills, chosen anew in every kitchen step. If it is running already, it continues;
  otherwise the running one is interrupted and the named one starts. So a policy may choose in every step, or repeat its
  choice until ``info["skill"]`` is -1.
- ``"option"``: one of the 27 macro-skills, which runs to its end. An environment step lasts until an agent has to
  choose: a semi-Markov decision process. Who runs a skill meanwhile goes on, whatever its action is.

Each agent's info has

- ``action_mask``: (6,) or (27,) int8. Primitive: all ones. Skill: the feasible skills, which include the running one.
  Option: the same for an agent that has to choose; the running skill alone for the other one.
- ``skill``: the skill that this agent runs, -1 if the last one ended (always -1 at the primitive level).
- ``steps``: the kitchen steps of this environment step: 0 after `reset`, 1 or more at the level "option", else 1.

Observations are described in `bba.kitchen.observation`; `state()` is player_0's followed by player_1's. The reward is
the team's over these steps, given to both. Games never terminate: they are truncated after `max_cycles` kitchen steps.
"""

import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from bba.config import EPISODE_DEFAULTS, SKILL_TIMEOUT
from bba.errors import BBAError, seed_number, whole_number
from bba.keywords import changed_default
from bba.kitchen import BoolArray, ByteArray, Float32Array, Int32Array, constants
from bba.kitchen.batch import KitchenBatch
from bba.kitchen.controller import SKILL
from bba.kitchen.kitchen import Scene
from bba.kitchen.layout import Layout
from bba.kitchen.render.painter import Painter

try:
    from gymnasium.spaces import Box, Discrete
    from gymnasium.utils.seeding import np_random
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils.conversions import parallel_to_aec
except ImportError as error:
    raise BBAError(f"environments need {error.name}: pip install 'bba-tui[env]'") from None

OPTION = "option"
LEVEL_SIZES = {"primitive": constants.N_ACTIONS, "skill": constants.N_SKILLS, OPTION: constants.N_SKILLS}
RENDER_MODES = ("human", "ansi", "rgb_array")
FRAMES_A_SECOND = 10
TILE_PIXELS = 16
REDRAW = "\x1b[H\x1b[J"  # the next text takes the whole terminal

Observations = dict[str, Float32Array]
Infos = dict[str, dict[str, Any]]


class KitchenEnv(ParallelEnv[str, Float32Array, int]):  # type: ignore[misc]  # PettingZoo ships no types
    """One kitchen with two agents that act at the same time. `parallel_env` makes it.

    `bba.play.seat_env` extends it to one agent beside another that the environment plays.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 (declared so by PettingZoo)
        "name": "burrito_kitchen_v0",
        "render_modes": list(RENDER_MODES),
        "render_fps": FRAMES_A_SECOND,
        "is_parallelizable": True,
    }

    def __init__(
        self,
        layout: str | Path | Layout,
        level: str,
        max_cycles: int,
        render_mode: str | None,
        mobility: float | tuple[float, float] | None,
        skill_timeout: int,
    ) -> None:
        check_arguments(level, max_cycles, render_mode)
        self._skill_timeout = whole_number("skill-timeout", skill_timeout)
        if mobility is None:
            mobility = EPISODE_DEFAULTS.mobility
        if not isinstance(mobility, tuple | list):
            mobility = (level_mobility(level, mobility),) * 2
        self.level = level
        self.max_cycles = max_cycles
        self.render_mode = render_mode
        self.possible_agents = ["player_0", "player_1"]
        self.agents: list[str] = []
        self._steps = 0
        self._batch = KitchenBatch(layout, 1, mobility=mobility)
        self._set_spaces(self._batch.observe().shape[2])
        self._random, _ = np_random(None)

    def observation_space(self, agent: str) -> Box:
        """Returns the space of observations: a vector of numbers from 0 to 1, of the same length for both agents."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """Returns the space of actions: the six primitive actions or the 27 skills."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observations, Infos]:  # noqa: ARG002
        """Starts the game of this seed, that of `play_game` too; None draws another seed. `options` are not used.

        Raises:
            BBAError: a seed that is no whole number from 0 to 2^63 - 1.
        """
        self._steps = 0
        self._restart(seed)
        self.agents = list(self.possible_agents)
        return self._observations(), self._infos()

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[Observations, dict[str, float], dict[str, bool], dict[str, bool], Infos]:
        """Plays one step with an action for each agent; at the level "option" until one of them has to choose.

        Raises:
            ValueError: an agent without an action, or an action outside its space.
        """
        if not self.agents:
            return {}, {}, {}, {}, {}
        if set(actions) != set(self.agents):
            raise ValueError(f"actions for {sorted(actions)}; needed for {self.agents}")
        reward, over = self._play([int(actions[agent]) for agent in self.agents])
        results = (
            self._observations(),
            dict.fromkeys(self.agents, reward),
            dict.fromkeys(self.agents, False),
            dict.fromkeys(self.agents, over),
            self._infos(),
        )
        if over:
            self.agents = []
        return results

    def state(self) -> Float32Array:
        """Returns both observations, player_0's first, as one vector."""
        return self._batch.observe().reshape(-1)

    def render(self) -> str | ByteArray | None:
        """Returns what the mode says: "ansi" text, "rgb_array" an image (height, width, 3), "human" and none None."""
        return rendered(self._batch.layout, self._batch.kitchen(0).scene(), self.render_mode)

    def _set_spaces(self, size: int) -> None:
        """Says what the agents may do, and that they observe so many numbers."""
        self._action_spaces = {agent: Discrete(LEVEL_SIZES[self.level]) for agent in self.possible_agents}
        self._observation_spaces = {agent: unit_box(size) for agent in self.possible_agents}
        self.state_space = unit_box(2 * size)

    def _restart(self, seed: int | None) -> None:
        """Starts the game of this seed; None draws another seed."""
        if seed is not None:
            seed = seed_number(seed)
            self._random, _ = np_random(seed)
        self._batch.reset(int(self._random.integers(2**31)) if seed is None else seed)
        self._show()

    def _play(self, actions: list[int]) -> tuple[float, bool]:
        """Plays one step with an action for each agent; returns the reward, and whether the game is over."""
        chosen = np.array([actions], np.int32)
        if self.level == "primitive":
            self._batch.step(chosen)
        else:
            if self.level == "skill":
                self._batch.drop(self._batch.runs[:, :, SKILL] != chosen)
            self._batch.step_skills(chosen, self._skill_timeout)
        reward = float(self._batch.rewards[0])
        self._steps = 1
        self._show()
        if self.level == OPTION:
            reward += self._play_on(chosen)
        return reward, self._batch.steps >= self.max_cycles

    def _play_on(self, chosen: Int32Array) -> float:
        """Plays until an agent has to choose, or the game is over; returns the reward."""
        reward = 0.0
        while self._batch.steps < self.max_cycles and not self._batch.waiting.any():
            self._batch.step_skills(chosen, self._skill_timeout)
            reward += float(self._batch.rewards[0])
            self._steps += 1
            self._show()
        return reward

    def _show(self) -> None:
        """Draws the kitchen for a person to watch, if the environment was made for that."""
        if self.render_mode == "human":
            self.render()

    def _observations(self) -> Observations:
        return dict(zip(self.agents, self._batch.observe()[0], strict=True))

    def _infos(self) -> Infos:
        running = self._batch.runs[0, :, SKILL].tolist()
        masks = np.ones((2, constants.N_ACTIONS), np.bool_) if self.level == "primitive" else self._batch.masks()[0]
        infos = {}
        for player, agent in enumerate(self.agents):
            mask = masks[player]
            if self.level == OPTION:
                mask = option_mask(mask, running[player])
            infos[agent] = {"action_mask": mask.astype(np.int8), "skill": running[player], "steps": self._steps}
        return infos


@changed_default("level", before="primitive")
def parallel_env(
    layout: str | Path | Layout = "open",
    level: str = "skill",
    max_cycles: int = EPISODE_DEFAULTS.horizon,
    render_mode: str | None = None,
    *,
    mobility: float | tuple[float, float] | None = None,
    skill_timeout: int = SKILL_TIMEOUT,
) -> KitchenEnv:
    """Makes a kitchen for PettingZoo's parallel API.

    Args:
        layout: a shipped layout's name, a ``.toml`` file, or a `Layout`.
        level: ``"primitive"`` (6 actions, carried out as given), ``"skill"`` (27 skills, which the controller turns
            into actions, chosen anew in every step) or ``"option"`` (the same skills, which run to their end).
        max_cycles: number of kitchen steps of a game.
        render_mode: what `render` returns: None, ``"ansi"`` or ``"rgb_array"``; ``"human"`` draws on the terminal.
        mobility: the probability that a direction action of a player that uses the controller is carried out, 0 to 1;
            primitive actions of the environment are carried out. Two numbers are those of players 0 and 1. None: 0.35.
        skill_timeout: steps after which a skill ends unfinished, 1 or more.

    Raises:
        BBAError: an argument that is not allowed.
    """
    return KitchenEnv(layout, level, max_cycles, render_mode, mobility, skill_timeout)


def env(**arguments: Any) -> AECEnv[str, Float32Array, int]:
    """Makes the same for PettingZoo's AEC API (agents act in turn, the kitchen steps after both)."""
    return parallel_to_aec(parallel_env(**arguments))


def level_mobility(level: str, mobility: float) -> float:
    """Returns the mobility of a seat of the environment: as of people, its primitive actions are all carried out."""
    return 1.0 if level == "primitive" else mobility


def check_arguments(level: str, max_cycles: int, render_mode: str | None) -> None:
    """Checks the arguments that all environments of a kitchen have.

    Raises:
        BBAError: one of them is not allowed.
    """
    if level not in LEVEL_SIZES:
        raise BBAError(f"level: {level!r} is not allowed; primitive, skill or option")
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise BBAError(f"render_mode: {render_mode!r} is not allowed; None, human, ansi or rgb_array")
    whole_number("max_cycles", max_cycles)


def option_mask(feasible: BoolArray, running: int) -> BoolArray:
    """Returns what an agent may name at the level "option", (27,): the skill that it runs, else the feasible ones."""
    if running == constants.NO_SKILL:
        return feasible
    mask = np.zeros(constants.N_SKILLS, np.bool_)
    mask[running] = True
    return mask


def rendered(layout: Layout, scene: Scene, render_mode: str | None) -> str | ByteArray | None:
    """Returns a scene as text ("ansi") or as an image (height, width, 3) ("rgb_array").

    "human" writes the text to the terminal, where each takes the place of the last one, and waits as long as one is
    shown; where standard output is no terminal, one follows the other without a wait. It and None return None.
    """
    if render_mode is None:
        return None
    if render_mode == "human":
        draw(text_of(layout, scene))
        return None
    if render_mode == "ansi":
        return text_of(layout, scene)
    return Painter(layout.rows, TILE_PIXELS, layout.pass_counters).paint(scene)


def draw(text: str) -> None:
    """Writes a text to standard output, in a terminal in the place of what stands there."""
    if not sys.stdout.isatty():
        sys.stdout.write(f"{text}\n\n")
        return
    sys.stdout.write(f"{REDRAW}{text}\n")
    sys.stdout.flush()
    time.sleep(1 / FRAMES_A_SECOND)


def text_of(layout: Layout, scene: Scene) -> str:
    """Returns a scene as text: counters, the map with the players as 1 and 2, held items, objects and orders."""
    rows = [list(row.replace("1", " ").replace("2", " ")) for row in layout.rows]
    for number, player in enumerate(scene.players, 1):
        x, y = player.position
        rows[y][x] = str(number)
    lines = [f"step {scene.step}  score {scene.score}  streak {scene.streak}  dirty plates {scene.dirty_plates}"]
    lines += ["".join(row) for row in rows]
    lines += [f"{i}: facing {p.facing}, holds {p.held or 'nothing'}" for i, p in enumerate(scene.players, 1)]
    lines += [f"{item.name} {item.state}".rstrip() + f" at {item.position}" for item in scene.objects]
    lines += [f"order: {order.dish}, {order.left} steps left" for order in scene.orders]
    return "\n".join(lines)


def unit_box(size: int) -> Box:
    """Returns the space of vectors of `size` numbers from 0 to 1."""
    return Box(0.0, 1.0, (size,), np.float32)
