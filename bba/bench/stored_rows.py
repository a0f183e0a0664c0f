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
        return tuple(SwitchResponse(*values) for values in _from_text(self._text))


class StoredEpisode(NamedTuple):
    """An episode and its result.

    Attributes:
        key: 32 hex digits.
        before, after: the text of `spec` before and after the seed; `after` is None if all of it is in `before`.
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
        kind = self.kind
        if kind is None or self.seed < 0:
            return None
        return kind.of_seed(self.seed)


def _spec(beginning: str, end: str | None, seed: int) -> str:
    return beginning if end is None else f"{beginning}{seed}{end}"


@lru_cache(maxsize=4096)
def _kind(beginning: str, end: str | None) -> Episode | None:
    try:
        return Episode.model_validate_json(_spec(beginning, end, 0))
    except ValueError:
        return None


def _around_seed(spec: str, seed: object) -> tuple[str, str | None]:
    """Returns a specification's text before and after the seed; all of it and None where the seed is not found."""
    beginning, mark, end = spec.rpartition(f'"seed": {seed}, ')
    if not mark:
        return spec, None
    return f'{beginning}"seed": ', f", {end}"


class StoredSweepRow(NamedTuple):
    """A row of the table ``sweeps``, and the entries of the sweep."""

    id: str
    name: str
    definition: str
    started: str
    entries: list[TableEntry]


class StoredTables(NamedTuple):
    """The content of a results file.

    Attributes:
        episodes: by key.
        sweeps: in the order in which they were begun.
        damage: how much is damaged and left out, in one line; "" for nothing.
    """

    episodes: dict[str, StoredEpisode]
    sweeps: list[StoredSweepRow]
    damage: str


def stored_tables(database: sqlite3.Connection) -> StoredTables:
    """Returns the content of a results file, without damaged rows."""
    episodes = [episode for _, episode in episode_rows(database)]
    sweeps = list(sweep_rows(database))
    intact_episodes = {episode.key: episode for episode in episodes if episode is not None}
    intact_sweeps = [sweep for sweep in sweeps if sweep is not None]
    damage = _damage(len(episodes) - len(intact_episodes), len(sweeps) - len(intact_sweeps))
    return StoredTables(intact_episodes, intact_sweeps, damage)


def _damage(episodes: int, sweeps: int) -> str:
    """Returns how many episodes and sweeps are damaged, in one line; "" for none."""
    parts = []
    if episodes:
        parts.append("1 episode" if episodes == 1 else f"{episodes} episodes")
    if sweeps:
        parts.append("1 benchmark" if sweeps == 1 else f"{sweeps} benchmarks")
    if not parts:
        return ""
    damaged = " and ".join(parts)
    verb = "is" if episodes + sweeps == 1 else "are"
    return f"{damaged} {verb} damaged and left out; the same benchmark into this folder plays them again"


# --- episodes --------------------------------------------------------------------------------------------------
def episode_rows(database: sqlite3.Connection) -> Iterator[tuple[int, StoredEpisode | None]]:
    """Yields the rowid of every episode, and the episode; None if the row is damaged."""
    read_any_text(database)
    if keeps_kinds(database):
        yield from _games(database)
        return
    columns = _with_checksum(database, "episodes")
    rows = database.execute(f"SELECT rowid, recording IS NOT NULL, {columns} FROM episodes")
    for number, recorded, *values, checksum in rows:
        episode = None
        if checksum in (None, row_checksum(values)):
            row = dict(zip(STORED_COLUMNS["episodes"], values, strict=True))
            episode = _checked(row, recorded=bool(recorded))
        yield number, episode


def _kinds(database: sqlite3.Connection) -> Iterator[tuple[int, str | None, dict[str, Any]]]:
    """Yields the number of every kind, its digest, or None if it is damaged, and its columns by name."""
    columns = ", ".join(KIND_COLUMNS)
    for number, *values, digest in database.execute(f"SELECT id, {columns}, digest FROM kinds"):
        kind = dict(zip(KIND_COLUMNS, values, strict=True))
        is_intact = digest == row_checksum(values)
        yield number, digest if is_intact else None, kind


def remove_damaged_kinds(database: sqlite3.Connection) -> None:
    """Removes the damaged kinds: games that are played again would be of them."""
    if keeps_kinds(database):
        damaged = [(number,) for number, digest, _ in _kinds(database) if digest is None]
        database.executemany("DELETE FROM kinds WHERE id = ?", damaged)


def _game_checksum(kind: str, values: Iterable[object]) -> str:
    """Returns the digest of a game's columns and its kind's digest; it takes a third of `row_checksum`'s time."""
    texts = [value if type(value) is str else repr(value) for value in values]
    text = "\x1f".join([kind, *texts])
    return hex_digest(text.encode(), size=16)


def _games(database: sqlite3.Connection) -> Iterator[tuple[int, StoredEpisode | None]]:
    kinds = {}
    for number, digest, kind in _kinds(database):
        if digest is not None:
            kinds[number] = (digest, kind, json.loads(kind["versions"]), tuple(json.loads(kind["names"])))
    columns = ", ".join(GAME_COLUMNS)
    rows = database.execute(f"SELECT rowid, recording IS NOT NULL, kind, {columns}, checksum FROM games")
    for number, recorded, kind_number, *values, checksum in rows:
        digest, kind, versions, names = kinds.get(kind_number, ("", {}, {}, ()))
        if checksum != _game_checksum(digest, values):
            yield number, None
            continue
        key, seed, failure, measures, responses, seconds, finished = values
        reason, _, details = (failure or "").partition("\n")
        result = EpisodeResult(
            failure=reason or None,
            measures=None if measures is None else StoredMeasures(names, measures),
            switch_responses=StoredResponses(responses),
            seconds=seconds,
            recorded=bool(recorded),
            details=details,
        )
        episode = StoredEpisode(
            key=key,
            before=kind["before"],
            after=kind["after"],
            seed=seed,
            code=kind["code"],
            versions=versions,
            finished=finished,
            result=result,
        )
        yield number, episode


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
    """Returns the episode of a row of version 2; None if the row holds what this program does not write."""
    try:
        values = _EpisodeValues.model_validate(row)
    except ValidationError:
        return None
    if (values.measures is None) == (values.failure is None):
        return None
    reason, _, details = (values.failure or "").partition("\n")
    result = EpisodeResult(
        failure=reason or None,
        measures=values.measures,
        switch_responses=values.switch_responses,
        seconds=values.seconds,
        recorded=recorded,
        details=details,
    )
    beginning, end = _around_seed(row["spec"], values.seed)
    return StoredEpisode(
        key=values.key,
        before=beginning,
        after=end,
        seed=values.seed,
        code=row["code"],
        versions=values.versions,
        finished=row["finished"],
        result=result,
    )


def save_row(database: sqlite3.Connection, row: Mapping[str, Any]) -> None:
    """Writes a row of ``episodes``, its columns by name, with its checksum. A failure replaces no success.

    Raises:
        ValueError: the row holds what this program does not write.
    """
    columns = {name: row[name] for name in STORED_COLUMNS["episodes"]}
    if keeps_kinds(database):
        table = "games"
        values = _as_game(database, columns)
    else:
        table = "episodes"
        values = columns | {"checksum": row_checksum(columns.values())}
    database.execute(_upsert(table, tuple(values)), values | {"recording": row["recording"]})


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


def _as_game(database: sqlite3.Connection, row: Mapping[str, Any]) -> dict[str, object]:
    """Returns the columns of ``games`` for a row of ``episodes``; writes its kind where it is new."""
    measures = json.loads(row["measures"] or "{}")
    responses = json.loads(row["switch_responses"])
    beginning, end = _around_seed(row["spec"], row["seed"])
    kind = {"before": beginning, "after": end, "names": json.dumps(list(measures))}
    for name in KIND_COLUMNS:
        if name not in kind:
            kind[name] = row[name]
    digest = row_checksum(kind[name] for name in KIND_COLUMNS)
    number = _kind_number(database, kind | {"digest": digest})
    game = {name: row[name] for name in GAME_COLUMNS}
    if row["measures"]:
        game["measures"] = _compact(list(measures.values()))
    game["switch_responses"] = _compact(responses)
    return game | {"kind": number, "checksum": _game_checksum(digest, game.values())}


def _kind_number(database: sqlite3.Connection, kind: Mapping[str, object]) -> int:
    """Returns the number of the stored kind with this digest; writes the kind where it is new."""
    row = database.execute("SELECT id FROM kinds WHERE digest = ?", (kind["digest"],)).fetchone()
    if row is not None:
        return int(row[0])
    return insert(database, "kinds", kind)


def _compact(values: object) -> str:
    return json.dumps(values, separators=(",", ":"))


def whole_rows(database: sqlite3.Connection) -> Iterator[dict[str, Any]]:
    """Yields the rows of ``episodes`` by key: their columns by name, and the recording."""
    read_any_text(database)
    names = [*STORED_COLUMNS["episodes"], "recording"]
    if not keeps_kinds(database):
        columns = ", ".join(names)
        for values in database.execute(f"SELECT {columns} FROM episodes ORDER BY key"):
            yield dict(zip(names, values, strict=True))
        return
    selected = [name for name in names if name != "measures"]
    selected += ["measure_names", "measure_values"]
    columns = ", ".join(selected)
    for values in database.execute(f"SELECT {columns} FROM ({EPISODES_OF_GAMES}) ORDER BY key"):
        row = dict(zip(selected, values, strict=True))
        row["measures"] = _joined_measures(row["measure_names"], row["measure_values"])
        yield {name: row[name] for name in names}


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
    columns = _with_checksum(database, "sweeps")
    condition = "" if only is None else "WHERE id = :only"
    rows = database.execute(f"SELECT {columns} FROM sweeps {condition} ORDER BY started, rowid", {"only": only})
    entry_columns = ", ".join(list(STORED_COLUMNS["entries"])[2:])  # without `sweep` and `position`
    for *values, checksum in rows.fetchall():
        sweep = dict(zip(STORED_COLUMNS["sweeps"], values, strict=True))
        entry_rows = database.execute(
            f"SELECT {entry_columns} FROM entries WHERE sweep = ? ORDER BY position", (sweep["id"],)
        )
        entries = [TableEntry._make(row) for row in entry_rows]
        is_intact = checksum in (None, sealed_sweep(sweep, entries)["checksum"])
        yield StoredSweepRow(**sweep, entries=entries) if is_intact else None


def _with_checksum(database: sqlite3.Connection, table: str) -> str:
    """Returns the columns of a table, and that of checksums, which is NULL in a file that has none."""
    read_any_text(database)
    checksum = "checksum" if "checksum" in column_names(database, table) else "NULL"
    return ", ".join([*STORED_COLUMNS[table], checksum])
