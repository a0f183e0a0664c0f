"""Skill mode: a skill is named by its number, walks by itself, and any key stops it."""

import pytest

from bba.kitchen import Skill, constants
from bba.kitchen.constants import HELD
from human.keymap import DEFAULT
from tests.helpers.app import texts
from tests.helpers.footer import footer
from tests.helpers.notifications import said
from tests.helpers.playing import SIZE, Playing, actions
from tests.helpers.samples import few
from tests.helpers.wait_for_idle import until
from tui.widgets.recipe_cards import SkillsPanel


async def test_skill_mode_walks_the_skill_whose_number_is_typed(tmp_path):
    app = Playing(tmp_path, speed=0.001)  # the test beats
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("8")
        app.screen._on_beat()
        assert app.session.trace.ticks[-1].skills[1] == constants.NO_SKILL
        await pilot.press("k", "8")
        app.screen._on_beat()
        assert app.session.trace.ticks[-1].skills[1] == Skill.GRAB_MEAT
        app.screen._offer_skills()
        listed = texts(app.screen._pad.panel.lines(app.screen.snapshot, 30))
        assert any(text.startswith("▶ 08 get meat") for text in listed)
        await pilot.press("1", "1")
        app.screen._on_beat()
        assert app.session.trace.ticks[-1].skills[1] == Skill.GRAB_RICE
        await pilot.press("k")
        assert not app.screen._pad.panel.display


async def test_a_skill_that_is_not_possible_now_is_named_and_not_begun(tmp_path):
    app = Playing(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        said = []
        app.screen.hint = said.append
        await pilot.press("k", "0", "7")
        assert (actions(app), said) == ([], ["serve a dish: not possible now"])


def test_every_number_is_a_skill_and_the_same_one_at_any_time():
    pad = SkillsPanel()
    for skill in range(constants.N_SKILLS):
        first, second = f"{skill:02}"
        assert pad.digit(first) is None
        assert (pad.typed, pad.digit(second), pad.typed) == (first, skill, "")
    assert [pad.digit(digit) for digit in "3456789"] == [3, 4, 5, 6, 7, 8, 9]
    assert [pad.digit(digit) for digit in "27"] == [None, None]
    assert pad.typed == ""


@pytest.fixture
def walked_by_the_test(monkeypatch):
    """A skill that goes on by itself does so only when the test says so."""
    monkeypatch.setattr("tui.screens.skill_pad.SKILL_PACE", 1000.0)


async def test_turn_by_turn_a_skill_goes_on_by_itself_until_it_has_ended(tmp_path, walked_by_the_test):
    app = Playing(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("k", "8")
        screen = app.screen
        assert len(actions(app)) == 1
        while screen._pad.walks:
            assert screen.status == "any key stops it"
            screen._pad.walk_on()
        assert app.session.trace.ticks[-1].state[HELD + 1] == constants.MEAT
        assert screen.status == "your turn"
        assert len(actions(app)) > 1


@pytest.mark.parametrize("key", few(["left", "escape", "h", "p", "z", ".", "m", "k", "f5"], 3))
async def test_any_key_stops_a_skill_that_goes_on_and_does_nothing_else(tmp_path, key, walked_by_the_test):
    app = Playing(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("k", "8")
        screen = app.screen
        await pilot.press(key)
        assert (app.screen, screen._pad.walks, screen.clock.paused, len(actions(app))) == (screen, False, False, 1)
        assert (screen.show_belief, screen.show_hint, screen.skill_mode) == (False, True, True)
        await pilot.press(".")  # the skill still runs: a step passes
        assert app.session.trace.ticks[-1].skills[1] == Skill.GRAB_MEAT


@pytest.mark.thorough
async def test_a_layer_over_the_game_stops_a_skill_that_goes_on(tmp_path, walked_by_the_test):
    app = Playing(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("k", "8")
        screen = app.screen
        await pilot.press("question_mark")
        await pilot.pause()
        assert (app.screen is screen, screen._pad.walks) == (False, False)


async def test_where_there_is_no_room_for_both_it_is_said_which_of_skills_and_belief_makes_way(tmp_path):
    app = Playing(tmp_path, ego="bayes")
    async with app.run_test(size=(80, 24)) as pilot:
        screen = app.screen
        await pilot.press("k", "m")
        assert (screen.skill_mode, screen.show_belief) == (False, True)
        assert said(app)[-1] == "no room for both: skill mode is off; k brings it back"
        await pilot.press("k")
        assert (screen.skill_mode, screen.show_belief) == (True, False)
        assert said(app)[-1] == "no room for both: the belief makes way for the skills; m brings it back"


async def test_the_footer_of_play_says_which_keys_walk_as_they_are_now_beside_all_the_others(tmp_path):
    app = Playing(tmp_path, ego="bayes")
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: footer(app).get("go") == "↑↓→←")
        assert {"use", "go", "pause", "skills", "hint", "mind", "end", "help", "quit"} == set(footer(app))
    app = Playing(tmp_path, ego="bayes")
    app.keymap = {**DEFAULT, "second_east": ("f9",), "declare_serving": ("f12",)}
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: footer(app).get("go") == "↑ ↓ f9 ←")
