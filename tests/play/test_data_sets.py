"""The recordings that ship: they are named, small, described, and play again as they were played."""

import pytest

from bba import DataSet, Replay, evaluate_belief, load_data, pursued_roles
from bba.belief import NO_ROLE
from bba.errors import BBAError
from bba.files import data_dir
from bba.kitchen import Layout
from benchmarks.data_sets import PAIRS, pairs


def test_there_are_six_pairs_in_four_kitchens():
    data = load_data("pairs")
    assert len(data) == len(data.recording_names) == 24
    assert {name for name, _ in pairs()} == set(data.recording_names)
    played = {(recording.config.layout.name, *recording.config.labels) for recording in data}
    assert played == {(layout, *pair) for layout in Layout.names() for pair in PAIRS}
    assert len({recording.config.seed for recording in data}) == 24


def test_there_are_games_of_simulated_people_in_four_kitchens():
    data = load_data("people")
    assert len(data) == 32
    assert {recording.config.layout.name for recording in data} == set(Layout.names())
    assert {recording.config.labels for recording in data} == {("bayes", "human"), ("proagent", "human")}


@pytest.mark.parametrize("name", ["pairs", "people"])
def test_a_recording_is_had_by_name_and_by_place_and_plays_again(name):
    data = load_data(name)
    first = data[data.recording_names[0]]
    assert data[0] == first
    assert data[-1] == data[data.recording_names[-1]]
    trace = Replay(first, fast=True).run()
    assert len(trace.ticks) == trace.config.horizon
    assert any(role != NO_ROLE for role in pursued_roles(trace))


def test_beliefs_are_measured_on_people_who_ship():
    found = evaluate_belief(None, [load_data("people")["sim-001-game-1"]])
    assert 0 < found.accuracy <= 1


@pytest.mark.parametrize("name", DataSet.names())
def test_each_set_has_a_card_that_says_what_it_is_not_for(name):
    card = load_data(name).card
    assert card.startswith(f"# Data card: {name}")
    assert all(word in card for word in ("**What.**", "**Made by**", "**Not for**", "Licence: MIT"))


def test_all_of_it_is_at_most_a_megabyte():
    assert sum(file.stat().st_size for file in data_dir("assets/data").rglob("*") if file.is_file()) <= 1_000_000


def test_an_unknown_name_is_one_line():
    with pytest.raises(BBAError, match=r"^no data set is named 'pair'; .*pairs"):
        load_data("pair")
    with pytest.raises(BBAError, match=r"^pairs: no recording is named 'open-bayes'; "):
        load_data("pairs")["open-bayes"]
    with pytest.raises(IndexError):
        load_data("pairs")[24]


@pytest.mark.thorough
def test_a_pair_is_played_to_the_same_recording():
    name, game = next(pairs())
    recording = load_data("pairs")[name]
    trace = game.run()
    replayed = Replay(recording, fast=True).run()
    assert [tick.actions for tick in trace.ticks] == [tick.actions for tick in replayed.ticks]
    assert trace.score == replayed.score
