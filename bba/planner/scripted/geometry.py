"""The geometry of a kitchen as far as a prompt without a map gives it: stations and distances.

The prompt shows stations but no floor, so distances are Manhattan distances as if nothing stood between. If all pass
counters stand in one row or column, they mark a wall: the stations on its two sides are separated, and a station in the
wall itself belongs to the side on which no other station blocks the way to it.
"""

from collections.abc import Mapping

Position = tuple[int, int]
DETOUR = 12  # tiles added to a path across the wall: about the way around it in the shipped kitchens


class KitchenGeometry:
    """The stations of one kitchen; `stations` maps station letters, and "pass", to positions."""

    def __init__(self, stations: Mapping[str, tuple[Position, ...]]) -> None:
        self._stations = stations
        self._letters = {place: letter for letter, places in stations.items() for place in places}
        self._wall = _wall(stations.get("pass", ()))
        self._sides: dict[Position, int] = {}

    def stations(self, letter: str) -> tuple[Position, ...]:
        """Returns the positions of one kind of station, in reading order."""
        return self._stations.get(letter, ())

    def letter_at(self, position: Position) -> str:
        """Returns the letter of the station at a position, "pass" for a pass counter, "" for any other place."""
        return self._letters.get(position, "")

    def separated(self, a: Position, b: Position) -> bool:
        """Whether the wall of pass counters is between two places."""
        return self._wall is not None and self.side(a) * self.side(b) < 0

    def distance(self, a: Position, b: Position) -> int:
        """Returns the tiles between two places, plus a detour if they are separated."""
        tiles = abs(a[0] - b[0]) + abs(a[1] - b[1])
        return tiles + DETOUR if self.separated(a, b) else tiles

    def side(self, position: Position) -> int:
        """Returns -1 or 1 for the two sides of the wall, 0 for a place that both sides may reach."""
        if self._wall is None:
            return 0
        if position not in self._sides:
            self._sides[position] = self._find_side(position, *self._wall)
        return self._sides[position]

    def _find_side(self, position: Position, axis: int, wall: int) -> int:
        if position[axis] != wall:
            return 1 if position[axis] > wall else -1
        if self.letter_at(position) == "pass":
            return 0
        x, y = position
        before, after = ((x - 1, y), (x + 1, y)) if axis == 0 else ((x, y - 1), (x, y + 1))
        return (before in self._letters) - (after in self._letters)


def _wall(counters: tuple[Position, ...]) -> tuple[int, int] | None:
    """Returns (axis, coordinate) of the line in which all pass counters stand; None if there is no such line."""
    for axis in (0, 1):
        line = {counter[axis] for counter in counters}
        if len(line) == 1:
            return axis, line.pop()
    return None
