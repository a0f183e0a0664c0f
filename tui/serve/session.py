"""Visitors: their places, the process of each with almost nothing of this machine in it, and how a visit ends.

The ids of a recruiting platform in a visitor's link are checked, kept in a cookie, and told to the process.
"""

import asyncio
import json
import os
import secrets
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Literal, get_args
from urllib.parse import parse_qsl, urlencode

import jinja2
from aiohttp import web
from platformdirs import user_cache_path
from textual_serve.app_service import AppService

from bba.errors import BBAError
from bba.language import marked, say
from human.study import EndingName, Online, PlatformIds, ids_of
from tui.crash import FOLDER_VARIABLE, reports_folder
from tui.serve.log import cause_of

PAGES = Path(__file__).with_name("pages")
TEMPLATES = jinja2.Environment(
    loader=jinja2.FileSystemLoader(PAGES), autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True
)
CLOSE_CODE = 4000  # of a closed websocket; the range is free for applications


# Why a session ended: an ending of a study, or one after which the visitor can come again.
End = EndingName | Literal["left", "left-study", "full", "busy", "elsewhere", "flood", "server"]
ENDS = tuple(name for names in get_args(End) for name in get_args(names))


# The task that reads what a visitor's browser sends and closes the connection; and why it closes.
READING: web.ResponseKey[asyncio.Task[None]] = web.ResponseKey("reading", asyncio.Task)
WHY: web.ResponseKey[str] = web.ResponseKey("why", str)
CLOSING_SECONDS = 2.0  # seconds in which a browser must close its side, too


async def close_with(socket: web.WebSocketResponse, end: End) -> None:
    """Closes a visitor's connection, and tells the page why.

    What the browser still sends is read until it has closed its side, too: a connection that is closed with keys
    unread is reset, and the page does not learn why.
    """
    if READING not in socket:
        await socket.close(code=CLOSE_CODE, message=end.encode())
    elif WHY not in socket:
        socket[WHY] = end
        socket[READING].cancel()
        await asyncio.wait([socket[READING]])


IDLE_MINUTES = 15.0  # minutes without a key, a click or a move of the mouse
IDLE_VARIABLE = "BBA_TUI_IDLE"  # the variable by which a visitor's process is told another limit
WARNING = 60.0  # seconds before the limit at which the visitor is warned; half of a limit that is shorter than two
ARE_YOU_THERE = marked("Are you still there? Press any key; otherwise this session ends soon. What you did is saved.")


def limit_of(environment: Mapping[str, str]) -> float:
    """Returns the limit in seconds that the server has set."""
    return float(environment.get(IDLE_VARIABLE, IDLE_MINUTES)) * 60


HANG_UP_SECONDS = 5.0  # seconds in which a process must end by itself
MOST_UNREAD = 64 * 1024  # bytes that wait until a process reads them; it is told no more meanwhile
# columns or lines that a browser may ask for
SMALLEST = 10
LARGEST = 500
PASSED_ON = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "SYSTEMROOT", "PYTHONPATH")
KERNELS = "NUMBA_CACHE_DIR"  # where compiled kernels are kept, if not in the home's cache folder
DRIVER = "tui.serve.driver:VisitorDriver"


class VisitorSession(AppService):
    """A process that shows the app to one visitor.

    Args:
        settings: the settings, as JSON.
        home: its home folder; what it stores there is lost at the end.
        end: closes the visitor's connection, and says why.
        report: says in a line what the visitor does not read.
        environment: further variables of its environment.
        connection: the remaining arguments of `AppService`.
    """

    def __init__(
        self,
        settings: str,
        home: Path,
        *,
        end: Callable[[End], Awaitable[None]],
        report: Callable[[str], object] = lambda _: None,
        environment: Mapping[str, str] = MappingProxyType({}),
        **connection: object,
    ) -> None:
        super().__init__("", **connection)  # type: ignore[arg-type]  # passed on as they came
        self._settings = settings
        self._home = home
        self._end = end
        self._variables = environment
        self._report = report
        # whether the process has drawn anything, and has said why it ends
        self._drawn = False
        self._ended = False

    async def run(self) -> None:
        """Shows what the process draws until it ends; where it ends without a word, it was killed or has failed.

        Where what it says cannot be shown, the visit ends, too: nothing would be read of it any more.
        """
        try:
            await super().run()
        except Exception as problem:  # noqa: BLE001 - whatever it is, the visitor must not wait for ever
            self._report(f"a visitor's page could not be shown: {cause_of(problem)}")
        if not self._ended:
            await self._end("fault")

    async def on_data(self, payload: bytes) -> None:
        """Passes on what the process draws; of a visitor who has gone it is read all the same, so that it can end."""
        self._drawn = True
        with suppress(ConnectionError):
            await super().on_data(payload)

    async def on_meta(self, data: bytes) -> None:
        """Passes on what the process says beside its screen: a page as a form; at its end, why it ends."""
        with suppress(ConnectionError):
            await self._pass_on(data)

    async def _pass_on(self, data: bytes) -> None:
        message = json.loads(data)
        if message["type"] == "exit":
            self._ended = True
            why = message.get("why")
            await self._end(why if why in ENDS else "left")
        elif message["type"] == "page":
            form = ""
            if message["form"]:
                form = TEMPLATES.get_template("form.html").render(message["form"], say=say)
            await self.remote_write_str(json.dumps(["form", form]))
        elif message["type"] == "notice":
            await self.remote_write_str(json.dumps(["notice", message["text"]]))
        elif message["type"] == "problem":  # for those who run the study alone
            self._report(message["text"])
        else:
            await super().on_meta(data)

    def _build_environment(self, width: int = 80, height: int = 24) -> dict[str, str]:
        """Returns the environment of the process: a few harmless variables, and those that the screen needs."""
        passed_on = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        return passed_on | {
            "HOME": str(self._home),
            "TMPDIR": str(self._home),
            KERNELS: os.environ.get(KERNELS, str(user_cache_path("bba-tui"))),  # compiled once for all visitors
            FOLDER_VARIABLE: str(reports_folder()),  # the home folder of a visitor goes with the visit
            "TEXTUAL_DRIVER": DRIVER,
            **self._variables,
            "TEXTUAL_FPS": "60",
            "TEXTUAL_COLOR_SYSTEM": "truecolor",
            "TERM_PROGRAM": "textual",
            "COLUMNS": str(_clamped(width)),
            "ROWS": str(_clamped(height)),
        }

    async def _open_app_process(self, width: int = 80, height: int = 24) -> asyncio.subprocess.Process:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "tui.visitor",
            self._settings,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=self._build_environment(width, height),
        )
        self._process = process
        self._stdin = process.stdin
        return process

    async def set_terminal_size(self, width: int, height: int) -> None:
        """Forwards the size of the visitor's terminal, within limits."""
        await super().set_terminal_size(_clamped(width), _clamped(height))

    async def send_bytes(self, data: bytes) -> bool:
        """Passes on keys; returns whether the process still reads what it is told."""
        return self._tell(self.encode_packet(b"D", data))

    async def send_meta(self, data: Mapping[str, object]) -> bool:
        """Passes on what is no key; returns whether the process still reads what it is told."""
        return self._tell(self.encode_packet(b"M", json.dumps(data).encode()))

    def _tell(self, packet: bytes) -> bool:
        """Passes something on without waiting: who waits here does not see that the visitor leaves."""
        pipe = self._stdin
        if pipe is None or pipe.is_closing() or pipe.transport.get_write_buffer_size() > MOST_UNREAD:
            return False
        pipe.write(packet)
        return True

    async def stop(self) -> None:
        """Ends the process, by force where it does not end by itself or has not begun: it hears nothing before that."""
        process = self._process
        if process is None:
            return
        if self._task is not None and not self._drawn:
            self._ended = self._task.cancel()
            process.kill()
        elif self._task is not None and not self._ended and sys.platform != "win32" and process.returncode is None:
            process.terminate()  # it hears that at once, however many keys it has still to read
        with suppress(TimeoutError):
            await asyncio.wait_for(super().stop(), HANG_UP_SECONDS)
        try:
            await asyncio.wait_for(process.wait(), HANG_UP_SECONDS)
        except TimeoutError:
            process.kill()
            await process.wait()


def _clamped(cells: int) -> int:
    return max(SMALLEST, min(LARGEST, int(cells)))


@dataclass(eq=False)
class Visit:
    """A visitor's connection; `over` is set once the process behind it has ended.

    Attributes:
        visitor: who it is; None where nobody can return.
        socket: the connection.
    """

    visitor: str | None
    socket: web.WebSocketResponse
    over: asyncio.Event = field(default_factory=asyncio.Event)


class Visits:
    """Counts the visitors. One who returns takes the place of the visit before, which is ended first.

    Args:
        places: how many visitors there may be.
    """

    def __init__(self, places: int) -> None:
        self.places = places
        self._visits: list[Visit] = []

    @property
    def taken(self) -> int:
        """The number of visitors."""
        return len(self._visits)

    def full(self, visitor: str | None) -> bool:
        """Whether there is no place for this visitor."""
        return self.taken >= self.places and not self._visits_of(visitor)

    async def close_all(self) -> None:
        """Tells every visitor that the server ends."""
        await asyncio.gather(*(close_with(visit.socket, "server") for visit in self._visits))

    @asynccontextmanager
    async def place(self, visitor: str | None, socket: web.WebSocketResponse) -> AsyncIterator[bool]:
        """Takes a place for a `Visit`; yields whether there is one. An earlier one of the same visitor is ended."""
        for visit in self._visits_of(visitor):
            await close_with(visit.socket, "elsewhere")
            await visit.over.wait()
        if self.taken >= self.places:
            yield False
            return
        visit = Visit(visitor, socket)
        self._visits.append(visit)
        try:
            yield True
        finally:
            self._visits.remove(visit)
            visit.over.set()

    def _visits_of(self, visitor: str | None) -> list[Visit]:
        return [visit for visit in self._visits if visitor is not None and visit.visitor == visitor]


VISITOR = "bba-tui-visitor"  # the cookie by which a visitor who comes again is known
LINK = "bba-tui-link"  # the cookie with the ids of the link
KEPT_SECONDS = 30 * 24 * 3600  # seconds for which both are kept: a study may be continued on another day
MISSING_ID = marked("The link has no id of a participant. Please come from the page that sent you here.")


class LinkIds:
    """What a server knows of who its visitors are.

    Args:
        online: the table of the study; None where visitors have no ids.
        secure: whether cookies are sent through TLS only.
    """

    def __init__(self, online: Online | None, *, secure: bool) -> None:
        self._online = online
        self._secure = secure

    def keep(self, request: web.Request, answer: web.StreamResponse) -> None:
        """Sets the cookies that are to be set with a page.

        Raises:
            HTTPBadRequest: the link has no id of a participant, or an impossible one.
        """
        if VISITOR not in request.cookies:
            self._set(answer, VISITOR, secrets.token_urlsafe(16))
        if self._online is None:
            return
        try:
            if ids_of(self._online, request.query) is None:
                self.ids(request)
            else:
                names = self._online.parameters.values()
                values = {name: request.query[name] for name in names if name in request.query}
                self._set(answer, LINK, urlencode(values))
        except BBAError as error:
            raise web.HTTPBadRequest(text=f"{error}\n") from None

    def ids(self, request: web.Request) -> PlatformIds | None:
        """Returns a visitor's ids; None where visitors have none.

        Raises:
            BBAError: the study needs ids, and the visitor has none.
        """
        if self._online is None:
            return None
        query = dict(parse_qsl(request.cookies.get(LINK, "")[:600]))
        ids = ids_of(self._online, query, request.cookies.get(VISITOR))
        if ids is None:
            raise BBAError(say(MISSING_ID))
        return ids

    def _set(self, answer: web.StreamResponse, name: str, value: str) -> None:
        answer.set_cookie(
            name, value, max_age=KEPT_SECONDS, httponly=True, samesite="Lax", secure=self._secure, path="/"
        )
