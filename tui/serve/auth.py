"""Access control: visitors need the right host, the right origin and the secret of the link."""

import hmac
import secrets
from collections.abc import Awaitable, Callable
from urllib.parse import urlencode

from aiohttp import web

from tui.serve.address import Address

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

LONGEST_PATH = 200  # characters of the path of a request
WRONG = "The link is missing or wrong. Please use the whole link that you were sent.\n"
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; "
        "img-src 'self' data:; connect-src 'self' {sockets}; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


class AuthMiddleware:
    """Admits visitors who know the secret; it is exchanged for a cookie, so that it does not stay in the address bar.

    Args:
        address: the address of the server.
    """

    def __init__(self, address: Address) -> None:
        self._address = address
        self._token = secrets.token_urlsafe(24)
        self._cookie = f"bba-tui-{address.port}"

    @property
    def link(self) -> str:
        """The link for visitors."""
        return f"{self._address.url}/?token={self._token}"

    @web.middleware
    async def middleware(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuses strangers, lets other requests through, and adds the security headers."""
        try:
            response = await self._checked_response(request, handler)
        except web.HTTPException as refusal:
            response = refusal
        if not response.prepared:
            sockets = " ".join(sorted(origin.replace("http", "ws", 1) for origin in self._address.origins))
            response.headers.update({name: value.format(sockets=sockets) for name, value in HEADERS.items()})
        if isinstance(response, web.HTTPException):
            raise response
        return response

    async def _checked_response(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.headers.get("Host", "").lower() not in self._address.hosts:
            raise web.HTTPForbidden(text="This address is not served here.\n")
        origin = request.headers.get("Origin")
        if (origin is None and _is_socket(request)) or (origin is not None and origin not in self._address.origins):
            raise web.HTTPForbidden(text="This page may not talk to this server.\n")
        if request.path == "/" and "token" in request.query:
            return self._set_cookie(request)
        if not self._matches(request.cookies.get(self._cookie, "")):
            raise web.HTTPForbidden(text=WRONG)
        if not request.path.isprintable() or len(request.path) > LONGEST_PATH:
            raise web.HTTPNotFound  # no file has such a name, and the search for it would fail
        return await handler(request)

    def _set_cookie(self, request: web.Request) -> web.Response:
        """Exchanges the secret of the link for a cookie; the rest of the link stays."""
        if not self._matches(request.query["token"]):
            raise web.HTTPForbidden(text=WRONG)
        rest = urlencode([(name, value) for name, value in request.query.items() if name != "token"])
        response = web.Response(status=303, headers={"Location": f"/?{rest}" if rest else "/"})
        secure = self._address.url.startswith("https")
        response.set_cookie(self._cookie, self._token, httponly=True, samesite="Lax", secure=secure, path="/")
        return response

    def _matches(self, token: str) -> bool:
        return hmac.compare_digest(token.encode("utf-8", "replace"), self._token.encode())


def _is_socket(request: web.Request) -> bool:
    return request.headers.get("Upgrade", "").lower() == "websocket" or request.path == "/ws"
