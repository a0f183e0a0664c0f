"""Runs the server, and the page for researchers, until it is interrupted."""

import asyncio
import signal
import socket
from contextlib import suppress
from typing import NamedTuple

from aiohttp import web

from tui.serve.half_open import LOOK_EVERY
from tui.serve.monitor import Monitor
from tui.serve.one_line import one_line_logger
from tui.serve.server import AppServer


class Listening(NamedTuple):
    """The page for researchers, and where it listens."""

    monitor: Monitor
    listener: socket.socket


def run_until_interrupted(server: AppServer, listener: socket.socket, beside: Listening | None = None) -> None:
    """Serves until Ctrl+C or SIGTERM, and then ends every session."""
    with suppress(KeyboardInterrupt, asyncio.CancelledError):
        asyncio.run(_run(server, listener, beside))


async def _run(server: AppServer, listener: socket.socket, beside: Listening | None) -> None:
    task = asyncio.current_task()
    if task is not None:
        with suppress(NotImplementedError):  # not in this system
            for number in (signal.SIGINT, signal.SIGTERM):  # also where a shell has started it in the background
                asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    pages = [(await server.application(), listener)]
    if beside is not None:
        pages.append((beside.monitor.application(), beside.listener))
    runners = [web.AppRunner(app, access_log=None, logger=one_line_logger()) for app, _ in pages]
    try:
        for runner, (_, where) in zip(runners, pages, strict=True):
            await runner.setup()
            await web.SockSite(runner, where).start()
        while True:
            await asyncio.sleep(LOOK_EVERY)
            if runners[0].server is not None:
                server.half_open.look(runners[0].server.connections)
    finally:
        for runner in runners:
            await runner.cleanup()
