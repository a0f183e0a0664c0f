"""The ticks of a game: the newest as objects, those of trajectories as arrays, and all that are older packed.

A game may go on for hours. A tick is some 5 kB of objects, of which a screen shows the newest few; packed they are a
tenth or less, and are made again, equal to the last bit, where somebody looks at them. Of a game of ten thousand steps
and more the packs are in a temporary file.
"""

import marshal
import zlib
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from functools import lru_cache, partial
from itertools import islice
from operator import attrgetter
from typing import Any, NamedTuple, overload

import numpy as np

from bba.agents.base import Decision, PolicyOutput
from bba.belief import BeliefUpdate, CommitmentResult, GateResult
from bba.kitchen import StateVector
from bba.planner import Comparison, LLMCall, SkillValue, Usage
from bba.play.trace import StepArrays, Tick
from bba.play.trajectory import Trajectory
from bba.scratch_file import Kept, ScratchFile

PACKED = 256  # ticks that are packed at a time
QUICKLY = 3  # the level of zlib: 6 saves a tenth of the memory for three times the time
DECIDED = 40  # packs whose decisions stay as they are: to write those of later ones down takes a tenth of a step's time
LOOKED_AT = 16  # packs that are kept as ticks, too, once somebody has looked at them
BELIEFS = (BeliefUpdate, GateResult, CommitmentResult)  # what a belief consists of, in order

Row = tuple[Any, ...]  # tuples, numbers and None


class PlayedStep(NamedTuple):
    """What is recorded of a step, as in `Tick`; the decisions may be without beliefs."""

    state: StateVector
    actions: tuple[int, int]
    ended: tuple[int | None, int | None]
    decisions: tuple[Decision, Decision]


class Pack(Sequence[Tick]):
    """Ticks, packed.

    Args:
        ticks: the ticks.
        shared: decisions of this game without their beliefs, each of which is kept once; gets those of these ticks.
            None to put them away, too.
        file: where the ticks are put away.

    Raises:
        ValueError: they hold what cannot be packed, such as the belief of a plug-in in numbers of its own kind.
    """

    __slots__ = ("_arrays", "_decisions", "_rows", "_states", "_steps")

    def __init__(self, ticks: Sequence[Tick], shared: dict[Decision, Decision] | None, file: ScratchFile) -> None:
        states = np.array([tick.state for tick in ticks])
        if states.dtype != np.int32 or states.ndim != 2:
            raise ValueError("states of another kind than the kitchen's")
        rows = [_row(tick) for tick in ticks]
        marshalled = _marshalled(rows)
        decisions = [[_without_belief(tick.decisions[player]) for tick in ticks] for player in (0, 1)]
        self._steps = len(ticks)
        self._decisions = _decided(decisions, shared, file)
        arrays = StepArrays.empty(len(ticks))
        arrays.write(range(len(ticks)), ticks)
        changes = np.diff(states, axis=0, prepend=np.zeros_like(states[:1]))
        self._states = file.keep(_packed(changes.tobytes()))
        self._rows = file.keep(_packed(marshalled))
        columns = [getattr(arrays, name) for name in _COMPUTED]
        content = b"".join(column.tobytes() for column in columns)
        self._arrays = file.keep(_packed(content))

    def __len__(self) -> int:
        return self._steps

    def __iter__(self) -> Iterator[Tick]:
        return iter(_unpacked(self))

    @overload
    def __getitem__(self, index: int) -> Tick: ...
    @overload
    def __getitem__(self, index: slice) -> list[Tick]: ...
    def __getitem__(self, index: int | slice) -> Tick | list[Tick]:
        return _unpacked(self)[index]

    def write_to(self, arrays: StepArrays, first: int) -> None:
        """Writes its steps to arrays, from the place `first` on; its ticks are not made for it."""
        to = slice(first, first + len(self))
        packed = zlib.decompress(self._arrays())
        read = 0
        arrays.states[to] = self._all_states()[:, : arrays.states.shape[1]]
        for name in _COMPUTED:
            array = getattr(arrays, name)[to]
            numbers = np.frombuffer(packed, array.dtype, array.size, read)
            array[:] = numbers.reshape(array.shape)
            read += array.nbytes

    def ticks(self) -> list[Tick]:
        """Returns its ticks, made anew."""
        rows = marshal.loads(zlib.decompress(self._rows()))
        first_decisions, second_decisions = self._decisions()
        columns = zip(self._all_states(), rows, first_decisions, second_decisions, strict=True)
        return [_tick(state, row, (first, second)) for state, row, first, second in columns]

    def without_beliefs(self) -> Iterator["PlayedStep"]:
        """Yields what is recorded of its steps, in half the time that its ticks take."""
        rows = marshal.loads(zlib.decompress(self._rows()))
        first_decisions, second_decisions = self._decisions()
        columns = zip(self._all_states(), rows, first_decisions, second_decisions, strict=True)
        for state, row, first, second in columns:
            yield PlayedStep(state, row[0], row[3], (first, second))

    def by_agent(self, player: int) -> Iterator[tuple[int, Decision]]:
        """Yields what a player decided, without its belief, and in which of the steps."""
        yield from enumerate(self._decisions()[player])

    def _all_states(self) -> Any:
        content = zlib.decompress(self._states())
        changes = np.frombuffer(content, np.int32).reshape(len(self), -1)
        return np.cumsum(changes, axis=0, dtype=np.int32)


_COMPUTED = tuple(column.name for column in fields(StepArrays) if column.name != "states")


@lru_cache(maxsize=LOOKED_AT)
def _unpacked(pack: Pack) -> list[Tick]:
    return pack.ticks()


def _packed(content: bytes) -> bytes:
    return zlib.compress(content, QUICKLY)


def _marshalled(rows: Any) -> bytes:
    """Returns rows as bytes.

    Raises:
        ValueError: they hold what is not Python's own.
    """
    marshalled = marshal.dumps(rows)
    if marshal.loads(marshalled) != rows:  # it takes numbers of other libraries for bytes
        raise ValueError("numbers of another kind than Python's")
    return marshalled


# --- decisions ---------------------------------------------------------------------------------------------------
Decisions = Sequence[Sequence[Decision]]  # of each player, without their beliefs
ReadDecisions = Callable[[], Decisions]


def _without_belief(decision: Decision) -> Decision:
    return decision._replace(belief=None, gate=None, commitment=None)


def _decided(decisions: Decisions, shared: dict[Decision, Decision] | None, file: ScratchFile) -> ReadDecisions:
    """Returns what reads decisions, which are put away unless they are to stay, or hold what cannot be packed."""
    if shared is None:
        texts = dict[str, str]()
        with suppress(ValueError, TypeError):
            rows = [_decision_rows(sequence, texts) for sequence in decisions]
            content = _packed(_marshalled(rows))
            return partial(_decided_before, file.keep(content))
        stay = tuple([tuple(sequence) for sequence in decisions])
    else:
        stay = tuple([tuple([_shared(decision, shared) for decision in sequence]) for sequence in decisions])
    return partial(tuple, stay)


def _decision_rows(decisions: Sequence[Decision], texts: dict[str, str]) -> tuple[Row, ...]:
    return tuple([_decision_row(decision, texts) for decision in decisions])


def _decided_before(kept: Kept) -> Decisions:
    """Returns decisions that were put away; where they are equal and asked nobody, the very same ones."""
    seen = dict[Decision, Decision]()
    rows_of_players = marshal.loads(zlib.decompress(kept()))
    return [[_shared(_decision(row), seen) for row in rows] for rows in rows_of_players]


def _shared(decision: Decision, shared: dict[Decision, Decision]) -> Decision:
    """Returns a decision; where it was made before, the very same one."""
    if decision.calls or decision.comparison is not None:
        return decision
    return shared.setdefault(decision, decision)


def _read_of(kind: type) -> Callable[[Any], Row]:
    """Returns what reads the fields of objects of a kind, which are made of them again."""
    names = [column.name for column in fields(kind)]
    read = attrgetter(*names)

    def row(value: object) -> Row:
        if type(value) is not kind:
            raise ValueError("not an object of this program")
        return tuple(read(value))

    return row


_policy_row = _read_of(PolicyOutput)
_usage_row = _read_of(Usage)
_call_row = _read_of(LLMCall)
_option_row = _read_of(SkillValue)
_comparison_row = _read_of(Comparison)
_PLAIN = ("skill", "action", "chosen", "replanned", "scheduled_role", "declared_role", "note")  # fields of a decision
_plain = attrgetter(*_PLAIN)


def _decision_row(decision: Decision, texts: dict[str, str]) -> Row:
    """Returns a decision as plain tuples; equal texts are one object, which `marshal` writes once.

    Raises:
        ValueError: it holds what is not of this program.
    """
    if type(decision) is not Decision:
        raise ValueError("not a decision of this program")
    policy = decision.policy
    comparison = decision.comparison
    call_rows = [_call_row_with_texts(call, texts) for call in decision.calls]
    return (
        _plain(decision),
        None if policy is None else _policy_row(policy),
        tuple(call_rows),
        None if comparison is None else _compared_row(comparison),
    )


def _call_row_with_texts(call: LLMCall, texts: dict[str, str]) -> Row:
    usage = None if call.usage is None else _usage_row(call.usage)
    sent = tuple([texts.setdefault(text, text) for text in call.texts])
    return usage, sent, _call_row(replace(call, usage=None, texts=()))


def _compared_row(comparison: Comparison) -> Row:
    options, *rest = _comparison_row(comparison)
    option_rows = tuple([_option_row(option) for option in options])
    return (option_rows, *rest)


def _decision(row: Row) -> Decision:
    """Returns the decision of such a row."""
    plain, policy, calls, comparison = row
    plain_fields = dict(zip(_PLAIN, plain, strict=True))
    return Decision(
        **plain_fields,
        policy=None if policy is None else PolicyOutput(*policy),
        calls=tuple([_call(*call) for call in calls]),
        comparison=None if comparison is None else _comparison(*comparison),
    )


def _call(usage: Row | None, sent: tuple[str, ...], row: Row) -> LLMCall:
    call_usage = None if usage is None else Usage(*usage)
    return replace(LLMCall(*row), usage=call_usage, texts=sent)


def _comparison(options: Row, *rest: Any) -> Comparison:
    values = tuple([SkillValue(*option) for option in options])
    return Comparison(values, *rest)


# --- rows --------------------------------------------------------------------------------------------------------
def _row(tick: Tick) -> Row:
    """Returns what a tick holds beside state and decisions, as plain tuples."""
    first, second = tick.decisions
    return (
        tick.actions,
        tick.skills,
        tick.ages,
        tick.ended,
        _as_tuples((first.belief, first.gate, first.commitment)),
        _as_tuples((second.belief, second.gate, second.commitment)),
        _as_tuples((tick.observer, tick.observer_gate, tick.observer_commitment)),
    )


def _as_tuples(belief: Row) -> Row:
    """Returns a belief and the results of its gates as plain tuples.

    Raises:
        ValueError: they are no such objects.
    """
    for part, kind in zip(belief, BELIEFS, strict=True):
        if part is not None and type(part) is not kind:
            raise ValueError("not a belief of this program")
    return tuple([None if part is None else tuple(part) for part in belief])


def _tick(state: Any, row: Row, decisions: Sequence[Decision]) -> Tick:
    actions, skills, ages, ended, first, second, observer = row
    first_decision = _with(decisions[0], _belief(*first))
    second_decision = _with(decisions[1], _belief(*second))
    observer_belief, observer_gate, observer_commitment = _belief(*observer)
    return Tick(
        state,
        actions,
        skills,
        ages,
        ended,
        (first_decision, second_decision),
        observer_belief,
        observer_gate,
        observer_commitment,
    )


def _belief(belief: Row | None, gate: Row | None, commitment: Row | None) -> Any:
    return (
        None if belief is None else BeliefUpdate(*belief),
        None if gate is None else GateResult(*gate),
        None if commitment is None else CommitmentResult(*commitment),
    )


def _with(decision: Decision, parts: Any) -> Decision:
    belief, gate, commitment = parts
    return decision._replace(belief=belief, gate=gate, commitment=commitment)


Part = list[Tick] | Trajectory | Pack


class Parts(NamedTuple):
    """Ticks in pieces, replaced together: another thread may read them meanwhile."""

    parts: list[Part]
    ends: list[int]  # the number of ticks up to the end of each part


class Ticks(Sequence[Tick]):
    """A sequence of ticks, to which ticks and trajectories can be added. Those long ago are packed.

    Args:
        ticks: the first ones.
    """

    def __init__(self, ticks: Iterable[Tick] = ()) -> None:
        self._all = Parts([], [])
        self._shared_decisions = dict[Decision, Decision]()
        self._file = ScratchFile()
        self._packs = True
        for tick in ticks:
            self.append(tick)

    @property
    def parts(self) -> Sequence[Part]:
        """The ticks in order, in pieces."""
        return self._all.parts

    def add(self, trajectory: Trajectory, steps: int) -> None:
        """Appends the last steps of a trajectory; those before them are here already."""
        parts, ends = self._all
        if parts and parts[-1] is trajectory:
            ends[-1] += steps
        elif steps:
            ends.append(len(self) + steps)
            parts.append(trajectory)

    def append(self, tick: Tick) -> None:
        """Appends a tick."""
        parts, ends = self._all
        newest = parts[-1] if parts else None
        if isinstance(newest, list):
            newest.append(tick)
            ends[-1] += 1
            if len(newest) >= 2 * PACKED and self._packs:
                self._pack(newest)
        else:
            ends.append(len(self) + 1)
            parts.append([tick])

    def _pack(self, newest: list[Tick]) -> None:
        """Packs the older half of the newest part."""
        (*parts, _), (*ends, end) = self._all
        shared = self._shared_decisions if len(parts) < DECIDED else None
        try:
            pack = Pack(newest[:PACKED], shared, self._file)
        except (ValueError, TypeError):  # not numbers of Python's own
            self._packs = False
        else:
            self._all = Parts([*parts, pack, newest[PACKED:]], [*ends, end - PACKED, end])

    def first(self, count: int | None) -> "Ticks":
        """Returns the first ticks, None for all, which do not grow with these; what is packed is shared."""
        until = len(self) if count is None else min(count, len(self))
        first = Ticks()
        parts, ends = self._all
        for part, end in zip(parts, ends, strict=False):
            if not isinstance(part, Pack) or end > until:
                break
            first._all.parts.append(part)
            first._all.ends.append(end)
        if len(first) < until:
            first._all.parts.append(list(self._between(len(first), until)))
            first._all.ends.append(until)
        return first

    def __len__(self) -> int:
        ends = self._all.ends
        return ends[-1] if ends else 0

    def __iter__(self) -> Iterator[Tick]:
        place = 0
        while place < len(self):
            for tick in self._between(place, len(self)):
                yield tick
                place += 1

    def _between(self, place: int, stop: int) -> Iterator[Tick]:
        """Yields the ticks from one place up to but without another one."""
        while place < stop:
            part, offset = self._at(place)
            ticks = part[offset : offset + stop - place] if isinstance(part, list | Pack) else [part[offset]]
            for tick in ticks:
                yield tick
                place += 1

    def _at(self, place: int) -> tuple[Part, int]:
        """Returns the part that holds a tick, and the tick's place in it."""
        parts, ends = self._all
        number = bisect_right(ends, place)
        begin = ends[number - 1] if number else 0
        return parts[number], place - begin

    @overload
    def __getitem__(self, index: int) -> Tick: ...
    @overload
    def __getitem__(self, index: slice) -> list[Tick]: ...
    def __getitem__(self, index: int | slice) -> Tick | list[Tick]:
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            if step == 1:
                return list(self._between(start, stop))
            return [self[place] for place in range(start, stop, step)]
        place = index + len(self) if index < 0 else index
        if not 0 <= place < len(self):
            raise IndexError(f"no tick {index} of {len(self)}")
        part, offset = self._at(place)
        return part[offset]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ticks | list) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type["Ticks"], tuple[list[Tick]]]:
        return Ticks, (list(self),)


def first_ticks(ticks: Sequence[Tick], count: int | None = None) -> Ticks:
    """Returns the first ticks of a game, None for all, as a sequence that does not grow with it."""
    if isinstance(ticks, Ticks):
        return ticks.first(count)
    return Ticks(ticks[:count])


def step_arrays(ticks: Sequence[Tick], start: int = 0, stop: int | None = None) -> StepArrays:
    """Returns the steps from `start` up to but without `stop` as arrays; long runs are not decoded for it.

    Args:
        ticks: of a game.
        start, stop: places among them, 0 or more; None for the end.
    """
    last = len(ticks) if stop is None else min(stop, len(ticks))
    if (start, last) != (0, len(ticks)):
        few = last - start <= 2 * PACKED
        if few:
            return step_arrays(ticks[start:last])
        return step_arrays(ticks)[start:last]
    arrays = StepArrays.empty(len(ticks))
    places = list[int]()
    single = list[Tick]()
    first = 0
    for part in _parts(ticks):
        if isinstance(part, list):
            places += range(first, first + len(part))
            single += part
        else:
            part.write_to(arrays, first)
        first += len(part)
    if single:
        arrays.write(places, single)
    return arrays


def played_steps(ticks: Sequence[Tick], first: int = 0) -> Iterator[PlayedStep | Tick]:
    """Yields what is recorded of the steps from one on; of packs no ticks are made for it."""
    end = 0
    for part in list(_parts(ticks)):
        begin = end
        end += len(part)
        if end > first:
            steps = part.without_beliefs() if isinstance(part, Pack) else iter(part)
            yield from islice(steps, max(0, first - begin), None)


def agent_decisions(ticks: Sequence[Tick], player: int) -> Iterator[tuple[int, Decision]]:
    """Yields what a player decided in Python, which may have cost something, and the index of each of these steps."""
    first = 0
    for part in _parts(ticks):
        if isinstance(part, list):
            for step, tick in enumerate(part, first):
                yield step, tick.decisions[player]
        else:
            for step, decision in part.by_agent(player):
                yield first + step, decision
        first += len(part)


def _parts(ticks: Sequence[Tick]) -> Sequence[Part]:
    if isinstance(ticks, Ticks):
        return ticks.parts
    return (list(ticks),)
