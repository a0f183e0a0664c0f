"""Settings that were changed are marked without colour, as one types; the help says what the mark means."""

import pytest
from textual.widgets import Input, Label, Static

from tests.helpers.forks import live, still
from tests.helpers.start_screen import SIZE
from tui.screens.help import PLACE_NOTES
from tui.widgets.form_fields import CHANGE_MARK
from tui.widgets.tuning import Slider, TuningPanel


def marked(app) -> list[str]:
    """The labels of the fields that are marked."""
    labels = [str(label.visual) for label in app.screen.query(".field Label").results(Label)]
    return [label.removesuffix(f" {CHANGE_MARK}") for label in labels if label.endswith(CHANGE_MARK)]


async def help_says_it(app, pilot) -> bool:
    await pilot.press("f1")
    notes = [str(note.visual) for note in app.screen.query(Static)]
    await pilot.press("escape")
    return any(note in notes for note in PLACE_NOTES.values() if note.startswith(CHANGE_MARK))


@pytest.mark.usefixtures("shown_pair")
async def test_the_start_form_and_what_stands_behind_more_mark_what_is_not_the_default(app):
    async with app.run_test(size=SIZE) as pilot:
        assert marked(app) == []
        seed = app.screen.query_one("#seed", Input)
        seed.focus()
        await pilot.press("home", "0")
        assert marked(app) == [], "015 is 15"
        await pilot.press("1")
        assert marked(app) == ["seed"]
        app.screen.query_one("#layout").focus()
        await pilot.press("right")
        assert marked(app) == ["kitchen", "seed"]
        assert await help_says_it(app, pilot)

        await pilot.press("escape", "plus", "right")
        assert marked(app) == ["planner"]
        app.screen.query_one("#model", Input).value = "tiny"
        app.screen.query_one("#turns").action_change(1)
        app.screen.query_one("#horizon", Input).value = "x"
        await pilot.pause()
        assert marked(app) == ["planner", "model", "steps", "pace"]
        app.screen.query_one("#horizon", Input).value = "2400"
        await pilot.pause()
        assert marked(app) == ["planner", "model", "pace"]
        assert await help_says_it(app, pilot)
        await pilot.press("enter")
        await pilot.pause()
        assert str(app.screen.query_one("#more").label).startswith(f"more {CHANGE_MARK}: planner openai tiny")
        assert await help_says_it(app, pilot)


async def test_what_if_marks_what_is_not_as_in_the_game_and_tuning_what_is_not_the_default():
    app = still(live())
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("u", "right")
        slider = app.screen.query(Slider).first()
        assert slider.render().plain.startswith(f"▸{CHANGE_MARK}{slider.label}")
        await pilot.press("backspace")
        assert slider.render().plain.startswith(f"▸ {slider.label}")
        assert CHANGE_MARK in TuningPanel.ABOUT
        await pilot.press("right", ".", "escape", "w")
        assert marked(app) == [], "the game itself has other parameters than the default"
        app.screen.query_one("#stability", Input).value = "5"
        app.screen.query_one("#knows").action_change(1)
        await pilot.pause()
        assert marked(app) == ["goes by", "K stability"]
        assert await help_says_it(app, pilot)
