"""The question which recording to watch."""

from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Input, OptionList, Static

from bba.errors import BBAError
from tui.feed import Feed, LiveFeed
from tui.games import make_replay

SUFFIX = ".bba"


class RecordingDialog(ModalScreen[Feed | None]):
    """Asks for a file until one can be played, or until it is closed; offers what lies in the working folder."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "close")]
    AUTO_FOCUS = "Input"

    def compose(self) -> ComposeResult:
        """The path, what is wrong with it, the recordings that lie here, and the buttons."""
        with Vertical(id="recording") as box:
            box.border_title = "watch a recording"
            box.border_subtitle = "esc closes"
            yield Input(placeholder=f"path of a recording, such as game{SUFFIX}")
            yield Static(classes="problem", markup=False)
            yield OptionList(*recordings(Path()), id="here", markup=False)
            with Horizontal(id="buttons"):
                yield Button("Watch", id="watch", variant="success")
                yield Button("Cancel", id="cancel")

    def on_mount(self) -> None:
        """Leave the list out where there is nothing to list."""
        here = self.query_one(OptionList)
        here.display = here.option_count > 0

    @on(OptionList.OptionSelected)
    def take(self, event: OptionList.OptionSelected) -> None:
        """Watch the one that was picked."""
        self.query_one(Input).value = str(event.option.prompt)
        self.open_file()

    @on(Input.Submitted)
    @on(Button.Pressed, "#watch")
    def open_file(self) -> None:
        """Watch the file at this path, or say in a line why not."""
        text = self.query_one(Input).value.strip()
        try:
            if not text:
                raise BBAError("no file is named yet")
            feed = LiveFeed(make_replay(Path(text).expanduser()))
        except (BBAError, RuntimeError) as error:  # RuntimeError: the home of a user that there is not
            self.query_one(".problem", Static).update(str(error))
        else:
            self.dismiss(feed)

    @on(Button.Pressed, "#cancel")
    def close(self) -> None:
        """Watch none."""
        self.dismiss(None)


def recordings(folder: Path) -> list[str]:
    """The names of the recordings in a folder, newest first; none where it cannot be read."""
    try:
        found = [(file.stat().st_mtime, file.name) for file in folder.glob(f"*{SUFFIX}") if file.is_file()]
    except OSError:
        return []
    return [name for _, name in sorted(found, reverse=True)]
