"""The output of trainings: their progress on standard error, and the table of all on standard output."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, Task, TextColumn
from rich.table import Column

from bba.bench.formatting import duration, thousands
from bba.learning.rl.trainer import EvaluationScore
from bba.learning.runs.scheduler import RunState, RunStatus, TrainingScheduler
from bba.tables import table_of
from tui.commands.output import print_all

SELF_PLAY = "self-play"
STOPPED = "not finished; the same command goes on with it"
RUN_COLUMNS = ("steps", "minutes", "steps/s", "best at", "self-play", "objective")
PROGRESS_CELLS = 20  # cells


def print_table(statuses: Sequence[RunStatus], folder: Path) -> None:
    """Prints a line for each run: its cost, and how good it is so far or, at the end, in games for evaluation only."""
    rows: list[list[str]] = []
    for status in statuses:
        outcome = outcome_text(status) if status.ended else STOPPED
        rows.append([status.run.name, status.run.layout.name, *_values(status), outcome])
    table = table_of(("policy", "layout"), RUN_COLUMNS, ("",), rows=rows)
    print_all([table, (f"weights and records are in {folder}", "dim")])


def _values(status: RunStatus) -> tuple[str, ...]:
    if not status.curve:
        return ("",) * len(RUN_COLUMNS)
    last = status.curve[-1]
    best = status.best
    scores: dict[str, EvaluationScore] = (best or last).scores
    if status.record and status.record.evaluation:
        scores = status.record.evaluation
    objective = sum(score.objective for score in scores.values()) / len(scores)
    speed = last.steps / max(last.seconds, 1e-9)
    best_at = millions(best.steps) if best else ""
    return (
        millions(last.steps),
        f"{last.seconds / 60:.1f}",
        thousands(speed),
        best_at,
        self_play_reward(scores),
        f"{objective:.0f}",
    )


def millions(steps: int) -> str:
    """Returns a number of steps, as "1.25 M"; a small one in full."""
    return f"{steps / 1e6:.2f} M" if steps >= 10_000 else str(steps)


def self_play_reward(scores: Mapping[str, EvaluationScore]) -> str:
    """Returns the reward in self-play; "" where that is not evaluated."""
    return f"{scores[SELF_PLAY].reward:.0f}" if SELF_PLAY in scores else ""


def outcome_text(status: RunStatus) -> str:
    """Returns the state of a run in words; "" while it trains."""
    if status.state is RunState.FAILED:
        return f"failed: {status.error}"
    if status.state is RunState.TRAINING:
        return ""
    outcome: str = status.state.value
    if status.state is RunState.DONE:
        best = f"best at {millions(status.best.steps)}" if status.best else ""
        outcome += f", {best}"
    return outcome


@contextmanager
def progress(scheduler: TrainingScheduler, console: Console | None = None) -> Iterator[Callable[[], None]]:
    """Gives a function to call after every round of the scheduler.

    A terminal has a bar for each run that trains and a line for each that has ended; elsewhere a line is written for
    each run with a new point of its curve or another state.
    """
    console = console or Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(PROGRESS_CELLS),
        TextColumn("{task.fields[now]}", table_column=Column()),
    )
    bars = Progress(
        *columns,
        console=console,
        transient=True,
        disable=not console.is_terminal,
        auto_refresh=False,
        speed_estimate_period=math.inf,
    )
    budget = scheduler.config.steps
    statuses = scheduler.statuses
    written = {status.run: (status.state, len(status.curve)) for status in statuses}
    tasks = {status.run: bars.add_task(_name(status), total=budget, visible=False, now="") for status in statuses}
    trained_before = sum(min(status.steps, budget) for status in statuses)
    bars.add_task("all", total=None, now="", completed=trained_before)
    whole = bars.tasks[-1]

    def show() -> None:
        trained = {status.run: min(status.steps, budget) for status in scheduler.statuses}
        total = sum(trained[status.run] if status.ended else budget for status in scheduler.statuses)
        bars.update(whole.id, total=total, completed=sum(trained.values()))
        bars.update(whole.id, now=_summary(scheduler, whole))
        for status in scheduler.statuses:
            run = status.run
            trains = status.state in (RunState.PREPARING, RunState.TRAINING)
            line = _line(status, scheduler)
            bars.update(tasks[run], completed=trained[run], visible=trains, now=line)
            stage = (status.state, len(status.curve))
            if stage != written[run] and (bars.disable or status.ended):
                written[run] = stage
                ending = f"\n{whole.fields['now']}" if bars.disable and status.ended else ""
                console.print(f"{_name(status)}: {line}{ending}", markup=False, highlight=False, soft_wrap=True)
        bars.refresh()

    with bars:
        yield show


def _name(status: RunStatus) -> str:
    return f"{status.run.name} {status.run.layout.name}"


def _summary(scheduler: TrainingScheduler, whole: Task) -> str:
    count = len(scheduler.statuses)
    finished = count - scheduler.unfinished
    parts = [f"{finished} of {count} finished", f"{whole.percentage:.0f}% of all steps"]
    seconds = whole.time_remaining
    if seconds:
        parts.append(f"{duration(seconds)} left")
    return ", ".join(parts)


def _line(status: RunStatus, scheduler: TrainingScheduler) -> str:
    if status.state is not RunState.TRAINING or not status.curve:
        return outcome_text(status)
    last = status.curve[-1]
    reward = self_play_reward(last.scores)
    parts = [f"{millions(last.steps)} of {millions(scheduler.config.steps)} steps"]
    if len(status.curve) > 1:
        previous = status.curve[-2]
        speed = (last.steps - previous.steps) / max(last.seconds - previous.seconds, 1e-9)
        parts.append(f"{thousands(speed)} steps/s")  # of the last round
    if reward:
        parts.append(f"self-play {reward}")
    parts.append(f"objective {last.objective:.0f}")
    return ", ".join(parts)
