"""The panel "kitchen": the board, as large as it fits, and what its picture is made from.

Deliveries, lost orders and fires are made seen on it: points float up, its border lights up, the bell rings.
"""

from asyncio import TimerHandle, get_running_loop
from collections.abc import Iterator
from typing import ClassVar, Literal, NamedTuple

import numpy as np
from rich.color import Color
from rich.style import Style
from textual import events
from textual.geometry import Size, clamp
from textual.reactive import var
from textual.timer import Timer
from textual.widget import Widget

from bba import palette
from bba.analysis import Snapshot, caption_at, likeliest_role
from bba.kitchen import Kitchen, Layout, Position, Scene, Skill, constants
from bba.kitchen.constants import EAST, NORTH, SOUTH, WEST
from bba.kitchen.render.painter import (
    STILL,
    Offsets,
    Overlay,
    Overlays,
    Painter,
    ThoughtOverlay,
    TileOutline,
    path_overlays,
)
from bba.language import marked, say
from tui.style import motion_of
from tui.widgets.panel import cooks_on
from tui.widgets.pixels import Labels, PixelCanvas, RGBImage, written
from tui.widgets.tile_text import (
    CAPTION,
    LETTERED,
    cook_labels,
    ghost_labels,
    labels_of,
    mark_labels,
    overlay_labels,
    tile_words,
)

SIZES = (24, 16, 12, 8, 6, 4, 2, 1)  # tile edges in pixels, best first: even, so that no cell has two tiles
BARE = " X12"  # tiles on which there is nothing to see
CURSOR = (255, 255, 255)  # colour of its frame, RGB
TARGET = (255, 214, 64)  # colour of the frame of the tile to go to, RGB


def tile_size(layout: Layout, room: Size) -> int:
    """Returns the largest tile edge in pixels at which the whole board fits into `room` cells; at least 1."""
    for size in SIZES:
        board = picture_size(layout, size)
        if board.width <= room.width and board.height <= room.height:
            return size
    return SIZES[-1]


def picture_size(layout: Layout, tile: int) -> Size:
    """Returns the size in cells of the board with tiles of so many pixels."""
    return Size(layout.width * tile, (layout.height * tile + 1) // 2)


def overlays_of(
    snapshot: Snapshot,
    plan: bool,
    pointed: Position | None,
    target: Position | None = None,
    thought: tuple[Position, ThoughtOverlay] | None = None,
) -> Overlays:
    """Returns the planned paths if `plan`, then a bubble, then the frames of the tiles to go to and pointed at."""
    overlays: dict[Position, tuple[Overlay, ...]] = {}

    def add(tile: Position, overlay: Overlay) -> None:
        overlays[tile] = (*overlays.get(tile, ()), overlay)

    if plan:
        for seat, route in enumerate(snapshot.routes):
            if route is None:
                continue
            colour = palette.rgb(palette.DARK.cooks[seat])
            for tile, overlay in path_overlays(seat, route, colour).items():
                add(tile, overlay)
    if thought is not None:
        add(*thought)
    if target is not None:
        add(target, TileOutline(TARGET))
    if pointed is not None:
        add(pointed, TileOutline(CURSOR))
    return overlays


SMALL_PICTURES: tuple[tuple[str, ...], ...] = (
    ("held/meat",),
    ("held/rice",),
    ("held/dirty_plate",),
    ("held/clean_plate", "held/on_tortilla", "held/on_chopped_steak"),
    ("held/steak_burrito",),
    ("held/pass",),
)  # of the work of each role
THOUGHTS = ("meat", "rice", "wash", "wrap", "serve", "pass")  # the same in a word, for tiles too small for pictures
LEAST_PICTURE = 8  # edge in pixels of a tile from which a bubble has a picture
BUBBLE_PLACES = ((0, -1, SOUTH), (1, 0, WEST), (-1, 0, EAST), (0, 1, NORTH))  # beside the cook, and where its tail is


def thought_of(snapshot: Snapshot) -> int | None:
    """Returns the role that the ego believes in; None for an ego without a belief, and before the first step."""
    state = snapshot.belief_state
    return None if state is None or state.observer else likeliest_role(state.belief)


def bubble(layout: Layout, scene: Scene, role: int) -> tuple[Position, ThoughtOverlay] | None:
    """Returns the ego's thought of a role, and the tile beside the ego where it hides nothing; None for none."""
    ego, partner = scene.players
    taken = {partner.position, ego.ahead, *(item.position for item in scene.objects)}
    x, y = ego.position
    for right, down, tail in BUBBLE_PLACES:
        tile = (x + right, y + down)
        inside = 0 <= tile[0] < layout.width and 0 <= tile[1] < layout.height
        if inside and tile not in taken and layout.char(tile) in BARE:
            return tile, ThoughtOverlay(SMALL_PICTURES[role], tail)
    return None


def half_way(previous: Scene, scene: Scene, size: int) -> Offsets:
    """Returns the offsets of cooks that have just moved by one tile; none after a jump in time."""
    if scene.step != previous.step + 1:
        return STILL
    half = size // 2
    first, second = (
        _way_back(old.position, new.position, half) for old, new in zip(previous.players, scene.players, strict=True)
    )
    return first, second


def _way_back(old: Position, new: Position, half: int) -> tuple[int, int]:
    """Returns half a tile towards the old position in pixels, where that is beside the new one; else no offset."""
    x = old[0] - new[0]
    y = old[1] - new[1]
    if abs(x) + abs(y) != 1:
        return (0, 0)
    return x * half, y * half


LARGEST_TILE = 24  # pixels a tile edge


class LayoutPicture(PixelCanvas):
    """Draws a kitchen as large as it fits; a still picture, which may use tile sizes that the moving one does not."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._kitchen: tuple[Layout, Scene] | None = None

    def show_layout(self, layout: Layout) -> None:
        """Shows a layout before the first step."""
        scene = Kitchen(layout, fast=False).scene()
        subtitle = f"{layout.width}x{layout.height} tiles"
        self.show_scene(layout, scene, f"kitchen: {layout.name}", subtitle)

    def show_scene(self, layout: Layout, scene: Scene, title: str, subtitle: str) -> None:
        """Shows a kitchen as it is in a scene."""
        self._kitchen = layout, scene
        self.border_title = title
        self.border_subtitle = subtitle
        self._paint()

    def show_nothing(self) -> None:
        """Shows an empty box."""
        self._kitchen = None
        self.border_title = ""
        self.border_subtitle = ""
        self.show(np.zeros((0, 0, 3), np.uint8))

    def _paint(self) -> None:
        room = self.content_size
        if self._kitchen is None or not room.area:
            return
        layout, scene = self._kitchen
        fitting_size = min(room.width // layout.width, 2 * room.height // layout.height)
        size = max(1, min(LARGEST_TILE, fitting_size))
        painter = Painter(layout.rows, size, layout.pass_counters)
        self.show(painter.paint(scene), labels_of(layout, scene, size))


FLICKER_SECONDS = 0.3  # seconds for which a frame of fire and smoke is shown
CORNER_CELLS = 4  # cells at the ends of the lower border, a space each included, that text does not use


class KitchenView(PixelCanvas):
    """Draws the board of one layout; cooks slide half a tile when they move, fire flickers while the clock runs.

    A tile can be pointed at with the mouse, or with a cursor that keys move: it gets a frame, and the lower border of
    the panel describes it.

    Args:
        layout: the layout.
        above: what is shown above the middle of the board, such as a countdown.
        id: the widget's id.
        explains: whether the border says why the ego does what it does, if its planner knows.
    """

    TITLE: ClassVar[str] = marked("kitchen")
    ABOUT: ClassVar[str] = (
        "The board. On a small terminal letters stand on the tiles: stations as in the layout files, M Z R T for "
        "raw food, small letters for prepared food, o and letters for a plate, d for a dirty one, x charcoal, E "
        "the extinguisher. ✓ is ready, ! about to burn, ✶ on fire. The plan is a line from each cook to the "
        "target of its skill. The mouse or the cursor names a tile; else the lower border says why the rollout "
        "planner chose the ego's skill. Dots are the ghost path: where the ego goes in the likeliest future, if "
        "its partner does what it believes."
    )

    plan: var[bool] = var(False, init=False)  # whether the planned paths of the cooks are shown
    ghost: var[tuple[Position, ...]] = var((), init=False)  # the tiles with dots
    target: var[Position | None] = var(None, init=False)  # the tile to go to, which has a frame
    pointed: var[Position | None] = var(None, init=False)  # the tile under the mouse or the cursor
    thinks: var[bool] = var(False, init=False)  # whether a bubble shows what the ego believes of its partner
    written: var[Labels] = var({}, init=False)  # characters over cells of the picture, by column and row

    def __init__(self, layout: Layout, *above: Widget, id: str | None = None, explains: bool = False) -> None:
        super().__init__(*above, id=id or self.TITLE)
        self.border_title = f"{say(self.TITLE)}: {say(layout.name)}"
        self.cursor = False
        self._explains = explains
        self._layout = layout
        self._painter = self._painter_of(SIZES[-1])
        self._snapshot: Snapshot | None = None
        self._buffer: RGBImage | None = None
        self._drawn: tuple[Scene, Overlays, Offsets] | None = None
        self._offsets = STILL
        self._frame = 0
        self._settling: TimerHandle | None = None
        self._flickers = False
        self._flicker: Timer | None = None  # from its mounting on, which may come after the screen's

    def on_mount(self) -> None:
        self._flicker = self.set_interval(FLICKER_SECONDS, self._next_frame, pause=not self._flickers)

    def fit(self, room: Size) -> Size:
        """Uses the largest tiles that fit into `room` cells; returns the picture's size in cells."""
        size = tile_size(self._layout, room)
        self.use_tiles(size)
        return picture_size(self._layout, size)

    def use_tiles(self, size: int) -> None:
        """Draws tiles of `size` pixels from now on."""
        if size != self._painter.size:
            self._painter = self._painter_of(size)
            self._buffer = None
            self._arrive()

    def show_snapshot(self, snapshot: Snapshot, slide: float = 0.0) -> None:
        """Shows a step. A cook that moved by one tile is drawn half way first, and arrives after `slide` seconds."""
        previous = self._snapshot
        self._snapshot = snapshot
        offsets = STILL
        if slide and previous is not None and motion_of(self.app):
            offsets = half_way(previous.scene, snapshot.scene, self._painter.size)
        self._arrive(offsets)
        if self._offsets != STILL:
            # As Textual's `set_timer` does, without a task and a look at the signature at every move.
            self._settling = get_running_loop().call_later(slide, self.call_next, self._arrive)

    def play(self, playing: bool) -> None:
        """Starts or stops the flicker of fire."""
        self._flickers = playing
        if self._flicker is None:
            return
        if playing:
            self._flicker.resume()
        else:
            self._flicker.pause()

    def cell_of(self, tile: Position, length: int) -> tuple[int, int]:
        """Returns the cell at which a text of so many characters begins to lie over the middle of a tile."""
        size = self._painter.size
        x, y = tile
        column = x * size + (size - length) // 2
        last_column = max(0, self._layout.width * size - length)
        row = (y * size + size // 2) // 2
        return clamp(column, 0, last_column), row

    # --- pointing things out -----------------------------------------------------------------------------------
    def toggle_cursor(self) -> None:
        """Turns the cursor on, at the tile under the mouse or else at the first cook, or off."""
        self.cursor = not self.cursor
        if not self.cursor:
            self.pointed = None
        elif self.pointed is None:
            self.pointed = self._snapshot.scene.players[0].position if self._snapshot else (0, 0)

    def move_cursor(self, right: int, down: int) -> None:
        """Moves the cursor by so many tiles, within the board."""
        if self.pointed is None:
            return
        x, y = self.pointed
        x = clamp(x + right, 0, self._layout.width - 1)
        y = clamp(y + down, 0, self._layout.height - 1)
        self.pointed = x, y

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Points at the tile under the mouse; the cursor follows."""
        tile = None
        offset = event.get_content_offset(self)
        if offset is not None:
            cell = offset - self.origin
            tile = self._tile_at(cell.x, cell.y)
        if tile is not None or not self.cursor:
            self.pointed = tile

    def on_leave(self, event: events.Leave) -> None:
        """Points at nothing when the mouse has left; a cursor stays."""
        if event.node is self and not self.cursor:
            self.pointed = None

    def _tile_at(self, column: int, row: int) -> Position | None:
        x = column // self._painter.size
        y = 2 * row // self._painter.size
        inside = 0 <= x < self._layout.width and 0 <= y < self._layout.height
        return (x, y) if inside else None

    # --- painting ----------------------------------------------------------------------------------------------
    def _painter_of(self, size: int) -> Painter:
        return Painter(self._layout.rows, size, self._layout.pass_counters)

    def _next_frame(self) -> None:
        self._frame = 1 - self._frame if motion_of(self.app) else 0
        if self._snapshot is None or self._settling is not None:
            return
        if any(item.state in ("warning", "burning") for item in self._snapshot.scene.objects):
            self._paint()

    def _arrive(self, offsets: Offsets = STILL) -> None:
        """Draws the cooks at an offset from their tiles, and ends a slide that is under way."""
        if self._settling is not None:
            self._settling.cancel()
            self._settling = None
        self._offsets = offsets
        self._paint()

    def _paint(self) -> None:
        if self._snapshot is None:
            return
        scene = self._snapshot.scene
        role = thought_of(self._snapshot) if self.thinks else None
        thought = None
        words: Labels = {}
        if role is not None and self._painter.size >= LEAST_PICTURE:
            thought = bubble(self._layout, scene, role)
        elif role is not None:
            words = self._thought_in_words(scene, role)
        overlays = overlays_of(self._snapshot, self.plan, self.pointed, self.target, thought)
        letters = self._letters(scene, overlays)
        labels = {**letters, **words, **self._write_caption(self._snapshot), **self.written}
        if self._buffer is None or self._drawn is None:
            self._buffer = self._painter.paint(scene, self._frame, self._offsets, overlays)
        else:
            old_scene, old_overlays, old_offsets = self._drawn
            self._painter.update(
                self._buffer, old_scene, scene, self._frame, self._offsets, overlays, old_overlays, old_offsets
            )
        self._drawn = scene, overlays, self._offsets
        self.show(self._buffer, labels)

    def _letters(self, scene: Scene, overlays: Overlays) -> Labels:
        size = self._painter.size
        letters = overlay_labels(labels_of(self._layout, scene, size), overlays, size)
        labels = {**ghost_labels(self.ghost, scene, size), **letters, **mark_labels(scene, size)}
        if self.app.no_color and size > max(LETTERED):
            labels |= cook_labels(scene, size)
        return labels

    def _thought_in_words(self, scene: Scene, role: int) -> Labels:
        """Returns the ego's thought in a word above it, or below it where it works above."""
        if self._painter.size not in LETTERED:
            return {}
        ego = scene.players[0]
        text = f"{THOUGHTS[role]}?"
        column, _ = self.cell_of(ego.position, len(text))
        top = ego.position[1] * self._painter.size // 2
        above = ego.facing != "north" and top > 0
        row = top - 1 if above else top + self._painter.size // 2
        style = Style(
            color=Color.parse(palette.DARK.background), bgcolor=Color.parse(palette.DARK.roles[role]), bold=True
        )
        return written(text, column, row, style)

    watch_plan = _paint
    watch_thinks = _paint
    watch_ghost = _paint
    watch_target = _paint
    watch_pointed = _paint
    watch_written = _paint

    def _write_caption(self, snapshot: Snapshot) -> Labels:
        """Describes the tile that is pointed at in the lower border; without a border, returns labels over the board.

        They lie over the last row, or over the first one if the tile itself is in the last. If no tile is pointed at,
        the border says why the ego does what it does, if the view `explains`.
        """
        framed = self.gutter.bottom > 0
        width = self._layout.width * self._painter.size
        room = self.content_size.width - CORNER_CELLS if framed else width
        tile = self.pointed
        if tile is not None:
            text = tile_words(self._layout, snapshot.scene, tile, room)
        else:
            text = caption_at(snapshot, room, cooks_on(self, snapshot.config)) if self._explains else ""
        self.subtitle = text if framed else ""
        if framed or tile is None:
            return {}
        last_row = (self._layout.height * self._painter.size + 1) // 2 - 1
        row = 0 if tile[1] + 1 == self._layout.height else last_row
        return written(text[:width].center(width), 0, row, CAPTION)


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
    previous_scene = snapshot.trace.scene(snapshot.step - 1)
    for event in tick.events:
        if event.skill == Skill.GO_TO_SERVE_DISH:
            yield Happening("delivery", previous_scene.players[event.player].ahead, tick.reward)
    previous_state = snapshot.trace.state(snapshot.step - 1)
    if tick.state[constants.EXPIRED] > previous_state[constants.EXPIRED]:
        yield Happening("lost")
    old_fires = {item.position for item in previous_scene.objects if item.state == "burning"}
    for item in snapshot.scene.objects:
        if item.state == "burning" and item.position not in old_fires:
            yield Happening("fire", item.position)


FRAME = 0.2  # seconds of a frame of a celebration
FRAMES = 8
RISE = 4  # rows that the text rises
PULSES = (0, 1, 3, 4, 6, 7)  # frames in which the border is lit, where things move


# How each kind is shown: the text over its tile, and the colour of that; the kitchen's border has the kind as a class.
CELEBRATED: dict[Kind, tuple[str, str]] = {
    "delivery": ("+{points}", palette.DARK.good),
    "lost": ("", palette.DARK.bad),
    "fire": (marked("FIRE"), palette.DARK.bad),
}
BORDERS = tuple(f"-{kind}" for kind in CELEBRATED)


class Celebrations:
    """Shows what happens on a kitchen for a moment; a later happening takes the place of an earlier one.

    Args:
        kitchen: the board.
        motion: whether texts rise and borders pulse; otherwise both stand still as long.
        bell: whether the terminal's bell rings.
    """

    def __init__(self, kitchen: KitchenView, *, motion: bool, bell: bool) -> None:
        self._kitchen = kitchen
        self._motion = motion
        self._bell = bell
        self._timer: Timer | None = None
        self._frame = 0

    def begin(self, happening: Happening) -> None:
        """Shows a happening, in the place of the one that is shown."""
        if self._timer is not None:
            self._timer.stop()
        self._frame = 0
        self._kitchen.remove_class(*BORDERS)
        self._draw(happening)
        self._timer = self._kitchen.set_interval(FRAME, lambda: self._draw(happening), repeat=FRAMES)
        if self._bell:
            self._kitchen.app.bell()

    def _draw(self, happening: Happening) -> None:
        running = self._frame < FRAMES
        lit = running and (not self._motion or self._frame in PULSES)
        self._kitchen.set_class(lit, f"-{happening.kind}")
        self._kitchen.written = self._text(happening) if running else {}
        self._frame += 1

    def _text(self, happening: Happening) -> Labels:
        if happening.tile is None:
            return {}
        template, colour = CELEBRATED[happening.kind]
        text = say(template, points=happening.points)
        column, row = self._kitchen.cell_of(happening.tile, len(text))
        if self._motion:
            row += max(0, RISE - self._frame)
        style = Style(color=Color.parse(palette.DARK.background), bgcolor=Color.parse(colour), bold=True)
        return written(text, column, row, style)
