"""Learn leads to a burrito key by key, then beside an agent, and from everywhere out again."""

from textwrap import wrap

import pytest
from textual.actions import parse as parse_action
from textual.widgets import Static, TabPane

from bba.agents import HUMAN
from bba.analysis import measure
from bba.analysis.advice import Advice
from bba.kitchen import Layout, constants
from bba.kitchen.constants import HELD
from bba.play import Replay, load
from human.keymap import DEFAULT, PLAY_KEYS
from human.lesson import BeliefLesson, BelievedRole, Notice, Phase
from human.recordings import recordings_folder
from human.study.tutorial import PERSON_SEAT, STAGES
from tests.helpers.app import texts
from tests.helpers.notifications import said
from tests.helpers.recorded_games import learned
from tui.app.app import OFFER, BBAApp
from tui.arguments.options import WatchedGame
from tui.game_factory import session_request
from tui.learn.lesson import (
    BeliefLessonScreen,
    Card,
    CardPanel,
    LessonScreen,
    believes,
    next_step,
    noticed,
    what_came_of_it,
)
from tui.playback.best_scores import BestScores
from tui.playback.source import PlaybackSource
from tui.playback.traces import TracePlayback
from tui.preferences import AppState
from tui.screens.debrief import DebriefScreen
from tui.screens.dialogs import CALM, ConfirmDialog
from tui.screens.play import PlayScreen
from tui.screens.start import StartScreen
from tui.widgets.tile_text import tile_name

SIZE = (120, 40)


@pytest.fixture
def at_once(monkeypatch, tmp_path):
    """No countdown, no clock, and a home of its own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr("tui.screens.play.PlayScreen._count", lambda screen: setattr(screen.clock, "countdown", 0))


def learner(tmp_path, **options) -> BBAApp:
    return BBAApp(state=AppState(tmp_path / "start.json"), learn=True, **options)


def follow(screen: LessonScreen, until: int = len(STAGES)) -> None:
    """Presses what the card says, until so many stages are done."""
    keys = {"↑": constants.NORTH, "↓": constants.SOUTH, "←": constants.WEST, "→": constants.EAST}
    walk = [constants.NORTH, constants.WEST, constants.WEST, constants.SOUTH, constants.SOUTH, constants.EAST]
    for _ in range(600):
        if screen.progress.done == until:
            return
        key = screen._card.card.key
        action = walk.pop(0) if screen.progress.done == 0 else keys.get(key, constants.INTERACT if key else None)
        if action is not None:
            screen.session.controls[PERSON_SEAT].press(action)
        screen._step()
    raise AssertionError(f"stuck in stage {screen.progress.done}")


async def press_yes(pilot) -> None:
    assert isinstance(pilot.app.screen, ConfirmDialog)
    await pilot.click("#yes")
    await pilot.pause()


async def test_all_the_way_by_keys_of_which_none_meant_for_the_lesson_answers_the_question_after_it(
    tmp_path, at_once, monkeypatch
):
    calm = []
    monkeypatch.setattr(ConfirmDialog, "set_timer", lambda _, *then: calm.append(then))
    app = BBAApp(state=AppState(tmp_path / "start.json"))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("l")
        await pilot.pause()
        assert isinstance(app.screen, LessonScreen)
        follow(app.screen)
        await pilot.pause()
        assert isinstance(app.screen, ConfirmDialog)
        await pilot.press("space")
        assert isinstance(app.screen, ConfirmDialog), "the key was meant for the lesson"
        assert isinstance(app.screen_stack[-2], StartScreen)
        ((seconds, give_focus),) = calm
        assert seconds == CALM
        give_focus()
        await pilot.press("space")
        await pilot.pause()
        assert isinstance(app.screen, BeliefLessonScreen)
        assert isinstance(app.screen_stack[-2], StartScreen)
        assert app.screen.query_one("#posterior").display
        app.screen._step()
        app.screen.lesson.finished_rounds = 3
        app.screen._surrender(True)
        await pilot.pause()
        assert isinstance(app.screen, DebriefScreen)
        told = str(app.screen.query_one("#sentences").visual)
        assert "rounds finished: 3." in told
        assert "r plays a game of your own" in told
        assert "no change to notice" in told
        await pilot.press("r")
        await pilot.pause()
        assert type(app.screen) is PlayScreen
        assert app.screen.session.trace.config.labels[PERSON_SEAT] == "human"
    (kept,) = recordings_folder().glob("*.bba")
    assert load(kept).steps == 1  # that of the second part; the lesson leaves none


@pytest.mark.parametrize("begins", [True, False])
async def test_from_the_debrief_of_learn_escape_leads_to_the_menu(tmp_path, at_once, begins):
    app = learner(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        follow(app.screen)
        await pilot.pause()
        await press_yes(pilot)
        screen = app.screen
        if begins:
            screen._step()
        screen._surrender(True)
        await pilot.pause()
        assert isinstance(app.screen, DebriefScreen)
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, StartScreen)


async def test_its_help_names_no_key_that_does_nothing_there_and_escape_leads_to_the_menu(tmp_path, at_once):
    app = learner(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, LessonScreen), "the first screen"
        await pilot.press("question_mark")
        said = [str(text.visual) for text in app.screen.query(TabPane).first().query(Static)]
        for entry in PLAY_KEYS:
            _, action, parameters = parse_action(entry.action)
            works = screen.check_action(action, parameters) is not False and entry.name != "stay"
            assert works == any(entry.description in text for text in said), entry
        await pilot.press("escape")

        await pilot.press("escape")
        await press_yes(pilot)
        assert isinstance(app.screen, StartScreen)
        await pilot.press("l")
        await pilot.pause()
        assert isinstance(app.screen, LessonScreen)
        await pilot.press("escape")
        await press_yes(pilot)
        assert isinstance(app.screen, StartScreen)
        assert sum(isinstance(screen, StartScreen) for screen in app.screen_stack) == 1


def test_learn_and_the_debrief_count_the_same_changes(tmp_path):
    game = Replay(load(learned(tmp_path))).run()
    lesson, counted = BeliefLesson(game), measure(game)
    lesson.see()
    told = what_came_of_it(game, lesson)
    assert f"{game.score} points together, rounds finished: {lesson.finished_rounds}." in told
    assert counted["switches"] > 1
    debrief = DebriefScreen(PlaybackSource(lambda: TracePlayback(game)), BestScores(None), again=True, opening=told)
    opening, sentences, *_ = debrief._told()
    assert opening == told
    noticed = f"It noticed {counted['switches_detected']} of your {counted['switches']} changes of work, after "
    assert noticed in sentences
    assert f"you turned to other work {counted['switches']} times" in texts(debrief._summary())


@pytest.mark.thorough
async def test_r_begins_the_lesson_anew(tmp_path, at_once):
    app = learner(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        first = app.screen
        first._step()
        await pilot.press("r")
        await press_yes(pilot)
        assert isinstance(app.screen, LessonScreen)
        assert (app.screen is first, app.screen.session.trace.ticks) == (False, [])


async def test_the_card_names_key_and_tile_which_is_framed_and_where_to_put_a_wrong_pick_down(tmp_path, at_once):
    app = learner(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        screen = app.screen
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        screen._step()
        assert screen._card.card.next_step == ("3 more tiles",)
        for action in (constants.NORTH, constants.WEST, constants.WEST, constants.SOUTH, constants.SOUTH):
            screen.session.controls[PERSON_SEAT].press(action)
            screen._step()
        assert screen.progress.done == 1
        lines = texts(screen._card.lines(screen.snapshot, 44))
        assert STAGES[1].text.startswith(lines[0])
        assert "2 tiles to the meat (5,3)" in lines[-1]
        assert screen._kitchen.target == (5, 3)
        assert screen._card.region.bottom <= screen.size.height - 1
        assert screen._card.content_size.height >= len(lines)

        screen.session.trace.ticks[-1].state[HELD + PERSON_SEAT] = constants.RICE
        screen._show_panels()
        card = screen._card.card
        assert card.text == "You hold something that is not needed now (rice): put it down."
        assert card.next_step[0].startswith("put it down: ")
        for action in (constants.EAST, constants.INTERACT):
            screen.session.controls[PERSON_SEAT].press(action)
            screen._step()
        assert said(app) == ["turn to a counter or a station: there is nothing to use in front of you"]
        assert "counter" in card.next_step[0]


@pytest.mark.parametrize("answer", ["yes", "no"])
async def test_it_is_offered_once_before_a_first_game_of_ones_own(tmp_path, at_once, answer):
    state = AppState(tmp_path / "start.json")
    app = BBAApp(state=state, tour=True, request=_request(tmp_path))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert isinstance(app.screen, ConfirmDialog)
        assert app.screen._text == OFFER
        await pilot.click(f"#{answer}")
        await pilot.pause()
        assert type(app.screen) is (LessonScreen if answer == "yes" else PlayScreen)
    assert state.offered("taught")


async def test_who_was_offered_it_plays_at_once(tmp_path, at_once):
    state = AppState(tmp_path / "start.json")
    state.note(taught=True)
    app = BBAApp(state=state, tour=True, request=_request(tmp_path))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert type(app.screen) is PlayScreen


def _request(tmp_path):
    return session_request(WatchedGame.model_validate({"partner": HUMAN}), record=tmp_path / "game.bba")


def pointing(screen: BeliefLessonScreen) -> list[bool]:
    """Whether the card points at the belief, and at the gate."""
    return [panel.has_class("-toured") for panel in screen._belief_panels]


async def test_the_card_beside_an_agent_points_at_the_belief_or_at_the_gate(tmp_path, at_once):

    app = BBAApp(state=AppState(tmp_path / "start.json"))
    async with app.run_test(size=SIZE) as pilot:
        screen = BeliefLessonScreen(
            session_request(WatchedGame.model_validate({"partner": HUMAN})).make(DEFAULT), DEFAULT, countdown=0
        )
        await app.push_screen(screen)
        phases = [screen.lesson.phase]
        while screen.lesson.phase is not Phase.NOTICED:
            assert pointing(screen) == [True, False]
            screen.session.controls[PERSON_SEAT].press(screen.lesson.suggestion().action)
            screen._step()
            phases.append(screen.lesson.phase)
        assert [phase for phase in Phase if phase in phases] == list(Phase)
        assert screen._card.card.text == noticed(screen.lesson.notice, 0.04)
        assert screen._card.card.next_step, "nobody stands still until the next round"
        assert screen._kitchen.target == screen.lesson.suggestion().target
        by_gate = screen.lesson.notice.contradiction is not None
        for contradiction, points_at_gate in ((screen.lesson.notice.contradiction, by_gate), (0.01, True)):
            screen.lesson.notice = screen.lesson.notice._replace(contradiction=contradiction)
            screen._show_panels()
            assert pointing(screen) == [not points_at_gate, points_at_gate]
        await pilot.press("h", "m")
        assert screen.show_belief
        assert not screen.show_hint


def test_what_is_said_of_a_belief_and_of_a_notice():
    before, after = BelievedRole(1, 0.83, 100), BelievedRole(2, 0.61, 107)
    said = believes(before)
    assert said.startswith("Its guess (standing still counts, too): you prepare rice, 83% in step 100. ")
    assert all(len(wrap(believes(before._replace(role=role)), 36)) <= 3 for role in range(6)), "its rows in 80 columns"
    said = noticed(Notice(before, after, 0.004, constants.GRAB_RICE, constants.WASH), 0.04)
    assert said.startswith("In step 107, after 7 steps, its gate opened: ")
    assert "(ℓ 0.00 < θ 0.04). It thought again and left getting rice for washing a plate." in said
    assert len(wrap(said, 38)) <= 4, "its rows in 80 columns"
    kept = noticed(Notice(before, after, 0.004, constants.WASH, constants.WASH), 0.04)
    assert "It thought again and kept washing a plate." in kept
    believed = noticed(Notice(before, after, None, constants.NO_SKILL, constants.WASH), 0.04)
    assert believed.startswith("In step 107, after 7 steps, it believed that you wash plates (61%)."), (
        "the bars show a later step"
    )
    assert "gate had stayed shut" in believed


def test_where_the_way_is_blocked_the_card_says_who_is_in_it():
    layout = Layout.load("open")
    wordings = next_step(layout, Advice(constants.BOIL, (3, 6), 1, constants.ACTION_STAY))
    assert wordings[0] == "the other cook is in the way of the pot (3,6): wait a moment"
    assert len(wordings[-1]) <= 38
    assert next_step(layout, Advice(constants.SKILL_STAY, (3, 6))) == ("wait for the pot (3,6)", "wait for the pot")


@pytest.mark.parametrize("width", [38, 60])
@pytest.mark.parametrize("target", [(7, 0), (5, 0), (0, 4)])
def test_the_next_thing_fits_the_card_in_fewer_words(target, width):
    layout = Layout.load("open")
    panel = CardPanel()
    wordings = next_step(layout, Advice(constants.SERVE, target, 14, constants.NORTH))
    panel.card = Card("serve", "", wordings, "→")
    (text,) = texts(panel.lines(None, width))
    assert len(text) <= width
    assert f"14 tiles to the {tile_name(layout, target)}" in text
