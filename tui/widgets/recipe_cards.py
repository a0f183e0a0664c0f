"""The panel "orders" while playing: every open order as a recipe card, with what is done and what is missing."""

from collections.abc import Iterable, Iterator, Sequence

from textual.content import Content

from bba import palette
from bba.analysis.recipe_cards import RecipeCard, RecipePart, Stage, recipe_cards
from bba.analysis.snapshot import Snapshot
from tui.widgets.orders import order_line, score_line
from tui.widgets.panel import Panel, line

NAME = 9  # cells of a part's name
PARTS = 4  # lines of a card that is shown in full
PROTEINS = {"steak_burrito": "meat", "mushroom_burrito": "mushroom"}

# By part and stage: how far it is, and what comes next.
_PLATED = {Stage.PLATED: ("on the plate", "")}
_WORDS = {
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
    if spare >= PARTS:
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
        state, following = _WORDS[kind][part.stage]
        mark, colour = _mark(kind, part)
        said = f"{state} ▸ {following}" if state and following else state or f"▸ {following}"
        said += _left(part)
        if len(said) > width - NAME - 3 and following:
            said = f"▸ {following}{_left(part)}"
        urgent = part.stage is Stage.READY and part.left is not None
        yield line((f" {mark} ", colour), (name.ljust(NAME), palette.TEXT), (said, palette.BAD if urgent else colour))


def _left(part: RecipePart) -> str:
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
