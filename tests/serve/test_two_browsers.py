"""Two people in two browsers, far away: one world, and no key is lost."""

import asyncio
import json
import shutil
from datetime import UTC, datetime
from itertools import cycle

import pytest

from bba.play import Replay, load
from human.study.activity_log import read_log
from tests.helpers.browser import browsing
from tests.helpers.delaying_proxy import delaying
from tests.helpers.web_server import PATIENCE, free_port, serving

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
DELAY = 0.08  # seconds each way
STEPS, KEYS = 600, 60
STUDY = f"""
name = "two"
title = "A study"
consent = "Do you agree?"
layouts = ["open"]
people = 2
tutorial = false
horizon = {STEPS}
"""
OLD = 1.0  # seconds after which a key may be dropped: on a machine that stands still for so long
ACTION_OF = {"w": 0, "s": 1, "d": 2, "a": 3}  # as the kitchen numbers them


async def take_part(browser, code, recording, keys):
    """Goes to the game, presses keys at a person's pace, and waits for the end; returns what was pressed, and when."""
    await browser.asks("given")
    await browser.type(*code.lower(), "Enter")
    await browser.asks("Do you agree?")
    await browser.type("Tab", "Enter")
    await browser.asks("Begin")
    await browser.type("Enter")
    while not recording.exists():  # it is saved for the first time after 50 steps
        await asyncio.sleep(0.1)
    pressed = []
    for key, _ in zip(cycle(keys), range(KEYS), strict=False):
        pressed.append((datetime.now(UTC), ACTION_OF[key]))
        await browser.type(key)
        await asyncio.sleep(0.5)
    await browser.asks("Game over")
    return pressed


def seat_of(place, code):
    return json.loads((place / "results" / "two" / "participants" / f"{code}.json").read_text())["pair"]["seat"]


def times_of(place, code):
    """When each step was played at a participant's screen."""
    lines, _ = read_log(place / "results" / "two" / "logs" / f"{code}.jsonl")
    return {line.step: line.at for line in lines if line.what == "step"}


@pytest.mark.long
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
async def test_two_browsers_with_a_delay_see_the_same_world_and_lose_no_key(tmp_path, monkeypatch):
    (tmp_path / "study.toml").write_text(STUDY)
    monkeypatch.setattr("tests.helpers.browser.PATIENCE", 4 * PATIENCE)
    recordings = [tmp_path / "results" / "two" / "recordings" / f"P{number}-game-1.bba" for number in (1, 2)]
    port, proxy = free_port(), free_port()
    options = ("--study", "study.toml", f"--public-url=http://127.0.0.1:{proxy}")
    with serving(tmp_path, *options, port=port) as (_, link):
        async with (
            delaying(proxy, port, DELAY),
            browsing(CHROMIUM, link, tmp_path / "one") as one,
            browsing(CHROMIUM, link, tmp_path / "other") as other,
        ):
            pressed = await asyncio.gather(
                take_part(one, "P1", recordings[0], "wasd"), take_part(other, "P2", recordings[1], "sd")
            )
    games = [Replay(load(file), str(file)).run() for file in recordings]
    assert [len(game.ticks) for game in games] == [STEPS, STEPS]
    for mine, theirs in zip(games[0].ticks, games[1].ticks, strict=True):
        assert mine.actions == theirs.actions
        assert (mine.state == theirs.state).all()
    for code, keys in zip(("P1", "P2"), pressed, strict=True):
        seat, times = seat_of(tmp_path, code), times_of(tmp_path, code)
        actions = [(times[step], tick.actions[seat]) for step, tick in enumerate(games[0].ticks, 1)]
        check_keys(keys, [(when, action) for when, action in actions if action < 4])


def check_keys(pressed, played):
    """Each step that is no wait was pressed for, in that order; a key that none followed was older than a second.

    Args:
        pressed, played: times and actions of the keys, and of the steps.
    """
    keys, lost = iter(pressed), []
    for when, action in played:
        for pressed_at, key in keys:
            if key == action:
                break
            lost.append((when - pressed_at).total_seconds())
        else:
            raise AssertionError(f"{action} at {when} was not pressed")
    assert not list(keys)
    assert all(age > OLD for age in lost), f"keys were lost that were so many seconds old: {lost}"
    assert len(played) > KEYS / 2
