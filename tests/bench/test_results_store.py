"""The file of results: what it keeps, how runners share it, and what is said when it cannot be used."""

import sqlite3
from contextlib import closing

import pytest

from bba.analysis.coordination import SwitchResponse
from bba.bench.episode import EpisodeResult
from bba.bench.results_reader import read_recording
from bba.bench.results_store import RESULTS_FILE, ResultsStore
from bba.bench.schema import STORE_VERSION
from bba.bench.stored_rows import GamesOfKinds
from bba.errors import BBAError
from tests.helpers.tiny_sweeps import episodes, outcome


@pytest.fixture
def episode():
    return episodes()[0]


def test_what_is_stored_is_read_back(tmp_path, episode):
    met = (SwitchResponse(3, 9, 1, None, 2),)
    with ResultsStore(tmp_path / "new" / "folder") as store:
        store.save(
            episode,
            EpisodeResult(measures={"reward": 8, "gap_rate": None}, switch_responses=met, seconds=1.5, recording=b"x"),
        )
    with ResultsStore(tmp_path / "new" / "folder") as store:
        (result,) = store.results([episode.key]).values()
        assert result == EpisodeResult(None, {"reward": 8, "gap_rate": None}, met, 1.5, recorded=True)
        assert read_recording(store.path.parent, episode.key) == b"x"
        assert store.results(["another"]) == {}
        assert read_recording(store.path.parent, "another") is None


def test_an_episode_is_claimed_once_and_not_after_it_is_finished(tmp_path, episode):
    with ResultsStore(tmp_path) as one, ResultsStore(tmp_path) as two:
        assert one.claim(episode.key)
        assert not two.claim(episode.key)
        one.save(episode, outcome())
        assert not two.claim(episode.key)
        assert two.finished() == {episode.key}
        assert two.claim(episode.key, recorded=True), "it has no recording yet"


def test_what_a_runner_claimed_is_free_when_it_ends(tmp_path, episode):
    with ResultsStore(tmp_path) as two:
        with ResultsStore(tmp_path) as one:
            assert one.claim(episode.key)
        assert two.claim(episode.key)


def test_a_failure_is_tried_again_and_replaces_no_success(tmp_path, episode):
    with ResultsStore(tmp_path) as store:
        store.save(episode, EpisodeResult(failure="no luck"))
        assert store.finished() == set()
        assert store.results([episode.key])[episode.key].failure == "no luck"
        assert store.claim(episode.key)
        store.save(episode, outcome(reward=3))
        store.save(episode, EpisodeResult(failure="too late"))
        assert store.results([episode.key])[episode.key].measures["reward"] == 3


def test_a_recording_that_is_kept_once_stays(tmp_path, episode):
    with ResultsStore(tmp_path) as store:
        store.save(episode, outcome())
        store.save(episode, EpisodeResult(measures={"reward": 0}, recording=b"game"))
        store.save(episode, outcome())
        assert read_recording(store.path.parent, episode.key) == b"game"


def test_episodes_of_other_code_are_counted(tmp_path, episode):
    with ResultsStore(tmp_path) as store:
        store.save(episode, outcome())
        assert (store.others({episode.code}), store.others({"other"})) == ([], [episode.code])


def test_a_sweep_that_is_run_twice_is_noted_once(tmp_path):
    entry = ("bayes", None, "open", "g", "switching", "default", 0, "key")
    with ResultsStore(tmp_path) as store:
        for definition in ("{}", "{}", "{1}"):
            store.register("tiny", definition, [entry])
    database = sqlite3.connect(tmp_path / RESULTS_FILE)
    assert database.execute("SELECT count(*) FROM sweeps").fetchone() == (2,)
    assert database.execute("SELECT DISTINCT agent, planner, layout, grp, key FROM entries").fetchall() == [
        ("bayes", None, "open", "g", "key")
    ]


def test_what_episodes_share_is_stored_once_and_sql_reads_whole_rows(tmp_path):
    made = episodes(seeds=3)
    with ResultsStore(tmp_path) as store:
        for number, episode in enumerate(made):
            store.save(episode, outcome(reward=number, gap_rate=None))
    with closing(sqlite3.connect(tmp_path / RESULTS_FILE)) as database:
        assert database.execute("SELECT count(*) FROM kinds").fetchone() == (2,), "one an agent"
        reward = "avg(json_extract(measures, '$.reward'))"
        found = database.execute(f"SELECT ego, layout, {reward} FROM episodes GROUP BY ego, layout").fetchall()
        assert found == [("bayes", "open", 1.0), ("bayes-no-replan", "open", 4.0)]
        rows = database.execute("SELECT key, spec, seed, code, planner, failure FROM episodes").fetchall()
        assert {row[0]: row for row in rows} == {
            one.key: (one.key, one.spec, one.seed, one.code, "scripted", None) for one in made
        }
        plan = database.execute("EXPLAIN QUERY PLAN SELECT failure FROM episodes WHERE key = 'a'").fetchall()
        assert "USING INDEX" in plan[0][-1], "a claim looks at one row"


def test_rows_are_read_again_only_after_a_change_by_this_or_another_runner(tmp_path, monkeypatch):
    first, second, *_ = episodes()
    read = []
    read_rows = GamesOfKinds.rows
    with ResultsStore(tmp_path) as one, ResultsStore(tmp_path) as two:
        monkeypatch.setattr(GamesOfKinds, "rows", lambda table: read.append(1) or read_rows(table))
        for store, episode, count in ((one, first, 1), (two, second, 2)):
            store.save(episode, outcome())
            assert len(one.finished()) == len(one.results([first.key, second.key])) == count
            assert (one.remove_damaged(), len(read)) == (0, count)


def test_a_file_from_a_newer_version_is_left_alone_and_named(tmp_path):
    ResultsStore(tmp_path).close()
    database = sqlite3.connect(tmp_path / RESULTS_FILE)
    database.execute(f"PRAGMA user_version = {STORE_VERSION + 1}")
    with pytest.raises(
        BBAError, match=rf"results.sqlite: its schema is version {STORE_VERSION + 1}; this program knows"
    ):
        ResultsStore(tmp_path)
    assert database.execute("PRAGMA user_version").fetchone() == (STORE_VERSION + 1,)


def test_a_file_from_an_older_version_is_left_alone_and_named(tmp_path):
    ResultsStore(tmp_path).close()
    database = sqlite3.connect(tmp_path / RESULTS_FILE)
    database.execute("PRAGMA user_version = 1")
    with pytest.raises(BBAError, match=r"results.sqlite: its schema is version 1, of an older bba-tui") as error:
        ResultsStore(tmp_path)
    assert "\n" not in str(error.value)
    assert database.execute("PRAGMA user_version").fetchone() == (1,)


def test_a_file_that_is_no_store_is_named(tmp_path):
    (tmp_path / RESULTS_FILE).write_bytes(b"something else" * 100)
    with pytest.raises(BBAError, match=r"results.sqlite: file is not a database"):
        ResultsStore(tmp_path)
    (tmp_path / RESULTS_FILE).unlink()
    sqlite3.connect(tmp_path / RESULTS_FILE).execute("CREATE TABLE mine (x)")
    with pytest.raises(BBAError, match=r"results.sqlite: not a results file of this program"):
        ResultsStore(tmp_path)


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BBAError, match=r"file: cannot be used: File exists"):
        ResultsStore(tmp_path / "file")


def full(store):
    """Lets the file of a store grow no more."""
    pages = store._database.execute("PRAGMA page_count").fetchone()[0]
    store._database.execute(f"PRAGMA max_page_count = {pages}")


@pytest.mark.parametrize("stored", [0, 1])
def test_on_a_full_disk_it_says_that_something_is_kept_only_where_it_is(stored, tmp_path, episode):
    with ResultsStore(tmp_path) as store:
        for _ in range(stored):
            store.save(episode, outcome())
        full(store)
        with pytest.raises(BBAError, match=r"; make room on this disk, or take a folder on another one$") as error:
            store.save(episodes()[1], EpisodeResult(measures={}, recording=b"x" * 100_000))
        assert ("is kept" in str(error.value)) == bool(stored)


def test_a_number_that_the_file_cannot_hold_is_one_line(tmp_path):
    with ResultsStore(tmp_path) as store:
        with pytest.raises(BBAError, match=r"results\.sqlite: Python int too large[^\n]*$"):
            store.save(episodes()[0].of_seed(2**63), outcome())
        assert store.finished() == set()


def test_on_a_full_disk_one_line_is_printed_and_the_store_stays_usable(tmp_path, episode):
    other = episodes()[1]
    with ResultsStore(tmp_path) as store:
        store.save(episode, outcome())
        pages = store._database.execute("PRAGMA page_count").fetchone()[0]
        store._database.execute(f"PRAGMA max_page_count = {pages}")
        said = r"database or disk is full; what was stored before is kept; make room on this disk, or take a folder"
        with pytest.raises(BBAError, match=said):
            store.save(other, EpisodeResult(measures={}, recording=b"x" * 100_000))
        assert store.finished() == {episode.key}
        store._database.execute("PRAGMA max_page_count = 100000")
        store.save(other, outcome())
    with ResultsStore(tmp_path) as store:
        assert store.finished() == {episode.key, other.key}
