"""The trace of a game: configuration, one frozen `Tick` per step, and the steps as arrays for measures."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
from typing_extensions import deprecated

from bba.agents.base import Decision, EpisodeContext, Profile
from bba.agents.human import HUMAN, stay_model_of
from bba.agents.learned.families import is_learned
from bba.belief import NO_ROLE, ROLE_OF_SKILL, BeliefUpdate, CommitmentGateResult, GateResult, roles_of
from bba.config import BeliefConfig, Seed, Share, Steps
from bba.kitchen import (
    BoolArray,
    Event,
    Float64Array,
    IndexArray,
    Int32Array,
    Layout,
    Scene,
    StateVector,
    constants,
    events_of,
    scene_of,
)
from bba.tabular import FRAMES, Library

# the players: the one whose belief is studied, and the one whom it models
EGO = 0
PARTNER = 1


@dataclass(frozen=True, slots=True)
class GameConfig:
    """The configuration of a game, which together with the actions suffices to replay it.

    The annotations are the limits that a recording is validated against.

    Attributes:
        layout: the kitchen.
        seats: the profiles of players 0 and 1.
        seed: of everything random.
        horizon: steps of the episode.
        mobility: for each player, the probability that a direction action is carried out.
        skill_timeout: steps after which a skill ends unfinished.
    """

    layout: Layout
    seats: tuple[Profile, Profile]
    seed: Seed
    horizon: Steps
    mobility: tuple[Share, Share]
    skill_timeout: Steps

    @property
    def agents(self) -> tuple[str, str]:
        """The names of the two agents."""
        return self.seats[0].agent, self.seats[1].agent

    @property
    def labels(self) -> tuple[str, str]:
        """The names of the two agents as people read them."""
        return self.seats[0].label, self.seats[1].label

    @property
    def summary(self) -> str:
        """Who plays where, in a few words."""
        names = " and ".join(self.agents)
        return f"{names} in {self.layout.name}, {self.seed_label}"

    @property
    def seed_label(self) -> str:
        """The seed in words; it says so if another game with this seed would go another way."""
        if self.repeatable:
            return f"seed {self.seed}"
        return f"seed {self.seed}, not repeatable"

    @property
    def repeatable(self) -> bool:
        """Whether both agents decide the same on every machine, as far as that is up to them (`Profile.repeatable`)."""
        return all(seat.repeatable for seat in self.seats)

    def context(self, player: int, *, fast: bool) -> EpisodeContext:
        """Returns what the agent of a player is told when the episode begins."""
        partner = 1 - player
        mobility = self.mobility[partner]
        stay_model = stay_model_of(self.agents[partner], mobility)
        return EpisodeContext(player, self.layout, self.seed, stay_model, fast, self.skill_timeout, mobility)

    @property
    def belief_config(self) -> BeliefConfig | None:
        """The parameters of the ego's belief and gate; None if it has neither."""
        return self.seats[0].belief_config


def counts_replans(configs: Iterable[GameConfig]) -> bool:
    """Whether replans of the ego are counted in a game with these configurations.

    They are if it has a planner in any part of the game, or a learned policy that runs each of its skills to its end:
    then there are none. Somebody else takes up another skill at will, with no plan that is interrupted for it.
    """
    egos = [config.seats[EGO] for config in configs]
    return any(ego.plans or is_learned(ego.agent) for ego in egos)


class Tick(NamedTuple):
    """One step: the decisions, the actions, and the state after it. Pairs are player 0, player 1.

    Attributes:
        state: the state after the step.
        actions: the primitive actions as chosen, before mobility.
        skills: the skill that each player ran during the step; NO_SKILL for people.
        ages: the number of steps for which it had been running.
        ended: how the skill before it ended (`constants.END_NAMES`), if a new one began in this step; else None.
        decisions: of the two agents.
        observer: the passive observer's belief about player 1 when both decided.
        observer_gate: its gate's result for an ego that is always mid-skill; None at the first step.
        observer_commitment_gate: its commitment gate's, which remembers what it believed at the ego's decisions.
    """

    state: StateVector
    actions: tuple[int, int]
    skills: tuple[int, int]
    ages: tuple[int, int]
    ended: tuple[int | None, int | None]
    decisions: tuple[Decision, Decision]
    observer: BeliefUpdate
    observer_gate: GateResult | None
    observer_commitment_gate: CommitmentGateResult | None = None

    def __repr__(self) -> str:
        actions = tuple(constants.ACTION_NAMES[action] for action in self.actions)
        skills = tuple(None if skill == constants.NO_SKILL else constants.SKILL_NAMES[skill] for skill in self.skills)
        return f"Tick(step={self.step}, score={self.score}, actions={actions}, skills={skills})"

    @property
    def step(self) -> int:
        """The number of this step, from 1."""
        return int(self.state[constants.STEP])

    @property
    def reward(self) -> int:
        """The team's reward in this step."""
        return int(self.state[constants.REWARD])

    @property
    def score(self) -> int:
        """The team's reward so far."""
        return int(self.state[constants.SCORE])

    @property
    @deprecated("observer_commitment is observer_commitment_gate now; the old name goes with the next release")
    def observer_commitment(self) -> CommitmentGateResult | None:
        """The old name of `observer_commitment_gate`."""
        return self.observer_commitment_gate

    @property
    def events(self) -> tuple[Event, ...]:
        """The public events of this step."""
        return events_of(self.state)

    def role(self, player: int) -> int:
        """Returns the true role of a player in this step: that of the skill it ran; NO_ROLE if the skill has none.

        A person's skill is not known in the step: `bba.pursued_roles` infers it from the whole game.
        """
        skill = self.skills[player]
        return NO_ROLE if skill == constants.NO_SKILL else ROLE_OF_SKILL[skill]


@dataclass(slots=True)
class Trace:
    """A game so far.

    Attributes:
        config: the configuration at the start.
        start: the state at the start.
        ticks: the steps in order.
        changes: of the configuration: (steps played before, the configuration from then on), in order.
        bookmarks: by the number of steps played: a line of text each, "" for none.
    """

    config: GameConfig
    start: StateVector
    ticks: Sequence[Tick] = field(default_factory=list)
    changes: list[tuple[int, GameConfig]] = field(default_factory=list)
    bookmarks: dict[int, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"Trace({self.config.summary}: {len(self.ticks)} of {self.config.horizon} steps, score {self.score})"

    @property
    def score(self) -> int:
        """The team's reward so far."""
        return self.ticks[-1].score if self.ticks else 0

    def config_at(self, step: int) -> GameConfig:
        """Returns the configuration in a step (1 is the first)."""
        for played, config in reversed(self.changes):
            if played < step:
                return config
        return self.config

    @property
    def configs(self) -> tuple[GameConfig, ...]:
        """Every configuration of the game, in order."""
        changed_configs = (config for _, config in self.changes)
        return (self.config, *changed_configs)

    @property
    @deprecated("notes is bookmarks now; the old name goes with the next release")
    def notes(self) -> dict[int, str]:
        """The old name of `bookmarks`."""
        return self.bookmarks

    @property
    def has_people(self) -> bool:
        """Whether a person plays in any part of the game."""
        return any(HUMAN in config.agents for config in self.configs)

    def first_belief_config(self, player: int) -> BeliefConfig | None:
        """Returns the parameters of a player's first belief; None if it never had one."""
        for config in self.configs:
            belief_config = config.seats[player].belief_config
            if belief_config is not None:
                return belief_config
        return None

    def change(self, config: GameConfig) -> None:
        """Records another configuration from the next step on."""
        while self.changes and self.changes[-1][0] == len(self.ticks):
            self.changes.pop()
        if config != self.config_at(len(self.ticks) + 1):
            self.changes.append((len(self.ticks), config))

    def scene(self, step: int) -> Scene:
        """Returns the scene after `step` steps; 0 is the start."""
        return scene_of(self.config.layout, self.state(step))

    def state(self, step: int) -> StateVector:
        """Returns the state after `step` steps; 0 is the start."""
        return self.ticks[step - 1].state if step else self.start

    def to_frame(self, library: Library | None = None) -> Any:
        """Returns the game as a data frame: one row a step, the columns of docs/reference/columns.csv.

        Args:
            library: "pandas", "polars" or "pyarrow"; None for pandas or polars, whichever is imported already, else
                installed. Without both it is a pyarrow Table, and one line on standard error says so.

        Raises:
            BBAError: another library, or one that is not installed; all of them need pyarrow.
        """
        return FRAMES["Trace"](self, library)


Roles = IndexArray  # NO_ROLE for none
Truths = BoolArray

COLUMNS: dict[str, Callable[[Tick], object]] = {  # of `StepArrays`, but for those of calls
    "states": lambda tick: tick.state[: constants.STATE_HEADER],
    "skills": lambda tick: tick.skills,
    "believed": lambda tick: tick.observer.map_index,
    "confidence": lambda tick: tick.observer.confidence,
    "contradicted": lambda tick: tick.observer_gate is not None and tick.observer_gate.contradiction,
    "chosen": lambda tick: tick.decisions[EGO].chosen,
    "replanned": lambda tick: tick.decisions[EGO].replanned,
    "deliberate": lambda tick: tick.decisions[EGO].deliberate,
}


@dataclass(frozen=True)
class StepArrays:
    """N steps of a game; a slice of it is a part of them.

    Attributes:
        states: the state after each step without its tiles, (N, HEADER).
        skills: the skill that each player ran, (N, 2).
        believed: the observer's MAP, (N,).
        confidence: its probability, (N,).
        contradicted: whether the partner's last actions contradict the observer's prior MAP (ℓ < θ), (N,).
        chosen, replanned, deliberate: what the ego decided, as in `Decision`, (N,).
        attempts: how often its planner was asked, retries included, (N,).
        retries: how often after an answer that could not be used, (N,).
        fallbacks: plans without a usable answer, (N,).
    """

    states: StateVector
    skills: Int32Array
    believed: Roles
    confidence: Float64Array
    contradicted: Truths
    chosen: Truths
    replanned: Truths
    deliberate: Truths
    attempts: IndexArray
    retries: IndexArray
    fallbacks: IndexArray

    @classmethod
    def empty(cls, steps: int) -> Self:
        """Returns arrays for so many steps, to be written to; in none of them the ego has decided anything yet."""
        return cls(
            states=np.empty((steps, constants.STATE_HEADER), np.int32),
            skills=np.empty((steps, 2), np.int32),
            believed=np.empty(steps, np.intp),
            confidence=np.empty(steps),
            contradicted=np.empty(steps, np.bool_),
            chosen=np.zeros(steps, np.bool_),
            replanned=np.zeros(steps, np.bool_),
            deliberate=np.zeros(steps, np.bool_),
            attempts=np.zeros(steps, np.intp),
            retries=np.zeros(steps, np.intp),
            fallbacks=np.zeros(steps, np.intp),
        )

    def __len__(self) -> int:
        return len(self.skills)

    def __getitem__(self, part: slice) -> Self:
        parts = {column.name: getattr(self, column.name)[part] for column in fields(self)}
        return type(self)(**parts)

    @cached_property
    def ego(self) -> Roles:
        """The role of the ego's skill, (N,)."""
        return roles_of(self.skills[:, EGO])

    @cached_property
    def partner(self) -> Roles:
        """The partner's true role: that of its skill, (N,)."""
        return roles_of(self.skills[:, PARTNER])

    def write(self, places: Sequence[int], ticks: Sequence[Tick]) -> None:
        """Writes ticks to these places."""
        indices = np.array(places, np.intp)
        for name, read in COLUMNS.items():
            column = getattr(self, name)
            column[indices] = [read(tick) for tick in ticks]
        for place, tick in zip(places, ticks, strict=True):
            self.write_calls(place, tick.decisions[EGO])

    def write_calls(self, place: int, decision: Decision) -> None:
        """Writes how the ego's planner was asked for a decision."""
        for call in decision.calls:
            self.attempts[place] += call.attempts
            self.retries[place] += call.attempts - 1
            self.fallbacks[place] += call.fallback
