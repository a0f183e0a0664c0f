"""Packed ticks: the past of a long game in a tenth of the memory, made again to the last bit where somebody looks.

A pack holds the states as differences, everything else as rows of plain tuples that `marshal` writes, both compressed.
"""

import marshal
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from functools import lru_cache, partial
from operator import attrgetter
from typing import Any, NamedTuple, overload

import numpy as np

from bba.agents.base import Decision, PolicyOutput
from bba.belief import BeliefUpdate, CommitmentGateResult, GateResult, role_posteriors_of
from bba.kitchen import Float64Array, StateVector
from bba.planner import Comparison, LLMCall, SkillValue, Usage
from bba.play.trace import StepArrays, Tick
from bba.scratch_file import Kept, ScratchFile

QUICKLY = 3  # the level of zlib: 6 saves a tenth of the memory for three times the time
LOOKED_AT = 16  # packs that are kept as ticks, too, once somebody has looked at them
_FIRST_BELIEF = 4  # the place in a row of what player 0 believes; player 1 and the observer follow
_POSTERIOR = BeliefUpdate._fields.index("posterior")
BELIEFS = (BeliefUpdate, GateResult, CommitmentGateResult)  # what a belief consists of, in order

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

    def role_posteriors(self, watcher: int) -> Float64Array:
        """Returns the beliefs of player 0, player 1 or the observer over roles, (steps, 6); NaN without a belief."""
        rows = marshal.loads(zlib.decompress(self._rows()))
        beliefs = (row[_FIRST_BELIEF + watcher][0] for row in rows)
        return role_posteriors_of(None if belief is None else belief[_POSTERIOR] for belief in beliefs)

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
    return decision.with_belief(None)


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
        _as_tuples((first.belief, first.gate, first.commitment_gate)),
        _as_tuples((second.belief, second.gate, second.commitment_gate)),
        _as_tuples((tick.observer, tick.observer_gate, tick.observer_commitment_gate)),
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
    observer_belief, observer_gate, observer_commitment_gate = _belief(*observer)
    return Tick(
        state,
        actions,
        skills,
        ages,
        ended,
        (first_decision, second_decision),
        observer_belief,
        observer_gate,
        observer_commitment_gate,
    )


def _belief(belief: Row | None, gate: Row | None, commitment_gate: Row | None) -> Any:
    return (
        None if belief is None else BeliefUpdate(*belief),
        None if gate is None else GateResult(*gate),
        None if commitment_gate is None else CommitmentGateResult(*commitment_gate),
    )


def _with(decision: Decision, parts: Any) -> Decision:
    belief, gate, commitment_gate = parts
    return decision._replace(belief=belief, gate=gate, commitment_gate=commitment_gate)
