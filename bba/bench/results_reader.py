"""Reads a folder of results, also one that cannot be changed, without trusting a database of others."""

import os
import shlex
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from bba.analysis import RULE_1_NAMES
from bba.bench.episode import EpisodeResult, TableEntry, other_code_note, scoring_note
from bba.bench.names import STORED
from bba.bench.presets import Sweep
from bba.bench.results_file import ResultsFile, StoredTables, open_to_read, stored_tables
from bba.bench.results_store import LOCKS_FAIL, RESULTS_FILE
from bba.bench.results_table import EPISODE_COLUMNS, result_rows
from bba.bench.statistics import grouped
from bba.bench.stored_episode import StoredEpisode
from bba.bench.sweep_summaries import Place, summary_blocks, summary_lines, summary_rows
from bba.bench.table_points import Heading, heading
from bba.errors import BBAError, shortened
from bba.planner.ledger import NOTHING_SPENT, Spent, stored_spending
from bba.play import Recording, Replay, Trace, unpack
from bba.tabular import DRAWINGS, Library, Row, to_frame

# Files that other commands leave in a folder, and the command that shows them.
FILES_OF_OTHER_COMMANDS: Mapping[str, str] = MappingProxyType(
    {
        "*.exam.json": "it holds an exam: bba-tui exam --out {folder} shows it again",
        "study.json": "it holds a study: bba-tui study tables {folder} writes its tables",
        "*.bba": "it holds recordings: bba-tui replay FILE shows one",
    }
)
CellKey = tuple[tuple[str, str], ...]  # the values of a table's axes, without the measure: one cell's episodes


@contextmanager
def open_results(folder: Path) -> Iterator[ResultsFile]:
    """Opens the results of a folder, which must exist; a file that cannot be read is one line."""
    path = folder / RESULTS_FILE
    try:
        if not path.is_file():
            hint = _other_command(folder)
            raise BBAError(f"{folder}: no results here: there is no {RESULTS_FILE} in it{hint}")
        file = _open_to_read(path)
        with closing(file.database):
            yield file
    except sqlite3.Error as error:
        raise BBAError(f"{path}: cannot be read: {shortened(error)}") from None
    except (ValueError, TypeError, KeyError):
        raise BBAError(f"{path}: damaged: holds what this program does not write") from None
    except OSError as error:
        raise BBAError(f"{folder}: cannot be read: {error.strerror or error}") from None


def _other_command(folder: Path) -> str:
    """Returns which command shows what a folder holds of another command; "" for nothing."""
    quoted_folder = shlex.quote(str(folder))
    for pattern, hint in FILES_OF_OTHER_COMMANDS.items():
        if any(folder.glob(pattern)):
            return f"; {hint.format(folder=quoted_folder)}"
    return ""


def _open_to_read(path: Path) -> ResultsFile:
    """Opens a results file; as one that nobody changes, if it cannot be changed here and cannot be read otherwise."""
    address = path.resolve().as_uri()
    is_writable = os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    mode = "rw" if is_writable else "ro"
    try:
        return open_to_read(path, f"{address}?mode={mode}")
    except sqlite3.OperationalError as error:
        if is_writable and error.sqlite_errorname not in LOCKS_FAIL - {"SQLITE_BUSY"}:
            raise
        return open_to_read(path, f"{address}?immutable=1")


@dataclass(frozen=True, slots=True)
class StoredSweep:
    """A sweep as it was run last.

    Attributes:
        sweep: its definition.
        started: when it was first run so (UTC, ISO 8601).
        entries: the places of its episodes in its tables.
        results: the stored results by the key of the episode.
        earlier: how many times it was run before with other code or another planner.
        caveats: lines that its tables carry: what is damaged, and what other code than this has played.
        folder: where its results are; None where it was made otherwise.
        holder: what keeps that folder, if it is a temporary one: it goes with the last `StoredSweep` of it.
    """

    sweep: Sweep
    started: str
    entries: list[TableEntry]
    results: dict[str, EpisodeResult]
    earlier: int
    caveats: tuple[str, ...] = ()
    folder: Path | None = None
    holder: object = None

    def __repr__(self) -> str:
        return f"StoredSweep({self.sweep.name!r}: {len(self.entries)} entries, {len(self.results)} results)"

    def __str__(self) -> str:
        """Returns the means and differences of the first measure with their intervals, a line each."""
        measure = self.sweep.table.measures[0]
        return "\n".join([*summary_lines(self.means(measure), self.differences(measure), measure), *self.caveats])

    @property
    def rows(self) -> list[Row]:
        """One dictionary an entry, as `bba.run_sweep` returns them."""
        return list(result_rows(self.entries, self.results))

    def to_frame(self, library: Library | None = None) -> Any:
        """Returns `rows` as a data frame; the argument and the errors are those of `Trace.to_frame`."""
        return to_frame(self.rows, EPISODE_COLUMNS, library)

    def means(self, measure: str = "reward", by: Sequence[Place] = ()) -> list[Row]:
        """Returns the mean of a measure for each ego, with its 95 % interval over seeds.

        Args:
            measure: its name.
            by: what has rows of its own: "kitchen", "partner" (its group) or "variant"; else it is averaged over.

        Returns:
            One dictionary a row: ego, what `by` names, mean, low, high, seeds (how many), missing (games). The ends are
            None where there is one seed.

        Raises:
            BBAError: no such measure, or something else in `by`.
        """
        blocks = summary_blocks(self.sweep, self.entries, self.results, measure, by)
        return list(summary_rows(blocks, by, differences=False))

    def differences(self, measure: str = "reward", by: Sequence[Place] = ()) -> list[Row]:
        """Returns the mean difference of each pair of egos over matched games, with its 95 % interval over seeds.

        Games match in kitchen, partner, variant and seed. The intervals are not corrected for their number. Arguments
        and errors are those of `means`.

        Returns:
            As `means`, with `other` behind `ego`: the mean is that of ego − other.
        """
        blocks = summary_blocks(self.sweep, self.entries, self.results, measure, by)
        return list(summary_rows(blocks, by, differences=True))

    def recordings(
        self,
        *,
        ego: str | None = None,
        partner: str | None = None,
        kitchen: str | None = None,
        variant: str | None = None,
        seed: int | None = None,
    ) -> Iterator[Recording]:
        """Yields the recordings of its games, in the order of its entries; each argument that is given selects.

        Args:
            ego: its name in tables.
            partner: its name, or that of its group.
            kitchen: its name.
            variant: its label.
            seed: of the game.

        Raises:
            BBAError: no game is of that kind, or one was not recorded.
        """
        wanted = {"ego": ego, "partner": partner, "kitchen": kitchen, "variant": variant, "seed": seed}
        keys = {entry.key: entry for entry in self.entries if _is_wanted(entry, wanted)}
        if not keys:
            asked = ", ".join(f"{name} {value}" for name, value in wanted.items() if value is not None)
            raise BBAError(f"{self.sweep.name}: no game of {asked or 'anybody'}; `rows` names them")
        for key, entry in keys.items():
            packed = None if self.folder is None else read_recording(self.folder, key)
            if packed is None:
                game = f"{entry.agent} with {entry.partner}, {entry.layout}, seed {entry.seed}"
                raise BBAError(f"{self.sweep.name}: no recording of {game}; run_sweep(…, recordings=True) keeps them")
            yield unpack(packed, f"the recording {key}")

    def traces(
        self,
        *,
        ego: str | None = None,
        partner: str | None = None,
        kitchen: str | None = None,
        variant: str | None = None,
        seed: int | None = None,
    ) -> Iterator[Trace]:
        """Yields the traces of its games, played again from their recordings; arguments and errors are as there."""
        for recording in self.recordings(ego=ego, partner=partner, kitchen=kitchen, variant=variant, seed=seed):
            yield Replay(recording, fast=True).run()

    def plot(self, measure: str | None = None) -> Any:
        """Returns a drawing of means and differences; it shows itself in a notebook, and `save` writes it.

        Args:
            measure: its name; None for the first one of the sweep's tables.

        Raises:
            BBAError: no such measure, or matplotlib or jinja2 is not installed.
        """
        return DRAWINGS["StoredSweep"](self, measure or self.sweep.table.measures[0])

    @property
    def left_out(self) -> list[str]:
        """The agents and partners of the sweep that were not available when it was run."""
        players = {entry.agent for entry in self.entries} | {entry.partner for entry in self.entries}
        names = [ego.name for ego in self.sweep.agents]
        for partners in self.sweep.partners.values():
            names += partners
        return [name for name in dict.fromkeys(names) if name not in players]

    @property
    def entries_by_cell(self) -> dict[CellKey, list[TableEntry]]:
        """The entries behind each cell, for all measures together."""
        cells: dict[CellKey, list[TableEntry]] = {}
        entries_by_case = grouped((entry[:-2], entry) for entry in self.entries)  # those of a case differ in their seed
        for entries in entries_by_case.values():
            key = cell_key(self.sweep, heading(self.sweep, entries[0]))
            cells.setdefault(key, []).extend(entries)
        return cells


def _is_wanted(entry: TableEntry, wanted: Mapping[str, object]) -> bool:
    names: dict[str, tuple[object, ...]] = {
        "ego": (entry.agent, entry.label),
        "partner": (entry.partner, entry.group),
        "kitchen": (entry.layout,),
        "variant": (entry.variant,),
        "seed": (entry.seed,),
    }
    return all(value is None or value in names[name] for name, value in wanted.items())


def cell_key(sweep: Sweep, *headings: Heading) -> CellKey:
    """Returns the key of the cell under these headings."""
    values: Heading = {}
    for heading_values in headings:
        values |= heading_values
    return tuple((axis, values[axis]) for axis in sweep.table.axes if axis != "measure")


@dataclass(frozen=True, slots=True)
class Results:
    """The content of a folder of results.

    Attributes:
        folder: the folder.
        sweeps: in the order in which they were run.
        episodes: by key.
        spent: what they have cost; None if what the file says of it is damaged.
        damage: what is damaged and left out, in one line; "" for nothing.
    """

    folder: Path
    sweeps: list[StoredSweep]
    episodes: dict[str, StoredEpisode]
    spent: Spent | None = NOTHING_SPENT
    damage: str = ""

    def __repr__(self) -> str:
        return f"Results({self.sweeps!r}, {len(self.episodes)} episodes)"


def load_results(folder: Path | str) -> Results:
    """Reads the results of the sweeps that were run into a folder.

    Args:
        folder: where results.sqlite is: the `--out` of a sweep, or the folder of `run_sweep`.

    Returns:
        `sweeps`, in the order in which they were run: each has `rows`, `to_frame` and `results`, and shows its tables
        in a notebook. `episodes` holds every episode by its key.

    Raises:
        BBAError: there are no results, or they are damaged or of another version.
    """
    folder = Path(folder)
    with open_results(folder) as file:
        tables = stored_tables(file)
        sweeps = list(_sweeps(tables, folder))
        results = Results(folder, sweeps, tables.episodes, stored_spending(file.database), tables.damage)
    if not results.sweeps or not results.episodes:
        reason = results.damage or f"holds no results yet; bba-tui bench quick --out {folder} makes some"
        raise BBAError(f"{folder / RESULTS_FILE}: {reason}")
    return results


def read_recording(folder: Path, key: str) -> bytes | None:
    """Returns the recording of an episode as the bytes of its file; None if none was kept.

    Raises:
        BBAError: the results cannot be read.
    """
    with open_results(folder) as file:
        row = file.database.execute("SELECT recording FROM episodes WHERE key = ?", (key,)).fetchone()
        if row is not None and not isinstance(row[0], bytes | None):
            raise ValueError("no bytes")
    return row[0] if row else None


def _sweeps(tables: StoredTables, folder: Path) -> Iterator[StoredSweep]:
    """Yields each sweep as it was run last."""
    episodes = tables.episodes
    runs_by_sweep = grouped(((row.name, row.definition), row) for row in tables.sweeps)
    for (_, definition), runs in runs_by_sweep.items():
        sweep = Sweep.model_validate_json(definition, context=STORED)
        last = runs[-1]
        results = {entry.key: episodes[entry.key].result for entry in last.entries if entry.key in episodes}
        caveats = [tables.damage] if tables.damage else []
        caveats += other_code_note(episodes[key].code for key in results)
        sweep = _with_measures_of_its_rule(sweep, results)
        caveats += scoring_note(sweep.table.measures, results.values())
        yield StoredSweep(
            sweep=sweep,
            started=last.started,
            entries=last.entries,
            results=results,
            earlier=len(runs) - 1,
            caveats=tuple(caveats),
            folder=folder,
        )


def _with_measures_of_its_rule(sweep: Sweep, results: Mapping[str, EpisodeResult]) -> Sweep:
    """Returns a sweep with the measures of rule 1 in its tables, by their own names, if these alone are stored."""
    names: set[str] = set()
    for result in results.values():
        names.update(result.measures or ())
    measures = []
    for name in sweep.table.measures:
        old_name = RULE_1_NAMES.get(name, name)
        measures.append(old_name if old_name in names and name not in names else name)
    table = sweep.table.model_copy(update={"measures": tuple(measures)})
    return sweep.model_copy(update={"table": table})
