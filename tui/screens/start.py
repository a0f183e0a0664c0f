"""The start screen: what to do, with which kitchen and cooks, and the last game."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Button, Checkbox, Input, Select, Static

from bba import palette
from bba.agents import HUMAN, describe_agent
from bba.errors import BBAError
from bba.kitchen import Layout
from human.keymap import START_KEYS
from tui.arguments.options import ChosenGame
from tui.game_factory import (
    duel_in_words,
    duel_source,
    live_source,
    recorded_source,
    resumed_source,
    session_request,
    with_rival,
)
from tui.playback.shown_pair import with_possible_ego
from tui.playback.source import PlaybackSource
from tui.preferences import AppState
from tui.screens import dialogs
from tui.screens.game_form import GameForm
from tui.style import BackgroundTask, BaseScreen, bindings, key_of
from tui.widgets import LayoutPicture, line


@dataclass(frozen=True, slots=True)
class LastGame:
    """The newest recorded game that can be read.

    Attributes:
        path: its file.
        words: a short description, such as "open bayes+human 412".
        goes_on: whether it was watched and left before its end, so that it can go on.
    """

    path: Path
    words: str
    goes_on: bool = False


NAME_COLUMNS = 12  # cells of a choice's name

# action: name, and two lines of what it is
CHOICES: Mapping[str, tuple[str, tuple[str, str]]] = MappingProxyType(
    {
        "watch": ("Watch", ("two agents cook; see what", "one believes of the other")),
        "play": ("Play", ("cook with an agent, which", "infers what you are up to")),
        "duel": ("Duel", ("with and without a belief:", "two egos in the same game")),
        "learn": ("Learn", ("make one burrito, and see", "how you are read (3 min)")),
        "replay": ("Recordings", ("games that you played,", "watched or recorded")),
        "results": ("Results", ("benchmarks: their tables", "and games, to browse")),
        "design": ("Design", ("draw a kitchen, and see", "what it asks of two cooks")),
    }
)


class FirstChoice(Button):
    """One choice: its key, its name, and two lines of what it is. Enter, space or a click take it.

    Args:
        action: an entry of `CHOICES`; also the widget's id.
        key: the key that takes it from anywhere on the screen, as people read it.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "press", "go")]

    def __init__(self, action: str, key: str) -> None:
        self._key = key
        self._second_line = ""
        super().__init__(self._words(action), id=action, action=f"screen.{action}", compact=True)

    def _words(self, action: str, second_line: str = "") -> Content:
        name, (first_line, usual_second_line) = CHOICES[action]
        indent = " " * (len(self._key) + 1 + NAME_COLUMNS)
        return line(
            (f"{self._key} ", f"bold {palette.WARN}"),
            (f"{name:{NAME_COLUMNS}}", f"bold {palette.TEXT}"),
            f"{first_line}\n{indent}{second_line or usual_second_line}",
        )

    def say(self, second_line: str) -> None:
        """Shows another second line; the usual one for ""."""
        self._second_line = second_line
        self._show()

    def show_key(self, key: str) -> None:
        """Shows another key."""
        self._key = key
        self._show()

    def _show(self) -> None:
        self.label = self._words(str(self.id), self._second_line)


class StartScreen(BaseScreen[None]):
    """Asks what to do, and posts a message with the answer; the choice is remembered when a game starts.

    Args:
        state: the remembered choice.
        overrides: values by setting that come in the place of the remembered ones.
        recorded: finds the last recorded game, in a thread of its own; it is offered once it is known.
    """

    SITUATION = "on the start screen"
    IS_START = True

    BINDINGS = bindings(START_KEYS, priority=False)
    AUTO_FOCUS = "#watch"
    FILE_ACTIONS = ("replay", "results", "design")

    def __init__(
        self,
        state: AppState,
        overrides: Mapping[str, Any] | None = None,
        recorded: Callable[[], LastGame | None] = lambda: None,
    ) -> None:
        super().__init__()
        self._state = state
        self._form = GameForm(state.recall().model_copy(update=overrides))
        self._recorded = recorded
        self._finding: BackgroundTask[LastGame | None] = BackgroundTask(self.call_later)
        self._resuming: BackgroundTask[PlaybackSource] = BackgroundTask(self.call_later)
        self._last: LastGame | None = None

    def compose(self) -> ComposeResult:
        keys = self._keys
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
        yield Button("", id="last", compact=True)
        yield from self.compose_bottom()

    @property
    def _keys(self) -> dict[str, str]:
        """The keys of the actions here, as people read them."""
        return {entry.action: key_of(self.app, entry.name) for entry in START_KEYS}

    def show_keys(self) -> None:
        """Writes the keys anew, which are others now."""
        for choice in self.query(FirstChoice):
            action = str(choice.id)
            choice.show_key(self._keys[action])
        self._show_recorded(self._last)

    def offer_speed(self, speed: float) -> None:
        """Shows another speed in the form."""
        self._form.offer_speed(speed)

    def find_last_game(self) -> None:
        """Looks for the last game anew: one may have been added, or deleted."""
        if not self.app.is_web:
            self._finding.cancel()
            self._finding.begin(self._recorded, self._show_recorded)

    on_screen_resume = find_last_game

    def offer_kitchen(self, path: Path) -> None:
        """Chooses the kitchen of a file, which was saved just now, now and at the next start."""
        self._form.offer_kitchen(path)
        settings = self._form.settings()
        if settings is not None:
            self._state.keep(settings)

    @on(Select.Changed)
    @on(Checkbox.Changed)
    def show_choice(self) -> None:
        """Shows the kitchen and describes the cooks that are chosen, or that the cursor of an open list is on."""
        description = self.query_one("#about", Static)
        kitchen, *cooks = self._form.pointed
        try:
            self.query_one(LayoutPicture).show_layout(Layout.load(kitchen))
        except BBAError as error:
            description.update(Content.styled(str(error), palette.BAD))
        else:
            coloured_cooks = zip(cooks, palette.COOK_COLOURS, strict=True)
            descriptions = [line((describe_agent(cook), colour)) for cook, colour in coloured_cooks]
            egos, game = self._duel_in_words()
            self.query_one("#duel", FirstChoice).say(egos)
            if game:
                descriptions.append(line((f"{key_of(self.app, 'duel')} duel {game}", palette.DIM)))
            description.update(line("\n").join(descriptions))

    @on(Input.Changed)
    def show_duel(self) -> None:
        """Says what a duel would be with another number."""
        self.show_choice()

    def _duel_in_words(self) -> tuple[str, str]:
        """Returns which duel the form asks for: its egos, and the game; "" where it asks for none."""
        settings = self._form.settings_now
        if settings is None:
            return "", ""
        try:
            return duel_in_words(settings)
        except BBAError:
            return "", ""

    # --- choices -----------------------------------------------------------------------------------------------
    @on(Input.Submitted)
    def action_start(self) -> None:
        """Starts what the chosen cooks allow: play where one of them is a person, else watch."""
        if self._form.with_person:
            self.action_play()
        else:
            self.action_watch()

    def action_watch(self) -> None:
        if self._form.with_person:
            self.hint("a person is chosen as a cook: play, or choose another cook")
        else:
            self._begin_chosen(lambda game: dialogs.WatchRequested(self, live_source(game), game.speed))

    def action_play(self) -> None:
        self._begin_chosen(self._play_request)

    def _play_request(self, game: ChosenGame) -> dialogs.Request:
        """Returns the request to play a game; where no cook is a person, the partner becomes one."""
        if not self._form.with_person:
            game = game.model_copy(update={"partner": HUMAN})
        return dialogs.PlayRequested(self, session_request(game, turns=game.turns))

    def action_duel(self) -> None:
        """Begins a duel in the chosen game: the chosen ego, and one without a belief; if it has none, one with one."""
        self._begin_chosen(self._duel_request)

    def _duel_request(self, game: ChosenGame) -> dialogs.Request:
        source = duel_source(with_rival(game))
        return dialogs.WatchRequested(self, source, game.speed)

    def _begin_chosen(self, request: Callable[[ChosenGame], dialogs.Request]) -> None:
        settings = self._form.settings()
        if settings is not None:
            self._begin(lambda: request(with_possible_ego(settings)), settings)

    def action_learn(self) -> None:
        self.post_message(dialogs.NavigationRequested(self, "learn"))

    def action_replay(self) -> None:
        self.post_message(dialogs.RecordingsRequested(self, self._form.speed))

    def action_results(self) -> None:
        self.post_message(dialogs.NavigationRequested(self, "results"))

    def action_design(self) -> None:
        self._begin(lambda: dialogs.DesignRequested(self, Layout.load(self._form.kitchen)))

    def action_more(self) -> None:
        self._form.ask_for_more()

    def action_pair(self) -> None:
        """Chooses the preprint's cooks, or where these are chosen the usual ones."""
        self._form.choose_other_pair()

    def action_leave_field(self) -> None:
        self.query_one("#watch").focus()

    @on(Button.Pressed, "#last")
    def action_go_on(self) -> None:
        """Plays the last game on from where it was left; shows one that cannot go on, or says that there is none."""
        last = self._last
        speed = self._form.speed
        if last is not None and last.goes_on and not self._resuming.busy:
            self.query_one("#last", Button).label = f"replaying {last.words} …"
            self._resuming.begin(
                lambda: resumed_source(last.path),
                lambda source: self.post_message(dialogs.WatchRequested(self, source, speed)),
                self._show_failed,
            )
        elif last is not None:
            self._begin(lambda: dialogs.WatchRequested(self, recorded_source(last.path), speed))
        elif not self._finding.busy:
            self.hint("no recorded game yet: play one, or watch one for a while")

    def _begin(self, request: Callable[[], dialogs.Request], settings: ChosenGame | None = None) -> None:
        """Posts a request and remembers the choice, if there is one; or says why the game cannot begin."""
        has_begun = self.attempt(lambda: self.post_message(request()))
        if has_begun and settings is not None:
            self._state.keep(settings)

    def _show_failed(self, error: BBAError) -> None:
        """Says why the last game cannot go on."""
        self._show_recorded(self._last)
        self.notify(str(error), severity="error", markup=False)

    def _show_recorded(self, last: LastGame | None) -> None:
        self._last = last
        button = self.query_one("#last", Button)
        button.set_class(last is not None, "-there")
        if last is not None:
            verb = "go on" if last.goes_on else "watch again"
            button.label = f"{key_of(self.app, 'go_on')} {verb}: {last.words}"
