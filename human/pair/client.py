"""A process's connection with the hub, and the controls that pass through it.

Messages are one JSON object a line, over a socket of this machine.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from bba.agents import Decision
from bba.agents.human import Controls, HumanInput
from bba.errors import BBAError
from bba.kitchen import constants
from bba.play import Trace

LONGEST_MESSAGE = 2**20  # bytes of a message; a whole game of inputs has about a tenth of this

Message = dict[str, Any]
Inputs = tuple[HumanInput, HumanInput]  # of both seats in one step


def unpacked(sent: list[list[int | None]]) -> Inputs:
    """Returns the inputs of a step from what was sent."""
    first, second = (HumanInput(*given) for given in sent)
    return first, second


def inputs_of(trace: Trace) -> list[list[list[int | None]]]:
    """Returns the inputs from which people play the steps of a trace again, as they are sent."""
    return [[list(_input(decision)) for decision in tick.decisions] for tick in trace.ticks]


def _input(decision: Decision) -> HumanInput:
    if decision.skill == constants.NO_SKILL:
        return HumanInput(decision.action, None, decision.declared_role)
    return HumanInput(None, decision.skill if decision.chosen else None, decision.declared_role)


HUB = "BBA_TUI_PAIRS"  # the variable of the environment with the hub's socket, which the server sets


class HubConnection:
    """One end of a connection between the hub and a process.

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
            return cls(*await asyncio.open_unix_connection(path, limit=LONGEST_MESSAGE))
        except OSError:
            raise BBAError("the server that joins two people does not answer; please try again later") from None

    @property
    def open_still(self) -> bool:
        """Whether messages can still be sent."""
        return not self._writer.is_closing()

    def say(self, message: Message) -> None:
        """Sends a message, unless the connection is closing."""
        if self.open_still:
            self._writer.write(json.dumps(message).encode() + b"\n")

    async def messages(self) -> AsyncIterator[Message]:
        """Yields messages until the connection ends, or something arrives that is none."""
        with suppress(ValueError, OSError):  # no JSON, or too long; or the connection broke
            while line := await self._reader.readline():
                message = json.loads(line)
                if not isinstance(message, dict):
                    return
                yield message

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
