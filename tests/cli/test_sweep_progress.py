"""What a sweep says while it plays: also while nothing is finished yet."""

import io

import pytest
from rich.console import Console

from bba.agents import SeatSpec
from bba.bench.plan import plan_sweep
from tests.helpers.tiny_sweeps import outcome, sweep
from tui.commands import sweep_playing
from tui.commands.sweep_playing import SweepProgress


@pytest.fixture
def now(monkeypatch):
    """The clock, in seconds."""
    time = [1000.0]
    monkeypatch.setattr(sweep_playing.time, "monotonic", lambda: time[0])
    return time


@pytest.fixture
def plan():
    return plan_sweep(sweep(), SeatSpec())


def drawn(display) -> str:
    console = Console(file=io.StringIO(), width=100, force_terminal=False)
    console.print(display)
    return console.file.getvalue()


def test_before_the_first_episode_is_done_a_line_every_ten_seconds_says_what_is_waited_for(plan, now, capsys):
    with SweepProgress(plan, {}) as progress:
        for now[0] in (1001, 1009, 1011, 1012, 1022):
            progress.wait("the first worker")
    lines = capsys.readouterr().err.splitlines()
    said = "0 failed; waiting for the first worker; mean reward: –"
    assert lines == [f"0 of 4 episodes, 11 s, {said}", f"0 of 4 episodes, 22 s, {said}"]


def test_the_last_line_waits_for_nothing_and_names_the_planner_nowhere(plan, now, capsys):
    with SweepProgress(plan, {}) as progress:
        progress.wait("4 games")
        for number, episode in enumerate(plan.episodes.values()):
            progress.add(episode, outcome(reward=number))
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("4 of 4 episodes, 0 s, ")
    assert line.endswith("0 failed; mean reward: bayes 0, bayes-no-replan 2")


def test_the_live_display_turns_counts_the_time_and_says_what_it_waits_for(plan, now):
    display = SweepProgress(plan, {})
    display.wait("the first worker")
    first = drawn(display)
    now[0] += 75.3
    later = drawn(display)
    assert "waiting for the first worker" in later
    assert ("0 s" in first, "1 min 15 s" in later) == (True, True)
    assert "0/4" in later
    assert first.split()[0] != later.split()[0], "the spinner has turned"


def test_the_first_episode_which_waits_for_compilation_counts_for_no_speed(plan, now, capsys):
    first, second, *_ = plan.episodes.values()
    with SweepProgress(plan, {}) as progress:
        progress.add(first, outcome(reward=1))
        now[0] += 10
        progress.add(second, outcome(reward=1))
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("2 of 4 episodes, 10 s, 2 steps/s, 20 s left, 0 failed")
