"""What an app has said in passing. It forgets that after seconds, which a busy machine may take for a key."""

from weakref import WeakKeyDictionary

from textual.app import App

from tests.helpers.wait_for_idle import until
from tui.style import base_screen

LONG = 3600.0  # seconds for which a hint is shown in tests, and not said again

_notify = App.notify
_said: WeakKeyDictionary[App, list[str]] = WeakKeyDictionary()


def said(app) -> list[str]:
    """Returns everything that the app has said in passing, in order."""
    return _said.get(app, [])


async def notified(app, pilot, text: str) -> str:
    """Waits until the app has said in passing something that contains a text, and returns it."""
    await until(pilot, lambda: any(text in message for message in said(app)))
    return next(message for message in said(app) if text in message)


def _notify_and_remember(app, message, **options) -> None:
    _said.setdefault(app, []).append(message)
    _notify(app, message, **options)


def remember_notifications() -> None:
    """Lets every app of this process remember what it says, and its hints last as long as a test."""
    App.notify = _notify_and_remember
    base_screen.HINT = LONG
