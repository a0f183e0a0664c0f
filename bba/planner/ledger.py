"""The ledger of a run: what its requests have cost, in a file that all its processes share, or in memory.

A request reserves its highest possible price before it is sent and settles for the real one afterwards. A reservation
that nobody settles, because its process was killed, counts as spent once it has expired. So what is spent never exceeds
the limit. The tables stand in a results file beside the episodes; a file without them gets them with the first request.
Their checksum covers all rows of both, so that a row which is lost is noticed, too; once they are damaged, no other
request is sent. Files that were written before there was a checksum have none; they count as they are.

Its table ``pace`` says when the next request to an endpoint may begin, by the limits on requests and tokens a minute
and by what the endpoint asked to wait; it is no result, and has no checksum.
"""

import sqlite3
import threading
import time
import uuid
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import NamedTuple

from bba.database import read_any_text, row_checksum, transaction
from bba.errors import LOG, shortened
from bba.planner.chat import ModelUnusable, Usage

SPENDING = "spending"
RESERVATIONS = "reservations"
CHECKSUM = "spending_checksum"
LEDGER_TABLES = (SPENDING, RESERVATIONS, CHECKSUM)
DAMAGED = "what was spent is damaged; go on in another folder, into which bba-tui merge takes the finished episodes"
_CREATE = (
    f"""CREATE TABLE IF NOT EXISTS {SPENDING} (
        model TEXT PRIMARY KEY, requests INTEGER NOT NULL, dollars REAL NOT NULL, prompt_tokens INTEGER NOT NULL,
        cached_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL, estimated INTEGER NOT NULL)""",
    f"""CREATE TABLE IF NOT EXISTS {RESERVATIONS} (
        id TEXT PRIMARY KEY, model TEXT NOT NULL, dollars REAL NOT NULL, expires REAL NOT NULL)""",
    f"CREATE TABLE IF NOT EXISTS {CHECKSUM} (checksum TEXT NOT NULL)",
)
_PACE = """CREATE TABLE IF NOT EXISTS pace (
    endpoint TEXT NOT NULL, what TEXT NOT NULL, free REAL NOT NULL, PRIMARY KEY (endpoint, what))"""
LONGEST_PAUSE = 3600.0  # seconds that an endpoint is believed, and that a clock which was set is


def create_tables(database: sqlite3.Connection) -> None:
    """Creates those tables that a file lacks."""
    for statement in _CREATE:
        database.execute(statement)


def found_tables(database: sqlite3.Connection) -> set[str]:
    """Returns which of the tables a file has."""
    rows = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    names = {name for (name,) in rows}
    return names & set(LEDGER_TABLES)


def is_intact(database: sqlite3.Connection) -> bool:
    """Returns whether the tables are as they were written last; True for a file that has none."""
    read_any_text(database)
    tables = found_tables(database)
    if CHECKSUM not in tables:
        return not tables or tables == {SPENDING, RESERVATIONS}
    if len(tables) < len(LEDGER_TABLES):
        return False
    stored = database.execute(f"SELECT checksum FROM {CHECKSUM}").fetchall()
    return bool(stored == [(_checksum(database),)])


def seal(database: sqlite3.Connection) -> None:
    """Stores the checksum of the tables as they are."""
    database.execute(f"DELETE FROM {CHECKSUM}")
    database.execute(f"INSERT INTO {CHECKSUM} VALUES (?)", (_checksum(database),))


def _checksum(database: sqlite3.Connection) -> str:
    """Returns 32 hex digits: the digest of all rows of both tables."""
    rows = [database.execute(f"SELECT * FROM {name} ORDER BY 1").fetchall() for name in (SPENDING, RESERVATIONS)]
    return row_checksum(rows)


PAUSE = "pause"  # that an endpoint asks for
LOCK_TIMEOUT = 30.0  # seconds to wait for another process that writes
_SETTLE = """
INSERT INTO spending VALUES (?, 1, ?, ?, ?, ?, ?) ON CONFLICT (model) DO UPDATE SET
    requests = requests + 1, dollars = dollars + excluded.dollars,
    prompt_tokens = prompt_tokens + excluded.prompt_tokens, cached_tokens = cached_tokens + excluded.cached_tokens,
    completion_tokens = completion_tokens + excluded.completion_tokens, estimated = estimated + excluded.estimated
"""


class ModelSpending(NamedTuple):
    """The spending on one model: a row of the table ``spending``."""

    model: str
    requests: int
    dollars: float
    prompt_tokens: int
    cached_tokens: int
    completion_tokens: int
    estimated: int


class Spent(NamedTuple):
    """What was spent.

    Attributes:
        dollars: on requests that are settled, or that nobody will settle any more.
        reserved: on requests that are under way, at most.
        requests: those that are settled.
        estimated: of these, those whose tokens are estimated.
    """

    dollars: float = 0.0
    reserved: float = 0.0
    requests: int = 0
    estimated: int = 0


NOTHING_SPENT = Spent()


class Ledger:
    """Reserves and settles the cost of requests.

    Args:
        path: an SQLite file; None for memory.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._unsettled: list[tuple[str, tuple[object, ...]]] = []
        self._memory = None if path else sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)

    def reserve(
        self, model: str, dollars: float, limit: float | None, seconds: float, name: str | None = None
    ) -> str | None:
        """Reserves so much for a request that takes so many seconds at the most.

        Args:
            model: its name.
            dollars: the highest price.
            limit: on all that is spent, in US dollars; None for none.
            seconds: after which it counts as spent.
            name: that of the reservation; it takes the place of one of that name, as of a process that was killed.

        Returns:
            The reservation; None if requests that are under way have reserved what is left, so that later there may be
            enough.

        Raises:
            ModelUnusable: the limit leaves too little, or the file is damaged or cannot be used.
        """
        with self._transaction() as database:
            name = name or uuid.uuid4().hex
            spent = _spent(database, besides=name)
            if limit is not None and spent.dollars + dollars > limit:
                raise ModelUnusable(
                    f"--max-cost: the limit of {limit:g} US dollars is reached: {spent.dollars:.4f} are spent, and "
                    f"another request might cost {dollars:.4f}"
                )
            if limit is not None and spent.dollars + spent.reserved + dollars > limit:
                return None
            database.execute(
                "REPLACE INTO reservations VALUES (?, ?, ?, ?)", (name, model, dollars, time.time() + seconds)
            )
            return name

    def settle(self, reservation: str, model: str, usage: Usage, dollars: float) -> None:
        """Replaces a reservation by the real cost of the request; also in a damaged file, which stays damaged.

        Where the file cannot be used now, so that an answer that was paid is not lost, the next request does it; until
        then the reservation stands, and without it no request is sent.
        """
        row = (model, dollars, usage.prompt_tokens, usage.cached_tokens, usage.completion_tokens, usage.estimated)
        self._unsettled.append((reservation, row))
        try:
            with self._transaction(settles=True):
                pass
        except ModelUnusable as error:
            LOG.warning("%s; the highest price of the request counts until then", error)

    def begin(self, endpoint: str, takes: Mapping[str, float], patience: float) -> float:
        """Gives the next free time to a request, and the times that follow to others, in all processes.

        Args:
            endpoint: what has limits of its own, in words.
            takes: for each limit the seconds of it that the request takes up.
            patience: seconds that it can wait; beyond that, nothing is given.

        Returns:
            The seconds until it may be sent.

        Raises:
            ModelUnusable: as `reserve`.
        """
        with self._transaction() as database:
            database.execute(_PACE)
            time_now = time.time()
            rows = database.execute("SELECT what, free FROM pace WHERE endpoint = ?", (endpoint,)).fetchall()
            limits = {PAUSE, *takes}
            begins: float = max([time_now, *[free for limit, free in rows if limit in limits]])
            begins = min(begins, time_now + LONGEST_PAUSE)
            wait = begins - time_now
            if wait <= patience:
                next_free = [(endpoint, limit, begins + seconds) for limit, seconds in takes.items()]
                database.executemany("REPLACE INTO pace VALUES (?, ?, ?)", next_free)
            return wait

    def correct(self, endpoint: str, limit: str, seconds: float) -> None:
        """Moves the next free time by a limit: a request took more or less of it than was thought, or asks to wait."""
        if not seconds:
            return
        with suppress(ModelUnusable), self._transaction() as database:
            database.execute(_PACE)
            database.execute(
                "INSERT INTO pace VALUES (?, ?, ?) ON CONFLICT (endpoint, what) DO UPDATE SET "
                "free = CASE what WHEN ? THEN max(free, excluded.free) ELSE free + ? END",
                (endpoint, limit, time.time() + min(seconds, LONGEST_PAUSE), PAUSE, seconds),
            )

    def spent(self) -> Spent:
        """Returns the spending so far.

        Raises:
            ModelUnusable: the file is damaged or cannot be used.
        """
        with self._transaction() as database:
            return _spent(database)

    def _opened(self) -> AbstractContextManager[sqlite3.Connection]:
        """Returns a connection; a file is opened anew, so that threads and processes can share it."""
        if self._memory is not None:
            return nullcontext(self._memory)
        return closing(sqlite3.connect(str(self.path), timeout=LOCK_TIMEOUT, isolation_level=None))

    @contextmanager
    def _transaction(self, *, settles: bool = False) -> Iterator[sqlite3.Connection]:
        """Gives the file for reading and writing; a damaged one only to settle, and without a new checksum."""
        try:
            with self._lock, self._opened() as database:
                unsettled = list(self._unsettled)
                with transaction(database):
                    intact = is_intact(database)
                    if intact:
                        create_tables(database)
                    elif not settles:
                        raise ModelUnusable(f"{self.path}: {DAMAGED}")
                    for reservation, row in unsettled:
                        database.execute(f"DELETE FROM {RESERVATIONS} WHERE id = ?", (reservation,))
                        database.execute(_SETTLE, row)
                    yield database
                    if intact:
                        seal(database)
                for settlement in unsettled:
                    self._unsettled.remove(settlement)
        except (sqlite3.Error, UnicodeDecodeError) as error:  # the latter in the words of the former
            problem = f"what is spent cannot be kept: {shortened(error)}"
            raise ModelUnusable(f"--max-cost: {self.path}: {problem}") from None


def stored_spending(database: sqlite3.Connection) -> Spent | None:
    """Returns the spending that a results file holds; None if its tables are damaged."""
    if not is_intact(database):
        return None
    return _spent(database) if found_tables(database) else NOTHING_SPENT


def spending_by_model(database: sqlite3.Connection) -> list[ModelSpending]:
    """Returns the spending on each model, in the order of the names; unsettled reservations count as spent."""
    if not found_tables(database):
        return []
    rows = database.execute(
        "SELECT model, sum(requests), sum(dollars), sum(prompt_tokens), sum(cached_tokens), sum(completion_tokens), "
        "sum(estimated) FROM (SELECT * FROM spending UNION ALL SELECT model, 0, dollars, 0, 0, 0, 0 FROM reservations) "
        "GROUP BY model ORDER BY model"
    )
    return [ModelSpending(*row) for row in rows]


def store_spending(database: sqlite3.Connection, rows: Iterable[ModelSpending]) -> None:
    """Writes the spending on each model into a results file without these tables."""
    create_tables(database)
    database.executemany(f"INSERT INTO {SPENDING} VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    seal(database)


def _spent(database: sqlite3.Connection, besides: str = "") -> Spent:
    """Returns the spending, without the reservation of one name."""
    dollars, requests, estimated = database.execute(
        "SELECT coalesce(sum(dollars), 0), coalesce(sum(requests), 0), coalesce(sum(estimated), 0) FROM spending"
    ).fetchone()
    lost, reserved = database.execute(
        "SELECT coalesce(sum(dollars * (expires < :now)), 0), coalesce(sum(dollars * (expires >= :now)), 0) "
        "FROM reservations WHERE id <> :besides",
        {"now": time.time(), "besides": besides},
    ).fetchone()
    return Spent(dollars + lost, reserved, requests, estimated)
