"""The clock: speeds, beats, how many steps a picture takes, and why a game stands still."""

import pytest

from tui.playback.clock import FRAMES_A_SECOND, SPEEDS, Clock, Standstill


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


def test_steps_follow_in_beats_or_at_once_where_no_time_decides():
    assert (Clock(20.0).beat, Clock(20.0).timed) == (0.05, True)
    assert (Clock(None).beat, Clock(None).timed) == (0.0, False)


def test_a_game_stands_still_for_the_first_reason_of_several_and_goes_on_without_any():
    reasons = [Standstill.PREPARATION, Standstill.COVER, Standstill.END]
    clock = Clock(
        10.0,
        countdown=1,
        paused=True,
        preparing=lambda: Standstill.PREPARATION in reasons,
        covered=lambda: Standstill.COVER in reasons,
        over=lambda: Standstill.END in reasons,
    )
    assert clock.standstill is Standstill.PREPARATION
    reasons.remove(Standstill.PREPARATION)
    assert clock.standstill is Standstill.COUNTDOWN
    clock.countdown = 0
    assert clock.standstill is Standstill.COVER
    reasons.remove(Standstill.COVER)
    assert clock.standstill is Standstill.PAUSE
    clock.paused = False
    assert clock.standstill is Standstill.END
    reasons.remove(Standstill.END)
    assert clock.standstill is None


def test_the_countdown_waits_while_something_lies_over_the_game():
    layers = ["help"]
    clock = Clock(10.0, countdown=3, covered=lambda: bool(layers))
    clock.count_down()
    assert clock.countdown == 3
    layers.clear()
    clock.count_down()
    assert clock.countdown == 2


def test_a_step_is_owed_until_the_agents_have_decided():
    game = Deciding()
    clock = Clock(None)
    assert not clock.take_owed_step(game)
    assert game.begun == 0, "nobody has asked for a step"
    clock.owes_step = True
    assert not clock.take_owed_step(game)
    assert clock.owes_step
    game.decided = True
    assert clock.take_owed_step(game)
    assert not clock.owes_step


class Deciding:
    """A game whose agents have decided when the test says so."""

    def __init__(self):
        self.begun = 0
        self.decided = False

    def begin_step(self):
        self.begun += 1
        return self.decided
