"""The episodes behind a cell of a table; each can be watched."""

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, DataTable, ProgressBar, Static

from bba.bench.plan import TableEntry
from bba.bench.results_reader import StoredEpisode
from bba.errors import BBAError
from tui.playback.source import PlaybackSource
from tui.results.rows import EPISODE_HEADINGS, OpenResults, episode_entries, recorded_source, replayed_source
from tui.results.table_screen import TableScreen
from tui.screens.watch import WatchScreen
from tui.style.background_task import BackgroundTask

PROGRESS_CHECK = 0.1  # seconds between two updates of the progress bar


class EpisodesScreen(TableScreen):
    """Shows the episodes of a cell; opening one shows its game.

    Args:
        results: where they are stored.
        title: the name of the cell.
        cases: its episodes.
    """

    def __init__(self, results: OpenResults, title: str, cases: Sequence[TableEntry]) -> None:
        super().__init__(title, by_row=True)
        self._results, self._cases = results, cases

    def on_mount(self) -> None:
        self.table.show(EPISODE_HEADINGS, [episode_entries(self._results.stored, case) for case in self._cases])
        self.query_one("#notes", Static).update("A game without a recording is played again, as it went.")

    @on(DataTable.RowSelected)
    def open_episode(self) -> None:
        """Shows the recording of an episode, or plays the same game again and shows it."""
        here = self.table.here
        if here is None:
            return
        case = self._cases[here[0]]
        episode = self._results.stored.episodes.get(case.key)
        try:
            if episode is None:
                raise BBAError("it was not played; the same sweep plays what is missing")
            source = recorded_source(self._results, episode)
            if source is not None:
                self._watch(source)
            elif episode.result.failure is not None:
                raise BBAError(f"it failed: {episode.result.failure}")
            else:
                self.app.push_screen(PlayingAgain(episode), self._watch)
        except BBAError as error:
            self.notify(str(error), severity="error", markup=False)

    def _watch(self, source: PlaybackSource | None) -> None:
        if source is not None:
            self.app.push_screen(WatchScreen(source, autostart=False, at=0))


class PlayingAgain(ModalScreen[PlaybackSource | None]):
    """Plays an episode again in a thread and shows the progress; returns the game, or None if cancelled.

    Args:
        episode: the episode.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "close")]

    def __init__(self, episode: StoredEpisode) -> None:
        super().__init__()
        self._episode, self._steps, self._wanted = episode, 0, True
        self._background: BackgroundTask[PlaybackSource] = BackgroundTask(self.call_later)

    def compose(self) -> ComposeResult:
        with Vertical(id="again") as box:
            box.border_title = "played again"
            box.border_subtitle = "esc closes"
            yield Static("No recording was kept. The game is played again, as it went.", id="why", markup=False)
            yield ProgressBar(total=self._horizon(), show_eta=False)
            with Horizontal(id="buttons"):
                yield Button("Cancel", id="cancel")

    def on_mount(self) -> None:
        self.set_interval(PROGRESS_CHECK, self._show_progress)
        self._background.begin(lambda: replayed_source(self._episode, self._report), self._arrived)

    def on_unmount(self) -> None:
        self._wanted = False
        self._background.cancel()

    @on(Button.Pressed, "#cancel")
    def close(self) -> None:
        self.dismiss(None)

    def _horizon(self) -> int | None:
        try:
            return self._episode.episode.horizon
        except BBAError:
            return None

    def _report(self, steps: int) -> bool:
        """Notes the progress, and returns whether to go on; called from the other thread."""
        self._steps = steps
        return self._wanted

    def _show_progress(self) -> None:
        self.query_one(ProgressBar).update(progress=self._steps)

    def _arrived(self, found: PlaybackSource | BBAError) -> None:
        if isinstance(found, BBAError):
            self.query_one("#why", Static).update(str(found))
        else:
            self.dismiss(found)
