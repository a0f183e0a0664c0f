"""Parameters of belief and gate can be changed while a game runs: from the next step on, noted, and nowhere else."""

import math
from itertools import pairwise

import pytest
from pydantic import ValidationError
from textual.widgets import Static

from bba.analysis.event_log import log_entries
from bba.analysis.snapshot import Snapshot
from bba.analysis.timeline import TimelineData, TimelineMark
from bba.config import PARAMETERS, TUNABLE_PARAMETERS, BeliefConfig, differences, parameters_for
from bba.errors import BBAError
from bba.play import Game, Replay, record
from bba.settings import GameOptions
from tests.helpers.app import paused_app, slow_source, texts
from tests.helpers.samples import few
from tests.helpers.slow_planners import SlowBackend, wait_for_answer
from tui.app.app import BBAApp
from tui.playback.source import PlaybackSource
from tui.playback.traces import TracePlayback
from tui.screens.watch import WatchScreen
from tui.widgets.events import EventsPanel
from tui.widgets.gate import GatePanel
from tui.widgets.kitchen_view import KitchenView
from tui.widgets.posterior import PosteriorPanel
from tui.widgets.tuning import DEFAULT, KNOB, Slider, TuningPanel

SIZE = (100, 36)
THETA, GAMMA = TUNABLE_PARAMETERS[0], TUNABLE_PARAMETERS[1]


def bayes(horizon: int = 400) -> Game:
    return Game("open", "bayes", "switching", 0, horizon=horizon)


def bayes_app(steps: int = 5, horizon: int = 400) -> BBAApp:
    source = PlaybackSource(lambda: bayes(horizon))
    for _ in range(steps):
        source.step()
    return BBAApp(source, autostart=False)


def tuned(app: BBAApp) -> BeliefConfig:
    """What the next step will be played with."""
    trace = app.game_screen.source.trace
    return trace.config_at(len(trace.ticks) + 1).belief_config


def slider(app: BBAApp, name: str) -> Slider:
    return app.screen.query_one(f"#slider-{name}", Slider)


def note(app: BBAApp) -> str:
    static = app.screen.query_one("#untunable")
    return static.content if static.display else ""


# --- the parameters --------------------------------------------------------------------------------------------
@pytest.mark.thorough
@pytest.mark.parametrize("parameter", TUNABLE_PARAMETERS, ids=lambda parameter: parameter.name)
def test_every_slider_value_is_a_value_that_the_setting_takes_and_the_default_is_one(parameter):
    assert parameter.of(BeliefConfig()) in parameter.info.slider_values
    assert list(parameter.info.slider_values) == sorted(set(parameter.info.slider_values))
    for value in parameter.info.slider_values:
        try:
            assert getattr(GameOptions.model_validate({parameter.name: value}), parameter.name) == value
        except ValidationError as error:
            pytest.fail(f"{parameter.name} does not take {value}: {error}")


def test_every_parameter_that_is_a_number_has_a_slider():
    names = {parameter.name for parameter in PARAMETERS if parameter.kind != "str"}
    assert {parameter.name for parameter in TUNABLE_PARAMETERS} == names


@pytest.mark.parametrize("parameter", TUNABLE_PARAMETERS, ids=lambda parameter: parameter.name)
def test_putting_a_parameter_changes_nothing_else(parameter):
    value = parameter.info.slider_values[-1]
    put = parameter.put(BeliefConfig(), value)
    assert parameter.of(put) == value
    assert parameter.put(put, parameter.of(BeliefConfig())) == BeliefConfig()


def test_differences_are_told_in_a_line():
    after = GAMMA.put(TUNABLE_PARAMETERS[2].put(BeliefConfig(), 5), 0.5)
    assert differences(BeliefConfig(), after) == "Γ 0.65 → 0.5, K 3 → 5"
    assert differences(after, after) == ""


# --- the slider ------------------------------------------------------------------------------------------------
def test_a_slider_goes_up_and_down_from_any_value_and_never_beyond_its_ends():
    values = GAMMA.info.slider_values
    one = Slider("Γ", values, 0.65, id="slider")
    between = [near for value in values for near in (math.nextafter(value, 0), value, math.nextafter(value, 1))]
    for value in (*between, *(low + (high - low) / 3 for low, high in pairwise(values))):
        one.value = value
        for by in (1, 2, 10, 99, 100):
            up, down = one.further(by), one.further(-by)
            assert up > value or up == 1.0, (value, by)
            assert down < value or down == 0.0, (value, by)
            assert {up, down} <= set(values), (value, by)


def test_from_between_two_slider_values_one_step_leads_to_the_next_on_either_side():
    one = Slider("Γ", GAMMA.info.slider_values, 0.65, id="slider")
    one.value = 0.637
    assert (one.further(-1), one.further(1)) == (0.63, 0.64)
    one.value = 0.63
    assert (one.further(-1), one.further(1)) == (0.62, 0.64)


# --- keys and mouse --------------------------------------------------------------------------------------------
async def test_keys_and_mouse_move_the_knob_beside_its_default_which_backspace_and_a_restart_give_back():
    app = bayes_app()
    async with app.run_test(size=SIZE) as pilot:
        # The arrows travel in the past, where nothing changes; back at the newest step the parameters do again.
        await pilot.press("left", "u", "right")
        assert "past" in note(app)
        await pilot.press("end", "right")
        assert note(app) == ""
        assert tuned(app) == THETA.put(BeliefConfig(), 0.05)
        await pilot.press("right", "backspace")
        assert tuned(app) == BeliefConfig()
        assert app.game_screen.source.trace.changes == []

        # The knob is where its value lies.
        await pilot.press("down", "shift+right")
        row = slider(app, "gamma_conf").render().plain
        assert row.endswith("0.75")
        assert row.index(KNOB) > row.index(DEFAULT)

        # A click moves it there, and a drag takes it along until the button is let go.
        one = slider(app, "gamma_conf")
        first, last = one.LABEL, one.content_size.width - 7
        await pilot.click(one, offset=(first, 0))
        assert tuned(app).gate.gamma_conf == 0.0
        await pilot.mouse_down(one, offset=(first, 0))
        await pilot.hover(one, offset=(last, 0))
        assert tuned(app).gate.gamma_conf == 1.0
        await pilot.mouse_up(one, offset=(last, 0))
        await pilot.hover(one, offset=(first, 0))
        assert tuned(app).gate.gamma_conf == 1.0


async def test_what_the_mouse_took_the_keys_change_a_past_step_shows_its_own_and_a_restart_the_original_ones():
    app = bayes_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("u")
        await pilot.pause()
        one = slider(app, "gamma_conf")
        await pilot.click(one, offset=(one.content_size.width - 7, 0))
        await pilot.press("left")
        assert tuned(app).gate.gamma_conf == 0.99
        await pilot.press("backspace", "up", "right", ".", "[")
        assert slider(app, "theta_obs").value == 0.04
        await pilot.press("end")
        assert slider(app, "theta_obs").value == 0.05
        await pilot.press("r", "left", "enter")
        await pilot.pause()
        assert tuned(app) == BeliefConfig()
        assert slider(app, "theta_obs").value == 0.04


@pytest.mark.thorough
async def test_keys_choose_a_parameter_and_change_it_from_the_next_step_on():
    app = bayes_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("u", "down", "left", "left")
        assert tuned(app) == GAMMA.put(BeliefConfig(), 0.63)
        await pilot.press("right", "up", "shift+left")
        values = THETA.info.slider_values
        assert tuned(app) == THETA.put(GAMMA.put(BeliefConfig(), 0.64), values[values.index(0.04) - 10])
        assert app.game_screen.source.trace.changes == [(5, app.game_screen.source.trace.config_at(6))]


@pytest.mark.thorough
async def test_choosing_goes_around_the_ends():
    app = bayes_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("u", "up", "right")
        assert tuned(app).filter.hazard == 0.01
        await pilot.press("down", "right")
        assert tuned(app).gate.theta_obs == 0.05


@pytest.mark.thorough
async def test_a_held_key_is_one_note_a_step():
    app = bayes_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("u", *["right"] * 5, ".", *["right"] * 5, ".")
        assert [played for played, _ in app.game_screen.source.trace.changes] == [5, 6]


@pytest.mark.thorough
@pytest.mark.parametrize("key", ["escape", "u"])
async def test_the_parameters_go_away_and_the_arrows_travel_again(key):
    app = bayes_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("u")
        assert app.screen.query_one(TuningPanel).display
        await pilot.press(key)
        assert not app.screen.query_one(TuningPanel).display
        await pilot.press("left")
        assert (app.game_screen.snapshot.step, tuned(app)) == (4, BeliefConfig())


@pytest.mark.thorough
async def test_while_the_parameters_are_shown_escape_does_not_lead_to_the_start_screen_and_other_keys_count():
    app = bayes_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("u", ".", "space")
        assert app.game_screen.newest >= 6
        assert app.game_screen.playing
        await pilot.press("space", "i", "right")
        assert tuned(app) != BeliefConfig()  # they come before the cursor's, too
        await pilot.press("escape")
        assert isinstance(app.screen, WatchScreen)


# --- the mouse -------------------------------------------------------------------------------------------------


# --- the first four, and more ----------------------------------------------------------------------------------
async def test_four_sliders_come_first_the_chosen_one_is_explained_and_going_on_shows_the_others():
    app = bayes_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("u")
        await pilot.pause()

        def shown() -> list[str]:
            return [one.label for one in app.screen.query(Slider) if one.display]

        assert shown() == ["θ evidence", "Γ confidence", "K stability", "cooldown"]
        assert "contradict" in str(app.screen.query_one("#chosen-slider", Static).content)
        assert "7 more" in str(app.screen.query_one("#more-sliders", Static).content)
        await pilot.press(*["down"] * 4)
        assert "k window" in shown()
        assert "λ told apart" not in shown()
        assert "looks at" in str(app.screen.query_one("#chosen-slider", Static).content)


# --- what it changes -------------------------------------------------------------------------------------------
@pytest.mark.thorough
async def test_old_steps_keep_their_thresholds_and_new_ones_have_the_new():
    app = bayes_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("u", "down", *["right"] * 5, "up", "right", ".", "u")
        await pilot.pause()

        def thresholds() -> tuple[bool, bool]:
            posterior = texts(app.screen.query_one(PosteriorPanel).lines(app.game_screen.snapshot, 90))
            gate = texts(app.screen.query_one(GatePanel).lines(app.game_screen.snapshot, 60))
            return "Γ 70%," in posterior[-1], any("θ 0.05" in row for row in gate)

        assert thresholds() == (True, True)
        await pilot.press("left")
        assert thresholds() == (False, False)


def test_a_tuned_game_goes_on_as_one_that_is_forked_with_these_parameters():
    game = bayes()
    for _ in range(30):
        game.step()
    source = PlaybackSource(lambda: game)
    source.reconfigure(THETA.put(BeliefConfig(), 0.5))
    source.step()
    assert game.agents[0].profile.belief_config.gate.theta_obs == 0.5
    assert game.trace.config_at(31).belief_config.gate.theta_obs == 0.5
    assert game.trace.config_at(30).belief_config == BeliefConfig()


def test_timeline_and_log_note_the_step_from_which_it_counts():
    game = bayes()
    for _ in range(5):
        game.step()
    game.reconfigure(0, GAMMA.put(BeliefConfig(), 0.5))
    game.step()
    game.step()
    track = TimelineData(game.trace)
    track.extend()
    assert track.marks[TimelineMark.TUNED] == [6]
    said = {step: [one.text for one in log_entries(Snapshot(game.trace, step))] for step in (5, 6, 7)}
    assert "tuned: Γ 0.65 → 0.5" in said[6]
    assert not any("tuned" in text for step in (5, 7) for text in said[step])


# --- where nothing can be tuned --------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("app", "reasons"),
    [
        (lambda: BBAApp(PlaybackSource(lambda: Replay(record(bayes(5).run()))), autostart=False), {"u": "recording"}),
        (lambda: paused_app(5), {"u": "switching has no belief"}),
        (lambda: bayes_app(5, horizon=5), {"u": "over", "[": "past"}),
    ],
)
async def test_elsewhere_the_panel_says_why_not_and_changes_nothing(app, reasons):
    app = app()
    async with app.run_test(size=SIZE) as pilot:
        for key, words in reasons.items():
            await pilot.press(key, "right", "backspace", "left")
            await pilot.pause()
            await pilot.click(slider(app, "gamma_conf"), offset=(16, 0))
            assert words in note(app)
            assert "w asks what if" in note(app)
            assert app.game_screen.source.trace.changes == []
            assert slider(app, "gamma_conf").disabled


def test_neither_a_recording_nor_a_game_that_is_over_takes_other_parameters():
    trace = bayes(5).run()
    for source in (PlaybackSource(lambda: Replay(record(trace))), PlaybackSource(lambda: TracePlayback(trace))):
        with pytest.raises(BBAError):
            source.reconfigure(BeliefConfig())


# --- while the planner thinks ----------------------------------------------------------------------------------
@pytest.mark.thorough
async def test_parameters_can_be_changed_while_the_planner_thinks_and_count_from_the_next_step_on(monkeypatch):
    backend = SlowBackend()
    app = BBAApp(slow_source(monkeypatch, backend), autostart=False)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(".", ".", "u", "right", ".")
        trace = app.game_screen.source.trace
        assert trace.config_at(2).belief_config == BeliefConfig()
        assert trace.config_at(3).belief_config == THETA.put(BeliefConfig(), 0.05)
        assert app.game_screen.snapshot.thinking
        backend.free.set()
        wait_for_answer(app.game_screen.source._game.agents[0])
        await pilot.press(".")
        assert trace.ticks[-1].decisions[0].plan is not None


# --- space -----------------------------------------------------------------------------------------------------
@pytest.mark.thorough
@pytest.mark.parametrize("size", few([(80, 24), (80, 30), (120, 40)]))
async def test_the_chosen_parameter_is_in_view_beside_belief_and_gate_at_every_size(size):
    app = bayes_app()
    async with app.run_test(size=size) as pilot:
        await pilot.press("1", "u")
        first, others = parameters_for("gate")
        for parameter in (parameter for parameter in TUNABLE_PARAMETERS if parameter in first + others):
            await pilot.pause()
            panel, one = app.screen.query_one(TuningPanel), slider(app, parameter.name)
            assert panel.content_region.contains_region(one.region)
            await pilot.press("down")
        for other in (PosteriorPanel, GatePanel, KitchenView):
            assert app.screen.query_one(other).content_size.height >= 5
        assert not app.screen.query_one(EventsPanel).display
