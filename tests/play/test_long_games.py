"""The past of a long game is packed: a tenth of the memory, and the same game to the last bit wherever it is read."""

import gc
import os
import pickle
import tempfile
import tracemalloc
import weakref
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from functools import partial

import numpy as np
import pytest

from bba.agents import SeatSpec
from bba.analysis import highlights, measure
from bba.planner import Comparison, SkillValue, Usage
from bba.play import Game, Replay, Tick, Trace, fork, record, step_arrays
from bba.play import ticks as ticks_module
from bba.play.recording import Recorder
from bba.play.ticks import PACKED, Pack, Ticks, agent_decisions, first_ticks
from bba.scratch_file import ScratchFile
from tests.helpers.forks import same

STEPS = 3 * PACKED + 40
GAMES = {
    "a belief": ("open", "bayes", "switching", None),
    "no belief of its own": ("ring", "proagent", "switching+locked", None),
    "a learned policy": ("open", "bp:G1-1", "gamma", None),
}


def game(layout: str = "open", ego: str = "bayes", partner: str = "switching", options: SeatSpec | None = None):
    return Game(layout, ego, partner, 3, options, horizon=10**6)


def singly(made: Game, steps: int = STEPS) -> tuple[Trace, list[Tick]]:
    """A game that was played step by step, as on the screen, and its ticks as they were."""
    ticks = [made.step() for _ in range(steps)]
    return made.trace, ticks


@pytest.fixture(scope="module")
def whole() -> tuple[Trace, list[Tick]]:
    return singly(game())


def packs(ticks: Sequence[Tick]) -> int:
    assert isinstance(ticks, Ticks)
    return sum(isinstance(part, Pack) for part in ticks.parts)


@pytest.fixture
def put_away(monkeypatch) -> Iterator[None]:
    """All packs of the games of a test are in a temporary file, with their decisions."""
    monkeypatch.setattr(ticks_module, "DECIDED", 0)
    monkeypatch.setattr(ticks_module, "ScratchFile", partial(ScratchFile, in_memory=0))


@pytest.mark.parametrize("which", GAMES)
def test_packed_ticks_are_the_same_to_the_last_bit(which):
    trace, ticks = singly(game(*GAMES[which]))
    assert packs(trace.ticks) == 2
    for packed, tick in zip(trace.ticks, ticks, strict=True):
        assert np.array_equal(packed.state, tick.state)
        assert packed.state.dtype == tick.state.dtype
        assert repr(packed[1:]) == repr(tick[1:])
        assert packed[1:] == tick[1:]


@pytest.mark.parametrize("which", GAMES)
def test_ticks_that_are_put_away_are_the_same_to_the_last_bit(which, put_away):
    trace, ticks = singly(game(*GAMES[which]))
    assert trace.ticks._file._end > 0
    for packed, tick in zip(trace.ticks, ticks, strict=True):
        assert np.array_equal(packed.state, tick.state)
        assert repr([*packed[1:], *packed.decisions]) == repr([*tick[1:], *tick.decisions])
        assert packed[1:] == tick[1:]
    assert record(trace) == record(replace(trace, ticks=ticks))
    forked = fork(trace, PACKED + 3)
    for tick in ticks[PACKED + 3 : PACKED + 30]:
        assert same(forked.step(), tick)


def test_what_an_answer_cost_and_what_was_compared_is_put_away_with_the_decision(whole, put_away):
    comparison = Comparison((SkillValue(3, 0.5, 1.5, -0.0, 0.25), SkillValue(4, 0.25, 2.0, 0.5, 0.5)), 4, (), 8, 0.75)

    def answered(tick: Tick) -> Tick:
        ego, partner = tick.decisions
        calls = tuple(replace(call, usage=Usage(tick.step, cost=0.1)) for call in ego.calls)
        compared = comparison if tick.step % 50 == 0 else None
        return tick._replace(decisions=(ego._replace(calls=calls, comparison=compared), partner))

    ticks = [answered(tick) for tick in whole[1]]
    kept = Ticks(ticks)
    assert packs(kept) == 2
    assert repr([tick.decisions for tick in kept]) == repr([tick.decisions for tick in ticks])
    assert any(call.usage for tick in kept[:PACKED] for call in tick.decisions[0].calls)


def test_the_past_takes_a_tenth_of_the_memory_and_the_newest_steps_stay_objects(whole):
    trace, ticks = whole
    pack = next(part for part in trace.ticks.parts if isinstance(part, Pack))
    kept = len(pack._states() + pack._rows() + pack._arrays()) + 16 * PACKED
    assert kept / PACKED < 250
    assert trace.ticks[-1] is ticks[-1]
    assert trace.ticks[-PACKED] is ticks[-PACKED]


def test_what_is_put_away_takes_a_few_bytes_of_memory_a_step(whole):
    file, count = ScratchFile(in_memory=0), 8
    kept = [Pack(whole[1][:PACKED], None, file)]
    tracemalloc.start()
    try:
        gc.collect()  # with what Python itself keeps for new tuples and numbers
        before, _ = tracemalloc.get_traced_memory()
        kept += [Pack(whole[1][:PACKED], None, file) for _ in range(count)]
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (after - before) / (count * PACKED) < 10


def test_on_a_full_disk_the_past_stays_in_memory(whole, put_away, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", os.devnull)
    kept = Ticks(whole[1])
    assert packs(kept) == 2
    assert kept._file._file is None
    assert [tick.decisions for tick in kept] == [tick.decisions for tick in whole[1]]


def test_a_planner_forgets_the_turns_that_it_sends_along_no_more():
    made = game()
    singly(made)
    planner = made.agents[0]._planner
    kept = [turn for turn in planner.turns if turn is not None]
    assert len(planner.turns) > len(kept) == len(planner.last_turns)
    assert planner.turns[-len(kept) :] == kept


def test_what_a_planner_was_asked_long_ago_is_held_by_nobody(put_away):
    made = game()
    asked = None
    for _ in range(STEPS):
        plan = made.step().decisions[0].plan
        if asked is None and plan is not None:
            asked = weakref.ref(plan.texts.exchange)
    del plan
    gc.collect()
    assert asked() is None


def test_a_long_game_is_read_as_a_short_one(whole):
    trace, ticks = whole
    assert len(trace.ticks) == STEPS
    assert [tick.step for tick in trace.ticks[250:260]] == list(range(251, 261))
    assert [tick.step for tick in trace.ticks[::200]] == [tick.step for tick in ticks[::200]]
    assert [tick.step for tick in trace.ticks[-3:]] == [STEPS - 2, STEPS - 1, STEPS]
    assert trace.ticks[-STEPS].step == 1
    assert [tick.step for tick in reversed(trace.ticks)][:2] == [STEPS, STEPS - 1]
    for place in (STEPS, -STEPS - 1):
        with pytest.raises(IndexError):
            trace.ticks[place]
    assert [tick.step for tick in pickle.loads(pickle.dumps(trace.ticks))] == list(range(1, STEPS + 1))


def test_measures_arrays_highlights_and_recordings_are_those_of_the_unpacked_game(whole):
    trace, ticks = whole
    plain = replace(trace, ticks=ticks)
    assert measure(trace) == measure(plain)
    assert measure(trace, since=100) == measure(plain, since=100)
    assert highlights(trace) == highlights(plain)
    assert record(trace) == record(plain)
    for start, stop in ((0, STEPS), (10, 20), (5, STEPS - 1)):
        packed, plainly = step_arrays(trace.ticks, start, stop), step_arrays(ticks[start:stop])
        for one in fields(packed):
            values = getattr(packed, one.name)
            assert np.array_equal(values, getattr(plainly, one.name)), one.name
            assert values.dtype == getattr(plainly, one.name).dtype
    assert [index for index, decision in agent_decisions(trace.ticks, 0) if decision.chosen] == [
        index for index, tick in enumerate(ticks) if tick.decisions[0].chosen
    ]


@pytest.mark.thorough
def test_a_replay_and_a_fork_of_a_long_game_go_the_same_way(whole):
    trace, ticks = whole
    replayed = Replay(record(trace)).run()
    assert packs(replayed.ticks) == 2
    assert all(same(one, other) for one, other in zip(replayed.ticks, ticks, strict=True))
    forked = fork(trace, PACKED + 3)
    for tick in ticks[PACKED + 3 : PACKED + 60]:
        assert same(forked.step(), tick)


def test_the_first_ticks_share_what_is_packed_and_do_not_grow(whole):
    trace, ticks = whole
    for count in (0, 3, PACKED, PACKED + 1, STEPS, None):
        first = first_ticks(trace.ticks, count)
        assert [tick.step for tick in first] == [tick.step for tick in ticks[:count]]
    assert first_ticks(trace.ticks, 2 * PACKED).parts[0] is trace.ticks.parts[0]
    assert len(first_ticks(ticks, 5)) == 5


def test_reading_goes_on_while_older_ticks_are_packed(whole):
    _, ticks = whole
    growing, read = Ticks(ticks[: 2 * PACKED - 1]), list[int]()
    for tick in growing:
        read.append(tick.step)
        if len(growing) < STEPS:
            growing.append(ticks[len(growing)])
    assert read == list(range(1, STEPS + 1))
    assert packs(growing) == 2


def test_ticks_are_packed_though_runs_of_a_kernel_follow_them(whole):
    _, ticks = whole
    game_of_runs = game()
    game_of_runs.advance(40)
    (trajectory,) = game_of_runs.trace.ticks.parts
    kept = Ticks(ticks[: PACKED + 1])
    assert packs(kept) == 0
    kept.add(trajectory, len(trajectory))
    assert packs(kept) == 1
    assert [tick.step for tick in kept] == [*range(1, PACKED + 2), *range(1, len(trajectory) + 1)]


@pytest.mark.parametrize("change", ["numpy numbers", "a belief of its own", "other states"])
def test_what_cannot_be_packed_is_kept_as_it_is(whole, change):
    _, ticks = whole

    class Own(type(ticks[0].observer)):
        """A belief of another kind."""

    def changed(tick: Tick) -> Tick:
        match change:
            case "numpy numbers":
                return tick._replace(ages=tuple(np.array(tick.ages)))
            case "a belief of its own":
                return tick._replace(observer=Own(*tick.observer))
        return tick._replace(state=tick.state.astype(np.int64))

    kept = Ticks([changed(tick) for tick in ticks])
    assert packs(kept) == 0
    assert len(kept) == STEPS
    assert type(kept[0].observer) is (Own if change == "a belief of its own" else type(ticks[0].observer))


def test_a_recorder_reads_on_and_makes_the_same_recordings(whole):
    _, ticks = whole
    growing = Trace(whole[0].config, whole[0].start, Ticks())
    recorder = Recorder(growing)
    for until in (0, 1, 99, 100, 300, STEPS):
        for tick in ticks[len(growing.ticks) : until]:
            growing.ticks.append(tick)
        assert recorder.recording() == record(Trace(growing.config, growing.start, ticks[:until]))
