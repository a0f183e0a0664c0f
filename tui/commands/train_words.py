"""Figures of trainings, as they are told."""

from bba.learning.runs.scheduler import RunState, RunStatus
from bba.report.formatting import thousands

SELF_PLAY = "self-play"


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
