"""The pages of two people who play with one another: waiting for the other one."""

import asyncio
from collections.abc import Callable

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Button, Static

from human.pair.client import HubConnection
from human.pair.messages import Message
from tui.study.pages import Page

WAITING = "The game begins as soon as the other participant is there. Please stay here."
NOBODY = """Nobody has come for a while. What you have done is saved; the same code goes on from here another time.

Thank you for waiting."""


class WaitPage(Page[list[Message]]):
    """Shows that the other one is awaited; returns what the hub has said up to the message that ends the wait.

    If nobody comes it returns nothing.

    Args:
        hub: the connection.
        awaited: returns whether a message ends the wait.
        patience: seconds after which nobody is awaited any longer.
    """

    AUTO_FOCUS = ""

    def __init__(self, hub: HubConnection, awaited: Callable[[Message], bool], patience: float) -> None:
        super().__init__("Waiting")
        self._hub, self._awaited, self._patience = hub, awaited, patience

    def compose_box(self) -> ComposeResult:
        yield Static(WAITING, markup=False)
        with Horizontal(id="buttons"):
            yield Button("Stop waiting", id="no")

    def on_mount(self) -> None:
        self.run_worker(self._listen())

    async def _listen(self) -> None:
        heard: list[Message] = []
        try:
            async with asyncio.timeout(self._patience):
                async for message in self._hub.messages():
                    heard.append(message)
                    if self._awaited(message):
                        self.dismiss(heard)
                        return
        except TimeoutError:
            pass
        self.dismiss([])

    @on(Button.Pressed)
    def stop(self) -> None:
        """Stops waiting."""
        self.dismiss([])
