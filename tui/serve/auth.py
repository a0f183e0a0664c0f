"""The server's address, and who is let in: visitors need the right host, the right origin and the link's secret."""

import hmac
import ipaddress
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from secrets import token_urlsafe
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit

from aiohttp import web
from pydantic import SecretStr
from yarl import URL

from bba.errors import BBAError
from bba.files import read_text, write_whole
from bba.language import LANGUAGE, Language, marked, say
from bba.planner.account import Redactor

LOOPBACK_NAMES = ("localhost",)
PORT = 8000
SECRET_BYTES = 24  # of the link


class Address(NamedTuple):
    """The address of the server.

    Attributes:
        host, port: where the server listens.
        url: the address for visitors, without a slash at the end.
    """

    host: str
    port: int
    url: str

    @property
    def local(self) -> bool:
        """Whether only this machine can reach it."""
        return self.host in LOOPBACK_NAMES or ipaddress.ip_address(self.host).is_loopback

    @property
    def origins(self) -> frozenset[str]:
        """The origins that a visitor's browser may send; on loopback the name is as good as the number."""
        named = {str(URL(f"http://localhost:{self.port}").origin())} if self.local else set()
        return frozenset({self.url, *named})

    @property
    def hosts(self) -> frozenset[str]:
        """The hosts that a visitor's browser may send."""
        return frozenset(origin.split("://", 1)[1] for origin in self.origins)


def parse_address(text: str, public_url: str | None = None, *, option: str = "--serve") -> Address:
    """Returns the address for ``HOST:PORT``, ``HOST`` or ``PORT``; visitors may use a `public_url` instead.

    Raises:
        BBAError: it is no valid address, or it leaves the address for visitors open.
    """
    host, port = _host_and_port(text.strip(), option)
    if host not in LOOPBACK_NAMES:
        try:
            anywhere = ipaddress.ip_address(host).is_unspecified
        except ValueError:
            raise BBAError(f"{option}: {host[:60]!r} is not an address of this machine, such as 127.0.0.1") from None
        if anywhere and public_url is None:
            raise BBAError(f"{option}: {host} is every address; say with --public-url which one visitors use")
    url_host = f"[{host}]" if ":" in host else host
    return Address(host, port, _checked(public_url or f"http://{url_host}:{port}"))


def _host_and_port(text: str, option: str) -> tuple[str, int]:
    wrong = BBAError(f"{option}: {text[:60]!r} is not HOST:PORT, such as 127.0.0.1:8000")
    whole = f"127.0.0.1:{text.removeprefix(':')}" if re.fullmatch(r":?[0-9]+", text) else text
    try:
        parts = urlsplit(f"//{whole}")
        host = parts.hostname
        port = parts.port
    except ValueError:  # no such port, or brackets that do not match
        raise wrong from None
    if not host or port == 0 or parts.netloc != whole or "@" in whole or " " in whole:
        raise wrong
    return host, PORT if port is None else port


def _checked(url: str) -> str:
    """Returns the address for visitors, which has a scheme and a host and nothing else."""
    try:
        origin = URL(url.rstrip("/")).origin()
        plain = origin == URL(url.rstrip("/")) and origin.scheme in ("http", "https")
    except ValueError:
        plain = False
    if not plain:
        raise BBAError(f"--public-url: {url[:80]!r} is not an address such as https://study.example.org")
    return str(origin)


Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

LONGEST_PATH = 200  # characters of the path of a request
WRONG = marked("The link is missing or wrong. Please use the whole link that you were sent.")
SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; "
        "img-src 'self' data:; connect-src 'self' {sockets}; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Server": "bba-tui",
}


def kept_token(file: Path) -> str:
    """Returns the secret that a file keeps over restarts; the file is made if it is missing, for its owner alone.

    Raises:
        BBAError: the file holds none, or it cannot be read or written.
    """
    if not file.exists():
        write_whole(file, token_urlsafe(SECRET_BYTES) + "\n", 0o600)
    token = read_text(file).strip()
    if not re.fullmatch(r"[A-Za-z0-9_-]{22,200}", token):
        raise BBAError(f"--token-file: {file}: holds no secret: 22 letters, digits, - and _ or more")
    return token


class AuthMiddleware:
    """Admits visitors who know the secret; it is exchanged for a cookie, so that it does not stay in the address bar.

    Args:
        address: the address of the server.
        token: the secret; None for a new one.
        language: that of all answers.
    """

    def __init__(self, address: Address, token: str | None = None, language: Language = "en") -> None:
        self._address = address
        self._language = language
        self._token = SecretStr(token or token_urlsafe(SECRET_BYTES))
        Redactor.remember(self._token.get_secret_value())
        self._cookie = f"bba-tui-{address.port}"

    @property
    def link(self) -> str:
        """The link for visitors."""
        return f"{self._address.url}/?token={self._token.get_secret_value()}"

    @web.middleware
    async def middleware(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuses strangers, lets other requests through, and adds the security headers."""
        LANGUAGE.set(self._language)
        try:
            response = await self._checked_response(request, handler)
        except web.HTTPException as refusal:
            response = refusal
        if not response.prepared:
            sockets = " ".join(sorted(origin.replace("http", "ws", 1) for origin in self._address.origins))
            response.headers.update({name: value.format(sockets=sockets) for name, value in SECURITY_HEADERS.items()})
        if isinstance(response, web.HTTPException):
            raise response
        return response

    async def _checked_response(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.headers.get("Host", "").lower() not in self._address.hosts:
            raise web.HTTPForbidden(text="This address is not served here.\n")
        origin = request.headers.get("Origin")
        socket = request.headers.get("Upgrade", "").lower() == "websocket" or request.path == "/ws"
        if (origin is None and socket) or (origin is not None and origin not in self._address.origins):
            raise web.HTTPForbidden(text="This page may not talk to this server.\n")
        if request.path == "/" and "token" in request.query:
            return self._set_cookie(request)
        if not self._matches(request.cookies.get(self._cookie, "")):
            raise web.HTTPForbidden(text=f"{say(WRONG)}\n")
        if not request.path.isprintable() or len(request.path) > LONGEST_PATH:
            raise web.HTTPNotFound  # no file has such a name, and the search for it would fail
        return await handler(request)

    def _set_cookie(self, request: web.Request) -> web.Response:
        """Exchanges the secret of the link for a cookie; the rest of the link stays."""
        if not self._matches(request.query["token"]):
            raise web.HTTPForbidden(text=f"{say(WRONG)}\n")
        rest = urlencode([(name, value) for name, value in request.query.items() if name != "token"])
        response = web.Response(status=303, headers={"Location": f"/?{rest}" if rest else "/"})
        secure = self._address.url.startswith("https")
        response.set_cookie(
            self._cookie, self._token.get_secret_value(), httponly=True, samesite="Lax", secure=secure, path="/"
        )
        return response

    def _matches(self, token: str) -> bool:
        return hmac.compare_digest(token.encode("utf-8", "replace"), self._token.get_secret_value().encode())
