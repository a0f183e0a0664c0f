"""Watching pauses by itself at replans, contradictions and switches, if somebody asks for that."""

import pytest

from bba.analysis.timeline import TimelineData, TimelineMark
from bba.errors import BBAError
from tests.helpers.app import paused_app
from tests.helpers.games import played
from tui.playback.pauses import first_event, parse_pauses
from tui.playback.source import PlaybackSource
from tui.playback.traces import TracePlayback
from tui.screens.watch import WatchScreen

STEPS = 400


@pytest.fixture(scope="module")
def data():
    found = TimelineData(played(STEPS, horizon=2400))
    found.extend()
    return found


def all_pauses(data: TimelineData, mark: TimelineMark, **options) -> list[int]:
    steps = [0]
    while event := first_event(data, [mark], steps[-1], STEPS, **{"truth": True} | options):
        steps.append(event[0])
        assert event[1] is mark
    return steps[1:]


def test_a_switch_pauses_where_it_is_known_and_only_if_the_truth_is_shown(data):
    assert all_pauses(data, TimelineMark.SWITCH) == [switch.known + 1 for switch in data.switches] != []
    assert all_pauses(data, TimelineMark.SWITCH, truth=False) == []


def test_contradictions_in_a_row_pause_once(data):
    steps = data.marks[TimelineMark.CONTRADICTION]
    found = all_pauses(data, TimelineMark.CONTRADICTION, truth=False)
    assert 0 < len(found) < len(steps)
    assert found == [step for step in steps if step - 1 not in steps]


def test_replans_that_kept_the_plan_pause_too():
    found = TimelineData(played(100, horizon=2400))
    found.marks[TimelineMark.REPLAN] = [30]
    found.marks[TimelineMark.KEPT_PLAN] = [10, 50]
    assert all_pauses(found, TimelineMark.REPLAN) == [10, 30, 50]


def test_the_first_of_several_events_counts_and_nothing_pauses_unasked(data):
    both = [TimelineMark.SWITCH, TimelineMark.CONTRADICTION]
    alone = [all_pauses(data, mark)[0] for mark in both]
    assert first_event(data, both, 0, STEPS, truth=True)[0] == min(alone)
    assert first_event(data, both, 0, min(alone) - 1, truth=True) is None
    assert first_event(data, [], 0, STEPS, truth=True) is None


@pytest.mark.exhaustive
@pytest.mark.parametrize("speed", [10, 50])
async def test_the_clock_stops_at_the_event_and_goes_on_from_there(data, speed):
    first, second = all_pauses(data, TimelineMark.SWITCH)[:2]
    screen = WatchScreen(
        PlaybackSource(lambda: TracePlayback(data.trace)), autostart=False, speed=speed, pause_on=[TimelineMark.SWITCH]
    )
    app = paused_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await app.push_screen(screen)
        for step in (first, second):
            screen._playhead.seek(step - 3, screen.newest)
            screen._set_playing(True)
            while screen.playing:
                screen._on_tick()
            assert (screen.snapshot.step, screen.playing) == (step, False)
        screen.toggle_pauses(TimelineMark.SWITCH)
        screen._playhead.seek(first - 3, screen.newest)
        screen._set_playing(True)
        for _ in range(4):
            screen._on_tick()
        assert screen.snapshot.step > first
        await pilot.pause()


def test_the_option_is_a_list_of_events():
    assert parse_pauses("replan, switch") == {TimelineMark.REPLAN, TimelineMark.SWITCH}
    with pytest.raises(BBAError, match=r"--pause-on: 'replans': no such event; .*replan"):
        parse_pauses("replans")
