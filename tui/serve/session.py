"""A visitor's process: the app, without a shell and with almost nothing of the server's environment."""

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from platformdirs import user_cache_path
from textual_serve.app_service import AppService

from tui.serve.ends import End, end_of

PATIENCE = 5.0  # seconds in which a process must end by itself
SMALLEST, LARGEST = 10, 500  # columns or lines that a browser may ask for
PASSED_ON = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "SYSTEMROOT", "PYTHONPATH")
KERNELS = "NUMBA_CACHE_DIR"  # where compiled kernels are kept, if not in the home's cache folder
DRIVER = "tui.serve.driver:VisitorDriver"


class VisitorSession(AppService):
    """A process that shows the app to one visitor.

    Args:
        settings: the settings, as JSON.
        home: its home folder; what it stores there is lost at the end.
        end: closes the visitor's connection, and says why.
        environment: further variables of its environment.
        connection: the remaining arguments of `AppService`.
    """

    def __init__(
        self,
        settings: str,
        home: Path,
        *,
        end: Callable[[End], Awaitable[None]],
        environment: Mapping[str, str] = MappingProxyType({}),
        **connection: object,
    ) -> None:
        super().__init__("", **connection)  # type: ignore[arg-type]  # passed on as they came
        self._settings, self._home, self._end, self._variables = settings, home, end, environment
        self._ended = False  # whether the process has said why it ends

    async def run(self) -> None:
        """Shows what the process draws until it ends; where it ends without a word, it was killed or has failed."""
        await super().run()
        if not self._ended:
            await self._end(End.PROBLEM)

    async def on_meta(self, data: bytes) -> None:
        """Passes on what the process says beside its screen; at its end, why it ends."""
        said = json.loads(data)
        if said["type"] == "exit":
            self._ended = True
            await self._end(end_of(said.get("why")))
        else:
            await super().on_meta(data)

    def _build_environment(self, width: int = 80, height: int = 24) -> dict[str, str]:
        """Returns the environment of the process: a few harmless variables, and those that the screen needs."""
        passed_on = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        return passed_on | {
            "HOME": str(self._home),
            "TMPDIR": str(self._home),
            KERNELS: os.environ.get(KERNELS, str(user_cache_path("bba-tui"))),  # compiled once for all visitors
            "TEXTUAL_DRIVER": DRIVER,
            **self._variables,
            "TEXTUAL_FPS": "60",
            "TEXTUAL_COLOR_SYSTEM": "truecolor",
            "TERM_PROGRAM": "textual",
            "COLUMNS": str(_clamped(width)),
            "ROWS": str(_clamped(height)),
        }

    async def _open_app_process(self, width: int = 80, height: int = 24) -> asyncio.subprocess.Process:
        """Starts the process without a shell."""
        pipe = asyncio.subprocess.PIPE
        self._process = process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tui.visitor", self._settings),
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            env=self._build_environment(width, height),
        )
        self._stdin = process.stdin
        return process

    async def set_terminal_size(self, width: int, height: int) -> None:
        """Forwards the size of the visitor's terminal, within limits."""
        await super().set_terminal_size(_clamped(width), _clamped(height))

    async def stop(self) -> None:
        """Ends the process, by force where it does not end by itself."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(super().stop(), PATIENCE)
        process = self._process
        if process is not None:
            try:
                await asyncio.wait_for(process.wait(), PATIENCE)
            except TimeoutError:
                process.kill()
                await process.wait()


def _clamped(cells: int) -> int:
    return max(SMALLEST, min(LARGEST, int(cells)))
