"""The content of a report as plain values: for each sweep its facts, notes, tables and episodes.

Tables and figures of plug-ins are functions of a `bba.bench.results_reader.StoredSweep`.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from bba.bench.plan import TableEntry, label
from bba.bench.presets import Sweep
from bba.bench.results_reader import CellKey, Results, StoredSweep, cell_key
from bba.bench.tables import PaperValue, TableBlock, paper_values, table_blocks
from bba.errors import BBAError
from bba.plugins import Kind, first_line, load_plugin
from bba.plugins.loading import check_allowed
from bba.plugins.used import answered
from bba.report.appendix import Commands, EpisodeGroup, group_of
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
    planner_notes,
    seeds_text,
    spread_note,
    summary_text,
    timestamp,
)

Made = TypeVar("Made")


class OwnTable(NamedTuple):
    """A table of a plug-in.

    Attributes:
        heads: the headings of its columns, the first of which names the rows.
        rows: their texts or numbers, one a heading.
    """

    heads: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]


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
        run: the sweep.
        name: unique in the report; part of ids and file names.
        facts: what was played and what came of it, as names and values.
        notes: what is needed to read the tables.
        tables: our tables, with the preprint's values beside ours, and those of plug-ins.
        paper_tables: the preprint's own tables, if not all of their values stand beside ours.
        groups: the episodes behind each cell.
        failures: reasons of failures, and how many episodes failed so.
        own_figures: the figures of plug-ins.
    """

    run: StoredSweep
    name: str
    facts: list[tuple[str, str]]
    notes: list[str]
    tables: list[TableText]
    paper_tables: list[TableText]
    groups: list[EpisodeGroup]
    failures: list[tuple[str, int]]
    own_figures: list[ReportFigure]


def sections_of(stored: Results) -> list[ReportSection]:
    """Returns the parts of the report, each with a unique name that can be part of a file name."""
    names: list[str] = []
    for run in stored.sweeps:
        plain = re.sub(r"[^\w-]+", "-", run.sweep.name).strip("-") or "sweep"
        names.append(next(name for name in (plain, *(f"{plain}-{i}" for i in range(2, 10_000))) if name not in names))
    return [section(stored, run, name) for run, name in zip(stored.sweeps, names, strict=True)]


def section(stored: Results, run: StoredSweep, name: str) -> ReportSection:
    """Returns the part of the report about one sweep; what plug-ins cannot make is left out, with a note."""
    blocks = table_blocks(run.sweep, run.entries, run.results)
    anchors = {key: f"{name}-e{number}" for number, key in enumerate(run.entries_by_cell, 1)}
    failed = Counter(result.failure for result in run.results.values() if result.failure is not None)
    n = usual_n(blocks)
    left_out: list[str] = []
    own_tables = _made("table", run.sweep.report_tables, lambda plugin: _own_table(plugin, run), left_out)
    commands: Commands = {}
    own_figures = _made("figure", run.sweep.report_figures, lambda plugin: _own_figure(plugin, run), left_out)
    return ReportSection(
        run=run,
        name=name,
        facts=_facts(stored, run),
        notes=[*_notes(stored, run, blocks, n), *left_out],
        tables=[*(table_text(run.sweep, block, anchors, n) for block in blocks), *own_tables],
        own_figures=own_figures,
        paper_tables=_paper_tables(run, blocks),
        groups=[group_of(stored, anchors[key], entries, commands) for key, entries in run.entries_by_cell.items()],
        failures=failed.most_common(),
    )


def _made(kind: Kind, plugins: Sequence[str], make: Callable[[str], Made], left_out: list[str]) -> list[Made]:
    """Returns what plug-ins make; adds a line to `left_out` for each that cannot be shown."""
    made = []
    for plugin in plugins:
        try:
            check_allowed(kind, plugin)
            made.append(make(plugin))
        except BBAError as error:
            left_out.append(f"left out, {kind} {error}")
    return made


def _own_table(name: str, run: StoredSweep) -> TableText:
    found: OwnTable = answered(name, OwnTable, "a bba.report.content.OwnTable", load_plugin("table", name).target, run)
    if any(len(row) != len(found.heads) for row in found.rows):
        raise BBAError(f"{name}: a row has not one value for each of the {len(found.heads)} headings")
    rows = [([str(first)], [CellText(str(value)) for value in rest]) for first, *rest in found.rows]
    return TableText(_title("table", name), list(found.heads[:1]), list(found.heads[1:]), rows)


def _own_figure(name: str, run: StoredSweep) -> ReportFigure:
    found: str = answered(name, str, "text, an SVG", load_plugin("figure", name).target, run)
    if not found.lstrip().startswith("<svg"):
        raise BBAError(f"{name}: returned text that is no SVG; it begins with <svg")
    return ReportFigure(_title("figure", name), f"made by {name}", found)


def _title(kind: Kind, name: str) -> str:
    return first_line(kind, name).rstrip(".") or name


def _facts(stored: Results, run: StoredSweep) -> list[tuple[str, str]]:
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
    known = found and found.kind
    return known.seats[1].planner if known else None


def _listed(names: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(names))


def usual_n(blocks: Sequence[TableBlock]) -> int:
    """Returns the n of most cells."""
    sizes = Counter(cell.ours.n for block in blocks for row in block.cells for cell in row if cell.ours is not None)
    return sizes.most_common(1)[0][0] if sizes else 0


def _notes(stored: Results, run: StoredSweep, blocks: Sequence[TableBlock], n: int) -> list[str]:
    counted = "matched pairs" if run.sweep.table.paired else "seeds"
    notes = [f"{spread_note(run.sweep)}; n = {n} {counted} unless a cell has another", *run.caveats]
    notes += fallback_note(result.measures for result in run.results.values())
    notes += agents_note(run.sweep, run.entries)
    notes += planner_notes(run.entries)
    found = {id(one.kind): one.kind for key in run.results if (one := stored.episodes[key])}
    notes += ask_note(kind for kind in found.values() if kind is not None)
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
    agents = list(dict.fromkeys(label(value.agent, value.model) for value in values))
    cells = {
        ((value.layout, value.group, value.variant), label(value.agent, value.model)): summary_text(value, measure)
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
