"""Screens that are named instead of imported, so that the first one comes sooner."""

import subprocess
import sys

from human.keymap import SITUATIONS
from tui.app.navigation import SITUATION_BEHIND
from tui.design.screen import DesignScreen
from tui.learn.lesson import BeliefLessonScreen, LessonScreen
from tui.results.browser import BrowserScreen, TableScreen
from tui.results.episodes import PairsScreen
from tui.results.recordings_screen import RecordingsScreen
from tui.screens.comparison import ComparisonScreen
from tui.screens.debrief import DebriefScreen
from tui.screens.dialogs import ConfirmDialog, Dialog
from tui.screens.duel import DuelScreen
from tui.screens.help import HelpScreen
from tui.screens.model_calls import ModelCallsScreen
from tui.screens.play import PlayScreen
from tui.screens.start import StartScreen
from tui.screens.tour import TourScreen
from tui.screens.watch import WatchScreen
from tui.screens.what_if import ForkDialog

NAMED = (
    StartScreen,
    DesignScreen,
    LessonScreen,
    BeliefLessonScreen,
    PlayScreen,
    DebriefScreen,
    DuelScreen,
    ComparisonScreen,
    ForkDialog,
    ModelCallsScreen,
    TourScreen,
    HelpScreen,
    RecordingsScreen,
    BrowserScreen,
    PairsScreen,
    ConfirmDialog,
    Dialog,
)
SCREENS = tuple(kind.__module__ for kind in (*NAMED[:-2], TableScreen))
UNNEEDED = (*SCREENS, "numba", "bba.bench.episode", "tenacity")


def test_the_situation_of_every_screen_is_one_whose_keys_are_listed():
    for kind in (*NAMED, WatchScreen, TableScreen):
        assert not kind.SITUATION or kind.SITUATION in SITUATIONS
    assert all(kind.SITUATION for kind in NAMED)
    assert set(SITUATION_BEHIND.values()) <= SITUATIONS.keys()


def test_only_the_start_screen_asks_what_to_play():
    assert [kind for kind in (*NAMED, WatchScreen, TableScreen) if kind.IS_START] == [StartScreen]


def test_a_game_is_watched_without_the_other_screens_the_compiler_and_the_store_of_results():
    code = (
        "import sys, tui.cli, tui.commands.game_screen, tui.app.app, bba.play;"
        "print([name for name in sys.argv[1:] if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code, *UNNEEDED], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
