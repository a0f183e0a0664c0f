"""The cache stage: reuses answers, within a run always and between runs through a file.

What several processes ask at a time, one of them asks and the others wait for, so that nothing is paid twice. At
temperature 0 the same request should give the same answer, but endpoints do not guarantee it. So the first answer is
kept: games then depend on their seed alone, and a recorded run can be repeated without the endpoint.
"""

import hashlib
import json
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

from platformdirs import user_cache_path

from bba.database import transaction
from bba.errors import LOG, BBAError
from bba.llm.request import ChatRequest, RequestStage, one_line
from bba.planner.chat import NoAnswer, Reply, Usage
from bba.planner.model_options import ModelOptions, sampling_parameters
from bba.processes import Answer, is_running

EXCERPT_CHARS = 60  # characters of a request that are quoted in the error for a missing answer
CACHED = Usage(cached=1)
WRITE_TIMEOUT = 10.0  # seconds to wait for another process that writes
BATCH_CLAIM = 60.0  # seconds until what is asked stands in a batch's file, where other processes find it
# The locks of the questions that this process asks, by the file of their answers: several backends may share one.
_LOCKS: dict[Path, dict[str, threading.Lock]] = {}
BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
LOOK_AGAIN = 0.05  # seconds between two looks whether another process has got the answer
_TABLES = (
    "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, answer BLOB NOT NULL, checksum TEXT NOT NULL) "
    "WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS asked (key TEXT PRIMARY KEY, pid INTEGER NOT NULL, until REAL NOT NULL) WITHOUT ROWID",
)


def key_of(options: ModelOptions, request: ChatRequest) -> str:
    """Returns a hash of everything that can change the answer."""
    content = {
        "model": options.model,
        "base_url": options.endpoint,
        **sampling_parameters(options, request.skills),
        "messages": request.messages,
    }
    if options.form == "scores" and request.skills:
        content["score_temperature"] = options.score_temperature
    if options.extra_headers:
        content["extra_headers"] = options.extra_headers
    if options.repeat > 1:
        content["repeat"] = options.repeat
    text = json.dumps(content, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


class CacheStage:
    """Answers from memory or from the file if possible, otherwise through the next stage if allowed.

    A file that cannot be used gives one warning; requests then go to the next stage.

    Args:
        inner: the next stage.
        options: the model, the mode ("off", "read", "write", "only") and the file.
    """

    def __init__(self, inner: RequestStage, options: ModelOptions) -> None:
        self._inner = inner
        self._options = options
        self._file = AnswerCache(options.cache_file or user_cache_path("bba-tui") / "answers.sqlite")
        self._mode = options.cache_mode
        self._answers: dict[str, str] = {}
        self._locks: dict[str, threading.Lock] = {}  # by the key of a question
        if self._mode == "write":
            self._locks = _LOCKS.setdefault(self._file.path.absolute(), {})
        self._unstored: dict[str, str] = {}
        self._warned = False

    def send(self, request: ChatRequest) -> Reply:
        """Returns the stored answer, or the next stage's; of several equal requests at a time the first is passed on.

        Raises:
            NoAnswer, BBAError: as the next stage; or no answer is stored in mode "only".
        """
        key = key_of(self._options, request)
        lock = self._locks.setdefault(key, threading.Lock())
        if not lock.acquire(timeout=request.seconds_left):
            raise NoAnswer("the same question, asked before, took all the time", retryable=True)
        try:
            return self._answer(key, request)
        finally:
            lock.release()

    def _answer(self, key: str, request: ChatRequest) -> Reply:
        text = self._answers.get(key)
        if text is None and self._mode != "off":
            text = self._use_file(lambda: self._file.get(key))
        usage: Usage | None
        if text is not None:
            usage = CACHED
        elif self._mode == "only":
            excerpt = one_line(request.messages[-1]["content"])[:EXCERPT_CHARS]
            lacks = f"has no answer of {self._options.model} to {key[:12]} ({excerpt!r}…)"
            raise BBAError(f"--cache only: {self._file.path} {lacks}")
        elif self._mode == "write":
            text, usage = self._ask_once(key, request)
        else:
            text, usage = self._inner.send(request)
        return Reply(self._answers.setdefault(key, text), usage)

    def _ask_once(self, key: str, request: ChatRequest) -> Reply:
        """Returns the next stage's answer and stores it, or the one that another process is given meanwhile."""
        problem = self._claim(key, request)
        while problem is not None:
            time.sleep(LOOK_AGAIN)
            text = self._use_file(lambda: self._file.get(key))
            if text is not None:
                return Reply(text, CACHED)
            if request.seconds_left <= 0:
                raise NoAnswer(problem, retryable=True)
            problem = self._claim(key, request)
        try:
            text, usage = self._inner.send(request)
            self._unstored[key] = text
            return Reply(self._store().get(key, text), usage)
        finally:
            self._use_file(lambda: self._file.end(key))

    def _claim(self, key: str, request: ChatRequest) -> str | None:
        """Claims a question for this process; returns why it cannot: the question may be paid twice, then."""
        self._store()
        seconds = BATCH_CLAIM if self._options.batch_file else request.most_seconds_left

        def begin() -> str | None:
            try:
                is_claimed = self._file.begin(key, seconds)
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF not in BUSY:
                    raise
                return f"{self._file.path}, which keeps what was answered, is locked by another program"
            if is_claimed:
                return None
            return "the same question, asked by another run, took all the time"

        return self._use_file(begin)

    def _store(self) -> dict[str, str]:
        """Stores the answers that are not stored yet, as while the file is locked; returns what is stored now."""
        stored: dict[str, str] = {}
        for key, answer in list(self._unstored.items()):
            kept = self._use_file(partial(self._file.put, key, answer))
            if kept is None:
                break
            stored[key] = kept
            self._unstored.pop(key, None)
        return stored

    def _use_file(self, use: Callable[[], Answer]) -> Answer | None:
        """Returns the result of using the file; None if that fails, with a warning the first time."""
        try:
            return use()
        except (sqlite3.Error, OSError, ValueError) as error:
            if self._mode == "only":
                raise BBAError(f"--cache only: {self._file.path}: {error}") from None
            if not self._warned:
                LOG.warning("cache: %s cannot be used: %s", self._file.path, error)
            self._warned = True
            return None


class AnswerCache:
    """Answers in an SQLite file, by key, each with a checksum. The methods raise `OSError` or `sqlite3.Error`.

    Each access opens the file anew. This takes less than a millisecond and lets many threads and processes share it.

    Args:
        path: the file; it and its folder are created with the first answer.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def get(self, key: str) -> str | None:
        """Returns the answer; None if there is none or it is damaged."""
        if not self.path.exists() or not self.path.stat().st_size:
            return None
        with closing(self._connect("ro")) as database:
            return _valid_answer(database, key)

    def begin(self, key: str, seconds: float) -> bool:
        """Claims a question for so many seconds; returns False where it is answered or another process asks it.

        An answer that comes in the last moment may then wait for the file; until it is stored the question is taken.
        """
        with self._writing() as database:
            claim = database.execute("SELECT pid, until FROM asked WHERE key = ?", (key,)).fetchone()
            if _valid_answer(database, key) is not None:
                return False
            if claim is not None:
                pid, until = claim
                # With this process's own number it is of one that was killed: this one asks a question once at a time.
                if until > time.time() and pid != os.getpid() and is_running(pid):
                    return False
            until = time.time() + seconds + WRITE_TIMEOUT
            database.execute("REPLACE INTO asked VALUES (?, ?, ?)", (key, os.getpid(), until))
            return True

    def end(self, key: str) -> None:
        """Lets others ask, where there is no answer."""
        with self._writing() as database:
            database.execute("DELETE FROM asked WHERE key = ? AND pid = ?", (key, os.getpid()))

    def put(self, key: str, answer: str) -> str:
        """Stores an answer and returns the stored one, which is an earlier one if that is valid."""
        with self._writing() as database:
            earlier = _valid_answer(database, key)
            if earlier is not None:
                return earlier
            data = answer.encode()
            database.execute("REPLACE INTO answers VALUES (?, ?, ?)", (key, data, _checksum(key, data)))
            return answer

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Gives a connection in a transaction, which is committed unless its block raises; creates missing tables."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with closing(self._connect("rwc")) as database, transaction(database):
            for table in _TABLES:
                database.execute(table)
            yield database

    def _connect(self, mode: str) -> sqlite3.Connection:
        address = f"{self.path.absolute().as_uri()}?mode={mode}"
        return sqlite3.connect(address, uri=True, timeout=WRITE_TIMEOUT, isolation_level=None)


def _valid_answer(database: sqlite3.Connection, key: str) -> str | None:
    """Returns the answer of a key if its checksum is correct, otherwise None."""
    row = database.execute("SELECT answer, checksum FROM answers WHERE key = ?", (key,)).fetchone()
    if row is None:
        return None
    answer, checksum = row
    if not isinstance(answer, bytes) or checksum != _checksum(key, answer):
        return None
    return answer.decode()


def _checksum(key: str, answer: bytes) -> str:
    return hashlib.sha256(key.encode() + answer).hexdigest()
