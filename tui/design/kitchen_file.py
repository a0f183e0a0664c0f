"""Kitchens in files: written with comments as the shipped ones are, and read also with mistakes in the map.

The questions for the file of a kitchen: where to save it, and which one to open.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, ValidationError

from bba.errors import BBAError
from bba.files import check_writable
from bba.kitchen.layout import Layout, OrderRules, Position, Timing, parse_kitchen
from bba.kitchen.overcooked_layout import SUFFIX as OVERCOOKED_SUFFIX
from bba.validation import checked
from tui.design.draft import COUNTER, EMPTY_ROOM, Draft
from tui.design.overcooked import imported
from tui.screens.dialogs import PathDialog, newest_first

KITCHEN_SUFFIX = ".toml"
LONGEST_NAME = 60  # characters of a kitchen's name
NEW = "new"  # in the place of a file: an empty room
MAP = ("map", "pass_counters", "extinguisher")
SOUND = Draft.of(Layout.load("open"))  # stands in for a map with mistakes while the rest of a file is checked

KITCHEN_TEXT = '''\
name = "{name}"

# space floor, X counter, M meat, Z mushroom, R rice, T tortilla, U trash, B board, G grill, P pot, W sink,
# D dirty plates, S serving window; 1 and 2 are floor where player 0 and player 1 start.
map = """
{map}
"""

pass_counters = {pass_counters} # [x, y] from the top left, counted from 0
{extinguisher}
plates = {plates}

[timing]
chops = {timing.chops} # interactions
rinses = {timing.rinses} # interactions
cooking = {timing.cooking} # steps
ready = {timing.ready} # steps
warning = {timing.warning} # steps

[orders]
life = {orders.life} # steps
active = {active} # [from step, how many at once]
multipliers = {multipliers} # on the tip, for a streak of 1, 2, 3, …; the last one holds for longer ones
'''


class _Marks(BaseModel):
    """The marks of a layout file, on counters or not."""

    pass_counters: tuple[Position, ...] = ()
    extinguisher: Position | None = None


class KitchenFile(NamedTuple):
    """A kitchen that was read: its draft, its name, and what had to be mended to show it; "" for nothing."""

    draft: Draft
    name: str
    mended: str = ""


def read_kitchen(path: Path) -> KitchenFile:
    """Reads a layout file, also one with mistakes in its map, or a layout of Overcooked-AI.

    Raises:
        BBAError: it cannot be read, has no map, or has a mistake outside of it.
    """
    if path.suffix == OVERCOOKED_SUFFIX:
        kitchen = imported(path)
        return KitchenFile(kitchen.draft, proposed_name(path), f"a layout of Overcooked-AI: {kitchen.in_words}")
    data = parse_kitchen(path)
    text = data.get("map")
    rest = {key: value for key, value in data.items() if key not in MAP}
    name = checked(Layout, with_sound_map(rest), path).name
    marks = checked(_Marks, data, path)
    if not isinstance(text, str):
        raise BBAError(f"{path}: map: missing; it should be a text of several lines")
    rows, mended = _even(text.rstrip("\n").split("\n"))
    kept = {key: value for key, value in rest.items() if key != "name"}
    return KitchenFile(Draft(rows, frozenset(marks.pass_counters), marks.extinguisher, kept), name, mended)


def with_sound_map(rest: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the content of a layout file but for its map, with a map without mistakes."""
    return {"name": "", **rest, "map": SOUND.rows, "extinguisher": SOUND.extinguisher}


def _even(rows: list[str]) -> tuple[tuple[str, ...], str]:
    """Returns the rows, filled up to the same length, and in words which one was shorter; "" for none."""
    width = max(len(row) for row in rows)
    if not width:
        return EMPTY_ROOM.rows, "map row 1, column 1: the map is empty; an empty room was drawn"
    even_rows = tuple(row.ljust(width, COUNTER) for row in rows)
    for number, row in enumerate(rows, 1):
        if len(row) != width:
            return even_rows, f"map row {number}: shorter than others; filled up with counters to {width} tiles"
    return even_rows, ""


def kitchen_text(draft: Draft, name: str) -> str:
    """Returns the text of a layout file."""
    rest = draft.rest
    timing = Timing.model_validate(rest.get("timing", {}))
    orders = OrderRules.model_validate(rest.get("orders", {}))
    map_text = "\n".join(draft.rows).replace("\\", "\\\\").replace('"', '\\"')
    if draft.extinguisher is None:
        extinguisher = "# extinguisher = [x, y]"
    else:
        x, y = draft.extinguisher
        extinguisher = f"extinguisher = [{x}, {y}]"
    return KITCHEN_TEXT.format(
        name=name,
        map=map_text,
        pass_counters=[list(at) for at in sorted(draft.pass_counters)],
        extinguisher=extinguisher,
        plates=rest.get("plates", Layout.model_fields["plates"].default),
        timing=timing,
        orders=orders,
        active=[list(pair) for pair in orders.active],
        multipliers=list(orders.multipliers),
    )


def named_kitchen(name: str) -> tuple[KitchenFile, Path | None]:
    """Returns the kitchen that `design` names, with its file: a shipped one, that of a file, or an empty room.

    Raises:
        BBAError: there is no such kitchen, or its file cannot be read or, if it is new, cannot be written.
    """
    if name == NEW:
        return KitchenFile(EMPTY_ROOM, NEW), None
    path = Path(name)
    if path.suffix == OVERCOOKED_SUFFIX:
        kitchen = read_kitchen(path)
        return kitchen, own_path(path)
    if path.suffix != KITCHEN_SUFFIX:
        return KitchenFile(Draft.of(Layout.load(name)), name), None
    if path.exists():
        return read_kitchen(path), path
    return KitchenFile(EMPTY_ROOM, writable_path(path).stem), path


def own_path(path: Path) -> Path:
    """Returns where a kitchen that was read from a file is saved: that of a layout of Overcooked-AI elsewhere."""
    if path.suffix == OVERCOOKED_SUFFIX:
        return Path(proposed_name(path) + KITCHEN_SUFFIX)
    return path


def proposed_name(source: Path) -> str:
    """Returns the name of the kitchen that is made of a file: the file's, with _ for characters that no name has."""
    return re.sub(r"[^\w-]+", "_", source.stem)[:LONGEST_NAME] or "imported"


def writable_path(path: Path) -> Path:
    """Returns the path of a layout file that could be written; a name alone gets the suffix.

    Raises:
        BBAError: a name that no kitchen can have, or a file that cannot be written.
    """
    path = path if path.suffix else path.with_suffix(KITCHEN_SUFFIX)
    if path.suffix != KITCHEN_SUFFIX:
        raise BBAError(f"{path}: a kitchen's file ends in {KITCHEN_SUFFIX}")
    try:
        Layout.model_validate(with_sound_map({"name": path.stem}))
    except ValidationError:
        raise BBAError(f"{path.stem}: a kitchen's name has letters, digits, _ and - only, at most 60") from None
    check_writable(path)
    return path


def save_dialog(path: Path | None) -> PathDialog[Path]:
    """Returns a dialog that asks where to save; it begins with `path`."""
    return PathDialog(
        writable_path,
        [],
        title="save the kitchen",
        example=f"mine{KITCHEN_SUFFIX}",
        unnamed="no file is named yet",
        action="Save",
        suffix=KITCHEN_SUFFIX,
        value=str(path or f"mine{KITCHEN_SUFFIX}"),
    )


def open_dialog() -> PathDialog[tuple[Path, KitchenFile]]:
    """Returns a dialog that asks which kitchen to open; it offers the files in the working folder."""
    files = newest_first(Path(), f"*{KITCHEN_SUFFIX}", f"*{OVERCOOKED_SUFFIX}")
    return PathDialog(
        lambda path: (own_path(path), read_kitchen(path)),
        [file.name for file in files],
        title="open a kitchen",
        example=f"mine{KITCHEN_SUFFIX}",
        unnamed="no file is named yet",
        action="Open",
        suffix=KITCHEN_SUFFIX,
    )
