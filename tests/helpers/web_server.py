"""The server as a process of its own."""

import asyncio
import itertools
import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).parents[2]


PATIENCE = 180.0  # seconds; reached only when something is broken


PORTS = itertools.count(20_000 + os.getpid() % 100 * 100)


def free_port() -> int:
    for port in PORTS:
        with suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError("there is no end to ports")


@contextmanager
def serving(folder, *arguments, port=None, environment=None, errors=None):
    """A running server: its process, and its link. `errors` is a file for what it writes to standard error."""
    command = [sys.executable, "-m", "tui.cli", f"--serve=127.0.0.1:{port or free_port()}", *arguments]
    outside = {name: value for name, value in os.environ.items() if not name.startswith(("BBA_", "OPENAI_"))}
    outside |= {"PYTHONPATH": str(ROOT), "XDG_CONFIG_HOME": str(folder), "HOME": str(folder)} | (environment or {})
    process = subprocess.Popen(command, cwd=folder, env=outside, stdout=subprocess.PIPE, stderr=errors, text=True)
    try:
        said = [process.stdout.readline(), process.stdout.readline()]
        yield process, re.search(r"http\S+", said[1])[0]
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(PATIENCE)
        process.stdout.close()


STUDY = """
name = "remote"
title = "A study"
consent = "Do you agree?"
layouts = ["open"]
agents = ["switching"]
tutorial = false
turns = true
horizon = 4
[[questions]]
name = "fluency"
text = "Fluent?"
ends = ["no", "yes"]
"""


async def first_bytes(socket):
    async with asyncio.timeout(PATIENCE):
        return (await socket.receive()).data
