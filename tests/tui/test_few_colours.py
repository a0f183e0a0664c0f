"""With sixteen colours or none at all the screen still says everything."""

import pytest
from rich.color import Color, ColorSystem

from bba.analysis.names import role_does
from tests.helpers.app import paused_app, with_panels
from tests.helpers.contrast import lines, texts, unreadable
from tui.style.base_app import PALETTES
from tui.widgets.timeline import Timeline
from tui.widgets.timeline_drawing import GUTTER
from tui.widgets.timeline_style import LONG_NAMES, ROLE_LETTERS, runs

SIZE = (120, 40)


@pytest.mark.thorough
@pytest.mark.parametrize("theme", PALETTES)
async def test_with_sixteen_colours_no_text_vanishes_in_its_ground(theme):
    app = paused_app(200, {"theme": theme}, horizon=400)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        for text, style in texts(app):
            ink, ground = (colour.downgrade(ColorSystem.STANDARD) for colour in (style.color, style.bgcolor))
            assert ink != ground, text


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)
def test_with_sixteen_colours_roles_stay_apart(palette):
    few = [Color.parse(colour).downgrade(ColorSystem.STANDARD).number for colour in (*palette.roles, palette.ground)]
    assert len(set(few)) == len(few)


@pytest.mark.thorough
async def test_without_colours_letters_say_which_role_begins_and_signs_how_it_fits(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    app = paused_app(200, horizon=400)
    async with app.run_test(size=(120, 48)) as pilot:
        await pilot.pause()
        timeline = app.screen.query_one(Timeline)
        true, believed, fit, ego = (line[GUTTER:] for line in band_rows(timeline))
        data, window = timeline.timeline_data_of(app.game_screen.snapshot), timeline.window
        stretch = data.over(window.edges(len(data)))
        for line, roles in ((true, stretch.true), (believed, stretch.believed), (ego, stretch.ego)):
            begins = [place for place in range(len(roles)) if place == 0 or roles[place] != roles[place - 1]]
            assert all(line[place] == ROLE_LETTERS[roles[place]] for place in begins if roles[place] >= 0)
        assert set(fit) >= {"✓", "✗"}
        assert "Rice" in str(timeline.border_subtitle)


@pytest.mark.parametrize("height", [24, 40])
async def test_without_colours_all_four_bands_have_letters_in_small_terminals_too(monkeypatch, height):
    monkeypatch.setenv("NO_COLOR", "1")
    app = paused_app(200, horizon=400)
    async with app.run_test(size=(120, height)) as pilot:
        await pilot.pause()
        timeline = app.screen.query_one(Timeline)
        shown = "".join(timeline.render_line(y).text[GUTTER:] for y in range(timeline.content_size.height))
        assert {"✓", "✗"} <= set(shown)
        assert set(ROLE_LETTERS) & set(shown)


@pytest.mark.thorough
@pytest.mark.parametrize("theme", PALETTES)
async def test_with_colours_long_runs_have_the_initial_of_their_role_in_their_middle_and_short_ones_none(theme):
    app = paused_app(200, {"theme": theme}, horizon=400)
    async with app.run_test(size=(120, 48)) as pilot:
        await pilot.pause()
        timeline = app.screen.query_one(Timeline)
        data, window = timeline.timeline_data_of(app.game_screen.snapshot), timeline.window
        part = data.over(window.edges(len(data)))
        rows = [line[GUTTER:] for line in band_rows(timeline)]
        for values, row in ((part.true, rows[0]), (part.believed, rows[1]), (part.ego, rows[3])):
            long = [run for run in runs(values) if run.length >= LONG_NAMES and run.value >= 0]
            assert {run.middle: ROLE_LETTERS[run.value] for run in long} == letters(row)
        assert set(letters(rows[2]).values()) == {"✓", "✗"}


@pytest.mark.thorough
@pytest.mark.parametrize("height", [34, 40])
async def test_in_few_rows_initials_stand_where_true_and_most_likely_role_agree_for_long(height):
    app = paused_app(200, horizon=400)
    async with app.run_test(size=(120, height)) as pilot:
        await pilot.pause()
        timeline = app.screen.query_one(Timeline)
        data, window = timeline.timeline_data_of(app.game_screen.snapshot), timeline.window
        part = data.over(window.edges(len(data)))
        drawn = [timeline.render_line(y).text for y in range(timeline.content_size.height)]
        row = next(text[GUTTER:] for text in drawn if text.startswith("is/guess"))
        found = letters(row)
        assert found
        assert all(ROLE_LETTERS[part.true[at]] == ROLE_LETTERS[part.believed[at]] == sign for at, sign in found.items())


def letters(row: str) -> dict[int, str]:
    """The letters and signs of a band, by column."""
    return {column: char for column, char in enumerate(row) if char in f"{ROLE_LETTERS}✓✗"}


async def test_without_colours_lamps_and_the_likeliest_role_are_told_by_signs(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    app = with_panels(paused_app(200, horizon=400), "gate")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        rows = ["".join(segment.text for segment in row) for row in lines(app)]
        assert any("● " in row for row in rows)
        assert any("○ " in row for row in rows)
        posterior = app.screen.query_one("#posterior").content_region
        marked = [
            rows[y] for y in range(posterior.y, posterior.bottom) if "│" in rows[y][posterior.x : posterior.right]
        ]
        best = max(range(6), key=app.game_screen.snapshot.posterior.__getitem__)
        assert [role_does(best) in row for row in marked] == [True]
        assert {len(set(style.color.triplet)) for _, style in texts(app)} == {1}  # greys
        assert {text for text, *_ in unreadable(app, 2.5)} <= {"○"}  # an unlit lamp is faint on purpose


def band_rows(timeline: Timeline) -> list[str]:
    """The rows of the four bands as they are drawn."""
    drawn = [timeline.render_line(y).text for y in range(timeline.content_size.height)]
    first = next(y for y, text in enumerate(drawn) if text.startswith("is "))
    return drawn[first : first + 4]
