"""The content of a report as plain values: for each sweep its facts, notes, tables, figures and episodes.

Tables and figures of plug-ins are functions of a `bba.bench.results_reader.StoredSweep`.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from bba.analysis import BR_PROX
from bba.bench import (
    Axis,
    Heading,
    PaperValue,
    Sweep,
    TableBlock,
    TableCell,
    TableEntry,
    label,
    paper_values,
    table_blocks,
)
from bba.bench.formatting import (
    INTERVAL,
    NONE,
    agents_note,
    ask_note,
    axis_text,
    block_title,
    cell_text,
    column_text,
    condition_note,
    duration,
    fallback_note,
    margins_note,
    measure_label,
    measure_meaning,
    measure_under,
    paper_note,
    planner_notes,
    seeds_text,
    signs_note,
    spread_note,
    styles_note,
    summary_text,
    timestamp,
    without_planner,
)
from bba.bench.results_reader import CellKey, Results, StoredSweep, cell_key
from bba.bench.statistics import grouped
from bba.bench.sweep_summaries import summary_blocks
from bba.errors import BBAError
from bba.files import write_whole
from bba.palette import LIGHT
from bba.plugins import Kind, answered, check_allowed, first_line, load_plugin
from bba.report import drawing
from bba.report.appendix import Commands, EpisodeGroup, group_of
from bba.tables import Cell, Table, TableRow, table_of
from bba.validation import Data

DOTS = f"dots are means, bars their {INTERVAL}"
SPREAD = "dots are means, bars one standard deviation over seeds, hollow dots values of the preprint"


class ReportFigure(NamedTuple):
    """A drawing with its title and caption. In a notebook it shows itself."""

    title: str
    caption: str
    svg: str

    def __repr__(self) -> str:
        return f"ReportFigure({self.title!r}, {self.caption!r})"

    def to_svg(self) -> str:
        """Returns the drawing as an SVG file of its own, in the light colours."""
        return drawing.standalone(self.svg, drawing.page_colours(LIGHT))

    def save(self, path: Path | str) -> None:
        """Writes the drawing as an SVG file.

        Raises:
            BBAError: another ending than .svg, or it cannot be written.
        """
        if Path(path).suffix.lower() != ".svg":
            raise BBAError(f"{path}: figures are written as .svg; the name must end so")
        write_whole(Path(path), self.to_svg())

    def _repr_svg_(self) -> str:
        return self.to_svg()


def sweep_figures(sweep: StoredSweep) -> list[ReportFigure]:
    """Returns the figures of a sweep, as its report has them.

    Raises:
        BBAError: matplotlib or jinja2 is not installed.
    """
    drawing.check_drawing()
    return list(figures(sweep, re.sub(r"\W+", "-", sweep.sweep.name)))


def figures(stored: StoredSweep, name: str) -> Iterator[ReportFigure]:
    """Yields the figures for a sweep's measures and axes; `name` makes the ids of its drawings unique on the page."""
    stored = replace(stored, entries=without_planner(stored.entries))
    sweep = stored.sweep
    if sweep.table.paired:
        yield from _with_pairs(stored, name)
    elif len(sweep.variants) > 1:
        yield from _sensitivity(stored, name)
    elif set(sweep.table.axes) == {"layout", "agent", "group"} and "group" in sweep.table.columns:
        blocks = _without_margins(stored)
        caption = "rows are who plays seat 0, columns seat 1; in brackets the preprint's value"
        yield ReportFigure("Cross-play", caption, drawing.matrix(f"{name}-matrix", blocks, sweep.table.measures[0]))
    else:
        yield from _by_setting(stored, name)


def _with_pairs(stored: StoredSweep, name: str) -> Iterator[ReportFigure]:
    """Yields the figure of the means, if they are shown, and that of the differences of pairs of agents."""
    table = stored.sweep.table
    if table.means:
        for measure in table.measures:
            if measure != BR_PROX:
                yield _leads(stored, measure, name)
        return
    caption = DOTS
    columns: tuple[Axis, ...] = ("agent",)
    if len(stored.sweep.pairs) == 1:
        columns = ()
        first, second = stored.sweep.pairs[0]
        caption = f"{first} − {second} over matched pairs; {DOTS}"
    if stored.sweep.paper:
        caption += "; hollow dots are values of the preprint"
    blocks = _blocks(stored, table.measures, columns=columns)
    yield ReportFigure("Paired differences", caption, drawing.dots(f"{name}-paired", blocks, zero=True))


def leads_figure(stored: StoredSweep, measure: str) -> ReportFigure:
    """Returns the means of a sweep's egos and the differences of all pairs as one figure.

    Raises:
        BBAError: no such measure, or matplotlib or jinja2 is not installed.
    """
    drawing.check_drawing()
    return _leads(stored, measure, re.sub(r"\W+", "-", stored.sweep.name))


def _leads(stored: StoredSweep, measure: str, name: str) -> ReportFigure:
    blocks = summary_blocks(stored.sweep, stored.entries, stored.results, measure)
    return ReportFigure("Means and differences", DOTS, drawing.leads(f"{name}-{measure}-leads", blocks, measure))


def _by_setting(stored: StoredSweep, name: str) -> Iterator[ReportFigure]:
    measures = set(stored.sweep.table.measures)
    if "reward" in measures:
        blocks = _blocks(stored, ("reward",))
        yield ReportFigure("Reward by setting", SPREAD, drawing.dots(f"{name}-reward", blocks))
    if {"reward", "replans"} <= measures and len({entry.agent for entry in stored.entries}) > 1:
        blocks = _blocks(stored, ("reward", "replans"))
        caption = "reward against interruptions of the agent's own skill: a selective agent is high up on the left"
        yield ReportFigure("Reward against replans", caption, drawing.selectivity(f"{name}-replans", *blocks))
    if "gap_rate" in measures:
        blocks = _blocks(stored, ("gap_rate", "comp_at_3"))
        caption = f"left, {measure_meaning('gap_rate')}; right, {measure_meaning('comp_at_3')}"
        yield ReportFigure("Belief–action gap and Comp@3", f"{caption}; {SPREAD}", drawing.dots(f"{name}-gap", blocks))
    if "recovery" in measures and any(result.switch_responses for result in stored.results.values()):
        caption = (
            "the share of the partner's true switches that are followed within so many steps: above, by the common "
            "observer (its MAP is the true role), below, by the agent (it runs a skill that complements the true role)"
        )
        yield ReportFigure("After a switch", caption, drawing.recovery(f"{name}-recovery", _delays(stored)))


def _sensitivity(stored: StoredSweep, name: str) -> Iterator[ReportFigure]:
    changes = {variant.label: variant.changes for variant in stored.sweep.variants}
    if any(len(of_variant) != 1 for of_variant in changes.values()):
        return
    parameters: dict[str, dict[str, float]] = {}
    for variant_label, of_variant in changes.items():
        [(parameter, value)] = of_variant.items()
        parameters.setdefault(parameter, {})[variant_label] = value
    blocks = _blocks(stored, stored.sweep.table.measures, rows=("variant",), columns=("agent",))
    caption = f"one parameter at a time, low, middle and high; {SPREAD}"
    yield ReportFigure("Sensitivity", caption, drawing.sensitivity(f"{name}-sensitivity", blocks, parameters))


def _blocks(
    stored: StoredSweep,
    measures: tuple[str, ...],
    rows: tuple[Axis, ...] = ("layout", "group"),
    columns: tuple[Axis, ...] = ("agent",),
) -> list[TableBlock]:
    changes = {"blocks": ("measure",), "rows": rows, "columns": columns, "measures": measures, "margins": False}
    table = stored.sweep.table.model_copy(update=changes)
    sweep = stored.sweep.model_copy(update={"table": table})
    return table_blocks(sweep, stored.entries, stored.results)


def _without_margins(stored: StoredSweep) -> list[TableBlock]:
    table = stored.sweep.table.model_copy(update={"margins": False})
    sweep = stored.sweep.model_copy(update={"table": table})
    return table_blocks(sweep, stored.entries, stored.results)


def _delays(stored: StoredSweep) -> drawing.Delays:
    """Returns the delays of belief and agent after each switch, by kitchen and agent."""
    delays: drawing.Delays = {}
    for entry in stored.entries:
        of_belief, of_agent = delays.setdefault(entry.layout, {}).setdefault(entry.label, ([], []))
        if entry.key in stored.results:
            responses = stored.results[entry.key].switch_responses
            of_belief.extend(response.noticed for response in responses)
            of_agent.extend(response.complemented for response in responses)
    return delays


class OwnTable(NamedTuple):
    """A table of a plug-in.

    Attributes:
        heads: the headings of its columns, the first of which names the rows.
        rows: their texts or numbers, one a heading.
    """

    heads: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]


@dataclass(frozen=True, slots=True)
class ReportSection:
    """The part of a report about one sweep.

    Attributes:
        run: the sweep.
        name: unique in the report; part of ids and file names.
        facts: what was played and what came of it, as names and values.
        notes: what is needed to read the tables.
        signs: what their signs mean, on the lines below the notes.
        styles: what their styles mean on a page.
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
    signs: list[str]
    styles: list[str]
    tables: list[Table]
    paper_tables: list[Table]
    groups: list[EpisodeGroup]
    failures: list[tuple[str, int]]
    own_figures: list[ReportFigure]


def sections_of(stored: Results) -> list[ReportSection]:
    """Returns the parts of the report, each with a unique name that can be part of a file name."""
    names: list[str] = []
    for run in stored.sweeps:
        plain = re.sub(r"[^\w-]+", "-", run.sweep.name).strip("-") or "sweep"
        name = plain
        number = 1
        while name in names:
            number += 1
            name = f"{plain}-{number}"
        names.append(name)
    return [section(stored, run, name) for run, name in zip(stored.sweeps, names, strict=True)]


def section(stored: Results, run: StoredSweep, name: str) -> ReportSection:
    """Returns the part of the report about one sweep; what plug-ins cannot make is left out, with a note."""
    blocks = table_blocks(run.sweep, run.entries, run.results)
    anchors = {key: f"{name}-e{number}" for number, key in enumerate(run.entries_by_cell, 1)}
    failures = Counter(result.failure for result in run.results.values() if result.failure is not None)
    n = usual_n(blocks)
    problems: list[str] = []
    tables = [table_text(run.sweep, block, n, anchors) for block in blocks]
    tables += _of_plugins("table", run.sweep.report_tables, partial(_plugin_table, run), problems)
    plugin_figures = _of_plugins("figure", run.sweep.report_figures, partial(_plugin_figure, run), problems)
    commands: Commands = {}
    return ReportSection(
        run=run,
        name=name,
        facts=_facts(stored, run),
        notes=_notes(stored, run, blocks, n) + problems,
        signs=signs_note(blocks),
        styles=styles_note(blocks),
        tables=tables,
        own_figures=plugin_figures,
        paper_tables=_paper_tables(run, blocks),
        groups=[group_of(stored, anchors[key], entries, commands) for key, entries in run.entries_by_cell.items()],
        failures=failures.most_common(),
    )


def _of_plugins(kind: Kind, plugins: Sequence[str], make: Callable[[str], Data], problems: list[str]) -> list[Data]:
    """Returns the tables or figures of plug-ins; adds a line to `problems` for each that cannot be shown."""
    results = []
    for plugin in plugins:
        try:
            check_allowed(kind, plugin)
            results.append(make(plugin))
        except BBAError as error:
            problems.append(f"left out, {kind} {error}")
    return results


def _plugin_table(run: StoredSweep, name: str) -> Table:
    make = load_plugin("table", name).target
    table: OwnTable = answered(name, OwnTable, "a bba.report.content.OwnTable", make, run)
    if any(len(row) != len(table.heads) for row in table.rows):
        raise BBAError(f"{name}: a row has not one value for each of the {len(table.heads)} headings")
    rows = [[str(value) for value in row] for row in table.rows]
    return table_of(table.heads[:1], table.heads[1:], rows=rows, title=_title("table", name))


def _plugin_figure(run: StoredSweep, name: str) -> ReportFigure:
    svg: str = answered(name, str, "text, an SVG", load_plugin("figure", name).target, run)
    if not svg.lstrip().startswith("<svg"):
        raise BBAError(f"{name}: returned text that is no SVG; it begins with <svg")
    return ReportFigure(_title("figure", name), f"made by {name}", svg)


def _title(kind: Kind, name: str) -> str:
    """Returns the first line of a plug-in's docstring; its name if it has none."""
    return first_line(kind, name).rstrip(".") or name


def _facts(stored: Results, run: StoredSweep) -> list[tuple[str, str]]:
    sweep = run.sweep
    results = run.results
    played = sum(result.failure is None for result in results.values())
    failed = len(results) - played
    planned = len({entry.key for entry in run.entries})
    episodes = f"{played} of {planned}"
    if failed:
        episodes += f", {failed} failed"
    seconds = sum(result.seconds for result in results.values())
    return [
        ("agents", _joined(entry.label for entry in run.entries)),
        ("partners", _joined(label(entry.partner, _planner_of_partner(stored, entry)) for entry in run.entries)),
        ("kitchens", _joined(entry.layout for entry in run.entries)),
        ("seeds", seeds_text(sweep)),
        ("a game", f"{sweep.horizon} steps, mobility {sweep.mobility:g}"),
        ("episodes", episodes),
        ("begun", timestamp(run.started)),
        ("played in", f"{duration(seconds)} of computing"),
    ]


def _planner_of_partner(stored: Results, entry: TableEntry) -> str | None:
    """Returns the planner of an entry's partner; None if the partner has none or it is not known."""
    stored_episode = stored.episodes.get(entry.key)
    if stored_episode is None or stored_episode.kind is None:
        return None
    return stored_episode.kind.seats[1].planner


def _joined(names: Iterable[str]) -> str:
    """Returns the names as a list in words, each once."""
    return ", ".join(dict.fromkeys(names))


def _cells(blocks: Sequence[TableBlock]) -> Iterator[TableCell]:
    for block in blocks:
        for row in block.cells:
            yield from row


def usual_n(blocks: Sequence[TableBlock]) -> int:
    """Returns the n of most cells."""
    sizes = Counter(cell.ours.n for cell in _cells(blocks) if cell.ours is not None)
    if not sizes:
        return 0
    [(n, _)] = sizes.most_common(1)
    return n


def _notes(stored: Results, run: StoredSweep, blocks: Sequence[TableBlock], n: int) -> list[str]:
    kinds = {}  # by identity: many episodes share one
    for key in run.results:
        kind = stored.episodes[key].kind
        if kind is not None:
            kinds[id(kind)] = kind
    notes = [
        f"{spread_note(run.sweep)}; n = {n} seeds unless a cell has another",
        *run.caveats,
        *fallback_note(result.measures for result in run.results.values()),
        *agents_note(run.sweep, run.entries),
        *planner_notes(run.entries),
        *condition_note(run.sweep, run.entries),
        *ask_note(kinds.values()),
        *margins_note(run.sweep),
        *paper_note(blocks),
    ]
    if run.left_out:
        notes.append(f"left out, not there when this was played: {', '.join(run.left_out)}")
    if run.earlier:
        times = "once" if run.earlier == 1 else f"{run.earlier} times"
        notes.append(f"run {times} before with other code or another planner, which is not counted here")
    return notes


def table_text(sweep: Sweep, block: TableBlock, n: int = 0, anchors: Mapping[CellKey, str] | None = None) -> Table:
    """Returns a block as text, each cell with a link to its episodes where there is one; `n` is that of most cells."""
    spec = sweep.table

    def text(cell: TableCell, *headings: Heading) -> Cell:
        anchor = (anchors or {}).get(cell_key(sweep, *headings), "")
        unusual = 0 if cell.ours is None or cell.ours.n == n else cell.ours.n
        return replace(cell_text(cell, measure_under(spec, *headings)), n=unusual, anchor=anchor)

    rows: list[TableRow] = []
    for row, cells in zip(block.rows, block.cells, strict=True):
        headings = [axis_text(axis, value) for axis, value in row.items()]
        texts = [text(cell, block.title, row, column) for column, cell in zip(block.columns, cells, strict=True)]
        rows.append([*headings, *texts])
    columns = [column_text(column, spec) for column in block.columns]
    return table_of(spec.rows, columns, rows=rows, title=block_title(block, spec))


def _paper_tables(run: StoredSweep, blocks: Sequence[TableBlock]) -> list[Table]:
    """Returns the preprint's own table, one measure at a time; none if all of it stands beside ours."""
    papers = [cell.paper for cell in _cells(blocks) if cell.paper is not None]
    beside_ours = {id(value) for value in papers if not value.computed}
    of_table = [value for value in paper_values().values() if value.table == run.sweep.paper]
    if len(beside_ours) >= len(of_table):
        return []
    by_measure = grouped((value.measure, value) for value in of_table)
    return [_paper_table(measure, values) for measure, values in by_measure.items()]


def _paper_table(measure: str, values: Sequence[PaperValue]) -> Table:
    cells: dict[tuple[str, str, str], dict[str, str]] = {}
    for value in values:
        of_place = cells.setdefault((value.layout, value.group, value.variant), {})
        of_place[label(value.agent, value.model)] = summary_text(value, measure)
    agents = list(dict.fromkeys(label(value.agent, value.model) for value in values))
    varying = [axis for axis in range(3) if len({place[axis] for place in cells}) > 1]
    first_place = next(iter(cells))
    common = [first_place[axis] for axis in range(2) if axis not in varying]
    rows = []
    for place, of_place in cells.items():
        headings = [place[axis] for axis in varying]
        rows.append([*headings, *(of_place.get(agent, NONE) for agent in agents)])
    title = ", ".join([measure_label(measure), *common])
    axis_names = ("layout", "group", "variant")
    return table_of([axis_names[axis] for axis in varying], agents, rows=rows, title=title)
