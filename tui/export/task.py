"""Exporting from the screen without holding it up.

The file is made in a thread of its own, from a copy of the game so far, and written in the app's: nobody who leaves
meanwhile leaves half a file.
"""

from dataclasses import replace
from functools import partial

from textual.app import App

from bba.analysis.snapshot import Snapshot
from bba.errors import BBAError
from bba.files import write_whole
from tui.export.dialog import ExportDialog, ExportRequest
from tui.export.formats import format_of, free_path
from tui.style.background_task import BackgroundTask


def ask(app: App[object], snapshot: Snapshot, speed: float) -> None:
    """Ask for a file, and write the moment's game to it; a film of it runs at so many steps a second."""

    def begin(request: ExportRequest | None) -> None:
        if request is None:
            return
        if request.path.suffix.lower() == ".svg":
            app.clear_notifications()  # they would be in the picture
            app.call_after_refresh(_photograph, app, snapshot, request)
        else:
            trace = replace(snapshot.trace, ticks=list(snapshot.trace.ticks), changes=list(snapshot.trace.changes))
            app.notify(f"{request.path} …", title="Exporting", markup=False)
            aside = BackgroundTask[bytes](app.call_later)
            aside.begin(
                lambda: format_of(request.path).write(trace, request.steps, speed), partial(_write, app, request)
            )

    app.push_screen(ExportDialog(snapshot), begin)


def _photograph(app: App[object], snapshot: Snapshot, request: ExportRequest) -> None:
    """Write the screen as it stands."""
    from tui.export.screen_capture import title

    _write(app, request, app.export_screenshot(title=title(snapshot.config)).encode())


def _write(app: App[object], request: ExportRequest, made: bytes | BBAError) -> None:
    """Write what was made, and say where it is; or why there is nothing."""
    path = free_path(request.path)
    try:
        if isinstance(made, BBAError):
            raise made
        write_whole(path, made)
    except BBAError as error:
        app.notify(str(error), title="Not exported", severity="error", markup=False, timeout=30)
    else:
        app.notify(f"{path.resolve()}, {len(made) / 1e6:.1f} MB", title="Exported", markup=False, timeout=10)
