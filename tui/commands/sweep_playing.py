"""Plays the missing episodes of a sweep and shows how far it is, also while nothing is finished.

The progress is a live display on a terminal, elsewhere a line every ten seconds on standard error.
"""

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from statistics import fmean

from rich.console import Console, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, Task, TextColumn
from rich.text import Text

from bba.agents.planner_names import pays
from bba.agents.seat import SeatSpec
from bba.bench import Episode, EpisodeResult, ResultsStore, SweepPlan, label, play
from bba.bench.engines import Engine, ProcessEngine, RayEngine, ThreadEngine, cluster_address
from bba.bench.formatting import NONE, duration, keyless_planner, measure_label, thousands, value_text
from bba.bench.runner import Runner, with_ledger
from bba.bench.sweep_money import SweepMoney
from bba.planner.ledger import Ledger, Spent
from bba.progress import line_writer
from bba.terminal_text import note_lines, visible_line
from tui.arguments.options import ManyGames
from tui.commands.terminal import interrupted_by_sigterm

BAR_CELLS = 24  # cells of the bar
MEASURE = "reward"  # whose means are shown


class SweepProgress(Progress):
    """Counts the finished episodes of a sweep and shows how far it is: in a live display on a terminal, else in lines.

    Args:
        plan: the sweep's episodes.
        stored: the results of the episodes that were finished before.
        spent: tells what language models have cost; None without one.
        expected: tells what they will have cost in all, in US dollars; None of it is known before the first answers.
    """

    def __init__(
        self,
        plan: SweepPlan,
        stored: Mapping[str, EpisodeResult],
        spent: Callable[[], Spent] | None = None,
        expected: Callable[[], float | None] = lambda: None,
    ) -> None:
        columns = (SpinnerColumn(), TextColumn("episodes"), BarColumn(BAR_CELLS))
        console = Console(stderr=True)
        super().__init__(
            *columns,
            MofNCompleteColumn(),
            console=console,
            disable=not console.is_terminal,
            get_time=time.monotonic,
            speed_estimate_period=math.inf,
        )
        self.add_task("", total=len(plan.episodes), completed=len(stored))
        (self._task,) = self.tasks
        self._look_up: Callable[[], Spent | None] = spent or (lambda: None)
        self._look_ahead = expected
        self._expected: float | None = None  # US dollars
        self._horizon = plan.sweep.horizon
        self._failed = 0
        self._waiting = ""
        self._spent = self._look_up()
        self._planner_once = keyless_planner(plan.entries) is not None
        self._values: dict[str, list[float]] = {}
        self._write = line_writer(self._line)
        for key, result in stored.items():
            self._count(plan.episodes[key], result)

    def _line(self) -> str:
        progress = "; ".join(self.said(self._task))
        return f"{self._task.completed:g} of {self._task.total:g} episodes, {progress}"

    def add(self, episode: Episode, outcome: EpisodeResult | None) -> None:
        """Counts one more episode; another runner played one without an outcome."""
        self.advance(self._task.id)
        if outcome is not None:
            if outcome.failure is not None:
                self._failed += 1
            self._count(episode, outcome)
        self.wait(self._waiting)

    def wait(self, waiting: str) -> None:
        """Notes the reason of a wait, and the money spent so far."""
        self._waiting = waiting
        self._spent = self._look_up()
        if self._spent is not None:
            self._expected = self._look_ahead()
        if self.disable:
            self._write(self._task.finished)

    def get_renderables(self) -> Iterator[RenderableType]:
        """Yields what rich draws several times a second: the bar, and below it how far the sweep is, if begun."""
        yield self.make_tasks_table(self.tasks)
        yield from (Text("\n".join(self.said(task))) for task in self.tasks)

    def said(self, task: Task) -> list[str]:
        """Returns time, speed, failures and costs so far in a line, then what is waited for, and the mean rewards.

        The cost is that of failed requests and of earlier runs, too. The first episode also waited for compilation, so
        that rich takes the speed from the others.
        """
        spent = self._spent
        parts = [duration(task.elapsed or 0.0)]
        if task.speed:
            parts.append(f"{thousands(task.speed * self._horizon)} steps/s")
            parts.append(f"{duration(task.time_remaining or 0.0)} left")
        parts.append(f"{self._failed} failed")
        if spent is not None:
            guessed = " (in part estimated)" if spent.estimated else ""
            parts.append(f"{thousands(spent.requests)} requests, {spent.dollars:.2f} US dollars{guessed}")
            if self._expected is not None and not task.finished:
                parts.append(f"about {self._expected:,.2f} in all by the rate so far")
        lines = [", ".join(parts)]
        if self._waiting and not task.finished:
            lines.append(f"waiting for {self._waiting}")
        # As a list: another thread may add an agent meanwhile.
        means = [f"{name} {value_text(fmean(values), MEASURE)}" for name, values in list(self._values.items())]
        lines.append(f"mean {measure_label(MEASURE)}: {', '.join(means) or NONE}")
        return lines

    def _count(self, episode: Episode, result: EpisodeResult) -> None:
        ego = episode.seats[0]
        value = result.measures.get(MEASURE) if result.measures else None
        if value is not None:
            name = label(ego.agent, None if self._planner_once else ego.planner)
            self._values.setdefault(name, []).append(value)


def play_episodes(
    missing: Sequence[Episode],
    plan: SweepPlan,
    store: ResultsStore,
    options: SeatSpec,
    settings: ManyGames,
    *,
    keep_recordings: bool,
) -> None:
    """Plays these episodes of a sweep and shows their progress; with --fail-fast until one fails."""
    ledger = Ledger(store.path)
    stored = store.results(plan.episodes.keys() - {episode.key for episode in missing})
    asks_model = pays(settings.planner)
    money = SweepMoney(missing, lambda: ledger.spent().dollars, settings.max_cost, settings.prices)
    progress = SweepProgress(plan, stored, ledger.spent if asks_model else None, money.expected)
    task = partial(
        money.play if asks_model else play,
        base=with_ledger(options, store.path),
        keep_recording=keep_recordings or asks_model,
    )
    with interrupted_by_sigterm():
        engine = engine_of(settings)
    runner = Runner(store, engine, task, recorded=keep_recordings, pulse=progress.wait, may_begin=money.may_begin)
    # Begun anew, because Ray has set a handler of its own.
    with interrupted_by_sigterm(), closing(runner.run(missing)) as episodes, progress:
        for finished_now in episodes:
            outcome = finished_now.outcome
            if outcome is None:
                money.leave_out(finished_now.episode)
            progress.add(*finished_now)
            if settings.fail_fast and outcome is not None and outcome.failure is not None:
                return


def engine_of(settings: ManyGames) -> Engine:
    """Returns the engine; games with a language model run in threads, which share its limits."""
    if settings.engine == "ray":
        address, origin = cluster_address(settings.address)
        if origin:
            note_lines(f"--engine ray: plays on the cluster at {visible_line(address)}{origin}")
        return RayEngine(settings.workers, settings.address)
    if pays(settings.planner):
        return ThreadEngine(settings.workers or settings.concurrency)
    return ProcessEngine(settings.workers)
