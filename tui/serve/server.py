"""The server: a page with a terminal in it, and a process for each visitor; and a page for researchers."""

import asyncio
import signal
import socket
import tempfile
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from aiohttp import WSCloseCode, WSMessage, WSMsgType, web
from textual_serve.server import Server, to_int

from bba.errors import BBAError
from bba.language import LANGUAGE, marked, say
from human.pair import HUB, PairHub
from human.study import IDS, PlatformIds, Study, StudyFolder
from human.study.participant_status import ParticipantStatus, participant_statuses
from tui.serve.auth import Address, AuthMiddleware
from tui.serve.connections import LOOK_SECONDS, Connections, connections_beside
from tui.serve.limits import VisitorLimits
from tui.serve.log import one_line_logger, say_in_one_line
from tui.serve.session import (
    CLOSE_CODE,
    CLOSING_SECONDS,
    IDLE_MINUTES,
    IDLE_VARIABLE,
    PAGES,
    READING,
    TEMPLATES,
    VISITOR,
    WHY,
    End,
    LinkIds,
    VisitorSession,
    Visits,
    close_with,
)

TERMINAL_SIZE = {"width": 80, "height": 24}  # columns and rows where the browser does not say
HUB_SOCKET = "pairs"  # its name in the folder of the homes
LARGEST_MESSAGE = 64 * 1024  # bytes of a message from a browser


class AppServer(Server):
    """Serves the app to a limited number of visitors at the same time.

    Args:
        address: where to serve.
        settings: the settings of every visitor's session, as JSON.
        sessions: how many visitors there may be.
        homes: a folder for the home folders of the visitors' processes.
        study: the study that visitors take part in, if it is one.
        idle: minutes without a key or a click after which a visitor leaves the place to others.
        token: the secret of the link; None for a new one.
    """

    def __init__(
        self,
        address: Address,
        settings: str,
        sessions: int,
        homes: Path,
        *,
        idle: float = IDLE_MINUTES,
        study: Study | None = None,
        token: str | None = None,
    ) -> None:
        super().__init__("bba-tui", address.host, address.port, public_url=address.url)
        self.auth = AuthMiddleware(address, token, study.language if study else "en")
        self.log = one_line_logger()
        self.connections = Connections(self.log, connections_beside(sessions, self.log))
        self._settings = settings
        self._homes = homes
        self._idle = idle
        self._study = study
        self._online = study.online if study else None
        self._ids = LinkIds(self._online, secure=address.url.startswith("https"))
        self._visits = Visits(sessions)
        self._hub = PairHub() if study and study.people == 2 else None

    async def application(self) -> web.Application:
        """Returns the routes, all of them behind the access control."""
        app = web.Application(
            middlewares=[self.connections.middleware, self.auth.middleware], client_max_size=LARGEST_MESSAGE
        )
        app.add_routes(
            [
                web.get("/", self.page),
                web.get("/ws", self.handle_websocket),
                web.static("/pages", PAGES),
                web.static("/static", self.statics_path),
            ]
        )
        app.on_shutdown.append(self._close_sockets)
        if self._hub is not None:
            await self._hub.open(self._homes / HUB_SOCKET)
        return app

    def places(self) -> tuple[int, int]:
        """Returns how many places are taken, and how many there are."""
        return self._visits.taken, self._visits.places

    async def page(self, request: web.Request) -> web.Response:
        """Returns the page with the terminal, or another page where every place is taken."""
        full = self._visits.full(self._visitor(request))
        socket = f"{'wss' if self.public_url.startswith('https') else 'ws'}://{request.host}/ws"
        template = TEMPLATES.get_template("full.html" if full else "index.html")
        page = template.render(
            socket=socket, sessions=self._visits.places, language=LANGUAGE.get(), study=self._study, say=say
        )
        answer = web.Response(text=page, content_type="text/html", status=503 if full else 200)
        self._ids.keep(request, answer)
        return answer

    def _visitor(self, request: web.Request) -> str | None:
        """Returns who asks; None outside of studies, where everybody who comes is somebody else."""
        return request.cookies.get(VISITOR) if self._study else None

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        """Connects a visitor's browser with a process until one of the two ends."""
        socket = web.WebSocketResponse(
            heartbeat=15, timeout=CLOSING_SECONDS, max_msg_size=LARGEST_MESSAGE, autoping=False
        )
        await socket.prepare(request)
        async with self._visits.place(self._visitor(request), socket) as free:
            if free:
                await self._connect(request, socket)
            else:
                await close_with(socket, "full")
        return socket

    async def _connect(self, request: web.Request, socket: web.WebSocketResponse) -> None:
        try:
            ids = self._ids.ids(request)
        except BBAError:
            await close_with(socket, "fault")
            return
        of_visitor = {} if ids is None else {IDS: ids.model_dump_json()}
        pairing = {} if self._hub is None else {HUB: str(self._homes / HUB_SOCKET)}  # known where people play in pairs
        try:
            home = tempfile.TemporaryDirectory(dir=self._homes, ignore_cleanup_errors=True)
        except OSError as error:
            self._say_busy(error)
            await close_with(socket, "busy")
            return
        with home:
            session = VisitorSession(
                self._settings,
                Path(home.name),
                write_bytes=socket.send_bytes,
                write_str=socket.send_str,
                close=socket.close,
                end=partial(self._end, socket, ids),
                report=self.log.warning,
                environment={IDLE_VARIABLE: str(self._idle), **of_visitor, **pairing},
                download_manager=self.download_manager,
            )
            try:
                if not await self._start(request, session):
                    await close_with(socket, "busy")
                    return
                socket[READING] = asyncio.create_task(self._forward(socket, session))
                with suppress(asyncio.CancelledError):  # as soon as the connection is to be closed
                    await socket[READING]
            finally:
                await asyncio.shield(session.stop())

    async def _start(self, request: web.Request, session: VisitorSession) -> bool:
        """Starts a visitor's process; returns whether the system has let us."""
        try:
            await session.start(*(to_int(request.query.get(name, ""), cells) for name, cells in TERMINAL_SIZE.items()))
        except OSError as error:
            self._say_busy(error)
            return False
        return True

    def _say_busy(self, error: OSError) -> None:
        self.log.warning("a visitor could not be served: %s", error.strerror or error)

    async def _end(self, socket: web.WebSocketResponse, ids: PlatformIds | None, end: End) -> None:
        """Tells the page why the session ends, and what the visitor is given for it."""
        code_and_link = self._online.code_and_link(end, ids) if self._online else None
        if code_and_link:
            with suppress(ConnectionError):  # the visitor has gone
                await socket.send_json(["given", code_and_link])
        await close_with(socket, end)

    async def _forward(self, socket: web.WebSocketResponse, session: VisitorSession) -> None:
        """Forwards the browser's messages to the process; an invalid message, and far too many, end the session."""
        limits = VisitorLimits()
        try:
            async for message in socket:
                if message.type not in (WSMsgType.TEXT, WSMsgType.PING, WSMsgType.PONG):
                    break
                if not limits.endure(len(message.data)):
                    self.log.warning("a visitor who sent far more than anybody types was sent away")
                    socket[WHY] = "flood"
                    break
                try:
                    if limits.take(len(message.data)):
                        await self._pass_on(message, socket, session, limits)
                except (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, RecursionError):
                    await socket.close(code=WSCloseCode.UNSUPPORTED_DATA)
        except TimeoutError:  # nobody answers at the other end
            pass
        finally:
            await socket.close(code=CLOSE_CODE, message=socket.get(WHY, "").encode())

    async def _pass_on(
        self, message: WSMessage, socket: web.WebSocketResponse, session: VisitorSession, limits: VisitorLimits
    ) -> None:
        if message.type == WSMsgType.TEXT:
            await self._handle(message.json(), socket, session, limits)
        elif message.type == WSMsgType.PING:
            await socket.pong(message.data)

    async def _handle(
        self, message: list[object], socket: web.WebSocketResponse, session: VisitorSession, limits: VisitorLimits
    ) -> None:
        match message:
            case ["stdin", str(keys)]:
                if limits.take_keys(keys):
                    await session.send_bytes(keys.encode())
            case ["resize", {"width": int(width), "height": int(height)}]:
                await session.set_terminal_size(width, height)
            case ["ping", when]:
                await socket.send_json(["pong", when])
            case ["form", dict(said)]:
                await session.send_meta(said | {"type": "form"})
            case ["focus" | "blur" as kind, *_]:
                await (session.focus() if kind == "focus" else session.blur())
            case _:
                raise ValueError("not a message of the page")

    async def _close_sockets(self, app: web.Application) -> None:  # noqa: ARG002 - as aiohttp calls it
        """Closes the connection of every visitor, whose process then ends."""
        await self._visits.close_all()
        if self._hub is not None:
            await self._hub.close()


# The states of a participant in words.
STATES = marked({"here": "taking part", "waits": "waiting", "away": "away", "done": "done", "excluded": "excluded"})


class Monitor:
    """Serves the page for researchers, which shows itself anew: who is where, who waits, who is done.

    It has a link and an address of its own.

    Args:
        address: where to serve.
        folder: the study.
        places: returns how many places are taken, and how many there are.
        now: returns the time.
    """

    def __init__(
        self,
        address: Address,
        folder: StudyFolder,
        places: Callable[[], tuple[int, int]],
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.auth = AuthMiddleware(address, language=folder.study.language)
        self._folder = folder
        self._places = places
        self._now = now

    def application(self, connections: Connections | None = None) -> web.Application:
        """Returns the routes, behind the access control; `connections` are those of the server."""
        watch = [] if connections is None else [connections.middleware]
        app = web.Application(middlewares=[*watch, self.auth.middleware], client_max_size=1024)
        app.add_routes([web.get("/", self.page)])
        return app

    async def page(self, request: web.Request) -> web.Response:  # noqa: ARG002 - as aiohttp calls it
        """Returns the page."""
        try:
            text = monitor_page(self._folder, self._places(), self._now())
        except BBAError as error:
            return web.Response(text=f"{error}\n", status=500)
        return web.Response(text=text, content_type="text/html")


def monitor_page(folder: StudyFolder, places: tuple[int, int], now: datetime) -> str:
    """Returns the page as HTML.

    Raises:
        BBAError: a file of the study cannot be read.
    """
    statuses = participant_statuses(folder)
    counts: list[str] = []
    for state, name in STATES.items():
        number = sum(status.state == state for status in statuses)
        counts.append(f"{say(name)}: {number}")
    counts.append(f"{say('withdrawn')}: {folder.withdrawals().withdrawn}")
    return TEMPLATES.get_template("monitor.html").render(
        title=folder.study.title,
        summary=f"{say('participants')}: {len(statuses)} · {' · '.join(counts)}",
        language=LANGUAGE.get(),
        say=say,
        places=places,
        rows=[(status.state, _cells(status, now)) for status in statuses],
        now=f"{now:%Y-%m-%d %H:%M:%S}",
    )


def _cells(status: ParticipantStatus, now: datetime) -> tuple[str, ...]:
    progress = status.progress
    state = say(STATES[status.state])
    if status.why:
        state = f"{state}: {status.why}"
    last = "–" if status.last is None else _ago((now - status.last).total_seconds())
    interruptions = sum(len(game.resumed) for game in progress.games)
    return (
        str(progress.number + 1),
        progress.participant,
        say(STATES.get(status.where, status.where)),
        state,
        last,
        f"{progress.consented:%H:%M}",
        str(interruptions or "–"),
    )


def _ago(seconds: float) -> str:
    units = ((86_400, "d"), (3600, "h"), (60, "min"))
    for size, unit in units:
        if seconds >= size:
            return say("{time} ago", time=f"{seconds / size:.0f} {unit}")
    return say("{time} ago", time=f"{max(seconds, 0):.0f} s")


Listening = tuple[Monitor, socket.socket]  # the page for researchers, and where it listens


def run_until_interrupted(server: AppServer, listener: socket.socket, beside: Listening | None = None) -> None:
    """Serves until Ctrl+C or SIGTERM, and then ends every session."""
    with suppress(KeyboardInterrupt, asyncio.CancelledError):
        asyncio.run(_run(server, listener, beside))


async def _run(server: AppServer, listener: socket.socket, beside: Listening | None) -> None:
    task = asyncio.current_task()
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(say_in_one_line(server.log))
    if task is not None:
        with suppress(NotImplementedError):  # not in this system
            for number in (signal.SIGINT, signal.SIGTERM):  # also where a shell has started it in the background
                loop.add_signal_handler(number, task.cancel)
    pages = [(await server.application(), listener)]
    if beside is not None:
        pages.append((beside[0].application(server.connections), beside[1]))
    runners = [web.AppRunner(app, access_log=None, logger=server.log) for app, _ in pages]
    accepting: list[asyncio.Task[None]] = []
    try:
        for runner, (_, open_socket) in zip(runners, pages, strict=True):
            await runner.setup()
            if runner.server is not None:
                accepting.append(asyncio.create_task(server.connections.accept(open_socket, runner.server)))
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            server.connections.look()
    finally:
        for accept_task in accepting:
            accept_task.cancel()
        for runner in runners:
            await runner.cleanup()
