"""The output of trainings: their progress on standard error, and the table of all on standard output."""

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import fmean

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.text import Text

from bba.learning.rl.trainer import EvaluationScore
from bba.learning.runs.scheduler import RunState, RunStatus, TrainingScheduler
from bba.report.formatting import duration, thousands
from tui.commands.output import plain_table, print_all

SELF_PLAY = "self-play"
STOPPED = "not finished; the same command goes on with it"
RUN_COLUMNS = ("steps", "minutes", "steps/s", "best at", "self-play", "objective")
PROGRESS_CELLS = 20  # cells
AROUND = 5  # lines of the display besides those of the runs
STYLES = {RunState.DONE: "green", RunState.FAILED: "red", RunState.WAITING: "dim", RunState.ALREADY_TRAINED: "dim"}
ORDER = (  # in which runs are chosen where there are not lines for all
    RunState.FAILED,
    RunState.TRAINING,
    RunState.PREPARING,
    RunState.DONE,
    RunState.WAITING,
    RunState.ALREADY_TRAINED,
)


def print_table(statuses: Sequence[RunStatus], folder: Path) -> None:
    """Prints a line for each run: its cost, and how good it is so far or, at the end, in games for evaluation only."""
    rows = (
        (one.run.name, one.run.layout.name, *_values(one), outcome_text(one) if one.ended else STOPPED)
        for one in statuses
    )
    table = plain_table(("policy", "layout"), RUN_COLUMNS, ("",), rows=rows)
    print_all([table, (f"weights and records are in {folder}", "dim")])


def _values(status: RunStatus) -> tuple[str, ...]:
    if not status.curve:
        return ("",) * len(RUN_COLUMNS)
    last, best = status.curve[-1], status.best
    scores: dict[str, EvaluationScore] = (status.record and status.record.evaluation) or (best or last).scores
    objective = sum(score.objective for score in scores.values()) / len(scores)
    return (
        millions(last.steps),
        f"{last.seconds / 60:.1f}",
        thousands(last.steps / max(last.seconds, 1e-9)),
        millions(best.steps) if best else "",
        self_play_reward(scores),
        f"{objective:.0f}",
    )


def millions(steps: int) -> str:
    """Returns a number of steps, as "1.25 M"; a small one in full."""
    return f"{steps / 1e6:.2f} M" if steps >= 10_000 else str(steps)


def last_point(status: RunStatus) -> tuple[str, str, str, str]:
    """Returns steps, steps a second in the last round, reward in self-play and objective now; "" where not known."""
    if not status.curve:
        return "", "", "", ""
    speed, last = "", status.curve[-1]
    if len(status.curve) > 1:
        before = status.curve[-2]
        speed = thousands((last.steps - before.steps) / max(last.seconds - before.seconds, 1e-9))
    return millions(last.steps), speed, self_play_reward(last.scores), f"{last.objective:.0f}"


def self_play_reward(scores: Mapping[str, EvaluationScore]) -> str:
    """Returns the reward in self-play; "" where that is not evaluated."""
    return f"{scores[SELF_PLAY].reward:.0f}" if SELF_PLAY in scores else ""


def outcome_text(status: RunStatus) -> str:
    """Returns the state of a run in words; "" while it trains."""
    best = f"best at {millions(status.best.steps)}" if status.best else ""
    if status.state is RunState.FAILED:
        return f"failed: {status.error}"
    if status.state is RunState.TRAINING:
        return ""
    return f"{status.state.value}, {best}" if status.state is RunState.DONE else status.state.value


class Pace:
    """The speed of all trainings together, measured from the first step that one of them reports."""

    def __init__(self, scheduler: TrainingScheduler) -> None:
        self._scheduler, self._since, self._before = scheduler, 0.0, 0

    def left(self) -> str:
        """Returns the time left in words; "" before it can be estimated."""
        trained = sum(status.steps - status.steps_before for status in self._scheduler.statuses)
        if not self._since:
            if trained:
                self._since, self._before = time.monotonic(), trained
            return ""
        seconds = time.monotonic() - self._since
        if trained == self._before or not self._scheduler.unfinished:
            return ""
        budget = self._scheduler.config.steps
        missing = sum(max(0, budget - status.steps) for status in self._scheduler.statuses if not status.ended)
        return f"{duration(seconds / (trained - self._before) * missing)} left"


@contextmanager
def progress(scheduler: TrainingScheduler) -> Iterator[Callable[[], None]]:
    """Gives a function to call after every round of the scheduler."""
    if not sys.stderr.isatty():
        yield _lines(scheduler)
        return
    console, pace = Console(stderr=True), Pace(scheduler)
    with Live(console=console, auto_refresh=False, transient=True) as live:
        yield lambda: live.update(display(scheduler, pace, console.height), refresh=True)


def display(scheduler: TrainingScheduler, pace: Pace, height: int) -> Group:
    """Returns a table of the runs that fit into `height` lines, and one line about all of them."""
    shown, budget = fitting(scheduler.statuses, max(1, height - AROUND)), scheduler.config.steps
    table = plain_table(("policy", "layout", "trained"), ("steps", "steps/s", "self-play", "objective"))
    table.add_column("", overflow="ellipsis")
    for column in table.columns:
        column.no_wrap = True
    for status in shown:
        bar = ProgressBar(budget, min(status.steps, budget), width=PROGRESS_CELLS)
        row = (status.run.name, status.run.layout.name, bar, *last_point(status), outcome_text(status))
        table.add_row(*row, style=STYLES.get(status.state, ""))
    return Group(table, Text(_summary(scheduler, pace, len(scheduler.statuses) - len(shown))))


def fitting(statuses: Sequence[RunStatus], lines: int) -> list[RunStatus]:
    """Returns as many runs as there are lines, in their order; runs in progress take precedence over waiting ones."""
    first = sorted(statuses, key=lambda status: ORDER.index(status.state))[:lines]
    return [status for status in statuses if status in first]


def _summary(scheduler: TrainingScheduler, pace: Pace, hidden: int) -> str:
    over = len(scheduler.statuses) - scheduler.unfinished
    share = fmean(
        min(1.0, status.steps / scheduler.config.steps) if not status.ended else 1.0 for status in scheduler.statuses
    )
    parts = [f"{over} of {len(scheduler.statuses)} finished", f"{share:.0%} of all steps", pace.left()]
    return ", ".join([part for part in parts if part] + [f"{hidden} more jobs"] * (hidden > 0))


def _lines(scheduler: TrainingScheduler) -> Callable[[], None]:
    """Returns a function that writes a line for each run with a new point of its curve or another state."""
    written = {status.run: (status.state, len(status.curve)) for status in scheduler.statuses}
    pace = Pace(scheduler)

    def show() -> None:
        for status in scheduler.statuses:
            now = (status.state, len(status.curve))
            if now != written[status.run]:
                written[status.run] = now
                sys.stderr.write(f"{status.run.name} {status.run.layout.name}: {_line(status, scheduler)}\n")
                if status.ended:
                    sys.stderr.write(f"{_summary(scheduler, pace, 0)}\n")

    return show


def _line(status: RunStatus, scheduler: TrainingScheduler) -> str:
    if status.state is not RunState.TRAINING:
        return outcome_text(status)
    steps, speed, reward, objective = last_point(status)
    parts = [f"{steps} of {millions(scheduler.config.steps)} steps", speed and f"{speed} steps/s"]
    parts += [reward and f"self-play {reward}", f"objective {objective}"]
    return ", ".join(filter(None, parts))
