"""The ticks of a game. Those of a stretch are decoded when somebody asks for them; measures read them as arrays."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, MutableSequence, Sequence
from typing import Any, overload

from bba.agents.base import Decision
from bba.play.stretch import Stretch
from bba.play.trace import StepArrays, Tick


class _StretchTicks:
    """The ticks of a stretch, each decoded at most once."""

    def __init__(self, stretch: Stretch) -> None:
        self.stretch = stretch
        self._decoded = dict[int, Tick]()

    def __len__(self) -> int:
        return self.stretch.steps

    def __iter__(self) -> Iterator[Tick]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, step: int) -> Tick:
        if step not in self._decoded:
            self._decoded[step] = self.stretch.tick(step)
        return self._decoded[step]


class Ticks(MutableSequence[Tick]):
    """A list of ticks, to which stretches can be added.

    Args:
        ticks: the first ones.

    Attributes:
        parts: the ticks in order, in pieces: lists and stretches.
    """

    def __init__(self, ticks: Iterable[Tick] = ()) -> None:
        self.parts: list[list[Tick] | _StretchTicks] = []
        self._ends: list[int] = []  # the number of ticks up to the end of each part
        self.extend(ticks)

    def add(self, stretch: Stretch, steps: int) -> None:
        """Appends the last steps of a stretch; those before them are here already."""
        last = self.parts[-1] if self.parts else None
        if not steps:
            return
        if isinstance(last, _StretchTicks) and last.stretch is stretch:
            self._ends[-1] += steps
        elif steps == stretch.steps:
            self._ends.append(len(self) + steps)
            self.parts.append(_StretchTicks(stretch))
        else:  # the list was changed meanwhile
            self.extend(stretch.tick(step) for step in range(stretch.steps - steps, stretch.steps))

    def append(self, value: Tick) -> None:
        """Appends a tick."""
        if self.parts and isinstance(self.parts[-1], list):
            self.parts[-1].append(value)
            self._ends[-1] += 1
        else:
            self._ends.append(len(self) + 1)
            self.parts.append([value])

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __iter__(self) -> Iterator[Tick]:
        for part in self.parts:
            yield from part

    @overload
    def __getitem__(self, index: int) -> Tick: ...
    @overload
    def __getitem__(self, index: slice) -> list[Tick]: ...
    def __getitem__(self, index: int | slice) -> Tick | list[Tick]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        place = index + len(self) if index < 0 else index
        if not 0 <= place < len(self):
            raise IndexError(f"no tick {index} of {len(self)}")
        part = bisect_right(self._ends, place)
        return self.parts[part][place - (self._ends[part - 1] if part else 0)]

    def __setitem__(self, index: Any, value: Any) -> None:
        self._as_one_list()[index] = value
        self._ends = [len(self.parts[0])]

    def __delitem__(self, index: int | slice) -> None:
        del self._as_one_list()[index]
        self._ends = [len(self.parts[0])]

    def insert(self, index: int, value: Tick) -> None:
        """Inserts a tick before the one with this index."""
        self._as_one_list().insert(index, value)
        self._ends = [len(self.parts[0])]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ticks | list) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type["Ticks"], tuple[list[Tick]]]:
        return Ticks, (list(self),)

    def _as_one_list(self) -> list[Tick]:
        """Decodes every tick, so that any of them can be changed."""
        whole = list(self)
        self.parts = [whole]
        return whole


def step_arrays(ticks: Sequence[Tick]) -> StepArrays:
    """Returns the steps as arrays; those of a stretch are not decoded for it."""
    arrays = StepArrays.empty(len(ticks))
    places, single, first = list[int](), list[Tick](), 0
    for part in _parts(ticks):
        if isinstance(part, list):
            places += range(first, first + len(part))
            single += part
        else:
            part.stretch.write_to(arrays, first)
        first += len(part)
    if single:
        arrays.write(places, single)
    return arrays


def asked_decisions(ticks: Sequence[Tick], player: int) -> Iterator[tuple[int, Decision]]:
    """Yields what a player decided in Python, which may have cost something, and the index of each of these steps."""
    first = 0
    for part in _parts(ticks):
        if isinstance(part, list):
            yield from enumerate((tick.decisions[player] for tick in part), first)
        else:
            yield from ((first + step, decision) for step, decision in part.stretch.asked(player))
        first += len(part)


def _parts(ticks: Sequence[Tick]) -> Sequence[list[Tick] | _StretchTicks]:
    return ticks.parts if isinstance(ticks, Ticks) else (list(ticks),)
