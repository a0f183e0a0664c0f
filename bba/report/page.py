"""Writes the report of a folder of results: one self-contained page, and its tables as files.

The tables are Markdown for people and CSV for programs.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bba.agents import MODEL_PLANNERS, ROLLOUT
from bba.analysis.measures import MEASURES
from bba.bench import StoredEpisode
from bba.bench.episode import TableEntry
from bba.bench.formatting import (
    LISTED_MEASURES,
    SCRIPTED,
    duration,
    measure_label,
    measure_meaning,
    measure_under,
    timestamp,
)
from bba.bench.results_reader import Results, StoredSweep, load_results, read_recording
from bba.bench.table_points import Heading
from bba.bench.tables import TableCell, table_blocks
from bba.errors import BBAError
from bba.files import data_dir, make_folder, os_errors, write_together, write_whole
from bba.palette import DARK, LIGHT
from bba.planner.ledger import Spent
from bba.report.appendix import RECORDINGS
from bba.report.content import ReportSection, figures, sections_of
from bba.report.drawing import check_drawing, page_colours
from bba.tables import escaped, to_markdown
from bba.tabular import Row, to_csv

AXES = ("measure", "agent", "layout", "group", "variant")
MEASURE_COLUMNS = (
    "sweep",
    *AXES,
    "n",
    "mean",
    "sd",
    "low",
    "high",
    "missing",
    "preprint_model",
    "preprint_mean",
    "preprint_sd",
    "preprint_low",
    "preprint_high",
)
MACHINE = "machine"  # the key of the machine among the versions of an episode


def page(stored: Results, sections: Sequence[ReportSection]) -> str:
    """Returns the whole page."""
    planners = {entry.planner for entry in _entries(stored)}
    pictures = [[*figures(part.run, part.name), *part.own_figures] for part in sections]
    failed = 0
    for part in sections:
        failed += sum(count for _, count in part.failures)
    return rendered(
        "report.html",
        sections=list(zip(sections, pictures, strict=True)),
        facts=_facts(stored),
        scripted=SCRIPTED in planners,
        simulated=ROLLOUT in planners,
        failed=failed,
        shown=[measure_label(name) for name in LISTED_MEASURES],
        glossary=_glossary(stored),
    )


def _entries(stored: Results) -> Iterator[TableEntry]:
    """Yields the entries of all sweeps."""
    for run in stored.sweeps:
        yield from run.entries


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
    """Returns the facts of the results by name: episodes, times, machines, software, duration and cost."""
    keys = dict.fromkeys(entry.key for entry in _entries(stored))
    episodes = [stored.episodes[key] for key in keys if key in stored.episodes]
    times = sorted(timestamp(episode.finished) for episode in episodes) or ["–"]
    sweeps = ", ".join(dict.fromkeys(run.sweep.name for run in stored.sweeps))
    machines = {episode.versions.get(MACHINE, "not noted") for episode in episodes}
    versions = {_versions(episode) for episode in episodes}
    seconds = sum(episode.result.seconds for episode in episodes)
    return [
        ("benchmarks", sweeps),
        ("episodes", f"{len(episodes)} of {len(keys)}; those that benchmarks share are played once"),
        ("when", times[0] if times[0] == times[-1] else f"{times[0]} to {times[-1]}"),
        ("machine", "; ".join(sorted(machines))),
        ("versions", "; ".join(sorted(versions))),
        ("computing", f"{duration(seconds)}, added up over all processes"),
        ("cost", _cost(episodes) + _spent(stored.spent)),
    ]


def _versions(episode: StoredEpisode) -> str:
    """Returns the versions of the software that played an episode in a line."""
    software = {name: version for name, version in episode.versions.items() if name != MACHINE}
    return ", ".join(f"{name} {version}" for name, version in software.items())


def _glossary(stored: Results) -> list[tuple[str, str]]:
    """Returns the label and meaning of each measure of the report: the project's first, in their order."""
    shown_measures = set(LISTED_MEASURES)
    for run in stored.sweeps:
        shown_measures.update(run.sweep.table.measures)
    names = dict.fromkeys([*MEASURES, *sorted(shown_measures)])
    return [(measure_label(name), measure_meaning(name)) for name in names if name in shown_measures]


def _cost(episodes: Sequence[StoredEpisode]) -> str:
    """Returns the cost of language models; the planners say whether one was asked, not whether tokens are known."""
    paid = [episode for episode in episodes if any(f'"{name}:' in episode.spec for name in MODEL_PLANNERS)]
    if not paid:
        return "nothing: no language model was asked"

    def total(measure: str) -> int:
        return int(sum((episode.result.measures or {}).get(measure) or 0 for episode in paid))

    tokens = total("planner_prompt_tokens") + total("planner_completion_tokens")
    calls = total("planner_calls")
    estimated = total("planner_estimated")
    costs = [(episode.result.measures or {}).get("planner_cost") for episode in paid]
    prices = [cost for cost in costs if cost is not None]
    dollars = f"{sum(prices):.2f} US dollars" if len(prices) == len(paid) else "unknown, not all prices are known"
    token_text = f"{tokens:,} tokens" if tokens else "unknown tokens, the endpoint reported none"
    estimate = f"; the tokens of {estimated:,} answers are estimated" if estimated else ""
    return f"{dollars}, {calls:,} calls, {token_text}{estimate}"


def _spent(spent: Spent | None) -> str:
    """Returns the cost of all requests that were sent for these results; "" where it was not kept."""
    if spent is None:
        return "; what failed games and lost requests have cost is damaged in the file"
    if not spent.requests:
        return ""
    noun = "request" if spent.requests == 1 else "requests"
    return f"; with failed games and lost requests {spent.dollars:.2f} US dollars, {spent.requests:,} {noun}"


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
    folder = Path(folder)
    path = folder / REPORT if out is None else Path(out)
    if path.suffix != ".html":
        raise BBAError(f"{path}: a report is a .html file; the name must end so")
    stored = load_results(folder)
    check_drawing()
    sections = sections_of(stored)
    tables = path.parent / TABLES
    files = {}
    for name, text in table_files(sections, spreadsheet=spreadsheet).items():
        files[tables / name] = text
    files[path] = page(stored, sections)
    with os_errors(f"{tables}: cannot be made"):
        tables.mkdir(exist_ok=True)
    _write_recordings(folder, path.parent, stored)
    write_together(files)
    return path


def _write_recordings(folder: Path, to: Path, stored: Results) -> None:
    listed_keys = {entry.key for entry in _entries(stored)}
    recorded = [key for key, episode in stored.episodes.items() if key in listed_keys and episode.result.recorded]
    if recorded:
        make_folder(to / RECORDINGS)
    for key in recorded:
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
    parts = [f"# {escaped(section.run.sweep.title)}"]
    parts += map(to_markdown, section.tables)
    parts.append("\n".join(f"- {escaped(note)}" for note in [*section.notes, *section.signs]))
    return "\n\n".join(parts) + "\n"


def _rows(run: StoredSweep) -> Iterator[Row]:
    """Yields one row a cell: its place, our summary, unrounded, and the preprint's value."""
    for block in table_blocks(run.sweep, run.entries, run.results):
        for row, cells in zip(block.rows, block.cells, strict=True):
            for column, cell in zip(block.columns, cells, strict=True):
                yield _row(run, cell, (block.title, row, column))


def _row(run: StoredSweep, cell: TableCell, headings: tuple[Heading, ...]) -> Row:
    values: dict[str, Any] = {}
    for heading in headings:
        for axis, value in heading.items():
            values[axis] = value
    values["sweep"] = run.sweep.name
    values["measure"] = measure_under(run.sweep.table, *headings)
    values["missing"] = cell.missing
    if cell.ours is not None:
        values |= cell.ours._asdict()
    if cell.paper is not None and not cell.paper.computed:
        paper = cell.paper.model_dump(include={"model", "mean", "sd", "low", "high"})
        values |= {f"preprint_{name}": value for name, value in paper.items()}
    return values
