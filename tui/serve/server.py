"""The server: a page with a terminal in it, and a process for each visitor."""

import asyncio
import html
import tempfile
from contextlib import suppress
from functools import partial
from pathlib import Path

from aiohttp import WSCloseCode, WSMsgType, web
from textual_serve.server import Server, to_int

from bba.errors import BBAError
from human.pair.client import HUB
from human.pair.hub import PairHub
from human.study import Study
from tui.serve.address import Address
from tui.serve.auth import AuthMiddleware
from tui.serve.ends import End, close_with
from tui.serve.half_open import HalfOpenWatch
from tui.serve.idle import IDLE, IDLE_MINUTES
from tui.serve.link_ids import VISITOR, LinkIds
from tui.serve.session import VisitorSession
from tui.serve.visits import Visits

PAGES = Path(__file__).with_name("pages")
SIZE = {"width": 80, "height": 24}  # columns and rows where the browser does not say
HUB_SOCKET = "pairs"  # its name in the folder of the homes
LARGEST = 64 * 1024  # bytes of a message from a browser


class AppServer(Server):
    """Serves the app to a limited number of visitors at the same time.

    Args:
        address: where to serve.
        settings: the settings of every visitor's session, as JSON.
        sessions: how many visitors there may be.
        homes: a folder for the home folders of the visitors' processes.
        study: the study that visitors take part in, if it is one.
        idle: minutes without a key or a click after which a visitor leaves the place to others.
    """

    def __init__(
        self,
        address: Address,
        settings: str,
        sessions: int,
        homes: Path,
        *,
        idle: float = IDLE,
        study: Study | None = None,
    ) -> None:
        super().__init__("bba-tui", address.host, address.port, public_url=address.url)
        self.auth = AuthMiddleware(address)
        self.half_open = HalfOpenWatch()
        self._settings, self._homes, self._idle, self._study = settings, homes, idle, study
        online = study.online if study else None
        self._ids = LinkIds(online, secure=address.url.startswith("https"))
        self._completion = online.completion if online else {}
        self._visits = Visits(sessions)
        self._hub = PairHub() if study and study.people == 2 else None

    async def application(self) -> web.Application:
        """Returns the routes, all of them behind the access control."""
        app = web.Application(middlewares=[self.half_open.middleware, self.auth.middleware], client_max_size=LARGEST)
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
        text = (PAGES / ("full.html" if full else "index.html")).read_text("utf-8")
        socket = f"{'wss' if self.public_url.startswith('https') else 'ws'}://{request.host}/ws"
        page = text.replace("{socket}", html.escape(socket)).replace("{sessions}", str(self._visits.places))
        answer = web.Response(text=page, content_type="text/html", status=503 if full else 200)
        self._ids.keep(request, answer)
        return answer

    def _visitor(self, request: web.Request) -> str | None:
        """Returns who asks; None outside of studies, where everybody who comes is somebody else."""
        return request.cookies.get(VISITOR) if self._study else None

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        """Connects a visitor's browser with a process until one of the two ends."""
        socket = web.WebSocketResponse(heartbeat=15, max_msg_size=LARGEST)
        await socket.prepare(request)
        async with self._visits.place(self._visitor(request), socket) as free:
            if free:
                await self._connect(request, socket)
            else:
                await close_with(socket, End.FULL)
        return socket

    async def _connect(self, request: web.Request, socket: web.WebSocketResponse) -> None:
        """Runs a process for a visitor."""
        try:
            ids = self._ids.environment(request)
        except BBAError:
            await close_with(socket, End.PROBLEM)
            return
        with tempfile.TemporaryDirectory(dir=self._homes, ignore_cleanup_errors=True) as home:
            session = VisitorSession(
                self._settings,
                Path(home),
                write_bytes=socket.send_bytes,
                write_str=socket.send_str,
                close=socket.close,
                end=partial(self._end, socket),
                environment={IDLE_MINUTES: str(self._idle), **ids, **self._pairing},
                download_manager=self.download_manager,
            )
            try:
                await session.start(*(to_int(request.query.get(name, ""), cells) for name, cells in SIZE.items()))
                await self._forward(socket, session)
            finally:
                await asyncio.shield(session.stop())

    @property
    def _pairing(self) -> dict[str, str]:
        """What a process must know to join two people; nothing where each takes part alone."""
        return {} if self._hub is None else {HUB: str(self._homes / HUB_SOCKET)}

    async def _end(self, socket: web.WebSocketResponse, end: End) -> None:
        """Tells the page why the session ends, and who is done what they are given for it."""
        if end is End.FINISHED and self._completion:
            with suppress(ConnectionError):  # the visitor has gone
                await socket.send_json(["complete", self._completion])
        await close_with(socket, end)

    async def _forward(self, socket: web.WebSocketResponse, session: VisitorSession) -> None:
        """Forwards the browser's messages to the process; an invalid message ends the session."""
        async for message in socket:
            if message.type != WSMsgType.TEXT:
                break
            try:
                await self._handle(message.json(), socket, session)
            except (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, RecursionError):
                await socket.close(code=WSCloseCode.UNSUPPORTED_DATA)

    async def _handle(self, message: list[object], socket: web.WebSocketResponse, session: VisitorSession) -> None:
        match message:
            case ["stdin", str(keys)]:
                await session.send_bytes(keys.encode())
            case ["resize", {"width": int(width), "height": int(height)}]:
                await session.set_terminal_size(width, height)
            case ["ping", when]:
                await socket.send_json(["pong", when])
            case ["focus" | "blur" as kind, *_]:
                await (session.focus() if kind == "focus" else session.blur())
            case _:
                raise ValueError("not a message of the page")

    async def _close_sockets(self, app: web.Application) -> None:  # noqa: ARG002 - as aiohttp calls it
        """Closes the connection of every visitor, whose process then ends."""
        await self._visits.close_all()
        if self._hub is not None:
            await self._hub.close()
