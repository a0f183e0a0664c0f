"""Messages between the hub and its clients: one JSON object a line, over a socket of this machine."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from bba.agents import Decision
from bba.agents.human import HumanInput
from bba.kitchen import constants
from bba.play import Trace

LONGEST = 2**20  # bytes of a message; a whole game of inputs has about a tenth of this

Message = dict[str, Any]
Inputs = tuple[HumanInput, HumanInput]  # of both seats in one step


def send(writer: asyncio.StreamWriter, message: Message) -> None:
    """Sends a message, unless the connection is closing."""
    if not writer.is_closing():
        writer.write(json.dumps(message).encode() + b"\n")


async def messages_from(reader: asyncio.StreamReader) -> AsyncIterator[Message]:
    """Yields messages until the connection ends, or something arrives that is none."""
    try:
        while line := await reader.readline():
            message = json.loads(line)
            if not isinstance(message, dict):
                return
            yield message
    except (ValueError, OSError):  # no JSON, or too long; or the connection broke
        return


def packed(inputs: Inputs) -> list[list[int | None]]:
    """Returns the inputs of a step as they are sent."""
    return [list(given) for given in inputs]


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
