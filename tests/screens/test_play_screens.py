"""What playing and Learn look like, as pictures. `make snapshots` draws them anew after a change that is meant.

The games need no planner: the partner is a switching one, and what the hint says is given.
"""

import pytest

from bba.analysis.advice import way_to
from bba.kitchen import Skill, constants
from human.study.tutorial import PERSON_SEAT
from tests.helpers.playing import Playing
from tests.helpers.typist import Typist
from tests.helpers.wait_for_idle import drawn
from tests.tui.test_learn import follow
from tui.app.app import BBAApp
from tui.learn.lesson import LessonScreen
from tui.preferences import AppState

STEPS = 180


@pytest.fixture
def given_hint(monkeypatch):
    """The hint is to wash a plate, whatever the planner would say."""

    def advise(adviser):
        state = adviser._trace.ticks[-1].state if adviser._trace.ticks else adviser._trace.start
        return way_to(adviser._trace.config.layout, state, PERSON_SEAT, Skill.GRAB_DIRTY_PLATE)

    monkeypatch.setattr("bba.analysis.advice.Adviser.advise", advise)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
def test_a_game_of_ones_own_with_recipe_cards(snap_compare, tmp_path, size, given_hint):
    async def play(pilot):
        screen = pilot.app.screen
        typist = Typist(screen.session.game, screen.session.controls[PERSON_SEAT], ((0, 0),))
        for _ in range(STEPS):
            typist.press()
            screen.session.step()
        screen._step()
        await drawn(pilot)

    app = Playing(tmp_path, horizon=2400)
    assert snap_compare(app, terminal_size=size, run_before=play)


def learning(monkeypatch, tmp_path) -> BBAApp:
    """The app on the first stage of the lesson, whose clock the test is."""
    monkeypatch.setattr("tui.screens.play.PlayScreen._count", lambda screen: setattr(screen.clock, "countdown", 0))
    return BBAApp(state=AppState(tmp_path / "start.json"), learn=True)


@pytest.mark.thorough
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
def test_the_lesson_begins(snap_compare, tmp_path, size, monkeypatch):
    assert snap_compare(learning(monkeypatch, tmp_path), terminal_size=size, run_before=drawn)


@pytest.mark.thorough
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
def test_the_lesson_on_its_way(snap_compare, tmp_path, size, monkeypatch):
    async def go(pilot):
        await pilot.pause()
        screen = pilot.app.screen
        assert isinstance(screen, LessonScreen)
        follow(screen, until=5)
        screen.session.controls[PERSON_SEAT].press(constants.ACTION_STAY)
        screen._step()
        await drawn(pilot)

    assert snap_compare(learning(monkeypatch, tmp_path), terminal_size=size, run_before=go)
