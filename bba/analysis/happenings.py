"""Happenings: what people at the keyboard must not miss, read from one step of a game."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from bba.analysis.snapshot import Snapshot
from bba.kitchen import Skill
from bba.kitchen.grid import grid_of
from bba.kitchen.layout import Position
from bba.kitchen.state import EXPIRED, FACING, POSITION

Kind = Literal["delivery", "lost", "fire"]


class Happening(NamedTuple):
    """A delivery, an order that ran out, or food that begins to burn.

    Attributes:
        kind: which of these.
        tile: the serving window, or where it burns; None for an order.
        points: the reward of a delivery; 0 for the others.
    """

    kind: Kind
    tile: Position | None = None
    points: int = 0


def happenings(snapshot: Snapshot) -> Iterator[Happening]:
    """Yields what happened in the snapshot's last step, deliveries first."""
    tick = snapshot.tick
    if tick is None:
        return
    before = snapshot.trace.scene(snapshot.step - 1)
    for event in tick.events:
        if event.skill == Skill.GO_TO_SERVE_DISH:
            yield Happening("delivery", _faced(snapshot, event.player), tick.reward)
    if tick.state[EXPIRED] > snapshot.state(snapshot.step - 1)[EXPIRED]:
        yield Happening("lost")
    burnt = {thing.position for thing in before.objects if thing.state == "burning"}
    for thing in snapshot.scene.objects:
        if thing.state == "burning" and thing.position not in burnt:
            yield Happening("fire", thing.position)


def _faced(snapshot: Snapshot, player: int) -> Position:
    """Returns the tile that a player faced before the last step."""
    before, layout = snapshot.state(snapshot.step - 1), snapshot.config.layout
    tile = int(grid_of(layout).neighbour[before[POSITION + player], before[FACING + player]])
    return tile % layout.width, tile // layout.width
