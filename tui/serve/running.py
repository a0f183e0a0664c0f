"""Runs the server until it is interrupted."""

import asyncio
import signal
import socket
from contextlib import suppress

from aiohttp import web

from tui.serve.half_open import LOOK_EVERY
from tui.serve.server import AppServer


def run_until_interrupted(server: AppServer, listener: socket.socket) -> None:
    """Serves until Ctrl+C or SIGTERM, and then ends every session."""
    with suppress(KeyboardInterrupt, asyncio.CancelledError):
        asyncio.run(_run(server, listener))


async def _run(server: AppServer, listener: socket.socket) -> None:
    task = asyncio.current_task()
    if task is not None:
        with suppress(NotImplementedError):  # not in this system
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    runner = web.AppRunner(await server.application(), access_log=None)
    await runner.setup()
    try:
        await web.SockSite(runner, listener).start()
        while True:
            await asyncio.sleep(LOOK_EVERY)
            if runner.server is not None:
                server.half_open.look(runner.server.connections)
    finally:
        await runner.cleanup()
