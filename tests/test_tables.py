"""Tables for people: the same table in Markdown, in HTML and on a terminal."""

import io

import pytest
from rich.console import Console

from bba.tables import Cell, Table, TableColumn, table_of, to_markdown
from bba.tables.html import to_html
from bba.tables.terminal import in_a_box, to_rich

COOKS = table_of(
    ["cook"],
    ["points"],
    ["remark"],
    rows=[["a|b", Cell("12", n=3, missing="1 missing", paper="10"), "<b>"], ["c", "7", ""]],
    title="x|y",
)


def printed(shown):
    console = Console(file=io.StringIO(), width=60)
    console.print(shown)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


def test_markdown_has_numbers_at_the_right_and_no_text_ends_a_cell():
    assert to_markdown(COOKS).splitlines() == [
        "## x\\|y",
        "",
        "| cook | points | remark |",
        "| --- | ---: | --- |",
        "| a\\|b | 12 [n = 3] [1 missing] (preprint 10) | <b> |",
        "| c | 7 |  |",
    ]


def test_cells_that_are_markdown_already_stay_as_they_are():
    table = table_of(["symbol"], rows=[["`a\\|b`"]])
    assert to_markdown(table, aligned=False, is_markdown=True) == "| symbol |\n|---|\n| `a\\|b` |"


def test_html_has_a_caption_only_with_a_title_and_escapes_texts():
    html = to_html(COOKS)
    assert html.startswith("<table><caption>x|y</caption><thead><tr><th>cook</th>")
    assert "<td>&lt;b&gt;</td>" in html
    assert "caption" not in to_html(table_of(["cook"], rows=[["a"]]))


def test_a_terminal_shows_what_is_missing_and_the_preprints_value_below_the_text():
    assert printed(to_rich(COOKS)) == [
        "cook       points  remark",
        "a|b            12  <b>",
        "      [1 missing]",
        "      preprint 10",
        "c               7",
    ]


def test_the_best_has_a_sign_in_text_and_a_style_in_html():
    cells = [Cell("12", best="all", paper="10"), Cell("9", best="kind"), Cell("7")]
    table = table_of([], ["a", "b", "c"], rows=[cells])
    assert to_markdown(table).splitlines()[-1] == "| ★ 12 (preprint 10) | ☆ 9 | 7 |"
    assert printed(to_rich(table))[1].split() == ["★", "12", "☆", "9", "7"]
    row = "<tr><td><b><u>12</u></b> (preprint 10)</td><td><b>9</b></td><td>7</td></tr>"
    assert to_html(table).endswith(f"<tbody>{row}</tbody></table>")


def test_a_box_stands_below_its_title():
    lines = printed(in_a_box(COOKS))
    assert lines[0] == "x|y"
    assert lines[1].startswith("┏")


def test_a_column_can_have_its_decimal_points_below_one_another():
    rows = ((Cell("9.25"),), (Cell("10"),), (Cell("–"),))
    table = Table((TableColumn("value", "point"),), rows)
    assert printed(to_rich(table)) == ["value", " 9.25", "10", " –"]


@pytest.mark.parametrize("heading", ["value", "a longer heading"])
def test_a_table_without_rows_has_its_headings(heading):
    assert printed(to_rich(Table((TableColumn(heading, "point"),), ()))) == [heading]
