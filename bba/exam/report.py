"""The results of an exam: the table over planners, those of one planner, and the figure.

The figure has a panel for each of six marks, with a dot and its interval for each planner.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bba.bench.statistics import Summary
from bba.exam.answers import Result
from bba.exam.marks import BY_KIND, EXAM_MARKS, MARK, Mark, MarkedAnswers, items_of, marks_by, marks_of
from bba.exam.prices import used
from bba.exam.situations import SITUATION_KINDS
from bba.files import write_whole
from bba.palette import LIGHT
from bba.report.drawing import DIM, Axes, colour, draw, marker, page_colours, standalone
from bba.report.formatting import NONE
from bba.tabular import to_markdown

USED = ("tokens sent", "received", "s", "$")
EXAM_ROWS = (
    "usable",
    "complementary",
    "duplicates",
    "follows",
    "changed_clear",
    "heeded",
    "lost",
)  # in the table over planners


def mark_text(summary: Summary | None, mark: Mark) -> str:
    """Returns a mark with its interval: a share or difference in percent, or points."""
    if summary is None:
        return NONE
    scale, places = (1, 1) if mark.points else (100, 0)
    text = f"{scale * summary.mean:z.{places}f}"
    if summary.low is None or summary.high is None:
        return text
    return f"{text} [{scale * summary.low:z.{places}f}, {scale * summary.high:z.{places}f}]"


def over_planners(results: Iterable[Result]) -> tuple[list[str], list[list[str]]]:
    """Returns the heading and the rows of the table over planners."""
    heading = ["planner", "answers", *(MARK[name].label for name in EXAM_ROWS), *USED]
    return heading, [_row(result) for result in results]


def _row(result: Result) -> list[str]:
    marks = marks_of(items_of(result))
    count = str(result.total) if result.complete else f"{len(result.answers)} of {result.total}"
    found = used(result)
    sign = "~" if found.estimated else ""
    return [
        result.planner,
        count,
        *(mark_text(marks[name], MARK[name]) for name in EXAM_ROWS),
        *(f"{sign}{number:,.0f}" if found.sent else NONE for number in (found.sent, found.received)),
        f"{found.seconds:.2f}",
        NONE if found.dollars is None else f"{found.dollars:.2f}",
    ]


def all_marks(items: MarkedAnswers) -> tuple[list[str], list[list[str]]]:
    """Returns the table of all marks of one planner."""
    rows = [
        [mark.label, mark_text(found, mark), str(found.n) if found else NONE, mark.about]
        for mark, found in zip(EXAM_MARKS, marks_of(items).values(), strict=True)
    ]
    return ["mark", "%, lost in points", "of", "what it says"], rows


def by_kind(items: MarkedAnswers) -> tuple[list[str], list[list[str]]]:
    """Returns the table of one planner's marks by kind of situation, then by kitchen."""
    groups: Mapping[str, Mapping[str, Summary | None]] = {
        **marks_by(items, lambda item: item.situation.kind),
        **marks_by(items, lambda item: item.situation.kitchen),
    }
    rows = [
        [name, *(mark_text(marks[one], MARK[one]) for one in BY_KIND), SITUATION_KINDS.get(name, "")]  # type: ignore[call-overload]
        for name, marks in groups.items()
    ]
    return ["questions", *(MARK[name].label for name in BY_KIND), ""], rows


def as_markdown(results: Sequence[Result]) -> str:
    """Returns the table over planners as a Markdown file, with what its columns are."""
    heading, rows = over_planners(results)
    notes = [f"- **{MARK[name].label}**: {MARK[name].about}" for name in EXAM_ROWS]
    notes.append("- **tokens sent**, **received**, **s**: of an answer, with the median time; **$**: all answers")
    table = to_markdown(tuple(heading), (tuple(row) for row in rows))
    about = "Percent with 95 % intervals; *lost* in points. `scripted` and `rollout` are no language models."
    return f"# Exam\n\n{table}\n\n{about}\n\n" + "\n".join(notes) + "\n"


PANEL_TITLES = {
    "usable": "usable answers",
    "complementary": "complement the belief",
    "duplicates": "duplicate the belief's role",
    "follows": "follow the belief (difference)",
    "heeded": "heed hazards",
    "lost": "points lost against rollout",
}
FIGURE_FILE = "exam.svg"


def figure(results: Sequence[Result]) -> str:
    """Returns the figure as SVG; the same answers give the same text."""
    marks = [marks_of(items_of(result)) for result in results]

    def paint(_: Any, axes: list[list[Axes]]) -> None:
        for number, (panel, name) in enumerate(zip((one for row in axes for one in row), PANEL_TITLES, strict=True)):
            panel.set_title(PANEL_TITLES[name])
            for row, found in enumerate(marks):
                _dot(panel, found[name], row, MARK[name])
            names = [result.planner for result in results] if number % 3 == 0 else []
            panel.set_yticks(range(len(results)), names or [""] * len(results))
            panel.set_ylim(len(results) - 0.5, -0.5)
            panel.grid(visible=False, axis="y")
            _scale(panel, MARK[name])

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
    else:
        panel.set_xlim(0, None if mark.points else 103)
    panel.set_xlabel("points" if mark.points else "%")


def write_figure(folder: Path, results: Sequence[Result]) -> Path:
    """Writes the figure into a folder and returns its path.

    Raises:
        BBAError: it cannot be written.
    """
    write_whole(folder / FIGURE_FILE, figure(results))
    return folder / FIGURE_FILE
