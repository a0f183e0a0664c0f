"""A proxy that passes everything on, so many seconds later, each way."""

import asyncio
from contextlib import asynccontextmanager, suppress


@asynccontextmanager
async def delaying(port, to, seconds):
    """A proxy on this port of 127.0.0.1, before the server on port `to`; gives a function that cuts all connections."""
    connections = set()

    async def connect(reader, writer):
        there_reader, there_writer = await asyncio.open_connection("127.0.0.1", to)
        both = (_pass_on(reader, there_writer, seconds), _pass_on(there_reader, writer, seconds))
        task = asyncio.gather(*both)
        connections.add(task)
        with suppress(OSError, asyncio.CancelledError):
            await task
        connections.discard(task)

    def cut():
        for task in list(connections):
            task.cancel()

    server = await asyncio.start_server(connect, "127.0.0.1", port)
    try:
        yield cut
    finally:
        server.close()
        cut()


async def _pass_on(reader, writer, seconds):
    """Passes everything on in its order, each piece so many seconds after it came."""
    loop, waiting = asyncio.get_running_loop(), asyncio.Queue()

    async def write():
        while (piece := await waiting.get()) is not None:
            due, data = piece
            await asyncio.sleep(max(0.0, due - loop.time()))
            writer.write(data)
            await writer.drain()
        writer.close()

    writing = loop.create_task(write())
    try:
        while data := await reader.read(65536):
            waiting.put_nowait((loop.time() + seconds, data))
    except OSError:
        pass
    finally:
        waiting.put_nowait(None)
    await writing
