"""What "more" on the start screen says of a language model: whether a key is set, never which, and its price."""

import pytest
from textual.widgets import Input, Select, Static

from tests.helpers.model_backends import clear_environment
from tests.helpers.wait_for_idle import until
from tui.app.app import BBAApp
from tui.preferences import AppState
from tui.screens.game_form import GameForm
from tui.screens.start import StartScreen
from tui.widgets.form_fields import OptionSelect

SIZE = (80, 24)
KEY = "sk-canary-0123456789"


@pytest.fixture(autouse=True)
def nothing_from_outside(monkeypatch):
    clear_environment(monkeypatch)


async def notes(tmp_path, *chosen) -> list[tuple[str, str, str]]:
    """The note on the price, the one on the key, and everything on the screen, for each planner and model chosen."""
    app = BBAApp(state=AppState(tmp_path / "start.json"))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("plus")
        found = []
        for planner, model in chosen:
            app.screen.query_one("#planner", Select).value = planner
            if model is not None:
                app.screen.query_one("#model", Input).value = model
            await pilot.pause()
            said = [app.screen.query_one(f"#{name}-note", Static) for name in ("price", "key")]
            assert all(app.screen.query_one("#more-settings").region.contains_region(note.region) for note in said)
            found.append((*(str(note.visual) for note in said), app.export_screenshot()))
        return found


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["OPENAI_API_KEY", "BBA_API_KEY"])
async def test_it_says_that_a_key_is_set_and_never_which(tmp_path, monkeypatch, name):
    monkeypatch.setenv(name, KEY)
    ((_, said, screen),) = await notes(tmp_path, ("openai", None))
    assert said == f"key: {name} is set; none is asked for here or stored"
    assert KEY not in screen
    assert "canary" not in screen


async def test_it_says_that_no_key_is_set_and_where_one_would_be_and_what_the_model_costs_or_that_it_is_unknown(
    tmp_path,
):
    chosen = [
        ("openai", None),
        ("litellm", "anthropic/claude-sonnet-4-5"),
        ("openai", "gpt-4o"),
        ("openai", "llama3.1"),
    ]
    (_, first, _), (_, other, _), (known, *_), (unknown, *_) = await notes(tmp_path, *chosen)
    assert first == "key: no key is set (OPENAI_API_KEY or BBA_API_KEY); none is asked for here or stored"
    assert other == "key: no key is set (ANTHROPIC_API_KEY or BBA_API_KEY); none is asked for here or stored"
    assert known == "price: $2.5 sent, $10 received, per million tokens"
    assert unknown == "price: unknown, so the cost is, too (see --prices)"


@pytest.mark.thorough
async def test_the_world_waits_unless_real_time_is_chosen_which_is_remembered(tmp_path):
    state = AppState(tmp_path / "start.json")
    app = BBAApp(state=state)
    async with app.run_test(size=SIZE) as pilot:
        assert not app.screen.query_one(GameForm).settings().real_time
        await pilot.press("plus")
        app.screen.query_one("#planner", Select).value = "openai"
        await pilot.pause()
        waiting = app.screen.query_one("#real_time", OptionSelect)
        assert waiting.chosen == "the world waits"
        waiting.focus()
        await pilot.press("right", "enter")
        await until(pilot, lambda: isinstance(app.screen, StartScreen))
        settings = app.screen.query_one(GameForm).settings()
        assert settings.real_time
    state.keep(settings)
    assert state.recall().real_time
