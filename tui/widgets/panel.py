"""The base classes of panels and of widgets that explain terms or follow the mouse; the title line; lines of text."""

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import ClassVar, Self, TypeVar

from rich.cells import cell_len
from textual import events
from textual.content import Content, Span
from textual.geometry import Region, Size
from textual.reactive import reactive
from textual.strip import Strip
from textual.style import Style
from textual.widget import Widget
from textual.widgets import Static

from bba import palette
from bba.analysis import BY_COLOUR, BY_NUMBER, CookNames, cook_names
from bba.analysis.snapshot import Snapshot
from bba.language import LANGUAGE, say
from bba.play import GameConfig
from tui.glossary import explained
from tui.style import KeepsLines

__all__ = [
    "EIGHTHS",
    "Draggable",
    "ExplainedLines",
    "Explaining",
    "Panel",
    "Part",
    "TitleBar",
    "bar",
    "blocks",
    "cook_style",
    "cooks_on",
    "counted",
    "fitting",
    "flowing",
    "line",
    "spread",
    "titled",
]


class Explaining(Widget):
    """A widget whose tooltip explains the terms of the line under the mouse."""

    def words_at(self, row: int) -> str:  # noqa: ARG002 - for widgets whose content has rows
        """Returns the text of a row of the content; of its title above that."""
        return ""

    def words_under(self, event: events.MouseMove) -> str:
        """Returns the text under the mouse."""
        return self.words_at(event.y - self.gutter.top)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Sets the tooltip to what the terms under the mouse mean; to none where there are none."""
        # The glossary is in English.
        meaning = explained(self.words_under(event)) if LANGUAGE.get() == "en" else ""
        if meaning != str(self.tooltip or ""):
            self.tooltip = Content(meaning) if meaning else None


class ExplainedLines(Static, Explaining):
    """Lines of text, none of which is wrapped, with tooltips.

    Args:
        lines: the lines.
    """

    def __init__(self, lines: Iterable[Content]) -> None:
        self._lines = tuple(lines)
        super().__init__(Content("\n").join(self._lines))

    def show_lines(self, lines: Iterable[Content]) -> None:
        """Shows other lines."""
        self._lines = tuple(lines)
        self.update(Content("\n").join(self._lines))

    def words_at(self, row: int) -> str:
        """Returns the text of a line; "" above and below the lines."""
        return self._lines[row].plain if 0 <= row < len(self._lines) else ""


EIGHTHS = " ▏▎▍▌▋▊▉"
Box = TypeVar("Box", bound=Widget)
Part = str | Content | tuple[str, str]
Form = TypeVar("Form", str, Content)


class Panel(Explaining, KeepsLines):
    """A titled box that shows one aspect of a snapshot as lines of text.

    To add one: set `TITLE`, describe it in `ABOUT` (for the help), write `lines`, and in `tui.screens.side_panels` add
    it to `BELIEF_ROWS` or `DOING_ROWS` with its heights, and to `SWITCHED` and `KINDS` with a key in the keymap.
    """

    TITLE: ClassVar[str]
    ABOUT: ClassVar[str]

    snapshot: Snapshot | None = None
    _drawn_for: Size | None = None  # the room that the lines were made for; None if they are to be made again

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id or self.TITLE.replace(" ", "-"))
        self.border_title = say(self.TITLE)
        self._titled = self.border_title
        self._drawn: list[Content] = []

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Shows this step. Only the lines that changed are drawn again: most do not, from step to step."""
        self.snapshot = snapshot
        title = self.title_of(snapshot)
        if title != self._titled:
            self._titled = title
            self.border_title = Content(title)
        old_lines = self._drawn
        new_lines = self._draw()
        if len(old_lines) != len(new_lines):
            self.refresh()
            return
        pairs = zip(old_lines, new_lines, strict=True)
        changed_rows = [row for row, (old, new) in enumerate(pairs) if not old.is_same(new)]
        if changed_rows:
            self.refresh_rows(changed_rows)

    def title_of(self, snapshot: Snapshot) -> str:  # noqa: ARG002 - for panels whose title depends on it
        """Returns the title of the box."""
        return say(self.TITLE)

    @abstractmethod
    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:
        """Yields the panel's lines, made for `width` cells; what is longer is cut off."""

    def words_at(self, row: int) -> str:
        """Returns a line as it is shown; above the first one, the title."""
        if row < 0:
            return self._titled
        return self._drawn[row].plain if row < len(self._drawn) else ""

    def render(self) -> Content:
        """Returns all lines; nothing before the first snapshot."""
        return Content("\n").join(self._draw())

    def render_line(self, y: int) -> Strip:
        """Returns one row of what `render` returns; the others need not be rendered for it."""
        if self._drawn_for != self.content_size:
            self._draw()
        if self.text_selection is not None:
            return super().render_line(y)
        if y >= max(1, len(self._drawn)):
            return Strip.blank(self.size.width, self.visual_style.rich_style)
        row = Strip.join(self.content_pieces(y, self.content_size))
        return row.apply_offsets(0, y)  # to select text by

    def content_pieces(self, row: int, room: Size) -> Sequence[Strip]:
        """Returns one row of what `render` returns, which no text can be selected by."""
        if self.text_selection is not None:
            return super().content_pieces(row, room)
        content = self._drawn[row] if self._drawn else Content("")
        return (_strip_of(content.plain, tuple(content.spans), self.visual_style),)

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        """Redraws as Textual does; all lines are made again unless some of them are named."""
        if not regions:
            self._drawn_for = None
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def _draw(self) -> list[Content]:
        self._drawn_for = self.content_size
        self._drawn = []
        width = self.content_size.width
        if self.snapshot is not None and width > 0:
            lines = self.lines(self.snapshot, width)
            self._drawn = [content.truncate(width, ellipsis=True) for content in lines]
        return self._drawn


def line(*parts: Part) -> Content:
    """Returns a line made from parts: plain text, or pairs of a text and its style."""
    # Contents of the same text are equal whatever their colours: a line made from them cannot be cached.
    if any(isinstance(part, Content) for part in parts):
        return Content.assemble(*parts)
    return _cached_line(*parts)


_cached_line = lru_cache(maxsize=1024)(Content.assemble)


@lru_cache(maxsize=1024)
def _strip_of(text: str, spans: tuple[Span, ...], style: Style) -> Strip:
    """Returns a line of text with its styles, over that of its widget."""
    return Strip(Content(text, list(spans)).render_segments(style), cell_len(text))


def cook_style(seat: int) -> str:
    """Returns the style of the name or number of a cook."""
    return f"bold {palette.COOK_COLOURS[seat]}"


def cooks_on(widget: Widget, config: GameConfig) -> CookNames:
    """Returns what the cooks of a game are called on a screen: by their colours, where it has any and none is a person.

    Args:
        widget: a widget or the screen itself.
        config: the game's settings.
    """
    others = BY_NUMBER if widget.is_attached and widget.app.no_color else BY_COLOUR
    return cook_names(config.agents, others)


def titled(box: Box, title: str, subtitle: str = "") -> Box:
    """Returns a box with a title in its upper border and a subtitle in the lower one."""
    box.border_title = title
    box.border_subtitle = subtitle
    return box


def fitting(width: int, *forms: Form) -> Form:
    """Returns the first of several forms, the longest first, that fits into so many cells; else the last one."""
    for form in forms:
        if cell_len(str(form)) <= width:
            return form
    return forms[-1]


def counted(number: int, noun: str) -> str:
    """Returns a number and what it counts: 1 step, 2 steps."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def flowing(texts: Iterable[Content], separator: Content, width: int) -> list[Content]:
    """Returns texts beside each other, with separators, in lines of at most `width` cells; each text stays whole."""
    lines: list[Content] = []
    for text in texts:
        if not lines:
            lines.append(text)
            continue
        joined = lines[-1] + separator + text
        if joined.cell_length <= width:
            lines[-1] = joined
        else:
            lines.append(text)
    return lines


def spread(left: Content, right: Content, width: int) -> Content:
    """Returns a line with one part to the left and one to the right; the left one is cut where both do not fit."""
    room = max(0, width - right.cell_length)
    return left.truncate(room, ellipsis=True, pad=True) + right


def blocks(share: float, width: int) -> str:
    """Returns the block characters that fill `share` (0 to 1) of `width` cells, in eighths of a cell."""
    eighths = round(min(1.0, max(0.0, share)) * width * 8)
    full, rest = divmod(eighths, 8)
    last_cell = EIGHTHS[rest] if rest else ""
    return "█" * full + last_cell


def bar(share: float, width: int, colour: str, mark: float | None = None) -> Content:
    """Returns a bar of `width` cells, filled to `share` (0 to 1) in eighths of a cell; `mark` (0 to 1) gets a tick."""
    tick = None if mark is None else min(width - 1, int(mark * width))
    return _bar(blocks(share, width), width, colour, tick)


@lru_cache(maxsize=1024)
def _bar(cells: str, width: int, colour: str, tick: int | None) -> Content:
    plain_bar = Content.styled(cells.ljust(width), f"{colour} on {palette.GROUND}")
    if tick is None:
        return plain_bar
    ground = colour if tick < len(cells) else palette.GROUND
    tick_cell = Content.styled("│", f"{palette.TEXT} on {ground}")
    return plain_bar[:tick] + tick_cell + plain_bar[tick + 1 :]


class TitleBar(Explaining, KeepsLines):
    """The game's settings to the left; paused, running or finished to the right."""

    TITLE: ClassVar[str] = "top line"
    ABOUT: ClassVar[str] = (
        "Kitchen, cooks and seed to the left; to the right how fast the game is played. With a language model it also "
        "says whether the world waits for it or goes on in real time, for how long it has been asked, which attempt it "
        "is after one that failed, and what the game has cost so far (~: estimated; unknown: the model has no price)."
    )

    config: reactive[GameConfig | None] = reactive(None)
    status = reactive("")
    past = reactive(False)
    fork = reactive("")

    def show_snapshot(self, snapshot: Snapshot, status: str, *, past: bool = False, fork: str = "") -> None:
        """Shows a game and its state in a word or two; `past` highlights the state, `fork` names the change."""
        self.config = snapshot.config
        self.status = status
        self.past = past
        self.fork = fork

    def words_at(self, row: int) -> str:  # noqa: ARG002 - there is one row
        """Returns the terms for the two agents whose names stand there."""
        return "ego, partner"

    def render(self) -> Content:
        if self.config is None:
            return Content("")
        colours = f"{palette.BACKGROUND} on {palette.WARN}" if self.past else palette.TEXT
        status = line((f" {self.status} ", f"bold {colours}"))
        width = self.size.width
        settings = fitting(width - status.cell_length, *self._settings(self.config))
        return spread(settings, status, width)

    def _settings(self, config: GameConfig) -> tuple[Content, ...]:
        """Returns the game's settings in fewer and fewer words; what matters most stays longest."""
        program = (" bba-tui ", f"bold {palette.GOOD}")
        kitchen = (f" {self.fork or config.layout.name} ", f"bold {palette.TEXT}")
        seed = (f"  {config.seed_label}", palette.DIM)
        ego, partner = zip(config.labels, palette.COOK_COLOURS, strict=True)
        cooks = (" ", ego, (" and ", palette.DIM), partner)
        return (
            line(program, kitchen, *cooks, seed),
            line(kitchen, *cooks, seed),
            line(kitchen, *cooks),
            line(kitchen) if self.fork else line(*cooks),
            line(kitchen) if self.fork else line(" ", ego),
        )


class Draggable(Widget):
    """Calls `follow` when the left button goes down on the widget's content, and for every move until it goes up."""

    _dragging = False

    @abstractmethod
    def follow(self, event: events.MouseEvent) -> None:
        """Takes the position of the mouse, which may be outside the widget."""

    def on_mouse_down(self, event: events.MouseDown) -> None:
        if event.button == 1 and event.get_content_offset(self) is not None:
            self.capture_mouse()
            self._dragging = True
            self.follow(event)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self._dragging:
            self.follow(event)

    def on_mouse_up(self) -> None:
        if self._dragging:
            self._dragging = False
            self.release_mouse()
