"""The app in the browser: one process a visitor, behind a link with a secret in it."""

from tui.serve.command import serve

__all__ = ["serve"]
