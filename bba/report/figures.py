"""The figures of a sweep: which ones there are, their captions and their data."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from bba.bench.presets import Axis
from bba.bench.results_reader import StoredSweep
from bba.bench.tables import TableBlock, table_blocks
from bba.errors import BBAError
from bba.files import write_whole
from bba.palette import LIGHT
from bba.report import drawing
from bba.report.drawing import check_drawing, page_colours, standalone
from bba.report.formatting import measure_meaning, without_planner

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
        return standalone(self.svg, page_colours(LIGHT))

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
    check_drawing()
    return list(figures(sweep, re.sub(r"\W+", "-", sweep.sweep.name)))


def figures(stored: StoredSweep, name: str) -> Iterator[ReportFigure]:
    """Yields the figures for a sweep's measures and axes; `name` makes the ids of its drawings unique on the page."""
    stored = replace(stored, entries=without_planner(stored.entries))
    sweep = stored.sweep
    if sweep.table.paired:
        first, second = sweep.table.paired
        pairs = f"{first} − {second} over matched pairs with 95 % bootstrap intervals"
        caption = f"{pairs}; hollow dots are values of the preprint"
        found = _blocks(stored, sweep.table.measures, columns=())
        yield ReportFigure("Paired differences", caption, drawing.dots(f"{name}-paired", found, zero=True))
    elif len(sweep.variants) > 1:
        yield from _sensitivity(stored, name)
    elif set(sweep.table.axes) == {"layout", "agent", "group"} and "group" in sweep.table.columns:
        found = table_blocks(sweep, stored.entries, stored.results)
        caption = "rows are who plays seat 0, columns seat 1; in brackets the preprint's value"
        yield ReportFigure("Cross-play", caption, drawing.matrix(f"{name}-matrix", found, sweep.table.measures[0]))
    else:
        yield from _by_setting(stored, name)


def _by_setting(stored: StoredSweep, name: str) -> Iterator[ReportFigure]:
    asked = set(stored.sweep.table.measures)
    if "reward" in asked:
        found = _blocks(stored, ("reward",))
        yield ReportFigure("Reward by setting", SPREAD, drawing.dots(f"{name}-reward", found))
    if {"reward", "replans"} <= asked and len({entry.agent for entry in stored.entries}) > 1:
        found = _blocks(stored, ("reward", "replans"))
        caption = "reward against interruptions of the agent's own skill: a selective agent is high up on the left"
        yield ReportFigure("Reward against replans", caption, drawing.selectivity(f"{name}-replans", *found))
    if "gap_rate" in asked:
        found = _blocks(stored, ("gap_rate", "comp_at_3"))
        caption = f"left, {measure_meaning('gap_rate')}; right, {measure_meaning('comp_at_3')}"
        yield ReportFigure("Belief–action gap and Comp@3", f"{caption}; {SPREAD}", drawing.dots(f"{name}-gap", found))
    if "recovery" in asked and any(result.switch_responses for result in stored.results.values()):
        caption = (
            "the share of the partner's true switches that are followed within so many steps: above, by the belief "
            "(its MAP is the true role), below, by the agent (it runs a skill that complements the true role)"
        )
        yield ReportFigure("After a switch", caption, drawing.recovery(f"{name}-recovery", _delays(stored)))


def _sensitivity(stored: StoredSweep, name: str) -> Iterator[ReportFigure]:
    changes = {variant.label: variant.changes for variant in stored.sweep.variants}
    if all(len(changed) == 1 for changed in changes.values()):
        found = _blocks(stored, stored.sweep.table.measures, rows=("variant",), columns=("agent",))
        parameters: dict[str, dict[str, float]] = {}
        for label, changed in changes.items():
            ((parameter, value),) = changed.items()
            parameters.setdefault(parameter, {})[label] = value
        caption = f"one parameter at a time, low, middle and high; {SPREAD}"
        yield ReportFigure("Sensitivity", caption, drawing.sensitivity(f"{name}-sensitivity", found, parameters))


def _blocks(
    stored: StoredSweep,
    measures: tuple[str, ...],
    rows: tuple[Axis, ...] = ("layout", "group"),
    columns: tuple[Axis, ...] = ("agent",),
) -> list[TableBlock]:
    axes = {"blocks": ("measure",), "rows": rows, "columns": columns}
    table = stored.sweep.table.model_copy(update={**axes, "measures": measures})
    return table_blocks(stored.sweep.model_copy(update={"table": table}), stored.entries, stored.results)


def _delays(stored: StoredSweep) -> drawing.Delays:
    """Returns the delays of belief and agent after each switch, by kitchen and agent."""
    found: drawing.Delays = {}
    for entry in stored.entries:
        responses = stored.results[entry.key].switch_responses if entry.key in stored.results else ()
        delays = found.setdefault(entry.layout, {}).setdefault(entry.label, ([], []))
        delays[0].extend(response.noticed for response in responses)
        delays[1].extend(response.complemented for response in responses)
    return found
