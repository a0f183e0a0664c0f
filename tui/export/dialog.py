"""Asks into which file a game is written, and exports it without blocking the screen.

The file is made in a thread from a copy of the game so far, and written in the app's own thread, so that leaving the
app meanwhile leaves no half-written file.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from textual import on
from textual.app import App, ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Input, Label, Select, Static

from bba.analysis import Snapshot
from bba.errors import BBAError
from bba.files import free_path, write_new
from bba.film.formats import FILM_SPEED, Format, StepRange, check_exportable, format_of
from bba.play import Trace
from bba.play.ticks import first_ticks
from bba.terminal_text import visible_line
from human.keymap import FORM_KEYS
from tui.export.formats import DUEL_FORMATS, FORMATS, ExportRequest, default_name
from tui.export.screen_capture import title
from tui.screens.dialogs import Dialog
from tui.style import BackgroundTask, bindings
from tui.widgets import ChoiceField, OptionSelect, problem_of, titled

SPEED_FIELD = "film_speed"  # the setting, and the id of its field


class ExportDialog(Dialog[ExportRequest]):
    """Asks for format, file and steps until they are valid, or until it is closed.

    Args:
        snapshot: the game, and the step that is shown.
        formats: the formats that it can be written in.
    """

    BINDINGS = bindings(FORM_KEYS, priority=False)

    def __init__(self, snapshot: Snapshot, formats: Mapping[str, Format] = FORMATS) -> None:
        super().__init__()
        self._snapshot = snapshot
        self._formats = formats
        self._suffix = next(iter(formats))

    def compose(self) -> ComposeResult:
        with titled(Vertical(id="export"), "export the game so far", "esc closes"):
            yield ChoiceField("format", OptionSelect("format", self._formats, self._suffix))
            yield Horizontal(Label("file"), Input(self._default(), id="file", compact=True), classes="field")
            steps = Input(placeholder=f"all {self._newest}, or 100:300, or ::2", id="steps", compact=True)
            yield Horizontal(Label("steps"), steps, classes="field")
            speed = Input(placeholder=f"{FILM_SPEED:g} steps a second", id=SPEED_FIELD, compact=True)
            yield Horizontal(Label("speed"), speed, classes="field")
            yield Static(id="will", markup=False)
            yield Static(classes="problem", markup=False)
            yield Horizontal(
                Button("Export", id="write", variant="success"), Button("Cancel", id="cancel"), id="buttons"
            )

    @on(Select.Changed)
    def rename(self, event: Select.Changed) -> None:
        """Gives the file the suffix of the format."""
        file = self._file
        suffix = str(event.value)
        if file.suffix.lower() == suffix:
            return
        untouched = not file.name or str(file) == self._default()
        self._suffix = suffix
        stem = file.stem if file.suffix.lower() in self._formats else file.name
        renamed = self._default() if untouched else str(file.with_name(stem + suffix))
        self.query_one("#file", Input).value = renamed

    @on(Input.Changed)
    def preview(self) -> None:
        """Says what will be written; the format follows the suffix of the name."""
        suffix = self._file.suffix.lower()
        self.query_one(".problem", Static).update("")
        self.query_one("#steps", Input).disabled = suffix == ".svg"
        self.query_one(f"#{SPEED_FIELD}", Input).disabled = suffix in self._formats and not self._formats[suffix].film
        if suffix in self._formats:
            self._suffix = suffix
            self.query_one(OptionSelect).value = self._suffix
            self.query_one("#will", Static).update(self._formats[suffix].description + self._renamed())

    @on(Input.Submitted)
    @on(Button.Pressed, "#write")
    def action_take(self) -> None:
        try:
            path = self._file.expanduser()
            check_exportable(path, self._formats)
            self.dismiss(ExportRequest(free_path(path), self._steps(), self._speed()))
        except (BBAError, RuntimeError) as error:  # RuntimeError: the home of a user that does not exist
            self.query_one(".problem", Static).update(str(error))

    def _steps(self) -> range:
        text = self.query_one("#steps", Input).value.strip()
        return (StepRange.parse(text) if text else StepRange()).of(self._newest)

    def _speed(self) -> float:
        field = self.query_one(f"#{SPEED_FIELD}", Input)
        text = "" if field.disabled else field.value.strip()
        problem = problem_of(SPEED_FIELD, text) if text else None
        if problem is not None:
            raise BBAError(f"speed: {problem}")
        return float(text or FILM_SPEED)

    @property
    def _file(self) -> Path:
        return Path(self.query_one("#file", Input).value.strip())

    def _renamed(self) -> str:
        """Returns what will be written instead of a file that exists already; "" where none does."""
        with suppress(OSError, RuntimeError):
            path = self._file.expanduser()
            free = free_path(path)
            return "" if free == path else f"; there is one of this name, so {free.name}"
        return ""

    @property
    def _newest(self) -> int:
        return len(self._snapshot.trace.ticks)

    def _default(self) -> str:
        step = self._snapshot.step if self._suffix == ".svg" else self._newest
        return default_name(self._snapshot.config, step, self._suffix)


def ask_and_export(app: App[None], snapshot: Snapshot, rival: Trace | None = None) -> None:
    """Asks for a file and writes the game to it; of a duel, whose other game this is, both."""
    formats = FORMATS if rival is None else DUEL_FORMATS

    def begin(request: ExportRequest | None) -> None:
        if request is None:
            return
        if request.path.suffix.lower() == ".svg":
            app.clear_notifications()  # they would be in the picture
            app.call_after_refresh(
                lambda: _write(app, request, app.export_screenshot(title=title(snapshot.config)).encode())
            )
        else:
            traces = [snapshot.trace] if rival is None else [snapshot.trace, rival]
            games = [replace(trace, ticks=first_ticks(trace.ticks), changes=list(trace.changes)) for trace in traces]
            app.notify(f"{visible_line(request.path)} …", title="Exporting", markup=False)
            path, steps, speed = request
            write = partial(_write, app, request)
            task = BackgroundTask[bytes](app.call_later)
            task.begin(lambda: format_of(path, formats).made(games, steps, speed), write, write)

    app.push_screen(ExportDialog(snapshot, formats), begin)


def _write(app: App[None], request: ExportRequest, content: bytes | BBAError) -> None:
    try:
        if isinstance(content, BBAError):
            raise content
        path = write_new(request.path, content)
    except BBAError as error:
        app.notify(str(error), title="Not exported", severity="error", markup=False, timeout=30)
    else:
        text = f"{visible_line(path.resolve())}, {len(content) / 1e6:.1f} MB"
        app.notify(text, title="Exported", markup=False, timeout=10)
