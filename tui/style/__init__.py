"""Themes, breakpoints, key bindings and the base class of both apps."""

from tui.style.base_app import (
    BUTTON_KEYS,
    PALETTES,
    BaseApp,
    bindings,
    key_of,
    motion_of,
    palette_of,
    shown,
)
from tui.style.base_screen import (
    BARS,
    FRAME,
    HEIGHTS,
    HINT,
    ROOMY_CLASS,
    SMALLEST,
    BackgroundTask,
    BaseScreen,
    Layer,
    Post,
    side_width,
)
from tui.style.terminal import BareColumn, KeepsLines, TerminalCells

__all__ = [
    "BARS",
    "BUTTON_KEYS",
    "FRAME",
    "HEIGHTS",
    "HINT",
    "PALETTES",
    "ROOMY_CLASS",
    "SMALLEST",
    "BackgroundTask",
    "BareColumn",
    "BaseApp",
    "BaseScreen",
    "KeepsLines",
    "Layer",
    "Post",
    "TerminalCells",
    "bindings",
    "key_of",
    "motion_of",
    "palette_of",
    "shown",
    "side_width",
]
