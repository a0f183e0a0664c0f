"""A process's connection with the hub, and the controls that pass through it."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

from bba.agents.human import Controls, HumanInput
from bba.errors import BBAError
from human.pair.messages import LONGEST, Message, messages_from, send

HUB = "BBA_TUI_PAIRS"  # the variable of the environment with the hub's socket, which the server sets


class HubConnection:
    """A connection with the hub.

    Args:
        reader, writer: of the socket.
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    @classmethod
    async def open(cls, path: Path) -> "HubConnection":
        """Connects with the hub.

        Raises:
            BBAError: there is no hub.
        """
        try:
            return cls(*await asyncio.open_unix_connection(path, limit=LONGEST))
        except OSError:
            raise BBAError("the server that joins two people does not answer; please try again later") from None

    def say(self, message: Message) -> None:
        """Sends a message."""
        send(self._writer, message)

    def messages(self) -> AsyncIterator[Message]:
        """Yields what the hub says, until the connection ends."""
        return messages_from(self._reader)

    def close(self) -> None:
        """Ends the connection."""
        self._writer.close()


class SentControls(Controls):
    """The controls of the person at this screen: what is pressed goes to the hub, which says when it is played."""

    def __init__(self, hub: HubConnection) -> None:
        super().__init__()
        self._hub = hub

    def press(self, action: int) -> None:
        """Sends a primitive action."""
        self._hub.say({"press": action})

    def choose(self, skill: int) -> None:
        """Sends a skill."""
        self._hub.say({"choose": skill})

    def declare(self, role: int) -> None:
        """Sends a declaration."""
        self._hub.say({"declare": role})


class GivenControls(Controls):
    """The controls of a seat as its agent reads them: the hub says what they are in each step."""

    given = HumanInput()

    def take(self) -> HumanInput:
        """Returns what the hub said of this step."""
        return self.given
