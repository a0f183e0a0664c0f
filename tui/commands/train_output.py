"""The output of trainings: their progress on standard error, and the table of all on standard output."""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import fmean

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from bba.learning.rl.evaluation import EvaluationScore
from bba.learning.runs.scheduler import RunState, RunStatus, TrainingScheduler
from bba.report.formatting import duration, thousands
from tui.commands.output import output

SELF_PLAY = "self-play"
STOPPED = "not finished; the same command goes on with it"
COLUMNS = ("steps", "minutes", "steps/s", "best at", "self-play", "objective")


def print_table(stands: Sequence[RunStatus], folder: Path) -> None:
    """A line a job: what it took, and how good it is so far, or the best policy in games that it was not chosen by."""
    table = Table(box=None, pad_edge=False)
    for name in ("policy", "layout"):
        table.add_column(name)
    for name in COLUMNS:
        table.add_column(name, justify="right")
    table.add_column("")
    for stand in stands:
        table.add_row(stand.run.name, stand.run.layout.name, *_figures(stand), told(stand) if stand.ended else STOPPED)
    with output() as console:
        console.print(table)
        console.print(f"weights and records are in {folder}", style="dim", soft_wrap=True)


def _figures(stand: RunStatus) -> tuple[str, ...]:
    if not stand.curve:
        return ("",) * len(COLUMNS)
    last, best = stand.curve[-1], stand.best
    scores: dict[str, EvaluationScore] = (stand.record and stand.record.evaluation) or (best or last).scores
    objective = sum(score.objective for score in scores.values()) / len(scores)
    return (
        millions(last.steps),
        f"{last.seconds / 60:.1f}",
        thousands(last.steps / max(last.seconds, 1e-9)),
        millions(best.steps) if best else "",
        f"{scores[SELF_PLAY].reward:.0f}" if SELF_PLAY in scores else "",
        f"{objective:.0f}",
    )


def millions(steps: int) -> str:
    """Steps, as "1.25 M"; few of them in full."""
    return f"{steps / 1e6:.2f} M" if steps >= 10_000 else str(steps)


def speed_of(stand: RunStatus) -> str:
    """Steps a second in the last round; nothing before the first."""
    if len(stand.curve) < 2:
        return ""
    before, last = stand.curve[-2:]
    return thousands((last.steps - before.steps) / max(last.seconds - before.seconds, 1e-9))


def reward_of(stand: RunStatus) -> str:
    """The reward with itself, where that is evaluated."""
    scores = stand.curve[-1].scores if stand.curve else {}
    return f"{scores[SELF_PLAY].reward:.0f}" if SELF_PLAY in scores else ""


def told(stand: RunStatus) -> str:
    """Where a job is, in words."""
    best = f"best at {millions(stand.best.steps)}" if stand.best else ""
    if stand.state is RunState.FAILED:
        return f"failed: {stand.error}"
    if stand.state is RunState.TRAINING:
        return ""
    return f"{stand.state.value}, {best}" if stand.state is RunState.DONE else stand.state.value


BAR = 20  # cells
AROUND = 5  # lines that the display needs beside the jobs'
STYLES = {RunState.DONE: "green", RunState.FAILED: "red", RunState.WAITING: "dim", RunState.ALREADY_TRAINED: "dim"}
FIRST = (
    RunState.FAILED,
    RunState.TRAINING,
    RunState.PREPARING,
    RunState.DONE,
    RunState.WAITING,
    RunState.ALREADY_TRAINED,
)  # where lines are few


class Pace:
    """How fast all trainings together go, since the first of them had something to tell."""

    def __init__(self, crew: TrainingScheduler) -> None:
        self._crew, self._since = crew, 0.0
        self._before = 0

    def left(self) -> str:
        """Time left, in words; nothing before that can be known."""
        trained = sum(stand.steps - stand.steps_before for stand in self._crew.statuses)
        if not self._since:
            if trained:
                self._since, self._before = time.monotonic(), trained
            return ""
        seconds = time.monotonic() - self._since
        if trained == self._before or not self._crew.unfinished:
            return ""
        budget = self._crew.config.steps
        missing = sum(max(0, budget - stand.steps) for stand in self._crew.statuses if not stand.ended)
        return f"{duration(seconds / (trained - self._before) * missing)} left"


@contextmanager
def progress(crew: TrainingScheduler) -> Iterator[Callable[[], None]]:
    """Gives what is to be called whenever the crew has looked."""
    if not sys.stderr.isatty():
        yield _lines(crew)
        return
    console, pace = Console(stderr=True), Pace(crew)
    with Live(console=console, auto_refresh=False, transient=True) as live:
        yield lambda: live.update(display(crew, pace, console.height), refresh=True)


def display(crew: TrainingScheduler, pace: Pace, height: int) -> Group:
    """All jobs that fit into so many lines, and one line about all of them."""
    shown = fitting(crew.statuses, max(1, height - AROUND))
    table = Table(box=None, pad_edge=False)
    for name in ("policy", "layout", "trained"):
        table.add_column(name, no_wrap=True)
    for name in ("steps", "steps/s", "self-play", "objective"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True, overflow="ellipsis")
    for stand in shown:
        table.add_row(*_row(stand, crew.config.steps), style=STYLES.get(stand.state, ""))
    return Group(table, Text(_summary(crew, pace, len(crew.statuses) - len(shown))))


def fitting(stands: Sequence[RunStatus], lines: int) -> list[RunStatus]:
    """As many as there are lines for, in their order: those where something happens before the others."""
    first = sorted(stands, key=lambda stand: FIRST.index(stand.state))[:lines]
    return [stand for stand in stands if stand in first]


def _row(stand: RunStatus, budget: int) -> tuple[str | ProgressBar, ...]:
    bar = ProgressBar(total=budget, completed=min(stand.steps, budget), width=BAR)
    objective = f"{stand.curve[-1].objective:.0f}" if stand.curve else ""
    figures = (millions(stand.steps) if stand.curve else "", speed_of(stand), reward_of(stand), objective)
    return (stand.run.name, stand.run.layout.name, bar, *figures, told(stand))


def _summary(crew: TrainingScheduler, pace: Pace, hidden: int) -> str:
    over = len(crew.statuses) - crew.unfinished
    share = fmean(min(1.0, stand.steps / crew.config.steps) if not stand.ended else 1.0 for stand in crew.statuses)
    parts = [f"{over} of {len(crew.statuses)} finished", f"{share:.0%} of all steps", pace.left()]
    return ", ".join([part for part in parts if part] + [f"{hidden} more jobs"] * (hidden > 0))


def _lines(crew: TrainingScheduler) -> Callable[[], None]:
    """A line for a job whenever it has a new point or another state."""
    said = {stand.run: (stand.state, len(stand.curve)) for stand in crew.statuses}
    pace = Pace(crew)

    def show() -> None:
        for stand in crew.statuses:
            now = (stand.state, len(stand.curve))
            if now != said[stand.run]:
                said[stand.run] = now
                sys.stderr.write(f"{stand.run.name} {stand.run.layout.name}: {_line(stand, crew)}\n")
                if stand.ended:
                    sys.stderr.write(f"{_summary(crew, pace, 0)}\n")
                sys.stderr.flush()

    return show


def _line(stand: RunStatus, crew: TrainingScheduler) -> str:
    if stand.state is not RunState.TRAINING:
        return told(stand)
    told_of = (("", speed_of(stand), " steps/s"), ("self-play ", reward_of(stand), ""))
    figures = [f"{before}{figure}{after}" for before, figure, after in told_of if figure]
    steps = f"{millions(stand.steps)} of {millions(crew.config.steps)} steps"
    return ", ".join([steps, *figures, f"objective {stand.curve[-1].objective:.0f}"])
