"""The progress of a sweep on standard error: a live display on a terminal, a line every ten seconds elsewhere."""

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from statistics import fmean

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from bba.bench.episode import EpisodeResult
from bba.bench.plan import SweepPlan, label
from bba.bench.runner import EpisodeDone
from bba.report.formatting import NONE, measure_label, thousands, value_text

EVERY = 10.0  # seconds between two lines
MEASURE = "reward"  # whose means are shown


class Tally:
    """Counts the finished episodes of a sweep.

    Args:
        plan: the sweep's episodes.
        stored: the results of the episodes that were finished before.
    """

    def __init__(self, plan: SweepPlan, stored: Mapping[str, EpisodeResult]) -> None:
        self.total, self.done, self.failed, self.played = len(plan.episodes), len(stored), 0, 0
        self._steps, self._since = 0, 0.0
        self._values: dict[str, list[float]] = {}
        for key, result in stored.items():
            self._count(plan.episodes[key].seats[0].agent, plan.episodes[key].seats[0].planner, result.measures)

    def add(self, finished: EpisodeDone) -> None:
        """Counts one more episode."""
        episode, outcome = finished
        self.done += 1
        if outcome is None:
            return
        if self.played:
            self._steps += episode.horizon
        else:
            self._since = time.monotonic()  # the first episode also waited for compilation
        self.played += 1
        self.failed += outcome.failure is not None
        self._count(episode.seats[0].agent, episode.seats[0].planner, outcome.measures)

    @property
    def means(self) -> dict[str, float]:
        """The mean of `MEASURE` so far, by agent."""
        return {name: fmean(values) for name, values in self._values.items()}

    @property
    def summary(self) -> str:
        """Speed, time left and failures in one line."""
        if self.played < 2:
            return f"{self.failed} failed"
        seconds = max(time.monotonic() - self._since, 1e-9)
        left = seconds / (self.played - 1) * (self.total - self.done)
        return f"{thousands(self._steps / seconds)} steps/s, {_duration(left)} left, {self.failed} failed"

    def _count(self, agent: str, planner: str | None, measures: Mapping[str, float | None] | None) -> None:
        value = measures[MEASURE] if measures else None
        if value is not None:
            self._values.setdefault(label(agent, planner), []).append(value)


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes}:{rest:02}"


@contextmanager
def progress(tally: Tally) -> Iterator[Callable[[], None]]:
    """Gives a function to call whenever the tally has changed."""
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
    table.add_column(f"mean {measure_label(MEASURE)} so far", justify="right")
    for name, mean in tally.means.items():
        table.add_row(name, value_text(mean, MEASURE))
    return table


def _lines(tally: Tally) -> Callable[[], None]:
    """Returns a function that writes a line every ten seconds and at the end."""
    written = time.monotonic()

    def show() -> None:
        nonlocal written
        if tally.done == tally.total or time.monotonic() - written >= EVERY:
            written = time.monotonic()
            means = ", ".join(f"{name} {value_text(mean, MEASURE)}" for name, mean in tally.means.items())
            label = measure_label(MEASURE)
            sys.stderr.write(
                f"{tally.done} of {tally.total} episodes, {tally.summary}; mean {label}: {means or NONE}\n"
            )
            sys.stderr.flush()

    return show
