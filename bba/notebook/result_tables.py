"""Results as a notebook shows them: the tables of each sweep, and what is needed to read them."""

from collections.abc import Iterable
from html import escape

from bba.bench.results_reader import Results, StoredSweep
from bba.bench.tables import table_blocks
from bba.report.content import TableText, table_text, usual_n
from bba.report.formatting import CellText, agents_note, paper_note, planner_notes, spread_note, without_planner

MOST = 50  # sweeps of a folder that are shown, the last ones


def results_html(results: Results) -> str:
    """Returns the tables of all sweeps of a folder."""
    left_out = len(results.sweeps) - MOST
    note = f"<p>{left_out} earlier sweeps are not shown</p>" if left_out > 0 else ""
    return note + "".join(map(sweep_html, results.sweeps[-MOST:]))


def sweep_html(sweep: StoredSweep) -> str:
    """Returns the tables of a sweep and the notes below them."""
    entries = without_planner(sweep.entries)
    blocks = table_blocks(sweep.sweep, entries, sweep.results)
    n = usual_n(blocks)
    notes = [f"{spread_note(sweep.sweep)}; n = {n}", *agents_note(sweep.sweep, entries), *planner_notes(sweep.entries)]
    tables = (_table(table_text(sweep.sweep, block, {}, n)) for block in blocks)
    small = "".join(
        f"<div><small>{escape(note)}</small></div>" for note in [*notes, *paper_note(blocks), *sweep.caveats]
    )
    return f"<h4>{escape(sweep.sweep.title)}</h4>{''.join(tables)}{small}"


def _table(table: TableText) -> str:
    title = f"<caption>{escape(table.title)}</caption>" if table.title else ""
    head = _row("th", [*table.heads, *table.columns])
    rows = "".join(_row("td", [*headings, *map(_cell, cells)]) for headings, cells in table.rows)
    return f"<table>{title}<thead>{head}</thead><tbody>{rows}</tbody></table>"


def _row(tag: str, texts: Iterable[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(text)}</{tag}>' for text in texts)}</tr>"


def _cell(cell: CellText) -> str:
    """Returns our value, an unusual n, what is missing, and the preprint's value."""
    n = f"[n = {cell.n}]" if cell.n else ""
    missing = f"[{cell.missing}]" if cell.missing else ""
    return " ".join(filter(None, (cell.ours, n, missing, f"(preprint {cell.paper})" if cell.paper else "")))
