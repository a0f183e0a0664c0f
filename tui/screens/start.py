"""The screen that asks what to play: settings to the left, the chosen kitchen and cooks to the right."""

from dataclasses import dataclass

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Button, Input, Select, Static

from bba import palette
from bba.agents import DESCRIPTIONS, HUMAN, PLANNERS
from bba.errors import BBAError
from bba.kitchen import Layout
from bba.settings import Settings
from human.keymap import START_KEYS
from tui.config import CHOSEN, AppState
from tui.game_factory import SessionRequest, live_source, session_request
from tui.playback.source import PlaybackSource
from tui.style.base_app import bindings
from tui.style.base_screen import BaseScreen
from tui.widgets.form_fields import ChoiceField, NumberField, OptionSelect
from tui.widgets.layout_picture import LayoutPicture
from tui.widgets.panel import line, titled

STEPS = {"seed": 1, "horizon": 100, "speed": 5}  # what the buttons beside the numbers add

LABELS = {"agent": "ego"}  # where it differs from the setting's name
COLOURS = dict(zip(("agent", "partner"), palette.COOK_COLOURS, strict=True))


class StartScreen(BaseScreen[None]):
    """Asks what to play, and posts a message with the answer; the choice is remembered when a game starts.

    Args:
        state: the remembered choice.
        speed: steps a second; None for the remembered value.
    """

    @dataclass
    class WatchRequested(Message):
        """Somebody wants to watch a game.

        Attributes:
            source: the game.
            speed: steps a second.
        """

        source: PlaybackSource
        speed: float

    @dataclass
    class PlayRequested(Message):
        """Somebody wants to play."""

        request: SessionRequest

    class LearnRequested(Message):
        """Somebody wants to learn to play."""

    @dataclass
    class RecordingsRequested(Message):
        """Somebody wants to browse recorded games.

        Attributes:
            speed: steps a second of those that are watched.
        """

        speed: float

    class ResultsRequested(Message):
        """Somebody wants to browse stored results."""

    BINDINGS = bindings(START_KEYS, priority=False)
    AUTO_FOCUS = "#start"

    def __init__(self, state: AppState, speed: float | None = None) -> None:
        super().__init__()
        self._state = state
        last = state.recall()
        if speed is not None:
            last = last.model_copy(update={"speed": speed})
        self._choices = {
            "layout": OptionSelect("layout", Layout.names(), last.layout),
            "agent": OptionSelect("agent", DESCRIPTIONS, last.agent),
            "partner": OptionSelect("partner", DESCRIPTIONS, last.partner),
            "planner": OptionSelect("planner", PLANNERS, last.planner),
        }
        self._numbers = {name: NumberField(name, getattr(last, name), step) for name, step in STEPS.items()}

    def compose(self) -> ComposeResult:
        yield Static(masthead(), id="masthead")
        with Horizontal(id="body"):
            with titled(Vertical(id="form"), "game"):
                for name, choice in self._choices.items():
                    yield ChoiceField(LABELS.get(name, name), choice, COLOURS.get(name, ""))
                yield from self._numbers.values()
                yield Button("Learn to play", id="learn", compact=True)
                with Horizontal(id="buttons"):
                    yield Button("Start", id="start", variant="success")
                    if not self.app.is_web:
                        yield Button("Replay", id="replay")
                        yield Button("Results", id="results")
                    yield Button("Quit", id="quit")
            yield Vertical(LayoutPicture(id="picture"), Static(id="about"), id="chosen")
        yield from self.compose_bottom()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("replay", "results") and self.app.is_web:
            return False  # a visitor in the browser may not read files here
        return super().check_action(action, parameters)

    @on(Select.Changed)
    def show_choice(self) -> None:
        about = self.query_one("#about", Static)
        try:
            self.query_one(LayoutPicture).show_layout(Layout.load(self._choices["layout"].chosen))
        except BBAError as error:
            about.update(Content.styled(str(error), palette.BAD))
        else:
            about.update(cooks(self._choices["agent"].chosen, self._choices["partner"].chosen))

    @on(Button.Pressed, "#start")
    @on(Input.Submitted)
    def action_start(self) -> None:
        """Starts the chosen game, or goes to the first number that is not valid."""
        for number in self._numbers.values():
            if number.problem is not None:
                number.input.focus()
                return
        settings = Settings.model_validate(self._values())
        try:
            request = self._request(settings)
        except BBAError as error:
            self.notify(str(error), severity="error", markup=False)
            return
        self._state.keep(settings)
        self.post_message(request)

    @on(Button.Pressed, "#replay")
    def action_replay(self) -> None:
        speed = self._numbers["speed"]
        chosen = Settings.model_validate({} if speed.problem else {"speed": speed.input.value})
        self.post_message(self.RecordingsRequested(chosen.speed))

    @on(Button.Pressed, "#results")
    def action_results(self) -> None:
        self.post_message(self.ResultsRequested())

    @on(Button.Pressed, "#learn")
    def action_learn(self) -> None:
        self.post_message(self.LearnRequested())

    @on(Button.Pressed, "#quit")
    def leave(self) -> None:
        self.app.exit()

    def _request(self, settings: Settings) -> Message:
        if HUMAN in (settings.agent, settings.partner):
            return self.PlayRequested(session_request(settings))
        return self.WatchRequested(live_source(settings), settings.speed)

    def _values(self) -> dict[str, str]:
        """Returns the chosen settings as they are written in the form."""
        names = {name: choice.chosen for name, choice in self._choices.items()}
        numbers = {name: number.input.value for name, number in self._numbers.items()}
        return {name: (names | numbers)[name] for name in CHOSEN}


def masthead() -> Content:
    """Returns the line at the top."""
    return line(
        (" bba-tui ", f"bold {palette.GOOD}"),
        (" two cooks, one kitchen, ", palette.TEXT),
        ("and a belief about the other", palette.DIM),
    )


def cooks(ego: str, partner: str) -> Content:
    """Returns what the two cooks are, a paragraph each, in their colours."""
    return line((DESCRIPTIONS[ego], palette.COOK_COLOURS[0]), "\n", (DESCRIPTIONS[partner], palette.COOK_COLOURS[1]))
