"""How belief and gates follow a study's people: in tables, and in words that say what cannot be concluded."""

import pytest

from bba.play import play_game, record, save
from human.study.game_data import game_data
from human.study.participant_session import recording_of
from human.study.report_outcomes import beliefs_in_words
from human.study.table_files import write_tables
from human.study.tables import recorded_games, tables_of
from tests.helpers.scripted_people import study_of_scripted_people


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return study_of_scripted_people(tmp_path_factory.mktemp("people"), people=2)


def test_every_game_has_its_calibration_and_both_gates(folder):
    tables = tables_of(folder)
    for game in tables["games"]:
        gates = [row for row in tables["gates"] if row["participant"] == game["participant"]]
        assert [row["gate"] for row in gates] == ["contradiction", "commitment"]
        assert {row["switches"] for row in gates} == {game["switches"]}
        bins = [row for row in tables["calibration"] if row["participant"] == game["participant"]]
        assert 0 < sum(row["steps"] for row in bins) <= game["steps"]
        assert all(row["low"] <= row["belief"] <= row["low"] + 0.1 + 1e-9 for row in bins)
        assert all(0 <= row["right"] <= 1 for row in bins)


def test_the_page_says_that_few_people_allow_no_conclusion(folder):
    place, _ = write_tables(folder)
    page = (place / "people.md").read_text()
    assert "With 2 people nothing can be concluded about others" in page
    assert "too few people" in page


def rows_of(people):
    calibrations = [
        {"participant": f"P{one}", "low": 0.5, "steps": 100, "belief": 0.55, "right": 0.4 + one / 100}
        for one in range(people)
    ]
    gates = [
        {
            "participant": f"P{one}",
            "gate": gate,
            "switches": 4,
            "caught_10": 1,
            "caught_30": 3,
            "needless": 2,
            "steps": 500,
        }
        for one in range(people)
        for gate in ("contradiction", "commitment")
    ]
    return calibrations, gates


def test_each_person_counts_once_and_six_have_an_interval():
    said = beliefs_in_words(*rows_of(6))
    assert "| commitment gate: share of switches caught within 30 steps | 0.750 | 0.750 to 0.750 | 6 |" in said
    assert "| contradiction gate: needless openings in 1000 steps | 4.000 | 4.000 to 4.000 | 6 |" in said
    assert "| share of steps in which the likeliest role is the pursued one | 0.425 |" in said
    assert "nothing can be concluded" not in said
    assert "0 |" in beliefs_in_words([], [])


def test_excluded_people_are_left_out(tmp_path):
    made = study_of_scripted_people(tmp_path, people=2, steps=30)
    with made.part_of("P0") as part:
        part.exclude("researcher", "ill")
    assert [game.progress.participant for game, _ in recorded_games(made)] == ["P1"]


def test_what_the_tables_reject_is_not_learned_from(tmp_path):
    made = study_of_scripted_people(tmp_path, people=2, steps=30)
    other = play_game(seed=4321, horizon=30, fast=False)
    save(record(other), recording_of(made.recordings, "P0", 0))
    assert [game.problem is None for one in made.everybody() for game in game_data(made, one)] == [False, True]
    assert [game.progress.participant for game, _ in recorded_games(made)] == ["P1"]
