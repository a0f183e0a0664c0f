"""The start screen: what to do, with which kitchen and cooks, and the games that were recorded last."""

from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar

from rich.cells import cell_len
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Button, Input, Label, Select, Static

from bba import palette
from bba.agents import HUMAN
from bba.agents.registry import describe_agent
from bba.errors import BBAError
from bba.kitchen import Layout
from bba.settings import Settings
from human.keymap import START_KEYS
from tui.config import AppState
from tui.game_factory import duel_source, live_source, recorded_source, session_request
from tui.screens import dialogs
from tui.screens.game_form import GameForm
from tui.style.base_app import bindings, key_of
from tui.style.base_screen import BackgroundTask, BaseScreen
from tui.widgets.kitchen_view import LayoutPicture
from tui.widgets.panel import line

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


NAME_COLUMNS = 12  # cells of a choice's name
About = tuple[str, str]

# action: name, and two lines of what it is
CHOICES: Mapping[str, tuple[str, About]] = MappingProxyType(
    {
        "watch": ("Watch", ("two agents cook; see what", "one believes of the other")),
        "play": ("Play", ("cook with an agent, which", "infers what you are up to")),
        "duel": ("Duel", ("one game, with and without a", "belief; see what it changes")),
        "learn": ("Learn", ("make one burrito, and see", "yourself believed (3 min)")),
        "replay": ("Recordings", ("games that you played,", "watched or recorded")),
        "results": ("Results", ("benchmarks: their tables", "and games, to browse")),
        "design": ("Design", ("draw a kitchen, and see", "what it asks of two cooks")),
    }
)


class FirstChoice(Static, can_focus=True):
    """One choice: its key, its name, and two lines of what it is. Enter, space or a click take it.

    Args:
        action: an entry of `CHOICES`; also the widget's id.
        key: the key that takes it from anywhere on the screen, as people read it.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "take", "go")]

    def __init__(self, action: str, key: str) -> None:
        name, about = CHOICES[action]
        self._action, self._key, self._heading = action, key, name
        super().__init__(self._written(about), id=action)

    def describe(self, first: str, second: str) -> None:
        """Replaces the two lines of what it is."""
        self.update(self._written((first, second)))

    async def on_click(self) -> None:
        await self.action_take()

    async def action_take(self) -> None:
        await self.screen.run_action(self._action)

    def _written(self, about: About) -> Content:
        key, indent = f" {self._key} ", " " * (len(self._key) + 2 + NAME_COLUMNS)
        return line(
            (key, f"bold {palette.WARN}"),
            (f"{self._heading:{NAME_COLUMNS}}", f"bold {palette.TEXT}"),
            f"{about[0]}\n{indent}{about[1]}",
        )


class StartScreen(BaseScreen[None]):
    """Asks what to do, and posts a message with the answer; the choice is remembered when a game starts.

    Args:
        state: the remembered choice.
        asked: what was asked for elsewhere, by setting, in the place of the remembered values.
        recorded: finds the recorded games, in a thread of its own; they are shown when they are known.
    """

    BINDINGS = bindings(START_KEYS, priority=False)
    AUTO_FOCUS = "#watch"
    FILE_ACTIONS = ("replay", "results", "design")

    def __init__(
        self, state: AppState, asked: Mapping[str, Any] | None = None, recorded: Callable[[], LastGames] = LastGames
    ) -> None:
        super().__init__()
        self._state = state
        self._form = GameForm(state.recall().model_copy(update=asked))
        self._recorded = recorded
        self._finding: BackgroundTask[LastGames] = BackgroundTask(self.call_later)

    def compose(self) -> ComposeResult:
        keys = {entry.action: key_of(self.app, entry.name) for entry in START_KEYS}
        masthead = line(
            (" bba-tui ", f"bold {palette.GOOD}"),
            (" two cooks, one kitchen, ", palette.TEXT),
            ("and a belief about the other", palette.DIM),
        )
        yield Static(masthead, id="masthead")
        with Horizontal(id="body"):
            with Vertical(id="first"):
                with Vertical(id="choices"):
                    for name in CHOICES:
                        if not (self.app.is_web and name in self.FILE_ACTIONS):
                            yield FirstChoice(name, keys[name])
                yield self._form
            yield Vertical(LayoutPicture(id="picture"), Static(id="about"), id="chosen")
        yield LastGamesLine()
        yield from self.compose_bottom()

    def on_screen_resume(self) -> None:
        """Looks for recorded games anew: one may have been added, or deleted."""
        if not self.app.is_web and not self._finding.busy:
            self._finding.begin(self._recorded, self._show_recorded)

    def offer_kitchen(self, path: Path) -> None:
        """Chooses the kitchen of a file, which was saved just now, now and at the next start."""
        self._form.offer_kitchen(path)
        settings = self._form.settings()
        if settings is not None:
            self._state.keep(settings)

    @on(Select.Changed)
    def show_choice(self) -> None:
        about = self.query_one("#about", Static)
        try:
            self.query_one(LayoutPicture).show_layout(Layout.load(self._form.kitchen))
        except BBAError as error:
            about.update(Content.styled(str(error), palette.BAD))
        else:
            described = zip(map(describe_agent, self._form.cooks), palette.COOK_COLOURS, strict=True)
            about.update(line("\n").join(line(one) for one in described))

    @on(LastGamesLine.GameChosen)
    def watch_recorded(self, event: LastGamesLine.GameChosen) -> None:
        """Shows a recorded game, or says why it cannot be shown."""
        self._begin(lambda: dialogs.WatchRequested(self, recorded_source(event.path), self._form.speed))

    # --- choices -----------------------------------------------------------------------------------------------
    @on(Input.Submitted)
    def action_start(self) -> None:
        """Starts what the chosen cooks allow: play where one of them is a person, else watch."""
        (self.action_play if self._form.with_person else self.action_watch)()

    def action_watch(self) -> None:
        if self._form.with_person:
            self.hint("a person is chosen as a cook: play, or choose another cook")
            return
        settings = self._form.settings()
        if settings is not None:
            self._begin(lambda: dialogs.WatchRequested(self, live_source(settings), settings.speed), settings)

    def action_play(self) -> None:
        settings = self._form.settings()
        if settings is not None:
            game = settings if self._form.with_person else settings.model_copy(update={"partner": HUMAN})
            self._begin(lambda: dialogs.PlayRequested(self, session_request(game)), settings)

    def action_duel(self) -> None:
        """Begins the usual duel in the chosen kitchen: seed, partner and planner are those at which it was measured."""
        settings = Settings.model_validate({"layout": self._form.kitchen, "speed": self._form.speed})
        self._begin(lambda: dialogs.WatchRequested(self, duel_source(settings), settings.speed))

    def action_learn(self) -> None:
        self.post_message(dialogs.Wanted(self, "learn"))

    def action_replay(self) -> None:
        self.post_message(dialogs.RecordingsRequested(self, self._form.speed))

    def action_results(self) -> None:
        self.post_message(dialogs.Wanted(self, "results"))

    def action_design(self) -> None:
        self._begin(lambda: dialogs.DesignRequested(self, Layout.load(self._form.kitchen)))

    def action_more(self) -> None:
        self._form.ask_for_more()

    def _begin(self, request: Callable[[], dialogs.Request], settings: Settings | None = None) -> None:
        """Posts a request and remembers the choice, if there is one; or says why the game cannot begin."""
        if self.post_made(request) and settings is not None:
            self._state.keep(settings)

    def _show_recorded(self, found: LastGames) -> None:
        games = f"{found.number} game{'s' * (found.number != 1)}, the newest"
        about = (games, found.newest) if found.number else CHOICES["replay"][1]
        self.query_one("#replay", FirstChoice).describe(*about)
        self.call_later(self.query_one(LastGamesLine).show_games, found.games)
