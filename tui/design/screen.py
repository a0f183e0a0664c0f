"""The kitchen designer: draws a kitchen, plays in it, saves and opens its file."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from textual.message import Message

from bba.agents import HUMAN
from bba.errors import BBAError
from bba.files import write_whole
from bba.kitchen import Layout
from bba.settings import Settings
from tui.design.draft import Draft
from tui.design.drawing_screen import DrawingScreen
from tui.design.kitchen_file import NEW, KitchenFile, kitchen_text, open_dialog, save_dialog
from tui.game_factory import SessionRequest, live_source, session_request
from tui.playback.source import PlaybackSource
from tui.screens.dialogs import ConfirmDialog

FILE_ACTIONS = ("save_kitchen", "open_kitchen")  # not for a visitor in the browser, who may not use files here
TRIAL_AGENTS = {"agent": "bayes", "partner": "switching"}  # who is watched where a person was chosen as a cook


class DesignScreen(DrawingScreen):
    """Draws a kitchen, and posts a message where somebody wants to play in it, to watch, or to leave.

    Args:
        kitchen: what is drawn at first, its name, and what had to be mended to show it.
        path: its file; None for none yet.
        settings: cooks, seed and speed of a game that is played or watched here.
    """

    @dataclass
    class PlayHere(Message):
        """Somebody wants to play in the kitchen."""

        request: SessionRequest

    @dataclass
    class WatchHere(Message):
        """Somebody wants to watch a game in the kitchen, at `speed` steps a second."""

        source: PlaybackSource
        speed: float

    @dataclass
    class Saved(Message):
        """A kitchen without mistakes was saved."""

        path: Path

    class LeaveRequested(Message):
        """Somebody wants to go to the start screen, and what is drawn may be dropped."""

    def __init__(self, kitchen: KitchenFile, path: Path | None, settings: Settings) -> None:
        super().__init__(kitchen.draft, kitchen.name)
        self._mended, self._path, self._settings = kitchen.mended, path, settings
        self._ours: Path | None = None  # the file that was written here, which may be written again

    def on_mount(self) -> None:
        self._say_mended(self._mended)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in FILE_ACTIONS and self.app.is_web:
            return False
        return super().check_action(action, parameters)

    # --- games -------------------------------------------------------------------------------------------------
    def action_play_here(self) -> None:
        game = self._settings
        if HUMAN not in (game.agent, game.partner):
            game = game.model_copy(update={"partner": HUMAN})
        self._begin(lambda layout: self.PlayHere(session_request(game, layout)))

    def action_watch_here(self) -> None:
        game = self._settings
        if HUMAN in (game.agent, game.partner):
            game = game.model_copy(update=TRIAL_AGENTS)
        self._begin(lambda layout: self.WatchHere(live_source(game, layout), game.speed))

    def _begin(self, request: Callable[[Layout], Message]) -> None:
        """Posts a request for the kitchen as it is drawn, or says why no game can begin in it."""
        try:
            message = request(self.drawing.draft.layout(self.kitchen))
        except BBAError as error:
            self.notify(str(error), severity="error", markup=False)
        else:
            self.post_message(message)

    # --- files -------------------------------------------------------------------------------------------------
    def action_save_kitchen(self) -> None:
        self._save_then(lambda: None)

    def _save_then(self, after: Callable[[], object]) -> None:
        """Asks for a file and writes it; does what comes after that only once it is written."""
        self.app.push_screen(save_dialog(self._path), partial(self._ask_before_writing, after))

    def action_open_kitchen(self) -> None:
        self.app.push_screen(open_dialog(), self._take_opened)

    def action_new_kitchen(self) -> None:
        self.drawing.replace(Draft.empty())
        self.kitchen, self._path = NEW, None  # so that it is not saved in the place of the one before
        self.show_drawing()

    def action_leave_design(self) -> None:
        self.leave_then(lambda: self.post_message(self.LeaveRequested()))

    def leave_app(self) -> None:
        """Leaves the app, at once if all is saved, else after a question."""
        self.leave_then(super().leave_app)

    def leave_then(self, leave: Callable[[], object]) -> None:
        """Leaves, at once if all is saved, else after a question, in whose place one can save and then leave."""
        question = "The kitchen is not saved. Leave it all the same?" if self.unsaved else ""
        save = None if self.app.is_web else ("Save", lambda: self._save_then(leave))
        self._asking(question, "Leave", leave, save)

    def _take_opened(self, found: tuple[Path, KitchenFile] | None) -> None:
        if found is not None:
            question = "The kitchen is not saved. Open another one all the same?" if self.unsaved else ""
            self._asking(question, "Open", lambda: self._open(*found))

    def _open(self, path: Path, kitchen: KitchenFile) -> None:
        self._path, self.kitchen = path, kitchen.name
        self.drawing.replace(kitchen.draft)
        self.drawing.history.saved()
        self._say_mended(kitchen.mended)
        self.show_drawing()

    def _ask_before_writing(self, after: Callable[[], object], path: Path | None) -> None:
        """Asks before a file is replaced that was not written here, and before a mistake is saved."""
        if path is None:
            return
        mistake = self.drawing.draft.mistake
        questions = (
            f"{path} exists. Replace it?" if path.exists() and path != self._ours else "",
            f"The map has a mistake: {mistake}. Save it all the same?" if mistake else "",
        )
        self._asking("\n".join(filter(None, questions)), "Save", lambda: self._write(path, after))

    def _write(self, path: Path, after: Callable[[], object]) -> None:
        try:
            write_whole(path, kitchen_text(self.drawing.draft, path.stem))
        except BBAError as error:
            self.notify(str(error), severity="error", markup=False)
            return
        self._path = self._ours = path
        self.kitchen = path.stem
        self.drawing.history.saved()
        self.notify(f"saved; to play it: bba-tui play {path}", markup=False)
        if not self.drawing.draft.mistake:
            self.post_message(self.Saved(path))
        self.show_drawing()
        after()

    def _asking(
        self,
        question: str,
        yes: str,
        act: Callable[[], object],
        instead: tuple[str, Callable[[], object]] | None = None,
    ) -> None:
        """Acts, after the question if there is one; `instead` as in `ConfirmDialog`."""

        def answered(agreed: bool | None) -> None:
            if agreed:
                act()

        if question:
            self.app.push_screen(ConfirmDialog(question, yes=yes, no="Cancel", instead=instead), answered)
        else:
            act()

    def _say_mended(self, mended: str) -> None:
        if mended:
            self.notify(mended, severity="warning", timeout=15, markup=False)
