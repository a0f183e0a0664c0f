"""Recipe cards: how far the kitchen has come with each open order, counted over counters, stations and hands.

Everything in the kitchen counts for one order at most: the first that can use it, with the furthest portion first.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from bba.kitchen import ObjectView, OrderView, Scene, constants
from bba.kitchen.constants import ITEM_CODES, ON_MUSHROOM, ON_PROTEIN, ON_RICE, ON_STEAK, ON_TORTILLA, PLATE
from bba.kitchen.layout import Position


class Stage(IntEnum):
    """How far one part of a dish has come. Not every part has every stage."""

    MISSING, TAKEN, CHOPPED, COOKING, READY, PLATED = range(6)


class RecipePart(NamedTuple):
    """One part of a dish and where it is.

    Attributes:
        stage: how far it has come; a plate is TAKEN while it is dirty and READY when it is clean.
        tile: where it lies; None in a hand, on a plate, or if it is missing.
        cook: who holds it, 0 or 1; None if nobody does.
        left: the steps until cooking food is ready, or until food that shows a warning burns; None for all else.
    """

    stage: Stage = Stage.MISSING
    tile: Position | None = None
    cook: int | None = None
    left: int | None = None


MISSING = RecipePart()
ON_PLATE = RecipePart(Stage.PLATED)


@dataclass(frozen=True, slots=True)
class RecipeCard:
    """One open order and its parts."""

    order: OrderView
    protein: RecipePart
    rice: RecipePart
    tortilla: RecipePart
    plate: RecipePart

    @property
    def parts(self) -> tuple[RecipePart, RecipePart, RecipePart, RecipePart]:
        """All parts, in the order in which they are needed at the latest."""
        return self.protein, self.rice, self.plate, self.tortilla

    @property
    def complete(self) -> bool:
        """Whether it only has to be served."""
        return all(part.stage is Stage.PLATED for part in (self.protein, self.rice, self.tortilla))

    @property
    def begun(self) -> bool:
        """Whether the kitchen holds anything for it."""
        return any(part.stage is not Stage.MISSING for part in self.parts)


_BIT = {"steak_burrito": ON_STEAK, "mushroom_burrito": ON_MUSHROOM}
_PORTIONS: dict[int, tuple[str, Stage]] = {  # item: the part that it becomes, and its stage
    constants.MEAT: ("steak_burrito", Stage.TAKEN),
    constants.CHOPPED_MEAT: ("steak_burrito", Stage.CHOPPED),
    constants.CHOPPED_STEAK: ("steak_burrito", Stage.COOKING),
    constants.MUSHROOM: ("mushroom_burrito", Stage.TAKEN),
    constants.CHOPPED_MUSHROOM: ("mushroom_burrito", Stage.CHOPPED),
    constants.FRIED_MUSHROOM: ("mushroom_burrito", Stage.COOKING),
    constants.RICE: ("rice", Stage.TAKEN),
    constants.BOILED_RICE: ("rice", Stage.COOKING),
    constants.TORTILLA: ("tortilla", Stage.TAKEN),
    constants.DIRTY_PLATE: ("plate", Stage.TAKEN),
}


def recipe_cards(scene: Scene) -> tuple[RecipeCard, ...]:
    """Returns a card for each open order, the first order first."""
    found = list(_found(scene))
    portions = _portions(found)
    plates = _assigned_plates(scene.orders, [one for one in found if one.code >= PLATE])
    return tuple(_card(order, plate, portions) for order, plate in zip(scene.orders, plates, strict=True))


class _Found(NamedTuple):
    """An item in the kitchen: its code, and where it is."""

    code: int
    thing: ObjectView | None
    cook: int | None

    def part(self, stage: Stage) -> RecipePart:
        """Returns it as a part in a stage."""
        if self.thing is None:
            return RecipePart(stage, cook=self.cook)
        return RecipePart(stage, self.thing.position, left=_left(self.thing))


def _found(scene: Scene) -> Iterator[_Found]:
    """Yields everything on tiles and in hands; what burns is lost."""
    for thing in scene.objects:
        if thing.state != "burning":
            yield _Found(ITEM_CODES[thing.name], thing, None)
    for cook, player in enumerate(scene.players):
        if player.held is not None:
            yield _Found(ITEM_CODES[player.held], None, cook)


def _left(thing: ObjectView) -> int | None:
    counted = thing.tile in ("grill", "pot") and thing.state in ("cooking", "warning")
    return thing.total - thing.progress if counted else None


def _portions(found: list[_Found]) -> dict[str, list[RecipePart]]:
    """Returns the loose portions by the part that they become, the furthest last."""
    portions: dict[str, list[RecipePart]] = {}
    for one in found:
        if one.code in _PORTIONS:
            part, stage = _PORTIONS[one.code]
            portions.setdefault(part, []).append(one.part(_stage(one.thing, stage)))
    for parts in portions.values():
        parts.sort(key=lambda part: (part.stage, -(part.left or 0)))
    return portions


def _stage(thing: ObjectView | None, stage: Stage) -> Stage:
    """Returns the stage of an item, given that of its name: chopping and cooking may be under way or over."""
    if thing is None:
        return stage
    if thing.state == "unready":
        return Stage.TAKEN
    return Stage.READY if stage is Stage.COOKING and thing.state != "cooking" else stage


def _assigned_plates(orders: tuple[OrderView, ...], plates: list[_Found]) -> list[_Found | None]:
    """Returns the clean or filled plate of each order: the fullest first, each for the first order that it fits."""
    assigned: list[_Found | None] = [None] * len(orders)
    for plate in sorted(plates, key=lambda plate: -plate.code.bit_count()):
        protein = plate.code & ON_PROTEIN
        fitting = (i for i, order in enumerate(orders) if assigned[i] is None and protein in (0, _BIT[order.dish]))
        at = next(fitting, None)
        if at is not None:
            assigned[at] = plate
    return assigned


def _card(order: OrderView, plate: _Found | None, portions: dict[str, list[RecipePart]]) -> RecipeCard:
    """Returns the card of an order; it takes its portions out of the stock."""

    def part(name: str, bit: int) -> RecipePart:
        if plate is not None and plate.code & bit:
            return ON_PLATE
        stock = portions.get(name, [])
        return stock.pop() if stock else MISSING

    return RecipeCard(
        order,
        protein=part(order.dish, ON_PROTEIN),
        rice=part("rice", ON_RICE),
        tortilla=part("tortilla", ON_TORTILLA),
        plate=plate.part(Stage.READY) if plate is not None else part("plate", 0),
    )
