"""A study on the screen: consent first, no word on the partner, every answer kept, and a way out at any time."""

from unittest.mock import Mock

import pytest
from textual.widgets import Button, Input, OptionList

from bba.errors import BBAError
from bba.play import load
from bba.settings import GameOptions
from human.session import Session
from human.study import StudyFolder
from human.study.tutorial import PERSON_SEAT, STAGES
from tests.helpers.notifications import notified, said
from tests.helpers.simulated_participant import SCHEDULE
from tests.helpers.studies import begin_study
from tests.helpers.study_screens import agree, app_on, asks_for, pass_the_end_of_the_game, progress_of, title_on
from tests.helpers.typist import Typist
from tui import cli
from tui.study.app import StudyApp
from tui.study.fields import ListField, WordsField
from tui.study.game import LessonPanel, PracticeScreen, StudyGame
from tui.study.screens import CodeScreen, LeaveDialog, QuestionScreen, TextScreen
from tui.widgets.gate import GatePanel
from tui.widgets.posterior import PosteriorPanel

SIZE = (100, 30)


async def test_a_code_is_asked_for_and_no_name_is_taken_and_of_who_does_not_agree_nothing_is_stored(tmp_path):
    folder = begin_study(tmp_path)
    before = sorted(file for file in folder.path.rglob("*") if file.is_file())
    app = app_on(folder, None)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(*"anna", "enter")
        assert isinstance(app.screen, CodeScreen)
        assert "never a name" in str(app.screen.query_one(".problem").render())
        app.screen.query_one(Input).value = "p7"
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, TextScreen)
        await pilot.press("enter")
        assert not folder.knows("P7")
        await pilot.press("tab", "tab", "enter")
        await pilot.pause()
        assert "nothing about you was stored" in app.screen.page.text
        await pilot.press("enter")
    assert sorted(file for file in folder.path.rglob("*") if file.is_file()) == before


@pytest.mark.thorough
async def test_a_game_says_nothing_of_the_agent_and_shows_no_belief(tmp_path):
    app = app_on(begin_study(tmp_path, agents=["bayes"]))
    async with app.run_test(size=(120, 40)) as pilot:
        await agree(pilot)
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, StudyGame)
        await pilot.press("left", "m")
        assert not any(app.screen.query_one(panel).display for panel in (PosteriorPanel, GatePanel))
        shown = "\n".join("".join(part.text for part in strip) for strip in app.screen._compositor.render_strips())
        assert "game 1 of 1" in shown
        for word in ("bayes", "human", "seed", "posterior", "gate"):
            assert word not in shown


async def test_a_game_in_which_skills_may_be_chosen_its_questions_and_the_end(tmp_path):
    folder = begin_study(tmp_path, agents=["switching"], horizon=3, skills=True)
    app = app_on(folder)
    async with app.run_test(size=SIZE) as pilot:
        await agree(pilot)
        await pilot.press("enter")
        await pilot.pause()
        assert "k" in app.screen.active_bindings
        for chooses in (True, False):
            await pilot.press("k")
            assert app.screen.skill_mode is chooses
        await pilot.press("left", "right", ".")
        await pass_the_end_of_the_game(pilot)
        assert asks_for(app, ListField)
        assert app.screen.query_one(OptionList).highlighted is None
        await pilot.press("enter")
        assert asks_for(app, ListField)
        await pilot.press("2")
        assert progress_of(folder).answers == ()
        await pilot.press("enter")
        await pilot.pause()
        assert asks_for(app, WordsField)
        assert [answer.score for answer in progress_of(folder).answers] == [2]
        await pilot.press(*"q1", "tab", "enter")
        await pilot.pause()
        assert "That was all" in app.screen.page.text
        await pilot.press("enter")
    assert [answer.words for answer in progress_of(folder).answers] == [None, "q1"]
    assert load(folder.recordings / "P1-game-1.bba").steps == 3


class Clock:
    """A clock that a test sets."""

    def __init__(self):
        self.time = 0.0

    def __call__(self):
        return self.time


@pytest.mark.thorough
async def test_keys_that_are_mashed_through_the_end_of_a_game_store_nothing(tmp_path):
    folder, clock = begin_study(tmp_path, agents=["switching"], horizon=2), Clock()
    app = StudyApp(folder, GameOptions.model_validate({}), "P1", countdown=0, now=clock)
    async with app.run_test(size=SIZE) as pilot:
        await agree(pilot)
        await pilot.press("enter")
        await pilot.pause()
        for _ in range(4):
            await pilot.press("left", "space", "enter", "1", "5", "tab", "down", "enter")
            clock.time += 1.9
            if isinstance(app.screen, TextScreen):
                app.screen.look()
        assert title_on(app) == "Game over"
        assert all(button.disabled for button in app.screen.query(Button))
        assert progress_of(folder).answers == ()
        assert progress_of(folder).games[0].ended is not None
        clock.time += 0.2
        app.screen.look()
        await pass_the_end_of_the_game(pilot)
        assert isinstance(app.screen, QuestionScreen)
        assert app.screen.field.answer is None


async def test_a_check_skips_games(tmp_path):
    folder = begin_study(tmp_path, questions=[{"name": "end", "text": "?", "when": "end"}], tutorial=True)
    app = StudyApp(folder, GameOptions.model_validate({}), "CHECK-1", check=True)
    async with app.run_test(size=SIZE) as pilot:
        await agree(pilot)
        for title in ("How to play", "Game 1 of 2", "Game 2 of 2"):
            assert title_on(app) == title
            await pilot.click("#no")
            await pilot.pause()
        assert isinstance(app.screen, QuestionScreen)


def test_a_check_stores_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tui.commands.study_runs.check_terminal", lambda: None)
    monkeypatch.setattr("tui.commands.study_runs.is_plain", lambda *, plain: False)
    monkeypatch.setattr(StudyApp, "run", lambda app: None)
    file = tmp_path / "study.toml"
    file.write_text('name = "s"\ntitle = "t"\nconsent = "c"\nlayouts = ["open"]\nagents = ["bayes"]\n')
    assert cli.main(["study", "study.toml", "--check"]) == 0
    assert "nothing was stored" in capsys.readouterr().out
    assert [found.name for found in tmp_path.iterdir()] == ["study.toml"]


@pytest.mark.thorough
async def test_motion_that_is_turned_off_is_off_in_its_games(tmp_path):
    app = app_on(begin_study(tmp_path))
    app.motion = False
    async with app.run_test(size=SIZE) as pilot:
        await agree(pilot)
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, StudyGame)
        assert not app.screen._celebrations._motion


async def test_every_pause_is_noted_with_its_step_and_reason_and_who_leaves_goes_on_at_the_same_step(tmp_path):
    folder = begin_study(tmp_path)
    app = app_on(folder)
    async with app.run_test(size=SIZE) as pilot:
        await agree(pilot)
        await pilot.press("enter")
        await pilot.pause()
        screen = app.screen
        assert "k" not in screen.active_bindings
        await pilot.press("k", "left", "left")
        assert not screen.skill_mode, "this study lets nobody choose skills"
        screen.see_pauses()
        for pause, goes_on in (("p", "p"), ("ctrl+c", "escape"), ("ctrl+c", "enter")):
            await pilot.press(pause)
            screen.see_pauses()
            if pause == "ctrl+c":
                assert isinstance(app.screen, LeaveDialog)
                box = app.screen.query_one("#question").region
                middle = box.x - (SIZE[0] - box.right), box.y - (SIZE[1] - box.bottom)
                assert max(map(abs, middle)) <= 1, "the dialog is in the middle"
            await pilot.press(goes_on)
            screen.see_pauses()
            await pilot.press("left")
        await pilot.resize_terminal(70, 20)
        await pilot.pause()
        screen.see_pauses()
        await pilot.press("left")  # does nothing: the game stands still
        assert len(screen.session.trace.ticks) == 5
        await pilot.resize_terminal(*SIZE)
        await pilot.pause()
        await pilot.press("left", "ctrl+c")
        screen.see_pauses()
        await pilot.click("#leave")
        await pilot.pause()
    pauses = progress_of(folder).games[0].pauses
    expected = [(2, "key"), (3, "dialog"), (4, "dialog"), (5, "small"), (6, "dialog")]
    assert [(pause.step, pause.why) for pause in pauses] == expected
    assert all(pause.started < pause.ended for pause in pauses)
    assert load(folder.recordings / "P1-game-1.bba").steps == 6

    # the next time
    app = app_on(folder)
    async with app.run_test(size=SIZE) as pilot:
        assert title_on(app) == "Welcome back"
        await pilot.press("enter")
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        await pilot.press("left")
        assert len(app.screen.session.trace.ticks) == 7
    assert [played.resumed for played in progress_of(folder).games] == [(6,)]


@pytest.mark.thorough
async def test_a_game_that_is_given_up_counts_as_ended_and_says_so(tmp_path):
    folder = begin_study(tmp_path)
    app = app_on(folder)
    async with app.run_test(size=SIZE) as pilot:
        await agree(pilot)
        await pilot.press("enter")
        await pilot.pause()
        await pilot.press("left", "escape")
        await pilot.click("#yes")
        await pass_the_end_of_the_game(pilot)
        assert asks_for(app, ListField)
    (played,) = progress_of(folder).games
    assert (played.ended is not None, played.given_up) == (True, True)


async def test_the_tutorial_sees_each_stage_and_can_be_done_again(tmp_path, monkeypatch):
    folder = begin_study(tmp_path, tutorial=True)
    app = app_on(folder)
    async with app.run_test(size=SIZE) as pilot:
        await agree(pilot)
        await pilot.press("enter")
        await pilot.pause()
        screen, stages = app.screen, [0]
        assert isinstance(screen, PracticeScreen)
        assert not screen.tells_changes
        typist = Typist(screen.session.game, screen.session.controls[PERSON_SEAT], SCHEDULE)
        show_panels, show_board = screen._show_panels, screen._kitchen.show_snapshot
        monkeypatch.setattr(screen, "_show_panels", lambda: len(stages) % 10 or show_panels())  # nobody looks
        monkeypatch.setattr(screen._kitchen, "show_snapshot", lambda *shown: len(stages) % 10 or show_board(*shown))
        while not screen.session.over:
            typist.press()
            screen._step()
            stages.append(screen.progress.done)
        assert sorted(stages) == stages
        assert stages[-1] == len(STAGES)
        await pilot.pause()
        assert isinstance(app.screen, TextScreen)
        await pilot.click("#no")
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        assert app.screen.progress.done == 0
        await pilot.press("r")
        await pilot.click("#yes")
        await pilot.pause()
        assert progress_of(folder).practice is None


async def test_a_participant_who_is_there_already_is_told_so(tmp_path):
    folder = begin_study(tmp_path)
    with folder.participation("P1"):
        app = app_on(folder)
        async with app.run_test(size=SIZE) as pilot:
            await pilot.press("enter")
            await pilot.pause()
            assert "taking part elsewhere" in app.screen.page.text
            await pilot.press("enter")
    assert isinstance(app.problem, BBAError)


@pytest.mark.exhaustive
@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
async def test_the_tutorial_says_what_to_do_at_every_size_and_why_a_step_fails(tmp_path, monkeypatch, size):
    monkeypatch.setattr(Session, "step", Mock(side_effect=BBAError("no room is left")))
    app = app_on(begin_study(tmp_path, tutorial=True))
    async with app.run_test(size=size) as pilot:
        await agree(pilot)
        await pilot.press("enter")
        await pilot.pause()
        shown = "\n".join("".join(part.text for part in strip) for strip in app.screen._compositor.render_strips())
        assert "arrow keys" in shown
        assert "ahead" in shown

        # the first step fails
        await pilot.press("left")
        await notified(app, pilot, "Something went wrong on the computer of those who run the study")
        assert not any("no room" in message for message in said(app))
        assert app.screen.clock.paused
        assert not app.screen.session.trace.ticks

        # where it lacks room, its list follows the stage
        panel = app.screen.query_one(LessonPanel)
        for stage in STAGES:
            lines = [said.plain for said in panel.lines(app.screen.snapshot, panel.content_size.width)]
            assert f"▶ {stage.title}" in lines[: panel.content_size.height]
            panel._progress._achieved.add(stage.completed_by)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["study", "nowhere.toml"], "nowhere.toml: cannot be read"),
        (["study", "nowhere.toml", "--participant", "Anna"], "'Anna' is not a code"),
    ],
)
def test_a_mistake_on_the_command_line_is_one_line(monkeypatch, capsys, arguments, said):
    monkeypatch.setattr("tui.commands.study_runs.check_terminal", lambda: None)
    monkeypatch.setattr("tui.commands.study_runs.is_plain", lambda *, plain: False)
    assert cli.main(arguments) == 2
    assert said in capsys.readouterr().err


def test_the_folder_of_results_can_be_named(tmp_path):
    from tui.commands.study_runs import study_folder

    file = tmp_path / "study.toml"
    file.write_text('name = "s"\ntitle = "t"\nconsent = "c"\nlayouts = ["open"]\nagents = ["bayes"]\n')
    study_folder(file, tmp_path / "here", GameOptions())
    assert StudyFolder.open(tmp_path / "here").study.name == "s"


def test_a_study_with_an_agent_that_has_no_weights_for_a_kitchen_does_not_begin(tmp_path):
    from tui.commands.study_runs import study_folder

    file = tmp_path / "study.toml"
    file.write_text('name = "s"\ntitle = "S"\nconsent = "?"\nlayouts = ["open"]\nagents = ["proagent", "gamma"]\n')
    with pytest.raises(BBAError, match="gamma: has no weights for the layout open"):
        study_folder(file, tmp_path / "here", GameOptions(weights=tmp_path))
    assert not (tmp_path / "here").exists()
