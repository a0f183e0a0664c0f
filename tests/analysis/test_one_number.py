"""Whoever reads a recording says the same of it: screens, debriefing, plain mode, exports, tables and Python."""

import csv
import io
import json
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from zipfile import ZipFile

import pytest

from bba.agents import HUMAN
from bba.analysis import Snapshot, TimelineData, TimelineMark, highlights, measure, replans_until, with_inferred_skills
from bba.analysis.comparison import fork_outcome
from bba.analysis.coordination import switches
from bba.analysis.measured_span import MeasuredSpan
from bba.analysis.measures import EPISODE_MEASURES
from bba.analysis.plugin_measures import plugin_measure
from bba.analysis.timeline import REPLANS
from bba.belief import NO_ROLE
from bba.bench.formatting import measure_label, value_text
from bba.bundle import write_bundle
from bba.film.formats import export
from bba.kitchen.constants import SCORE, STEP
from bba.play import Replay, Trace, load, outcome
from human.study.tables import tables_of
from tests.helpers.app import texts
from tests.helpers.command_line import no_settings_from_outside, run  # noqa: F401 - a fixture for every test here
from tests.helpers.recorded_games import RECORDED, by_hand, in_seat_0
from tests.helpers.scripted_people import study_of_scripted_people
from tui.app.app import BBAApp
from tui.game_factory import recorded_source
from tui.plain.words import how_it_went
from tui.playback.best_scores import BestScores
from tui.playback.source import PlaybackSource
from tui.playback.traces import TracePlayback
from tui.screens.debrief import MEASURE_CELLS, SUMMARY_MEASURES, DebriefScreen
from tui.widgets import EventsPanel


@dataclass(frozen=True)
class Recorded:
    """A recorded game, played again in the two ways and read in the third."""

    path: Path
    replayed: Trace
    shown: Trace  # as a screen shows it
    inferred: Trace  # with what a person pursued


@pytest.fixture(scope="module", params=RECORDED)
def recorded(request, tmp_path_factory):
    path = request.param(tmp_path_factory.mktemp("recorded"))
    trace = replayed(path)
    return Recorded(path, trace, played_back(recorded_source(path)), with_inferred_skills(trace))


@pytest.fixture(scope="module")
def hand(tmp_path_factory):
    """The file of a game of a person who presses keys."""
    return by_hand()(tmp_path_factory.mktemp("by_hand"))


def replayed(path) -> Trace:
    return Replay(load(path)).run()


def played_back(source: PlaybackSource) -> Trace:
    """The game as a screen shows it, played to its end."""
    while not source.done:
        source.step()
    return source.trace


def figures_of(rows) -> dict[str, float | int | None]:
    """What the rows of an exported game say of measures."""
    match, alike = ([row[name] for row in rows if row[name] is not None] for name in ("obs_match", "duplicate"))
    return {
        "reward": rows[-1]["score"] - rows[0]["score"] + rows[0]["reward"],
        "skill_accuracy": fmean(match) if match else None,
        "same_role_rate": fmean(alike) if alike else None,
        "switches": sum(row["switched_to"] is not None for row in rows),
    }


def test_every_way_to_read_a_recording_measures_the_same(recorded, tmp_path, capsys):
    recording, trace, shown = recorded.path, recorded.replayed, recorded.shown
    known = measure(trace)

    if load(recording).other is None:  # those of a duel's two games are a table
        _, out, _ = run(capsys, "headless", "--replay", str(recording), "--json")
        printed = json.loads(out)
        assert {name: printed[name] for name in EPISODE_MEASURES} == known

    debrief = DebriefScreen(PlaybackSource(lambda: TracePlayback(trace)), BestScores(None), again=False)
    for other in (shown, debrief.trace, recorded.inferred, MeasuredSpan(trace).trace):
        assert measure(other) == known

    listed = outcome(load(recording))
    assert (listed.scores[-1] - int(trace.start[SCORE]), listed.replans) == (known["reward"], known["replans"])
    assert replans_until(trace, len(trace.ticks)) == known["replans"]
    assert fork_outcome(shown, len(shown.ticks), 0).since == known  # beside its fork, and in a duel

    debrief._whole = True
    told = "\n".join(texts(debrief._summary()))
    for name, value in known.items():
        assert (f"{measure_label(name):{MEASURE_CELLS}}{value_text(value, name)}\n" in told) == (value is not None)
    times = f"turned to other work {known['switches']} time"
    assert times in told
    assert len(switches(trace)) == known["switches"]
    assert sum(one.detected_at is not None for one in switches(trace)) == known["switches_detected"]

    write_bundle(recording, tmp_path / "game.zip")
    with ZipFile(tmp_path / "game.zip") as bundle:
        rows = list(csv.DictReader(io.StringIO(bundle.read("tables/measures.csv").decode())))
    assert {row["measure"]: row["value"] for row in rows} == {
        name: "" if value is None else str(value) for name, value in known.items()
    }


def test_tables_screens_and_events_count_the_same_switches(recorded, tmp_path):
    trace, shown = recorded.replayed, recorded.shown
    known = measure(trace)
    for number, exported in enumerate((trace, recorded.inferred)):
        export(exported, tmp_path / f"{number}.jsonl")
        rows = [json.loads(line) for line in (tmp_path / f"{number}.jsonl").read_text().splitlines()]
        found = figures_of(rows)
        assert found == pytest.approx({name: known[name] for name in found}, nan_ok=True)
    frame = trace.to_frame("pyarrow").to_pylist()
    assert figures_of(frame) == found
    assert [row["p1_role"] for row in frame] == [row["p1_role"] for row in rows]

    data = TimelineData(shown)
    data.extend()
    assert len(data.switches) == len(data.marks[TimelineMark.SWITCH]) == known["switches"]
    assert data.marks[TimelineMark.SWITCH] == [step.step for step in switches(trace)]
    assert (known["replans"] or 0) == sum(len(data.marks[mark]) for mark in REPLANS)
    assert highlights(trace) == highlights(shown)


async def test_the_log_of_a_recording_that_is_watched_has_each_switch_of_a_person(hand):
    source = recorded_source(hand)
    app = BBAApp(source, autostart=False, motion=False)
    async with app.run_test(size=(120, 40)):
        shown = played_back(source)
        log = app.screen.query_one(EventsPanel)
        log.show_snapshot(Snapshot(shown, len(shown.ticks)))
        told = [said.plain for said in log.lines if "turned to" in said.plain]
    assert len(told) == measure(replayed(hand))["switches"] > 0


def test_plain_mode_says_the_measures_and_switches_of_the_debriefing(hand):
    trace = replayed(hand)
    known = measure(trace)
    told = list(how_it_went(trace, BestScores(None)))
    assert told == list(how_it_went(with_inferred_skills(trace), BestScores(None)))
    for name in SUMMARY_MEASURES:
        assert f"{measure_label(name)}: {value_text(known[name], name)}" in told
    assert sum(line.startswith("step ") and "; your partner noticed " in line for line in told) == known["switches"] > 0


def test_a_persons_game_in_python_has_what_the_person_pursued(hand):
    trace = replayed(hand)
    assert {tick.role(1) for tick in trace.ticks} == {NO_ROLE}  # nothing is inferred while it is played
    known = measure(trace)
    assert known["skill_accuracy"] is not None
    assert known["switches"] > 0
    assert measure(trace, since=60)["switches"] <= known["switches"]
    in_parts = [MeasuredSpan(trace, since).trace for since in (1, 60, 100)]
    assert [len(part.ticks) for part in in_parts] == [len(trace.ticks) - since for since in (1, 60, 100)]
    assert all(part.ticks[-1] == with_inferred_skills(trace).ticks[-1] for part in in_parts)


def test_a_measure_of_ones_own_is_given_what_a_person_pursued(hand, tmp_path, monkeypatch):
    (tmp_path / "scored_steps.py").write_text(
        "def scored(trace):\n    return sum(tick.role(1) >= 0 for tick in trace.ticks)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    trace = replayed(hand)
    own = plugin_measure("scored_steps:scored").target
    inferred = with_inferred_skills(trace)
    assert measure(trace, own=[own])[own.name] == sum(tick.role(1) != NO_ROLE for tick in inferred.ticks) > 0


@pytest.mark.parametrize("make", [by_hand(), in_seat_0], ids=["in seat 1", "in seat 0"])
def test_what_is_inferred_is_inferred_once(make, tmp_path):
    once = with_inferred_skills(replayed(make(tmp_path)))
    assert with_inferred_skills(once).ticks == once.ticks
    seat = once.config.agents.index(HUMAN)
    assert any(tick.role(seat) != NO_ROLE for tick in once.ticks)


def test_a_study_has_the_measures_of_its_recordings(tmp_path):
    folder = study_of_scripted_people(tmp_path, people=2)
    tables = tables_of(folder)
    for row in tables["games"]:
        trace = replayed(folder.recordings / row["recording"])
        known = measure(trace)
        assert {name: row[name] for name in EPISODE_MEASURES} == known
        steps = [step for step in tables["steps"] if step["participant"] == row["participant"]]
        inferred = with_inferred_skills(trace)
        assert [step["participant_role"] is not None for step in steps] == [
            tick.role(1) != NO_ROLE for tick in inferred.ticks
        ]
        assert len(steps) == int(trace.ticks[-1].state[STEP])
        found = [one for one in tables["switches"] if one["participant"] == row["participant"]]
        assert len(found) == known["switches"]
