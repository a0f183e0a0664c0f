"""The steps of a game as arrays: what measures read, without an object for each step."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from bba.agents.base import Decision
from bba.belief import roles_of
from bba.kitchen.state import STATE_HEADER, StateVector
from bba.play.trace import EGO, PARTNER, Tick

Roles = NDArray[np.intp]  # NO_ROLE for none
Truths = NDArray[np.bool_]
Counts = NDArray[np.intp]

COLUMNS: dict[str, Callable[[Tick], object]] = {  # of `StepArrays`, but for those of calls
    "states": lambda tick: tick.state[:STATE_HEADER],
    "skills": lambda tick: tick.skills,
    "believed": lambda tick: tick.observer.map_index,
    "confidence": lambda tick: tick.observer.confidence,
    "contradicted": lambda tick: tick.observer_gate is not None and tick.observer_gate.contradiction,
    "chosen": lambda tick: tick.decisions[EGO].chosen,
    "replanned": lambda tick: tick.decisions[EGO].replanned,
    "commits": lambda tick: tick.decisions[EGO].commits,
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
        chosen, replanned, commits: what the ego decided, as in `Decision`, (N,).
        attempts: how often its planner was asked, retries included, (N,).
        retries: how often after an answer that could not be used, (N,).
        fallbacks: plans without a usable answer, (N,).
    """

    states: StateVector
    skills: NDArray[np.int32]
    believed: Roles
    confidence: NDArray[np.float64]
    contradicted: Truths
    chosen: Truths
    replanned: Truths
    commits: Truths
    attempts: Counts
    retries: Counts
    fallbacks: Counts

    @classmethod
    def empty(cls, steps: int) -> Self:
        """Returns arrays for so many steps, to be written to; in none of them the ego has decided anything yet."""
        chosen, replanned, commits = np.zeros((3, steps), np.bool_)
        return cls(
            np.empty((steps, STATE_HEADER), np.int32),
            np.empty((steps, 2), np.int32),
            np.empty(steps, np.intp),
            np.empty(steps),
            np.empty(steps, np.bool_),
            chosen,
            replanned,
            commits,
            *np.zeros((3, steps), np.intp),
        )

    def __len__(self) -> int:
        return len(self.skills)

    def __getitem__(self, part: slice) -> Self:
        return type(self)(*(getattr(self, one.name)[part] for one in fields(self)))

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
        for name, read in COLUMNS.items():
            getattr(self, name)[np.array(places, np.intp)] = [read(tick) for tick in ticks]
        for place, tick in zip(places, ticks, strict=True):
            self.write_calls(place, tick.decisions[EGO])

    def write_calls(self, place: int, decision: Decision) -> None:
        """Writes how the ego's planner was asked for a decision."""
        for call in decision.calls:
            self.attempts[place] += call.attempts
            self.retries[place] += call.attempts - 1
            self.fallbacks[place] += call.fallback
