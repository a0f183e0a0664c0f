"""Where a person is: in which situation, as the table of keys calls it, and where escape leads from there."""

from collections.abc import Sequence
from typing import Any

from textual.screen import Screen
from textual.widgets import Input

from tui.design.screen import DesignScreen
from tui.learn.lesson import LessonScreen
from tui.results.browser import BrowserScreen
from tui.results.table_screen import TableScreen
from tui.screens.comparison import ComparisonScreen
from tui.screens.debrief import DebriefScreen
from tui.screens.fork_dialog import ForkDialog
from tui.screens.model_calls import ModelCallsScreen
from tui.screens.play import PlayScreen
from tui.screens.start import StartScreen
from tui.screens.tour import TourScreen
from tui.screens.watch import WatchScreen

Stack = Sequence[Screen[Any]]  # of screens, the last one on top

MENU, BACK = "to_start", "go_back"  # the actions

SITUATION_OF = {
    StartScreen: "on the start screen",
    DesignScreen: "while drawing a kitchen",
    LessonScreen: "in the lesson",
    PlayScreen: "while playing",
    DebriefScreen: "after playing",
    ComparisonScreen: "beside a fork",
    ForkDialog: "in what if",
    ModelCallsScreen: "over the questions",
    TourScreen: "on the tour",
}


def situation(stack: Stack) -> str:
    """Returns the situation of the screen on top, a key of `SITUATIONS`; that of the screen below a dialog."""
    screen = stack[-1]
    back = way_out(stack, is_web=False) == BACK
    if isinstance(screen, WatchScreen):
        return "in a fork" if screen.is_fork else "while looking back" if back else "while watching"
    if isinstance(screen, BrowserScreen):
        return "in a list of files"
    if isinstance(screen, TableScreen):
        return "among games of a result" if back else "among results"
    known = next((name for kind, name in SITUATION_OF.items() if isinstance(screen, kind)), None)
    return known or (situation(stack[:-1]) if len(stack) > 1 else "on the start screen")


def way_out(stack: Stack, *, is_web: bool) -> str | None:
    """Returns what escape does on the screen on top, MENU or BACK; None where that has its own use for it.

    A visitor in the browser has no menu if the server chose the game.
    """
    screen = stack[-1]
    if not isinstance(screen, WatchScreen | DebriefScreen | TableScreen) or _needs_escape(screen):
        return None
    below, first = stack[-2], len(stack) == 2  # Textual's empty screen is below all
    if isinstance(below, DebriefScreen | TableScreen | DesignScreen):
        return BACK
    return MENU if isinstance(below, StartScreen) or (first and not is_web) else None


def _needs_escape(screen: Screen[Any]) -> bool:
    """Whether escape ends something on the screen itself: the cursor, tuning, or typing into the filter."""
    if isinstance(screen, WatchScreen):
        return screen.pointing or screen.tuning
    return isinstance(screen.focused, Input)
