"""The line of the start screen with the games that were recorded last."""

from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from rich.cells import cell_len
from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Button, Label

LAST_GAMES_LABEL = " last "
GAP_CELLS = 3  # cells around a game


@dataclass(frozen=True, slots=True)
class LastGame:
    """A recorded game in few words, such as "open bayes+human 412"."""

    path: Path
    words: str


@dataclass(frozen=True, slots=True)
class LastGames:
    """The recorded games that there are.

    Attributes:
        number: how many.
        newest: when the newest one was written, such as "today 20:41"; "" where there is none.
        games: the newest ones that can be read, the newest first.
    """

    number: int = 0
    newest: str = ""
    games: tuple[LastGame, ...] = ()


class LastGamesLine(Horizontal):
    """The last games beside each other, as many as fit whole; each one is a button."""

    @dataclass
    class GameChosen(Message):
        """Somebody wants to see a game."""

        path: Path

    def __init__(self) -> None:
        super().__init__(id="last")
        self._games: tuple[LastGame, ...] = ()

    def compose(self) -> ComposeResult:
        if self._games:
            yield Label(LAST_GAMES_LABEL)
        for number, game in enumerate(self._games):
            yield Button(game.words, id=f"game-{number}", compact=True)

    async def show_games(self, games: tuple[LastGame, ...]) -> None:
        """Shows these games."""
        if games != self._games:
            self._games = games
            await self.recompose()
            self._show_fitting(self.size.width)

    def on_resize(self, event: events.Resize) -> None:
        self._show_fitting(event.size.width)

    @on(Button.Pressed)
    def choose(self, event: Button.Pressed) -> None:
        event.stop()
        self.post_message(self.GameChosen(self._games[int(str(event.button.id).removeprefix("game-"))].path))

    def _show_fitting(self, width: int) -> None:
        cells = (cell_len(game.words) + GAP_CELLS for game in self._games)
        fitting = bisect_right([*accumulate(cells)], width - len(LAST_GAMES_LABEL))
        for number, button in enumerate(self.query(Button)):
            button.display = number < fitting
