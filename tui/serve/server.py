"""The server: a page with a terminal in it, and a process behind each visitor's."""

import asyncio
import html
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from aiohttp import WSCloseCode, WSMsgType, web
from textual_serve.server import Server, to_int

from tui.serve.address import Address
from tui.serve.auth import AuthMiddleware
from tui.serve.session import VisitorSession

PAGES = Path(__file__).with_name("pages")
SIZE = {"width": 80, "height": 24}  # where the browser does not say
LARGEST = 64 * 1024  # bytes of a message from a browser


class AppServer(Server):
    """Serves the app to at most so many visitors at the same time.

    Args:
        address: where.
        settings: what each visitor is shown: options, as JSON.
        sessions: how many visitors there may be.
        homes: a folder for what the visitors' processes keep while they run.
    """

    def __init__(self, address: Address, settings: str, sessions: int, homes: Path) -> None:
        super().__init__("bba-tui", address.host, address.port, public_url=address.url)
        self.door = AuthMiddleware(address)
        self._settings, self._sessions, self._homes = settings, sessions, homes
        self._visits = 0
        self._sockets: set[web.WebSocketResponse] = set()

    async def application(self) -> web.Application:
        """The routes, all of them behind the door."""
        app = web.Application(middlewares=[self.door.middleware], client_max_size=LARGEST)
        app.add_routes(
            [
                web.get("/", self.page),
                web.get("/ws", self.handle_websocket),
                web.static("/pages", PAGES),
                web.static("/static", self.statics_path),
            ]
        )
        app.on_shutdown.append(self._send_home)
        return app

    async def page(self, request: web.Request) -> web.Response:
        """The page with the terminal; another one where every place is taken."""
        full = self._visits >= self._sessions
        text = (PAGES / ("full.html" if full else "index.html")).read_text("utf-8")
        socket = f"{'wss' if self.public_url.startswith('https') else 'ws'}://{request.host}/ws"
        page = text.replace("{socket}", html.escape(socket)).replace("{sessions}", str(self._sessions))
        return web.Response(text=page, content_type="text/html", status=503 if full else 200)

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        """A visitor's terminal, from its first key to its last."""
        if self._visits >= self._sessions:
            raise web.HTTPServiceUnavailable(text="Every place is taken.\n")
        with self._place(), tempfile.TemporaryDirectory(dir=self._homes) as home:
            socket = web.WebSocketResponse(heartbeat=15, max_msg_size=LARGEST)
            await socket.prepare(request)
            visit = VisitorSession(
                self._settings,
                Path(home),
                write_bytes=socket.send_bytes,
                write_str=socket.send_str,
                close=socket.close,
                download_manager=self.download_manager,
            )
            self._sockets.add(socket)
            try:
                await visit.start(*(to_int(request.query.get(name, ""), cells) for name, cells in SIZE.items()))
                await self._pass_on(socket, visit)
            finally:
                self._sockets.discard(socket)
                await asyncio.shield(visit.stop())
        return socket

    async def _pass_on(self, socket: web.WebSocketResponse, visit: VisitorSession) -> None:
        """What the browser says, to the process; nonsense ends the visit."""
        async for message in socket:
            if message.type != WSMsgType.TEXT:
                break
            try:
                await self._pass_one_on(message.json(), socket, visit)
            except (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError):
                await socket.close(code=WSCloseCode.UNSUPPORTED_DATA)

    async def _pass_one_on(self, said: list[object], socket: web.WebSocketResponse, visit: VisitorSession) -> None:
        match said:
            case ["stdin", str(keys)]:
                await visit.send_bytes(keys.encode())
            case ["resize", {"width": int(width), "height": int(height)}]:
                await visit.set_terminal_size(width, height)
            case ["ping", when]:
                await socket.send_json(["pong", when])
            case ["focus" | "blur" as kind, *_]:
                await (visit.focus() if kind == "focus" else visit.blur())
            case _:
                raise ValueError("not a message of the page")

    @contextmanager
    def _place(self) -> Iterator[None]:
        self._visits += 1
        try:
            yield
        finally:
            self._visits -= 1

    async def _send_home(self, app: web.Application) -> None:  # noqa: ARG002 - as aiohttp calls it
        """Close every visitor's terminal, whose process then ends."""
        for socket in list(self._sockets):
            await socket.close(code=WSCloseCode.GOING_AWAY, message=b"the server ends")
