"""The server: a page with a terminal in it, and a process for each visitor."""

import asyncio
import html
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from aiohttp import WSCloseCode, WSMsgType, web
from textual_serve.server import Server, to_int

from human.pair.hub import PairHub
from tui.serve.address import Address
from tui.serve.auth import AuthMiddleware
from tui.serve.session import VisitorSession

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
        pairs: whether visitors play with one another, two and two.
    """

    def __init__(self, address: Address, settings: str, sessions: int, homes: Path, *, pairs: bool = False) -> None:
        super().__init__("bba-tui", address.host, address.port, public_url=address.url)
        self.auth = AuthMiddleware(address)
        self._settings, self._sessions, self._homes = settings, sessions, homes
        self._hub = PairHub() if pairs else None
        self._visitors = 0
        self._sockets: set[web.WebSocketResponse] = set()

    async def application(self) -> web.Application:
        """Returns the routes, all of them behind the access control."""
        app = web.Application(middlewares=[self.auth.middleware], client_max_size=LARGEST)
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

    async def page(self, request: web.Request) -> web.Response:
        """Returns the page with the terminal, or another page where every place is taken."""
        full = self._visitors >= self._sessions
        text = (PAGES / ("full.html" if full else "index.html")).read_text("utf-8")
        socket = f"{'wss' if self.public_url.startswith('https') else 'ws'}://{request.host}/ws"
        page = text.replace("{socket}", html.escape(socket)).replace("{sessions}", str(self._sessions))
        return web.Response(text=page, content_type="text/html", status=503 if full else 200)

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        """Connects a visitor's browser with a process until one of the two ends."""
        if self._visitors >= self._sessions:
            raise web.HTTPServiceUnavailable(text="Every place is taken.\n")
        with self._counted(), tempfile.TemporaryDirectory(dir=self._homes) as home:
            socket = web.WebSocketResponse(heartbeat=15, max_msg_size=LARGEST)
            await socket.prepare(request)
            session = VisitorSession(
                self._settings,
                Path(home),
                None if self._hub is None else self._homes / HUB_SOCKET,
                write_bytes=socket.send_bytes,
                write_str=socket.send_str,
                close=socket.close,
                download_manager=self.download_manager,
            )
            self._sockets.add(socket)
            try:
                await session.start(*(to_int(request.query.get(name, ""), cells) for name, cells in SIZE.items()))
                await self._forward(socket, session)
            finally:
                self._sockets.discard(socket)
                await asyncio.shield(session.stop())
        return socket

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

    @contextmanager
    def _counted(self) -> Iterator[None]:
        self._visitors += 1
        try:
            yield
        finally:
            self._visitors -= 1

    async def _close_sockets(self, app: web.Application) -> None:  # noqa: ARG002 - as aiohttp calls it
        """Closes the connection of every visitor, whose process then ends."""
        for socket in list(self._sockets):
            await socket.close(code=WSCloseCode.GOING_AWAY, message=b"the server ends")
        if self._hub is not None:
            await self._hub.close()
