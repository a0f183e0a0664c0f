"""The panel "orders" while playing: every open order as a recipe card, with what is done and what is missing.

Recipe cards: how far the kitchen has come with each open order, counted over counters, stations and hands.

Everything in the kitchen counts for one order at most: the first that can use it, with the furthest portion first.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from textual.content import Content

from bba import palette
from bba.analysis.snapshot import Snapshot
from bba.kitchen import ObjectView, OrderView, Scene, constants
from bba.kitchen.constants import ITEM_CODES, ON_MUSHROOM, ON_PROTEIN, ON_RICE, ON_STEAK, ON_TORTILLA, PLATE
from bba.kitchen.layout import Position
from tui.widgets.kitchen_panels import order_line, score_line
from tui.widgets.panel import Panel, line


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


MISSING_PART = RecipePart()
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
        return stock.pop() if stock else MISSING_PART

    return RecipeCard(
        order,
        protein=part(order.dish, ON_PROTEIN),
        rice=part("rice", ON_RICE),
        tortilla=part("tortilla", ON_TORTILLA),
        plate=plate.part(Stage.READY) if plate is not None else part("plate", 0),
    )


PART_CELLS = 9  # cells of a part's name
MOST_PARTS_SHOWN = 4  # lines of a card that is shown in full
PROTEINS = {"steak_burrito": "meat", "mushroom_burrito": "mushroom"}

# By part and stage: how far it is, and what comes next.
_PLATED = {Stage.PLATED: ("on the plate", "")}
_STAGE_WORDS = {
    "food": {
        Stage.MISSING: ("", "get it"),
        Stage.TAKEN: ("raw", "chop it"),
        Stage.CHOPPED: ("chopped", "fry it"),
        Stage.COOKING: ("frying", "ready"),
        Stage.READY: ("fried", "plate it"),
        **_PLATED,
    },
    "rice": {
        Stage.MISSING: ("", "get it"),
        Stage.TAKEN: ("raw", "boil it"),
        Stage.COOKING: ("boiling", "ready"),
        Stage.READY: ("boiled", "plate it"),
        **_PLATED,
    },
    "plate": {Stage.MISSING: ("", "wash one"), Stage.TAKEN: ("dirty", "wash it"), Stage.READY: ("clean", "")},
    "tortilla": {Stage.MISSING: ("", "put it on"), Stage.TAKEN: ("taken", "put it on"), **_PLATED},
}


class RecipePanel(Panel):
    """Score and streak, then a card for each order; where rows are few, only the first ones are shown in full."""

    TITLE = "orders"
    ABOUT = (
        "Every order with the steps that it has left, and its recipe: ✓ is done, ▸ comes next, · is missing. What lies "
        "anywhere in the kitchen, or in a hand, counts for the first order that can use it. The first order pays a tip."
    )

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:
        """Yields the score, then the cards, as many lines as the panel has."""
        yield score_line(snapshot, width)
        yield from card_lines(recipe_cards(snapshot.scene), width, self.content_size.height - 1)


def card_lines(cards: Sequence[RecipeCard], width: int, rows: int) -> Iterator[Content]:
    """Yields every order, each with its recipe below it in as many lines as there are `rows` left for it."""
    spare = rows - len(cards)
    for number, card in enumerate(cards):
        yield order_line(card.order, first=number == 0, width=width)
        recipe = _recipe(card, width, spare)
        spare -= len(recipe)
        yield from recipe


def _recipe(card: RecipeCard, width: int, spare: int) -> list[Content]:
    """Returns what is below an order: a line for each part, or all parts in one line, or nothing."""
    if card.complete:
        return [line((" ▸ serve it", f"bold {palette.GOOD}"))][:spare]
    if spare >= MOST_PARTS_SHOWN:
        return list(_parts(card, width))
    return [_short(card)][: max(0, spare)]


def _named(card: RecipeCard) -> Iterator[tuple[str, str, RecipePart]]:
    """Yields each part with its name and the key of its words."""
    yield PROTEINS[card.order.dish], "food", card.protein
    yield "rice", "rice", card.rice
    yield "plate", "plate", card.plate
    yield "tortilla", "tortilla", card.tortilla


def _parts(card: RecipeCard, width: int) -> Iterator[Content]:
    for name, kind, part in _named(card):
        state, following = _STAGE_WORDS[kind][part.stage]
        mark, colour = _mark(kind, part)
        said = f"{state} ▸ {following}" if state and following else state or f"▸ {following}"
        said += _ticks_left(part)
        if len(said) > width - PART_CELLS - 3 and following:
            said = f"▸ {following}{_ticks_left(part)}"
        urgent = part.stage is Stage.READY and part.left is not None
        yield line(
            (f" {mark} ", colour), (name.ljust(PART_CELLS), palette.TEXT), (said, palette.BAD if urgent else colour)
        )


def _ticks_left(part: RecipePart) -> str:
    if part.left is None:
        return ""
    return f" in {part.left}" if part.stage is Stage.COOKING else f" ‼ burns in {part.left}"


def _mark(kind: str, part: RecipePart) -> tuple[str, str]:
    """Returns the mark of a part and its colour: done, under way or missing."""
    if part.stage is Stage.PLATED or (kind == "plate" and part.stage is Stage.READY):
        return "✓", palette.GOOD
    return ("·", palette.DIM) if part.stage is Stage.MISSING else ("▸", palette.WARN)


def _short(card: RecipeCard) -> Content:
    """Returns all parts in one line."""
    if not card.begun:
        return line((" nothing yet", palette.DIM))
    marked = ((name, *_mark(kind, part)) for name, kind, part in _named(card))
    return line(*((f" {mark}{name}", colour) for name, mark, colour in marked))
