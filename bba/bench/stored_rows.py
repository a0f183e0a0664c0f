"""The rows of a results file: how they are read and written. `bba.bench.schema` describes the tables."""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

from bba.bench.episode import EpisodeResult, SpecText, TableEntry, names_by_rule
from bba.bench.schema import (
    EPISODES_OF_GAMES,
    GAME_COLUMNS,
    KIND_COLUMNS,
    SHARED,
    STORED_COLUMNS,
    insert,
)
from bba.bench.stored_episode import StoredEpisode, StoredMeasures, StoredResponses
from bba.database import read_any_text, row_checksum
from bba.files import hex_digest


class StoredSweepRow(NamedTuple):
    """A row of the table ``sweeps``, and the entries of the sweep."""

    id: str
    name: str
    definition: str
    started: str
    entries: list[TableEntry]


# --- episodes --------------------------------------------------------------------------------------------------
class EpisodeTable(Protocol):
    """The episodes of a results file, whatever its version."""

    def rows(self) -> Iterator[tuple[int, StoredEpisode | None]]:
        """Yields the number of every row, and its episode; None if the row is damaged."""

    def whole_rows(self) -> Iterator[dict[str, Any]]:
        """Yields the rows of ``episodes`` by key: their columns by name, and the recording."""

    def save(self, row: Mapping[str, Any]) -> None:
        """Writes a row of ``episodes``, its columns by name, with its checksum. A failure replaces no success.

        Raises:
            ValueError: the row holds what this program does not write.
        """

    def remove(self, numbers: Iterable[int]) -> None:
        """Removes damaged rows, by their numbers, and what is damaged of what they share."""


@lru_cache
def _upsert(table: str, names: tuple[str, ...]) -> str:
    columns = ", ".join(names)
    places = ", ".join(f":{name}" for name in names)
    changes = ", ".join(f"{name} = :{name}" for name in names)
    return (
        f"INSERT INTO {table} ({columns}, recording) VALUES ({places}, :recording) "
        f"ON CONFLICT (key) DO UPDATE SET {changes}, "
        "recording = coalesce(:recording, recording) WHERE :failure IS NULL OR failure IS NOT NULL"
    )


def write_episode(database: sqlite3.Connection, table: str, values: dict[str, Any], recording: object) -> None:
    """Writes an episode into ``games`` or a table ``episodes``. A failure replaces no success."""
    database.execute(_upsert(table, tuple(values)), values | {"recording": recording})


class Kind(NamedTuple):
    """A row of the table ``kinds``: what episodes share that differ in their seed alone.

    Attributes:
        digest: of its columns.
        spec_text: the specification of these episodes.
        code: the version of the behaviour that played them.
        versions: versions of the software.
        names: the names of the measures (`names_by_rule`), in the order of the values of a game.
    """

    digest: str
    spec_text: SpecText
    code: str
    versions: Mapping[str, str]
    names: tuple[str, ...]


class GamesOfKinds:
    """The tables ``kinds`` and ``games``."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def rows(self) -> Iterator[tuple[int, StoredEpisode | None]]:
        """Yields the number of every row, and its episode; None if the row is damaged."""
        read_any_text(self._database)
        kinds = {number: kind for number, kind in self._kinds() if kind is not None}
        columns = ", ".join(GAME_COLUMNS)
        rows = self._database.execute(f"SELECT rowid, recording IS NOT NULL, kind, {columns}, checksum FROM games")
        for number, recorded, kind_number, *values, checksum in rows:
            kind = kinds.get(kind_number)
            episode = None
            if kind is not None and checksum == _game_checksum(kind.digest, values):
                episode = _episode_of(kind, values, recorded=bool(recorded))
            yield number, episode

    def _kinds(self) -> Iterator[tuple[int, Kind | None]]:
        """Yields the number of every kind, and the kind; None if it is damaged."""
        columns = ", ".join(KIND_COLUMNS)
        for number, *values, digest in self._database.execute(f"SELECT id, {columns}, digest FROM kinds"):
            if digest != row_checksum(values):
                yield number, None
                continue
            row = dict(zip(KIND_COLUMNS, values, strict=True))
            spec_text = SpecText(row["before"], row["after"])
            versions = json.loads(row["versions"])
            names = names_by_rule(json.loads(row["names"]), row["code"])
            yield number, Kind(digest, spec_text, row["code"], versions, names)

    def whole_rows(self) -> Iterator[dict[str, Any]]:
        """Yields the rows of ``episodes`` by key: their columns by name, and the recording."""
        read_any_text(self._database)
        names = [*STORED_COLUMNS["episodes"], "recording"]
        selected = [name for name in names if name != "measures"]
        selected += ["measure_names", "measure_values"]
        columns = ", ".join(selected)
        for values in self._database.execute(f"SELECT {columns} FROM ({EPISODES_OF_GAMES}) ORDER BY key"):
            row = dict(zip(selected, values, strict=True))
            row["measures"] = _joined_measures(row["measure_names"], row["measure_values"])
            yield {name: row[name] for name in names}

    def save(self, row: Mapping[str, Any]) -> None:
        """Writes a row of ``episodes`` as a game, and its kind where it is new.

        Raises:
            ValueError: the row holds what this program does not write.
        """
        measures = json.loads(row["measures"] or "{}")
        responses = json.loads(row["switch_responses"])
        spec_text = SpecText.of(row["spec"], row["seed"])
        kind: dict[str, Any] = {"before": spec_text.before_seed, "after": spec_text.after_seed}
        for name in SHARED:
            kind[name] = row[name]
        kind["names"] = json.dumps(list(measures))
        digest = row_checksum(kind[name] for name in KIND_COLUMNS)
        number = self._kind_number(kind | {"digest": digest})
        game = {name: row[name] for name in GAME_COLUMNS}
        if row["measures"]:
            game["measures"] = _compact(list(measures.values()))
        game["switch_responses"] = _compact(responses)
        checksum = _game_checksum(digest, game.values())
        write_episode(self._database, "games", game | {"kind": number, "checksum": checksum}, row["recording"])

    def _kind_number(self, kind: Mapping[str, object]) -> int:
        """Returns the number of the stored kind with this digest; writes the kind where it is new."""
        row = self._database.execute("SELECT id FROM kinds WHERE digest = ?", (kind["digest"],)).fetchone()
        if row is not None:
            return int(row[0])
        return insert(self._database, "kinds", kind)

    def remove(self, numbers: Iterable[int]) -> None:
        """Removes games by their numbers, and damaged kinds: games that are played again would be of them."""
        self._database.executemany("DELETE FROM games WHERE rowid = ?", [(number,) for number in numbers])
        damaged = [(number,) for number, kind in self._kinds() if kind is None]
        self._database.executemany("DELETE FROM kinds WHERE id = ?", damaged)


def _game_checksum(kind: str, values: Iterable[object]) -> str:
    """Returns the digest of a game's columns and its kind's digest; it takes a third of `row_checksum`'s time."""
    texts = [value if type(value) is str else repr(value) for value in values]
    text = "\x1f".join([kind, *texts])
    return hex_digest(text.encode(), size=16)


def _episode_of(kind: Kind, values: Sequence[Any], *, recorded: bool) -> StoredEpisode:
    """Returns the episode of a game; `values` are those of its columns."""
    key, seed, failure, measures, responses, seconds, finished = values
    reason, _, details = (failure or "").partition("\n")
    result = EpisodeResult(
        failure=reason or None,
        measures=None if measures is None else StoredMeasures(kind.names, measures),
        switch_responses=StoredResponses(responses),
        seconds=seconds,
        recorded=recorded,
        details=details,
    )
    return StoredEpisode(
        key=key,
        spec_text=kind.spec_text,
        seed=seed,
        code=kind.code,
        versions=kind.versions,
        finished=finished,
        result=result,
    )


def _compact(values: object) -> str:
    return json.dumps(values, separators=(",", ":"))


def _joined_measures(names: str, values: str | None) -> str | None:
    """Returns the measures of a game by name, as JSON, from its kind's names and its own values."""
    measure_names = json.loads(names)  # without values, too: that of a damaged kind raises
    if not values:
        return values
    values_by_name = dict(zip(measure_names, json.loads(values), strict=True))
    return json.dumps(values_by_name)


# --- sweeps ----------------------------------------------------------------------------------------------------
def sealed_sweep(sweep: Mapping[str, object], entries: Iterable[Sequence[object]]) -> dict[str, object]:
    """Returns the columns of a sweep with their checksum, which covers its entries: the fields of a `TableEntry`."""
    return {**sweep, "checksum": row_checksum([*sweep.values(), *entries])}


def sweep_rows(database: sqlite3.Connection, only: str | None = None) -> Iterator[StoredSweepRow | None]:
    """Yields all sweeps, or only that with this id, in the order in which they were begun; None for a damaged one."""
    read_any_text(database)
    columns = ", ".join(STORED_COLUMNS["sweeps"])
    condition = "" if only is None else "WHERE id = :only"
    rows = database.execute(
        f"SELECT {columns}, checksum FROM sweeps {condition} ORDER BY started, rowid", {"only": only}
    )
    entry_columns = ", ".join(list(STORED_COLUMNS["entries"])[2:])  # without `sweep` and `position`
    for *values, checksum in rows.fetchall():
        sweep = dict(zip(STORED_COLUMNS["sweeps"], values, strict=True))
        entry_rows = database.execute(
            f"SELECT {entry_columns} FROM entries WHERE sweep = ? ORDER BY position", (sweep["id"],)
        )
        entries = [TableEntry._make(row) for row in entry_rows]
        is_intact = checksum in (None, sealed_sweep(sweep, entries)["checksum"])
        yield StoredSweepRow(**sweep, entries=entries) if is_intact else None
