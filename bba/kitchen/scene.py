"""The kitchen decoded for readers: names and coordinates instead of a row of integers.

A `Scene` is a frozen copy of everything public. Screens, prompts and tests read it; nothing writes to it.
Coordinates are ``(x, y)``, origin at the top left. Times are in steps.
"""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class PlayerView:
    """One cook: where it stands, which way it looks (north, south, east, west), what it holds (None: nothing)."""

    position: tuple[int, int]
    facing: str
    held: str | None


@dataclass(frozen=True, slots=True)
class ObjectView:
    """One item on a counter or station.

    `state` is "" for an item that just lies there; "unready" or "ready" for food on a board; "unrinsed" for a dirty
    plate in a sink; "cooking", "ready", "warning" or "burning" on a grill or in a pot. `progress` counts chops, rinses
    or cooking steps since the food was put in; `total` is the number at which the present stage ends (chops or rinses
    needed; the step at which cooking, ready or warning is over), 0 where nothing is counted.
    """

    name: str
    position: tuple[int, int]
    tile: str
    state: str = ""
    progress: int = 0
    total: int = 0


@dataclass(frozen=True, slots=True)
class OrderView:
    """One active order: the dish, the steps it has left and the steps it had at the start."""

    dish: str
    left: int
    life: int


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything public about one moment of a game."""

    layout: str
    step: int
    score: int
    streak: int
    deliveries: int
    dirty_plates: int
    players: tuple[PlayerView, PlayerView]
    objects: tuple[ObjectView, ...]
    orders: tuple[OrderView, ...]

    def to_dict(self) -> dict[str, Any]:
        """The scene as plain JSON types (tuples become lists once dumped)."""
        return asdict(self)
