"""Plays the missing episodes of a sweep and shows how far it is, also while nothing is finished.

The progress is a live display on a terminal, elsewhere a line every ten seconds on standard error.
"""

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from statistics import fmean

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn
from rich.text import Text

from bba.agents.registry import AgentOptions, pays
from bba.bench.engines import Engine, ProcessEngine, RayEngine, ThreadEngine
from bba.bench.episode import Episode, EpisodeResult, label, play
from bba.bench.plan import SweepPlan
from bba.bench.price_estimate import estimate
from bba.bench.results_store import ResultsStore
from bba.bench.runner import Runner, with_ledger
from bba.planner.llm.ledger import Ledger, Spent
from bba.progress import line_writer
from bba.report.formatting import NONE, duration, keyless_planner, measure_label, thousands, value_text
from bba.settings import Settings
from tui.commands.output import plain_table
from tui.commands.termination import interrupted_by_sigterm

BAR_CELLS = 24  # cells of the bar
MEASURE = "reward"  # whose means are shown


class Tally:
    """Counts the finished episodes of a sweep, and knows what is waited for.

    Args:
        plan: the sweep's episodes.
        stored: the results of the episodes that were finished before.
        spent: tells what language models have cost; None without one.

    Attributes:
        changed: is called after every change, and about once a second.
    """

    def __init__(
        self, plan: SweepPlan, stored: Mapping[str, EpisodeResult], spent: Callable[[], Spent] | None = None
    ) -> None:
        self.total, self.done, self.failed, self.played = len(plan.episodes), len(stored), 0, 0
        self._look_up: Callable[[], Spent | None] = spent or (lambda: None)
        self.waiting, self._spent = "", self._look_up()
        self.changed: Callable[[], None] = lambda: None
        self._planner_once = keyless_planner(plan.entries) is not None
        self._begun = time.monotonic()
        self._steps, self._since = 0, 0.0
        self._values: dict[str, list[float]] = {}
        for key, result in stored.items():
            self._count(plan.episodes[key], result)

    def add(self, episode: Episode, outcome: EpisodeResult | None) -> None:
        """Counts one more episode; another runner played one without an outcome."""
        self.done += 1
        if outcome is not None:
            if self.played:
                self._steps += episode.horizon
            else:
                self._since = time.monotonic()  # the first episode also waited for compilation
            self.played += 1
            self.failed += outcome.failure is not None
            self._count(episode, outcome)
        self.wait(self.waiting)

    def wait(self, waiting: str) -> None:
        """Notes what is waited for, and what was spent."""
        self.waiting, self._spent = waiting, self._look_up()
        self.changed()

    @property
    def elapsed(self) -> float:
        """The seconds since the sweep began."""
        return time.monotonic() - self._begun

    @property
    def means(self) -> dict[str, float]:
        """The mean of `MEASURE` so far, by agent."""
        return {name: fmean(values) for name, values in self._values.items()}

    @property
    def summary(self) -> str:
        """Speed, time left, failures, and what language models have cost in this folder so far, in one line.

        The cost is that of failed requests and of earlier runs, too.
        """
        failed, spent = f"{self.failed} failed", self._spent
        if spent is not None:
            guessed = " (in part estimated)" if spent.estimated else ""
            failed += f", {thousands(spent.requests)} requests, {spent.dollars:.2f} US dollars{guessed}"
        if self.played < 2:
            return failed
        seconds = max(time.monotonic() - self._since, 1e-9)
        left = seconds / (self.played - 1) * (self.total - self.done)
        return f"{thousands(self._steps / seconds)} steps/s, {duration(left)} left, {failed}"

    def _count(self, episode: Episode, result: EpisodeResult) -> None:
        ego, value = episode.seats[0], result.measures.get(MEASURE) if result.measures else None
        if value is not None:
            self._values.setdefault(label(ego.agent, None if self._planner_once else ego.planner), []).append(value)


@contextmanager
def progress(tally: Tally) -> Iterator[None]:
    """Shows the tally while it changes."""
    if sys.stderr.isatty():
        with Live(SweepDisplay(tally), console=Console(stderr=True), refresh_per_second=8):
            yield
    else:
        write = line_writer(lambda: _line(tally))
        tally.changed = lambda: write(tally.done == tally.total)
        yield


class SweepDisplay:
    """A tally as rich shows it, drawn anew several times a second: a bar, what is waited for, and the means so far."""

    def __init__(self, tally: Tally) -> None:
        columns = (SpinnerColumn(), TextColumn("episodes"), BarColumn(BAR_CELLS), MofNCompleteColumn())
        self._tally, self._bar = tally, Progress(*columns, TextColumn("{task.description}"), get_time=time.monotonic)
        self._task = self._bar.add_task("")

    def __rich__(self) -> Group:
        tally = self._tally
        described = f"{duration(tally.elapsed)}, {tally.summary}"
        self._bar.update(self._task, description=described, total=tally.total, completed=tally.done)
        waiting = Text(f"  waiting for {tally.waiting}" if tally.waiting else "", style="dim")
        rows = ((name, value_text(mean, MEASURE)) for name, mean in tally.means.items())
        means = plain_table(["agent"], [f"mean {measure_label(MEASURE)} so far"], rows=rows)
        return Group(self._bar, waiting, means)


def _line(tally: Tally) -> str:
    means = ", ".join(f"{name} {value_text(mean, MEASURE)}" for name, mean in tally.means.items())
    waiting = f"; waiting for {tally.waiting}" if tally.waiting and tally.done < tally.total else ""
    done = f"{tally.done} of {tally.total} episodes, {duration(tally.elapsed)}, {tally.summary}"
    return f"{done}{waiting}; mean {measure_label(MEASURE)}: {means or NONE}"


def play_episodes(
    missing: Sequence[Episode], plan: SweepPlan, store: ResultsStore, options: AgentOptions, settings: Settings
) -> None:
    """Plays these episodes of a sweep and shows their progress; with --fail-fast until one fails."""
    ledger, kept = Ledger(store.path), settings.keep_recordings
    stored = store.results(plan.episodes.keys() - {episode.key for episode in missing})
    tally = Tally(plan, stored, ledger.spent if pays(settings.planner) else None)
    limit, dearest = settings.max_cost, estimate(missing, settings.prices).dearest or 0.0
    task = partial(play, options=with_ledger(options, store.path), keep_recording=kept or pays(settings.planner))

    def may_begin(running: int) -> bool:  # beside so many running episodes
        return limit is None or ledger.spent().dollars + (running + 1) * dearest <= limit

    with interrupted_by_sigterm():
        engine = engine_of(settings)
    runner = Runner(store, engine, task, recorded=kept, pulse=tally.wait, may_begin=may_begin)
    # Begun anew, because Ray has set a handler of its own.
    with interrupted_by_sigterm(), closing(runner.run(missing)) as episodes, progress(tally):
        for finished_now in episodes:
            tally.add(*finished_now)
            if settings.fail_fast and finished_now.outcome is not None and finished_now.outcome.failure is not None:
                return


def engine_of(settings: Settings) -> Engine:
    """Returns the engine; games with a language model run in threads, which share its limits."""
    if settings.engine == "ray":
        return RayEngine(settings.workers, settings.address)
    if pays(settings.planner):
        return ThreadEngine(settings.workers or settings.concurrency)
    return ProcessEngine(settings.workers)
