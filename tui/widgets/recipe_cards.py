"""The panels while playing: "orders" as recipe cards, "how to", the recipe in words, and "skills".

For a recipe card counters, stations and hands count; each thing for one order at most: the first that can use it, with
the furthest portion first.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from textwrap import wrap
from typing import NamedTuple

from textual.content import Content

from bba import palette
from bba.analysis import Snapshot, names
from bba.kitchen import ObjectView, OrderView, Scene, constants
from bba.language import marked, say
from tui.widgets.orders import order_line, score_line
from tui.widgets.panel import Panel, fitting, line


class Stage(IntEnum):
    """How far one part of a dish has come. Not every part has every stage."""

    MISSING = 0
    TAKEN = 1
    CHOPPED = 2
    COOKING = 3
    READY = 4
    PLATED = 5


class RecipePart(NamedTuple):
    """One part of a dish.

    Attributes:
        stage: how far it has come; a plate is TAKEN while it is dirty and READY when it is clean.
        left: the steps until cooking food is ready, or until food that shows a warning burns; None for all else.
    """

    stage: Stage = Stage.MISSING
    left: int | None = None


MISSING_PART = RecipePart()
ON_PLATE = RecipePart(Stage.PLATED)


@dataclass(frozen=True, slots=True)
class RecipeCard:
    """One open order and its parts: protein, rice, plate and tortilla, as they are needed at the latest."""

    order: OrderView
    parts: dict[str, RecipePart]

    @property
    def complete(self) -> bool:
        """Whether the order only has to be served."""
        stages = [part.stage for name, part in self.parts.items() if name != "plate"]
        return all(stage is Stage.PLATED for stage in stages)

    @property
    def begun(self) -> bool:
        """Whether the kitchen holds anything for the order."""
        stages = [part.stage for part in self.parts.values()]
        return any(stage is not Stage.MISSING for stage in stages)


_BIT = {"steak_burrito": constants.ON_STEAK, "mushroom_burrito": constants.ON_MUSHROOM}
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
    """Returns a card for each open order, the first order first; what burns is lost."""
    items: list[tuple[int, ObjectView | None]] = []  # the code of each, and where it lies; None in a hand
    for item in scene.objects:
        if item.state != "burning":
            items.append((constants.ITEM_CODES[item.name], item))
    for player in scene.players:
        if player.held is not None:
            items.append((constants.ITEM_CODES[player.held], None))

    portions: dict[str, list[RecipePart]] = {}
    for code, view in items:
        if code in _PORTIONS:
            name, stage = _PORTIONS[code]
            portions.setdefault(name, []).append(_portion(view, stage))
    for parts in portions.values():  # the furthest last
        parts.sort(key=lambda part: (part.stage, -(part.left or 0)))

    plates = [code for code, _ in items if code >= constants.PLATE]
    assigned = zip(scene.orders, _assigned_plates(scene.orders, plates), strict=True)
    return tuple(_card(order, plate, portions) for order, plate in assigned)


def _portion(item: ObjectView | None, stage: Stage) -> RecipePart:
    """Returns an item as a part, with the stage of its name: chopping and cooking may be under way or over.

    Args:
        item: the item where it lies; None for one in a hand.
        stage: the stage that the item's name stands for.
    """
    if item is None:
        return RecipePart(stage)
    if item.state == "unready":
        return RecipePart(Stage.TAKEN)
    if stage is Stage.COOKING and item.state != "cooking":
        stage = Stage.READY
    timed = item.tile in ("grill", "pot") and item.state in ("cooking", "warning")
    return RecipePart(stage, item.total - item.progress if timed else None)


def _assigned_plates(orders: tuple[OrderView, ...], plates: list[int]) -> list[int | None]:
    """Returns the clean or filled plate of each order: the fullest first, each for the first order that it fits."""
    assigned: list[int | None] = [None] * len(orders)
    for plate in sorted(plates, key=lambda plate: -plate.bit_count()):
        protein = plate & constants.ON_PROTEIN
        for number, order in enumerate(orders):
            if assigned[number] is None and protein in (0, _BIT[order.dish]):
                assigned[number] = plate
                break
    return assigned


def _card(order: OrderView, plate: int | None, portions: dict[str, list[RecipePart]]) -> RecipeCard:
    """Returns the card of an order; it takes its portions out of the stock."""

    def from_stock(name: str) -> RecipePart:
        stock = portions.get(name, [])
        return stock.pop() if stock else MISSING_PART

    def part(name: str, bit: int) -> RecipePart:
        if plate is not None and plate & bit:
            return ON_PLATE
        return from_stock(name)

    plate_part = RecipePart(Stage.READY)
    if plate is None:
        plate_part = from_stock("plate")
    parts = {
        "protein": part(order.dish, constants.ON_PROTEIN),
        "rice": part("rice", constants.ON_RICE),
        "plate": plate_part,
        "tortilla": part("tortilla", constants.ON_TORTILLA),
    }
    return RecipeCard(order, parts)


PART_CELLS = 9  # cells of a part's name
MOST_PARTS_SHOWN = 4  # lines of a card that is shown in full
PART_NAMES = marked(
    {"steak_burrito": "meat", "mushroom_burrito": "mushroom", "rice": "rice", "plate": "plate", "tortilla": "tortilla"}
)

# By part and stage: how far it is, and what comes next.
_PLATED = marked({Stage.PLATED: ("on the plate", "")})
_STAGE_WORDS = marked(
    {
        "protein": {
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
)


class RecipePanel(Panel):
    """Score and streak, then a card for each order; where rows are few, only the first ones are shown in full."""

    TITLE = marked("orders")
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
    """Returns the recipe below an order: a line for each part, or all parts in one line, or nothing."""
    if spare < 1:
        return []
    if card.complete:
        return [line((" ▸ " + say("serve it"), f"bold {palette.GOOD}"))]
    if spare >= MOST_PARTS_SHOWN:
        return list(_parts(card, width))
    return [_short(card)]


def _parts(card: RecipeCard, width: int) -> Iterator[Content]:
    for kind, part in card.parts.items():
        mark, colour = _mark(kind, part)
        name = line(_name(card, kind)).truncate(PART_CELLS, pad=True).plain
        progress = _progress(kind, part, width - PART_CELLS - 3)
        burns_soon = part.stage is Stage.READY and part.left is not None
        progress_colour = palette.BAD if burns_soon else colour
        yield line((f" {mark} ", colour), (name, palette.TEXT), (progress, progress_colour))


def _progress(kind: str, part: RecipePart, room: int) -> str:
    """Returns how far a part is, what comes next, and in how many steps; in `room` cells as much of that as fits."""
    stage_text, next_text = _STAGE_WORDS[kind][part.stage]
    state = say(stage_text) if stage_text else ""
    following = f"▸ {say(next_text)}" if next_text else ""
    time = _time_left(part)
    full = f"{state} {following}" if state and following else state + following
    shorter = following or state
    return fitting(room, full + time, shorter + time, time.strip() or shorter)


def _time_left(part: RecipePart) -> str:
    if part.left is None:
        return ""
    if part.stage is Stage.COOKING:
        return say(" in {steps}", steps=part.left)
    return say(" ‼ burns in {steps}", steps=part.left)


def _mark(kind: str, part: RecipePart) -> tuple[str, str]:
    """Returns the mark of a part and its colour: done, under way or missing."""
    clean_plate = kind == "plate" and part.stage is Stage.READY
    if clean_plate or part.stage is Stage.PLATED:
        return "✓", palette.GOOD
    if part.stage is Stage.MISSING:
        return "·", palette.DIM
    return "▸", palette.WARN


def _short(card: RecipeCard) -> Content:
    if not card.begun:
        return line((" " + say("nothing yet"), palette.DIM))
    texts = []
    for kind, part in card.parts.items():
        mark, colour = _mark(kind, part)
        texts.append((f" {mark}{_name(card, kind)}", colour))
    return line(*texts)


def _name(card: RecipeCard, kind: str) -> str:
    return say(PART_NAMES[card.order.dish if kind == "protein" else kind])


WIDE_COLUMNS = 67  # cells from which what is needed and what is done with it stand in columns
NEED_GAP = "   "  # between what is needed and what is done with it
RECIPE = """\
Two cooks share a kitchen and a score. Guests order burritos and do not wait for ever. A burrito is a plate with:
  meat or mushroom   take it, chop it on a board, fry it on a grill
  rice               take it, boil it in a pot
  tortilla           from its box, onto the plate
The plates are dirty at first: wash one in the sink. Take fried and boiled food with the plate in your hand, in any \
order, and bring the burrito to the serving window. What stays on the fire too long burns: take the extinguisher."""


class HowToPanel(Panel):
    """The recipe in words."""

    TITLE = "how to"
    ABOUT = "How a burrito is made, on a large terminal."

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:  # noqa: ARG002 - it is always the same
        """Yields the recipe, wrapped; indented lines stay indented."""
        for text in RECIPE.splitlines():
            for row in _wrapped(text, width):
                yield line((row, palette.TEXT))


def _wrapped(text: str, width: int) -> list[str]:
    """Returns a line of the recipe in rows of `width`; an indented one stays indented, in columns where these fit."""
    if not text.startswith(" ") or width >= WIDE_COLUMNS:
        return wrap(text, width)
    ingredient, steps = text.split(NEED_GAP, 1)
    return wrap(f"{ingredient}: {steps.strip()}", width, subsequent_indent=" " * 4)


HOW_TO = marked("Type the two digits of a skill: it runs by itself. Any other key takes over.")


class SkillsPanel(Panel):
    """The feasible skills with their numbers; the running one and those that match the typed digits are marked."""

    TITLE = marked("skills")
    ABOUT = (
        "Skill mode: type the number of a skill, and it runs until it ends or you press another key. A skill has the "
        "same number in every game; 03 to 09 can be typed without the 0."
    )

    feasible: tuple[int, ...] = ()
    running: int = constants.NO_SKILL
    typed: str = ""

    def offer(self, snapshot: Snapshot, feasible: tuple[int, ...], running: int) -> None:
        """Shows these skills, those that match the typed digits marked."""
        self.feasible = feasible
        self.running = running
        self.show_snapshot(snapshot)

    def digit(self, digit: str) -> int | None:
        """Takes a digit of a skill's number, which has two; the first one can be left out where no other is possible.

        Returns:
            The skill if its number is complete, else None. Numbers above 26 are dropped.
        """
        typed = self.typed + digit
        number = int(typed)
        if len(typed) == 1 and number * 10 < constants.N_SKILLS:
            self.typed = typed
            return None
        self.typed = ""
        return number if number < constants.N_SKILLS else None

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:  # noqa: ARG002 - `offer` says what to show
        """Yields a line for each skill; below them how to choose, where there is room."""
        for skill in self.feasible:
            mark = "▶" if skill == self.running else " "
            number = f"{skill:02}"
            matches = bool(self.typed) and number.startswith(self.typed)
            style = f"bold {palette.TEXT}" if matches else palette.TEXT
            yield line((mark, palette.GOOD), (f" {number} ", f"bold {palette.WARN}"), (names.skill(skill), style))
        rows = Content(say(HOW_TO)).wrap(width - 1)
        how_to = [line((f" {row.plain}", palette.DIM)) for row in rows]
        if self.content_size.height > len(self.feasible) + len(how_to):
            yield line("")
            yield from how_to
