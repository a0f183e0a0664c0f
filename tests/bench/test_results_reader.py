"""What a folder of results holds, as those who only read it find it."""

import sqlite3

import pytest

from bba.agents import SeatSpec
from bba.bench.plan import plan_sweep
from bba.bench.results_reader import cell_key, load_results, read_recording
from bba.bench.results_store import RESULTS_FILE, ResultsStore
from bba.bench.schema import STORE_VERSION
from bba.bench.table_points import heading
from bba.bench.tables import table_blocks
from bba.errors import BBAError
from tests.helpers.old_results import begin_file_of_version_2
from tests.helpers.tiny_sweeps import outcome, sweep
from tui.results.rows import replayed_source


def keep(folder, *, code=None, failed=(), recorded=(), weights=None, **changes):
    """Store made-up outcomes of a tiny sweep; `code` stands for another version."""
    made = plan_sweep(sweep(**changes), SeatSpec(weights=weights))
    with ResultsStore(folder) as store:
        entries = [entry if code is None else entry._replace(key=code * 32) for entry in made.entries]
        store.register(made.sweep.name, made.sweep.model_dump_json(), entries)
        for number, episode in enumerate(made.episodes.values()):
            came = outcome(reward=100 * number)
            if number in failed:
                came = type(came)(failure="it broke")
            elif number in recorded:
                came = type(came)(measures=came.measures, recording=b"a game")
            store.save(episode, came)
    return made


def test_sweeps_and_episodes_come_back_as_they_were_stored(tmp_path):
    made = keep(tmp_path, failed={1}, recorded={0})
    stored = load_results(tmp_path)
    (run,) = stored.sweeps
    assert run.sweep == made.sweep
    assert run.entries == made.entries
    assert [stored.episodes[entry.key].episode for entry in run.entries] == list(made.episodes.values())
    first, second, *_ = run.results.values()
    assert (first.measures["reward"], first.recorded, second.failure) == (0, True, "it broke")
    assert read_recording(tmp_path, made.entries[0].key) == b"a game"
    assert read_recording(tmp_path, made.entries[1].key) is None


def test_it_is_noted_on_which_machine_an_episode_was_played(tmp_path):
    keep(tmp_path)
    assert {episode.versions["machine"] for episode in load_results(tmp_path).episodes.values()} != {""}


def test_the_same_sweep_with_other_code_is_there_once_as_it_was_run_last(tmp_path):
    keep(tmp_path, code="a")
    made = keep(tmp_path)
    (run,) = load_results(tmp_path).sweeps
    assert run.entries == made.entries
    assert run.earlier == 1


def test_another_definition_is_another_sweep(tmp_path):
    keep(tmp_path)
    keep(tmp_path, seeds=1)
    assert [run.sweep.seeds for run in load_results(tmp_path).sweeps] == [2, 1]


def test_what_was_asked_for_but_not_there_is_left_out(tmp_path):
    (none := tmp_path / "weights").mkdir()
    keep(tmp_path / "results", weights=none, agents=["bayes", "gamma"], partners={"G1": ["bp:G1-1", "switching"]})
    assert load_results(tmp_path / "results").sweeps[0].left_out == ["gamma", "bp:G1-1"]


def test_a_stored_sweep_may_name_kitchens_and_agents_that_are_not_here(tmp_path):
    made = keep(tmp_path)
    with sqlite3.connect(tmp_path / RESULTS_FILE) as database:
        text = made.sweep.model_dump_json().replace('"open"', '"gone/my.toml"').replace('"bayes"', '"of-old"')
        database.execute("UPDATE sweeps SET definition = ?, checksum = NULL", (text,))
    assert load_results(tmp_path).sweeps[0].sweep.layouts == ("gone/my.toml",)


@pytest.mark.parametrize(
    "table",
    [
        {},
        {"blocks": ["measure", "group"], "rows": ["agent"], "columns": ["layout"]},
        {"rows": ["agent"], "columns": ["group"]},
        {"blocks": [], "rows": ["layout"], "columns": ["measure"], "paired": ["bayes", "bayes-no-replan"]},
    ],
)
def test_every_cell_has_its_episodes_and_every_episode_its_cell(tmp_path, table):
    keep(tmp_path, layouts=["open", "ring"], table=table)
    stored = load_results(tmp_path)
    (run,) = stored.sweeps
    found = table_blocks(run.sweep, run.entries, run.results)
    cells = [
        cell_key(run.sweep, block.title, row, column)
        for block in found
        for row in block.rows
        for column in block.columns
    ]
    assert set(cells) == set(run.entries_by_cell)
    assert sorted(entry for entries in run.entries_by_cell.values() for entry in entries) == sorted(run.entries)
    for place, entries in run.entries_by_cell.items():
        assert all(dict(place).items() <= heading(run.sweep, entry).items() for entry in entries)


# --- what cannot be read ---------------------------------------------------------------------------------------
def problem(folder):
    with pytest.raises(BBAError) as error:
        load_results(folder)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_a_folder_without_results_is_left_as_it_is(tmp_path):
    assert "no results here" in problem(tmp_path)
    assert "no results here" in problem(tmp_path / "none")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("file", "command"),
    [("a.exam.json", "bba-tui exam --out"), ("study.json", "bba-tui study tables"), ("game.bba", "bba-tui replay")],
)
def test_a_folder_of_another_command_says_what_shows_it(tmp_path, file, command):
    (tmp_path / file).touch()
    assert command in problem(tmp_path)


def test_an_empty_store_says_how_to_fill_it(tmp_path):
    ResultsStore(tmp_path).close()
    assert f"holds no results yet; bba-tui bench quick --out {tmp_path}" in problem(tmp_path)


@pytest.mark.parametrize(
    ("version", "message"),
    [
        (
            STORE_VERSION + 7,
            f"its schema is version {STORE_VERSION + 7}; this program knows {STORE_VERSION}: update bba-tui",
        ),
        (
            1,
            f"its schema is version 1, of an older bba-tui; this program reads versions "
            f"2 to {STORE_VERSION}: run the benchmark into",
        ),
    ],
)
def test_another_schema_is_refused(tmp_path, version, message):
    keep(tmp_path)
    with sqlite3.connect(tmp_path / RESULTS_FILE) as database:
        database.execute(f"PRAGMA user_version = {version}")
    assert message in problem(tmp_path)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE sweeps SET definition = '{', checksum = NULL",
        "UPDATE sweeps SET definition = '[]', checksum = NULL",
        "UPDATE episodes SET measures = '{'",
        "UPDATE episodes SET versions = 'x'",
        "UPDATE episodes SET switch_responses = '[[1]]'",
        "UPDATE episodes SET key = '../../away'",
        "UPDATE games SET measures = '{'",
        "UPDATE kinds SET versions = 'x'",
        "UPDATE games SET key = '../../away'",
    ],
)
def test_damaged_rows_are_one_line(tmp_path, damage):
    if "episodes" in damage:
        begin_file_of_version_2(tmp_path)
    keep(tmp_path, seeds=1, agents=["bayes"])
    with sqlite3.connect(tmp_path / RESULTS_FILE) as database:
        database.execute(damage)
    assert "damaged" in problem(tmp_path)


def test_what_is_no_database_is_one_line(tmp_path):
    (tmp_path / RESULTS_FILE).write_text("hello" * 100)
    assert "cannot be read" in problem(tmp_path)


def test_an_episode_that_is_described_otherwise_is_one_line(tmp_path):
    begin_file_of_version_2(tmp_path)
    keep(tmp_path)
    with sqlite3.connect(tmp_path / RESULTS_FILE) as database:
        database.execute("UPDATE episodes SET spec = '{}', checksum = NULL")
    episode = next(iter(load_results(tmp_path).episodes.values()))
    assert episode.episode is None
    with pytest.raises(BBAError, match="with a specification that this version does not know"):
        replayed_source(episode, lambda _: True)
