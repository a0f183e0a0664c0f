"""The results of benchmarks: one SQLite file, one row an episode, which several runners may fill.

`bba.bench.schema` describes the file. Each runner claims an episode before it plays it and sends a heartbeat every
second. A claim is free again when its runner ends, when its process is gone, or when there was no heartbeat for a
while: soon if the runner is elsewhere, late if its process is seen to run, since others may leave it no time. A claim
from the future, which a clock that was set back leaves behind, is free as well.

The runners lock the file in turn: a method waits while another one holds it, and can be interrupted meanwhile. A row is
written in one transaction, so a runner can be killed at any time. Nothing in the file is executed or unpickled.
"""

import json
import os
import platform
import sqlite3
import time
import uuid
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from functools import wraps
from pathlib import Path
from typing import Concatenate, ParamSpec, Self

from bba.bench.episode import Episode, EpisodeResult, versions
from bba.bench.schema import STORED_COLUMNS, connect, insert, keeps_kinds, prepare
from bba.bench.stored_rows import StoredEpisode, episode_rows, remove_damaged_kinds, save_row, sealed_sweep, sweep_rows
from bba.errors import BBAError, shortened
from bba.files import hex_digest, make_folder, transaction
from bba.processes import Answer, is_running

RESULTS_FILE = "results.sqlite"
COMMAND_FILE = "command.txt"  # beside it: until a benchmark is played to its end, the line that goes on with it
FINISHED = "SELECT key FROM episodes WHERE failure IS NULL AND (NOT :recorded OR recording IS NOT NULL)"
OTHERS = "another run of this benchmark, which plays the rest"
MISSED = 3.0  # seconds without a heartbeat after which a process of this machine that is gone has lost its claims
REMOTE_SILENCE = 10.0  # the same for a runner of another machine
STUCK = 600.0  # the same for a process that runs: it hangs, or its number is another one's by now
_CLAIM = f"""
INSERT INTO claims (key, runner, seen, host, pid, since)
SELECT :key, :runner, :now, :host, :pid, :now WHERE NOT EXISTS ({FINISHED} AND key = :key)
ON CONFLICT (key) DO UPDATE SET runner = :runner, seen = :now, host = :host, pid = :pid, since = :now
WHERE is_free(seen, host, pid)
"""

LOCK_WAIT = 1.0  # seconds that SQLite itself waits for another runner's transaction; then a signal is heeded
LOCK_PAUSE = 0.05  # seconds between two looks, for a file system that does not let SQLite wait
OPENING = 30.0  # seconds to wait when the file is opened: longer than that only where locks do not work
LOCK_PATIENCE = 600.0  # the same later, when locks are known to work: a machine may be short of time

LOCKS_FAIL = {  # the names of SQLite's errors where a file system cannot lock
    "SQLITE_BUSY",
    "SQLITE_PERM",
    "SQLITE_PROTOCOL",
    "SQLITE_IOERR_LOCK",
    "SQLITE_IOERR_RDLOCK",
    "SQLITE_IOERR_UNLOCK",
    "SQLITE_IOERR_CHECKRESERVEDLOCK",
    "SQLITE_IOERR_BLOCKED",
}
NO_ROOM = {"SQLITE_FULL", "SQLITE_IOERR_WRITE", "SQLITE_IOERR_FSYNC", "SQLITE_IOERR_SHMSIZE"}  # on the disk
NO_LOCKS = (
    "files cannot be locked there, or another program holds it; take a folder on a disk of this machine, and for "
    "several machines one run with --engine ray, or a run on each and --merge"
)

Arguments = ParamSpec("Arguments")


def patient(
    act: "Callable[Concatenate[ResultsStore, Arguments], Answer]",
) -> "Callable[Concatenate[ResultsStore, Arguments], Answer]":
    """Calls a method of the store again while another runner holds the file.

    It must write all that it writes in one transaction, and can be called again with the same arguments.

    Raises:
        BBAError: any error of the database, as one line that names the file.
    """

    @wraps(act)
    def acts(store: "ResultsStore", /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Answer:
        until = time.monotonic() + store.patience
        while True:
            try:
                return act(store, *args, **kwargs)
            except (sqlite3.Error, UnicodeDecodeError, OverflowError) as error:  # the latter in the words of the former
                name = getattr(error, "sqlite_errorname", "")
                if name != "SQLITE_BUSY" or time.monotonic() >= until:
                    raise store._in_words(error, name) from None
            time.sleep(LOCK_PAUSE)

    return acts


class ResultsStore:
    """An open results file at `path`; `patience` is how many seconds it waits where other runners hold it.

    Args:
        folder: its folder, made if it does not exist.

    Raises:
        BBAError: the folder or the file cannot be used, or the file is of another version.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / RESULTS_FILE
        make_folder(folder, f"{folder}: cannot be used")
        self.patience = OPENING
        self._database = self._opened()
        self.patience = LOCK_PATIENCE
        self._read: tuple[tuple[int, int], list[tuple[int, StoredEpisode | None]]] = (-1, -1), []
        self._who = {"runner": uuid.uuid4().hex, "host": platform.node(), "pid": os.getpid()}
        self._database.create_function("is_free", 3, self._is_free)

    @patient
    def _opened(self) -> sqlite3.Connection:
        return connect(self.path, prepare, timeout=LOCK_WAIT, isolation_level=None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Releases all claims and closes the file."""
        try:
            self._release()
        except sqlite3.Error:
            pass  # on a full disk, for one; the claims then expire
        finally:
            self._database.close()

    def _in_words(self, error: Exception, name: str) -> BBAError:
        """Returns what to say of an error of SQLite of this name: what is kept, and the way out where there is one."""
        if name in LOCKS_FAIL:
            return BBAError(f"{self.path.parent}: {shortened(error)}: {NO_LOCKS}")
        words = [shortened(error)]
        if self._holds_episodes():
            words.append("what was stored before is kept")
        if name in NO_ROOM:
            words.append("make room on this disk, or take a folder on another one")
        return BBAError(f"{self.path}: {'; '.join(words)}")

    def _holds_episodes(self) -> bool:
        """Returns whether a finished episode can be read from the file."""
        try:
            with closing(sqlite3.connect(f"{self.path.resolve().as_uri()}?mode=ro", uri=True)) as database:
                return database.execute("SELECT 1 FROM episodes LIMIT 1").fetchone() is not None
        except (sqlite3.Error, ValueError):
            return False

    @patient
    def claim(self, key: str, *, recorded: bool = False) -> bool:
        """Claims an episode; returns False if it is finished (with a recording, if `recorded`) or claimed elsewhere."""
        values = self._who | {"key": key, "recorded": recorded, "now": time.time()}
        return self._database.execute(_CLAIM, values).rowcount == 1

    @patient
    def claim_all(self, keys: Collection[str], *, recorded: bool = False) -> set[str]:
        """Claims these episodes, as far as it can; returns which ones."""
        with transaction(self._database):
            return {key for key in keys if self.claim(key, recorded=recorded)}

    def _is_free(self, seen: float, host: str | None, pid: int | None) -> bool:
        """Whether a claim with this last heartbeat counts no more."""
        silent = time.time() - seen
        if silent < -REMOTE_SILENCE:
            return True
        if pid is None or host != self._who["host"]:
            return silent > REMOTE_SILENCE
        return silent > (STUCK if is_running(pid) else MISSED)

    @patient
    def heartbeat(self) -> None:
        """Renews the claims of this runner."""
        self._database.execute("UPDATE claims SET seen = ? WHERE runner = ?", (time.time(), self._who["runner"]))

    def _release(self, key: str | None = None) -> None:
        one = "" if key is None else " AND key = :key"
        self._database.execute(f"DELETE FROM claims WHERE runner = :runner{one}", self._who | {"key": key})

    @patient
    def waited_for(self, keys: Collection[str]) -> str:
        """Returns for which other runs, and since when, the episodes of these keys have to wait, in words."""
        wanted = set(keys)
        claims = self._database.execute("SELECT key, host, pid, since FROM claims")
        found = [row for row in claims if row[0] in wanted]
        if not found or any(since is None for *_, since in found):
            return OTHERS
        since = time.strftime("%H:%M:%S", time.localtime(min(row[3] for row in found)))
        episodes = "1 episode" if len(found) == 1 else f"{len(found)} episodes"
        here = self._who["host"]
        runs = {f"process {pid} on {'this machine' if host == here else host}" for _, host, pid, _ in found}
        return (
            f"{episodes} that {' and '.join(sorted(runs)[:3])} {'plays' if len(runs) == 1 else 'play'}, since {since}"
        )

    @patient
    def save(self, episode: Episode, outcome: EpisodeResult) -> None:
        """Stores the result of an episode and releases its claim. A failure does not replace a success."""
        with transaction(self._database):
            save_row(self._database, episode_row(episode, outcome))
            self._release(episode.key)

    @patient
    def take_over(self, rows: Callable[[], Iterable[Mapping[str, object]]]) -> None:
        """Stores what `rows` returns: rows of another file of this program, each with its columns by name.

        A failure replaces no success.
        """
        with transaction(self._database):
            for row in rows():
                save_row(self._database, row)

    def results(self, keys: Iterable[str]) -> dict[str, EpisodeResult]:
        """Returns what is stored of these episodes, by key; without what is damaged."""
        wanted = set(keys)
        found = self._intact()
        return {episode.key: episode.result for episode in found if episode.key in wanted}

    def finished(self, *, recorded: bool = False) -> set[str]:
        """Returns the keys of the finished episodes; with `recorded` of those with a recording."""
        finished = (one for one in self._intact() if one.result.failure is None)
        return {one.key for one in finished if one.result.recorded or not recorded}

    def missing(self, episodes: Mapping[str, Episode], *, recorded: bool = False) -> list[Episode]:
        """Returns the episodes, of these by key, that are not finished: what a sweep that is resumed plays."""
        finished = self.finished(recorded=recorded)
        return [episodes[key] for key in episodes if key not in finished]

    @patient
    def is_finished(self, key: str, *, recorded: bool = False) -> bool:
        """Returns whether an episode is finished; looks up this row alone, and not whether it is damaged."""
        found = self._database.execute(f"{FINISHED} AND key = :key", {"key": key, "recorded": recorded})
        return found.fetchone() is not None

    @patient
    def remove_damaged(self) -> int:
        """Removes the damaged episodes, so that they are played again; returns how many there were."""
        if all(episode is not None for _, episode in self._rows()):
            return 0
        with transaction(self._database):
            damaged = [(number,) for number, episode in episode_rows(self._database) if episode is None]
            self._database.execute("REINDEX")  # a damaged key is no longer that of its index
            table = "games" if keeps_kinds(self._database) else "episodes"
            self._database.executemany(f"DELETE FROM {table} WHERE rowid = ?", damaged)
            remove_damaged_kinds(self._database)
        return len(damaged)

    def _intact(self) -> list[StoredEpisode]:
        return [episode for _, episode in self._rows() if episode is not None]

    @patient
    def _rows(self) -> list[tuple[int, StoredEpisode | None]]:
        """Returns all rows; they are read anew only after this or another runner has changed the file."""
        changed = self._database.execute("PRAGMA data_version").fetchone()[0], self._database.total_changes
        if changed != self._read[0]:
            self._read = changed, list(episode_rows(self._database))
        return self._read[1]

    @patient
    def register(
        self, name: str, definition: str, entries: Sequence[Sequence[object]], started: str | None = None
    ) -> None:
        """Stores which sweep is run and its entries; does nothing if the same sweep was run before and is not damaged.

        Args:
            name: the sweep's name.
            definition: the sweep as JSON.
            entries: the fields of each `bba.bench.plan.TableEntry`.
            started: when it was first run elsewhere; the earlier time is kept. None for now.
        """
        identity = hex_digest(repr((definition, entries)).encode(), size=16)
        with transaction(self._database):
            known = [row.started for row in sweep_rows(self._database, identity) if row is not None]
            if known and (started is None or known[0] <= started):
                return
            sweep = {"id": identity, "name": name, "definition": definition, "started": started or _now()}
            self._database.execute("DELETE FROM sweeps WHERE id = ?", (identity,))
            self._database.execute("DELETE FROM entries WHERE sweep = ?", (identity,))
            insert(self._database, "sweeps", sealed_sweep(sweep, entries))
            for position, entry in enumerate(entries):
                row = zip(STORED_COLUMNS["entries"], (identity, position, *entry), strict=True)
                insert(self._database, "entries", dict(row))

    @patient
    def others(self, codes: Collection[str]) -> list[str]:
        """Returns the digests of other code than this that has played episodes, that of the last one first."""
        found = self._database.execute("SELECT code FROM episodes GROUP BY code ORDER BY max(finished) DESC, code")
        return [code for (code,) in found if code not in codes]


def episode_row(episode: Episode, outcome: EpisodeResult) -> dict[str, object]:
    """Returns the columns of an episode that has been played, by name, and its recording."""
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
        "failure": "\n".join(filter(None, (outcome.failure, outcome.details))) or None,
        "measures": None if outcome.measures is None else json.dumps(dict(outcome.measures)),
        "switch_responses": json.dumps(outcome.switch_responses),
        "seconds": outcome.seconds,
        "versions": json.dumps(versions()),
        "finished": _now(),
        "recording": outcome.recording,
    }


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
