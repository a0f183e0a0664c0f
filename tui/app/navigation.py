"""Where a person is: in which situation, as the table of keys calls it, and where escape leads from there."""

from collections.abc import Sequence
from typing import Any

from textual.screen import Screen
from textual.widgets import Input

from tui.screens.watch import WatchScreen

Stack = Sequence[Screen[Any]]  # of screens, the last one on top

MENU, BACK = "to_start", "go_back"  # the actions

# Screens are named here, not imported: most of them are not needed before somebody asks for them.
SITUATION_OF = {
    "StartScreen": "on the start screen",
    "DesignScreen": "while drawing a kitchen",
    "LessonScreen": "in the lesson",
    "PlayScreen": "while playing",
    "DebriefScreen": "after playing",
    "DuelScreen": "in a duel",
    "ComparisonScreen": "beside a fork",
    "ForkDialog": "in what if",
    "ModelCallsScreen": "over the questions",
    "TourScreen": "on the tour",
}


def is_a(screen: Screen[Any], *kinds: str) -> bool:
    """Returns whether a screen is of one of these classes, by name."""
    return any(kind.__name__ in kinds for kind in type(screen).__mro__)


def situation(stack: Stack) -> str:
    """Returns the situation of the screen on top, a key of `SITUATIONS`; that of the screen below a dialog."""
    screen = stack[-1]
    back = way_out(stack, is_web=False) == BACK
    if isinstance(screen, WatchScreen):
        return "in a fork" if screen.parted is not None else "while looking back" if back else "while watching"
    if is_a(screen, "BrowserScreen"):
        return "in a list of files"
    if is_a(screen, "TableScreen"):
        return "among games of a result" if back else "among results"
    known = next((name for kind, name in SITUATION_OF.items() if is_a(screen, kind)), None)
    return known or (situation(stack[:-1]) if len(stack) > 1 else "on the start screen")


def way_out(stack: Stack, *, is_web: bool) -> str | None:
    """Returns what escape does on the screen on top, MENU or BACK; None where that has its own use for it.

    A visitor in the browser has no menu if the server chose the game.
    """
    screen = stack[-1]
    if not is_a(screen, "WatchScreen", "DuelScreen", "DebriefScreen", "TableScreen") or _needs_escape(screen):
        return None
    below, first = stack[-2], len(stack) == 2  # Textual's empty screen is below all
    if is_a(below, "DebriefScreen", "TableScreen", "DesignScreen"):
        return BACK
    return MENU if is_a(below, "StartScreen") or (first and not is_web) else None


def _needs_escape(screen: Screen[Any]) -> bool:
    """Whether escape ends something on the screen itself: the cursor, tuning, or typing into the filter."""
    return screen.pointing or screen.tuning if isinstance(screen, WatchScreen) else isinstance(screen.focused, Input)
