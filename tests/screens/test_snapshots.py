"""What the screen looks like, as pictures. `make snapshots` draws them anew after a change that is meant.

The games are two switching partners, who need no planner, or stored recordings: the pictures change only when the
kitchen, the belief or the screen does.
"""

from dataclasses import replace
from pathlib import Path

import pytest

from bba.kitchen.constants import BOIL, CHOP, GRAB_CLEAN_PLATE
from bba.play.trace import EGO
from tests.helpers.app import paused_app
from tests.helpers.comparisons import compared, with_comparisons
from tests.helpers.forks import still
from tests.helpers.recordings import source_of
from tests.helpers.wait_for_idle import drawn, until
from tui.game_factory import recorded_source
from tui.playback.source import PlaybackSource
from tui.playback.traces import TracePlayback
from tui.preferences import AppState

RECORDINGS = Path(__file__).parent / "recordings"


@pytest.mark.thorough
@pytest.mark.parametrize(("width", "height"), [(80, 24), (100, 32), (160, 50), (200, 60)])
def test_the_middle_of_a_game(snap_compare, width, height):
    app = paused_app(515, horizon=2400)
    assert snap_compare(app, terminal_size=(width, height), run_before=drawn)


@pytest.mark.thorough
def test_bayes_in_the_middle_of_a_game(snap_compare):
    app = still(source_of(RECORDINGS / "bayes-open.bba"))
    assert snap_compare(app, terminal_size=(120, 40), run_before=drawn)


@pytest.mark.thorough
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
def test_two_rooms_with_the_truth_hidden_at_the_end_with_its_card(snap_compare, size, monkeypatch, tmp_path):
    monkeypatch.setattr("tui.widgets.events.reference_score", lambda trace: 1234)
    state = AppState(tmp_path / "start.json")
    app = paused_app(300, {"state": state}, layout="forced_coordination", horizon=300)
    assert snap_compare(app, press=["t"], terminal_size=size, run_before=drawn)


@pytest.mark.thorough
def test_an_earlier_step_of_a_game_with_a_close_look_at_the_timeline(snap_compare):
    app = paused_app(515, horizon=2400)
    assert snap_compare(app, press=["[", "C", "z", "z"], terminal_size=(100, 36), run_before=drawn)


@pytest.mark.thorough
def test_the_help(snap_compare):
    assert snap_compare(paused_app(), press=["question_mark"], terminal_size=(100, 40))


@pytest.mark.thorough
@pytest.mark.parametrize("size", [(80, 24), (100, 36), (120, 40), (200, 60)])
def test_the_step_in_which_an_ego_replans_with_its_caption(snap_compare, size):
    app = still(source_of(RECORDINGS / "bayes-ring-replans.bba"))
    assert snap_compare(app, terminal_size=size, run_before=drawn)


@pytest.mark.exhaustive
@pytest.mark.parametrize("size", [(80, 24), (100, 36), (200, 60)])
def test_the_step_in_which_the_commitment_gate_opens(snap_compare, size):
    app = still(source_of(RECORDINGS / "bayes-commit-ring.bba"))
    assert snap_compare(app, terminal_size=size, run_before=drawn)


def test_the_other_gate_on_the_same_game(snap_compare):
    app = still(source_of(RECORDINGS / "bayes-commit-ring.bba"))
    assert snap_compare(app, press=["o"], terminal_size=(100, 36), run_before=drawn)


@pytest.mark.thorough
@pytest.mark.parametrize(("width", "height"), [(80, 24), (140, 45)])
def test_what_the_rollout_planner_weighed(snap_compare, width, height):
    whole = source_of(RECORDINGS / "bayes-open.bba").trace
    chosen = max(tick.step for tick in whole.ticks if tick.decisions[0].chosen)
    trace = with_comparisons(whole, {chosen: compared()})
    app = still(PlaybackSource(lambda: TracePlayback(trace)))
    assert snap_compare(app, press=["end", "m"], terminal_size=(width, height), run_before=drawn)


@pytest.mark.parametrize("size", [(80, 24), (140, 45)])
def test_a_partner_with_habits(snap_compare, size):
    game = source_of(RECORDINGS / "bayes-open.bba").trace
    habits = {"locked": 0.02, "by_propensity": 0.91, "seldom": (BOIL, CHOP), "often": (GRAB_CLEAN_PLATE,)}
    trace = replace(game, ticks=[with_belief(tick, habits) for tick in game.ticks])
    app = still(PlaybackSource(lambda: TracePlayback(trace)))
    assert snap_compare(app, press=["end"], terminal_size=size, run_before=drawn)


def with_belief(tick, parts):
    """A step in which the ego's belief has these parts."""
    ego, partner = tick.decisions
    return tick._replace(decisions=(ego._replace(belief=ego.belief._replace(**parts)), partner))


@pytest.mark.exhaustive
@pytest.mark.parametrize("size", [(80, 24), (140, 45)])
def test_where_the_ego_goes_in_the_likeliest_future(snap_compare, size, monkeypatch):
    for screen in ("watch", "watch_view"):
        monkeypatch.setattr(f"tui.screens.{screen}.ghost_path", lambda snapshot, _: snapshot.routes[EGO].path[1:])
    trace = with_comparisons(source_of(RECORDINGS / "bayes-open.bba").trace, {})
    app = still(PlaybackSource(lambda: TracePlayback(trace)))
    assert snap_compare(app, press=["end", "f"], terminal_size=size, run_before=drawn)


@pytest.mark.thorough
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
def test_a_duel_where_the_two_first_decide_differently(snap_compare, size):
    app = still(recorded_source(RECORDINGS / "duel-open.bba"))
    assert snap_compare(app, terminal_size=size, run_before=at_the_first_difference)


async def at_the_first_difference(pilot):
    await until(pilot, lambda: all(source.done for source in pilot.app.screen.sources))
    await pilot.press("v")
    await drawn(pilot)
