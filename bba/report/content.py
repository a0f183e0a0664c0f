"""The content of a report as plain values: for each sweep its facts, notes, tables and episodes.

Tables and figures of plug-ins in a report: functions of a `bba.bench.results_reader.StoredSweep`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from bba.bench.paper import PaperValue, paper_values
from bba.bench.plan import TableEntry, label
from bba.bench.presets import Sweep
from bba.bench.results_reader import CellKey, Results, StoredSweep, cell_key
from bba.bench.tables import TableBlock, table_blocks
from bba.errors import BBAError
from bba.plugins import Kind, called, first_line, load_plugin
from bba.plugins.loading import check_allowed
from bba.report.appendix import EpisodeGroup, group_of, known_episode
from bba.report.figures import ReportFigure
from bba.report.formatting import (
    NONE,
    CellText,
    agents_note,
    ask_note,
    axis_text,
    cell_text,
    column_text,
    duration,
    fallback_note,
    heading_text,
    measure_label,
    measure_under,
    paper_note,
    paper_text,
    planner_notes,
    seeds_text,
    spread_note,
    timestamp,
)


class OwnTable(NamedTuple):
    """A table of a plug-in.

    Attributes:
        heads: the headings of its columns, the first of which names the rows.
        rows: their texts or numbers, one a heading.
    """

    heads: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]


class OwnParts(NamedTuple):
    """The tables and figures of the plug-ins that a sweep names, and what of them is left out, a line each."""

    tables: list[tuple[str, OwnTable]]
    figures: list[ReportFigure]
    left_out: list[str]


def own_parts(run: StoredSweep) -> OwnParts:
    """Returns what the plug-ins of a sweep add to its part of the report; what cannot be made is left out."""
    parts = OwnParts([], [], [])
    for name in run.sweep.report_tables:
        parts.tables.extend((_title("table", name), table) for table in _made(parts, "table", name, run, OwnTable))
    for name in run.sweep.report_figures:
        for svg in _made(parts, "figure", name, run, str):
            parts.figures.append(ReportFigure(_title("figure", name), f"made by {name}", svg))
    return parts


def rows_of(table: OwnTable) -> Iterator[tuple[list[str], list[CellText]]]:
    """Yields the rows of a table as a report shows them: a heading, then the cells."""
    for first, *rest in table.rows:
        yield [str(first)], [CellText(str(value)) for value in rest]


def _title(kind: Kind, name: str) -> str:
    return first_line(kind, name).rstrip(".") or name


def _made(parts: OwnParts, kind: Kind, name: str, run: StoredSweep, expected: type) -> Iterable[Any]:
    """Yields what a plug-in makes; nothing, after a note, where that cannot be shown."""
    try:
        check_allowed(kind, name)
        found = called(name, load_plugin(kind, name).target, run)
        yield _checked(name, found, expected)
    except BBAError as error:
        parts.left_out.append(f"left out, {kind} {error}")


def _checked(name: str, found: object, expected: type) -> object:
    if not isinstance(found, expected):
        what = "text, an SVG" if expected is str else "a bba.report.content.OwnTable"
        raise BBAError(f"{name}: returned {type(found).__name__}; {what}")
    if isinstance(found, OwnTable) and any(len(row) != len(found.heads) for row in found.rows):
        raise BBAError(f"{name}: a row has not one value for each of the {len(found.heads)} headings")
    if isinstance(found, str) and not found.lstrip().startswith("<svg"):
        raise BBAError(f"{name}: returned text that is no SVG; it begins with <svg")
    return found


class TableText(NamedTuple):
    """A table as text: its title, the names of its heading columns, its columns, and each row's headings and cells."""

    title: str
    heads: list[str]
    columns: list[str]
    rows: list[tuple[list[str], list[CellText]]]


@dataclass(frozen=True, slots=True)
class ReportSection:
    """The part of a report about one sweep.

    Attributes:
        name: unique in the report; part of ids and file names.
        title: the sweep's title.
        facts: what was played and what came of it, as names and values.
        notes: what is needed to read the tables.
        tables: our tables, with the preprint's values beside ours.
        paper_tables: the preprint's own tables, if not all of their values stand beside ours.
        groups: the episodes behind each cell.
        failures: reasons of failures, and how many episodes failed so.
        own_figures: the figures of plug-ins.
    """

    name: str
    title: str
    facts: list[tuple[str, str]]
    notes: list[str]
    tables: list[TableText]
    paper_tables: list[TableText]
    groups: list[EpisodeGroup]
    failures: list[tuple[str, int]]
    own_figures: list[ReportFigure]


def section(stored: Results, run: StoredSweep, name: str) -> ReportSection:
    """Returns the part of the report about one sweep."""
    blocks = table_blocks(run.sweep, run.entries, run.results)
    anchors = {key: f"{name}-e{number}" for number, key in enumerate(run.entries_by_cell, 1)}
    failed = Counter(result.failure for result in run.results.values() if result.failure is not None)
    n, own = usual_n(blocks), own_parts(run)
    return ReportSection(
        name=name,
        title=run.sweep.title,
        facts=_facts(stored, run),
        notes=[*_notes(stored, run, blocks, n), *own.left_out],
        tables=[*(table_text(run.sweep, block, anchors, n) for block in blocks), *_own_tables(own)],
        own_figures=own.figures,
        paper_tables=_paper_tables(run, blocks),
        groups=[group_of(stored, anchors[key], entries) for key, entries in run.entries_by_cell.items()],
        failures=failed.most_common(),
    )


def _own_tables(own: OwnParts) -> Iterator[TableText]:
    for title, table in own.tables:
        yield TableText(title, list(table.heads[:1]), list(table.heads[1:]), list(rows_of(table)))


def _facts(stored: Results, run: StoredSweep) -> list[tuple[str, str]]:
    """Returns what was played and what came of it."""
    sweep, results = run.sweep, run.results
    done = [result for result in results.values() if result.failure is None]
    asked = len({entry.key for entry in run.entries})
    facts = {
        "agents": _listed(entry.label for entry in run.entries),
        "partners": _listed(label(entry.partner, _planner_of_partner(stored, entry)) for entry in run.entries),
        "kitchens": _listed(entry.layout for entry in run.entries),
        "seeds": seeds_text(sweep),
        "a game": f"{sweep.horizon} steps, mobility {sweep.mobility:g}",
        "episodes": f"{len(done)} of {asked}" + (f", {len(results) - len(done)} failed" * (len(done) < len(results))),
        "begun": timestamp(run.started),
        "played in": duration(sum(result.seconds for result in results.values())) + " of computing",
    }
    return list(facts.items())


def _planner_of_partner(stored: Results, entry: TableEntry) -> str | None:
    """Returns what plans for the partner of an entry; None if nothing does or it is not known."""
    found = stored.episodes.get(entry.key)
    known = found and known_episode(found)
    return known.seats[1].planner if known else None


def _listed(names: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(names))


def usual_n(blocks: Sequence[TableBlock]) -> int:
    """Returns the n of most cells."""
    sizes = Counter(cell.ours.n for block in blocks for row in block.cells for cell in row if cell.ours is not None)
    return sizes.most_common(1)[0][0] if sizes else 0


def _notes(stored: Results, run: StoredSweep, blocks: Sequence[TableBlock], n: int) -> list[str]:
    """Returns what is needed to read the tables."""
    counted = "matched pairs" if run.sweep.table.paired else "seeds"
    notes = [f"{spread_note(run.sweep)}; n = {n} {counted} unless a cell has another", *run.caveats]
    notes += fallback_note(result.measures for result in run.results.values())
    notes += agents_note(run.sweep, run.entries)
    notes += planner_notes(run.entries)
    found = (
        stored.episodes[key] for key in dict.fromkeys(entry.key for entry in run.entries) if key in stored.episodes
    )
    notes += ask_note(filter(None, map(known_episode, found)))
    notes += paper_note(blocks)
    if run.left_out:
        notes.append(f"left out, not there when this was played: {', '.join(run.left_out)}")
    if run.earlier:
        often = "once" if run.earlier == 1 else f"{run.earlier} times"
        notes.append(f"run {often} before with other code or another planner, which is not counted here")
    return notes


def table_text(sweep: Sweep, block: TableBlock, anchors: Mapping[CellKey, str], n: int) -> TableText:
    """Returns a block as text, each cell with a link to its episodes; `n` is that of most cells."""
    spec = sweep.table
    rows = []
    for row, cells in zip(block.rows, block.cells, strict=True):
        texts = []
        for column, cell in zip(block.columns, cells, strict=True):
            headings = block.title, row, column
            anchor = anchors.get(cell_key(sweep, *headings), "")
            unusual = 0 if cell.ours is None or cell.ours.n == n else cell.ours.n
            texts.append(cell_text(cell, measure_under(spec, *headings))._replace(n=unusual, anchor=anchor))
        rows.append(([axis_text(axis, value) for axis, value in row.items()], texts))
    columns = [column_text(column, spec) for column in block.columns]
    return TableText(heading_text(block.title, ", "), [str(axis) for axis in spec.rows], columns, rows)


def _paper_tables(run: StoredSweep, blocks: Sequence[TableBlock]) -> list[TableText]:
    """Returns the preprint's own table, one measure at a time; nothing if all of it stands beside ours."""
    shown = {id(cell.paper) for block in blocks for row in block.cells for cell in row if cell.paper is not None}
    wanted = [value for value in paper_values().values() if value.table == run.sweep.paper]
    if len(shown) >= len(wanted):
        return []
    return [
        _paper_table(measure, [value for value in wanted if value.measure == measure])
        for measure in dict.fromkeys(value.measure for value in wanted)
    ]


def _paper_table(measure: str, values: Sequence[PaperValue]) -> TableText:
    """Returns the preprint's table of one measure, with headings for the axes on which its values differ."""
    agents = list(dict.fromkeys(label(value.agent, value.model) for value in values))
    cells = {
        ((value.layout, value.group, value.variant), label(value.agent, value.model)): paper_text(value, measure)
        for value in values
    }
    places = list(dict.fromkeys(place for place, _ in cells))
    apart = [axis for axis in range(3) if len({place[axis] for place in places}) > 1]
    common = [places[0][axis] for axis in range(2) if axis not in apart]
    rows = [
        ([place[axis] for axis in apart], [CellText(cells.get((place, agent), NONE)) for agent in agents])
        for place in places
    ]
    title = ", ".join([measure_label(measure), *common])
    return TableText(title, [("layout", "group", "variant")[axis] for axis in apart], agents, rows)
