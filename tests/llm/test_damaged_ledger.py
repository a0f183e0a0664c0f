"""What was spent is never wrong in silence: once it is damaged, no other request is sent, and reports say so."""

import random
import sqlite3
from contextlib import closing

import pytest

from bba.bench.results_reader import load_results
from bba.bench.results_store import RESULTS_FILE
from bba.bench.results_transfer import dump, merge
from bba.errors import BBAError
from bba.planner import ModelUnusable, Usage
from bba.planner.ledger import CHECKSUM, Ledger, stored_spending
from bba.report.page import _spent
from tests.bench.test_results_reader import keep

DAMAGE = {
    "a price": "UPDATE spending SET dollars = 0.25",
    "a model": "UPDATE spending SET model = 'b'",
    "a reservation": "UPDATE reservations SET expires = 1e12",
    "text that is none": "UPDATE spending SET model = CAST(x'ff61' AS TEXT)",
    "a row that is lost": "DELETE FROM spending",
    "a table that is lost": "DROP TABLE reservations",
    "the checksum": "UPDATE spending_checksum SET checksum = 'x'",
    "no checksum": "DELETE FROM spending_checksum",
}


def change(path, statement):
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(statement)


@pytest.fixture
def folder(tmp_path):
    """Results for which 0.5 dollars were paid; a request that may cost 0.75 is under way."""
    keep(tmp_path, seeds=1)
    pay(tmp_path / RESULTS_FILE)
    return tmp_path


def pay(path):
    ledger = Ledger(path)
    ledger.settle(ledger.reserve("a", 0.5, 2.0, 60), "a", Usage(100, 10), 0.5)
    ledger.reserve("a", 0.75, 2.0, 60)


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_nothing_more_is_spent_and_nothing_is_bundled(folder, damage):
    change(folder / RESULTS_FILE, damage)
    ledger = Ledger(folder / RESULTS_FILE)
    for ask in (ledger.spent, lambda: ledger.reserve("a", 0.1, 2.0, 60), lambda: ledger.reserve("a", 0.1, None, 60)):
        with pytest.raises(ModelUnusable, match=r"what was spent is damaged; go on in another folder.*bba-tui merge"):
            ask()
    assert load_results(folder).spent is None
    with pytest.raises(BBAError, match="what was spent is damaged"):
        dump(folder)


def test_a_request_that_was_under_way_is_settled_and_the_file_stays_damaged(folder):
    change(folder / RESULTS_FILE, "UPDATE spending SET dollars = 0.25")
    ledger = Ledger(folder / RESULTS_FILE)
    ledger.settle("another", "a", Usage(100, 10), 0.5)
    with closing(sqlite3.connect(folder / RESULTS_FILE)) as database:
        assert database.execute("SELECT dollars FROM spending").fetchall() == [(0.75,)]
    with pytest.raises(ModelUnusable, match="damaged"):
        ledger.spent()


def test_the_named_way_out_leads_to_a_folder_in_which_it_goes_on(folder, tmp_path):
    change(folder / RESULTS_FILE, "DELETE FROM spending")
    assert merge([folder], tmp_path / "other") == (2, [])
    assert Ledger(tmp_path / "other" / RESULTS_FILE).reserve("a", 0.5, 2.0, 60)


def test_a_file_from_before_there_were_checksums_counts_as_it_is_and_gets_one(folder):
    change(folder / RESULTS_FILE, f"DROP TABLE {CHECKSUM}")
    before = load_results(folder).spent
    assert (before.dollars, before.reserved) == (0.5, 0.75)
    assert Ledger(folder / RESULTS_FILE).spent() == before
    change(folder / RESULTS_FILE, "UPDATE spending SET dollars = 9.0")
    assert load_results(folder).spent is None


def test_a_limit_that_is_reached_writes_nothing(folder):
    ledger = Ledger(folder / RESULTS_FILE)
    before = ledger.spent()
    with pytest.raises(ModelUnusable, match="--max-cost"):
        ledger.reserve("a", 5.0, 2.0, 60)
    assert ledger.spent() == before


def test_the_report_says_it():
    assert _spent(None) == "; what failed games and lost requests have cost is damaged in the file"


def flipped(content, number):
    """Content with one bit changed."""
    damaged, place = bytearray(content), random.Random(number).randrange(8 * len(content))
    damaged[place // 8] ^= 1 << place % 8
    return bytes(damaged)


def known(content):
    """What a file of this content says was spent; None if it says that this is damaged, or cannot be read."""
    with closing(sqlite3.connect(":memory:")) as database:
        try:
            database.deserialize(content)
            return stored_spending(database)
        except (sqlite3.Error, UnicodeDecodeError):
            return None


@pytest.mark.parametrize("flips", [300, pytest.param(20_000, marks=pytest.mark.long)])
def test_a_flipped_bit_changes_nothing_in_silence(tmp_path, flips):
    pay(tmp_path / "whole")
    content = (tmp_path / "whole").read_bytes()
    found = [known(flipped(content, number)) for number in range(flips)]
    assert {*found} == {None, known(content)}
