"""Where things are and how far: all that can be known of the floor without a map.

The prompt shows stations, not floor. Distances are therefore counted tile by tile as if nothing stood between. Pass
counters tell of a wall: if they stand in one row or column, the stations on its two sides are apart, and a station in
the wall itself belongs to the side on which no other station blocks the way to it.
"""

from collections.abc import Mapping

Position = tuple[int, int]
DETOUR = 12  # tiles added to a way across the wall: as far as round the wall of the shipped kitchens


class KitchenGeometry:
    """The stations of one kitchen; `stations` maps letters, and "pass", to positions."""

    def __init__(self, stations: Mapping[str, tuple[Position, ...]]) -> None:
        self._stations = stations
        self._letters = {place: letter for letter, places in stations.items() for place in places}
        self._wall = _wall(stations.get("pass", ()))
        self._sides: dict[Position, int] = {}

    def of(self, letter: str) -> tuple[Position, ...]:
        """The positions of one kind of station, in reading order."""
        return self._stations.get(letter, ())

    def letter(self, position: Position) -> str:
        """The station's letter, "pass" for a pass counter, "" for any other place."""
        return self._letters.get(position, "")

    def apart(self, a: Position, b: Position) -> bool:
        """Whether the wall of pass counters stands between two places."""
        return self._wall is not None and self.side(a) * self.side(b) < 0

    def walk(self, a: Position, b: Position) -> int:
        """Tiles from one place to another, with a detour if they are apart."""
        tiles = abs(a[0] - b[0]) + abs(a[1] - b[1])
        return tiles + DETOUR if self.apart(a, b) else tiles

    def side(self, position: Position) -> int:
        """-1 or 1 for the two sides of the wall, 0 for a place that both sides may reach."""
        if self._wall is None:
            return 0
        if position not in self._sides:
            self._sides[position] = self._find_side(position, *self._wall)
        return self._sides[position]

    def _find_side(self, position: Position, axis: int, wall: int) -> int:
        if position[axis] != wall:
            return 1 if position[axis] > wall else -1
        if self.letter(position) == "pass":
            return 0
        x, y = position
        before, after = ((x - 1, y), (x + 1, y)) if axis == 0 else ((x, y - 1), (x, y + 1))
        return (before in self._letters) - (after in self._letters)


def _wall(counters: tuple[Position, ...]) -> tuple[int, int] | None:
    """(axis, coordinate) of the line in which all pass counters stand; None if there is no such line."""
    for axis in (0, 1):
        line = {counter[axis] for counter in counters}
        if len(line) == 1:
            return axis, line.pop()
    return None
