"""The activity log: which key decided which step, with times, through crashes and torn lines."""

from datetime import UTC, datetime, timedelta

import pytest

from bba.kitchen import Action
from human.study.activity_log import ActivityLog, ActivityRecord, GameLog, LoggedControls, read_log

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)


class Clock:
    """A clock that a test moves."""

    def __init__(self):
        self.seconds = 0.0

    def wall(self):
        return NOON + timedelta(seconds=self.seconds)

    def __call__(self):
        return self.seconds


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def log(tmp_path, clock):
    return ActivityLog(tmp_path / "logs" / "P1.jsonl", clock.wall)


def record_of(log):
    return ActivityRecord.of(read_log(log._path)[0])


def controls_of(game_log, clock):
    controls = LoggedControls(clock)
    controls.log = game_log
    return controls


def test_a_key_is_connected_with_the_step_that_it_decides(log, clock):
    game = GameLog(log, 1)
    controls = controls_of(game, clock)
    for key, action in (("up", Action.NORTH), ("m", None), ("left", Action.WEST)):
        clock.seconds += 0.01
        game.key(key)
        if action is not None:
            controls.press(action)
    for step in (1, 2, 3):
        clock.seconds += 0.1
        controls.take()
        game.step(step)
    record = record_of(log)
    assert [(press.key, press.step, press.decided) for press in record.keys] == [
        ("up", 0, 1),
        ("m", 0, None),
        ("left", 0, 2),
    ]
    assert [press.seconds for press in record.keys] == pytest.approx([0.12, None, 0.2])
    assert record.times[1][3] == NOON + timedelta(seconds=0.33)


def test_a_key_that_makes_way_for_others_decides_nothing(log, clock):
    game = GameLog(log, 1)
    controls = controls_of(game, clock)
    for _ in range(5):  # at most three wait
        game.key("up")
        controls.press(Action.NORTH)
        clock.seconds += 0.2
    clock.seconds += 0.9
    controls.take()
    game.step(1)
    assert [press.decided for press in record_of(log).keys] == [None, None, None, None, 1]


def test_what_a_crash_undid_is_marked_and_steps_have_the_time_that_counts(log, clock):
    def play(first, last):
        game = GameLog(log, 1, first - 1)
        controls = controls_of(game, clock)
        for step in range(first, last + 1):
            clock.seconds += 1
            game.key(str(step))
            controls.press(Action.NORTH)
            controls.take()
            game.step(step)

    play(1, 4)
    play(3, 5)  # the program was killed, and two steps were not saved
    record = record_of(log)
    assert [(press.key, press.undone) for press in record.keys] == [
        ("1", False), ("2", False), ("3", True), ("4", True), ("3", False), ("4", False), ("5", False),
    ]  # fmt: skip
    assert [(at - NOON).seconds for at in record.times[1].values()] == [1, 2, 5, 6, 7]


def test_a_torn_line_costs_itself_alone(log):
    log.note("joined")
    with log._path.open("ab") as file:
        file.write(b'{"at": "2026-01')
    log.note("left")
    lines, unreadable = read_log(log._path)
    assert [line.what for line in lines] == ["joined", "left"]
    assert unreadable == 1


def test_a_log_that_cannot_be_written_is_one_line(tmp_path):
    from bba.errors import BBAError

    (tmp_path / "logs").write_text("in the way")
    with pytest.raises(BBAError, match="cannot be written"):
        ActivityLog(tmp_path / "logs" / "P1.jsonl").note("joined")
