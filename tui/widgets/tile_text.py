"""Text about tiles: letters over tiles too small for drawings, a tile in words, marks for what is ready or burns."""

from collections.abc import Iterable, Iterator

from rich.color import Color
from rich.style import Style

from bba.analysis import Snapshot, names
from bba.kitchen import Layout, ObjectView, Position, Scene, constants
from bba.kitchen.render.painter import Overlays, ThoughtOverlay, TileOutline
from bba.language import marked, say
from bba.palette import DARK
from tui.widgets.panel import fitting, line
from tui.widgets.pixels import Cell, Labels, written

LETTERED = (2, 4, 6)  # tile edges in pixels at which letters lie over the picture
LEAST_DRAWN_EDGE = 4  # from this edge on, lines and frames can be drawn in pixels
NO_LABEL = (" ", Style.null())  # of a cell without one

GHOST = "•"

_GHOST = Style(color=Color.parse(DARK.cooks[0]), dim=True)
CAPTION = Style.parse(f"{DARK.text} on {DARK.panel}")
_ITEM_STYLE = Style.parse("bold #ffffff on #1c2029")
_STATION = Style.parse("#f0dcb8 on #4a3826")
_COOK_STYLES = tuple(Style.parse(f"bold {DARK.background} on {colour}") for colour in DARK.cooks)
_COOKED = {"chopped_steak": "s", "fried_mushroom": "z", "boiled_rice": "r", "tortilla": "t"}
_WHOLE = {
    "meat": "M",
    "mushroom": "Z",
    "rice": "R",
    "tortilla": "T",
    "chopped_meat": "m",
    "chopped_mushroom": "z",
    "dirty_plate": "d",
    "clean_plate": "o",
    "charcoal": "x",
    "fire_ext": "E",
    "steak_burrito": "osrt",
    "mushroom_burrito": "ozrt",
} | _COOKED


def corner_cell(tile: Position, size: int) -> Cell:
    """Returns the cell in the upper left corner of a tile of `size` pixels."""
    x, y = tile
    return x * size, y * size // 2


def centre_cell(tile: Position, size: int) -> Cell:
    """Returns the cell in the middle of a tile of `size` pixels."""
    x, y = tile
    return x * size + size // 2, (y * size + size // 2) // 2


def labels_of(layout: Layout, scene: Scene, size: int) -> Labels:
    """Returns letters over the board for small tiles; none for large ones, or for tiles of a single pixel."""
    if size not in LETTERED:
        return {}
    labels: dict[Cell, tuple[str, Style]] = {}
    cooks = {player.position for player in scene.players}
    for tile, text, style, row_in_tile in _letters(layout, scene):
        column, row = corner_cell(tile, size)
        if size == 2 and row_in_tile == 1 and tile in cooks:
            # What a cook holds stands in the tile's one row, to the right of the cook's number.
            labels |= written(text[:1], column + 1, row, style)
            continue
        if size > 2:
            row += row_in_tile
        indent = max(0, (size - len(text)) // 2)
        labels |= written(text[:size], column + indent, row, style)
    return labels


def overlay_labels(labels: Labels, overlays: Overlays, size: int) -> Labels:
    """Returns the labels with overlays for tiles too small for lines: dots for paths, inverted tiles for frames."""
    if size >= LEAST_DRAWN_EDGE or not overlays:
        return labels
    with_overlays = dict(labels)
    paths: list[tuple[Position, Color]] = []
    frames: list[tuple[Position, Color]] = []
    for tile, tile_overlays in overlays.items():
        for overlay in tile_overlays:
            if isinstance(overlay, ThoughtOverlay):
                continue
            colour = Color.from_rgb(*overlay.colour)
            if isinstance(overlay, TileOutline):
                frames.append((tile, colour))
            else:
                paths.append((tile, colour))
    for tile, colour in paths:
        for cell in _upper_cells(tile, size):
            with_overlays.setdefault(cell, ("·", Style(color=colour)))
    for tile, colour in frames:  # over the paths
        style = Style(color=DARK.background, bgcolor=colour, bold=True)
        for cell in _upper_cells(tile, size):
            char, _ = with_overlays.get(cell, NO_LABEL)
            with_overlays[cell] = char, style
    return with_overlays


def _upper_cells(tile: Position, size: int) -> list[Cell]:
    """Returns the cells in the first row of a tile of `size` pixels; small tiles have no other."""
    first_column, row = corner_cell(tile, size)
    return [(column, row) for column in range(first_column, first_column + size)]


def ghost_labels(tiles: Iterable[Position], scene: Scene, size: int) -> Labels:
    """Returns a dim dot in the middle of each of these tiles on which no cook stands."""
    cooks = {player.position for player in scene.players}
    return {centre_cell(tile, size): (GHOST, _GHOST) for tile in tiles if tile not in cooks}


def _letters(layout: Layout, scene: Scene) -> Iterator[tuple[tuple[int, int], str, Style, int]]:
    """Yields each label's tile, text, style and row within the tile; later ones cover earlier ones."""
    for position, char in layout.tiles():
        if char not in " X12":
            yield position, char, _STATION, 0
    for item in scene.objects:
        row = 0 if item.tile == "counter" else 1
        yield item.position, abbreviation(item.name), _ITEM_STYLE, row
    for seat, player in enumerate(scene.players):
        yield player.position, str(seat + 1), _COOK_STYLES[seat], 0
        if player.held:
            yield player.position, abbreviation(player.held), _ITEM_STYLE, 1


def abbreviation(name: str) -> str:
    """Returns an item in at most four letters: capitals for raw food, small ones for prepared food, o for a plate."""
    if name in _WHOLE:
        return _WHOLE[name]
    parts = name.removesuffix("-plate").split("-")
    return "o" + "".join(_COOKED[part] for part in parts)


COOKS = marked(("cook 1 (ego)", "cook 2 (partner)"))
_TILE_TEXTS = marked(
    {
        " ": "floor",
        "1": "floor",
        "2": "floor",
        "X": "counter",
        "M": "meat",
        "Z": "mushrooms",
        "R": "rice",
        "T": "tortillas",
        "U": "trash",
        "B": "board",
        "G": "grill",
        "P": "pot",
        "W": "sink",
        "D": "plate stack",
        "S": "serving window",
    }
)
_USED = "BGPW"  # stations that are described as empty
# What the key to use something would have needed where it did nothing, by tile; with "+" where an item lies on it, and
# with the state of that item.
_EMPTY_HANDS = marked("this takes empty hands: put down what you hold")
_READY_FOOD = marked("ready food goes on a plate that lacks it; a fire takes the extinguisher")
_COOKING = marked("this is cooking already: wait for it, or take another one")
_NEEDS = marked(
    {
        " ": "turn to a counter or a station: there is nothing to use in front of you",
        "X": "the counter is empty, and so are your hands",
        "M": _EMPTY_HANDS,
        "Z": _EMPTY_HANDS,
        "R": _EMPTY_HANDS,
        "T": "this takes empty hands, or a plate without a tortilla",
        "U": "the trash takes food and charcoal, no empty plate",
        "B": "the board takes raw meat or a mushroom",
        "B+": _EMPTY_HANDS,
        "G": "the grill takes chopped meat or a chopped mushroom",
        "G+": _READY_FOOD,
        "G+cooking": _COOKING,
        "P": "the pot takes rice",
        "P+": _READY_FOOD,
        "P+cooking": _COOKING,
        "W": "the sink takes a dirty plate",
        "W+": _EMPTY_HANDS,
        "D": "this takes empty hands, and a dirty plate that is left",
        "S": "the window takes a plate with a tortilla, rice, and meat or mushroom",
    }
)


def tile_words(layout: Layout, scene: Scene, at: Position, room: int | None = None) -> str:
    """Returns a tile in words, such as "(3,2) grill: meat cooking, 12 of 80, ready in 68".

    Where that is longer than `room` characters, first the position is left out, then the count, the station, and all
    but what comes next; only then the end is cut.
    """
    pieces = _pieces(layout, scene, at)
    text = ", ".join(pieces)
    full = f"({at[0]},{at[1]}) {text}"
    if room is None:
        return full
    forms = [full, text]
    name = pieces[0]
    if len(pieces) == 1:
        forms.append(name)
    else:
        item = name.split(": ")[-1]
        next_change = pieces[-1]
        forms += [f"{name}, {next_change}", f"{item}, {next_change}", next_change]
    return line(fitting(room, *forms)).truncate(room, ellipsis=True).plain


def in_vain(snapshot: Snapshot, seat: int) -> str:
    """Returns what was missing where a person has just used a tile and that did nothing; else ""."""
    tick = snapshot.tick
    if tick is None:
        return ""
    by_hand = tick.skills[seat] == constants.NO_SKILL
    no_effect = tick.state[constants.EVENT + seat] == constants.NO_SKILL
    if not (by_hand and no_effect and tick.actions[seat] == constants.INTERACT):
        return ""
    scene = snapshot.scene
    at = scene.players[seat].ahead
    tile = dict(snapshot.config.layout.tiles()).get(at, " ")
    keys = [tile]
    for item in scene.objects:
        if item.position == at:
            keys = [f"{tile}+{item.state}", f"{tile}+", tile]
            break
    for key in keys:
        if key in _NEEDS:
            return say(_NEEDS[key])
    return say(_NEEDS[" "])


def tile_name(layout: Layout, at: Position) -> str:
    """Returns what kind of tile is at a place, such as "grill"."""
    if at in layout.pass_counters:
        return say("pass counter")
    x, y = at
    return say(_TILE_TEXTS[layout.rows[y][x]])


def _pieces(layout: Layout, scene: Scene, at: Position) -> tuple[str, ...]:
    """Returns a tile in words: its name and what it holds, its count if there is one, then what comes next."""
    for cook, player in zip(COOKS, scene.players, strict=True):
        if player.position == at:
            if player.held:
                return say(cook), say("holds {thing}", thing=names.item(player.held))
            return say(cook), say("empty hand")
    x, y = at
    char = layout.rows[y][x]
    tile = tile_name(layout, at)
    if char == "D":
        return (f"{tile}: {_dirty_plates(scene.dirty_plates)}",)
    for item in scene.objects:
        if item.position == at:
            name, *details = item_pieces(layout, item)
            return f"{tile}: {name}", *details
    return (f"{tile}: {say('empty')}" if char in _USED else tile,)


def _dirty_plates(number: int) -> str:
    if number == 0:
        return say("no dirty plates")
    if number == 1:
        return say("1 dirty plate")
    return say("{number} dirty plates", number=number)


def item_pieces(layout: Layout, item: ObjectView) -> tuple[str, ...]:
    """Returns what lies on a tile, then its count if there is one, then what comes next."""
    name = names.item(item.name)
    timing = layout.timing
    steps_to_fire = timing.cooking + timing.ready + timing.warning - item.progress
    burns = say("burns in {steps}", steps=steps_to_fire)
    match item.state:
        case "unready":
            raw = names.item(item.name.removeprefix("chopped_"))
            return raw, say("{done} of {total} chops", done=item.progress, total=item.total)
        case "unrinsed":
            return name, say("{done} of {total} rinses", done=item.progress, total=item.total)
        case "cooking":
            raw = names.item("meat") if item.name == "chopped_steak" else name
            return (
                say("{thing} cooking", thing=raw),
                say("{done} of {total}", done=item.progress, total=item.total),
                say("ready in {steps}", steps=item.total - item.progress),
            )
        case "ready" if item.tile != "board":
            return say("{thing} ready", thing=name), burns
        case "warning":
            return say("{thing} about to burn", thing=name), burns
        case "burning":
            return (say("{thing} on fire", thing=name),)
    return (name,)


LEAST_MARK_EDGE = 2  # from this tile edge in pixels on, a mark has a cell of its own


def _mark_style(colour: str) -> Style:
    return Style.parse(f"bold {DARK.background} on {colour}")


# Signs and their styles, by the state of an item. Fire has the sign that it has on the timeline.
ITEM_MARKS = {
    "ready": ("✓", _mark_style(DARK.good)),
    "warning": ("!", _mark_style(DARK.warn)),
    "burning": ("✶", _mark_style(DARK.bad)),
}


def mark_labels(scene: Scene, size: int) -> Labels:
    """Returns a mark in the upper right corner of each tile whose item is ready, about to burn or on fire."""
    if size < LEAST_MARK_EDGE:
        return {}
    labels = {}
    for item in scene.objects:
        if item.state in ITEM_MARKS:
            column, row = corner_cell(item.position, size)
            labels[column + size - 1, row] = ITEM_MARKS[item.state]
    return labels


def cook_labels(scene: Scene, size: int) -> Labels:
    """Returns the number of each cook in the upper left corner of its tile."""
    labels = {}
    for seat, player in enumerate(scene.players):
        cell = corner_cell(player.position, size)
        labels[cell] = str(seat + 1), _COOK_STYLES[seat]
    return labels
