"""Small dialogs over a screen, and what screens ask the app for: the requests that lead from one screen to the next.

A screen names itself in its request, so that the app can drop one that comes too late: a key may be pressed twice
before the first request has led to another screen.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Button, Input, OptionList, Static
from textual.widgets.option_list import Option

from bba.analysis.snapshot import Snapshot
from bba.errors import BBAError
from bba.kitchen import Layout
from bba.play import Trace
from bba.terminal_text import visible, visible_line
from human.keymap import ANSWER_KEYS, DIALOG_KEYS
from tui.game_factory import SessionRequest, recorded_source
from tui.playback.source import PlaybackSource
from tui.style import Layer, bindings
from tui.widgets import PathInput, titled

# With what requests carry, and what a path that cannot be opened raises.
__all__ = [
    "CALM",
    "LONGEST_NOTE",
    "RECORDING",
    "Bookmark",
    "BookmarkDialog",
    "ConfirmDialog",
    "DebriefRequested",
    "DesignRequested",
    "Dialog",
    "ExportRequested",
    "KitchenSaved",
    "NavigationRequested",
    "PathDialog",
    "PlayRequested",
    "RecordingsRequested",
    "Request",
    "ReviewRequested",
    "ViewChosen",
    "WatchRequested",
    "newest_first",
    "recording_dialog",
]

CALM = 0.8  # seconds in which what comes by itself takes no key: it was meant for the game
RECORDING = ".bba"  # the suffix of recordings

Answer = TypeVar("Answer")


class ConfirmDialog(Layer[bool]):
    """Asks a question with two answers; escape means no, and y and n are the answers, too.

    Args:
        text: the question.
        yes, no: labels of the buttons.
        careful: whether the answer is no at first, for what cannot be undone.
        asked_for: whether a key asked for the question; one that comes by itself first lets keys of the game pass.
        instead: what can be done in the place of an answer: the label of its button, and what it does after a no.
    """

    SITUATION = "in a dialog"

    BINDINGS = bindings((*DIALOG_KEYS, *ANSWER_KEYS), priority=False)
    AUTO_FOCUS = ""

    def __init__(
        self,
        text: str,
        *,
        yes: str,
        no: str,
        careful: bool = True,
        asked_for: bool = True,
        instead: tuple[str, Callable[[], object]] | None = None,
    ) -> None:
        super().__init__()
        self._text = text
        self._yes = yes
        self._no = no
        self._careful = careful
        self._asked_for = asked_for
        self._instead = instead

    @property
    def text(self) -> str:
        """The question."""
        return self._text

    @property
    def labels(self) -> dict[str, str]:
        """The labels of the buttons by their ids, from the left."""
        labels = {"yes": self._yes, "no": self._no}
        if self._instead is not None:
            labels = {"instead": self._instead[0], **labels}
        return labels

    def compose(self) -> ComposeResult:
        with Vertical(id="question"):
            yield Static(self._text, markup=False)
            with Horizontal(id="buttons"):
                for name, label in self.labels.items():
                    yield Button(label, id=name)

    def on_mount(self) -> None:
        """Puts the focus on the answer that enter gives, at once or after a moment."""
        first = self.query_one("#no" if self._careful else "#yes")
        if self._asked_for:
            first.focus()
        else:
            self.set_timer(CALM, first.focus)

    def action_answer(self, yes: bool) -> None:
        """Answers, once the question takes keys."""
        if self.focused is not None:
            self.dismiss(yes)

    @on(Button.Pressed)
    def answer(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "yes")
        if self._instead is not None and event.button.id == "instead":
            self.app.call_later(self._instead[1])  # not by this dialog, which is gone when a next one answers


class Dialog(Layer[Answer | None], Generic[Answer]):
    """A box over the screen; escape and the button "Cancel" close it without an answer."""

    SITUATION = "in a dialog"

    BINDINGS = bindings(DIALOG_KEYS, priority=False)

    @on(Button.Pressed, "#cancel")
    def close(self) -> None:
        self.dismiss(None)


class PathDialog(Dialog[Answer]):
    """Asks for a path until what is there can be opened, or until the dialog is closed.

    Args:
        opener: returns what is at a path; it raises BBAError where that cannot be opened. Takes what `read` returns.
        offered: paths to choose from, or each with a short description.
        title: title of the dialog.
        example: what the empty field shows.
        unnamed: the message while the field is empty.
        action: label of the button that opens.
        suffix: the end of the names of files that tab completes; None for folders.
        value: the path at first.
        read: makes of the text what is opened.
    """

    AUTO_FOCUS = "Input"

    def __init__(
        self,
        opener: Callable[[Any], Answer],
        offered: Sequence[str] | Mapping[str, str],
        *,
        title: str,
        example: str,
        unnamed: str,
        action: str,
        suffix: str | None,
        value: str = "",
        read: Callable[[str], object] = lambda text: Path(text).expanduser(),
    ) -> None:
        super().__init__()
        self._opener = opener
        self._offered = offered
        self._suffix = suffix
        self._value = value
        self._read = read
        self._title = title
        self._example = example
        self._unnamed = unnamed
        self._action = action

    def compose(self) -> ComposeResult:
        with titled(Vertical(id="path"), self._title, "tab completes, esc closes"):
            yield PathInput(self._example, self._suffix, self._value)
            yield Static(classes="problem", markup=False)
            if self._offered:
                yield OptionList(*self._options(), id="here", markup=False)
            with Horizontal(id="buttons"):
                yield Button(self._action, id="open", variant="success")
                yield Button("Cancel", id="cancel")

    def _options(self) -> Iterator[Option]:
        """Yields the paths that are offered, each with its description in a column of its own."""
        if isinstance(self._offered, Mapping):
            descriptions = self._offered
        else:
            descriptions = dict.fromkeys(self._offered, "")
        cells = max(len(path) for path in descriptions)
        for path, description in descriptions.items():
            text = f"{visible_line(path):{cells}}  {description}"
            yield Option(text.rstrip(), id=path)

    @on(OptionList.OptionSelected)
    def open_offered(self, event: OptionList.OptionSelected) -> None:
        self.query_one(Input).value = event.option.id or ""
        self.open_path()

    @on(Input.Submitted)
    @on(Button.Pressed, "#open")
    def open_path(self) -> None:
        text = self.query_one(Input).value.strip()
        try:
            if not text:
                raise BBAError(self._unnamed)
            answer = self._opener(self._read(text))
        except (BBAError, RuntimeError, ValueError) as error:  # of a user that does not exist, the home; or a quotation
            self.query_one(".problem", Static).update(visible(error))
        else:
            self.dismiss(answer)


def recording_dialog() -> PathDialog[PlaybackSource]:
    """Returns a dialog that asks for a recording; it offers those in the working folder."""
    recordings = newest_first(Path(), f"*{RECORDING}")
    return PathDialog(
        recorded_source,
        [file.name for file in recordings],
        title="watch a recording",
        example=f"path of a recording, such as game{RECORDING}",
        unnamed="no file is named yet",
        action="Watch",
        suffix=RECORDING,
    )


def newest_first(folder: Path, *patterns: str) -> list[Path]:
    """Returns the files that match a pattern, newest first; none where the folder cannot be read."""
    dated: list[tuple[float, Path]] = []
    try:
        for pattern in patterns:
            for file in folder.glob(pattern):
                if file.is_file():
                    dated.append((file.stat().st_mtime, file))
    except OSError:
        return []
    dated.sort(reverse=True)
    return [file for _, file in dated]


LONGEST_NOTE = 200  # characters of a note


class Bookmark(NamedTuple):
    """What is to become of a bookmark: its note, a line of text; None to delete it."""

    note: str | None


class BookmarkDialog(Dialog[Bookmark]):
    """Asks for the note of a bookmark; enter keeps it.

    Args:
        title: what it is a note on.
        note: the note that is there already; None where the step has no bookmark.
    """

    AUTO_FOCUS = "Input"

    def __init__(self, title: str, note: str | None) -> None:
        super().__init__()
        self._title = title
        self._note = note

    def compose(self) -> ComposeResult:
        with titled(Vertical(id="bookmark"), self._title, "enter keeps it   esc closes"):
            yield Input(self._note or "", placeholder="a note, or nothing", max_length=LONGEST_NOTE)
            with Horizontal(id="buttons"):
                yield Button("Keep", id="keep", variant="success")
                if self._note is not None:
                    yield Button("Delete", id="delete")
                yield Button("Cancel", id="cancel")

    @on(Button.Pressed, "#keep")
    @on(Input.Submitted)
    def keep(self) -> None:
        """Answers with the note, as a single line of printable text."""
        text = self.query_one(Input).value
        printable = "".join(char if char.isprintable() else " " for char in text)
        note = " ".join(printable.split())
        self.dismiss(Bookmark(note))

    @on(Button.Pressed, "#delete")
    def delete(self) -> None:
        self.dismiss(Bookmark(None))


@dataclass
class Request(Message):
    """A screen asks for what only the app can do.

    Attributes:
        screen: the screen; the request counts only while it is on top.
    """

    screen: Screen[Any]


@dataclass
class ViewChosen(Message):
    """What a screen shows was chosen, now and for the next start.

    Attributes:
        what: an attribute of the app.
        value: its new value.
    """

    what: Literal["panels", "thoughts"]
    value: tuple[str, ...] | bool


@dataclass
class WatchRequested(Request):
    """A game is to be watched, at `speed` steps a second."""

    source: PlaybackSource
    speed: float


@dataclass
class ReviewRequested(Request):
    """A game that is over is to be shown, at a step, perhaps with the question what if."""

    source: PlaybackSource
    step: int
    what_if: bool = False


@dataclass
class PlayRequested(Request):
    """A game is to be played."""

    request: SessionRequest


@dataclass
class DebriefRequested(Request):
    """It is to be told how a game went that is over.

    Attributes:
        source: the game.
        played: whether people have played it just now, so that its screen is gone and they can play again.
        ran_out: whether its clock has just ended it, so that the next keys may be meant for it.
    """

    source: PlaybackSource
    played: bool = False
    ran_out: bool = False


@dataclass
class NavigationRequested(Request):
    """Learn, stored results, the tour, the start screen in the place of this one, or the same game again is wanted."""

    destination: Literal["learn", "results", "tour", "start", "again"]


@dataclass
class RecordingsRequested(Request):
    """Recorded games are to be browsed; those that are watched have `speed` steps a second."""

    speed: float


@dataclass
class DesignRequested(Request):
    """A kitchen is to be drawn, which begins as this one."""

    layout: Layout


@dataclass
class KitchenSaved(Request):
    """A kitchen without mistakes was saved."""

    path: Path


@dataclass
class ExportRequested(Request):
    """The game of a snapshot, or the step that it shows, is to be written to a file; with the other game of a duel."""

    snapshot: Snapshot
    rival: Trace | None = None
