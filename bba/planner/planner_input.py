"""The input of a planner: the public scene, the stations, the feasible skills, and optionally a belief."""

from collections.abc import Mapping
from dataclasses import dataclass

from bba.kitchen.layout import Timing
from bba.kitchen.scene import Scene

Position = tuple[int, int]
STANDARD = Timing()


@dataclass(frozen=True, slots=True)
class BeliefView:
    """The belief about the partner, as a prompt shows it.

    Attributes:
        roles: the names of the six roles.
        posterior: their probabilities, in the same order.
        map_index: the most likely role (MAP).
        confidence: its probability, 0 to 1.
        commitment: u, the number of updates for which it has been the MAP.
        confident: whether the confidence reaches Γ.
        heading: the station that the partner is probably heading for; None if unknown.
        complements: the names of the roles that complement the MAP.
        moderate: whether the confidence is below Γ but not low.
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
    """What a planner knows when it chooses a skill.

    Attributes:
        scene: the public state, decoded.
        player: the deciding player, 0 or 1.
        stations: positions in reading order by the station's letter in the layout's map, and the pass counters as
            "pass".
        feasible: the skills that can run now, ascending.
        belief: the belief to show; None for none.
        timing, plates: the kitchen's, for the rules in the system prompt.
    """

    scene: Scene
    player: int
    stations: Mapping[str, tuple[Position, ...]]
    feasible: tuple[int, ...]
    belief: BeliefView | None = None
    timing: Timing = STANDARD
    plates: int = 4
