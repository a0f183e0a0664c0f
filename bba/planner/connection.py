"""How an address is reached from this machine: by the proxy and with the certificates that the environment names.

An address of this machine itself is reached without a proxy, whatever the environment says. What cannot be used is said
in one line before anything is asked.
"""

import os
import ssl
from functools import cache
from importlib.util import find_spec
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any, NamedTuple
from urllib import request as system  # which reads its settings; nobody is asked
from urllib.parse import SplitResult, urlsplit

from bba.errors import BBAError

# the first one counts where both are set
CERTIFICATE_FILE = "SSL_CERT_FILE"
CERTIFICATE_FOLDER = "SSL_CERT_DIR"
PROXY_SCHEMES = ("http", "https", "socks5", "socks5h")
_THIS_MACHINE = ("127.0.0.1", "localhost", "[::1]")


class Proxy(NamedTuple):
    """A proxy.

    Attributes:
        address: where it is, with the user and password that it wants.
        variable: what names it, such as "HTTPS_PROXY".
    """

    address: str
    variable: str

    @property
    def shown(self) -> str:
        """The proxy's address without user and password, and the variable that names it."""
        return f"{_shown(urlsplit(self.address))} ({self.variable})"

    @property
    def is_socks(self) -> bool:
        """Whether the proxy speaks SOCKS, which not every program does."""
        return self.address.startswith("socks")


def is_local(url: str) -> bool:
    """Whether an address is of this machine."""
    host = urlsplit(url).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


def proxy_of(url: str) -> Proxy | None:
    """Returns the proxy for an address by the environment, or the system's settings; None for none.

    Raises:
        BBAError: what is named is no proxy, or one for which a package is missing.
    """
    parts = urlsplit(url)
    proxies = system.getproxies()
    scheme = parts.scheme if proxies.get(parts.scheme) else "all"
    address = (proxies.get(scheme) or "").strip()
    if not address or is_local(url) or _goes_without(parts):
        return None
    variable = f"{scheme}_proxy"
    if variable not in os.environ:
        variable = variable.upper()
    if variable not in os.environ:
        variable = "the system's proxy"
    if "://" not in address:
        address = f"http://{address}"
    proxy = Proxy(address, variable)
    _check(proxy)
    return proxy


def _goes_without(parts: SplitResult) -> bool:
    """Whether NO_PROXY, or the system, names this host, by its name, the end of it, its number or its network."""
    host = parts.hostname or ""
    if system.proxy_bypass(host) or (parts.port and system.proxy_bypass(f"{host}:{parts.port}")):
        return True
    for name in (system.getproxies().get("no") or "").split(","):
        try:
            if ip_address(host) in ip_network(name.strip(), strict=False):
                return True
        except ValueError:
            continue  # a name
    return False


def _check(proxy: Proxy) -> None:
    parts = urlsplit(proxy.address)
    try:
        usable = bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False  # its port is no number
    if parts.scheme not in PROXY_SCHEMES or not usable:
        raise BBAError(
            f"{proxy.variable}: {_shown(parts)} is not the address of a proxy, as http://host:port or "
            f"socks5://host:port; correct it, or unset {proxy.variable}"
        )
    if proxy.is_socks and find_spec("socksio") is None:
        raise BBAError(
            f"{proxy.variable}: {_shown(parts)} is a SOCKS proxy, which needs a package: pip install socksio, "
            f"or unset {proxy.variable}"
        )


def _shown(parts: SplitResult) -> str:
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


def certificates() -> ssl.SSLContext | None:
    """Returns the TLS context with the certificates that the environment names; None where it names none.

    Raises:
        BBAError: the file or folder that it names is missing or holds none.
    """
    file = os.environ.get(CERTIFICATE_FILE)
    folder = os.environ.get(CERTIFICATE_FOLDER)
    if file:
        return _of_file(file)
    return _of_folder(folder) if folder else None


@cache
def _of_file(name: str) -> ssl.SSLContext:
    path = Path(name)
    if path.is_dir():
        raise BBAError(f"{CERTIFICATE_FILE}: {name}: a folder, not a file; {CERTIFICATE_FOLDER} names folders")
    try:
        return ssl.create_default_context(cafile=name)
    except FileNotFoundError:
        raise BBAError(f"{CERTIFICATE_FILE}: {name}: no such file") from None
    except ssl.SSLError:
        raise BBAError(f"{CERTIFICATE_FILE}: {name}: holds no certificates, or damaged ones (PEM)") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise BBAError(f"{CERTIFICATE_FILE}: {name}: cannot be read: {reason}") from None


@cache
def _of_folder(names: str) -> ssl.SSLContext:
    if not any(Path(name).is_dir() for name in names.split(os.pathsep)):
        raise BBAError(f"{CERTIFICATE_FOLDER}: {names}: no such folder")
    return ssl.create_default_context(capath=names)


def check_network(url: str) -> None:
    """Checks what the environment says of the way to an address.

    Raises:
        BBAError: a proxy or certificates that cannot be used.
    """
    certificates()
    proxy_of(url)


def client_settings(url: str) -> dict[str, Any]:
    """Returns the arguments of an HTTP client for an address: proxy and certificates, by the environment.

    Raises:
        BBAError: as `check_network`.
    """
    proxy = proxy_of(url)
    needs_certificates = not is_local(url) or urlsplit(url).scheme != "http"
    user_certificates = certificates() if needs_certificates else None
    direct = {f"all://{host}": None for host in _THIS_MACHINE}  # where a redirection leads back to this machine
    settings: dict[str, Any] = {"trust_env": False, "verify": user_certificates or True, "mounts": direct}
    if proxy is not None:
        settings["proxy"] = proxy.address
    return settings
