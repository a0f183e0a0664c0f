"""Which points of the preprint's prompts a text makes: the strict layout all of them and no other."""

from dataclasses import replace

import pytest

from bba.planner import Prompts
from bba.planner.preprint_points import POINTS, remarks
from bba.planner.prompt_loader import Template

STRICT = Prompts.load(layout="strict")
NOTHING = frozenset[str]()
THEIRS = [point for point in POINTS if point.in_preprint]
OURS = [point for point in POINTS if not point.in_preprint]


def said(text: str, name: str) -> Prompts:
    """The strict prompts with one other text."""
    template = Template(text, NOTHING, NOTHING, "mine.md", 5)
    if name in STRICT.lines:
        return replace(STRICT, lines=STRICT.lines | {name: template})
    return replace(STRICT, templates=STRICT.templates | {name: template})


def test_the_strict_layout_makes_every_point_and_no_other():
    assert remarks(STRICT) == []


@pytest.mark.parametrize("point", THEIRS, ids=lambda point: f"{point.text}: {point.says}")
def test_a_text_without_a_point_lacks_it(point):
    found = remarks(said("Cook.", point.text))
    assert f"mine.md: lacks {point.says}" in [str(remark) for remark in found]
    assert len(found) == sum(other.text == point.text for other in THEIRS)


def test_the_layout_that_is_ours_makes_every_point_that_the_preprint_has_not():
    found = [remark.says for remark in remarks(Prompts.load()) if remark.line is not None]
    assert found == [point.says for point in OURS]


def test_a_point_that_the_preprint_has_not_is_told_with_its_line():
    with_more = said(
        STRICT.templates["base"].text + "\n\nA streak of first orders is worth half as much again.", "base"
    )
    line = 5 + with_more.templates["base"].text.count("\n")
    assert [str(remark) for remark in remarks(with_more)] == [
        f"mine.md, line {line}: the preprint has not: streaks and their multiplier",
        f"mine.md, line {line}: the preprint has not: the price of what nobody ordered",
    ]
