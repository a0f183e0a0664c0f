"""A process from which annexes are taken away: ``python -m tests.helpers.without_annexes PACKAGE,… TASK …``.

Tasks: "game" plays one, "sweep" plays one, "watch" opens the watch screen; any other is a command line.
"""

import asyncio
import importlib.abc
import os
import shlex
import sys
import tempfile
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType


class TakenAway(importlib.abc.MetaPathFinder):
    """Finds none of these packages."""

    def __init__(self, packages: Sequence[str]) -> None:
        self._packages = tuple(packages)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Raises ModuleNotFoundError for a package, or a module in it, that is taken away."""
        for package in self._packages:
            if fullname == package or fullname.startswith(f"{package}."):
                raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)
        return None


def play_game() -> str:
    """Plays a short game and says so."""
    import bba

    trace = bba.play_game("open", "bayes", "switching", 0, horizon=40, fast=False)
    return f"played {len(trace.ticks)} steps, {len(bba.measure(trace))} measures"


def play_sweep() -> str:
    """Plays a tiny sweep, in this process, and says so."""
    from bba.agents import SeatSpec
    from bba.bench.episode import play
    from bba.bench.plan import plan_sweep
    from bba.bench.results_store import ResultsStore
    from tests.helpers.tiny_sweeps import sweep

    plan = plan_sweep(sweep(agents=["bayes"], seeds=1), SeatSpec())
    with ResultsStore(Path(tempfile.mkdtemp())) as store:
        store.register(plan.sweep.name, plan.sweep.model_dump_json(), plan.entries)
        for episode in plan.episodes.values():
            store.save(episode, play(episode, SeatSpec()))
        results = store.results(plan.episodes)
    failures = [result.failure for result in results.values() if result.failure]
    return f"stored {len(results)} of {len(plan.episodes)}, failed {failures}"


def watch() -> str:
    """Opens the watch screen on a game and says what is shown."""
    from bba.play import Game
    from tui.app.app import BBAApp
    from tui.playback.source import PlaybackSource

    app = BBAApp(PlaybackSource(lambda: Game("open", "bayes", "switching", 0, horizon=40)))

    async def shown() -> str:
        async with app.run_test(size=(100, 30)) as pilot:
            await pilot.pause()
            return type(app.screen).__name__

    return f"shown {asyncio.run(shown())}"


def main() -> None:
    """Does each task and prints what came of it."""
    packages, *tasks = sys.argv[1:]
    sys.meta_path.insert(0, TakenAway(packages.split(",")))
    sys.stderr = sys.stdout
    known = {"game": play_game, "sweep": play_sweep, "watch": watch}
    for task in tasks:
        if task in known:
            sys.stdout.write(f"{known[task]()}\n")
            continue
        from tui.cli import main as command

        status = command(shlex.split(task))
        sys.stdout.write(f"status {status}\n")
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
