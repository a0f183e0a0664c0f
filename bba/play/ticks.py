"""The ticks of a game: the newest as objects, those of trajectories as arrays, and all that are older packed.

A game may go on for hours. A tick is some 5 kB of objects, of which a screen shows the newest few; packed they are a
tenth or less, and are made again, equal to the last bit, where somebody looks at them. Of a game of ten thousand steps
and more the packs are in a temporary file.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import overload

import numpy as np

from bba.agents.base import Decision
from bba.belief import ROLE_NAMES, role_posteriors_of
from bba.kitchen import Float64Array
from bba.play.packing import Pack, PlayedStep
from bba.play.trace import StepArrays, Tick
from bba.play.trajectory import OBSERVER_SEAT, Trajectory
from bba.scratch_file import ScratchFile

PACKED = 256  # ticks that are packed at a time
DECIDED = 40  # packs whose decisions stay as they are: to write those of later ones down takes a tenth of a step's time


Part = list[Tick] | Trajectory | Pack


class Ticks(Sequence[Tick]):
    """A sequence of ticks, to which ticks and trajectories can be added. Those long ago are packed.

    Another thread may read it meanwhile.

    Args:
        ticks: the first ones.
    """

    def __init__(self, ticks: Iterable[Tick] = ()) -> None:
        self._parts = list[Part]()
        self._ends = list[int]()  # the number of ticks up to the end of each part
        self._shared_decisions = dict[Decision, Decision]()
        self._file = ScratchFile()
        self._packs = True
        for tick in ticks:
            self.append(tick)

    @property
    def parts(self) -> Sequence[Part]:
        """The ticks in order, in pieces."""
        return self._parts

    def add(self, trajectory: Trajectory, steps: int) -> None:
        """Appends the last steps of a trajectory; those before them are here already."""
        if not steps:
            return
        if not self._parts or self._parts[-1] is not trajectory:
            self._begin(trajectory)
        self._ends[-1] += steps

    def append(self, tick: Tick) -> None:
        """Appends a tick."""
        newest = self._parts[-1] if self._parts else None
        if not isinstance(newest, list) or len(newest) >= PACKED:
            newest = list[Tick]()
            self._begin(newest)
        newest.append(tick)
        self._ends[-1] += 1

    def _begin(self, part: Part) -> None:
        """Begins another part; the one before the last is packed."""
        if len(self._parts) > 1:
            self._pack(len(self._parts) - 2)
        self._parts.append(part)
        self._ends.append(len(self))

    def _pack(self, number: int) -> None:
        """Packs a part, if it is a full list."""
        part = self._parts[number]
        if not isinstance(part, list) or len(part) < PACKED or not self._packs:
            return
        shared = self._shared_decisions if number < DECIDED else None
        try:
            self._parts[number] = Pack(part, shared, self._file)
        except (ValueError, TypeError):  # not numbers of Python's own
            self._packs = False

    def first(self, count: int | None) -> "Ticks":
        """Returns the first ticks, None for all, which do not grow with these; what is packed is shared."""
        until = len(self) if count is None else min(count, len(self))
        first = Ticks()
        for part, end in zip(self._parts, self._ends, strict=False):
            if not isinstance(part, Pack) or end > until:
                break
            first._parts.append(part)
            first._ends.append(end)
        if len(first) < until:
            first._parts.append(list(self._between(len(first), until)))
            first._ends.append(until)
        return first

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

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
        number = bisect_right(self._ends, place)
        begin = self._ends[number - 1] if number else 0
        return self._parts[number], place - begin

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


def role_posteriors(ticks: Sequence[Tick], watcher: int) -> Float64Array:
    """Returns beliefs over the six roles, (steps, 6); NaN in a step without a belief. Long runs are not decoded for it.

    Args:
        ticks: of a game.
        watcher: whose beliefs: player 0, player 1 or `OBSERVER_SEAT`.
    """
    posteriors = np.full((len(ticks), len(ROLE_NAMES)), np.nan)
    first = 0
    for part in _parts(ticks):
        if isinstance(part, list):
            found = role_posteriors_of(_posterior(tick, watcher) for tick in part)
        else:
            found = part.role_posteriors(watcher)
        posteriors[first : first + len(part)] = found
        first += len(part)
    return posteriors


def _posterior(tick: Tick, watcher: int) -> tuple[float, ...] | None:
    belief = tick.observer if watcher == OBSERVER_SEAT else tick.decisions[watcher].belief
    return None if belief is None else belief.posterior


def _parts(ticks: Sequence[Tick]) -> Sequence[Part]:
    if isinstance(ticks, Ticks):
        return ticks.parts
    return (list(ticks),)
