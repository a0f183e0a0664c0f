"""The screens of stored games: the episodes behind a cell, and the pairs behind the difference of two cells."""

from collections.abc import Callable, Sequence

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.widgets import DataTable, Static

from bba.bench import EpisodeResult
from bba.bench.formatting import measure_label
from bba.errors import BBAError
from bba.terminal_text import visible
from human.keymap import FILTER_KEYS, PAIR_KEYS, RESULTS_KEYS
from tui.playback.source import PlaybackSource
from tui.results.browser import TableScreen
from tui.results.rows import (
    PAIR_HEADINGS,
    CellGames,
    StoredGame,
    difference_text,
    pair_entries,
    pairs_of,
    recorded_source,
    replayed_source,
)
from tui.screens.dialogs import Dialog, ReviewRequested, WatchRequested
from tui.style import BackgroundTask, bindings, key_of
from tui.widgets import titled
from tui.widgets.sorted_table import SortableCell


class FailureDialog(Dialog[None]):
    """Shows why an episode failed.

    Args:
        result: the result of the episode.
    """

    AUTO_FOCUS = "#traceback"

    def __init__(self, result: EpisodeResult) -> None:
        super().__init__()
        self._result = result

    def compose(self) -> ComposeResult:
        with titled(Vertical(id="failed"), "it failed", "esc closes"):
            yield Static(str(self._result.failure), id="why", markup=False)
            with VerticalScroll(id="traceback", can_focus=True):
                yield Static(visible(self._result.details), markup=False)


AGAIN = "A game without a recording is played again, as it went"
SHOWN_EVERY = 50  # steps of such a game
SPEED = 10.0  # steps a second of two games side by side


class EpisodesScreen(TableScreen):
    """Shows episodes; opening one shows its game.

    Args:
        title: the title line.
        headings, rows: the table.
        games: the games of each row, the one that is opened first.
        above: what is said above the table.
    """

    def __init__(
        self,
        title: str,
        headings: Sequence[str],
        rows: Sequence[Sequence[SortableCell]],
        games: Sequence[Sequence[StoredGame]],
        above: str = "",
    ) -> None:
        super().__init__(title, by_row=True, above=above)
        self._headings = headings
        self._rows = rows
        self._games = games
        self._again: BackgroundTask[PlaybackSource] = BackgroundTask(self.call_later)

    def on_mount(self) -> None:
        self.table.show(self._headings, self._rows)
        self._note(f"{AGAIN}.")
        self.explain((self._title, *self._headings))

    @on(DataTable.RowSelected)
    def open_first(self) -> None:
        self.action_open(0)

    def action_open(self, first: int, second: int | None = None) -> None:
        """Shows a game of the row under the cursor, by its number there, or two of them side by side."""
        cursor = self.table.cursor_cell
        if cursor is None:
            self.say_nothing_here()
            return
        games = self._games[cursor[0]]
        if second is None:
            self._open(games[first], self._watch)
        else:
            self._open(games[first], lambda left: self._open(games[second], lambda right: self._watch(left, right)))

    def _open(self, game: StoredGame, show: Callable[[PlaybackSource], object]) -> None:
        """Shows the recording of an episode, or plays the same game again; says why, if it failed."""
        episode = game.episode
        try:
            if episode is None:
                raise BBAError("it was not played; the same benchmark plays what is missing")
            source = recorded_source(game.results, episode)
            if source is not None:
                show(source)
            elif episode.result.failure is not None:
                if not episode.result.details:
                    raise BBAError(f"it failed: {episode.result.failure}")
                self.app.push_screen(FailureDialog(episode.result))
            elif not self._again.busy:
                self._note(f"{AGAIN} …")
                self._again.begin(lambda: replayed_source(episode, self._show_progress), show, self._complain)
        except BBAError as error:
            self._complain(error)

    def _show_progress(self, steps: int) -> bool:
        """Says how far a game is; returns whether somebody still waits for it. Called from the other thread."""
        waited_for = self.is_running
        if waited_for and steps % SHOWN_EVERY == 0:
            self.call_later(self._note, f"{AGAIN}: {steps} steps; {key_of(self.app, 'go_back')} gives up")
        return waited_for

    def _watch(self, first: PlaybackSource, second: PlaybackSource | None = None) -> None:
        self._note(f"{AGAIN}.")
        first.rival = second
        if second is not None:
            self.post_message(WatchRequested(self, first, SPEED))
        else:
            self.post_message(ReviewRequested(self, first, 0))


class PairsScreen(EpisodesScreen):
    """Shows the difference of two cells, and below it the pairs of their games, which it opens.

    Args:
        first, second: the cells.

    Raises:
        BBAError: they cannot be compared.
    """

    SITUATION = "among pairs of games"

    BINDINGS = bindings((*FILTER_KEYS, *RESULTS_KEYS, *PAIR_KEYS), priority=False)

    def __init__(self, first: CellGames, second: CellGames) -> None:
        pairs = pairs_of(first, second)
        measure = second.measure
        rows = [pair_entries(pair, measure) for pair in pairs]
        text = difference_text(first, second, pairs)
        games = [pair.games for pair in pairs]
        super().__init__(f"two results: {measure_label(measure)}", PAIR_HEADINGS, rows, games, text)
