"""The screen on which a game is put together: its settings to the left, the kitchen and the cooks to the right."""

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.events import Resize
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Button, Footer, Input, Select, Static

from bba import palette
from bba.agents import DESCRIPTIONS, HUMAN, PLANNERS
from bba.errors import BBAError
from bba.kitchen import Layout
from bba.settings import Settings
from human.keymap import START_KEYS
from tui import game_factory
from tui.config.state import CHOSEN, AppState
from tui.game_factory import live_source, session_request
from tui.playback.source import PlaybackSource
from tui.results.folder import ResultsDialog
from tui.results.rows import OpenResults
from tui.results.sweeps import ResultsScreen
from tui.screens.recording import RecordingDialog
from tui.style.breakpoints import SMALLEST
from tui.style.key_bindings import bindings
from tui.widgets.form_fields import ChoiceField, NumberField, OptionSelect
from tui.widgets.layout_picture import LayoutPicture
from tui.widgets.panel import line

STEPS = {"seed": 1, "horizon": 100, "speed": 5}  # what the buttons beside the numbers add

LABELS = {"agent": "ego"}  # where it differs from the setting's name
COLOURS = dict(zip(("agent", "partner"), palette.COOK_COLOURS, strict=True))


class StartScreen(Screen[None]):
    """Asks what to play; posts `Ready` with it. What is chosen is remembered when a game starts.

    Args:
        memory: where the last choice comes from and the next one goes to.
        speed: steps a second, where something else than the last choice says so.
    """

    class Ready(Message):
        """There is something to watch.

        Attributes:
            feed: the game or the recording.
            speed: steps a second.
        """

        def __init__(self, feed: PlaybackSource, speed: float) -> None:
            super().__init__()
            self.feed, self.speed = feed, speed

    class Match(Message):
        """There is something for people to play."""

        def __init__(self, match: game_factory.SessionRequest) -> None:
            super().__init__()
            self.match = match

    BINDINGS = bindings(START_KEYS, priority=False)
    AUTO_FOCUS = "#start"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (SMALLEST[0], "-fits-across")]  # noqa: RUF012 - typed so by Textual
    VERTICAL_BREAKPOINTS = [(0, "-low"), (SMALLEST[1], "-fits-down")]  # noqa: RUF012

    def __init__(self, memory: AppState, speed: float | None = None) -> None:
        super().__init__()
        self._memory = memory
        last = memory.recall()
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
        """A line on what this is, the form, what is chosen, keys; and what stands there where they do not fit."""
        yield Static(masthead(), id="masthead")
        with Horizontal(id="room"):
            with Vertical(id="form") as form:
                form.border_title = "game"
                for name, choice in self._choices.items():
                    yield ChoiceField(LABELS.get(name, name), choice, COLOURS.get(name, ""))
                yield from self._numbers.values()
                with Horizontal(id="buttons"):
                    yield Button("Start", id="start", variant="success")
                    if not self.app.is_web:
                        yield Button("Replay", id="replay")
                        yield Button("Results", id="results")
                    yield Button("Quit", id="quit")
            with Vertical(id="chosen"):
                yield LayoutPicture(id="picture")
                yield Static(id="about")
        yield Static(id="too-small")
        yield Footer(show_command_palette=False)

    def on_resize(self, event: Resize) -> None:
        """Have the words ready that stand there where the form does not fit."""
        has = f"{event.size.width}x{event.size.height}"
        self.query_one("#too-small", Static).update(f"needs {SMALLEST[0]}x{SMALLEST[1]}, has {has}")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """All; but a visitor in the browser has no business with the files here."""
        return (
            False if action in ("replay", "results") and self.app.is_web else super().check_action(action, parameters)
        )

    @on(Select.Changed)
    def show_choice(self) -> None:
        """Show the kitchen and say who the cooks are."""
        about = self.query_one("#about", Static)
        try:
            self.query_one(LayoutPicture).show_layout(Layout.load(self._choices["layout"].chosen))
        except BBAError as error:
            about.update(Content.styled(str(error), palette.BAD))
        else:
            about.update(cooks(self._choices["agent"].chosen, self._choices["partner"].chosen))

    @on(Button.Pressed, "#start")
    def action_start(self) -> None:
        """Play the game that is chosen; where a number will not do, go there instead."""
        for number in self._numbers.values():
            if number.problem is not None:
                number.input.focus()
                return
        settings = Settings.model_validate(self._values())
        try:
            chosen = self._chosen(settings)
        except BBAError as error:
            self.notify(str(error), severity="error", markup=False)
            return
        self._memory.keep(settings)
        self.post_message(chosen)

    @on(Input.Submitted)
    def start_from_field(self) -> None:
        """Enter starts from within a number, too."""
        self.action_start()

    @on(Button.Pressed, "#replay")
    def action_replay(self) -> None:
        """Ask for a recording and watch it."""
        self.app.push_screen(RecordingDialog(), self._watch_recording)

    @on(Button.Pressed, "#results")
    def action_results(self) -> None:
        """Ask for a folder of results and show them."""
        self.app.push_screen(ResultsDialog(), self._show_results)

    @on(Button.Pressed, "#quit")
    def leave(self) -> None:
        """End the app."""
        self.app.exit()

    def _chosen(self, settings: Settings) -> Message:
        """What the app is told: something to watch, or something to play."""
        if HUMAN in (settings.agent, settings.partner):
            return self.Match(session_request(settings))
        return self.Ready(live_source(settings), settings.speed)

    def _show_results(self, results: OpenResults | None) -> None:
        if results is not None:
            self.app.push_screen(ResultsScreen(results))

    def _watch_recording(self, feed: PlaybackSource | None) -> None:
        if feed is not None:
            speed = self._numbers["speed"]
            chosen = Settings.model_validate({} if speed.problem else {"speed": speed.input.value})
            self.post_message(self.Ready(feed, chosen.speed))

    def _values(self) -> dict[str, str]:
        """The chosen settings as they stand in the form."""
        names = {name: choice.chosen for name, choice in self._choices.items()}
        numbers = {name: number.input.value for name, number in self._numbers.items()}
        return {name: (names | numbers)[name] for name in CHOSEN}


def masthead() -> Content:
    """The line at the top."""
    return line(
        (" bba-tui ", f"bold {palette.GOOD}"),
        (" two cooks, one kitchen, ", palette.TEXT),
        ("and a belief about the other", palette.DIM),
    )


def cooks(ego: str, partner: str) -> Content:
    """Who the two cooks are, a paragraph each, in the colours of their coats."""
    return line((DESCRIPTIONS[ego], palette.COOK_COLOURS[0]), "\n", (DESCRIPTIONS[partner], palette.COOK_COLOURS[1]))
