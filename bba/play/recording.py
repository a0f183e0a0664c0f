"""Recordings: a game as its settings, its seed and its actions, written to a file.

A file is gzip-compressed JSON. It holds what cannot be computed again (the actions, who chose which skill and why, what
a model was asked and answered) and hashes of the state on the way. `bba.play.replay` plays it again, bit for bit.
Nothing in a file is executed or unpickled.
"""

import gzip
import io
import json
import zlib
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from bba import __version__
from bba.agents import Decision, Tuning
from bba.belief import ROLE_NAMES, FilterSettings, GateSettings
from bba.errors import BBAError
from bba.files import first_problem, read_bytes, write_whole
from bba.kitchen import Layout, codes
from bba.kitchen.kitchen import digest_of
from bba.limits import Seed, Steps, StepsOrNone
from bba.planner import Exchange
from bba.play.trace import Setup, Tick, Trace

VERSION = 1
CHECK_EVERY = 100  # steps between two hashes
LARGEST = 256 * 2**20  # bytes of JSON that are read at the most

Step = StepsOrNone
Plain = Annotated[str, Field(pattern=r"^[^\x00-\x1f\x7f-\x9f]*$")]  # shown on a terminal, which obeys the others
SkillNumber = Annotated[int, Field(ge=0, lt=codes.N_SKILLS)]


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Answer(_Strict):
    """What a planner was asked last and what it answered; the earlier turns are in the answers before."""

    question: str
    answer: str
    attempts: Annotated[int, Field(ge=1)]
    fallback: bool
    problem: str | None
    belief_text: Plain | None
    intention: int | None


class Choice(_Strict):
    """A skill that was begun at a step (counted from 0), and how the one before it had ended."""

    step: Step
    skill: SkillNumber
    ended: Annotated[int, Field(ge=0, lt=len(codes.END_NAMES))] | None
    replanned: bool = False
    note: Plain = ""
    answer: Answer | None = None


class SeatRecord(_Strict):
    """One player: what it is, what plans for it, its actions as digits 0 to 5, its choices, and the roles it pursued.

    `pursued` lists (from step, role); `filter` and `gate` are the parameters of its belief and gate, if it has them.
    """

    agent: Annotated[str, Field(pattern=r"^[\w .:+-]{1,80}$")]
    planner: Annotated[str, Field(pattern=r"^[\w .:/@+-]{1,120}$")] | None = None
    actions: Annotated[str, Field(pattern=r"^[0-5]*$")]
    choices: tuple[Choice, ...]
    pursued: tuple[tuple[Step, Annotated[int, Field(ge=0, lt=len(ROLE_NAMES))]], ...] = ()
    filter: FilterSettings | None = None
    gate: GateSettings | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        if (self.filter is None) != (self.gate is None):
            raise ValueError("a filter without a gate, or a gate without a filter")
        return self

    @property
    def tuning(self) -> Tuning | None:
        """The parameters of its belief and gate, if it has them."""
        return Tuning(self.filter, self.gate) if self.filter and self.gate else None


class Recording(_Strict):
    """One game as it is written to a file."""

    format: Literal["bba-recording"] = "bba-recording"
    version: Literal[1] = 1
    written_by: str = f"bba-tui {__version__}"
    layout: Layout
    seed: Seed
    horizon: Steps
    mobility: tuple[Annotated[float, Field(ge=0, le=1)], Annotated[float, Field(ge=0, le=1)]]
    skill_timeout: Steps
    seats: tuple[SeatRecord, SeatRecord]
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
    def setup(self) -> Setup:
        """What the game was set to."""
        return Setup(
            layout=self.layout,
            agents=(self.seats[0].agent, self.seats[1].agent),
            seed=self.seed,
            horizon=self.horizon,
            mobility=self.mobility,
            skill_timeout=self.skill_timeout,
            planners=(self.seats[0].planner, self.seats[1].planner),
            tunings=(self.seats[0].tuning, self.seats[1].tuning),
        )


def record(trace: Trace) -> Recording:
    """The recording of a game so far."""
    setup, ticks = trace.setup, trace.ticks
    checks = [*range(CHECK_EVERY, len(ticks), CHECK_EVERY), len(ticks)]
    return Recording(
        layout=setup.layout,
        seed=setup.seed,
        horizon=setup.horizon,
        mobility=setup.mobility,
        skill_timeout=setup.skill_timeout,
        seats=(_seat(trace, 0), _seat(trace, 1)),
        hashes={step: digest_of(ticks[step - 1].row if step else trace.start) for step in checks},
    )


def _seat(trace: Trace, player: int) -> SeatRecord:
    tuning = trace.setup.tunings[player]
    return SeatRecord(
        agent=trace.setup.agents[player],
        planner=trace.setup.planners[player],
        actions="".join(str(tick.actions[player]) for tick in trace.ticks),
        choices=tuple(_choice(tick, player) for tick in trace.ticks if tick.decisions[player].chosen),
        pursued=tuple(_changes([tick.decisions[player].pursuing for tick in trace.ticks])),
        filter=tuning.filter if tuning else None,
        gate=tuning.gate if tuning else None,
    )


def _choice(tick: Tick, player: int) -> Choice:
    decision: Decision = tick.decisions[player]
    exchange = decision.exchange
    return Choice(
        step=tick.step - 1,
        skill=decision.skill,
        ended=tick.ended[player],
        replanned=decision.replanned,
        note=decision.note,
        answer=_answer(exchange) if exchange else None,
    )


def _answer(exchange: Exchange) -> Answer:
    return Answer(
        question=exchange.messages[-1]["content"],
        answer=exchange.answer,
        attempts=exchange.attempts,
        fallback=exchange.fallback,
        problem=exchange.problem,
        belief_text=exchange.belief_text,
        intention=exchange.intention,
    )


def _changes(roles: list[int | None]) -> list[tuple[int, int]]:
    """Where a value other than None begins or changes."""
    return [(i, role) for i, role in enumerate(roles) if role is not None and (i == 0 or roles[i - 1] != role)]


def save(recording: Recording, path: Path) -> None:
    """Write a recording to a file, completely or not at all; the same game gives the same bytes.

    Raises:
        BBAError: the file cannot be written.
    """
    text = recording.model_dump_json(by_alias=True, exclude_defaults=False)
    write_whole(path, gzip.compress(text.encode(), mtime=0))


def load(path: Path) -> Recording:
    """Read a recording.

    Raises:
        BBAError: the file cannot be read, is no recording, is damaged, or comes from a newer version.
    """
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(read_bytes(path))) as file:
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
