"""What happened in a game: its setup and one frozen `Tick` a step."""

from dataclasses import dataclass, field
from typing import NamedTuple

from bba.agents import BeliefConfig, Decision, Profile
from bba.belief import NO_ROLE, ROLE_OF_SKILL, BeliefUpdate, GateResult
from bba.kitchen import Event, Layout, Scene, constants
from bba.kitchen.kitchen import events_of
from bba.kitchen.scene import scene_of
from bba.kitchen.state import REWARD, SCORE, STEP, StateVector


@dataclass(frozen=True, slots=True)
class GameConfig:
    """What a game is set to: with the actions, enough to play it again; `seats` is who sits in seats 0 and 1."""

    layout: Layout
    seats: tuple[Profile, Profile]
    seed: int
    horizon: int
    mobility: tuple[float, float]
    skill_timeout: int

    @property
    def agents(self) -> tuple[str, str]:
        """The names of the two agents."""
        return self.seats[0].agent, self.seats[1].agent

    @property
    def belief_config(self) -> BeliefConfig | None:
        """The parameters of the ego's belief and gate; None if it has neither."""
        return self.seats[0].belief_config


class Tick(NamedTuple):
    """One step: what was thought and done in it, and the state it led to. Pairs are player 0, player 1.

    Attributes:
        row: the state after the step.
        actions: the primitive actions as chosen (before mobility held any back).
        skills: the skill that each player ran during the step; NO_SKILL for people.
        ages: for how many steps it had been running.
        ended: how the skill before it ended (`codes.END_NAMES`), where a new one began in this step; else None.
        decisions: what each agent answered, with its thoughts.
        observer: the passive observer's belief about player 1 as both decided.
        observer_gate: its gate, for an ego that is always mid-skill; None at the first step.
    """

    state: StateVector
    actions: tuple[int, int]
    skills: tuple[int, int]
    ages: tuple[int, int]
    ended: tuple[int | None, int | None]
    decisions: tuple[Decision, Decision]
    observer: BeliefUpdate
    observer_gate: GateResult | None

    @property
    def step(self) -> int:
        """The number of this step, from 1."""
        return int(self.state[STEP])

    @property
    def reward(self) -> int:
        """The team's reward in this step."""
        return int(self.state[REWARD])

    @property
    def score(self) -> int:
        """The team's reward so far."""
        return int(self.state[SCORE])

    @property
    def events(self) -> tuple[Event, ...]:
        """The public events of this step."""
        return events_of(self.state)

    def role(self, player: int) -> int:
        """The true role of a player in this step: that of the skill it ran; NO_ROLE where that has none."""
        skill = self.skills[player]
        return NO_ROLE if skill == constants.NO_SKILL else ROLE_OF_SKILL[skill]


@dataclass(slots=True)
class Trace:
    """A game so far.

    Attributes:
        setup: what it began as.
        start: the state it began with.
        ticks: its steps in order.
        changes: what was changed on the way: (steps played before, the setup from then on), in order.
    """

    config: GameConfig
    start: StateVector
    ticks: list[Tick] = field(default_factory=list)
    changes: list[tuple[int, GameConfig]] = field(default_factory=list)

    @property
    def score(self) -> int:
        """The team's reward so far."""
        return self.ticks[-1].score if self.ticks else 0

    def config_at(self, step: int) -> GameConfig:
        """What the game was set to in a step (1 is the first)."""
        for played, config in reversed(self.changes):
            if played < step:
                return config
        return self.config

    def first_belief_config(self, player: int) -> BeliefConfig | None:
        """The parameters of the first belief that sat in this seat; None if there never was one."""
        setups = (self.config, *(config for _, config in self.changes))
        return next(
            (config.seats[player].belief_config for config in setups if config.seats[player].belief_config is not None),
            None,
        )

    def change(self, config: GameConfig) -> None:
        """Note that from the next step on the game is set to something else."""
        while self.changes and self.changes[-1][0] == len(self.ticks):
            self.changes.pop()
        if config != self.config_at(len(self.ticks) + 1):
            self.changes.append((len(self.ticks), config))

    def scene(self, step: int) -> Scene:
        """The scene after so many steps; 0 is the start."""
        return scene_of(self.config.layout, self.ticks[step - 1].state if step else self.start)
