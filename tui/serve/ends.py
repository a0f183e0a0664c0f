"""How a visit ends; the page in the browser has a text for each."""

from enum import StrEnum

from aiohttp import web

CODE = 4000  # of a closed websocket; the range is free for applications


class End(StrEnum):
    """Why a session ended."""

    FINISHED = "finished"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    LEFT = "left"
    LEFT_STUDY = "left-study"
    IDLE = "idle"
    PROBLEM = "problem"
    FULL = "full"
    ELSEWHERE = "elsewhere"
    SERVER = "server"


def end_of(word: object) -> End:
    """Returns the end that a process names; that it has left if it names none."""
    return End(word) if isinstance(word, str) and word in list(End) else End.LEFT


async def close_with(socket: web.WebSocketResponse, end: End) -> None:
    """Closes a visitor's connection, and tells the page why."""
    await socket.close(code=CODE, message=end.value.encode())
