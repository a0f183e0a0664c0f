"""Results as text: measures, summaries, headings, durations. Tables on the screen, in reports and on standard output
all use these functions; labels and decimal places come from `bba.analysis.measures.MEASURES`.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from bba.agents import KEYLESS, model_of
from bba.analysis import MeasureValue, find_measure
from bba.config import Ask, ConditionName
from bba.tables import BEST_OF_ALL, BEST_OF_KIND, Best, Cell

if TYPE_CHECKING:
    from bba.bench import Episode, Heading, PaperValue, Summary, Sweep, TableBlock, TableCell, TableEntry, TableSpec

SCRIPTED = "scripted"  # the planner whose name the tables need not repeat
# The measures that lists of episodes show, in order.
LISTED_MEASURES = ("reward", "replans", "gap_rate", "comp_at_3", "skill_accuracy", "duplicate_rate", "recovery")
NONE = "–"
BEST_MEANINGS: dict[Best, str] = {"all": "best mean of all", "kind": "best of its kind (planners, learned agents)"}
INTERVAL = "95 % interval over seeds (Student's, clustered by seed, stratified by kitchen; nothing is resampled)"
Sign = Literal["", "+"]
CONDITIONS: dict[ConditionName, str] = {
    "preprint": "the preprint's condition (strict prompts, the last turns, text, asked in every step)",
    "ours": "our condition",
}
ASKED: dict[Ask, str] = {"changed": "when something has changed", "always": "in every step"}


# --- headings --------------------------------------------------------------------------------------------------
def measure_label(name: str) -> str:
    """Returns the heading of a measure."""
    return find_measure(name).label


def measure_meaning(name: str) -> str:
    """Returns the explanation of a measure, and which direction is better."""
    return find_measure(name).explanation


def axis_text(axis: str, value: str) -> str:
    """Returns the value of an axis of a table as text."""
    return measure_label(value) if axis == "measure" else value


def heading_text(heading: "Heading", between: str = " ") -> str:
    """Returns a heading as the values of its axes."""
    return between.join(axis_text(axis, value) for axis, value in heading.items())


def block_title(block: "TableBlock", spec: "TableSpec") -> str:
    """Returns the heading of a table, which says that it holds differences where others hold means."""
    title = heading_text(block.title, ", ")
    if not (block.differences and spec.means):
        return title
    return f"{title}, differences" if title else "differences"


def column_text(column: "Heading", spec: "TableSpec") -> str:
    """Returns the heading of a column; a column without axes has the label of the table's only measure."""
    return heading_text(column, ", ") or measure_label(spec.measures[0])


def measure_under(spec: "TableSpec", *headings: "Heading") -> str:
    """Returns the measure of a cell under these headings; the table's only measure if none of them names one."""
    for heading in headings:
        if "measure" in heading:
            return heading["measure"]
    return spec.measures[0]


def keyless_planner(entries: "Iterable[TableEntry]") -> str | None:
    """Returns the planner of all entries that have one, if it is the same and no language model; else None."""
    planners = {entry.planner for entry in entries} - {None}
    return planners.pop() if len(planners) == 1 and planners <= set(KEYLESS) else None


def without_planner(entries: "list[TableEntry]") -> "list[TableEntry]":
    """Returns the entries without planners in their labels if `planner_notes` says it once for all of them."""
    if keyless_planner(entries) is None:
        return entries
    return [entry._replace(planner=None) for entry in entries]


# --- values ----------------------------------------------------------------------------------------------------
def cell_text(cell: "TableCell", measure: str) -> Cell:
    """Returns the texts of a cell."""
    sign: Sign = "+" if cell.pair else ""
    ours = NONE if cell.ours is None else summary_text(cell.ours, measure, sign)
    missing = f"{cell.missing} missing" if cell.missing else ""
    paper = "" if cell.paper is None else summary_text(cell.paper, measure, sign)
    if cell.paper is not None and cell.paper.computed:
        paper += ", computed"
    return Cell(ours, missing, paper, best=cell.best)


def value_text(value: MeasureValue, measure: str, sign: Sign = "") -> str:
    """Returns a measure of one episode; with "+", the difference of two, which has a sign."""
    if value is None:
        return NONE
    if isinstance(value, int):
        return f"{value:{sign}}"
    decimals = find_measure(measure).decimals
    return f"{value:{sign}z.{decimals}f}"


def summary_text(summary: "Summary | PaperValue", measure: str, sign: Sign = "+") -> str:
    """Returns a mean, ours or the preprint's, with its interval or its standard deviation.

    One with an interval is taken for a difference, and has the sign of one, unless another `sign` is given.
    """
    places = find_measure(measure).decimals
    if summary.low is not None and summary.high is not None:
        # z: what rounds to zero is never shown as negative
        return f"{summary.mean:{sign}z.{places}f} [{summary.low:z.{places}f}, {summary.high:z.{places}f}]"
    mean = f"{summary.mean:.{places}f}"
    return mean if summary.sd is None else f"{mean} ± {summary.sd:.{places}f}"


def thousands(number: float) -> str:
    """Returns a whole number in groups of three digits, as "16 389"."""
    return f"{number:,.0f}".replace(",", " ")


def duration(seconds: float) -> str:
    """Returns a duration in its two largest units, as "1 h 5 min" or "48 s"."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    if minutes:
        return f"{minutes} min {rest} s"
    return f"{rest} s"


def rough_duration(seconds: float) -> str:
    """Returns a duration that is not known exactly: "10 s", "3 min" or "2 h", never none."""
    if seconds < 60:
        return f"{max(10, round(seconds, -1)):.0f} s"
    if seconds < 3600:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.0f} h"


def timestamp(stamp: str) -> str:
    """Returns a UTC time in ISO 8601 as people read it."""
    return stamp.replace("T", " ").replace("+00:00", " UTC")


# --- notes under tables ----------------------------------------------------------------------------------------
def spread_note(sweep: "Sweep") -> str:
    """Returns the name of the numbers after a mean."""
    if not sweep.table.paired:
        return "mean ± standard deviation"
    of_what = "mean, or difference," if sweep.table.means else "difference"
    return f"{of_what} with its {INTERVAL}"


def seeds_text(sweep: "Sweep") -> str:
    """Returns the seeds of a sweep, as "0 to 4"."""
    last = sweep.first_seed + sweep.seeds - 1
    return f"{sweep.first_seed} to {last}" if sweep.seeds > 1 else str(sweep.first_seed)


def agents_note(sweep: "Sweep", entries: "Iterable[TableEntry]") -> list[str]:
    """Returns a line with the agents of a table that does not name them: of a difference, in the order of `paired`."""
    if "agent" in sweep.table.axes:
        return []
    labels = {entry.agent: entry.label for entry in entries}
    agents = sweep.pairs[0] if sweep.pairs else tuple(labels)
    return [" − ".join(labels[agent] for agent in agents if agent in labels)]


def planner_notes(entries: "Iterable[TableEntry]") -> list[str]:
    """Returns a note for each planner of a table that is no language model."""
    planners = {entry.planner for entry in entries}
    return [f"{name} planner (no language model)" for name in KEYLESS if name in planners]


def condition_note(sweep: "Sweep", entries: "Iterable[TableEntry]") -> list[str]:
    """Returns a line about the condition of the language models of a table; none without a condition or a model."""
    if sweep.condition is None or not any(model_of(entry.planner) for entry in entries):
        return []
    return [f"language models play in {CONDITIONS[sweep.condition]}, but for options that say otherwise"]


def ask_note(episodes: "Iterable[Episode]") -> list[str]:
    """Returns a line that says when the planners of these games were asked again while a cook waited."""
    rules: set[Ask] = set()
    for episode in episodes:
        rules |= {seat.effective_ask for seat in episode.seats if seat.effective_ask is not None}
    if not rules:
        return []
    times = " or ".join(ASKED[rule] for rule in sorted(rules))
    return [f"a cook that waits is asked again {times}"]


def paper_note(blocks: "Sequence[TableBlock]") -> list[str]:
    """Returns a line with the language models behind the preprint's values, and one about those that are computed.

    None if there are no such values.
    """
    values: list[PaperValue] = []
    for block in blocks:
        for row in block.cells:
            values += [cell.paper for cell in row if cell.paper is not None]
    models = {value.model for value in values if value.model}
    if not models:
        return []
    notes = [f"preprint: values of another planner ({', '.join(sorted(models))})"]
    if any(value.computed for value in values):
        notes.append("computed: the mean of the preprint's values in this row or column")
    return notes


def marks_of(blocks: "Iterable[TableBlock]") -> set[Best]:
    """Returns the marks of the best that are in these tables."""
    return {cell.best for block in blocks for row in block.cells for cell in row} - {""}


def signs_note(blocks: "Iterable[TableBlock]") -> list[str]:
    """Returns a line about the signs of the best in these tables; none without signs."""
    return _marks_note(marks_of(blocks), {"all": BEST_OF_ALL, "kind": BEST_OF_KIND})


def styles_note(blocks: "Iterable[TableBlock]") -> list[str]:
    """Returns a line about the styles of the best in these tables as HTML; none without marks."""
    return _marks_note(marks_of(blocks), {"all": "underlined:", "kind": "bold:"})


def _marks_note(marks: set[Best], signs: Mapping[Best, str]) -> list[str]:
    parts = [f"{signs[mark]} {meaning}" for mark, meaning in BEST_MEANINGS.items() if mark in marks]
    return [f"{', '.join(parts)}; perhaps by chance"] if parts else []


def margins_note(sweep: "Sweep") -> list[str]:
    """Returns a line about the last row and column of a table with margins."""
    if not sweep.table.margins:
        return []
    return ["P0 plays seat 0 (rows), P1 seat 1 (columns); each seed counts with the mean of all its games"]


FALLBACKS = "planner_fallbacks"


def fallback_note(games: Iterable[Mapping[str, MeasureValue] | None]) -> list[str]:
    """Returns a line about the decisions without a usable answer in these games; none if there were none.

    Results with such games are not the model's alone.
    """
    counts = [int(game.get(FALLBACKS) or 0) for game in games if game is not None]
    total = sum(counts)
    if not total:
        return []
    affected = sum(count > 0 for count in counts)
    decisions = "decision" if total == 1 else "decisions"
    noun = "game" if len(counts) == 1 else "games"
    return [
        f"{total} {decisions} in {affected} of {len(counts)} {noun} had no usable "
        f"answer: there the cook stayed, which the figures include (planner fallbacks)"
    ]
