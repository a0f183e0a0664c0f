"""Draws only what changed, where Textual draws more.

Textual asks every widget in the smallest rectangle around all changes for its lines, with borders and all, and sends a
changed line from where its widget begins. On a screen that changes in many small places ten times a second, that is
most of its work. Here a widget is asked for the changed cells alone, if it can draw them (`DrawsParts`) and nothing
lies over it; what is left is Textual's to draw, without the widgets that lie outside or behind.
"""

from collections.abc import Iterable, Mapping
from typing import Protocol, runtime_checkable

from rich.console import Console
from rich.control import Control
from textual._compositor import ChopsUpdate, Compositor, CompositorUpdate
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

Part = tuple[int, int, Strip]  # column and row of the screen from which a strip is drawn


@runtime_checkable
class DrawsParts(Protocol):
    """A widget that can draw some cells of its content without the others."""

    def render_part(self, part: Region) -> list[Strip]:
        """Returns the cells of a part of the content, which lies within it, row by row."""


def filtered(widget: Widget, strips: Iterable[Strip]) -> list[Strip]:
    """Returns the strips as a widget's filters leave them, such as the one that takes the colours away."""
    found, background = list(strips), widget.visual_style.background or widget.background_colors[1]
    for one in widget.get_line_filters():
        found = [strip.apply_filter(one, background) for strip in found]
    return found


class PartsUpdate(CompositorUpdate):
    """Parts of the screen, to be sent to the terminal.

    Args:
        parts: what widgets have drawn themselves.
        rest: what Textual has drawn; None for nothing.
    """

    def __init__(self, parts: Iterable[Part], rest: ChopsUpdate | None) -> None:
        self._parts = (*parts, *(_parts_of(rest) if rest else ()))

    def render_segments(self, console: Console) -> str:
        """Returns the parts as text and escape sequences."""
        sent: list[str] = []
        at = -1, -1
        for column, row, strip in self._parts:
            if at != (column, row):
                sent.append(Control.move_to(column, row).segment.text)
            sent.append(strip.render(console))
            at = column + strip.cell_length, row
        return "".join(sent)


def _parts_of(update: ChopsUpdate) -> Iterable[Part]:
    """Yields the changed cells of Textual's pieces of lines."""
    for row, start, stop in update.spans:
        for end, (left, strip) in zip(update.chop_ends[row], update.chops[row].items(), strict=False):
            first, last = max(left, start), min(end, stop)
            if strip is not None and first < last:
                yield first, row, strip.crop(first - left, last - left)


class ExactCompositor(Compositor):
    """Asks only the widgets that can be seen in the changed regions to draw, and only what changed."""

    _changes: tuple[Region, ...] = ()  # the changed regions while Textual draws them; none while it draws all
    _known: Mapping[Widget, tuple[Region, Region]] | None = None  # the layout that `_contents` is of
    _contents: tuple[tuple[Region, DrawsParts], ...] = ()  # the widgets that draw parts, with their content's region

    def render_partial_update(self) -> CompositorUpdate | None:  # type: ignore[override]
        """Returns what changed; None where nothing did."""
        parts, left = list[Part](), set[Region]()
        for change in self._dirty_regions:
            drawn = self._drawn(change)
            if drawn is None:
                left.add(change)
            else:
                parts += drawn
        self._dirty_regions = left
        self._changes = tuple(left)
        try:
            rest = super().render_partial_update()
        finally:
            self._changes = ()
        return PartsUpdate(parts, rest) if parts or rest else None

    def _drawn(self, change: Region) -> list[Part] | None:
        """Returns a changed region as its widget draws it; None if it is not the content of one that can."""
        if self._known is not self.visible_widgets:
            self._known = self.visible_widgets
            self._contents = tuple(_contents(self._known))
        for content, widget in self._contents:
            if content.contains_region(change):
                strips = widget.render_part(change.translate(-content.offset))
                return [(change.x, row, strip) for row, strip in zip(change.line_range, strips, strict=True)]
        return None

    def _get_renders(self, crop: Region | None = None) -> Iterable[tuple[Region, Region, list[Strip]]]:
        """Yields the region of each widget that is to be drawn, the part of it that is, and that part's lines."""
        if not self._changes:
            yield from super()._get_renders(crop)
            return
        uncovered = self._changes
        for widget, (region, clip) in self.visible_widgets.items():
            visible = region.intersection(clip)
            touched = [visible.intersection(change) for change in uncovered if visible.overlaps(change)]
            if touched:
                rows = Region.from_union(touched)
                part = Region(visible.x, rows.y, visible.width, rows.height)
                yield region, part, widget.render_lines(part.translate(-region.offset))
                # Widgets come from front to back: what one covers, those behind it need not draw.
                uncovered = tuple(change for change in uncovered if not visible.contains_region(change))


def _contents(visible: Mapping[Widget, tuple[Region, Region]]) -> Iterable[tuple[Region, DrawsParts]]:
    """Yields the widgets that draw parts and have nothing over them, with the region of their content."""
    over: list[Region] = []
    for widget, (region, clip) in visible.items():
        whole = clip.contains_region(region) and not any(region.overlaps(other) for other in over)
        if whole and isinstance(widget, DrawsParts) and widget.opacity == 1.0:
            yield region.shrink(widget.gutter), widget
        over.append(region.intersection(clip))
