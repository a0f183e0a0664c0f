"""The figure of an exam: a panel for each of six marks, a dot with its interval for each planner."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bba.bench.statistics import Summary
from bba.exam.answers import Result
from bba.exam.marks import MARKS, Mark, items_of, marks_of
from bba.files import write_whole
from bba.palette import LIGHT
from bba.report.drawing import DIM, Axes, colour, draw, marker, page_colours, standalone

PANELS = ("usable", "complementary", "duplicates", "follows", "heeded", "lost")
TITLES = {
    "usable": "usable answers",
    "complementary": "complement the belief",
    "duplicates": "duplicate the belief's role",
    "follows": "follow the belief (difference)",
    "heeded": "heed hazards",
    "lost": "points lost against rollout",
}
FILE = "exam.svg"


def figure(results: Sequence[Result]) -> str:
    """Returns the figure as SVG; the same answers give the same text."""
    marks = [marks_of(items_of(result)) for result in results]
    panels = [mark for name in PANELS for mark in MARKS if mark.name == name]

    def paint(_: Any, axes: list[list[Axes]]) -> None:
        for number, (panel, mark) in enumerate(zip((one for row in axes for one in row), panels, strict=True)):
            panel.set_title(TITLES[mark.name])
            for row, found in enumerate(marks):
                _dot(panel, found[mark.name], row, mark)
            names = [result.planner for result in results] if number % 3 == 0 else []
            panel.set_yticks(range(len(results)), names or [""] * len(results))
            panel.set_ylim(len(results) - 0.5, -0.5)
            panel.grid(visible=False, axis="y")
            _scale(panel, mark)

    drawn = draw("exam", (2, 3), 1.4 + 2 * 0.26 * max(len(results), 3), paint)
    return standalone(drawn, page_colours(LIGHT))


def _dot(panel: Axes, summary: Summary | None, row: int, mark: Mark) -> None:
    """Draws a mark with its interval."""
    if summary is None:
        return
    scale = 1 if mark.points else 100
    if summary.low is not None and summary.high is not None:
        ends = [scale * summary.low, scale * summary.high]
        panel.plot(ends, [row, row], color=colour(row), linewidth=1.3, solid_capstyle="round")
    panel.plot([scale * summary.mean], [row], marker(row), color=colour(row), markersize=5)


def _scale(panel: Axes, mark: Mark) -> None:
    if mark.name == "follows":
        panel.axvline(0, color=DIM, linewidth=1)
    elif mark.points:
        panel.set_xlim(left=0)
    else:
        panel.set_xlim(0, 103)
    panel.set_xlabel("points" if mark.points else "%")


def write_figure(folder: Path, results: Sequence[Result]) -> Path:
    """Writes the figure into a folder and returns its path.

    Raises:
        BBAError: it cannot be written.
    """
    write_whole(folder / FILE, figure(results))
    return folder / FILE
