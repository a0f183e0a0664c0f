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
from bba.bench.results_file import ResultsFile, open_to_write
from bba.bench.schema import STORED_COLUMNS, insert
from bba.bench.stored_episode import StoredEpisode
from bba.bench.stored_rows import sealed_sweep, sweep_rows
from bba.database import transaction
from bba.errors import BBAError, shortened
from bba.files import hex_digest, make_folder
from bba.processes import Answer, is_running

RESULTS_FILE = "results.sqlite"
COMMAND_FILE = "command.txt"  # beside it: until a benchmark is played to its end, the line that goes on with it
FINISHED = "SELECT key FROM episodes WHERE failure IS NULL AND (NOT :recorded OR recording IS NOT NULL)"
ANOTHER_RUN = "another run of this benchmark, which plays the rest"
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
    "several machines one run with --engine ray, or a run on each and bba-tui merge"
)

Arguments = ParamSpec("Arguments")


def patient(
    method: "Callable[Concatenate[ResultsStore, Arguments], Answer]",
) -> "Callable[Concatenate[ResultsStore, Arguments], Answer]":
    """Calls a method of the store again while another runner holds the file.

    The method must write all that it writes in one transaction, and can be called again with the same arguments.

    Raises:
        BBAError: any error of the database, as one line that names the file.
    """

    @wraps(method)
    def call_patiently(store: "ResultsStore", /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Answer:
        deadline = time.monotonic() + store.patience
        while True:
            try:
                return method(store, *args, **kwargs)
            except (sqlite3.Error, UnicodeDecodeError, OverflowError) as error:  # the latter in the words of the former
                name = getattr(error, "sqlite_errorname", "")
                if name != "SQLITE_BUSY" or time.monotonic() >= deadline:
                    raise store._in_words(error, name) from None
            time.sleep(LOCK_PAUSE)

    return call_patiently


class ResultsStore:
    """An open results file at `path`; `patience` is how many seconds a method waits while other runners hold the file.

    Args:
        folder: its folder, made if it does not exist.

    Raises:
        BBAError: the folder or the file cannot be used, or the file is of another version.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / RESULTS_FILE
        make_folder(folder, f"{folder}: cannot be used")
        self.patience = OPENING
        results_file = self._open()
        self._database = results_file.database
        self._episodes = results_file.episodes
        self.patience = LOCK_PATIENCE
        self._cached_rows: list[tuple[int, StoredEpisode | None]] = []
        self._cached_version = (-1, -1)  # of the file, when these rows were read
        self._claimant = {"runner": uuid.uuid4().hex, "host": platform.node(), "pid": os.getpid()}
        self._database.create_function("is_free", 3, self._is_free)

    @patient
    def _open(self) -> ResultsFile:
        return open_to_write(self.path, timeout=LOCK_WAIT, isolation_level=None)

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
        """Returns an error of SQLite of this name as one for users: what is kept, and the way out if there is one."""
        if name in LOCKS_FAIL:
            return BBAError(f"{self.path.parent}: {shortened(error)}: {NO_LOCKS}")
        parts = [shortened(error)]
        if self._holds_episodes():
            parts.append("what was stored before is kept")
        if name in NO_ROOM:
            parts.append("make room on this disk, or take a folder on another one")
        return BBAError(f"{self.path}: {'; '.join(parts)}")

    def _holds_episodes(self) -> bool:
        """Returns whether a finished episode can be read from the file."""
        try:
            address = f"{self.path.resolve().as_uri()}?mode=ro"
            with closing(sqlite3.connect(address, uri=True)) as database:
                return database.execute("SELECT 1 FROM episodes LIMIT 1").fetchone() is not None
        except (sqlite3.Error, ValueError):
            return False

    @patient
    def claim(self, key: str, *, recorded: bool = False) -> bool:
        """Claims an episode; returns False if it is finished (with a recording, if `recorded`) or claimed elsewhere."""
        values = self._claimant | {"key": key, "recorded": recorded, "now": time.time()}
        return self._database.execute(_CLAIM, values).rowcount == 1

    @patient
    def claim_all(self, keys: Collection[str], *, recorded: bool = False) -> set[str]:
        """Claims these episodes, as far as it can; returns which ones."""
        with transaction(self._database):
            return {key for key in keys if self.claim(key, recorded=recorded)}

    def _is_free(self, seen: float, host: str | None, pid: int | None) -> bool:
        """Whether a claim with this last heartbeat counts no more."""
        silence = time.time() - seen
        if silence < -REMOTE_SILENCE:
            return True
        if pid is None or host != self._claimant["host"]:
            return silence > REMOTE_SILENCE
        return silence > (STUCK if is_running(pid) else MISSED)

    @patient
    def heartbeat(self) -> None:
        """Renews the claims of this runner."""
        self._database.execute("UPDATE claims SET seen = ? WHERE runner = ?", (time.time(), self._claimant["runner"]))

    def _release(self, key: str | None = None) -> None:
        """Releases the claim of this runner on an episode; without a key, all of its claims."""
        condition = "" if key is None else " AND key = :key"
        self._database.execute(f"DELETE FROM claims WHERE runner = :runner{condition}", self._claimant | {"key": key})

    @patient
    def waited_for(self, keys: Collection[str]) -> str:
        """Returns for which other runs, and since when, the episodes of these keys have to wait, in words."""
        keys = set(keys)
        all_claims = self._database.execute("SELECT key, host, pid, since FROM claims")
        claims = [claim for claim in all_claims if claim[0] in keys]
        if not claims or any(since is None for *_, since in claims):
            return ANOTHER_RUN
        first_since = min(since for *_, since in claims)
        since = time.strftime("%H:%M:%S", time.localtime(first_since))
        runs = {f"process {pid} on {self._host_in_words(host)}" for _, host, pid, _ in claims}
        runs_in_words = " and ".join(sorted(runs)[:3])
        episodes = "1 episode" if len(claims) == 1 else f"{len(claims)} episodes"
        verb = "plays" if len(runs) == 1 else "play"
        return f"{episodes} that {runs_in_words} {verb}, since {since}"

    def _host_in_words(self, host: object) -> object:
        return "this machine" if host == self._claimant["host"] else host

    @patient
    def save(self, episode: Episode, outcome: EpisodeResult) -> None:
        """Stores the result of an episode and releases its claim. A failure does not replace a success."""
        with transaction(self._database):
            self._episodes.save(episode_row(episode, outcome))
            self._release(episode.key)

    @patient
    def take_over(self, rows: Callable[[], Iterable[Mapping[str, object]]]) -> None:
        """Stores rows of another file of this program; `rows` returns them, each as its columns by name.

        A failure replaces no success.
        """
        with transaction(self._database):
            for row in rows():
                self._episodes.save(row)

    def results(self, keys: Iterable[str]) -> dict[str, EpisodeResult]:
        """Returns the stored results of these episodes, by key, without damaged ones."""
        keys = set(keys)
        return {episode.key: episode.result for episode in self._intact() if episode.key in keys}

    def finished(self, *, recorded: bool = False) -> set[str]:
        """Returns the keys of the finished episodes; with `recorded` of those with a recording."""
        finished = [episode for episode in self._intact() if episode.result.failure is None]
        if recorded:
            return {episode.key for episode in finished if episode.result.recorded}
        return {episode.key for episode in finished}

    def missing(self, episodes: Mapping[str, Episode], *, recorded: bool = False) -> list[Episode]:
        """Returns those of these episodes, by key, that are not finished: what a sweep that is resumed plays."""
        finished = self.finished(recorded=recorded)
        return [episodes[key] for key in episodes if key not in finished]

    @patient
    def is_finished(self, key: str, *, recorded: bool = False) -> bool:
        """Returns whether an episode is finished; looks up this row alone, and not whether it is damaged."""
        rows = self._database.execute(f"{FINISHED} AND key = :key", {"key": key, "recorded": recorded})
        return rows.fetchone() is not None

    @patient
    def remove_damaged(self) -> int:
        """Removes the damaged episodes, so that they are played again; returns how many there were."""
        if all(episode is not None for _, episode in self._rows()):
            return 0
        with transaction(self._database):
            damaged = [number for number, episode in self._episodes.rows() if episode is None]
            self._database.execute("REINDEX")  # a damaged key is no longer that of its index
            self._episodes.remove(damaged)
        return len(damaged)

    def _intact(self) -> list[StoredEpisode]:
        return [episode for _, episode in self._rows() if episode is not None]

    @patient
    def _rows(self) -> list[tuple[int, StoredEpisode | None]]:
        """Returns all rows; they are read anew only after this or another runner has changed the file."""
        data_version = self._database.execute("PRAGMA data_version").fetchone()[0]
        version = (data_version, self._database.total_changes)
        if version != self._cached_version:
            self._cached_rows = list(self._episodes.rows())
            self._cached_version = version
        return self._cached_rows

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
            earlier_starts = [row.started for row in sweep_rows(self._database, identity) if row is not None]
            if earlier_starts and (started is None or earlier_starts[0] <= started):
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
        """Returns the digests of other code than `codes` that has played episodes, that of the last one first."""
        rows = self._database.execute("SELECT code FROM episodes GROUP BY code ORDER BY max(finished) DESC, code")
        return [code for (code,) in rows if code not in codes]


def episode_row(episode: Episode, outcome: EpisodeResult) -> dict[str, object]:
    """Returns the columns of an episode that has been played, by name, and its recording."""
    ego, partner = episode.seats
    failure_lines = [line for line in (outcome.failure, outcome.details) if line]
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
        "failure": "\n".join(failure_lines) or None,
        "measures": None if outcome.measures is None else json.dumps(dict(outcome.measures)),
        "switch_responses": json.dumps(outcome.switch_responses),
        "seconds": outcome.seconds,
        "versions": json.dumps(versions()),
        "finished": _now(),
        "recording": outcome.recording,
    }


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
