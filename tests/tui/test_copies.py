"""What y and Y copy: the command that shows a game again, and its caption."""

import shlex

import pytest

from bba.settings import GameOptions
from tests.helpers.command_line import parsed
from tests.helpers.forks import fork_it, still
from tests.helpers.notifications import notified
from tests.helpers.wait_for_idle import until
from tui.arguments import command_words
from tui.game_factory import duel_source, live_source, make_game
from tui.screens.watch import WatchScreen

SIZE = (120, 40)
MODEL = ["--planner", "openai", "--base-url", "http://127.0.0.1:9/v1", "--model", "mine"]
LINES = (
    "watch open --agent bayes --partner switching --planner scripted --seed 0",
    "watch ring --agent bayes-commit --partner switching+locked --planner rollout --seed 3 --futures 8 --horizon 60",
    "watch ring --agent bayes --partner bayes --planner scripted --seed 0 --schedule 0:prep_rice,9:serve --epsilon 0.1",
    f"watch open --agent bayes --partner switching {shlex.join(MODEL)} --seed 0 --real-time --ask always",
    'watch open --agent a:Cook --partner switching --planner scripted --seed 0 --agent-option \'{"words": ["a b"]}\'',
    "duel open --agents bayes,proagent --partner switching --planner scripted --seed 5 --horizon 60",
)


@pytest.mark.parametrize("line", LINES)
def test_the_command_of_a_game_has_all_that_decides_it_whatever_else_was_said(line):
    settings = parsed(shlex.split(line))
    how = ["--speed", "20", "--theme", "light", "--record", "game.bba", "--force"]
    assert set(command_words(line.split()[0], parsed([*shlex.split(line), *how]))) == {
        "bba-tui",
        *shlex.split(line),
    }
    again = parsed(command_words(line.split()[0], settings)[1:])
    assert again.model_dump() == settings.model_dump()


def test_a_parameter_that_a_planner_would_set_otherwise_is_named_though_it_has_its_default():
    default = GameOptions.model_fields["epsilon"].default
    said = parsed(["watch", "--planner", "rollout", "--epsilon", str(default), "--horizon", "5"])
    again = parsed(command_words("watch", said)[1:])
    games = [make_game(one, 0, fast=False).trace.config for one in (said, again)]
    assert games[0] == games[1]
    assert games[0].belief_config != make_game(parsed(["watch", "--planner", "rollout"]), 0, fast=False).trace.config


async def test_while_a_game_is_watched_y_copies_its_command_also_once_it_is_tuned_and_a_fork_has_none():
    app = still(live_source(parsed(["watch", "ring", "--seed", "3", "--horizon", "60"])))
    command = "bba-tui watch ring --agent bayes --partner switching --planner scripted --seed 3 --horizon 60"
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("y")
        assert app.clipboard == command
        assert await notified(app, pilot, f"copied the command of this game: {command}")
        await pilot.press("Y")
        assert await notified(app, pilot, "there is no caption to copy")
        await pilot.press("u", "right", "escape", ".", "y")
        assert await notified(
            app, pilot, f"copied the command of this game as it began, before it was tuned: {command}"
        )
        await fork_it(pilot)
        await pilot.press("Y")
        assert app.clipboard == "p plays both games on"
        await pilot.press("k")
        await until(pilot, lambda: isinstance(app.screen, WatchScreen) and app.screen.parted is not None)
        await pilot.press("y")
        assert await notified(app, pilot, "there is no command of this game to copy")


@pytest.mark.usefixtures("shown_pair")
async def test_a_duel_has_a_command_and_a_caption():
    app = still(duel_source(parsed(["duel", "--agents", "bayes,proagent", "--planner", "scripted", "--horizon", "40"])))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("y")
        assert app.clipboard.startswith("bba-tui duel open --agents bayes,proagent --partner switching+locked")
        await pilot.press("Y")
        assert "The kitchen, the partner and the seed are the same" in app.clipboard
