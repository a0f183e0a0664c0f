"""The panel of the value gate: what another plan would be worth, and that no other gate is shown where it decides."""

import pytest

from bba.agents import SeatSpec, load_agent
from bba.analysis import Snapshot, value_opens
from bba.analysis.comparison import fork_outcome
from bba.analysis.replans import choice_step
from bba.files import data_dir
from bba.play import EGO, Replay, Trace, load
from tests.helpers.app import texts, with_panels
from tests.helpers.wait_for_idle import drawn
from tui.app.app import BBAApp
from tui.playback.source import PlaybackSource
from tui.playback.traces import TracePlayback
from tui.screens.comparison import ComparisonPanel
from tui.widgets import CommitmentGatePanel, GatePanel, ValuePanel, deciding_gate_panel
from tui.widgets.value_gate import best_other

STEPS = 140


@pytest.fixture(scope="module")
def trace() -> Trace:
    (path,) = data_dir("assets/shown").glob("open-bayes-value-*.bba")
    game = Replay(load(path), str(path))
    while len(game.trace.ticks) < STEPS:
        game.step()
    return game.trace


def change_of(trace: Trace) -> int:
    return next(tick.step for tick in trace.ticks if tick.decisions[EGO].replanned)


def was_judged(trace: Trace, step: int) -> bool:
    return value_opens(trace.ticks[step - 1].decisions[EGO], trace.config.seats[EGO]) is not None


def shown(trace: Trace, step: int, width: int = 50) -> list[str]:
    return texts(ValuePanel().lines(Snapshot(trace, step), width))


def test_it_says_what_another_plan_gains_what_a_change_has_to_bring_and_what_came_of_that(trace):
    step = change_of(trace)
    decision = trace.ticks[step - 1].decisions[EGO]
    rows = shown(trace, step)
    gain = best_other(decision.comparison).gain
    assert gain > trace.config.seats[EGO].rollout.replan_cost
    assert rows[0].strip().startswith("+")
    assert rows[0].endswith("needs 0.5")
    assert rows[3].startswith(f"step {step}: changed its plan for ")
    assert rows[4].startswith(f"last change {step}: ")
    assert not any(sign in row for row in rows for sign in "ℓθΛλΓ")


def test_where_nothing_pays_the_plan_is_kept(trace):
    first = change_of(trace)
    asked = [tick.step for tick in trace.ticks[: first - 1] if was_judged(trace, tick.step)]
    assert asked
    rows = shown(trace, asked[-1])
    assert rows[-2] == f"step {asked[-1]}: kept its plan, no other pays"
    assert rows[-1] == "has not changed its plan yet"
    assert shown(trace, 0) == ["what blue believes has not moved yet", "has not changed its plan yet"]


def test_what_was_found_of_an_earlier_plan_is_not_shown_for_the_present_one(trace):
    first = change_of(trace)
    choice = choice_step(trace, first - 1)
    last = [tick.step for tick in trace.ticks[: first - 1] if was_judged(trace, tick.step)][-1]
    assert last < choice < first - 1
    rows = shown(trace, first - 1, width=60)
    assert rows == [f"blue has not looked again since its choice in step {choice}", "has not changed its plan yet"]


@pytest.mark.parametrize("width", [24, 33, 44])
def test_its_lines_fit_into_the_panel(trace, width):
    rows = shown(trace, change_of(trace), width)
    assert len(rows) == 5
    assert len(rows[0]) <= width


@pytest.mark.parametrize(
    ("agent", "panel"), [("bayes", GatePanel), ("bayes-commit", CommitmentGatePanel), ("bayes-value", ValuePanel)]
)
def test_the_panel_is_that_of_the_gate_that_decides(agent, panel):
    assert deciding_gate_panel(load_agent(SeatSpec(agent)).profile) is panel


@pytest.mark.parametrize("size", [(120, 40), (200, 55)])
async def test_where_value_decides_no_other_gate_is_shown_until_it_is_asked_for(trace, size):
    app = with_panels(BBAApp(PlaybackSource(lambda: TracePlayback(trace)), autostart=False, motion=False), "gate")
    async with app.run_test(size=size) as pilot:
        app.game_screen._seek(change_of(trace))
        await drawn(pilot)
        panels = [app.screen.query_one(kind) for kind in (ValuePanel, GatePanel, CommitmentGatePanel)]
        assert [bool(panel.region) for panel in panels] == [True, False, False]
        assert panels[0].has_class("-replan")
        await pilot.press("o")
        await drawn(pilot)
        assert [bool(panel.region) for panel in panels] == [False, True, False]


def test_beside_a_fork_the_verdict_of_the_value_gate_stands_under_each_kitchen(trace):
    snapshot = Snapshot(trace, change_of(trace))
    panel = ComparisonPanel("original", 1)
    panel._outcome = panel._rival = fork_outcome(trace, snapshot.step, 1)
    assert texts(panel.lines(snapshot, 60))[-1].startswith(f"step {snapshot.step}: changed its plan for ")
