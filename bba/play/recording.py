"""Recordings: a game as its settings, its seed and its actions, written to a file.

A file is gzip-compressed JSON. It holds what cannot be computed again (the actions, who chose which skill and why, what
a model was asked and answered) and hashes of the state on the way. `bba.play.replay` plays it again, bit for bit.
Nothing in a file is executed or unpickled.
"""

import gzip
import io
import json
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, ValidationError, model_validator

from bba import __version__
from bba.agents import BeliefConfig, Decision, Profile
from bba.belief import ROLE_NAMES, FilterConfig, GateConfig
from bba.errors import BBAError
from bba.files import first_problem, read_bytes, write_whole
from bba.kitchen import Layout, constants
from bba.kitchen.kitchen import state_digest
from bba.kitchen.state import StateVector
from bba.limits import Seed, Steps, StepsOrNone
from bba.planner import Aside, Exchange
from bba.play.recorded_calls import PlainText, RecordedAnswer, RecordedSideQuery, StrictModel
from bba.play.recorded_policy import RecordedPolicyChange, recorded_policy_changes
from bba.play.trace import GameConfig, Tick, Trace

VERSION = 2
CHECK_EVERY = 100  # steps between two hashes
LARGEST = 256 * 2**20  # bytes of JSON that are read at the most

Step = StepsOrNone
RoleNumber = Annotated[int, Field(ge=0, lt=len(ROLE_NAMES))]
SkillNumber = Annotated[int, Field(ge=constants.NO_SKILL, lt=constants.N_SKILLS)]


class RecordedChoice(StrictModel):
    """A skill that was begun at a step (counted from 0), and how the one before it had ended.

    NO_SKILL (−1) where a person went on by hand.
    """

    step: Step
    skill: SkillNumber
    ended: Annotated[int, Field(ge=0, lt=len(constants.END_NAMES))] | None
    replanned: bool = False
    note: PlainText = ""
    answer: RecordedAnswer | None = None


class RecordedProfile(StrictModel):
    """Who sits in a seat, as `bba.agents.Profile`: the agent, what plans for it, its belief and gate, its schedule."""

    agent: Annotated[str, Field(pattern=r"^[\w .:+-]{1,80}$")]
    planner: Annotated[str, Field(pattern=r"^[\w .:/@+-]{1,120}$")] | None = None
    filter: FilterConfig | None = None
    gate: GateConfig | None = None
    schedule: tuple[tuple[Step, RoleNumber], ...] | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        if (self.filter is None) != (self.gate is None):
            raise ValueError("a filter without a gate, or a gate without a filter")
        return self

    @classmethod
    def of(cls, profile: Profile) -> Self:
        """The same for a file."""
        belief_config = profile.belief_config
        return cls(
            agent=profile.agent,
            planner=profile.planner,
            filter=belief_config.filter if belief_config else None,
            gate=belief_config.gate if belief_config else None,
            schedule=profile.schedule,
        )

    @property
    def profile(self) -> Profile:
        """The same for a game."""
        belief_config = BeliefConfig(filter=self.filter, gate=self.gate) if self.filter and self.gate else None
        return Profile(self.agent, self.planner, belief_config, self.schedule)


class RecordedChange(StrictModel):
    """Who sits in the two seats from a step on (counted from 0)."""

    step: Step
    seats: tuple[RecordedProfile, RecordedProfile]


class RecordedPlayer(StrictModel):
    """What one player did: its actions as digits 0 to 5, its choices, and the roles it pursued as (from step, role).

    `declared` are the roles that a person said it played, as (step, role); `asides` are what a model was asked beside
    the skill; `systems` are the system prompts that it was sent; `policy` is what a learned policy told of itself.
    """

    actions: Annotated[str, Field(pattern=r"^[0-5]*$")]
    choices: tuple[RecordedChoice, ...]
    pursued: tuple[tuple[Step, RoleNumber], ...] = ()
    declared: tuple[tuple[Step, RoleNumber], ...] = ()
    asides: tuple[RecordedSideQuery, ...] = ()
    systems: tuple[str, ...] = ()
    policy: tuple[RecordedPolicyChange, ...] = ()

    @model_validator(mode="after")
    def _check(self) -> Self:
        sent = len(self.systems)
        answers = (choice.answer for choice in self.choices if choice.answer is not None)
        if any(said.system >= sent for said in (*answers, *self.asides)):
            raise ValueError(f"an answer to a system prompt that is not there (there are {sent})")
        return self


class Recording(StrictModel):
    """One game as it is written to a file."""

    format: Literal["bba-recording"] = "bba-recording"
    version: Literal[2] = 2
    written_by: str = f"bba-tui {__version__}"
    layout: Layout
    seed: Seed
    horizon: Steps
    mobility: tuple[Annotated[float, Field(ge=0, le=1)], Annotated[float, Field(ge=0, le=1)]]
    skill_timeout: Steps
    cast: tuple[RecordedProfile, RecordedProfile]
    changes: tuple[RecordedChange, ...] = ()
    seats: tuple[RecordedPlayer, RecordedPlayer]
    hashes: dict[int, str]

    @model_validator(mode="after")
    def _check(self) -> Self:
        first, second = (len(seat.actions) for seat in self.seats)
        if first != second:
            raise ValueError(f"player 0 has {first} actions, player 1 has {second}")
        if first not in self.hashes:
            raise ValueError(f"there is no hash of the last state (step {first})")
        return self

    @property
    def steps(self) -> int:
        """How many steps were played."""
        return len(self.seats[0].actions)

    @property
    def config(self) -> GameConfig:
        """What the game began as."""
        return GameConfig(
            layout=self.layout,
            seats=(self.cast[0].profile, self.cast[1].profile),
            seed=self.seed,
            horizon=self.horizon,
            mobility=self.mobility,
            skill_timeout=self.skill_timeout,
        )

    def fresh_trace(self, start: StateVector) -> Trace:
        """A trace of this game before its first step; it knows already what will be changed on the way."""
        config = self.config
        later = [
            (change.step, replace(config, seats=(change.seats[0].profile, change.seats[1].profile)))
            for change in self.changes
        ]
        return Trace(config, start=start, changes=later)


def record(trace: Trace) -> Recording:
    """The recording of a game so far."""
    config, ticks = trace.config, trace.ticks
    checks = [*range(CHECK_EVERY, len(ticks), CHECK_EVERY), len(ticks)]
    return Recording(
        layout=config.layout,
        seed=config.seed,
        horizon=config.horizon,
        mobility=config.mobility,
        skill_timeout=config.skill_timeout,
        cast=_cast(config),
        changes=tuple(
            RecordedChange(step=step, seats=_cast(later)) for step, later in trace.changes if step < len(ticks)
        ),
        seats=(_seat(trace, 0), _seat(trace, 1)),
        hashes={step: state_digest(ticks[step - 1].state if step else trace.start) for step in checks},
    )


def _cast(config: GameConfig) -> tuple[RecordedProfile, RecordedProfile]:
    return RecordedProfile.of(config.seats[0]), RecordedProfile.of(config.seats[1])


def _seat(trace: Trace, player: int) -> RecordedPlayer:
    decisions = [tick.decisions[player] for tick in trace.ticks]
    systems = list(dict.fromkeys(said.system for decision in decisions for said in _said(decision)))
    return RecordedPlayer(
        actions="".join(str(tick.actions[player]) for tick in trace.ticks),
        choices=tuple(_choice(tick, player, systems) for tick in trace.ticks if tick.decisions[player].chosen),
        pursued=tuple(_changes([decision.pursuing for decision in decisions])),
        declared=tuple(_declared(trace, player)),
        asides=tuple(
            RecordedSideQuery.of(step, aside, systems)
            for step, decision in enumerate(decisions)
            for aside in decision.asides
        ),
        systems=tuple(systems),
        policy=tuple(recorded_policy_changes(decision.policy for decision in decisions)),
    )


def _said(decision: Decision) -> Iterator[Aside | Exchange]:
    yield from decision.asides
    if decision.exchange is not None:
        yield decision.exchange


def _choice(tick: Tick, player: int, systems: list[str]) -> RecordedChoice:
    decision: Decision = tick.decisions[player]
    exchange = decision.exchange
    return RecordedChoice(
        step=tick.step - 1,
        skill=decision.skill,
        ended=tick.ended[player],
        replanned=decision.replanned,
        note=decision.note,
        answer=RecordedAnswer.of(exchange, systems) if exchange else None,
    )


def _declared(trace: Trace, player: int) -> Iterator[tuple[int, int]]:
    for step, tick in enumerate(trace.ticks):
        role = tick.decisions[player].declared
        if role is not None:
            yield step, role


def _changes(roles: list[int | None]) -> list[tuple[int, int]]:
    """Where a value other than None begins or changes."""
    return [(i, role) for i, role in enumerate(roles) if role is not None and (i == 0 or roles[i - 1] != role)]


def save(recording: Recording, path: Path) -> None:
    """Write a recording to a file, completely or not at all; the same game gives the same bytes.

    Raises:
        BBAError: the file cannot be written.
    """
    write_whole(path, pack(recording))


def pack(recording: Recording) -> bytes:
    """A recording as the bytes of a file."""
    text = recording.model_dump_json(by_alias=True, exclude_defaults=False)
    return gzip.compress(text.encode(), mtime=0)


def load(path: Path) -> Recording:
    """Read a recording.

    Raises:
        BBAError: the file cannot be read, is no recording, is damaged, or comes from a newer version.
    """
    return unpack(read_bytes(path), str(path))


def unpack(packed: bytes, path: str) -> Recording:
    """The recording in the bytes of a file, which messages name by its path.

    Raises:
        BBAError: it is no recording, is damaged, or comes from a newer version.
    """
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(packed)) as file:
            text = file.read(LARGEST + 1)
        data = json.loads(text) if len(text) <= LARGEST else None
    except gzip.BadGzipFile:
        raise BBAError(f"{path}: cannot be read: not a recording, or damaged") from None
    except (EOFError, zlib.error, ValueError, RecursionError):
        raise BBAError(f"{path}: the recording is damaged: it breaks off or does not decompress") from None
    if not isinstance(data, dict) or data.get("format") != "bba-recording":
        raise BBAError(f"{path}: not a recording of this program")
    if type(data.get("version")) is not int or data["version"] != VERSION:
        raise BBAError(f"{path}: recording version {data.get('version')!r}; this program reads version {VERSION}")
    try:
        return Recording.model_validate(data)
    except ValidationError as error:
        raise BBAError(f"{path}: the recording is damaged: {first_problem(error)}") from None
