"""How a visit ends: the page has a text for each end, and a visitor who does nothing for long is warned first."""

import time
from collections.abc import Callable, Mapping
from enum import StrEnum

from aiohttp import web

CLOSE_CODE = 4000  # of a closed websocket; the range is free for applications


class End(StrEnum):
    """Why a session ended."""

    FINISHED = "finished"
    SCREENED_OUT = "screened-out"
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
    await socket.close(code=CLOSE_CODE, message=end.value.encode())


IDLE_MINUTES = 15.0  # minutes without a key, a click or a move of the mouse
IDLE_VARIABLE = "BBA_TUI_IDLE"  # the variable by which a visitor's process is told another limit
WARNING = 60.0  # seconds before the limit at which the visitor is warned; half of a limit that is shorter than two
IDLE_LOOK_SECONDS = 5.0  # seconds between two looks
ARE_YOU_THERE = "Are you still there? Press any key; otherwise this session ends soon. What you did is saved."


def limit_of(environment: Mapping[str, str]) -> float:
    """Returns the limit in seconds that the server has set."""
    return float(environment.get(IDLE_VARIABLE, IDLE_MINUTES)) * 60


class IdleWatch:
    """Warns once, then ends, when a visitor has done nothing for long.

    Args:
        warn: tells the visitor.
        end: ends the session.
        limit: seconds after which it ends.
        now: returns the time in seconds.
    """

    def __init__(
        self,
        warn: Callable[[], object],
        end: Callable[[], object],
        limit: float = IDLE_MINUTES * 60,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._warn, self._end, self._limit, self._now = warn, end, limit, now
        self._warning = min(WARNING, limit / 2)
        self._last, self._warned = now(), False

    def note(self) -> None:
        """Notes that the visitor did something."""
        self._last, self._warned = self._now(), False

    def look(self) -> None:
        """Warns or ends if the time has come."""
        idle = self._now() - self._last
        if idle >= self._limit:
            self._end()
        elif idle >= self._limit - self._warning and not self._warned:
            self._warned = True
            self._warn()
