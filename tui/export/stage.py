"""The watch screen without a terminal: a finished game is played to it step by step, as if it were watched."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

from textual.pilot import Pilot

from bba.errors import BBAError
from bba.play import Tick, Trace
from tui.app.app import BBAApp
from tui.playback.source import LiveSource

SIZE = (120, 40)  # columns and lines


class ReplayedTrace:
    """A game that was played before, as one that goes on: its trace grows by the ticks of the whole."""

    def __init__(self, whole: Trace) -> None:
        self._whole = whole
        self.trace = replace(whole, ticks=[])

    @property
    def done(self) -> bool:
        """Whether the game is over."""
        return len(self.trace.ticks) >= self.trace.config.horizon

    def step(self) -> Tick:
        """The next tick.

        Raises:
            BBAError: there is none.
        """
        if len(self.trace.ticks) == len(self._whole.ticks):
            raise BBAError("the game was not played further")
        self.trace.ticks.append(self._whole.ticks[len(self.trace.ticks)])
        return self.trace.ticks[-1]


def perform_offscreen(trace: Trace, steps: range, speed: float, show: Callable[[BBAApp], None]) -> None:
    """Play a game to the watch screen and call `show` after each of these steps, when all is drawn.

    The title says that the game runs at `speed`. Runs an event loop of its own: in an app, call it in a thread.
    """
    asyncio.run(_perform(trace, steps, speed, show))


async def _perform(trace: Trace, steps: range, speed: float, show: Callable[[BBAApp], None]) -> None:
    feed = LiveSource(lambda: ReplayedTrace(trace))
    app = BBAApp(feed, speed=speed, autostart=False)
    async with app.run_test(size=SIZE) as pilot:
        await _settle(pilot)
        if app.game_screen is None:
            raise ValueError("the app was given a game and shows none")
        app.game_screen.playing = True
        for step in steps:
            while len(feed.trace.ticks) < step:
                feed.step()
            app.game_screen.action_newest()
            await _settle(pilot)
            show(app)


async def _settle(pilot: Pilot[None]) -> None:
    """Let everything be drawn; what scrolls does so a round later."""
    await pilot.pause(0)
    await pilot.pause(0)
