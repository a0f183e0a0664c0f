"""The results of benchmarks: one SQLite file, one row an episode.

`bba.bench.schema` describes the file. Several runners may work on one file: each claims an episode before it plays it
and sends a heartbeat every second (`bba.bench.claims`). A row is written in one transaction, so a runner can be killed
at any time. Nothing in the file is executed or unpickled.

Opens the file of results to read it, also where it cannot be changed.

Puts the results of several folders together in one: runs that cannot share a folder have one each.
"""

import hashlib
import json
import os
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, Self

from bba.bench import claims
from bba.bench.claims import FINISHED, LOCKS_FAIL, Claims, patient
from bba.bench.episode import Episode, EpisodeResult
from bba.bench.provenance import versions
from bba.bench.schema import COVERED, check, checksum, damage_text, episode_rows, prepare, sweep_checksum, sweep_rows
from bba.errors import BBAError, shortened
from bba.files import transaction

RESULTS_FILE = "results.sqlite"
_WRITTEN = [*COVERED, "checksum"]
_SAVE = f"""
INSERT INTO episodes ({", ".join(_WRITTEN)}, recording) VALUES (:{", :".join(_WRITTEN)}, :recording)
ON CONFLICT (key) DO UPDATE SET {", ".join(f"{name} = :{name}" for name in _WRITTEN)},
    recording = coalesce(:recording, recording)
WHERE :failure IS NULL OR failure IS NOT NULL
"""


class ResultsStore:
    """An open results file at `path`; `patience` is how many seconds it waits where other runners hold it.

    Args:
        folder: its folder, made if it does not exist.

    Raises:
        BBAError: the folder or the file cannot be used, or the file is of another version.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / RESULTS_FILE
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:
            raise BBAError(f"{folder}: cannot be used: {getattr(error, 'strerror', None) or error}") from None
        self.patience = claims.OPENING
        self._database = self._opened()
        self.patience = claims.LOCK_PATIENCE
        self._claims = Claims(self._database)

    @patient
    def _opened(self) -> sqlite3.Connection:
        database = sqlite3.connect(self.path, timeout=claims.LOCK_WAIT, isolation_level=None)
        try:
            prepare(database, str(self.path))
        except BaseException:
            database.close()
            raise
        return database

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Releases all claims and closes the file."""
        try:
            self._claims.release()
        except sqlite3.Error:
            pass  # on a full disk, for one; the claims then expire
        finally:
            self._database.close()

    @patient
    def claim(self, key: str, *, recorded: bool = False) -> bool:
        """Claims an episode; returns False if it is finished (with a recording, if `recorded`) or claimed elsewhere."""
        return self._claims.take(key, recorded=recorded)

    @patient
    def claim_all(self, keys: Collection[str], *, recorded: bool = False) -> set[str]:
        """Claims these episodes, as far as it can; returns which ones."""
        with transaction(self._database):
            return {key for key in keys if self._claims.take(key, recorded=recorded)}

    @patient
    def waited_for(self, keys: Collection[str]) -> str:
        """Returns for which other runs, and since when, the episodes of these keys have to wait, in words."""
        return self._claims.waited_for(keys)

    @patient
    def heartbeat(self) -> None:
        """Renews the claims of this runner."""
        self._claims.renew()

    @patient
    def save(self, episode: Episode, outcome: EpisodeResult) -> None:
        """Stores the result of an episode and releases its claim. A failure does not replace a success."""
        with transaction(self._database):
            self._database.execute(_SAVE, _row(episode, outcome))
            self._claims.release(episode.key)

    @patient
    def take_over(self, rows: Callable[[], Iterable[Mapping[str, Any]]]) -> None:
        """Stores what `rows` returns: rows of another file of this program, each with its columns by name.

        A failure replaces no success.
        """
        with transaction(self._database):
            for row in rows():
                kept = {name: row[name] for name in COVERED}
                values = {**kept, "checksum": checksum(kept.values()), "recording": row["recording"]}
                self._database.execute(_SAVE, values)

    def results(self, keys: Iterable[str]) -> dict[str, EpisodeResult]:
        """Returns what is stored of these episodes, by key; without what is damaged."""
        wanted, found = set(keys), self._intact()
        return {key: result for key, result in found if key in wanted}

    def finished(self, *, recorded: bool = False) -> set[str]:
        """Returns the keys of the finished episodes; with `recorded` of those with a recording."""
        return {key for key, result in self._intact() if result.failure is None and (result.recorded or not recorded)}

    @patient
    def is_finished(self, key: str, *, recorded: bool = False) -> bool:
        """Returns whether an episode is finished; looks up this row alone, and not whether it is damaged."""
        found = self._database.execute(f"{FINISHED} AND key = :key", {"key": key, "recorded": recorded})
        return found.fetchone() is not None

    @patient
    def remove_damaged(self) -> int:
        """Removes the damaged episodes, so that they are played again; returns how many there were."""
        if all(row.result is not None for row in episode_rows(self._database)):
            return 0
        with transaction(self._database):
            damaged = [(row.number,) for row in episode_rows(self._database) if row.result is None]
            self._database.execute("REINDEX")  # a damaged key is no longer that of its index
            self._database.executemany("DELETE FROM episodes WHERE rowid = ?", damaged)
        return len(damaged)

    @patient
    def _intact(self) -> list[tuple[str, EpisodeResult]]:
        """Returns the keys and results of all episodes that are not damaged."""
        found = ((row.columns["key"], row.result) for row in episode_rows(self._database))
        return [(key, result) for key, result in found if result is not None]

    @patient
    def register(self, name: str, definition: str, entries: Sequence[Sequence[object]]) -> None:
        """Stores which sweep is run and its entries; does nothing if the same sweep was run before and is not damaged.

        Args:
            name: the sweep's name.
            definition: the sweep as JSON.
            entries: the fields of each `bba.bench.plan.TableEntry`.
        """
        identity = hashlib.blake2b(repr((definition, entries)).encode(), digest_size=16).hexdigest()
        with transaction(self._database):
            if any(row.id == identity and row.intact for row in sweep_rows(self._database)):
                return
            values = identity, name, definition, _now()
            rows = [(identity, position, *entry) for position, entry in enumerate(entries)]
            self._database.execute("DELETE FROM sweeps WHERE id = ?", (identity,))
            self._database.execute("DELETE FROM entries WHERE sweep = ?", (identity,))
            self._database.execute(
                "INSERT INTO sweeps VALUES (?, ?, ?, ?, ?)", (*values, sweep_checksum(*values, entries))
            )
            self._database.executemany("INSERT INTO entries VALUES (?,?,?,?,?,?,?,?,?,?)", rows)

    @patient
    def others(self, codes: Collection[str]) -> list[str]:
        """Returns the digests of other code than this that has played episodes, that of the last one first."""
        found = self._database.execute("SELECT code FROM episodes GROUP BY code ORDER BY max(finished) DESC, code")
        return [code for (code,) in found if code not in codes]


def _row(episode: Episode, outcome: EpisodeResult) -> dict[str, object]:
    ego, partner = episode.seats
    columns = {
        "key": episode.key,
        "spec": episode.spec,
        "layout": episode.layout.name,
        "ego": ego.agent,
        "partner": partner.agent,
        "planner": ego.planner,
        "seed": episode.seed,
        "horizon": episode.horizon,
        "code": episode.code,
        "failure": "\n".join(filter(None, (outcome.failure, outcome.details))) or None,
        "measures": None if outcome.measures is None else json.dumps(outcome.measures),
        "switch_responses": json.dumps(outcome.switch_responses),
        "seconds": outcome.seconds,
        "versions": json.dumps(versions()),
        "finished": _now(),
    }
    return {**columns, "checksum": checksum(columns[name] for name in COVERED), "recording": outcome.recording}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


@contextmanager
def opened(folder: Path) -> Iterator[sqlite3.Connection]:
    """Opens the results of a folder, which must exist; a file that cannot be read is one line."""
    path = folder / RESULTS_FILE
    try:
        if not path.is_file():
            raise BBAError(f"{folder}: no results here: there is no {RESULTS_FILE} in it")
        with closing(_connected(path)) as database:
            yield database
    except sqlite3.Error as error:
        raise BBAError(f"{path}: cannot be read: {shortened(error)}") from None
    except (ValueError, TypeError, KeyError):
        raise BBAError(f"{path}: damaged: holds what this program does not write") from None
    except OSError as error:
        raise BBAError(f"{folder}: cannot be read: {error.strerror or error}") from None


def _connected(path: Path) -> sqlite3.Connection:
    """Opens a results file; as one that nobody changes, if it cannot be changed here and cannot be read otherwise."""
    changeable = os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    try:
        return _opened_as("mode=rw" if changeable else "mode=ro", path)
    except sqlite3.OperationalError as error:
        if changeable and error.sqlite_errorname not in LOCKS_FAIL - {"SQLITE_BUSY"}:
            raise
        return _opened_as("immutable=1", path)


def _opened_as(way: str, path: Path) -> sqlite3.Connection:
    """Opens a results file in one of SQLite's ways, and reads its version."""
    database = sqlite3.connect(f"{path.resolve().as_uri()}?{way}", uri=True)
    try:
        check(database, str(path))
    except BaseException:
        database.close()
        raise
    return database


class Merged(NamedTuple):
    """What came of putting folders together.

    Attributes:
        episodes: how many finished ones the folder holds now.
        damage: what was damaged and left out, a line for each folder with damage.
    """

    episodes: int
    damage: tuple[str, ...]


def merge(sources: Sequence[Path], folder: Path) -> Merged:
    """Adds the sweeps and episodes of several folders to those of another one, which is made if it does not exist.

    A finished episode is kept where two folders have it. What requests have cost stays in the folders.

    Raises:
        BBAError: a folder cannot be used, or holds no results.
    """
    if any(source.resolve() == folder.resolve() for source in sources):
        raise BBAError(f"{folder}: is one of the folders to be put together; take another one with --out")
    for source in sources:
        with opened(source):  # all of them before there is a new folder
            pass
    damage: list[str] = []
    with ResultsStore(folder) as store:
        for source in sources:
            with opened(source) as database:
                damage += _add(database, store, source)
        return Merged(len(store.finished()), tuple(damage))


def _add(database: sqlite3.Connection, store: ResultsStore, source: Path) -> list[str]:
    """Adds what a file holds to the store; returns a line about what is damaged."""
    rows, runs = list(episode_rows(database)), list(sweep_rows(database))
    whole = [row.number for row in rows if row.result is not None]
    store.take_over(lambda: _with_recordings(database, whole))
    for run in runs:
        if run.intact:
            store.register(run.name, run.definition, run.entries)
    damaged = damage_text(sum(row.result is None for row in rows), sum(not run.intact for run in runs))
    return [f"{source}: {damaged}"] if damaged else []


def _with_recordings(database: sqlite3.Connection, numbers: Sequence[int]) -> Iterator[dict[str, object]]:
    """Yields the columns of these rows by name, one row after the other."""
    for number in numbers:
        found = database.execute("SELECT * FROM episodes WHERE rowid = ?", (number,))
        names = [column[0] for column in found.description]
        yield dict(zip(names, found.fetchone(), strict=True))
