"""How far a sweep is, on standard error: a live display on a terminal, a line now and then elsewhere."""

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from statistics import fmean

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from bba.bench.plan import SweepPlan, label
from bba.bench.results_store import StoredResult
from bba.bench.runner import EpisodeDone

EVERY = 10.0  # seconds between two lines


class Tally:
    """What is finished of a sweep.

    Args:
        made: the sweep's episodes.
        stored: the results of those that were finished before.
    """

    def __init__(self, made: SweepPlan, stored: Mapping[str, StoredResult]) -> None:
        self.total, self.done, self.failed, self.played = len(made.episodes), len(stored), 0, 0
        self._steps, self._since = 0, 0.0
        self._rewards: dict[str, list[float]] = {}
        for key, result in stored.items():
            self._count(made.episodes[key].seats[0].agent, made.episodes[key].seats[0].planner, result.measures)

    def add(self, finished: EpisodeDone) -> None:
        """Count one more."""
        episode, outcome = finished
        self.done += 1
        if outcome is None:
            return
        if self.played:
            self._steps += episode.horizon
        else:
            self._since = time.monotonic()  # what came before, such as compiling, says nothing about what comes
        self.played += 1
        self.failed += outcome.failure is not None
        self._count(episode.seats[0].agent, episode.seats[0].planner, outcome.measures)

    @property
    def means(self) -> dict[str, float]:
        """The mean reward so far by agent."""
        return {name: fmean(rewards) for name, rewards in self._rewards.items()}

    @property
    def summary(self) -> str:
        """Throughput, time left and failures in one line."""
        if self.played < 2:
            return f"{self.failed} failed"
        seconds = max(time.monotonic() - self._since, 1e-9)
        left = seconds / (self.played - 1) * (self.total - self.done)
        speed = f"{self._steps / seconds:,.0f}".replace(",", " ")
        return f"{speed} steps/s, {_duration(left)} left, {self.failed} failed"

    def _count(self, agent: str, planner: str | None, measures: Mapping[str, float | None] | None) -> None:
        reward = measures["reward"] if measures else None
        if reward is not None:
            self._rewards.setdefault(label(agent, planner), []).append(reward)


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes}:{rest:02}"


@contextmanager
def progress(tally: Tally) -> Iterator[Callable[[], None]]:
    """Gives what is to be called whenever the tally has changed."""
    if sys.stderr.isatty():
        with _live(tally) as show:
            yield show
    else:
        yield _lines(tally)


@contextmanager
def _live(tally: Tally) -> Iterator[Callable[[], None]]:
    bar = Progress(TextColumn("episodes"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[summary]}"))
    task = bar.add_task("", total=tally.total, completed=tally.done, summary="")
    with Live(bar, console=Console(stderr=True), refresh_per_second=4) as live:

        def show() -> None:
            bar.update(task, completed=tally.done, summary=tally.summary)
            live.update(Group(bar, _means(tally)))

        yield show


def _means(tally: Tally) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("agent")
    table.add_column("mean reward so far", justify="right")
    for name, mean in tally.means.items():
        table.add_row(name, f"{mean:.0f}")
    return table


def _lines(tally: Tally) -> Callable[[], None]:
    """A line every ten seconds, and one at the end."""
    said = time.monotonic()

    def show() -> None:
        nonlocal said
        if tally.done == tally.total or time.monotonic() - said >= EVERY:
            said = time.monotonic()
            means = ", ".join(f"{name} {mean:.0f}" for name, mean in tally.means.items())
            sys.stderr.write(f"{tally.done} of {tally.total} episodes, {tally.summary}; mean reward: {means or '–'}\n")
            sys.stderr.flush()

    return show
