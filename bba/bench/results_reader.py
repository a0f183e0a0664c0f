"""What a folder of results holds, for those who only read it: its sweeps as they were run, and their episodes."""

import json
import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from bba.bench.episode import Episode
from bba.bench.plan import TableEntry
from bba.bench.presets import STORED, Sweep
from bba.bench.results_store import FILE, StoredResult, stored_result
from bba.bench.schema import check
from bba.bench.tables import Heading, heading
from bba.errors import BBAError

CellKey = tuple[tuple[str, str], ...]  # which episodes a cell is made of: the values of the table's axes

_SWEEPS = "SELECT id, name, definition, started FROM sweeps ORDER BY started, rowid"
_CASES = "SELECT agent, planner, layout, grp, partner, variant, seed, key FROM cases WHERE sweep = ? ORDER BY position"
_EPISODES = """
SELECT key, spec, versions, finished, measures, failure, seconds, recording IS NOT NULL, reactions FROM episodes
"""


class StoredEpisode(NamedTuple):
    """An episode and what came of it.

    Attributes:
        key: 32 hex digits.
        spec: everything that determines it, as JSON.
        versions: of what played it, and the `machine`; empty values are not known.
        finished: when, UTC, ISO 8601.
        result: its measures, or why there are none.
    """

    key: str
    spec: str
    versions: dict[str, str]
    finished: str
    result: StoredResult

    @property
    def episode(self) -> Episode:
        """The episode itself.

        Raises:
            BBAError: it was stored by a version that described episodes otherwise.
        """
        try:
            return Episode.model_validate_json(self.spec)
        except ValueError:
            raise BBAError(f"episode {self.key}: described as this version does not know it") from None


@dataclass(frozen=True, slots=True)
class StoredSweep:
    """A sweep as it was run last.

    Attributes:
        sweep: what was asked for.
        started: when it was first run so, UTC, ISO 8601.
        cases: which episode stands where.
        earlier: how many times it was run before with other code or another planner.
    """

    sweep: Sweep
    started: str
    cases: list[TableEntry]
    earlier: int

    @property
    def left_out(self) -> list[str]:
        """The agents and partners that were asked for, but were not there to play."""
        played = {name for case in self.cases for name in (case.agent, case.partner)}
        partners = (name for group in self.sweep.partners.values() for name in group)
        asked = dict.fromkeys([*(ego.agent for ego in self.sweep.agents), *partners])
        return [name for name in asked if name not in played]

    @property
    def corners(self) -> dict[CellKey, list[TableEntry]]:
        """The cases behind each cell, whatever its measure."""
        found: dict[CellKey, list[TableEntry]] = {}
        for case in self.cases:
            found.setdefault(cell_key(self.sweep, heading(self.sweep, case)), []).append(case)
        return found


def cell_key(sweep: Sweep, *headings: Heading) -> CellKey:
    """Which episodes stand under these headings, together or one that holds them all."""
    values = {axis: value for found in headings for axis, value in found.items()}
    return tuple((axis, values[axis]) for axis in sweep.table.axes if axis != "measure")


@dataclass(frozen=True, slots=True)
class Results:
    """The sweeps of a folder in the order in which they were run, and all its episodes by key."""

    sweeps: list[StoredSweep]
    episodes: dict[str, StoredEpisode]

    def results(self, stored: StoredSweep) -> dict[str, StoredResult]:
        """What is stored of the episodes of a sweep, by key."""
        keys = dict.fromkeys(case.key for case in stored.cases)
        return {key: self.episodes[key].result for key in keys if key in self.episodes}


def read_results(folder: Path) -> Results:
    """All that a folder of results holds, but for the recordings.

    Raises:
        BBAError: there are none, or they are damaged or of a newer version.
    """
    with _opened(folder) as database:
        stored = Results(list(_sweeps(database)), {row[0]: _episode(*row) for row in database.execute(_EPISODES)})
    if not stored.sweeps or not stored.episodes:
        raise BBAError(f"{folder / FILE}: holds no results yet; bba-tui --headless --sweep --out {folder} makes some")
    return stored


def read_recording(folder: Path, key: str) -> bytes | None:
    """The recording of an episode as the bytes of its file; None where none was kept.

    Raises:
        BBAError: the results cannot be read.
    """
    with _opened(folder) as database:
        row = database.execute("SELECT recording FROM episodes WHERE key = ?", (key,)).fetchone()
    return row[0] if row else None


@contextmanager
def _opened(folder: Path) -> Iterator[sqlite3.Connection]:
    """The results of a folder, which are never made here, as one line where they cannot be read."""
    path = folder / FILE
    try:
        if not path.is_file():
            raise BBAError(f"{folder}: no results here: there is no {FILE} in it")
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=rw", uri=True)) as database:
            check(database, str(path))
            yield database
    except sqlite3.Error as error:
        raise BBAError(f"{path}: cannot be read: {error}") from None
    except (ValueError, TypeError, KeyError):
        raise BBAError(f"{path}: damaged: holds what this program does not write") from None
    except OSError as error:
        raise BBAError(f"{folder}: cannot be read: {error.strerror or error}") from None


def _sweeps(database: sqlite3.Connection) -> Iterator[StoredSweep]:
    """Each sweep once, as it was run last."""
    runs: dict[tuple[str, str], list[Sequence[str]]] = {}
    for identity, name, definition, started in database.execute(_SWEEPS):
        runs.setdefault((name, definition), []).append((identity, started))
    for (_, definition), found in runs.items():
        identity, started = found[-1]
        sweep = Sweep.model_validate_json(definition, context=STORED)
        cases = [TableEntry(*row) for row in database.execute(_CASES, (identity,))]
        yield StoredSweep(sweep, started, cases, len(found) - 1)


def _episode(key: str, spec: str, versions: str, finished: str, *columns: Any) -> StoredEpisode:
    if not re.fullmatch("[0-9a-f]{32}", key):
        raise ValueError("not a key")
    return StoredEpisode(key, spec, json.loads(versions), finished, stored_result(*columns))
