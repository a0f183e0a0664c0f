"""No more than the limit is ever spent: requests reserve their highest price, in a file that all processes share."""

import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from bba.errors import BBAError
from bba.planner import ModelUnusable, NoAnswer, Usage
from bba.planner.ledger import Ledger
from tests.helpers.fake_endpoint import answers, hangs_up, refuses, sends
from tests.helpers.model_backends import HELLO, backend

SPENT = Usage(100, 10, cached_tokens=60)


@pytest.fixture(params=["file", "memory"])
def ledger(request, tmp_path):
    return Ledger(tmp_path / "results.sqlite" if request.param == "file" else None)


def test_a_reservation_is_replaced_by_the_real_price(ledger):
    reservation = ledger.reserve("a", 0.5, 1.0, 60)
    assert ledger.spent()[:3] == (0.0, 0.5, 0)
    ledger.settle(reservation, "a", SPENT, 0.1)
    assert ledger.spent()[:3] == (0.1, 0.0, 1)


def test_what_others_have_reserved_is_waited_for_and_what_is_spent_is_not(ledger):
    first = ledger.reserve("a", 0.7, 1.0, 60)
    assert ledger.reserve("b", 0.7, 1.0, 60) is None
    ledger.settle(first, "a", SPENT, 0.2)
    second = ledger.reserve("b", 0.7, 1.0, 60)
    ledger.settle(second, "b", SPENT, 0.7)
    with pytest.raises(ModelUnusable, match=r"the limit of 1 US dollars is reached: 0\.9000 are spent"):
        ledger.reserve("a", 0.2, 1.0, 60)


def test_a_reservation_that_nobody_settles_counts_as_spent_once_it_has_expired(ledger):
    ledger.reserve("a", 0.7, 1.0, -1)
    assert ledger.spent()[:2] == (0.7, 0.0)
    with pytest.raises(ModelUnusable):
        ledger.reserve("a", 0.7, 1.0, 60)


@pytest.mark.thorough
def test_what_was_spent_is_still_known_to_the_next_process(tmp_path):
    program = f"""
from pathlib import Path
from bba.planner import Usage
from bba.planner.ledger import Ledger
ledger = Ledger(Path({str(tmp_path / "results.sqlite")!r}))
ledger.settle(ledger.reserve("a", 0.5, 1.0, 60), "a", Usage(1, 1), 0.25)
"""
    for _ in range(2):
        subprocess.run([sys.executable, "-c", program], check=True)
    assert Ledger(tmp_path / "results.sqlite").spent()[:3] == (0.5, 0.0, 2)


def test_many_threads_never_exceed_the_limit(ledger):
    def spend(_):
        try:
            reservation = ledger.reserve("a", 0.1, 1.0, 60)
            if reservation is not None:
                ledger.settle(reservation, "a", SPENT, 0.1)
        except ModelUnusable:
            pass

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(spend, range(40)))
    assert ledger.spent().dollars <= 1.0 + 1e-9
    assert ledger.spent().requests >= 9


def test_a_file_that_cannot_be_used_ends_the_run(tmp_path):
    (tmp_path / "results.sqlite").write_bytes(b"no database" * 500)
    with pytest.raises(ModelUnusable, match="what is spent cannot be kept: file is not a database"):
        Ledger(tmp_path / "results.sqlite").reserve("a", 0.1, None, 60)


@pytest.fixture
def prices(tmp_path):
    (tmp_path / "mine.toml").write_text("[test-model]\nprompt = 1000\ncompletion = 1000\n")
    return tmp_path / "mine.toml"


def test_the_highest_price_is_reserved_before_a_request_is_sent(endpoint, prices, tmp_path):
    seen = []

    def looks(handler):
        with sqlite3.connect(tmp_path / "r.sqlite") as database:
            seen.extend(database.execute("SELECT model, dollars FROM reservations").fetchall())
        answers("4")(handler)

    endpoint.behaviours = [looks]
    asked = backend(endpoint, prices=prices, ledger=tmp_path / "r.sqlite", max_tokens=50, cache="off")
    assert asked.complete(HELLO).usage.cost == pytest.approx(0.11)
    assert seen == [("test-model", pytest.approx((len(HELLO[0]["content"]) + 8 + 50) / 1000))]
    assert Ledger(tmp_path / "r.sqlite").spent()[:3] == (pytest.approx(0.11), 0.0, 1)


FAILURES = {
    "no answer, no usage: it may have to be paid": (hangs_up, 0.067, 1),
    "an error: nothing is paid": (refuses(500), 0.0, 0),
    "refused: nothing is paid": (refuses(401), 0.0, 0),
    "an empty answer with its usage": (answers(""), 0.11, 0),
    "cut off without usage": (answers("Let me", finish="length", usage={}), 0.067, 1),
    "half a body": (sends('{"choices": [{"mess'), 0.067, 1),
}


@pytest.mark.thorough
@pytest.mark.parametrize(("behaviour", "dollars", "estimated"), FAILURES.values(), ids=FAILURES)
def test_failed_requests_are_in_every_sum(endpoint, prices, tmp_path, behaviour, dollars, estimated):
    endpoint.behaviours = [behaviour]
    asked = backend(endpoint, prices=prices, ledger=tmp_path / "r.sqlite", max_tokens=50, attempts=1, cache="off")
    with pytest.raises(BBAError) as caught:
        asked.complete(HELLO)
    spent = Ledger(tmp_path / "r.sqlite").spent()
    assert (spent.dollars, spent.reserved, spent.estimated) == (pytest.approx(dollars), 0.0, estimated)
    if isinstance(caught.value, NoAnswer) and dollars:
        assert caught.value.usage.cost == pytest.approx(dollars)


def test_requests_wait_for_each_other_rather_than_exceed_the_limit(endpoint, prices):
    most, lock = [0, 0], threading.Lock()

    def counted(handler):
        with lock:
            most[0] += 1
            most[1] = max(most)
        handler.endpoint.closing.wait(0.05)
        with lock:
            most[0] -= 1
        answers("4", usage={"prompt_tokens": 1, "completion_tokens": 1})(handler)

    endpoint.behaviours = [counted]
    # A request may cost 0.067 and costs 0.002: two fit at the same time, eight after each other.
    asked = backend(endpoint, prices=prices, max_cost=0.15, max_tokens=50, concurrency=8, cache="off")
    questions = [[{"role": "user", "content": f"What now {number}"}] for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        assert [reply.text for reply in pool.map(asked.complete, questions)] == ["4"] * 8
    assert most[1] <= 2


def test_an_answer_is_not_lost_where_its_price_cannot_be_kept_and_the_next_request_keeps_it(endpoint, prices, tmp_path):
    database = sqlite3.connect(tmp_path / "r.sqlite", check_same_thread=False, isolation_level=None)

    def locks(handler):
        database.execute("BEGIN EXCLUSIVE")
        answers("4")(handler)

    endpoint.behaviours = [locks, answers("4")]
    asked = backend(endpoint, prices=prices, ledger=tmp_path / "r.sqlite", max_tokens=50, cache="off")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("bba.planner.ledger.LOCK_TIMEOUT", 0.05)
        assert asked.complete(HELLO).text == "4"
        with pytest.raises(ModelUnusable, match="what is spent cannot be kept: database is locked"):
            asked.complete([*HELLO, *HELLO])
        assert len(endpoint.requests) == 1, "nothing is sent as long as nothing can be kept"
    database.execute("COMMIT")
    asked.complete([*HELLO, *HELLO])
    assert Ledger(tmp_path / "r.sqlite").spent()[:3] == (pytest.approx(0.22), 0.0, 2)
