"""The results of an exam: the table over planners, those of one planner, and the figure.

The figure has a panel for each of six marks, with a dot and its interval for each planner, and a line at chance.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from bba.bench.statistics import Summary
from bba.exam.answers import Result
from bba.exam.chance import AT_RANDOM, Row, beside_references, between_repeats, rows_of
from bba.exam.marks import BY_KIND, EXAM_MARKS, MARK, Mark, MarkedAnswers, mark_text, marks_by, marks_of
from bba.exam.prices import used
from bba.exam.situations import SITUATION_KINDS
from bba.palette import LIGHT
from bba.report.drawing import DIM, Axes, colour, draw, marker, page_colours, standalone
from bba.report.formatting import NONE
from bba.tabular import to_markdown

BESIDE = ("than chance", "than STAY")
USED = ("tokens sent", "received", "s", "$")
EXAM_ROWS = (
    "usable",
    "complementary",
    "duplicates",
    "follows",
    "changed_clear",
    "heeded",
    "most_frequent",
    "first",
    "lost",
)  # in the table over planners


def over_planners(results: Sequence[Result]) -> tuple[list[str], list[list[str]]]:
    """Returns the heading and the rows of the table over planners, those that every table has above."""
    heading = ["planner", "answers", *(MARK[name].label for name in EXAM_ROWS), *BESIDE, *USED]
    return heading, [_row(row) for row in rows_of(results)]


def _row(row: Row) -> list[str]:
    marks, result = marks_of(row.items), row.result
    texts = [*(mark_text(marks[name], MARK[name]) for name in EXAM_ROWS)]
    texts += (
        [NONE for _ in BESIDE] if row.name == AT_RANDOM else [said or NONE for said in beside_references(row.items)]
    )
    if result is None:
        return [row.name, str(len(row.items)), *texts, *(NONE for _ in USED)]
    found = used(result)
    sign = "~" if found.estimated else ""
    return [
        row.name,
        str(result.total) if result.complete else f"{len(result.answers)} of {result.total}",
        *texts,
        *(f"{sign}{number:,.0f}" if found.sent else NONE for number in (found.sent, found.received)),
        f"{found.seconds:.2f}",
        NONE if found.dollars is None else f"{found.dollars:.2f}",
    ]


def all_marks(items: MarkedAnswers) -> tuple[list[str], list[list[str]]]:
    """Returns the table of all marks of one planner, each beside that of skills at random."""
    chance = [item.at_random() for item in items]
    rows = [
        [
            *(mark.label, mark_text(found, mark), mark_text(mark.of(chance), mark)),
            *(str(found.n) if found else NONE, mark.about),
        ]
        for mark, found in zip(EXAM_MARKS, marks_of(items).values(), strict=True)
    ]
    return ["mark", "%, lost in points", "at random", "of", "what it says"], rows


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
    about = (
        "Percent with 95 % intervals; *lost* in points. A feasible skill at random is computed exactly. `scripted` and "
        "`rollout` are no language models. *than chance*, *than STAY*: whether the points lost are told apart from "
        "those of a skill at random, or of waiting each time, by the paired bootstrap interval over questions."
    )
    repeats = [f"- {text}" for text in between_repeats(results)]
    return f"# Exam\n\n{table}\n\n{about}\n\n" + "\n".join([*notes, *repeats]) + "\n"


PANEL_TITLES = {
    "usable": "usable answers",
    "complementary": "complement the belief",
    "duplicates": "duplicate the belief's role",
    "follows": "follow the belief (difference)",
    "heeded": "heed hazards",
    "lost": "points lost against rollout",
}


def figure(results: Sequence[Result]) -> str:
    """Returns the figure as SVG; the same answers give the same text."""
    rows = rows_of(results)
    marks = [marks_of(row.items) for row in rows]
    chance = next(found for row, found in zip(rows, marks, strict=True) if row.name == AT_RANDOM)

    def paint(_: Any, axes: list[list[Axes]]) -> None:
        for number, (panel, name) in enumerate(zip((one for row in axes for one in row), PANEL_TITLES, strict=True)):
            panel.set_title(PANEL_TITLES[name])
            for row, found in enumerate(marks):
                _dot(panel, found[name], row, MARK[name])
            names = [row.name for row in rows] if number % 3 == 0 else []
            panel.set_yticks(range(len(rows)), names or [""] * len(rows))
            panel.set_ylim(len(rows) - 0.5, -0.5)
            if (expected := chance[name]) is not None:
                scale = 1 if MARK[name].points else 100
                panel.axvline(scale * expected.mean, color=DIM, linewidth=1, linestyle=(0, (5, 2)))
            panel.grid(visible=False, axis="y")
            _scale(panel, MARK[name])

    drawn = draw("exam", (2, 3), 1.4 + 2 * 0.26 * len(rows), paint)
    return standalone(drawn, page_colours(LIGHT))


def _dot(panel: Axes, summary: Summary | None, row: int, mark: Mark) -> None:
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
