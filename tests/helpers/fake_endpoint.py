"""A fake endpoint on loopback that sends chat completions, or anything else that a test needs."""

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from bba.planner import ScriptedBackend

KEY = "sk-loopback-0123456789abcdef"

Behaviour = Callable[["Handler"], None]


class Handler(BaseHTTPRequestHandler):
    """Handles one request with the endpoint's next behaviour; the last one is repeated."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    endpoint: "Endpoint"

    def do_POST(self):
        self.request_body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.endpoint.closing.is_set():
            self.close_connection = True
        else:
            self.endpoint.next(self)(self)

    def log_message(self, *args):
        """Logs nothing."""

    def send(self, status: int, body: bytes, **headers: str):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class Server(ThreadingHTTPServer):
    """A server for many concurrent connections."""

    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request, client_address):
        """Says nothing of clients that hang up, which a busy machine makes some do."""


class Endpoint:
    """The requests received, and the behaviours to come."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}/v1"
        self.behaviours: list[Behaviour] = [answers("4")]
        self.requests: list[dict] = []
        self.paths: list[str] = []
        self.keys: list[str] = []
        self.closing = threading.Event()
        self.disconnected = threading.Event()
        self._lock = threading.Lock()

    def next(self, handler: Handler) -> Behaviour:
        with self._lock:
            self.requests.append(handler.request_body)
            self.paths.append(handler.path)
            self.keys.append(handler.headers["Authorization"])
            return self.behaviours.pop(0) if len(self.behaviours) > 1 else self.behaviours[0]


@contextmanager
def running() -> Iterator[Endpoint]:
    """Runs an endpoint that answers "4" by default."""
    server = Server(("127.0.0.1", 0), type("Bound", (Handler,), {}))
    endpoint = Endpoint(server.server_address[1])
    server.RequestHandlerClass.endpoint = endpoint
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield endpoint
    finally:
        endpoint.closing.set()
        server.shutdown()
        server.server_close()


@contextmanager
def unreachable() -> Iterator[str]:
    """The address of an endpoint that refuses every connection: its port is taken, but nobody listens there."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield Endpoint(taken.getsockname()[1]).url


def completion(text: str | None, finish: str = "stop", usage: object = None, **message: object) -> bytes:
    used = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110} if usage is None else usage
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text, **message}}
    return json.dumps({"id": "1", "object": "chat.completion", "choices": [choice], "usage": used}).encode()


def answers(text: str | None, finish: str = "stop", usage: object = None, **message: object) -> Behaviour:
    """A valid answer."""
    return lambda handler: handler.send(200, completion(text, finish, usage, **message))


def sends(body: bytes | str, status: int = 200, **headers: str) -> Behaviour:
    """Any body."""
    return lambda handler: handler.send(status, body.encode() if isinstance(body, str) else body, **headers)


def refuses(status: int, message: str = "", code: str | None = None, param: str | None = None, **headers) -> Behaviour:
    """An error in OpenAI's format."""
    return sends(json.dumps({"error": {"message": message, "code": code, "param": param}}), status, **headers)


def plays(handler: Handler) -> None:
    """The scripted planner's answer."""
    answers(ScriptedBackend().complete(handler.request_body["messages"]).text)(handler)


def resets(handler: Handler) -> None:
    """A connection that is reset in the middle of the body."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(completion("8")[:40])
    handler.wfile.flush()
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()
    handler.close_connection = True


def hangs_up(handler: Handler) -> None:
    """A connection that is closed without an answer."""
    handler.close_connection = True


def drips(start: bytes) -> Behaviour:
    """Sends `start`, and then a space every few milliseconds for ever."""

    def drip(handler: Handler) -> None:
        handler.close_connection = True
        try:
            handler.wfile.write(start)
            while not handler.endpoint.closing.wait(0.005):
                handler.wfile.write(b" ")
                handler.wfile.flush()
        except OSError:
            handler.endpoint.disconnected.set()

    return drip


def floods(handler: Handler) -> None:
    """Sends spaces as fast as possible, for ever."""
    handler.close_connection = True
    try:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
        while not handler.endpoint.closing.is_set():
            handler.wfile.write(b" " * 65536)
    except OSError:
        pass
