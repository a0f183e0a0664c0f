"""The rows of a results file as values, and how they are written: `bba.bench.schema` describes the tables.

A row whose checksum holds was written by this program. Its measures and its partner's switches stay text until they are
asked for: a table of a hundred thousand episodes needs a few numbers of each.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, Field, Json, ValidationError
from pydantic_core import from_json

from bba.analysis import MeasureValue, SwitchResponse
from bba.bench.episode import Episode, EpisodeResult, TableEntry
from bba.bench.schema import (
    EPISODES_OF_GAMES,
    GAME_COLUMNS,
    KIND_COLUMNS,
    STORED_COLUMNS,
    Key,
    column_names,
    insert,
    keeps_kinds,
)
from bba.errors import BBAError
from bba.files import hex_digest, read_any_text, row_checksum


def _from_text(text: str) -> Any:
    try:
        return from_json(text)
    except ValueError:
        raise BBAError("results: damaged: they hold what this program does not write") from None


@lru_cache(maxsize=64)
def _values(names: tuple[str, ...], text: str) -> dict[str, MeasureValue]:
    return dict(zip(names, _from_text(text), strict=False))


class StoredMeasures(Mapping[str, MeasureValue]):
    """The measures of an episode by name; `text` holds their values as JSON."""

    __slots__ = ("_names", "_text")

    def __init__(self, names: tuple[str, ...], text: str) -> None:
        self._names = names
        self._text = text

    def __getitem__(self, name: str) -> MeasureValue:
        return _values(self._names, self._text)[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class StoredResponses(Sequence[SwitchResponse]):
    """How each switch of the partner was followed; `text` holds it as JSON."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def __getitem__(self, index: Any) -> Any:
        return self._responses()[index]

    def __iter__(self) -> Iterator[SwitchResponse]:
        return iter(self._responses())

    def __len__(self) -> int:
        return len(self._responses())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._responses() == tuple(other)

    def _responses(self) -> tuple[SwitchResponse, ...]:
        return tuple(SwitchResponse(*one) for one in _from_text(self._text))


class StoredEpisode(NamedTuple):
    """An episode and its result.

    Attributes:
        key: 32 hex digits.
        before, after: what stands before and after the seed in `spec`; `after` is None if all of it stands before.
        seed: the seed of everything random in it.
        code: the version of the behaviour that played it.
        versions: versions of the software that played it, and the `machine`; "" where not known.
        finished: when it ended (UTC, ISO 8601).
        result: its measures, or why there are none.
    """

    key: str
    before: str
    after: str | None
    seed: int
    code: str
    versions: Mapping[str, str]
    finished: str
    result: EpisodeResult

    @property
    def spec(self) -> str:
        """Everything that determines it, as JSON."""
        return _spec(self.before, self.after, self.seed)

    @property
    def kind(self) -> Episode | None:
        """The same episode with some seed, one for all that differ only in it; None as in `episode`."""
        return _kind(self.before, self.after)

    @property
    def episode(self) -> Episode | None:
        """The episode itself; None if another version of this program stored it, with another specification."""
        return None if self.kind is None or self.seed < 0 else self.kind.of_seed(self.seed)


def _spec(before: str, after: str | None, seed: int) -> str:
    return before if after is None else f"{before}{seed}{after}"


@lru_cache(maxsize=4096)
def _kind(before: str, after: str | None) -> Episode | None:
    try:
        return Episode.model_validate_json(_spec(before, after, 0))
    except ValueError:
        return None


def _around_seed(spec: str, seed: object) -> tuple[str, str | None]:
    """Returns what stands before and after the seed in a specification; all of it and None where it is not found."""
    before, mark, after = spec.rpartition(f'"seed": {seed}, ')
    return (f'{before}"seed": ', f", {after}") if mark else (spec, None)


class StoredSweepRow(NamedTuple):
    """A row of the table ``sweeps``, and the entries of the sweep."""

    id: str
    name: str
    definition: str
    started: str
    entries: list[TableEntry]


class StoredTables(NamedTuple):
    """What a results file holds.

    Attributes:
        episodes: by key.
        sweeps: in the order in which they were begun.
        damage: what is damaged and left out, in one line; "" for nothing.
    """

    episodes: dict[str, StoredEpisode]
    sweeps: list[StoredSweepRow]
    damage: str


def stored_tables(database: sqlite3.Connection) -> StoredTables:
    """Returns what a results file holds, without what is damaged."""
    episodes = [one for _, one in episode_rows(database)]
    sweeps = list(sweep_rows(database))
    whole = {episode.key: episode for episode in episodes if episode is not None}
    intact = [sweep for sweep in sweeps if sweep is not None]
    lost = {"episode": len(episodes) - len(whole), "benchmark": len(sweeps) - len(intact)}
    found = " and ".join(f"{count} {name}{'s' * (count != 1)}" for name, count in lost.items() if count)
    verb = "is" if sum(lost.values()) == 1 else "are"
    damage = f"{found} {verb} damaged and left out; the same benchmark into this folder plays them again"
    return StoredTables(whole, intact, damage if found else "")


# --- episodes --------------------------------------------------------------------------------------------------
def episode_rows(database: sqlite3.Connection) -> Iterator[tuple[int, StoredEpisode | None]]:
    """Yields the rowid of every episode, and the episode; None if the row is damaged."""
    read_any_text(database)
    if keeps_kinds(database):
        yield from _games(database)
        return
    selected = f"rowid, recording IS NOT NULL, {_with_checksum(database, 'episodes')}"
    for number, recorded, *values, stored in database.execute(f"SELECT {selected} FROM episodes"):
        row = dict(zip(STORED_COLUMNS["episodes"], values, strict=True))
        yield number, _checked(row, recorded=bool(recorded)) if stored in (None, row_checksum(values)) else None


def _kinds(database: sqlite3.Connection) -> Iterator[tuple[int, str | None, dict[str, Any]]]:
    """Yields the number of every kind, its digest, or None if it is damaged, and its columns by name."""
    for number, *values, digest in database.execute(f"SELECT id, {', '.join(KIND_COLUMNS)}, digest FROM kinds"):
        intact = digest == row_checksum(values)
        yield number, digest if intact else None, dict(zip(KIND_COLUMNS, values, strict=True))


def remove_damaged_kinds(database: sqlite3.Connection) -> None:
    """Removes the damaged kinds: games that are played again would be of them."""
    if keeps_kinds(database):
        damaged = [(number,) for number, digest, _ in _kinds(database) if digest is None]
        database.executemany("DELETE FROM kinds WHERE id = ?", damaged)


def _game_checksum(kind: str, values: Iterable[object]) -> str:
    """Returns the digest of a game's columns and its kind's digest; it takes a third of `row_checksum`'s time."""
    text = "\x1f".join([kind, *(value if type(value) is str else repr(value) for value in values)])
    return hex_digest(text.encode(), size=16)


def _games(database: sqlite3.Connection) -> Iterator[tuple[int, StoredEpisode | None]]:
    kinds = {
        number: (digest, kind, json.loads(kind["versions"]), tuple(json.loads(kind["names"])))
        for number, digest, kind in _kinds(database)
        if digest is not None
    }
    selected = f"rowid, recording IS NOT NULL, kind, {', '.join(GAME_COLUMNS)}, checksum"
    for number, recorded, of, *values, stored in database.execute(f"SELECT {selected} FROM games"):
        digest, kind, versions, names = kinds.get(of, ("", {}, {}, ()))
        if stored != _game_checksum(digest, values):
            yield number, None
            continue
        key, seed, failure, measures, responses, seconds, finished = values
        why, _, details = (failure or "").partition("\n")
        measured = None if measures is None else StoredMeasures(names, measures)
        result = EpisodeResult(
            why or None, measured, StoredResponses(responses), seconds, bool(recorded), details=details
        )
        yield (
            number,
            StoredEpisode(key, kind["before"], kind["after"], seed, kind["code"], versions, finished, result),
        )


class _Spec(BaseModel):
    """What readers of a specification rely on."""

    planning: dict[str, Any] | None = None


class _EpisodeValues(BaseModel, strict=True):
    """What the columns of an episode hold."""

    key: Key
    spec: Json[_Spec]
    seed: int
    failure: str | None
    measures: Json[Annotated[dict[str, int | float | None], Field(min_length=1)]] | None
    switch_responses: Json[tuple[SwitchResponse, ...]]
    seconds: float
    versions: Json[dict[str, str]]


def _checked(row: Mapping[str, Any], *, recorded: bool) -> StoredEpisode | None:
    """Returns the episode that a row of version 2 holds; None if it holds what this program does not write."""
    try:
        found = _EpisodeValues.model_validate(row)
    except ValidationError:
        return None
    if (found.measures is None) == (found.failure is None):
        return None
    why, _, details = (found.failure or "").partition("\n")
    result = EpisodeResult(
        why or None, found.measures, found.switch_responses, found.seconds, recorded, details=details
    )
    around = _around_seed(row["spec"], found.seed)
    return StoredEpisode(found.key, *around, found.seed, row["code"], found.versions, row["finished"], result)


def save_row(database: sqlite3.Connection, row: Mapping[str, Any]) -> None:
    """Writes a row of ``episodes``, its columns by name, with its checksum. A failure replaces no success.

    Raises:
        ValueError: the row holds what this program does not write.
    """
    kept = {name: row[name] for name in STORED_COLUMNS["episodes"]}
    if keeps_kinds(database):
        table = "games"
        values = _as_game(database, kept)
    else:
        table = "episodes"
        values = kept | {"checksum": row_checksum(kept.values())}
    database.execute(_upsert(table, tuple(values)), values | {"recording": row["recording"]})


@lru_cache
def _upsert(table: str, names: tuple[str, ...]) -> str:
    return (
        f"INSERT INTO {table} ({', '.join(names)}, recording) VALUES (:{', :'.join(names)}, :recording) "
        f"ON CONFLICT (key) DO UPDATE SET {', '.join(f'{name} = :{name}' for name in names)}, "
        "recording = coalesce(:recording, recording) WHERE :failure IS NULL OR failure IS NOT NULL"
    )


def _as_game(database: sqlite3.Connection, row: Mapping[str, Any]) -> dict[str, object]:
    """Returns the columns of ``games`` for a row of ``episodes``; writes its kind where it is new."""
    measures = json.loads(row["measures"] or "{}")
    responses = json.loads(row["switch_responses"])
    before, after = _around_seed(row["spec"], row["seed"])
    kind = {"before": before, "after": after, "names": json.dumps([*measures])}
    kind |= {name: row[name] for name in KIND_COLUMNS if name not in kind}
    digest = row_checksum(kind[name] for name in KIND_COLUMNS)
    found = database.execute("SELECT id FROM kinds WHERE digest = ?", (digest,)).fetchone()
    number = found[0] if found else insert(database, "kinds", kind | {"digest": digest})
    made = {name: row[name] for name in GAME_COLUMNS}
    made["measures"] = row["measures"] and _compact([*measures.values()])
    made["switch_responses"] = _compact(responses)
    return made | {"kind": number, "checksum": _game_checksum(digest, made.values())}


def _compact(values: object) -> str:
    return json.dumps(values, separators=(",", ":"))


def whole_rows(database: sqlite3.Connection) -> Iterator[dict[str, Any]]:
    """Yields the rows of ``episodes`` by key: their columns by name, and the recording."""
    read_any_text(database)
    names = [*STORED_COLUMNS["episodes"], "recording"]
    compact = keeps_kinds(database)
    kept = [name for name in names if not (compact and name == "measures")]
    selected = [*kept, "measure_names", "measure_values"] if compact else kept
    source = f"({EPISODES_OF_GAMES})" if compact else "episodes"
    for values in database.execute(f"SELECT {', '.join(selected)} FROM {source} ORDER BY key"):
        row = dict(zip(selected, values, strict=True))
        if compact:
            measured = row["measure_values"]
            of = zip(json.loads(row["measure_names"]), json.loads(measured or "[]"), strict=True)
            row["measures"] = measured and json.dumps(dict(of))
        yield {name: row[name] for name in names}


# --- sweeps ----------------------------------------------------------------------------------------------------
def sealed_sweep(sweep: Mapping[str, object], entries: Iterable[Sequence[object]]) -> dict[str, object]:
    """Returns the columns of a sweep with their checksum, which covers its entries: the fields of a `TableEntry`."""
    return {**sweep, "checksum": row_checksum([*sweep.values(), *entries])}


def sweep_rows(database: sqlite3.Connection, only: str | None = None) -> Iterator[StoredSweepRow | None]:
    """Yields all sweeps, or only that with this id, in the order in which they were begun; None for a damaged one."""
    columns = _with_checksum(database, "sweeps")
    wanted = "" if only is None else "WHERE id = :only"
    found = database.execute(f"SELECT {columns} FROM sweeps {wanted} ORDER BY started, rowid", {"only": only})
    place = ", ".join([*STORED_COLUMNS["entries"]][2:])
    for *values, stored in found.fetchall():
        rows = database.execute(f"SELECT {place} FROM entries WHERE sweep = ? ORDER BY position", values[:1])
        entries = [*map(TableEntry._make, rows)]
        sweep = dict(zip(STORED_COLUMNS["sweeps"], values, strict=True))
        intact = stored in (None, sealed_sweep(sweep, entries)["checksum"])
        yield StoredSweepRow(**sweep, entries=entries) if intact else None


def _with_checksum(database: sqlite3.Connection, table: str) -> str:
    """Returns the columns of a table, and that of checksums, which is NULL in a file that has none."""
    read_any_text(database)
    return ", ".join([*STORED_COLUMNS[table], "checksum" if "checksum" in column_names(database, table) else "NULL"])
