"""The pages between practice and games: what a failed try lacks, and a break."""

from collections.abc import Callable
from math import ceil

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Button, Static

from human.study.tasks import BreakTask, FailedTryTask
from tui.study.pages import Page

LOOK_EVERY = 0.2  # seconds


def said_of_try(task: FailedTryTask) -> str:
    """Returns what a failed try of the practice lacks, and how many are left."""
    lacks = [] if task.stages else ["The games need more of what the tutorial shows. Please do all of its steps."]
    if task.right < task.of:
        lacks.append(f"{task.right} of {task.of} answers were right. Please read once more, then answer again.")
    tries = "This is the last try." if task.left == 1 else f"You have {task.left} more tries."
    return "\n\n".join([*lacks, tries])


class BreakPage(Page[None]):
    """Shows a break until the button is pressed, which counts after the shortest time, or the longest time is over.

    Args:
        task: the break.
        games: the number of the participant's games.
        elapsed: seconds of it that have passed.
        now: returns the time in seconds.
    """

    AUTO_FOCUS = ""

    def __init__(self, task: BreakTask, games: int, elapsed: float, now: Callable[[], float]) -> None:
        super().__init__("A break")
        self._rest, self._games = task, games
        self._now, self._began = now, now() - elapsed

    def compose_box(self) -> ComposeResult:
        yield Static(f"You may rest. Game {self._rest.game + 2} of {self._games} comes next.", markup=False)
        yield Static(id="left", markup=False)
        with Horizontal(id="buttons"):
            yield Button("Go on", id="yes", variant="success", disabled=True)

    def on_mount(self) -> None:
        self.set_interval(LOOK_EVERY, self.look)
        self.call_after_refresh(self.look)

    def look(self) -> None:
        """Says how long it still lasts, lets the button count after the shortest time, and ends after the longest."""
        past, button = self._now() - self._began, self.query_one("#yes", Button)
        if past >= self._rest.longest:
            self.dismiss(None)
            return
        if button.disabled and past >= self._rest.shortest:
            button.disabled = False
            button.focus()
        waits, left = ceil(self._rest.shortest - past), ceil(self._rest.longest - past)
        self.query_one("#left", Static).update(
            f"You can go on in {waits} s." if waits > 0 else f"It goes on by itself in {left} s."
        )

    @on(Button.Pressed)
    def go_on(self) -> None:
        self.dismiss(None)
