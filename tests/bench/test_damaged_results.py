"""Results that a disk or a copy has damaged: they are known as such, left out, and played again."""

import random
import shutil
import sqlite3
from contextlib import closing, suppress

import pytest

from bba.agents import SeatSpec
from bba.bench.plan import plan_sweep
from bba.bench.results_reader import load_results, read_recording
from bba.bench.results_store import RESULTS_FILE, ResultsStore
from bba.bench.results_transfer import dump
from bba.bench.schema import GAME_COLUMNS, KIND_COLUMNS, STORED_COLUMNS
from bba.errors import BBAError
from bba.report.content import section
from tests.helpers.old_results import begin_file_of_version_2
from tests.helpers.tiny_sweeps import outcome, sweep

PLAN = plan_sweep(sweep(), SeatSpec())


def play_missing(folder):
    """Runs the sweep with made-up outcomes; returns how many episodes were damaged and how many were played."""
    with ResultsStore(folder) as store:
        damaged = store.remove_damaged()
        store.register(PLAN.sweep.name, PLAN.sweep.model_dump_json(), PLAN.entries)
        missing = PLAN.episodes.keys() - store.finished()
        for number, (key, episode) in enumerate(PLAN.episodes.items()):
            if key in missing and store.claim(key):
                store.save(episode, outcome(reward=number))
    return damaged, len(missing)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    play_missing(folder)
    return folder


@pytest.fixture
def folder(whole, tmp_path):
    shutil.copy(whole / RESULTS_FILE, tmp_path / RESULTS_FILE)
    return tmp_path


@pytest.fixture
def old(tmp_path):
    """The same results in a file of version 2."""
    begin_file_of_version_2(tmp_path / "old")
    play_missing(tmp_path / "old")
    return tmp_path / "old"


def change(folder, statement):
    with closing(sqlite3.connect(folder / RESULTS_FILE)) as database, database:
        database.execute(statement)


def held(stored):
    """What tables and figures are made of."""
    return [(run.sweep, run.entries, run.results) for run in stored.sweeps]


def damaged_column(column):
    return "failure = 'x', measures = NULL" if column == "failure" else f"{column} = coalesce({column}, '') || '1'"


def assert_played_again(folder, whole, count):
    """So many episodes are left out, and are whole again once they were played again."""
    stored = load_results(folder)
    assert stored.damage.startswith(f"{count} episode{'s are' if count > 1 else ' is'} damaged and left out")
    assert stored.damage in stored.sweeps[0].caveats
    assert PLAN.entries[0].key not in stored.sweeps[0].results
    assert play_missing(folder) == (count, count)
    assert held(load_results(folder)) == held(load_results(whole))
    assert play_missing(folder) == (0, 0)


@pytest.mark.parametrize("column", [*GAME_COLUMNS, "kind", "checksum"])
def test_an_episode_with_a_damaged_column_is_left_out_and_played_again(whole, folder, column):
    change(folder, f"UPDATE games SET {damaged_column(column)} WHERE key = '{PLAN.entries[0].key}'")
    assert_played_again(folder, whole, 1)


@pytest.mark.parametrize("column", [*KIND_COLUMNS, "digest"])
def test_the_episodes_of_a_damaged_kind_are_left_out_and_played_again(whole, folder, column):
    change(folder, f"UPDATE kinds SET {damaged_column(column)} WHERE ego = 'bayes'")
    assert_played_again(folder, whole, 2)
    change(folder, "UPDATE kinds SET id = 100 WHERE ego = 'bayes'")
    assert_played_again(folder, whole, 2)


@pytest.mark.thorough
@pytest.mark.parametrize("column", [*STORED_COLUMNS["episodes"], "checksum"])
def test_so_it_is_in_a_file_of_version_2(whole, old, column):
    change(old, f"UPDATE episodes SET {damaged_column(column)} WHERE key = '{PLAN.entries[0].key}'")
    assert_played_again(old, whole, 1)


def test_a_file_of_version_2_is_read_and_filled_as_it_is(whole, old):
    with closing(sqlite3.connect(old / RESULTS_FILE)) as database, database:
        database.execute("DELETE FROM episodes WHERE seed = 1")
        assert database.execute("PRAGMA user_version").fetchone() == (2,)
    assert play_missing(old) == (0, 2)
    change(old, "UPDATE episodes SET seconds = seconds")  # it is a table
    assert held(load_results(old)) == held(load_results(whole))
    assert load_results(old).episodes.keys() == load_results(whole).episodes.keys()
    assert dump(old)[0].sweeps[0].definition == dump(whole)[0].sweeps[0].definition


@pytest.mark.parametrize(
    ("column", "value"), [("measures", "{}"), ("spec", "not JSON"), ("spec", "[]"), ("spec", '{"planning": 1}')]
)
def test_what_says_nothing_is_damaged_also_without_a_checksum(old, column, value):
    change(old, f"UPDATE episodes SET {column} = '{value}', checksum = NULL")
    with pytest.raises(BBAError, match="4 episodes are damaged"):
        load_results(old)
    assert play_missing(old) == (4, 4)


def test_rows_from_before_there_were_checksums_count_as_they_are(whole, old):
    for table in ("episodes", "sweeps"):
        change(old, f"ALTER TABLE {table} DROP COLUMN checksum")
    assert held(load_results(old)) == held(load_results(whole))
    assert play_missing(old) == (0, 0)
    change(old, "UPDATE episodes SET seconds = 9.0")
    assert {result.seconds for result in load_results(old).sweeps[0].results.values()} == {9.0}


def test_a_damaged_sweep_is_said_and_written_again(whole, folder):
    change(folder, "UPDATE entries SET agent = 'nobody' WHERE position = 1")
    with pytest.raises(BBAError, match="1 benchmark is damaged and left out; the same benchmark"):
        load_results(folder)
    assert play_missing(folder) == (0, 0)
    assert held(load_results(folder)) == held(load_results(whole))


def test_what_is_damaged_is_not_bundled_as_if_it_were_whole(folder):
    change(folder, "UPDATE games SET seconds = 9.0 WHERE seed = 1")
    with pytest.raises(BBAError, match="2 episodes are damaged"):
        dump(folder)


def test_a_recording_that_is_text_is_one_line(folder):
    change(folder, "UPDATE games SET recording = 'x'")
    for read in (dump, lambda folder: read_recording(folder, PLAN.entries[0].key)):
        with pytest.raises(BBAError, match=r"results\.sqlite: damaged"):
            read(folder)


def test_the_report_says_what_is_damaged(folder):
    change(folder, "UPDATE games SET seconds = 9.0 WHERE seed = 1")
    stored = load_results(folder)
    assert stored.damage in section(stored, stored.sweeps[0], "tiny").notes


def flipped(content, number):
    """Content with one bit changed."""
    damaged, place = bytearray(content), random.Random(number).randrange(8 * len(content))
    damaged[place // 8] ^= 1 << place % 8
    return bytes(damaged)


def readable(folder):
    """What the folder holds; None if one line, or a table, says that something of it is lost."""
    try:
        stored = load_results(folder)
    except BBAError as error:
        return None if len(str(error).splitlines()) == 1 and len(str(error)) < 400 else str(error)
    missing = any(entry.key not in run.results for run in stored.sweeps for entry in run.entries)
    return None if missing or stored.damage else held(stored)


@pytest.mark.parametrize(("flips", "played"), [(200, 10), pytest.param(5000, 1, marks=pytest.mark.long)])
def test_a_flipped_bit_changes_no_result_in_silence(whole, tmp_path, flips, played):
    original, expected = (whole / RESULTS_FILE).read_bytes(), held(load_results(whole))
    for number in range(flips):
        (tmp_path / RESULTS_FILE).write_bytes(flipped(original, number))
        assert readable(tmp_path) in (None, expected), number
        if number % played == 0:
            with suppress(BBAError):
                play_missing(tmp_path)
                assert readable(tmp_path) in (None, expected), number
