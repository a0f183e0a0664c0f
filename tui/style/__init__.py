"""Themes, breakpoints, key bindings and the base class of both apps."""

from tui.style.base_app import BaseApp, bindings, key_of, shown
from tui.style.base_screen import BARS, FRAME, BackgroundTask, BaseScreen, Layer

__all__ = [
    "BARS",
    "FRAME",
    "BackgroundTask",
    "BaseApp",
    "BaseScreen",
    "Layer",
    "bindings",
    "key_of",
    "shown",
]
