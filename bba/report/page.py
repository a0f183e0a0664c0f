"""Writes the report of a folder of results: one self-contained page, and its tables as files.

The tables are Markdown for people and CSV for programs.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from bba.agents import MODEL_PLANNERS, ROLLOUT
from bba.analysis.measures import MEASURES
from bba.bench import StoredEpisode
from bba.bench.results_reader import Results, StoredSweep, load_results, read_recording
from bba.bench.tables import Heading, TableCell, table_blocks
from bba.errors import BBAError
from bba.files import data_dir, make_folder, os_errors, write_together, write_whole
from bba.palette import DARK, LIGHT
from bba.planner.llm.ledger import Spent
from bba.report.appendix import RECORDINGS
from bba.report.content import ReportSection, TableText, figures, sections_of
from bba.report.drawing import check_drawing, page_colours
from bba.report.formatting import (
    LISTED_MEASURES,
    SCRIPTED,
    duration,
    measure_label,
    measure_meaning,
    measure_under,
    timestamp,
)
from bba.tabular import Row, to_csv, to_markdown

AXES = ("measure", "agent", "layout", "group", "variant")
MEASURE_COLUMNS = (
    *("sweep", *AXES, "n", "mean", "sd", "low", "high", "missing"),
    *("preprint_model", "preprint_mean", "preprint_sd", "preprint_low", "preprint_high"),
)
MACHINE = "machine"  # the key of the machine among the versions of an episode


def page(stored: Results, sections: Sequence[ReportSection]) -> str:
    """Returns the whole page."""
    planners = {entry.planner for run in stored.sweeps for entry in run.entries}
    pictures = [[*figures(part.run, part.name), *part.own_figures] for part in sections]
    return rendered(
        "report.html",
        sections=list(zip(sections, pictures, strict=True)),
        facts=_facts(stored),
        scripted=SCRIPTED in planners,
        simulated=ROLLOUT in planners,
        failed=sum(count for part in sections for _, count in part.failures),
        shown=[measure_label(name) for name in LISTED_MEASURES],
        glossary=_glossary(stored),
    )


def rendered(template: str, **values: object) -> str:
    """Returns the page that a template of a report makes of these values, in light and dark colours."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(data_dir("assets/report")),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    colours = {"light": page_colours(LIGHT), "dark": page_colours(DARK)}
    return str(environment.get_template(template).render(**values, **colours))


def _facts(stored: Results) -> list[tuple[str, str]]:
    """Returns what was run, when, where, with which software, for how long and at what cost."""
    keys = dict.fromkeys(entry.key for run in stored.sweeps for entry in run.entries)
    found = [stored.episodes[key] for key in keys if key in stored.episodes]
    times = sorted(timestamp(episode.finished) for episode in found) or ["–"]
    sweeps = ", ".join(dict.fromkeys(run.sweep.name for run in stored.sweeps))
    versions = ({name: one for name, one in e.versions.items() if name != MACHINE} for e in found)
    return [
        ("benchmarks", sweeps),
        ("episodes", f"{len(found)} of {len(keys)}; those that benchmarks share are played once"),
        ("when", times[0] if times[0] == times[-1] else f"{times[0]} to {times[-1]}"),
        ("machine", "; ".join(sorted({episode.versions.get(MACHINE, "not noted") for episode in found}))),
        (
            "versions",
            "; ".join(sorted({", ".join(f"{name} {number}" for name, number in of.items()) for of in versions})),
        ),
        ("computing", f"{duration(sum(e.result.seconds for e in found))}, added up over all processes"),
        ("cost", _cost(found) + _spent(stored.spent)),
    ]


def _glossary(stored: Results) -> list[tuple[str, str]]:
    shown = {*LISTED_MEASURES, *(name for run in stored.sweeps for name in run.sweep.table.measures)}
    names = dict.fromkeys([*MEASURES, *sorted(shown)])
    return [(measure_label(name), measure_meaning(name)) for name in names if name in shown]


def _cost(found: Sequence[StoredEpisode]) -> str:
    """Returns what language models cost; who planned says whether one was asked, not whether tokens are known."""
    paid = [episode for episode in found if any(f'"{name}:' in episode.spec for name in MODEL_PLANNERS)]
    if not paid:
        return "nothing: no language model was asked"
    measures = [episode.result.measures or {} for episode in paid]
    tokens = int(sum(m.get(f"planner_{kind}_tokens") or 0 for m in measures for kind in ("prompt", "completion")))
    calls = int(sum(m.get("planner_calls") or 0 for m in measures))
    guessed = int(sum(m.get("planner_estimated") or 0 for m in measures))
    costs = [cost for m in measures if (cost := m.get("planner_cost")) is not None]
    dollars = f"{sum(costs):.2f} US dollars" if len(costs) == len(paid) else "unknown, not all prices are known"
    counted = f"{tokens:,} tokens" if tokens else "unknown tokens, the endpoint reported none"
    estimate = f"; the tokens of {guessed:,} answers are estimated" if guessed else ""
    return f"{dollars}, {calls:,} calls, {counted}{estimate}"


def _spent(spent: Spent | None) -> str:
    """Returns what all requests have cost that were sent for these results; "" where that was not kept."""
    if spent is None:
        return "; what failed games and lost requests have cost is damaged in the file"
    if not spent.requests:
        return ""
    counted = f"{spent.requests:,} request{'s' * (spent.requests != 1)}"
    return f"; with failed games and lost requests {spent.dollars:.2f} US dollars, {counted}"


REPORT = "report.html"
TABLES = "tables"


def write_report(folder: Path | str, out: Path | str | None = None, *, spreadsheet: bool = False) -> Path:
    """Writes ``report.html``, ``tables/NAME.md`` and ``.csv``, and the stored recordings into the folder.

    The same results give the same bytes. Returns the path of the page.

    Args:
        folder: where the results are; it is only read if `out` is given.
        out: another .html file for the page, with tables and recordings beside it.
        spreadsheet: whether spreadsheet programs open the .csv files, as in `bba.tabular.to_csv`.

    Raises:
        BBAError: there are no results, a library is missing, or the files cannot be written.
    """
    folder, path = Path(folder), Path(folder) / REPORT if out is None else Path(out)
    if path.suffix != ".html":
        raise BBAError(f"{path}: a report is a .html file; the name must end so")
    stored = load_results(folder)
    check_drawing()
    sections = sections_of(stored)
    files = {path.parent / TABLES / name: text for name, text in table_files(sections, spreadsheet=spreadsheet).items()}
    files[path] = page(stored, sections)
    with os_errors(f"{path.parent / TABLES}: cannot be made"):
        (path.parent / TABLES).mkdir(exist_ok=True)
    _write_recordings(folder, path.parent, stored)
    write_together(files)
    return path


def _write_recordings(folder: Path, to: Path, stored: Results) -> None:
    shown = {entry.key for run in stored.sweeps for entry in run.entries}
    kept = [key for key, episode in stored.episodes.items() if key in shown and episode.result.recorded]
    if kept:
        make_folder(to / RECORDINGS)
    for key in kept:
        path = to / RECORDINGS / f"{key}.bba"
        recording = None if path.exists() else read_recording(folder, key)
        if recording is not None:
            write_whole(path, recording)


# --- the tables as files -----------------------------------------------------------------------------------------
def table_files(sections: Sequence[ReportSection], *, spreadsheet: bool = False) -> dict[str, str]:
    """Returns two files of each sweep by name; the same results give the same texts."""
    texts = {f"{part.name}.md": _markdown(part) for part in sections}
    for part in sections:
        texts[f"{part.name}.csv"] = to_csv(_rows(part.run), MEASURE_COLUMNS, spreadsheet=spreadsheet)
    return texts


def _markdown(section: ReportSection) -> str:
    """Returns the tables as people read them, with the notes below."""
    parts = [f"# {_escaped(section.run.sweep.title)}"]
    parts += map(table_in_markdown, section.tables)
    parts.append("\n".join(f"- {_escaped(note)}" for note in section.notes))
    return "\n\n".join(parts) + "\n"


def table_in_markdown(table: TableText) -> str:
    """Returns a table below its title, if it has one."""
    title = f"## {_escaped(table.title)}\n\n" if table.title else ""
    rows = ([*headings, *(cell.in_a_line for cell in cells)] for headings, cells in table.rows)
    rule = ["---"] * len(table.heads) + ["---:"] * len(table.columns)
    head = [_escaped(text) for text in (*table.heads, *table.columns)]
    return title + to_markdown(head, (map(_escaped, row) for row in rows), rule)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|")


def _rows(run: StoredSweep) -> Iterator[Row]:
    """Yields one row a cell: its place, our summary, unrounded, and the preprint's value."""
    for block in table_blocks(run.sweep, run.entries, run.results):
        for row, cells in zip(block.rows, block.cells, strict=True):
            for column, cell in zip(block.columns, cells, strict=True):
                yield _row(run, cell, (block.title, row, column))


def _row(run: StoredSweep, cell: TableCell, headings: tuple[Heading, ...]) -> Row:
    ours = cell.ours._asdict() if cell.ours is not None else {}
    paper = cell.paper.model_dump(include={"model", "mean", "sd", "low", "high"}) if cell.paper is not None else {}
    return {
        **{axis: value for heading in headings for axis, value in heading.items()},
        "sweep": run.sweep.name,
        "measure": measure_under(run.sweep.table, *headings),
        "missing": cell.missing,
        **ours,
        **{f"preprint_{name}": value for name, value in paper.items()},
    }
