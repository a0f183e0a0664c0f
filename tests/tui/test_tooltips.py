"""Every symbol and term is explained once: under the mouse, in a footnote where there is room, and in the help."""

import pytest
from textual.content import Content
from textual.widgets import TabbedContent

from bba.analysis.measures import MEASURES
from tests.helpers.app import paused_app, with_panels
from tests.helpers.wait_for_idle import drawn
from tui.glossary import BY_SIGN, TERMS, explained
from tui.screens.help import HelpScreen
from tui.style.base_app import BaseApp
from tui.widgets.events import SymbolsPanel
from tui.widgets.gate import GatePanel
from tui.widgets.panel import ExplainedLines, TitleBar
from tui.widgets.posterior import PosteriorPanel
from tui.widgets.sorted_table import SortableCell, SortedTable
from tui.widgets.timeline import Timeline
from tui.widgets.tuning import Slider, TuningPanel


def test_the_symbols_of_the_screens_and_every_measure_are_explained():
    assert {"ego", "posterior", "MAP", "ℓ", "θ", "Γ", "K", "u", "gap", "comp"} <= BY_SIGN.keys()
    for measure in MEASURES.values():
        assert explained(measure.label).startswith(f"{measure.label}: {measure.meaning}")


def test_terms_are_found_as_whole_words_the_longer_ones_first_each_once():
    assert [line.split(":")[0] for line in explained("judged 0.47 < Γ 0.65, u 12 ≥ K 3, now u 13").splitlines()] == [
        "judged",
        "Γ",
        "u",
        "K",
    ]
    assert explained("gap rate").startswith("gap rate: ")
    assert "\n" not in explained("gap rate")
    assert explained("update, Kitchen, your partner") == ""
    assert explained("two switches") == f"switch: {BY_SIGN['switch']}"


def tooltip(widget) -> str:
    return widget.tooltip.plain if widget.tooltip is not None else ""


async def test_the_mouse_explains_lines_sliders_and_the_timeline_which_can_still_be_dragged():
    async with with_panels(paused_app(200, horizon=400), "gate").run_test(size=(120, 40)) as pilot:
        await drawn(pilot)
        screen = pilot.app.screen
        assert not screen.query_one(SymbolsPanel).display, "there is no room for a footnote"
        gate, posterior = screen.query_one(GatePanel), screen.query_one(PosteriorPanel)
        rows = [line.plain for line in gate.lines(gate.snapshot, gate.content_size.width)]
        evidence = next(number for number, row in enumerate(rows) if "ℓ" in row)
        await pilot.hover(gate, offset=(5, evidence + 1))
        assert tooltip(gate) == f"ℓ: {BY_SIGN['ℓ']}\nθ: {BY_SIGN['θ']}"
        await pilot.hover(posterior, offset=(5, 0))
        assert tooltip(posterior) == f"posterior: {BY_SIGN['posterior']}\nobserver: {BY_SIGN['observer']}"
        await pilot.hover(posterior, offset=(5, 1))
        assert tooltip(posterior) == ""
        await pilot.hover(TitleBar)
        assert tooltip(screen.query_one(TitleBar)).startswith("ego: ")
        await pilot.press("u")
        sliders = screen.query_one(TuningPanel).query(Slider)
        assert sliders
        assert all(tooltip(slider) for slider in sliders)
        await pilot.press("u")

        # the bands and marks of the timeline
        await pilot.resize_terminal(120, 48)
        await drawn(pilot)
        timeline = screen.query_one(Timeline)
        row = next(y for y in range(timeline.content_size.height) if timeline.render_line(y).text.startswith("guess"))
        await pilot.hover(timeline, offset=(20, row + 1))
        assert tooltip(timeline) == f"MAP: {BY_SIGN['MAP']}"
        await pilot.hover(timeline, offset=(20, 0))
        assert "gap: " in tooltip(timeline)
        await pilot.mouse_down(timeline, offset=(20, 3))
        await pilot.hover(timeline, offset=(30, 3))
        await pilot.mouse_up(timeline, offset=(30, 3))
        await drawn(pilot)
        assert 0 < pilot.app.game_screen.snapshot.step < 200


async def test_a_table_explains_the_measure_of_a_column_and_a_debrief_that_of_a_line():
    async with BaseApp().run_test(size=(120, 40)) as pilot:
        table = SortedTable(by_row=False)
        lines = ExplainedLines([Content("reward   0"), Content("Comp@3   –")])
        await pilot.app.screen.mount(table, lines)
        table.show(["agent", "Comp@3", "gap rate"], [[SortableCell(name, name) for name in ("bayes", "0.5", "0.2")]])
        await pilot.pause()
        starts = [0, 7, 15]
        for column, term in ((1, "Comp@3"), (2, "gap rate")):
            for row in (0, 1):
                await pilot.hover(table, offset=(starts[column] + 2, row))
                assert tooltip(table).startswith(f"{term}: "), (column, row)
        await pilot.hover(lines, offset=(2, 1))
        assert tooltip(lines).startswith("Comp@3: ")


@pytest.mark.thorough
async def test_a_footnote_explains_the_symbols_where_there_is_room():
    async with with_panels(paused_app(5)).run_test(size=(200, 74)) as pilot:
        await drawn(pilot)
        panel = pilot.app.screen.query_one(SymbolsPanel)
        assert panel.display
        lines = [line.plain for line in panel.lines(panel.snapshot, panel.content_size.width)]
        assert panel.content_size.height >= 8
        assert all(len(line) <= panel.content_size.width for line in lines[:12])


@pytest.mark.thorough
async def test_the_help_has_a_page_of_them():
    async with paused_app(5).run_test(size=(120, 40)) as pilot:
        await pilot.press("question_mark")
        book = pilot.app.screen.query_one(TabbedContent)
        assert isinstance(pilot.app.screen, HelpScreen)
        text = "\n".join(static.visual.plain for static in book.query("Static"))
        assert all(term.meaning in text for term in TERMS)
        assert MEASURES["comp_at_3"].meaning in text
