"""The question which file or folder to open, for as long as it takes."""

from pathlib import Path
from typing import ClassVar, Generic, TypeVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Input, OptionList, Static

from bba.errors import BBAError

Opened = TypeVar("Opened")


class PathDialog(ModalScreen[Opened | None], Generic[Opened]):
    """Asks for a path until it can be opened, or until it is closed; offers what lies in the working folder."""

    TITLE: ClassVar[str]
    EXAMPLE: ClassVar[str]
    NAMELESS: ClassVar[str]
    DOES: ClassVar[str]

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "close")]
    AUTO_FOCUS = "Input"

    def offered(self) -> list[str]:
        """The paths to choose from."""
        raise NotImplementedError

    def opened(self, path: Path) -> Opened:
        """What is at a path.

        Raises:
            BBAError: nothing that can be opened.
        """
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        """The path, what is wrong with it, what lies here, and the buttons."""
        with Vertical(id="path") as box:
            box.border_title = self.TITLE
            box.border_subtitle = "esc closes"
            yield Input(placeholder=self.EXAMPLE)
            yield Static(classes="problem", markup=False)
            yield OptionList(*self.offered(), id="here", markup=False)
            with Horizontal(id="buttons"):
                yield Button(self.DOES, id="open", variant="success")
                yield Button("Cancel", id="cancel")

    def on_mount(self) -> None:
        """Leave the list out where there is nothing to list."""
        here = self.query_one(OptionList)
        here.display = here.option_count > 0

    @on(OptionList.OptionSelected)
    def take(self, event: OptionList.OptionSelected) -> None:
        """Open the one that was picked."""
        self.query_one(Input).value = str(event.option.prompt)
        self.open_path()

    @on(Input.Submitted)
    @on(Button.Pressed, "#open")
    def open_path(self) -> None:
        """Open what is at this path, or say in a line why not."""
        text = self.query_one(Input).value.strip()
        try:
            if not text:
                raise BBAError(self.NAMELESS)
            found = self.opened(Path(text).expanduser())
        except (BBAError, RuntimeError) as error:  # RuntimeError: the home of a user that there is not
            self.query_one(".problem", Static).update(str(error))
        else:
            self.dismiss(found)

    @on(Button.Pressed, "#cancel")
    def close(self) -> None:
        """Open none."""
        self.dismiss(None)
