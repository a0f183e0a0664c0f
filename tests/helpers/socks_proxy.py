"""A SOCKS5 proxy on loopback, which leads every connection to one server, whatever name it asks for."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class SocksProxy:
    """The address, and the hosts that were asked for."""

    def __init__(self, port: int) -> None:
        self.url = f"socks5://127.0.0.1:{port}"
        self.hosts: list[str] = []


def _exactly(connection: socket.socket, length: int) -> bytes:
    data = b""
    while len(data) < length and (more := connection.recv(length - len(data))):
        data += more
    return data


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)


def _serve(connection: socket.socket, proxy: SocksProxy, port: int) -> None:
    with connection, suppress(OSError):
        _, methods = _exactly(connection, 2)
        _exactly(connection, methods)
        connection.sendall(b"\x05\x00")
        kind = _exactly(connection, 4)[3]
        host = _exactly(connection, 4 if kind == 1 else _exactly(connection, 1)[0])
        proxy.hosts.append(socket.inet_ntoa(host) if kind == 1 else host.decode())
        _exactly(connection, 2)
        connection.sendall(b"\x05\x00\x00\x01" + bytes(6))
        with socket.create_connection(("127.0.0.1", port)) as server:
            threading.Thread(target=_pass_on, args=(server, connection), daemon=True).start()
            _pass_on(connection, server)


@contextmanager
def running_proxy(port: int) -> Iterator[SocksProxy]:
    """Runs a proxy that leads to a port of this machine."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        proxy = SocksProxy(listening.getsockname()[1])

        def accept() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = listening.accept()
                    threading.Thread(target=_serve, args=(connection, proxy, port), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        yield proxy
        listening.shutdown(socket.SHUT_RDWR)
