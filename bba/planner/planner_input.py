"""What a planner is told before it chooses a skill: the public scene, the stations, the mask, perhaps a belief."""

from collections.abc import Mapping
from dataclasses import dataclass

from bba.kitchen.layout import Timing
from bba.kitchen.scene import Scene

Position = tuple[int, int]
STANDARD = Timing()


@dataclass(frozen=True, slots=True)
class BeliefView:
    """The filter's reading of the partner, as it is put into a prompt.

    `roles` and `posterior` have one entry a role, the posterior summing to 1; `map_index` is the likeliest role,
    `confidence` its probability and `commitment` the number of updates for which it has been the likeliest.
    `confident` and `moderate` say which band the confidence lies in (at most one of them). `heading` hints at the
    station that the role's nearest work lies at, None if unknown. `complements` are the ego roles that go with it.
    """

    roles: tuple[str, ...]
    posterior: tuple[float, ...]
    map_index: int
    confidence: float
    commitment: int
    confident: bool
    heading: str | None
    complements: tuple[str, ...]
    moderate: bool = False


@dataclass(frozen=True, slots=True)
class PlannerInput:
    """One decision to take.

    `seat` is the deciding player, 0 or 1. `stations` maps a station's letter, as in the layout's map, to its positions
    in reading order, and "pass" to the pass counters. `feasible` are the skill numbers that can run now, ascending.
    `timing` and `plates` are the kitchen's, for the rules in the system prompt.
    """

    scene: Scene
    seat: int
    stations: Mapping[str, tuple[Position, ...]]
    feasible: tuple[int, ...]
    belief: BeliefView | None = None
    timing: Timing = STANDARD
    plates: int = 4
