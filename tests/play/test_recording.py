import gzip
import json
from dataclasses import replace

import numpy as np
import pytest
from pydantic import ValidationError

from bba.agents import Profile
from bba.analysis.measures import measure
from bba.errors import BBAError
from bba.play import Game, Replay, fork, load, record, save
from bba.play.recording_io import pack, unpack
from tests.helpers.comparisons import compared, compared_game, with_comparisons

STEPS = 250


@pytest.fixture(scope="module")
def trace():
    return Game("open", "bayes", "switching", 3, horizon=STEPS).run()


@pytest.fixture
def file(trace, tmp_path):
    path = tmp_path / "game.bba"
    save(record(trace), path)
    return path


def edited(file, edit):
    """The file after `edit` has changed its JSON."""
    data = json.loads(gzip.decompress(file.read_bytes()))
    edit(data)
    file.write_bytes(gzip.compress(json.dumps(data).encode()))
    return file


def same_commitment_gate(one, other) -> bool:
    """Whether two results of the commitment gate are the same but for rounding."""
    if one is None or other is None:
        return one is other
    return one._replace(ratio=0.0) == other._replace(ratio=0.0) and one.ratio == pytest.approx(other.ratio, abs=1e-9)


@pytest.mark.thorough
@pytest.mark.parametrize("fast", [False, True])
def test_a_replay_gives_the_same_ticks_bit_for_bit(trace, file, fast):
    again = Replay(load(file), fast=fast).run()
    assert again.config == trace.config
    assert len(again.ticks) == STEPS
    for one, other in zip(trace.ticks, again.ticks, strict=True):
        assert (one.state == other.state).all()
        for name in ("actions", "skills", "ages", "ended"):
            assert getattr(one, name) == getattr(other, name)
        assert one.observer.posterior == pytest.approx(other.observer.posterior, rel=1e-9)
        for said, repeated in zip(one.decisions, other.decisions, strict=True):
            stripped = [each._replace(belief=None, gate=None, commitment_gate=None) for each in (said, repeated)]
            assert stripped[0] == stripped[1]
            assert (said.gate and said.gate.opens) == (repeated.gate and repeated.gate.opens)
            assert (said.gate and said.gate.blocked_by) == (repeated.gate and repeated.gate.blocked_by)
            assert same_commitment_gate(said.commitment_gate, repeated.commitment_gate)
        assert same_commitment_gate(one.observer_commitment_gate, other.observer_commitment_gate)


def test_what_is_read_from_a_file_is_what_was_written(trace, file):
    assert load(file) == record(trace)


def test_the_measures_of_a_replay_are_those_of_the_game(trace, file):
    assert measure(Replay(load(file)).run()) == measure(trace)


@pytest.mark.thorough
@pytest.mark.parametrize("layout", ["ring", "forced_coordination", "burrito"])
def test_every_layout_can_be_recorded_and_replayed(layout, tmp_path):
    trace = Game(layout, "proagent", "switching", 1, horizon=120).run()
    save(record(trace), tmp_path / "game.bba")
    again = Replay(load(tmp_path / "game.bba")).run()
    assert (np.array([t.state for t in again.ticks]) == np.array([t.state for t in trace.ticks])).all()


def test_the_same_game_is_written_as_the_same_bytes(trace, file, tmp_path):
    save(record(trace), tmp_path / "again.bba")
    assert (tmp_path / "again.bba").read_bytes() == file.read_bytes()


def test_a_recording_begun_but_not_finished_can_be_replayed(tmp_path):
    game = Game("open", "bayes", "switching", 3, horizon=STEPS)
    for _ in range(7):
        game.step()
    save(record(game.trace), tmp_path / "short.bba")
    assert len(Replay(load(tmp_path / "short.bba")).run().ticks) == 7


def test_an_action_that_was_tampered_with_is_found_by_the_hashes(file):
    def turn_around(data):
        actions = data["players"][0]["actions"]
        data["players"][0]["actions"] = actions[:20] + "5" + "0" * 20 + actions[41:]

    with pytest.raises(BBAError, match=r"differs from the recorded one at step 100 or shortly before"):
        Replay(load(edited(file, turn_around)), "game.bba").run()


def set_key(key, value):
    return lambda data: data.__setitem__(key, value)


def config_of(key, value):
    return lambda data: data["config"]["seats"][0]["belief_config"].__setitem__(key, value)


def filter_of(key, value):
    return lambda data: data["config"]["seats"][0]["belief_config"]["filter"].__setitem__(key, value)


def gate_of(key, value):
    return lambda data: data["config"]["seats"][0]["belief_config"]["gate"].__setitem__(key, value)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (set_key("format", "other"), "not a recording of this program"),
        (set_key("version", 2), "recording version 2; this program reads version 3"),
        (set_key("version", 4), "recording version 4; this program reads version 3"),
        (lambda data: data["config"].__setitem__("seed", -1), "damaged: config.seed"),
        (lambda data: data["config"].__setitem__("horizon", 0), "damaged: config.horizon"),
        (lambda data: data["config"].__setitem__("mobility", [0.5, 2]), "damaged: config.mobility"),
        (lambda data: data["config"].__setitem__("extra", 1), "damaged: config.extra: unknown key"),
        (set_key("extra", 1), "damaged: extra: unknown key"),
        (set_key("hashes", {}), "damaged: there is no hash of the last state"),
        (lambda data: data["config"].pop("layout"), "damaged: config.layout: missing"),
        (lambda data: data.pop("players"), "damaged: players: missing"),
        (set_key("version", 3.0), "recording version 3.0"),
        (lambda data: data["config"]["seats"][0].__setitem__("agent", "\x1b[2J"), "damaged: config.seats.0.agent"),
        (
            lambda data: data["players"][1]["choices"][0].__setitem__("note", "\x1b]0;"),
            "damaged: players.1.choices.0.note",
        ),
        (config_of("gate", None), "damaged: config.seats.0.belief_config.gate"),
        (filter_of("window", 0), "damaged: config.seats.0.belief_config.filter.window"),
        (filter_of("window", 10**12), "damaged: config.seats.0.belief_config.filter.window"),
        (filter_of("psi", "moods"), "damaged: config.seats.0.belief_config.filter.psi"),
        (gate_of("cooldown", -1), "damaged: config.seats.0.belief_config.gate.cooldown"),
        (lambda data: data["config"]["layout"]["orders"]["active"].append([3 * 10**9, 4]), "layout.orders.active"),
        (lambda data: data["players"][0].__setitem__("actions", "99"), "damaged: players"),
        (lambda data: data["players"][0].__setitem__("actions", "00"), "damaged: player 0 has 2 actions"),
        (lambda data: data["config"]["layout"].__setitem__("map", ["XX", "X"]), "damaged: config.layout"),
    ],
)
def test_a_damaged_or_foreign_recording_is_one_line(file, edit, message):
    with pytest.raises(BBAError) as caught:
        load(edited(file, edit))
    assert message in str(caught.value)
    assert str(file) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "content", [b"", b"hello", b"\x1f\x8b", gzip.compress(b"[1, 2", mtime=0), gzip.compress(b"3", mtime=0), b"\0" * 99]
)
def test_a_file_that_is_no_recording_is_one_line(tmp_path, content):
    path = tmp_path / "odd"
    path.write_bytes(content)
    with pytest.raises(BBAError, match=r"^[^\n]+$"):
        load(path)


def test_a_recording_that_breaks_off_is_one_line(file):
    file.write_bytes(file.read_bytes()[:-40])
    with pytest.raises(BBAError, match="damaged"):
        load(file)


def test_a_missing_file_and_a_folder_are_one_line(tmp_path):
    for path in (tmp_path / "none", tmp_path):
        with pytest.raises(BBAError, match="cannot be read"):
            load(path)


def test_a_recording_is_written_whole_or_not_at_all(trace, tmp_path):
    with pytest.raises(BBAError, match="cannot be written"):
        save(record(trace), tmp_path / "no" / "such" / "game.bba")
    assert list(tmp_path.iterdir()) == []


def test_a_role_by_schedule_ends_where_another_agent_goes_on():
    trace = Game("open", "proagent", "switching", 1, horizon=60).run()
    other = fork(trace, 30, (trace.config.seats[0], Profile("proagent", "scripted"))).run()
    again = Replay(record(other)).run()
    roles = [tick.decisions[1].scheduled_role for tick in again.ticks]
    assert roles == [tick.decisions[1].scheduled_role for tick in other.ticks]
    assert (roles[29] is None, roles[30]) == (False, None)


def test_what_a_file_could_not_give_back_is_not_written(trace):
    tick = trace.ticks[-1]
    odd = tick._replace(decisions=(tick.decisions[0]._replace(chosen=True, note="\x1b[2J"), tick.decisions[1]))
    with pytest.raises(ValidationError, match="note"):
        record(replace(trace, ticks=[*trace.ticks[:-1], odd]))


def test_the_partners_belief_is_replayed_as_well(tmp_path):
    trace = Game("open", "proagent", "bayes", 3, horizon=60).run()
    save(record(trace), tmp_path / "game.bba")
    again = Replay(load(tmp_path / "game.bba")).run()
    for one, other in zip(trace.ticks, again.ticks, strict=True):
        assert one.decisions[1].belief == other.decisions[1].belief
        assert one.decisions[1].gate == other.decisions[1].gate


# --- what a rollout planner compared ---------------------------------------------------------------------------
@pytest.mark.thorough
def test_what_the_planner_compared_is_recorded_and_replayed(tmp_path):
    played = compared_game()
    save(record(played), tmp_path / "game.bba")
    again = Replay(load(tmp_path / "game.bba")).run()
    comparisons = [tick.decisions[0].comparison for tick in played.ticks]
    assert [tick.decisions[0].comparison for tick in again.ticks] == comparisons
    assert sum(one is not None for one in comparisons) == 2
    assert again.ticks[-1].decisions[1].comparison is None


def test_the_time_that_a_comparison_took_is_not_part_of_the_game(tmp_path):
    first, second = (with_comparisons(compared_game(), {5: compared(seconds=seconds)}) for seconds in (0.0098, 0.0123))
    assert first.ticks[4].decisions == second.ticks[4].decisions
    assert pack(record(first)) == pack(record(second))
    replayed = unpack(pack(record(first)), "game.bba").players[0].comparisons
    assert [comparison.seconds for _, comparison in replayed] == [0.0] * 3


DAMAGED = {
    "without the skill that was chosen": {"chosen": 7},
    "with 3 skills of the partner": {"partner": [0.5, 0.25, 0.25]},
    "futures": {"futures": 0},
    "less than or equal to 1": {"partner": [1.5] * 27},
    "at least 1 item": {"options": []},
}


@pytest.mark.parametrize("complaint", DAMAGED)
def test_a_comparison_that_cannot_be_is_refused_in_one_line(complaint, tmp_path):
    file = tmp_path / "game.bba"
    save(record(compared_game()), file)
    edited(file, lambda data: data["players"][0]["comparisons"][0][1].update(DAMAGED[complaint]))
    with pytest.raises(BBAError, match=complaint) as caught:
        load(file)
    assert "\n" not in str(caught.value)
