"""Exports a game from the screen without blocking it.

The file is made in a thread from a copy of the game so far, and written in the app's own thread, so that leaving the
app meanwhile leaves no half-written file.
"""

from dataclasses import replace
from functools import partial

from textual.app import App

from bba.analysis.snapshot import Snapshot
from bba.errors import BBAError
from bba.files import write_whole
from tui.export.dialog import ExportDialog, ExportRequest
from tui.export.formats import format_of, free_path
from tui.export.screen_capture import title
from tui.style.background_task import BackgroundTask


def ask_and_export(app: App[None], snapshot: Snapshot, speed: float) -> None:
    """Asks for a file and writes the game to it; a film shows `speed` steps a second."""

    def begin(request: ExportRequest | None) -> None:
        if request is None:
            return
        if request.path.suffix.lower() == ".svg":
            app.clear_notifications()  # they would be in the picture
            app.call_after_refresh(_write_screenshot, app, snapshot, request)
        else:
            trace = replace(snapshot.trace, ticks=list(snapshot.trace.ticks), changes=list(snapshot.trace.changes))
            app.notify(f"{request.path} …", title="Exporting", markup=False)
            BackgroundTask[bytes](app.call_later).begin(
                lambda: format_of(request.path).write(trace, request.steps, speed), partial(_write, app, request)
            )

    app.push_screen(ExportDialog(snapshot), begin)


def _write_screenshot(app: App[None], snapshot: Snapshot, request: ExportRequest) -> None:
    _write(app, request, app.export_screenshot(title=title(snapshot.config)).encode())


def _write(app: App[None], request: ExportRequest, made: bytes | BBAError) -> None:
    """Writes the file and says where it is, or says why there is none."""
    path = free_path(request.path)
    try:
        if isinstance(made, BBAError):
            raise made
        write_whole(path, made)
    except BBAError as error:
        app.notify(str(error), title="Not exported", severity="error", markup=False, timeout=30)
    else:
        app.notify(f"{path.resolve()}, {len(made) / 1e6:.1f} MB", title="Exported", markup=False, timeout=10)
