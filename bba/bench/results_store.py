"""The results of benchmarks: one SQLite file, one row an episode.

`bba.bench.schema` describes the file. Several runners may work on one file: each claims an episode before it plays it
and sends a heartbeat every second (`bba.bench.claims`). A row is written in one transaction, so a runner can be killed
at any time. Nothing in the file is executed or unpickled.
"""

import hashlib
import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from bba.bench.claims import FINISHED, Claims
from bba.bench.episode import Episode, EpisodeResult
from bba.bench.provenance import versions
from bba.bench.schema import prepare
from bba.bench.stored_rows import COVERED, checksum, episode_rows, sweep_checksum, sweep_rows
from bba.errors import BBAError, shortened
from bba.transactions import transaction

FILE = "results.sqlite"
SILENCE = 10.0  # seconds without a heartbeat after which a runner is taken for dead
_PATIENCE = 30.0  # seconds to wait for another runner's transaction

LOCKS_FAIL = {  # the names of SQLite's errors where a file system cannot lock
    "SQLITE_BUSY",
    "SQLITE_PROTOCOL",
    "SQLITE_IOERR_LOCK",
    "SQLITE_IOERR_RDLOCK",
    "SQLITE_IOERR_UNLOCK",
    "SQLITE_IOERR_CHECKRESERVEDLOCK",
    "SQLITE_IOERR_BLOCKED",
}
NO_LOCKS = (
    "files cannot be locked there, or another program holds it; for several runs take --engine ray, or a folder each "
    "and put them together with --merge"
)
_WRITTEN = [*COVERED, "checksum"]
_SAVE = f"""
INSERT INTO episodes ({", ".join(_WRITTEN)}, recording) VALUES (:{", :".join(_WRITTEN)}, :recording)
ON CONFLICT (key) DO UPDATE SET {", ".join(f"{name} = :{name}" for name in _WRITTEN)},
    recording = coalesce(:recording, recording)
WHERE :failure IS NULL OR failure IS NOT NULL
"""


class ResultsStore:
    """An open results file.

    Args:
        folder: its folder, made if it does not exist.
        silence: seconds without a heartbeat after which a runner is taken for dead.

    Raises:
        BBAError: the folder or the file cannot be used, or the file is of another version.
    """

    def __init__(self, folder: Path, *, silence: float = SILENCE) -> None:
        self.path = folder / FILE
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:
            raise BBAError(f"{folder}: cannot be used: {getattr(error, 'strerror', None) or error}") from None
        with self._named():
            self._database = sqlite3.connect(self.path, timeout=_PATIENCE, isolation_level=None)
            prepare(self._database, str(self.path))
        self._claims = Claims(self._database, silence)

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

    def claim(self, key: str, *, recorded: bool = False) -> bool:
        """Claims an episode; returns False if it is finished (with a recording, if `recorded`) or claimed elsewhere."""
        with self._named():
            return self._claims.take(key, recorded=recorded)

    def waited_for(self, keys: Iterable[str]) -> str:
        """Returns for which other runs, and since when, the episodes of these keys have to wait, in words."""
        with self._named():
            return self._claims.waited_for(keys)

    def heartbeat(self) -> None:
        """Renews the claims of this runner."""
        with self._named():
            self._claims.renew()

    def save(self, episode: Episode, outcome: EpisodeResult) -> None:
        """Stores the result of an episode and releases its claim. A failure does not replace a success."""
        with self._named(), transaction(self._database):
            self._database.execute(_SAVE, _row(episode, outcome))
            self._claims.release(episode.key)

    def take_over(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Stores rows of another file of this program, each with its columns by name. A failure replaces no success."""
        with self._named(), transaction(self._database):
            for row in rows:
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

    def is_finished(self, key: str, *, recorded: bool = False) -> bool:
        """Returns whether an episode is finished; looks up this row alone, and not whether it is damaged."""
        with self._named():
            found = self._database.execute(f"{FINISHED} AND key = :key", {"key": key, "recorded": recorded})
            return found.fetchone() is not None

    def remove_damaged(self) -> int:
        """Removes the damaged episodes, so that they are played again; returns how many there were."""
        with self._named():
            if all(row.result is not None for row in episode_rows(self._database)):
                return 0
            with transaction(self._database):
                damaged = [(row.number,) for row in episode_rows(self._database) if row.result is None]
                self._database.execute("REINDEX")  # a damaged key is no longer that of its index
                self._database.executemany("DELETE FROM episodes WHERE rowid = ?", damaged)
            return len(damaged)

    def _intact(self) -> list[tuple[str, EpisodeResult]]:
        """Returns the keys and results of all episodes that are not damaged."""
        with self._named():
            found = ((row.columns["key"], row.result) for row in episode_rows(self._database))
            return [(key, result) for key, result in found if result is not None]

    def register(self, name: str, definition: str, entries: Sequence[Sequence[object]]) -> None:
        """Stores which sweep is run and its entries; does nothing if the same sweep was run before and is not damaged.

        Args:
            name: the sweep's name.
            definition: the sweep as JSON.
            entries: the fields of each `bba.bench.plan.TableEntry`.
        """
        identity = hashlib.blake2b(repr((definition, entries)).encode(), digest_size=16).hexdigest()
        with self._named(), transaction(self._database):
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

    def others(self, codes: Collection[str]) -> list[str]:
        """Returns the digests of other code than this that has played episodes, that of the last one first."""
        with self._named():
            found = self._database.execute("SELECT code FROM episodes GROUP BY code ORDER BY max(finished) DESC, code")
            return [code for (code,) in found if code not in codes]

    @contextmanager
    def _named(self) -> Iterator[None]:
        """Turns an error of the database into one line that names the file."""
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError) as error:  # the latter in the words of the former
            if getattr(error, "sqlite_errorname", "") in LOCKS_FAIL:
                raise BBAError(f"{self.path.parent}: {shortened(error)}: {NO_LOCKS}") from None
            raise BBAError(f"{self.path}: {shortened(error)}; what was stored before is kept") from None


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
