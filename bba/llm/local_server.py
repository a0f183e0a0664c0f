"""A language model on this machine: llama.cpp's server in a child process, which answers as any endpoint does.

All games of this process share the server of a model. It listens on 127.0.0.1 only, at a port that is free, and takes a
random key. The child ends with its parent, whatever happens to that: the parent holds the writing end of its standard
input, and the system itself ends the child when that closes, even while the model is being loaded.
"""

import atexit
import json
import os
import re
import secrets
import subprocess
import sys
import threading
import time
from collections import deque
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

from pydantic import SecretStr

from bba.config import changed
from bba.errors import BBAError
from bba.llm.local_models import FoundModel, Header, chats
from bba.llm.model_clients import OpenAIClient
from bba.llm.request import AttemptFailed, ChatRequest, one_line
from bba.planner.chat import ModelUnusable, Reply, progress
from bba.planner.model_options import ModelOptions
from bba.progress import line_writer

CONTEXT = 8192  # tokens of a slot, if the model can read as many; three turns and a question take 3,500
CORES_PER_SLOT = 4
MOST_SLOTS = 4
LOOK = 0.1  # seconds between two looks whether the model is loaded
READY = "bba-tui: listening at "
_NO_MEMORY = re.compile(r"alloc|out of memory|memory", re.IGNORECASE)
_GIB = 2**30


def sizes_of(options: ModelOptions, header: Header) -> dict[str, int]:
    """Returns threads, slots (questions at the same time) and the tokens of a slot's context.

    They are what is set, else what follows from this machine and the model.
    """
    cores = os.cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    usual_slots = max(1, min(cores // CORES_PER_SLOT, MOST_SLOTS, options.concurrency))
    slots = options.slots or usual_slots
    context = min(options.context or CONTEXT, header.context or CONTEXT)
    return {"threads": options.threads or cores, "slots": slots, "context": context}


class LocalServer:
    """A child process with the server of one model.

    Args:
        options: the model, with its file.

    Raises:
        BBAError: the file cannot be used, or the memory does not suffice.
    """

    def __init__(self, options: ModelOptions) -> None:
        path = options.file or Path(options.model)
        header = chats(FoundModel(options.model, "", path))
        sizes = sizes_of(options, header)
        self.name = options.model
        needed = path.stat().st_size + sizes["slots"] * sizes["context"] * header.token_bytes
        free = free_memory()
        if free is not None and needed > free:
            raise BBAError(
                f"planner local: {self.name} needs {needed / _GIB:.1f} GiB of memory, {free / _GIB:.1f} are free; "
                "take a smaller model, or less --context or --slots"
            )
        self.key = SecretStr(secrets.token_urlsafe(24))
        self.address = ""
        self._log: deque[str] = deque(maxlen=20)
        self._child = subprocess.Popen(
            [sys.executable, "-m", "bba.llm.local_server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,  # an interrupt at the terminal is the parent's to handle
        )
        atexit.register(self.stop)
        threading.Thread(target=self._listen, daemon=True).start()
        assert self._child.stdin is not None
        description = {"path": str(path), "key": self.key.get_secret_value(), **sizes}
        self._child.stdin.write(json.dumps(description) + "\n")
        self._child.stdin.flush()

    @property
    def ended(self) -> bool:
        """Whether the child has ended."""
        return self._child.poll() is not None

    def wait(self) -> None:
        """Returns when the model is loaded, and tells meanwhile how long that has taken.

        Raises:
            ModelUnusable: it cannot be loaded.
        """
        began = time.monotonic()
        followed = progress()
        write = line_writer(lambda: f"loading {self.name}, {time.monotonic() - began:.0f} s")
        while not self.address:
            if self.ended:
                raise ModelUnusable(self.why())
            followed.doing = f"being loaded: {self.name}"
            write(False)
            time.sleep(LOOK)
        followed.doing = None

    def why(self) -> str:
        """Returns in a line why the server has ended."""
        code = self._child.wait()
        errors = [line for line in self._log if " E " in line or "Error" in line]
        cause = f"its exit code is {code}"
        if errors:
            cause = one_line(re.sub(r"^[\d.]+ E +", "", errors[0]))
        if any(_NO_MEMORY.search(line) for line in errors):
            cause = f"there is not enough memory, take a smaller model or less --context or --slots ({cause})"
        elif code < 0:
            cause = f"it was killed by signal {-code}"
        return f"planner local: llama.cpp's server of {self.name} has ended: {cause}"

    def stop(self) -> None:
        """Ends the child."""
        self._child.kill()
        self._child.wait()

    def _listen(self) -> None:
        assert self._child.stdout is not None
        for line in self._child.stdout:
            _, ready, address = line.partition(READY)  # llama.cpp may have begun the line, with dots while it loads
            if ready:
                self.address = address.strip()
            self._log.append(line.rstrip())


def free_memory() -> int | None:
    """Returns the bytes of memory that can be had, without those of other programs; None where that is not known."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        fields = dict(line.split(":", 1) for line in lines)
        kibibytes = int(fields["MemAvailable"].split()[0])
        return kibibytes * 1024
    except (OSError, ValueError, KeyError):
        return None


_SERVERS: dict[tuple[Path | None, int | None, int | None, int | None], LocalServer] = {}
_STARTING = threading.Lock()


def server_of(options: ModelOptions) -> LocalServer:
    """Returns the server of a model, which all games of this process share; starts a server if there is none.

    Raises:
        BBAError: as `LocalServer`, and if it has ended.
    """
    with _STARTING:
        key = (options.file, options.threads, options.context, options.slots)
        if key not in _SERVERS:
            _SERVERS[key] = LocalServer(options)
        return _SERVERS[key]


class LocalClient:
    """Sends requests to the server of a model on this machine, which starts with the first one.

    Args:
        options: the model, with its file.

    Raises:
        BBAError: the server is not installed.
    """

    def __init__(self, options: ModelOptions) -> None:
        if find_spec("xllamacpp") is None:
            raise BBAError("planner local: needs llama.cpp's server: pip install 'bba-tui[local]'")
        self._options = options

    @cached_property
    def _client(self) -> OpenAIClient:
        """The client of the server, once the server listens."""
        server = server_of(self._options)
        return OpenAIClient(changed(self._options, {"base_url": f"{server.address}/v1", "key": server.key}))

    def load(self) -> None:
        """Starts the server, before the clock of a request does, and waits until the model is loaded.

        Raises:
            BBAError: it cannot be.
        """
        server_of(self._options).wait()
        self._client.load()

    def send(self, request: ChatRequest) -> Reply:
        """Sends a request once and returns the answer.

        Raises:
            AttemptFailed: no answer, or an unusable one.
            ModelUnusable: the server has ended.
        """
        try:
            return self._client.send(request)
        except AttemptFailed:
            server = server_of(self._options)
            time.sleep(LOOK)  # a process that was killed is gone a moment later
            if server.ended:
                raise ModelUnusable(server.why()) from None
            raise


def _leave_with_parent(pipe: IO[str]) -> None:
    """Ends this process when the other end of its standard input closes.

    The system does so by a signal: while the model is being loaded no thread of this program runs.
    """
    try:
        import fcntl

        fcntl.fcntl(pipe, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(pipe, fcntl.F_SETFL, fcntl.fcntl(pipe, fcntl.F_GETFL) | os.O_ASYNC)
    except (ImportError, OSError, AttributeError):
        pass  # on other systems, as soon as the model is loaded

    def watch() -> None:
        pipe.read()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def serve() -> None:
    """Runs the server of the model that the first line of standard input describes; the child's program."""
    description: dict[str, Any] = json.loads(sys.stdin.readline())
    _leave_with_parent(sys.stdin)
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = description["path"]
    params.n_parallel = description["slots"]
    params.n_ctx = description["context"] * description["slots"]
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [description["key"]]
    params.cpuparams.n_threads = description["threads"]
    params.cpuparams_batch.n_threads = description["threads"]
    params.cache_ram_mib = 512  # for conversations that wait while another one is answered
    params.ui = False
    params.n_batch = 256  # tokens of a question that are read at once; then it tells how far it is
    server = xllamacpp.Server(params)
    sys.stdout.write(f"{READY}{server.listening_address}\n")
    sys.stdout.flush()
    threading.Event().wait()


if __name__ == "__main__":
    serve()
