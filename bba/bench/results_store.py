"""The results of a benchmark: one SQLite file, one row an episode.

The layout of the file is `bba.bench.schema`. Several runners may work on one file: each claims an episode before it
plays it, and says every second that it is still there; what it had claimed is free again when it has been silent for
ten. A row is written in one transaction, so that a runner can be killed at any time. Nothing in the file is executed or
unpickled.
"""

import hashlib
import json
import sqlite3
import time
import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, Self

from bba.analysis.measures import SwitchResponse
from bba.bench.episode import Episode, EpisodeResult, Number
from bba.bench.provenance import versions
from bba.bench.schema import prepare
from bba.errors import BBAError

FILE = "results.sqlite"
SILENCE = 10.0  # seconds after which a runner that says nothing is taken for dead
_PATIENCE = 30.0  # seconds to wait for another runner's transaction

_FINISHED = "SELECT key FROM episodes WHERE failure IS NULL AND (NOT :recorded OR recording IS NOT NULL)"
_CLAIM = f"""
INSERT INTO claims (key, runner, seen)
SELECT :key, :runner, :now WHERE NOT EXISTS ({_FINISHED} AND key = :key)
ON CONFLICT (key) DO UPDATE SET runner = :runner, seen = :now WHERE seen < :now - :silence
"""
_SAVE = """
INSERT INTO episodes
VALUES (:key, :spec, :layout, :ego, :partner, :planner, :seed, :horizon, :code, :failure, :measures, :reactions,
        :seconds, :versions, :finished, :recording)
ON CONFLICT (key) DO UPDATE SET failure = :failure, measures = :measures, reactions = :reactions, seconds = :seconds,
    versions = :versions, finished = :finished, recording = coalesce(:recording, recording)
WHERE :failure IS NULL OR failure IS NOT NULL
"""


class StoredResult(NamedTuple):
    """What is stored of an episode: its measures, or why there are none; whether its recording is there.

    `reactions` says how each true switch of the partner was followed.
    """

    measures: dict[str, Number] | None
    failure: str | None
    seconds: float
    recorded: bool
    reactions: list[SwitchResponse]


class ResultsStore:
    """An open file of results.

    Args:
        folder: where it lies; made if it is not there.
        silence: seconds after which a runner that says nothing is taken for dead.

    Raises:
        BBAError: the folder or the file cannot be used, or comes from a newer version.
    """

    def __init__(self, folder: Path, *, silence: float = SILENCE) -> None:
        self.path = folder / FILE
        self._silence, self._runner = silence, uuid.uuid4().hex
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:
            raise BBAError(f"{folder}: cannot be used: {getattr(error, 'strerror', None) or error}") from None
        with self._named():
            self._database = sqlite3.connect(self.path, timeout=_PATIENCE, isolation_level=None)
            prepare(self._database, str(self.path))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give back what was claimed and close the file."""
        try:
            self._database.execute("DELETE FROM claims WHERE runner = ?", (self._runner,))
        except sqlite3.Error:
            pass  # on a full disk, for one; silence frees the claims as well
        finally:
            self._database.close()

    def claim(self, key: str, *, recorded: bool = False) -> bool:
        """Whether this runner is to play an episode: nobody has (with a recording, if asked), and nobody else does."""
        values = {"key": key, "runner": self._runner, "now": time.time(), "silence": self._silence}
        with self._named():
            return self._database.execute(_CLAIM, values | {"recorded": recorded}).rowcount == 1

    def beat(self) -> None:
        """Say that this runner is still there."""
        with self._named():
            self._database.execute("UPDATE claims SET seen = ? WHERE runner = ?", (time.time(), self._runner))

    def save(self, episode: Episode, outcome: EpisodeResult) -> None:
        """Store what came of an episode and give back its claim. A failure replaces no success."""
        with self._named(), self._transaction():
            self._database.execute(_SAVE, _row(episode, outcome))
            self._database.execute("DELETE FROM claims WHERE key = ? AND runner = ?", (episode.key, self._runner))

    def results(self, keys: Iterable[str]) -> dict[str, StoredResult]:
        """What is stored of these episodes, by key."""
        wanted = set(keys)
        columns = "key, measures, failure, seconds, recording IS NOT NULL, reactions"
        with self._named():
            found = self._database.execute(f"SELECT {columns} FROM episodes")
            return {key: stored_result(*rest) for key, *rest in found if key in wanted}

    def finished(self, key: str | None = None, *, recorded: bool = False) -> set[str]:
        """The keys of all episodes, or of one, that need not be played any more (have a recording, if asked)."""
        one = "" if key is None else " AND key = :key"
        with self._named():
            found = self._database.execute(_FINISHED + one, {"key": key, "recorded": recorded})
            return {row[0] for row in found}

    def recording(self, key: str) -> bytes | None:
        """The recording of an episode as the bytes of its file; None where none was kept."""
        with self._named():
            row = self._database.execute("SELECT recording FROM episodes WHERE key = ?", (key,)).fetchone()
        return row[0] if row else None

    def register(self, name: str, definition: str, cases: Sequence[Sequence[object]]) -> None:
        """Note which sweep is run and which episode stands where in it; a sweep that was run before stays as it is.

        Args:
            name: what it is called.
            definition: the sweep as JSON.
            cases: the fields of each `bba.bench.plan.TableEntry`.
        """
        identity = hashlib.blake2b(repr((definition, cases)).encode(), digest_size=16).hexdigest()
        rows = [(identity, position, *case) for position, case in enumerate(cases)]
        with self._named(), self._transaction():
            now = _now()
            self._database.execute(
                "INSERT OR IGNORE INTO sweeps VALUES (?, ?, ?, ?)", (identity, name, definition, now)
            )
            self._database.executemany("INSERT OR IGNORE INTO cases VALUES (?,?,?,?,?,?,?,?,?,?)", rows)

    def others(self, code: str) -> int:
        """How many episodes were stored by other code than this."""
        with self._named():
            return int(self._database.execute("SELECT count(*) FROM episodes WHERE code != ?", (code,)).fetchone()[0])

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._database.execute("COMMIT")
        except BaseException:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            raise

    @contextmanager
    def _named(self) -> Iterator[None]:
        """Errors of the database as one line that names the file."""
        try:
            yield
        except sqlite3.Error as error:
            raise BBAError(f"{self.path}: {error}; what was stored before is kept") from None


def _row(episode: Episode, outcome: EpisodeResult) -> dict[str, object]:
    ego, partner = episode.seats
    return {
        "key": episode.key,
        "spec": episode.spec,
        "layout": episode.layout.name,
        "ego": ego.agent,
        "partner": partner.agent,
        "planner": ego.planner,
        "seed": episode.seed,
        "horizon": episode.horizon,
        "code": episode.code,
        "failure": outcome.failure,
        "measures": None if outcome.measures is None else json.dumps(outcome.measures),
        "reactions": json.dumps(outcome.reactions),
        "seconds": outcome.seconds,
        "versions": json.dumps(versions()),
        "finished": _now(),
        "recording": outcome.recording,
    }


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def stored_result(
    measures: str | None, failure: str | None, seconds: float, recorded: int, reactions: str
) -> StoredResult:
    """A result from the columns of its row."""
    numbers = None if measures is None else json.loads(measures)
    followed = [SwitchResponse(*reaction) for reaction in json.loads(reactions)]
    return StoredResult(numbers, failure, seconds, bool(recorded), followed)
