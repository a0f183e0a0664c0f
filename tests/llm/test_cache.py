"""Cached answers: equal requests get equal answers, and problems with the file give one warning."""

import dataclasses
import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import platformdirs
import pytest

from bba.agents import SeatSpec, load_agent
from bba.errors import BBAError
from bba.llm import cache, pipeline
from bba.llm.cache import AnswerCache, key_of
from bba.llm.pipeline import model_backend, shared_backend
from bba.llm.request import ChatRequest
from bba.planner import NoAnswer, Usage
from bba.play import Game
from tests.helpers.fake_endpoint import KEY, answers, plays, refuses, running
from tests.helpers.full_disk import full_disk, read_only
from tests.helpers.model_backends import HELLO, backend, options
from tests.helpers.samples import few

ANOTHER = [{"role": "user", "content": "And now?"}]


@pytest.fixture
def file(tmp_path):
    return tmp_path / "answers" / "store.sqlite"


def answer_text(model, messages=HELLO) -> str:
    return model.complete(messages).text


def filled(endpoint, file, count: int = 30) -> None:
    """Store the answer "4" to HELLO, and something to so many other questions."""
    answer_text(backend(endpoint, cache="write", cache_file=file))
    for number in range(count):
        AnswerCache(file).put(f"{number:064}", "4")


def warnings(caplog) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.name == "bba"]


def test_a_repeated_request_gets_the_same_answer_and_is_sent_once(endpoint):
    endpoint.behaviours = [answers("4"), answers("8")]
    model = backend(endpoint)
    assert (answer_text(model), answer_text(model)) == ("4", "4")
    assert model.complete(HELLO).usage == Usage(cached=1)
    assert answer_text(backend(endpoint)) == "8", "another run asks anew"


def test_threads_with_equal_concurrent_requests_get_equal_answers(endpoint):
    endpoint.behaviours = [*(answers(f"{number}") for number in range(8))]
    model = backend(endpoint, concurrency=8)
    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(lambda _: answer_text(model), range(8)))) == 1


def test_threads_that_come_first_at_a_time_share_a_backend_and_ask_once(endpoint, monkeypatch, file):
    made, another = [], threading.Event()

    def make(*args, **kwargs):
        made.append(model_backend(*args, **kwargs))
        if len(made) > 1:
            another.set()
        another.wait(0.2)  # long enough for a second thread that is let in
        return made[-1]

    monkeypatch.setattr(pipeline, "model_backend", make)
    pipeline.cached_backend.cache_clear()
    same = options(endpoint, cache="write", cache_file=file, concurrency=4)
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(lambda _: answer_text(shared_backend(same)), range(4))) == {"4"}
    assert (len(made), len(endpoint.requests)) == (1, 1)


def test_write_stores_and_read_and_write_and_only_use_it(endpoint, file):
    endpoint.behaviours = [answers("4"), answers("8")]
    assert answer_text(backend(endpoint, cache="write", cache_file=file)) == "4"
    for mode in ("read", "write", "only"):
        assert answer_text(backend(endpoint, cache=mode, cache_file=file)) == "4"
    assert answer_text(backend(endpoint, cache="off", cache_file=file)) == "8"


def test_mode_read_requests_missing_answers_and_does_not_store_them(endpoint, file):
    assert answer_text(backend(endpoint, cache="read", cache_file=file)) == "4"
    assert not file.parent.exists()
    filled(endpoint, file, 0)
    before = file.read_bytes()
    answer_text(backend(endpoint, cache="read", cache_file=file), ANOTHER)
    assert file.read_bytes() == before


def test_the_file_is_in_the_platforms_cache_folder_unless_it_is_named(endpoint, monkeypatch, tmp_path):
    monkeypatch.setattr(cache, "user_cache_path", platformdirs.user_cache_path)  # which tests do not ask otherwise
    for name in ("XDG_CACHE_HOME", "HOME"):  # the latter for a Mac
        monkeypatch.setenv(name, str(tmp_path))
    answer_text(backend(endpoint, cache="write"))
    assert list(tmp_path.rglob("answers.sqlite"))
    assert answer_text(backend(endpoint, cache="only")) == "4"


def test_a_missing_answer_in_mode_only_is_one_line(endpoint, file):
    filled(endpoint, file, 0)
    sent = len(endpoint.requests)
    long = [{"role": "user", "content": "Layout=open.\n" + "x" * 500}]
    with pytest.raises(
        BBAError, match=r"^--cache only: .*store\.sqlite has no answer of test-model to [0-9a-f]{12} "
    ) as e:
        answer_text(backend(endpoint, cache="only", cache_file=file), long)
    assert not isinstance(e.value, NoAnswer)
    assert "Layout=open. xxx" in str(e.value)
    assert len(str(e.value).removeprefix(f"--cache only: {file}")) < 160
    assert len(endpoint.requests) == sent


@pytest.mark.parametrize(
    "other",
    [{"model": "another"}, {"max_tokens": 9}, {"base_url": "http://127.0.0.1:9/v1"}],
    ids=lambda d: next(iter(d)),
)
def test_everything_that_can_change_an_answer_changes_the_key(endpoint, file, other):
    filled(endpoint, file, 0)
    with pytest.raises(BBAError, match="has no answer"):
        answer_text(backend(endpoint, cache="only", cache_file=file, **other))


def test_other_options_do_not_change_the_key(endpoint, file):
    filled(endpoint, file, 0)
    other = {"deadline": 9.0, "attempts": 1, "max_calls": 5, "key": None, "base_url": endpoint.url + "/"}
    assert answer_text(backend(endpoint, cache="only", cache_file=file, **other)) == "4"


def test_failures_are_not_stored(endpoint, file):
    endpoint.behaviours = [refuses(503)]
    with pytest.raises(NoAnswer):
        answer_text(backend(endpoint, cache="write", cache_file=file))
    endpoint.behaviours = [answers("8")]
    assert answer_text(backend(endpoint, cache="write", cache_file=file)) == "8"


@pytest.mark.thorough
@pytest.mark.parametrize(
    "damage",
    ["answer = X'3131'", "answer = '4'", "answer = 4", "answer = X'FF'", "checksum = ''", "checksum = X'00'"],
)
def test_a_damaged_entry_is_requested_again_and_replaced(endpoint, file, damage):
    filled(endpoint, file, 0)
    with sqlite3.connect(file) as database:
        database.execute(f"UPDATE answers SET {damage}")
    endpoint.behaviours = [answers("8"), answers("9")]
    assert answer_text(backend(endpoint, cache="write", cache_file=file)) == "8"
    assert answer_text(backend(endpoint, cache="only", cache_file=file)) == "8"


def test_an_entry_under_another_key_is_not_trusted(endpoint, file):
    filled(endpoint, file, 1)
    with sqlite3.connect(file) as database:
        keys = [key for (key,) in database.execute("SELECT key FROM answers")]
        database.execute("DELETE FROM answers WHERE key = ?", keys[:1])
        database.execute("UPDATE answers SET key = ?", keys[:1])
    sound = [AnswerCache(file).get(key) for key in keys]
    assert sound == [None, None]


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def overwrite(file: Path) -> None:
    file.write_bytes(b"no database at all" * 100)


def scratch(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[4096:] = b"\xa5" * (len(data) - 4096)
    file.write_bytes(data)


@pytest.mark.thorough
@pytest.mark.parametrize("mode", ["read", "write"])
@pytest.mark.parametrize("damage", [cut, overwrite, scratch])
def test_a_damaged_file_gives_one_warning_and_the_endpoint_answers(endpoint, file, caplog, damage, mode):
    filled(endpoint, file, 100)
    damage(file)
    endpoint.behaviours = [answers("8")]
    model = backend(endpoint, cache=mode, cache_file=file)
    questions = [[{"role": "user", "content": f"{number}"}] for number in range(20)]
    assert [answer_text(model, question) for question in questions] == ["8"] * 20
    (warning,) = warnings(caplog)
    assert warning.startswith(f"cache: {file} cannot be used: ")


def test_a_damaged_file_in_mode_only_is_one_line(endpoint, file):
    filled(endpoint, file)
    overwrite(file)
    with pytest.raises(BBAError, match=r"--cache only: .*store\.sqlite: file is not a database"):
        answer_text(backend(endpoint, cache="only", cache_file=file))


def test_an_empty_file_is_a_cache_without_answers(endpoint, file, caplog):
    file.parent.mkdir()
    file.touch()
    assert answer_text(backend(endpoint, cache="write", cache_file=file)) == "4"
    assert answer_text(backend(endpoint, cache="only", cache_file=file)) == "4"
    assert warnings(caplog) == []


def test_in_a_read_only_folder_stored_answers_are_used_and_new_ones_give_one_warning(endpoint, caplog):
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "store.sqlite"
        filled(endpoint, file, 0)
        endpoint.behaviours = [answers("8")]
        model = backend(endpoint, cache="write", cache_file=file)
        with read_only(file.parent):
            assert (answer_text(model), answer_text(model, ANOTHER)) == ("4", "8")
            assert answer_text(model, [*HELLO, *ANOTHER]) == "8"
    assert len(warnings(caplog)) == 1


def test_a_folder_that_cannot_be_created_gives_one_warning(endpoint, tmp_path, caplog):
    (tmp_path / "file").touch()
    model = backend(endpoint, cache="write", cache_file=tmp_path / "file" / "store.sqlite")
    assert (answer_text(model), answer_text(model, ANOTHER)) == ("4", "4")
    assert len(warnings(caplog)) == 1


def test_on_a_full_disk_the_game_continues_with_one_warning_and_keeps_stored_answers(endpoint, file, caplog):
    filled(endpoint, file)
    endpoint.behaviours = [answers("x" * 20_000)]
    model = backend(endpoint, cache="write", cache_file=file)
    with full_disk(file.stat().st_size):
        assert answer_text(model) == "4"
        assert len(answer_text(model, ANOTHER)) == len(answer_text(model, [*HELLO, *ANOTHER])) == 20_000
    assert len(warnings(caplog)) == 1
    assert answer_text(backend(endpoint, cache="only", cache_file=file)) == "4"


@pytest.mark.thorough
def test_processes_and_threads_store_concurrently_and_the_first_answer_counts(file):
    program = f"""
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from bba.llm.cache import AnswerCache
store = AnswerCache(Path({str(file)!r}))
with ThreadPoolExecutor(4) as pool:
    print(*pool.map(lambda number: store.put(f"key {{number}}", sys.argv[1]), range(20)))
"""
    started = [
        subprocess.Popen([sys.executable, "-c", program, name], stdout=subprocess.PIPE, text=True) for name in "abc"
    ]
    said = [process.communicate()[0].split() for process in started]
    assert said[0] == said[1] == said[2]
    assert said[0] == [AnswerCache(file).get(f"key {number}") for number in range(20)]


def play(endpoint, seed: int, **fields):
    """A short game's ticks, without what the answers cost."""
    agent = load_agent("bayes", SeatSpec(planner="openai", model=options(endpoint, **fields)))
    ticks = Game("open", agent, "switching", seed, horizon=120).run().ticks
    return [
        (tick.state.tolist(), tick.actions, tick.skills, [thought(decision) for decision in tick.decisions])
        for tick in ticks
    ]


def thought(decision):
    return decision._replace(calls=tuple(dataclasses.replace(call, usage=None) for call in decision.calls))


@pytest.mark.thorough
def test_recorded_games_can_be_repeated_exactly_without_the_endpoint(file):
    with running() as endpoint:
        endpoint.behaviours = [plays]
        recorded = [play(endpoint, seed, cache="write", cache_file=file) for seed in range(3)]
    pipeline.cached_backend.cache_clear()
    assert endpoint.requests
    sent = len(endpoint.requests)
    again = [play(endpoint, seed, cache="only", cache_file=file) for seed in range(3)]
    assert again == recorded
    assert len(endpoint.requests) == sent
    assert KEY.encode() not in file.read_bytes()


ASKS = """
import sys
from pathlib import Path
from pydantic import SecretStr
from bba.planner.model_options import ModelOptions
from bba.llm.pipeline import model_backend

url, key, file = sys.argv[1:]
options = ModelOptions(model="x", base_url=url, key=SecretStr(key), cache="write", cache_file=Path(file))
print(model_backend(options).complete([{"role": "user", "content": "What now?"}]).text)
"""
ASKED = [{"role": "user", "content": "What now?"}]


@pytest.mark.parametrize("others", few([1, 3]))
def test_processes_that_ask_the_same_at_a_time_ask_once(endpoint, tmp_path, others):
    """This process asks while others wait to hear, or hears what another asks."""
    first, file = threading.Event(), tmp_path / "a.sqlite"

    def slow(handler):
        first.set()
        time.sleep(0.5)
        answers("8")(handler)

    endpoint.behaviours = [slow]
    command = [sys.executable, "-c", ASKS, endpoint.url, KEY, str(file)]
    asking = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(others)]
    assert first.wait(120)
    assert answer_text(model_backend(options(endpoint, model="x", cache="write", cache_file=file)), ASKED) == "8"
    assert [process.communicate()[0].strip() for process in asking] == ["8"] * others
    assert len(endpoint.requests) == 1


def test_a_question_of_a_killed_process_or_one_without_an_answer_is_asked_again(endpoint, tmp_path):
    file = tmp_path / "a.sqlite"
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    request = ChatRequest(tuple(HELLO), 0.0)
    asked = AnswerCache(file)
    made = options(endpoint, cache="write", cache_file=file, attempts=1)
    assert asked.begin(key_of(made, request), 60.0)
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("UPDATE asked SET pid = ?", (gone.pid,))
    endpoint.behaviours = [refuses(500), answers("8")]
    backend = model_backend(made)
    with pytest.raises(NoAnswer):
        backend.complete(HELLO)
    assert backend.complete(HELLO).text == "8"
    with closing(sqlite3.connect(file)) as database:
        assert database.execute("SELECT count(*) FROM asked").fetchone() == (0,)


def test_a_question_is_taken_until_an_answer_of_the_last_moment_is_stored(tmp_path, monkeypatch):
    asked = AnswerCache(tmp_path / "a.sqlite")
    assert asked.begin("key", 0.0)
    monkeypatch.setattr("bba.llm.cache.os.getpid", os.getppid)
    assert not asked.begin("key", 60.0)


def test_backends_with_one_file_ask_a_question_once(endpoint, file):
    both = [backend(endpoint, cache="write", cache_file=file, attempts=attempts) for attempts in (1, 2)]
    sent = threading.Event()

    def answer_late(handler):
        sent.set()
        time.sleep(0.2)
        answers("4")(handler)

    endpoint.behaviours = [answer_late]
    with ThreadPoolExecutor() as pool:
        first = pool.submit(answer_text, both[0])
        assert sent.wait(60)
        assert answer_text(both[1]) == first.result() == "4"
    assert len(endpoint.requests) == 1


def test_a_question_that_another_process_asks_too_long_is_not_answered(endpoint, tmp_path):
    file = tmp_path / "a.sqlite"
    made = options(endpoint, cache="write", cache_file=file)
    assert AnswerCache(file).begin(key_of(made, ChatRequest(tuple(HELLO), 0.0)), 60.0)
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("UPDATE asked SET pid = ?", (os.getppid(),))
    with pytest.raises(NoAnswer, match="asked by another run"):
        model_backend(made).complete(HELLO, 0.2)
    assert endpoint.requests == []


@pytest.fixture
def locked(tmp_path, monkeypatch):
    """The file of answers, held by another program."""
    monkeypatch.setattr("bba.llm.cache.WRITE_TIMEOUT", 0.01)
    with closing(sqlite3.connect(tmp_path / "a.sqlite", isolation_level=None, check_same_thread=False)) as database:
        database.execute("CREATE TABLE another (x)")
        database.execute("BEGIN EXCLUSIVE")
        yield database


def test_a_question_is_not_asked_while_a_lock_hides_whether_it_was_paid_already(endpoint, tmp_path, locked):
    asked = backend(endpoint, cache="write", cache_file=tmp_path / "a.sqlite", deadline=0.3)
    with pytest.raises(NoAnswer, match=r"a\.sqlite, which keeps what was answered, is locked by another program"):
        asked.complete(HELLO)
    assert endpoint.requests == []
    locked.execute("COMMIT")
    assert asked.complete(HELLO).text == "4"


def test_an_answer_that_comes_while_the_file_is_locked_is_stored_with_the_next_one(endpoint, tmp_path, locked):
    locked.execute("COMMIT")

    def locks(handler):
        locked.execute("BEGIN EXCLUSIVE")
        answers("8")(handler)

    endpoint.behaviours = [lambda handler: locks(handler), answers("4")]
    asked = backend(endpoint, cache="write", cache_file=tmp_path / "a.sqlite")
    assert asked.complete(HELLO).text == "8"
    locked.execute("COMMIT")
    asked.complete([*HELLO, *HELLO])
    assert backend(endpoint, cache="only", cache_file=tmp_path / "a.sqlite").complete(HELLO).text == "8"
