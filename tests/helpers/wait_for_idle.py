"""Waiting for the screen: for what a test is about to look at, however busy the machine is, and never for a time.

While it is waited for, a screen is drawn once, when all else is done, and not after each layout on the way: the first
time that it is waited for, and as it is at the end of a test. Pictures are drawn when they are asked for.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from weakref import WeakSet

import textual.app
import textual.pilot
import textual.screen
from textual._context import active_app
from textual._wait import wait_for_idle
from textual.app import App
from textual.screen import Screen

PATIENCE = 120.0  # seconds; reached only when something is broken
_draw = Screen._compositor_refresh
_run_test = App.run_test
_undrawn_screens: dict[App, set[Screen]] = {}  # of apps that are waited for
_drawn_screens: WeakSet[Screen] = WeakSet()
AT_WORK = 1.0  # seconds of computing after which an app that never rests is taken as it is
TURNS = 50  # of the loop between two looks at that time, each of which costs as much as a short turn
RESTS = 1000  # milliseconds of rest after which one that still has something to draw, but never does, is


async def until(pilot, holds) -> None:
    """Let the app go on, with its threads and timers, until something holds and all that follows from it is done."""
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, "it never came"
        await pilot.pause(0.01)
    await pilot.pause()


async def settled(*seconds: float) -> None:
    """Wait until the app has done all that follows from what it was told; as Textual does where its parts differ."""
    try:
        await _settled()
    except AttributeError:
        await wait_for_idle(*seconds)


async def _settled() -> None:
    """Wait until nothing is left to be done or drawn.

    Textual takes an app that has computed little for a fiftieth of a second for one that rests. On a busy machine it
    may just not have had its turn, and on an idle one that time is lost twice for every key: what is left to be done
    tells. What other threads compute says nothing about the app's own.
    """
    loop, app = asyncio.get_running_loop(), active_app.get(None)
    screens = _undrawn_screens.setdefault(app, set())
    worked, turns, rests = time.thread_time() + AT_WORK, 0, 0
    try:
        while rests < RESTS:
            turns += 1
            if turns % TURNS == 0 and time.thread_time() > worked:
                break
            await asyncio.sleep(0)
            if _due(loop):
                continue
            if screens and not _undrawn():
                _draw_all(app, screens)
            elif not _undrawn():
                break
            else:
                rests += 1
                await asyncio.sleep(0.001)
    finally:
        _undrawn_screens.pop(app, None)
        _draw_all(app, screens)


def _draw_all(app: App, screens: set[Screen]) -> None:
    while screens:
        screen = screens.pop()
        _drawn_screens.add(screen)
        try:
            _draw(screen)
        except Exception as error:  # noqa: BLE001 - the app says what went wrong, as it does when it draws by itself
            app._handle_exception(error)


@asynccontextmanager
async def _drawn_at_last(app: App, **options: Any) -> AsyncIterator[Any]:
    """Run an app for a test, and draw its screen once more when the test has passed."""
    async with _run_test(app, **options) as pilot:
        yield pilot
        if app._running and app._screen_stack:
            _drawn_screens.discard(app.screen)
            _draw_all(app, {app.screen})


def _draw_when_settled(screen: Screen) -> None:
    screen._dirty_widgets.clear()  # its compositor knows where they are
    if screen in _drawn_screens:
        return
    if screen.app in _undrawn_screens:
        _undrawn_screens[screen.app].add(screen)
    else:
        _draw(screen)


def _due(loop: asyncio.AbstractEventLoop) -> bool:
    """Whether a task can go on at once."""
    return bool(loop._ready or (loop._scheduled and loop._scheduled[0]._when <= loop.time()))


def _undrawn() -> bool:
    """Whether a change is not on the screen yet, or something waits for that."""
    try:
        app = active_app.get()
        screen = app.screen
    except (LookupError, textual.app.ScreenStackError):
        return False
    if app._exit or app._exception is not None:
        return False
    resized = app._resize_event is not None
    changed = screen._layout_required or screen._scroll_required or screen._repaint_required
    return bool(resized or changed or screen._recompose_required or screen._dirty_widgets or screen._callbacks)


async def _screen_settled(pilot, timeout: float = PATIENCE) -> bool:
    """Wait for the screen of a pilot; it asks every widget to answer, which costs as much as the key itself."""
    await settled()
    return True


def wait_for_the_app() -> None:
    """Let every pilot wait until its app has settled."""
    for module in (textual.app, textual.pilot):
        module.wait_for_idle = settled
    textual.pilot.Pilot._wait_for_screen = _screen_settled
    Screen._compositor_refresh = _draw_when_settled
    App.run_test = _drawn_at_last
    assert textual.screen.UPDATE_PERIOD
    textual.screen.UPDATE_PERIOD = 1 / 500  # seconds between two looks at what is to be drawn, for which all wait


async def drawn(pilot) -> None:
    """Let everything be drawn that waits for the layout."""
    await pilot.pause()
