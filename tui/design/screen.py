"""The kitchen designer: draws a kitchen, plays in it, saves and opens its file."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.timer import Timer
from textual.widgets import Static

from bba import palette
from bba.agents import HUMAN
from bba.errors import BBAError
from bba.files import write_output
from bba.kitchen import Layout
from bba.terminal_text import shell_word, visible_line
from human.keymap import DEFAULT, DESIGN_KEYS
from tui.arguments.options import WatchedGame
from tui.design.draft import EMPTY_ROOM, LARGEST, SMALLEST, Drawing
from tui.design.kitchen_file import NEW, KitchenFile, kitchen_text, open_dialog, save_dialog
from tui.design.panels import Checker, DesignBoard, Findings, FindingsPanel, ToolsPanel, mistake_at, mistake_words
from tui.game_factory import live_source, session_request
from tui.playback.shown_pair import without_networks
from tui.screens import dialogs
from tui.style import BaseApp, BaseScreen, bindings
from tui.widgets import line

CHECK_DELAY = 0.2  # seconds without a change after which a draft is looked into
TRIAL_AGENTS = {"agent": "bayes", "partner": "switching"}  # who is watched where a person was chosen as a cook


class DesignScreen(BaseScreen[None]):
    """Draws a kitchen, and says meanwhile what is wrong with it and what it asks of two cooks.

    Posts a message where somebody wants to play in it, to watch, or to leave.

    Args:
        kitchen: what is drawn at first, its name, and what had to be mended to show it.
        path: its file; None for none yet.
        settings: cooks, seed and speed of a game that is played or watched here.
    """

    SITUATION = "while drawing a kitchen"
    IS_RETURNED_TO = True
    CTRL_Z_UNDOES = True

    BINDINGS = bindings(DESIGN_KEYS)
    FILE_ACTIONS = ("save_kitchen", "open_kitchen")

    def __init__(self, kitchen: KitchenFile, path: Path | None, settings: WatchedGame) -> None:
        super().__init__()
        self.drawing = Drawing(kitchen.draft)
        self.kitchen = kitchen.name
        self._mended = kitchen.mended
        self._path = path
        self._settings = without_networks(settings)
        self._written: Path | None = None  # the file that was written here, which may be written again
        self._findings = Findings(kitchen.draft.mistake)
        self._checked = kitchen.draft  # the draft that the findings are about
        self._checker = Checker(self.call_later, self._take_findings)
        self._check_timer: Timer | None = None

    def compose(self) -> ComposeResult:
        keymap = self.app.keymap if isinstance(self.app, BaseApp) else DEFAULT
        yield Static(id="design-title")
        with Horizontal(id="body"):
            yield DesignBoard()
            yield Vertical(ToolsPanel(keymap), FindingsPanel(), id="design-side")
        yield from self.compose_bottom()

    def on_mount(self) -> None:
        self._say_mended(self._mended)
        self._checker.check(self.drawing.draft)
        self.show_drawing()

    def on_unmount(self) -> None:
        self._checker.cancel()

    # --- drawing -----------------------------------------------------------------------------------------------
    def action_draw(self, tool: str) -> None:
        """Draws under the cursor, and keeps the tool for enter, lines and the mouse."""
        self.drawing.tool = tool
        self.action_draw_again()

    def action_draw_again(self) -> None:
        self.drawing.draw()
        self.show_drawing()

    def action_move(self, right: int, down: int, draws: bool = False) -> None:
        """Moves the cursor, or draws a line of two tiles; a line of more, pressed again."""
        if draws:
            self.drawing.stroke(right, down)
        else:
            self.drawing.move(right, down)
        self.show_drawing()

    def action_resize(self, change: str) -> None:
        """Adds or takes out a row or column; `change` as in `Drawing.resize`."""
        if not self.drawing.resize(change):
            self.hint(f"a kitchen has {SMALLEST} to {LARGEST} tiles across and down")
        self.show_drawing()

    def action_travel(self, by: int) -> None:
        """Undoes the last stroke (-1), or draws it again (1)."""
        if not self.drawing.travel(by):
            self.hint("nothing to undo" if by < 0 else "nothing was undone")
        self.show_drawing()

    @on(DesignBoard.Pressed)
    def draw_with_mouse(self, event: DesignBoard.Pressed) -> None:
        self.drawing.cursor = event.at
        self.drawing.draw(same_stroke=event.same_stroke)
        self.show_drawing()

    @on(ToolsPanel.ToolChosen)
    def choose_tool(self, event: ToolsPanel.ToolChosen) -> None:
        self.drawing.tool = event.tool
        self.show_drawing()

    def action_scroll_findings(self, by: int) -> None:
        """Scrolls the findings, a page down (1) or up (-1)."""
        panel = self.query_one(FindingsPanel)
        if by > 0:
            panel.scroll_page_down()
        else:
            panel.scroll_page_up()

    # --- what is shown -----------------------------------------------------------------------------------------
    def show_drawing(self) -> None:
        """Shows the drawing as it is now; a draft that is new is looked into once the drawing rests."""
        draft = self.drawing.draft
        if draft != self._checked:
            self._checked = draft
            self._findings = Findings(draft.mistake)
            self._checker.cancel()
            if self._check_timer is not None:
                self._check_timer.stop()
            self._check_timer = self.set_timer(CHECK_DELAY, lambda: self._checker.check(draft))
        self._refresh()

    def _take_findings(self, findings: Findings) -> None:
        self._findings = findings
        self._refresh()

    def _refresh(self) -> None:
        draft = self.drawing.draft
        cursor = self.drawing.cursor
        findings = self._findings
        bottlenecks = findings.structure.bottlenecks if findings.structure else ()
        board = self.query_one(DesignBoard)
        board.show_draft(draft, cursor, mistake_at(findings.mistake), bottlenecks)
        board.subtitle = f"({cursor[0]},{cursor[1]})"
        self.query_one(ToolsPanel).show_draft(draft, self.drawing.tool)
        self.query_one(FindingsPanel).show_findings(draft, findings, self._mistake)
        title = line(
            (" bba-tui ", f"bold {palette.GOOD}"),
            (f" {self.kitchen}  ", f"bold {palette.TEXT}"),
            (f"{draft.width}x{draft.height} tiles", palette.DIM),
            ("  not saved" if self.drawing.unsaved else "", palette.WARN),
        )
        self.query_one("#design-title", Static).update(title)

    @property
    def _mistake(self) -> str:
        """The first mistake in words, or all that is missing; "" where it is a kitchen."""
        return mistake_words(self.drawing.draft.mistake, self.query_one(ToolsPanel).lacking)

    # --- games -------------------------------------------------------------------------------------------------
    def action_play_here(self) -> None:
        self.attempt(self._play_here)

    def _play_here(self) -> None:
        settings = self._settings
        if not self._with_person():
            settings = settings.model_copy(update={"partner": HUMAN})
        request = session_request(settings, self._layout())
        self.post_message(dialogs.PlayRequested(self, request))

    def action_watch_here(self) -> None:
        self.attempt(self._watch_here)

    def _watch_here(self) -> None:
        settings = self._settings
        if self._with_person():
            settings = settings.model_copy(update=TRIAL_AGENTS)
        source = live_source(settings, self._layout())
        self.post_message(dialogs.WatchRequested(self, source, settings.speed))

    def _with_person(self) -> bool:
        return HUMAN in (self._settings.agent, self._settings.partner)

    def _layout(self) -> Layout:
        """Returns the kitchen as it is drawn; raises BBAError if it has a mistake."""
        if self._mistake:
            raise BBAError(self._mistake)
        return self.drawing.draft.layout(self.kitchen)

    # --- files -------------------------------------------------------------------------------------------------
    @work
    async def action_save_kitchen(self) -> None:
        await self._save()

    @work
    async def action_open_kitchen(self) -> None:
        answer = await self.app.push_screen_wait(open_dialog())
        question = "The kitchen is not saved. Open another one all the same?" if self.drawing.unsaved else ""
        if answer is None or not await self._agreed(question, "Open"):
            return
        path, kitchen = answer
        self._path = path
        self.kitchen = kitchen.name
        self.drawing.replace(kitchen.draft)
        self.drawing.saved()
        self._say_mended(kitchen.mended)
        self.show_drawing()

    def action_new_kitchen(self) -> None:
        self.drawing.replace(EMPTY_ROOM)
        self.kitchen = NEW
        self._path = None  # so that it is not saved in the place of the last kitchen
        self.show_drawing()

    def action_leave_design(self) -> None:
        self.leave_then(lambda: self.post_message(dialogs.NavigationRequested(self, "start")))

    def leave_app(self) -> None:
        """Leaves the app, at once if all is saved, else after a question."""
        self.leave_then(super().leave_app)

    @work
    async def leave_then(self, leave: Callable[[], object]) -> None:
        """Leaves, at once if all is saved, else after a question, in whose place one can save and then leave."""
        question = "The kitchen is not saved. Leave it all the same?" if self.drawing.unsaved else ""
        save = None if self.app.is_web else ("Save", lambda: self._save_then(leave))
        if await self._agreed(question, "Leave", save):
            leave()

    @work
    async def _save_then(self, leave: Callable[[], object]) -> None:
        if await self._save():
            leave()

    async def _save(self) -> bool:
        """Asks for a file and writes the kitchen to it; returns whether it is written.

        Asks again before a file is replaced that was not written here, and before a map with a mistake is saved.
        """
        mistake = self._mistake
        path = await self.app.push_screen_wait(save_dialog(self._path))
        if path is None:
            return False
        exists = path.exists()
        questions = []
        if exists and path != self._written:
            questions.append(f"{visible_line(path)} exists. Replace it?")
        if mistake:
            questions.append(f"The map has a mistake: {mistake}. Save it all the same?")
        if not await self._agreed("\n".join(questions), "Save"):
            return False
        if not self.attempt(partial(self._write, path, replace=exists)):
            return False
        path = self._written or path
        self._path = path
        self.kitchen = path.stem
        self.drawing.saved()
        self.notify(f"saved; to play it: bba-tui play {shell_word(path)}", markup=False)
        if not self.drawing.draft.mistake:
            self.post_message(dialogs.KitchenSaved(self, path))
        self.show_drawing()
        return True

    def _write(self, path: Path, *, replace: bool) -> None:
        """Writes the kitchen; a file that has appeared since the question is not replaced."""
        self._written = write_output(path, kitchen_text(self.drawing.draft, path.stem), replace=replace)

    async def _agreed(self, question: str, yes: str, instead: tuple[str, Callable[[], object]] | None = None) -> bool:
        """Asks a question, if it is not empty; returns whether nothing is against it.

        `instead` is as in `ConfirmDialog`.
        """
        if not question:
            return True
        dialog = dialogs.ConfirmDialog(question, yes=yes, no="Cancel", instead=instead)
        return await self.app.push_screen_wait(dialog)

    def _say_mended(self, mended: str) -> None:
        if mended:
            self.notify(mended, severity="warning", timeout=15, markup=False)
