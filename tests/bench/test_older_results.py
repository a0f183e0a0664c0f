"""Results files of older programs: reading leaves them as they are, and what they lack is added all at once or not."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from bba.bench import results_file
from bba.bench.results_reader import load_results
from bba.bench.results_store import RESULTS_FILE, ResultsStore
from bba.bench.results_transfer import dump, merge
from bba.bench.tables import table_blocks
from bba.errors import BBAError
from tests.bench.test_results_reader import keep
from tests.helpers.old_results import begin_file_of_version_2

ROOT = Path(__file__).parents[2]
ADDED_COLUMNS = {"episodes": ["checksum"], "sweeps": ["checksum"], "claims": ["host", "pid", "since"]}


@pytest.fixture
def oldest(tmp_path):
    """The results of the first program with version 2, without checksums, and claims without processes."""
    shutil.copytree(ROOT / "tests" / "formats" / "sweep", tmp_path / "oldest")
    return tmp_path / "oldest"


def columns(folder, table):
    with closing(sqlite3.connect(folder / RESULTS_FILE)) as database:
        return [row[1] for row in database.execute(f"PRAGMA table_info({table})")]


def lacking(folder):
    return {
        table: [name for name in ADDED_COLUMNS[table] if name not in columns(folder, table)] for table in ADDED_COLUMNS
    }


def tables(folder):
    return [(run.rows, table_blocks(run.sweep, run.entries, run.results)) for run in load_results(folder).sweeps]


def test_an_older_file_that_is_read_and_merged_stays_as_it_is(oldest, tmp_path):
    before = (oldest / RESULTS_FILE).read_bytes()
    assert lacking(oldest) == ADDED_COLUMNS
    expected = tables(oldest)
    dump(oldest)
    assert merge([oldest], tmp_path / "merged") == (2, [])
    assert tables(tmp_path / "merged") == expected
    assert (oldest / RESULTS_FILE).read_bytes() == before
    assert [path.name for path in oldest.iterdir()] == [RESULTS_FILE]


def test_so_it_is_in_a_folder_that_cannot_be_changed(oldest, monkeypatch):
    expected = tables(oldest)
    before = (oldest / RESULTS_FILE).read_bytes()
    monkeypatch.setattr(os, "access", lambda *_: False)
    (oldest / RESULTS_FILE).chmod(0o444)
    oldest.chmod(0o555)
    assert tables(oldest) == expected
    oldest.chmod(0o755)
    assert (oldest / RESULTS_FILE).read_bytes() == before


def test_an_older_file_that_is_filled_gets_what_it_lacks_once(oldest):
    expected = tables(oldest)
    ResultsStore(oldest).close()
    assert lacking(oldest) == {table: [] for table in ADDED_COLUMNS}
    after = (oldest / RESULTS_FILE).read_bytes()
    ResultsStore(oldest).close()
    assert (oldest / RESULTS_FILE).read_bytes() == after
    assert tables(oldest) == expected


def test_results_in_a_file_of_version_2_make_the_tables_of_the_present_one(tmp_path):
    begin_file_of_version_2(tmp_path / "old")
    for folder in ("old", "new"):
        keep(tmp_path / folder)
    assert tables(tmp_path / "old") == tables(tmp_path / "new")


@pytest.mark.parametrize("error", [KeyboardInterrupt, sqlite3.DatabaseError])
def test_an_opening_that_is_cut_short_leaves_the_older_file_whole(oldest, monkeypatch, error):
    before = (oldest / RESULTS_FILE).read_bytes()
    add_columns = results_file.add_columns

    def fails_at_the_end(database):
        add_columns(database)
        raise error

    monkeypatch.setattr(results_file, "add_columns", fails_at_the_end)
    with pytest.raises((KeyboardInterrupt, BBAError)):
        ResultsStore(oldest)
    assert (oldest / RESULTS_FILE).read_bytes() == before


KILLED = """
import os, signal, sqlite3, sys
from pathlib import Path
from bba.bench import results_file
from bba.bench.results_store import ResultsStore

add_columns = results_file.add_columns

def is_killed(database):
    database.execute("PRAGMA cache_size = 1")
    add_columns(database)
    database.execute("CREATE TABLE big AS SELECT randomblob(1000000)")  # reaches the file before it is committed
    os.kill(os.getpid(), signal.SIGKILL)

results_file.add_columns = is_killed
ResultsStore(Path(sys.argv[1]))
"""


@pytest.mark.thorough
def test_a_process_that_is_killed_meanwhile_leaves_the_older_file_whole(oldest):
    expected = tables(oldest)
    killed = subprocess.run([sys.executable, "-c", KILLED, oldest], cwd=ROOT, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert tables(oldest) == expected
    assert lacking(oldest) == ADDED_COLUMNS
