"""The thresholds of a trigger that is a plug-in are sliders of the watch screen; a change is noted and goes on."""

import pytest

from bba.agents import SeatSpec, load_agent
from bba.agents.plugin_parts import trigger_thresholds
from bba.analysis.comparison import describe_changes
from bba.analysis.event_log import log_entries
from bba.analysis.snapshot import Snapshot
from bba.analysis.timeline import TimelineData, TimelineMark
from bba.errors import BBAError
from bba.play import Game, Replay, fork, record
from tests.helpers.plugin_files import SOURCE, write_plugins
from tui.app.app import BBAApp
from tui.playback.source import PlaybackSource
from tui.widgets.tuning import Slider, TuningPanel

SIZE = (100, 36)
MORE = """

class Limits(BaseModel):
    share: float = Field(0.5, gt=0, le=1)
    count: int = Field(3, ge=1, le=5)
    named: str = "x"
    on: bool = True


class Limited:
    def __init__(self, limits: Limits) -> None:
        self.limits = limits

    def __call__(self, context):
        return False


def untyped(context, needed, age=4, share=0.25, negative=-2.0):
    return False
"""


@pytest.fixture
def outside(tmp_path):
    return write_plugins(tmp_path, SOURCE + MORE)


def game(outside, trigger="late", agent="bayes", **options):
    options = SeatSpec(trigger=f"{outside}:{trigger}", trigger_options=options)
    return Game("open", load_agent(agent, options), "switching", 0)


def thresholds(game):
    return {one.name: one for one in trigger_thresholds(game.agents[0].profile)}


def test_limits_of_a_model_are_the_ends_of_its_sliders(outside):
    found = thresholds(game(outside, "Limited", count=2))
    assert list(found) == ["share", "count"]
    assert found["count"].slider_values == (1, 2, 3, 4, 5)
    assert (found["count"].value, found["count"].default) == (2, 3)
    assert (found["share"].slider_values[0], found["share"].slider_values[-1]) == (0.01, 1.0)


def test_without_limits_a_slider_goes_to_twice_the_default_or_over_all_shares(outside):
    found = thresholds(game(outside, "untyped", needed=7))
    ends = {name: (one.default, one.slider_values[0], one.slider_values[-1]) for name, one in found.items()}
    assert ends == {"needed": (7, 0, 14), "age": (4, 0, 10), "share": (0.25, 0, 1), "negative": (-2.0, -4, 0)}


def replans(trace):
    return [tick.step for tick in trace.ticks if tick.decisions[0].replanned]


@pytest.mark.parametrize("agent", ["bayes", "proagent"])
def test_a_tuned_trigger_interrupts_by_its_new_threshold_and_a_fork_goes_on_with_it(outside, agent):
    played = game(outside, agent=agent, step=8)
    for _ in range(3):
        played.step()
    played.tune_trigger(0, {"step": 11})
    for _ in range(12):
        played.step()
    assert replans(played.trace) == [11]
    assert fork(played.trace, 5).agents[0].profile == played.agents[0].profile
    replay = Replay(record(played.trace))
    while not replay.done:
        replay.step()
    assert replans(replay.trace) == [11]
    assert replay.trace.config_at(4) == played.trace.config_at(4) != played.trace.config


def test_timeline_log_and_comparison_say_what_was_tuned(outside):
    played = game(outside, step=8)
    played.step()
    played.tune_trigger(0, {"step": 11})
    played.step()
    track = TimelineData(played.trace)
    track.extend()
    assert track.marks[TimelineMark.TUNED] == [2]
    assert "tuned: step 8 → 11" in [one.text for one in log_entries(Snapshot(played.trace, 2))]
    first, second = played.trace.config.seats[0], played.agents[0].profile
    assert describe_changes(first, second) == "step 8 → 11"


def test_a_threshold_that_a_trigger_does_not_take_changes_nothing(outside):
    played = game(outside, "Limited")
    before = played.agents[0].profile
    with pytest.raises(BBAError, match=r"option count: got 9; it should be less than or equal to 5"):
        played.tune_trigger(0, {"count": 9})
    with pytest.raises(BBAError, match="bayes: its trigger has no thresholds to tune"):
        Game("open", "bayes", "switching", 0).tune_trigger(0, {"count": 2})
    with pytest.raises(BBAError, match="switching: has no trigger to tune"):
        played.tune_trigger(1, {"count": 2})
    assert played.agents[0].profile == before
    assert played.trace.changes == []


@pytest.mark.parametrize("agent", ["bayes", "proagent"])
async def test_sliders_tune_the_trigger(outside, agent):
    source = PlaybackSource(lambda: game(outside, agent=agent))
    source.play(3)
    app = BBAApp(source, autostart=False)
    async with app.run_test(size=SIZE) as pilot:
        slider = app.screen.query_one("#threshold-0", Slider)
        await pilot.press("u", "right")
        assert slider.label == "step"
        assert (slider.value, slider.chosen, slider.default) == (21, True, 20)
        assert source.trace.config_at(4).seats[0].plugins[0].options == (("step", 21),)
        assert source.trace.config_at(3) == source.trace.config
        assert app.screen.query_one("#slider-gamma_conf", Slider).disabled is (agent == "proagent")
        await pilot.press("backspace", "up", "right")
        assert slider.value == (21 if agent == "proagent" else 20)  # of which it is the only slider that moves
        panel = app.screen.query_one(TuningPanel)
        assert panel.border_subtitle


async def test_a_value_that_the_trigger_refuses_is_said_and_not_shown(outside, monkeypatch):
    source = PlaybackSource(lambda: game(outside, "Limited"))
    app = BBAApp(source, autostart=False)
    said = []
    async with app.run_test(size=SIZE) as pilot:
        monkeypatch.setattr(app.screen, "hint", said.append)
        slider = app.screen.query_one("#threshold-1", Slider)
        slider.values = (1, 2, 3, 9)
        await pilot.press("u", "down", "right")
        assert "it should be less than or equal to 5" in said[0]
        assert slider.value == 3
