"""What a report says, as plain values: for each sweep its facts, tables and episodes."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bba.bench.paper import PaperValue, paper_values
from bba.bench.plan import TableEntry, label
from bba.bench.results_reader import CellKey, Results, StoredSweep, cell_key
from bba.bench.tables import TableBlock, TableCell, table_blocks
from bba.report.appendix import EpisodeGroup, group_of, known_episode
from bba.report.formatting import SCRIPTED, figure, measure_under, preprint, word, words


class CellView(NamedTuple):
    """A cell: our figure, what is missing in it, the preprint's figure, and its episodes' place.

    `n` is of how many seeds or pairs, where that is another number than elsewhere; else 0.
    """

    ours: str
    n: int
    missing: int
    paper: str
    anchor: str


class TableView(NamedTuple):
    """A table: its title, the names of the columns with headings, the columns, and each row's headings and cells."""

    title: str
    heads: list[str]
    columns: list[str]
    rows: list[tuple[list[str], list[CellView]]]


@dataclass(frozen=True, slots=True)
class ReportSection:
    """What a report says of one sweep; `name` tells it from the others, also in the names of its files."""

    name: str
    title: str
    facts: list[tuple[str, str]]
    notes: list[str]
    tables: list[TableView]
    theirs: list[TableView]
    groups: list[EpisodeGroup]
    failures: list[tuple[str, int]]


def section(stored: Results, run: StoredSweep, name: str) -> ReportSection:
    """What is said of one sweep."""
    results = stored.results(run)
    found = table_blocks(run.sweep, run.cases, results)
    anchors = {place: f"{name}-e{number}" for number, place in enumerate(run.corners, 1)}
    failed = Counter(result.failure for result in results.values() if result.failure is not None)
    n = _usual(found)
    return ReportSection(
        name=name,
        title=run.sweep.title,
        facts=_facts(stored, run),
        notes=_notes(run, found, n),
        tables=[_table(run, block, anchors, n) for block in found],
        theirs=_theirs(run, found),
        groups=[group_of(stored, anchors[place], cases) for place, cases in run.corners.items()],
        failures=failed.most_common(),
    )


def _facts(stored: Results, run: StoredSweep) -> list[tuple[str, str]]:
    """What was played, and what came of it."""
    sweep, results = run.sweep, stored.results(run)
    done = [result for result in results.values() if result.failure is None]
    asked = len({case.key for case in run.cases})
    last = sweep.first_seed + sweep.seeds - 1
    facts = {
        "agents": _listed(case.label for case in run.cases),
        "partners": _listed(label(case.partner, _planner_of_partner(stored, case)) for case in run.cases),
        "kitchens": _listed(case.layout for case in run.cases),
        "seeds": f"{sweep.first_seed} to {last}" if sweep.seeds > 1 else str(sweep.first_seed),
        "a game": f"{sweep.horizon} steps, mobility {sweep.mobility:g}",
        "episodes": f"{len(done)} of {asked}" + (f", {len(results) - len(done)} failed" * (len(done) < len(results))),
        "begun": snapshot(run.started),
        "played in": duration(sum(result.seconds for result in results.values())) + " of computing",
    }
    return list(facts.items())


def _planner_of_partner(stored: Results, case: TableEntry) -> str | None:
    found = stored.episodes.get(case.key)
    known = found and known_episode(found)
    return known.seats[1].planner if known else None


def _listed(names: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(names))


def snapshot(stamp: str) -> str:
    """A time stamp (UTC, ISO 8601) as people read it."""
    return stamp.replace("T", " ").replace("+00:00", " UTC")


def duration(seconds: float) -> str:
    """A time as people say it."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s" if minutes else f"{rest} s"


def _usual(found: Sequence[TableBlock]) -> int:
    """The n of most cells."""
    sizes = Counter(cell.ours.n for block in found for row in block.cells for cell in row if cell.ours is not None)
    return sizes.most_common(1)[0][0] if sizes else 0


def _notes(run: StoredSweep, found: Sequence[TableBlock], n: int) -> list[str]:
    """What is needed to read the tables."""
    sweep = run.sweep
    counted = "matched pairs" if sweep.table.paired else "seeds"
    spread = "difference with its 95 % bootstrap interval" if sweep.table.paired else "mean ± standard deviation"
    notes = [f"{spread}; n = {n} {counted} where a cell does not say otherwise"]
    if "agent" not in sweep.table.axes:
        notes.append(" − ".join(dict.fromkeys(case.label for case in run.cases)))
    if _planned_by_script(run):
        notes.append("scripted planner: rules that read the same prompts; not a language model's results")
    models = {cell.paper.model for block in found for row in block.cells for cell in row if cell.paper is not None}
    if models - {None}:
        notes.append(f"preprint: another planner's figures ({', '.join(sorted(filter(None, models)))})")
    if run.left_out:
        notes.append(f"left out, not there when this was played: {', '.join(run.left_out)}")
    if run.earlier:
        notes.append(f"run {run.earlier} times before with other code or another planner, which is not counted here")
    return notes


def _planned_by_script(run: StoredSweep) -> bool:
    return any(case.planner == SCRIPTED for case in run.cases)


def _table(run: StoredSweep, block: TableBlock, anchors: Mapping[CellKey, str], n: int) -> TableView:
    """A block with its figures as text, and from each cell the way to its episodes."""
    spec = run.sweep.table
    rows = []
    for row, cells in zip(block.rows, block.cells, strict=True):
        shown = [
            _cell(
                cell,
                measure_under(spec, block.title, row, column),
                anchors.get(cell_key(run.sweep, block.title, row, column), ""),
                n,
            )
            for column, cell in zip(block.columns, cells, strict=True)
        ]
        rows.append(([word(axis, value) for axis, value in row.items()], shown))
    columns = [words(column, ", ") or word("measure", spec.measures[0]) for column in block.columns]
    return TableView(words(block.title, ", "), [str(axis) for axis in spec.rows], columns, rows)


def _cell(cell: TableCell, measure: str, anchor: str, usual: int) -> CellView:
    ours = "–" if cell.ours is None else figure(cell.ours, measure)
    paper = "" if cell.paper is None else preprint(cell.paper, measure)
    n = 0 if cell.ours is None or cell.ours.n == usual else cell.ours.n
    return CellView(ours, n, cell.missing, paper, anchor)


def _theirs(run: StoredSweep, found: Sequence[TableBlock]) -> list[TableView]:
    """The preprint's own table, a measure at a time, where not all of it stands beside ours."""
    shown = {id(cell.paper) for block in found for row in block.cells for cell in row if cell.paper is not None}
    wanted = [found for found in paper_values().values() if found.table == run.sweep.paper]
    if len(shown) >= len(wanted):
        return []
    return [
        _theirs_of(measure, [figure for figure in wanted if figure.measure == measure])
        for measure in dict.fromkeys(figure.measure for figure in wanted)
    ]


def _theirs_of(measure: str, found: Sequence[PaperValue]) -> TableView:
    agents = list(dict.fromkeys(label(figure.agent, figure.model) for figure in found))
    cells = {
        ((figure.layout, figure.group, figure.variant), label(figure.agent, figure.model)): preprint(figure, measure)
        for figure in found
    }
    places = list(dict.fromkeys(place for place, _ in cells))
    apart = [axis for axis in range(3) if len({place[axis] for place in places}) > 1]
    common = [places[0][axis] for axis in range(2) if axis not in apart]
    rows = [
        ([place[axis] for axis in apart], [CellView(cells.get((place, agent), "–"), 0, 0, "", "") for agent in agents])
        for place in places
    ]
    title = ", ".join([word("measure", measure), *common])
    return TableView(title, [("layout", "group", "variant")[axis] for axis in apart], agents, rows)
