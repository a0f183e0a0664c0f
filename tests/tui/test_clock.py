"""The clock's arithmetic: speeds, beats and how many steps a beat plays."""

import pytest

from tui.playback.clock import FRAMES_A_SECOND, SPEEDS, Clock


def test_speeds_go_up_and_down_and_stop_at_the_ends():
    clock = Clock(1.0)
    up = []
    for _ in range(7):
        clock.change(faster=True)
        up.append(clock.speed)
    assert up == [2, 5, 10, 20, 50, 50, 50]
    for _ in range(7):
        clock.change(faster=False)
    assert clock.speed == 1


def test_a_speed_between_those_of_the_table_joins_it_at_the_next_key():
    clock = Clock(7.0)
    clock.change(faster=True)
    assert clock.speed == 10
    clock = Clock(7.0)
    clock.change(faster=False)
    assert clock.speed == 5


@pytest.mark.parametrize("speed", SPEEDS)
def test_every_speed_of_the_table_is_kept_exactly_within_the_rate_of_pictures(speed):
    clock = Clock(speed)
    assert clock.steps / clock.interval == pytest.approx(speed)
    assert clock.interval >= 1 / FRAMES_A_SECOND


def test_cooks_slide_only_while_it_can_be_seen():
    assert Clock(10.0).slide == pytest.approx(0.05)
    assert Clock(20.0).slide == 0
