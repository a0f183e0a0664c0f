"""The address on which the server listens, and the address by which visitors reach it."""

import ipaddress
import re
from typing import NamedTuple
from urllib.parse import urlsplit

from bba.errors import BBAError

LOOPBACK_NAMES = ("localhost",)
PORT = 8000


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
        named = {f"http://localhost:{self.port}"} if self.local else set()
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
    shown = f"[{host}]" if ":" in host else host
    return Address(host, port, f"http://{shown}:{port}" if public_url is None else _checked(public_url))


def _host_and_port(text: str, option: str) -> tuple[str, int]:
    wrong = BBAError(f"{option}: {text[:60]!r} is not HOST:PORT, such as 127.0.0.1:8000")
    whole = f"127.0.0.1:{text.removeprefix(':')}" if re.fullmatch(r":?[0-9]+", text) else text
    try:
        parts = urlsplit(f"//{whole}")
        host, port = parts.hostname, parts.port
    except ValueError:  # no such port, or brackets that do not match
        raise wrong from None
    if not host or port == 0 or parts.netloc != whole or "@" in whole or " " in whole:
        raise wrong
    return host, PORT if port is None else port


def _checked(url: str) -> str:
    """Returns the address for visitors, which has a scheme and a host and nothing else."""
    try:
        parts = urlsplit(url.rstrip("/"))
        plain = parts.scheme in ("http", "https") and parts.netloc == parts.netloc.rpartition("@")[2] and parts.hostname
        _ = parts.port
    except ValueError:
        plain = None
    if not plain or parts.path or parts.query or parts.fragment:
        raise BBAError(f"--public-url: {url[:80]!r} is not an address such as https://study.example.org")
    return f"{parts.scheme}://{parts.netloc.lower()}"
