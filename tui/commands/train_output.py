"""The table of what was trained, on standard output."""

from collections.abc import Sequence
from pathlib import Path

from rich.table import Table

from bba.learning.rl.evaluation import EvaluationScore
from bba.learning.runs.scheduler import RunState, RunStatus
from bba.report.formatting import thousands
from tui.commands.console import output

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
