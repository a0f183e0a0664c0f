"""Two people in one game: the hub, in the server's process, finds a partner for whoever comes and holds all rooms; and
a process's connection with it.

Who is looking for a partner says ``{"look": {…}}`` and is told ``{"pair": {…}}`` once there is another one: their seat,
and the number, group and order of games of the one who came first; not the other's code. For each game a process says
``{"join": {…}}``.

The room of a game collects the inputs of both and tells both, step by step, what to play: each person's process plays
the game by itself, and so both see the same world. The room beats only while both are connected, have counted down, and
neither stands still. Who comes back is sent the steps that they have missed.

Messages are one JSON object a line, over a socket of this machine.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from bba.agents import Controls, Decision, HumanInput
from bba.errors import BBAError
from bba.kitchen import constants
from bba.language import say
from bba.play import Tick, Trace
from human.study.model import StudyModel

LONGEST_MESSAGE = 2**20  # bytes of a message; a whole game of inputs has about a tenth of this

Message = dict[str, Any]
Inputs = tuple[HumanInput, HumanInput]  # of both seats in one step


def unpacked(sent: list[list[int | None]]) -> Inputs:
    """Returns the inputs of a step from what was sent."""
    return HumanInput(*sent[0]), HumanInput(*sent[1])


def inputs_of(trace: Trace) -> list[list[list[int | None]]]:
    """Returns the inputs from which people play the steps of a trace again, as they are sent."""
    return [_inputs_of_step(tick) for tick in trace.ticks]


def _inputs_of_step(tick: Tick) -> list[list[int | None]]:
    return [list(_input(decision)) for decision in tick.decisions]


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
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(cls, path: Path) -> "HubConnection":
        """Connects with the hub.

        Raises:
            BBAError: there is no hub.
        """
        try:
            reader, writer = await asyncio.open_unix_connection(path, limit=LONGEST_MESSAGE)
        except OSError:
            raise BBAError(say("the server that joins two people does not answer; please try again later")) from None
        return cls(reader, writer)

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


class ReceivedControls(Controls):
    """The controls of a seat as its agent reads them: the hub says what they are in each step."""

    received = HumanInput()

    def take(self) -> HumanInput:
        """Returns the input that the hub has sent for this step."""
        return self.received


Send = Callable[[Message], None]


class Room:
    """One game of a pair.

    Args:
        horizon: steps of the game.
        speed: steps a second.
        patience: seconds to wait for somebody who is missing, after which the game ends for the other.
    """

    def __init__(self, horizon: int, speed: float, patience: float) -> None:
        self._horizon = horizon
        self._speed = speed
        self._patience = patience
        self._controls = (Controls(), Controls())
        self._senders: dict[int, Send] = {}  # to those who are connected, by seat
        self._ready: set[int] = set()
        self._still: dict[int, str] = {}  # why somebody stands still, by seat
        self._sent_states: dict[int, str] = {}  # how the partner was last said to be, by the seat that was told
        self._beats: asyncio.Task[None] | None = None
        self.played: list[Inputs] = []
        self.given_up = False

    def join(self, seat: int, send: Send, steps: list[list[list[int | None]]]) -> None:
        """Lets somebody in who has played these steps, and sends the ones that they lack."""
        steps_here = len(self.played)
        if len(steps) > steps_here:  # this hub is younger than the game: the partner gets what it did not know
            self.played += [unpacked(step) for step in steps[steps_here:]]
            self._send_all(self._steps_from(steps_here))
        self._senders[seat] = send
        self._controls[seat].clear()
        send(self._steps_from(len(steps)))
        if self._beats is None:
            self._beats = asyncio.get_running_loop().create_task(self._run())
        self._send_states()

    def leave(self, seat: int, send: Send) -> None:
        """Notes that a connection was lost; the game stands still for the partner."""
        if self._senders.get(seat) is send:
            del self._senders[seat]
            self._ready.discard(seat)
            self._still.pop(seat, None)
            self._send_states()
            if not self._senders:
                self.close()  # an empty room takes no time

    def hear(self, seat: int, message: Message) -> None:
        """Takes what a person's process says."""
        controls = self._controls[seat]
        match message:
            case {"press": int(action)}:
                controls.press(action)
            case {"choose": int(skill)}:
                controls.choose(skill)
            case {"ready": True}:
                self._ready.add(seat)
            case {"still": str(reason)}:
                self._still[seat] = reason
            case {"still": None}:
                self._still.pop(seat, None)
            case {"give_up": True}:
                self.given_up = True
        self._send_states()

    def close(self) -> None:
        """Stops the beats."""
        if self._beats is not None:
            self._beats.cancel()
            self._beats = None

    @property
    def over(self) -> bool:
        """Whether the game has ended: at its horizon, or given up."""
        return self.given_up or len(self.played) >= self._horizon

    @property
    def _both_here(self) -> bool:
        return len(self._senders) == 2

    def _send_states(self) -> None:
        """Tells both how their partners are if that has changed, and the end of a game that was given up."""
        states = {seat: self._state_of(1 - seat) for seat in self._senders}
        for seat, send in self._senders.items():
            if self._sent_states.get(seat) != states[seat]:
                send({"partner": states[seat]})
        self._sent_states = states
        if self.given_up:
            self._send_all({"given_up": True})

    def _state_of(self, seat: int) -> str:
        """Returns "here", why somebody stands still, or "lost" for who is not connected."""
        return self._still.get(seat, "here") if self._both_here else "lost"

    async def _run(self) -> None:
        """Plays a step at every beat in which nobody is missing and nobody stands still; waits for who is missing."""
        loop = asyncio.get_running_loop()
        beat = loop.time()
        together = beat
        while not self.over:
            beat = max(beat + 1 / self._speed, loop.time())  # a beat that was missed is not made up for
            await asyncio.sleep(beat - loop.time())
            if self._both_here:
                together = beat
            elif beat - together > self._patience:  # too long for the one who waits
                self.given_up = True
                self._send_states()
            both_ready = len(self._ready & set(self._senders)) == 2
            if both_ready and not self._still and not self.over:
                self.played.append((self._controls[0].take(), self._controls[1].take()))
                self._send_all(self._steps_from(len(self.played) - 1))

    def _steps_from(self, first: int) -> Message:
        return {"from": first, "steps": self.played[first:]}

    def _send_all(self, message: Message) -> None:
        for send in list(self._senders.values()):
            send(message)


class PartnerSeeker(StudyModel):
    """Somebody without a partner: their code, number, group and order of games."""

    code: str
    number: int
    group: int
    row: int


class JoinRequest(StudyModel):
    """Somebody who comes to a game.

    Attributes:
        pair: the number of the pair.
        game: which game, from 0.
        seat: theirs.
        horizon, speed, patience: as in `Room`.
        steps: the inputs of the steps that they have played.
    """

    pair: int
    game: int
    seat: int
    horizon: int
    speed: float
    patience: float
    steps: tuple[list[list[int | None]], ...] = ()


class PairHub:
    """Joins people into pairs, and pairs with their games."""

    def __init__(self) -> None:
        self._rooms: dict[tuple[int, int], Room] = {}
        self._looking: tuple[PartnerSeeker, HubConnection] | None = None
        self._server: asyncio.Server | None = None
        self._connections: set[HubConnection] = set()

    async def open(self, path: Path) -> None:
        """Listens at a socket of this machine."""
        self._server = await asyncio.start_unix_server(self._serve, path, limit=LONGEST_MESSAGE)

    async def close(self) -> None:
        """Ends all games and all connections."""
        if self._server is not None:
            self._server.close()
        for room in self._rooms.values():
            room.close()
        for connection in list(self._connections):
            connection.close()
        while self._connections:
            await asyncio.sleep(0)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = HubConnection(reader, writer)
        self._connections.add(connection)
        try:
            async for message in connection.messages():
                match message:
                    case {"look": dict(fields)}:
                        self._find_partner(PartnerSeeker.model_validate(fields), connection)
                    case {"join": dict(fields)}:
                        await self._play(JoinRequest.model_validate(fields), connection)
        except ValidationError:
            pass  # not a client of ours
        finally:
            if self._looking is not None and self._looking[1] is connection:
                self._looking = None
            connection.close()
            self._connections.discard(connection)

    def _find_partner(self, person: PartnerSeeker, connection: HubConnection) -> None:
        """Pairs somebody with who waits for a partner; if nobody does, they wait themselves."""
        if self._looking is not None:
            first, first_connection = self._looking
            if first_connection.open_still and first.code != person.code:
                self._looking = None
                pair = {"number": first.number, "group": first.group, "row": first.row}
                first_connection.say({"pair": pair | {"seat": 0}})
                connection.say({"pair": pair | {"seat": 1}})
                return
        self._looking = (person, connection)

    async def _play(self, person: JoinRequest, connection: HubConnection) -> None:
        """Lets somebody into the room of their game until the connection ends."""
        game = (person.pair, person.game)
        if game not in self._rooms:
            self._rooms[game] = Room(person.horizon, person.speed, person.patience)
        room = self._rooms[game]
        send = connection.say
        room.join(person.seat, send, list(person.steps))
        try:
            async for message in connection.messages():
                room.hear(person.seat, message)
        finally:
            room.leave(person.seat, send)
