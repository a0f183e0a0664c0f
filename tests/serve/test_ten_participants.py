"""Ten scripted participants, in browsers and at terminals, two at a time: the data are whole whatever disturbs them."""

import asyncio
import json
import re
import shutil
from collections import Counter

import pytest

from bba.kitchen import constants
from bba.play import load
from human.study import StudyFolder
from human.study.activity_log import read_log
from human.study.table_files import write_tables
from human.study.tables import tables_of
from tests.helpers.browser import browsing
from tests.helpers.delaying_proxy import delaying
from tests.helpers.hands import BrowserHands, SeenBrowser, TerminalHands
from tests.helpers.study_person import QUESTIONS, Person
from tests.helpers.typist import actions_until_a_dish
from tests.helpers.web_server import free_port, serving
from tui.preferences import AppState

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
STEPS, GAMES = 120, 2
STUDY = f"""
name = "ten"
title = "A study"
consent = "Do you agree?"
layouts = ["open"]
agents = ["switching", "proagent"]
between = ["hints"]
tutorial = false
horizon = {STEPS}
speed = 5
[factors]
hints = [true, false]
[breaks]
every = 1
[[questions]]
name = "fluent"
text = "{QUESTIONS["fluent"]}"
points = 7
[[questions]]
name = "effort"
type = "slider"
text = "{QUESTIONS["effort"]}"
[[questions]]
name = "noticed"
text = "{QUESTIONS["noticed"]}"
required = true
[[questions]]
name = "hours"
type = "number"
text = "{QUESTIONS["hours"]}"
when = "end"
"""
KEY_OF = {constants.NORTH: "w", constants.SOUTH: "s", constants.EAST: "d", constants.WEST: "a"}
KEY_OF |= {constants.INTERACT: "space"}
BROWSER_CODES, TERMINAL_CODES = ("P0", "P2", "P4", "P6", "P8"), ("P1", "P3", "P5", "P7", "P9")


def planned():
    """The keys of somebody who makes a burrito, whatever they see."""
    return [KEY_OF.get(action, "full_stop") for action in actions_until_a_dish("switching")]


async def in_browsers(place, link, proxied, server, cut):
    """Participants in browsers, one after the other; every other one keeps to a plan."""
    people = []
    for number, code in enumerate(BROWSER_CODES):
        async with browsing(CHROMIUM, link, place / code, SeenBrowser) as browser:
            hands = BrowserHands(browser, proxied, server, cut)
            people.append(Person(code, hands, number, planned() if number % 2 else ()))
            await people[-1].take_part()
    return people


async def at_terminals(place):
    """Participants at terminals, one after the other; every other one keeps to a plan."""
    people = []
    for number, code in enumerate(TERMINAL_CODES):
        hands = TerminalHands(["study", str(place / "study.toml"), "--out", str(place / "kept")], code)
        try:
            people.append(Person(code, hands, 100 + number, planned() if number % 2 == 0 else ()))
            await people[-1].take_part()
        finally:
            await hands.close()
    return people


@pytest.fixture
async def took_part(tmp_path, monkeypatch):
    """The people, and the folder of their study."""
    (tmp_path / "study.toml").write_text(STUDY)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    AppState().note(taught=True)
    port, proxy = free_port(), free_port()
    proxied = f"http://127.0.0.1:{proxy}/"
    options = ("--study", "study.toml", "--out", "kept", f"--public-url={proxied[:-1]}")
    with serving(tmp_path, *options, port=port) as (server, link):
        async with delaying(proxy, port, 0.0) as cut:
            people = await asyncio.gather(in_browsers(tmp_path, link, proxied, server.pid, cut), at_terminals(tmp_path))
    for person in (*people[0], *people[1]):  # what was meant, for whoever looks into a failure
        (tmp_path / f"{person.code}.json").write_text(json.dumps(vars(person), default=str))
    return [*people[0], *people[1]], StudyFolder.open(tmp_path / "kept")


@pytest.mark.long
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
async def test_ten_participants_leave_whole_data_whatever_disturbs_them(took_part):
    people, folder = took_part
    tables = tables_of(folder)
    assert sum(len(person.disturbed) for person in people) >= 20
    assert sum(game > 0 for person in people for _, game in person.disturbed) >= 5
    check_design(tables)
    check_games(folder, tables)
    for person in people:
        check_answers(person, [row for row in tables["answers"] if row["participant"] == person.code])
        check_log(person, folder, tables)
    check_files(folder)


def check_design(tables):
    """Everybody is complete; groups, and the orders in each, differ by one at most."""
    assert [row["complete"] for row in tables["participants"]] == [True] * 10
    groups = Counter(row["group"] for row in tables["participants"])
    assert sorted(groups.values()) == [5, 5]
    for group in groups:
        orders = Counter(row["order"] for row in tables["participants"] if row["group"] == group)
        assert sorted(orders.values()) == [2, 3]


def check_games(folder, tables):
    """Every game was played to its end, each step once, and each with its time."""
    assert Counter(row["participant"] for row in tables["games"]) == {f"P{number}": GAMES for number in range(10)}
    for game in tables["games"]:
        assert (game["problem"], game["given_up"], game["steps"]) == (None, False, STEPS), game
        which = [row for row in tables["steps"] if all(row[name] == game[name] for name in ("participant", "game"))]
        assert [row["step"] for row in which] == list(range(1, STEPS + 1))
        assert all(row["at"] is not None for row in which)
        assert load(folder.recordings / f"{game['participant']}-game-{game['game']}.bba").steps == STEPS


def check_answers(person, rows):
    """Each question was answered once, as it was meant last, and after it was meant."""
    given = {(row["question"], row["game"] or 0): row for row in rows}
    asked = {(name, game) for name in ("fluent", "effort", "noticed") for game in (1, 2)} | {("hours", 0)}
    assert len(rows) == len(asked)
    assert given.keys() == asked
    for (question, game), row in given.items():
        meant = [one for one in person.intents if (one.question, one.game) == (question, game)]
        before = [one for one in meant if one.at.isoformat() <= row["at"]]
        value = row["words"] if question == "noticed" else row["number"] if question == "hours" else row["score"]
        assert before, f"{person.code}: {question} on game {game} was answered before it was meant"
        assert value == before[-1].value, (person.code, question, game)
        assert row["changes"] <= len(meant) - 1
    assert sum(row["changes"] for row in rows) <= person.backs


def check_log(person, folder, tables):
    """All pauses are in the log and in the table, and no key is there that was not pressed."""
    lines, damaged = read_log(folder.log_of(person.code))
    assert damaged == 0
    assert [(line.game, line.detail) for line in lines if line.what == "paused"] == person.pauses
    noted = [row for row in tables["pauses"] if row["participant"] == person.code]
    assert [(row["game"], row["why"]) for row in noted] == person.pauses
    assert all(row["seconds"] > 1 for row in noted)
    pressed = iter(person.keys)
    assert all(key in pressed for key in (row["key"] for row in tables["keys"] if row["participant"] == person.code))


def check_files(folder):
    """All tables are written, and the ones to publish name nobody."""
    for anonymous in (False, True):
        place, problems = write_tables(folder, anonymous=anonymous)
        assert not problems
        package = json.loads((place / "datapackage.json").read_text())
        assert {resource["path"] for resource in package["resources"]} == {file.name for file in place.glob("*.csv")}
        assert not anonymous or not any(re.search(r"\bP\d\b", file.read_text()) for file in place.glob("*.csv"))
