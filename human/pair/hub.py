"""The hub: finds a partner for whoever comes, and holds the rooms of all pairs. It runs in the server's process.

Who is looking for a partner says ``{"look": {…}}`` and is told ``{"pair": {…}}`` once there is another one; both are
told the number, group and order of games of the one who came first. For each game a process says ``{"join": {…}}``.
"""

import asyncio
from dataclasses import asdict, dataclass
from pathlib import Path

from pydantic import ValidationError

from human.pair.messages import LONGEST, Message, messages_from, send
from human.pair.room import Room
from human.study.model import StudyModel


class Looking(StudyModel):
    """Somebody without a partner: their code, number, group and order of games."""

    code: str
    number: int
    group: int
    row: int


class Joining(StudyModel):
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


@dataclass(frozen=True, slots=True)
class FoundPair:
    """A pair as one of the two is told: number, group and order of both, the own seat, and the other one's code."""

    number: int
    group: int
    row: int
    seat: int
    other: str


class PairHub:
    """Joins people into pairs, and pairs with their games."""

    def __init__(self) -> None:
        self._rooms: dict[tuple[int, int], Room] = {}
        self._looking: tuple[Looking, asyncio.StreamWriter] | None = None
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()

    async def open(self, path: Path) -> None:
        """Listens at a socket of this machine."""
        self._server = await asyncio.start_unix_server(self._serve, path, limit=LONGEST)

    async def close(self) -> None:
        """Ends all games and all connections."""
        if self._server is not None:
            self._server.close()
        for room in self._rooms.values():
            room.close()
        for writer in list(self._writers):
            writer.close()
        while self._writers:
            await asyncio.sleep(0)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serves one connection until it ends."""
        self._writers.add(writer)
        try:
            async for message in messages_from(reader):
                match message:
                    case {"look": dict(who)}:
                        self._look(Looking.model_validate(who), writer)
                    case {"join": dict(who)}:
                        await self._play(Joining.model_validate(who), reader, writer)
        except ValidationError:
            pass  # not a client of ours
        finally:
            if self._looking is not None and self._looking[1] is writer:
                self._looking = None
            writer.close()
            self._writers.discard(writer)

    def _look(self, who: Looking, writer: asyncio.StreamWriter) -> None:
        """Makes a pair of this one and the one who waits, or lets this one wait."""
        waiting = self._looking
        if waiting is None or waiting[1].is_closing() or waiting[0].code == who.code:
            self._looking = who, writer
            return
        (first, first_writer), self._looking = waiting, None
        for seat, other, told in ((0, who, first_writer), (1, first, writer)):
            found = FoundPair(first.number, first.group, first.row, seat, other.code)
            send(told, {"pair": asdict(found)})

    async def _play(self, who: Joining, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Lets somebody into the room of their game until the connection ends."""
        room = self._rooms.get((who.pair, who.game))
        if room is None:
            room = self._rooms[who.pair, who.game] = Room(who.horizon, who.speed, who.patience)

        def tell(message: Message) -> None:
            send(writer, message)

        room.join(who.seat, tell, list(who.steps))
        try:
            async for message in messages_from(reader):
                room.hear(who.seat, message)
        finally:
            room.leave(who.seat, tell)
