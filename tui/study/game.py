"""A game of a study: the screen on which people play, without a word on who plays beside them or what it believes."""

from textual.content import Content

from bba import palette
from human.session import Session
from tui.screens.play import COUNTDOWN, PlayScreen
from tui.widgets.panel import line, spread
from tui.widgets.title_bar import TitleBar


class StudyTitle(TitleBar):
    """Which game this is to the left, how it stands to the right.

    Args:
        name: as "game 2 of 4".
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def render(self) -> Content:
        """The whole line."""
        colours = f"{palette.BACKGROUND} on {palette.WARN}" if self.past else palette.TEXT
        return spread(
            line((f" {self._name}", f"bold {palette.TEXT}")),
            line((f" {self.status} ", f"bold {colours}")),
            self.size.width,
        )


class StudyGame(PlayScreen):
    """Plays a session; dismissed at its end.

    Args:
        session: the game.
        name: what stands in the title.
        speed: steps a second; None for turn by turn.
        countdown: seconds before the first step.
    """

    def __init__(self, session: Session, name: str, *, speed: float | None = 10.0, countdown: int = COUNTDOWN) -> None:
        super().__init__(session, speed=speed, countdown=countdown)
        self._title = StudyTitle(name)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """All but a look into the agent's mind."""
        return False if action == "mind" else super().check_action(action, parameters)

    def _end(self) -> None:
        """Whoever waits for the end saves the game."""
        self.dismiss()
