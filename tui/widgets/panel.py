"""The ground that all panels stand on."""

from collections.abc import Iterable
from typing import ClassVar

from textual.content import Content
from textual.geometry import Region
from textual.widget import Widget

from bba import palette
from bba.analysis.snapshot import Snapshot

EIGHTHS = " ▏▎▍▌▋▊▉"
Part = str | Content | tuple[str, str]


class Panel(Widget):
    """A titled box that shows one side of a moment as lines of text.

    To add one: name it in `TITLE`, say in `ABOUT` what it shows (for the help), write `lines`, add it to the screen's
    `PANELS` and give it a height in the style sheet.
    """

    TITLE: ClassVar[str]
    ABOUT: ClassVar[str]

    snapshot: Snapshot | None = None

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id or self.TITLE)
        self.border_title = self.TITLE
        self._titled = self.TITLE
        self._drawn: list[Content] = []

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show this moment from now on. Only the lines that change are drawn again: most do not, from step to step."""
        self.snapshot = snapshot
        title = self.title_of(snapshot)
        if title != self._titled:
            self._titled = title
            self.border_title = Content(title)
        before, self._drawn = self._drawn, self._fitting()
        if len(before) != len(self._drawn):
            self.refresh()
            return
        width = self.content_size.width
        changed = [
            Region(0, row, width, 1)
            for row, (old, new) in enumerate(zip(before, self._drawn, strict=True))
            if not old.is_same(new)
        ]
        if changed:
            self.refresh(*changed)

    def title_of(self, snapshot: Snapshot) -> str:  # noqa: ARG002 - for those whose title depends on it
        """The title of the box."""
        return self.TITLE

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:
        """The panel's lines, at most `width` cells each."""
        raise NotImplementedError

    def render(self) -> Content:
        """All lines; nothing before the first moment."""
        self._drawn = self._fitting()
        return Content("\n").join(self._drawn)

    def _fitting(self) -> list[Content]:
        width = self.content_size.width
        lines = self.lines(self.snapshot, width) if self.snapshot is not None and width > 0 else ()
        return [line.truncate(width, ellipsis=True) for line in lines]


def line(*parts: Part) -> Content:
    """A line from pieces: plain text, or pairs of a text and its style."""
    return Content.assemble(*parts)


def spread(left: Content, right: Content, width: int) -> Content:
    """One piece to the left, one to the right; the left one gives way where both do not fit."""
    room = max(0, width - right.cell_length)
    return left.truncate(room, ellipsis=True, pad=True) + right


def bar(share: float, width: int, colour: str, mark: float | None = None) -> Content:
    """A bar over `width` cells, `share` (0 to 1) of it filled to an eighth of a cell, with a mark at a share."""
    eighths = round(min(1.0, max(0.0, share)) * width * 8)
    cells = "█" * (eighths // 8) + (EIGHTHS[eighths % 8] if eighths % 8 else "")
    drawn = Content.styled(cells.ljust(width), f"{colour} on {palette.GROUND}")
    if mark is None:
        return drawn
    at = min(width - 1, int(mark * width))
    under = colour if at < len(cells) else palette.GROUND
    return drawn[:at] + Content.styled("│", f"{palette.TEXT} on {under}") + drawn[at + 1 :]
