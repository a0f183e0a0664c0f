"""What a game costs that is left on the watch screen: memory, open files and threads at each tenth of an hour.

`python -m benchmarks.long_watch` plays the 180,000 steps of an hour at 50 steps a second as fast as it can, in the app
as people see it, 120x40, with a picture for each second. Then it looks back, and makes the recording. `--steps` plays
fewer, `--record FILE` saves the game from time to time, as `bba-tui --record` does.
"""

import argparse
import asyncio
import os
import time
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console

from bba.play import Game, record
from bba.play.recording_io import pack
from bba.tables import TableRow, table_of
from bba.tables.terminal import in_a_box
from tui.app.app import BBAApp
from tui.playback.source import PlaybackSource
from tui.screens.watch import WatchScreen

HOUR = 3600  # seconds
SPEED = 50  # steps a second
TENTHS = 10
LOOKED_AT = (1, 0.25, 0.5, 0.75)  # steps that are looked at in the end: the first, and shares of the game
HEADINGS = ("step", "MB", "files", "threads", "seconds")


def main() -> None:
    """Plays the game, and prints a line for each tenth of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=HOUR * SPEED, help="steps of the game")
    parser.add_argument("--record", type=Path, help="the recording's file")
    options = parser.parse_args()
    asyncio.run(_watch(options.steps, options.record))


async def _watch(steps: int, file: Path | None) -> None:
    console, began = Console(), time.perf_counter()
    source = PlaybackSource(lambda: Game("open", "bayes", "switching", 0, horizon=steps), file=file)
    app = BBAApp(source, autostart=False, motion=False)
    rows: list[TableRow] = []
    async with app.run_test(size=(120, 40)):
        screen = app.screen
        assert isinstance(screen, WatchScreen)
        rows.append(["0", *_used(), "0"])
        for until in _tenths(steps):
            while len(source.trace.ticks) < until:
                screen._play(min(SPEED, until - len(source.trace.ticks)))
                await asyncio.sleep(0)
            rows.append([f"{until:,}", *_used(), f"{time.perf_counter() - began:.0f}"])
            console.print(f"[dim]{until:,} steps: {_used()[0]} MB[/]")
        for place in LOOKED_AT:
            step, since = max(1, int(place * steps)) if place < 1 else 1, time.perf_counter()
            screen._seek(step)
            await asyncio.sleep(0)
            console.print(f"step {step:,} is shown after {time.perf_counter() - since:.2f} s")
        since = time.perf_counter()
        size = len(pack(record(source.trace)))
        rows.append(["recorded", *_used(), f"{time.perf_counter() - began:.0f}"])
        title = f"watching bayes with switching for {steps:,} steps"
        console.print(in_a_box(table_of(HEADINGS, rows=rows, title=title)))
        console.print(f"its recording has {size / 1e6:.2f} MB and took {time.perf_counter() - since:.1f} s")


def _tenths(steps: int) -> Iterator[int]:
    """Yields the step at the end of each tenth of a game."""
    yield from (steps * tenth // TENTHS for tenth in range(1, TENTHS + 1))


def _used() -> tuple[str, str, str]:
    """Returns the process's memory in MB, its open files and its threads."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    megabytes = pages * os.sysconf("SC_PAGE_SIZE") / 1e6
    files, threads = (sum(1 for _ in Path("/proc/self", name).iterdir()) for name in ("fd", "task"))
    return f"{megabytes:.0f}", str(files), str(threads)


if __name__ == "__main__":
    main()
