"""What a study's screens note: keys with the steps that they decide, and the focus of the window."""

from contextlib import asynccontextmanager

from textual import events

from bba.settings import GameOptions
from human.study.tables import tables_of
from tests.helpers.studies import begin_study
from tests.helpers.wait_for_idle import until
from tui.screens.dialogs import ConfirmDialog
from tui.study.app import StudyApp
from tui.study.game import StudyGame
from tui.study.screens import LeaveDialog, TextScreen

KEYS = ("left", "m", "right", ".")


@asynccontextmanager
async def first_game(folder):
    """A pilot in the first game of a participant who has agreed."""
    app = StudyApp(folder, GameOptions.model_validate({}), "P1", countdown=0, pause=0)
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, TextScreen))
        await pilot.press("tab", "enter")
        await until(pilot, lambda: folder.knows("P1"))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, StudyGame) and app.screen.playing)
        yield pilot


async def test_keys_focus_and_steps_are_in_the_tables(tmp_path):
    folder = begin_study(tmp_path, agents=["switching"], horizon=4, questions=[])
    async with first_game(folder) as pilot:
        for event in (events.AppBlur(), events.AppFocus()):
            pilot.app.post_message(event)
        for key in KEYS:
            await pilot.press(key)
        await pilot.press("q")
    tables = tables_of(folder)
    assert [(row["key"], row["decided"]) for row in tables["keys"]][:3] == [("left", 1), ("m", None), ("right", 2)]
    assert all(row["seconds"] >= 0 for row in tables["keys"] if row["decided"] is not None)
    assert [row["step"] for row in tables["steps"] if row["at"] is not None] == [1, 2, 3]
    assert [row["participant_action"] for row in tables["steps"]] == ["west", "east", "stay"]
    log = [(row["event"], row["game"]) for row in tables["events"] if row["who"] == "participant"]
    assert log[:2] == [("joined", None), ("game", 1)]
    assert ("blur", 1) in log
    assert log.index(("blur", 1)) < len(log) - 1 - log[::-1].index(("focus", 1))
    assert log[-1] == ("left", None)


async def test_who_withdraws_in_a_game_leaves_nothing_behind(tmp_path):
    folder = begin_study(tmp_path, agents=["switching"], horizon=40, questions=[])
    async with first_game(folder) as pilot:
        app = pilot.app
        await pilot.press("left", "ctrl+c")
        await until(pilot, lambda: isinstance(app.screen, LeaveDialog))
        await pilot.click("#withdraw")
        await until(pilot, lambda: isinstance(app.screen, ConfirmDialog))
        await pilot.click("#yes")
        await until(pilot, lambda: app.study_end == "withdrawn")
    assert folder.everybody() == []
    assert folder.withdrawals().withdrawn == 1
    assert not [file for file in folder.path.rglob("P1*") if "locks" not in file.parts]


async def test_a_key_that_does_nothing_is_noted_once_whatever_comes_meanwhile(tmp_path):
    folder = begin_study(tmp_path, agents=["switching"], horizon=4, questions=[])
    async with first_game(folder) as pilot:
        for event in (events.Key("7", "7"), events.AppBlur(), events.Key("4", "4"), events.Key("7", "7")):
            pilot.app.post_message(event)
        await pilot.press(".")
        await pilot.press("q")
    tables = tables_of(folder)
    assert [row["key"] for row in tables["keys"]][:4] == ["7", "4", "7", "full_stop"]
    assert [row["event"] for row in tables["events"]].count("blur") == 1
