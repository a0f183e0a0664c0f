"""A participant reads of no problem where files are, what the machine is called, or how the program is made."""

import json

import pytest

from bba.errors import BBAError
from human.session import Session
from human.study import ActivityLog, ParticipantSession, StudyFolder
from tests.helpers.notifications import said
from tests.helpers.studies import begin_study
from tests.helpers.study_screens import agree, app_on, page
from tests.helpers.wait_for_idle import until
from tui.serve.session import VisitorSession
from tui.study.game import StudyGame
from tui.study.pages import NOT_SAID

PROBLEMS = {
    "a full disk": "/mnt/data of lab/s/recordings/P1-game-1.bba: cannot be written: No space left on device",
    "an agent of one's own": "bad:Bad: decide in step 21: KeyError 'secret' (/home/anna/agents/bad.py, line 9)",
    "an endpoint": "no connection to http://gpu7.lab.example:8000/v1: All connection attempts failed; check --base-url",
}
# Each is said by the same lines: where it comes from makes the difference.
EACH_PROBLEM = [
    pytest.param(problem, id=name, marks=pytest.mark.thorough if number else ())
    for number, (name, problem) in enumerate(PROBLEMS.items())
]
PRIVATE = ("/mnt", "/home", ".bba", ".py", "http", "gpu7", "secret", "Error", "--", "errno", "lab/s")
SHORT = {"agents": ["switching"], "horizon": 4}
PLAIN = NOT_SAID.replace("\n", " ")


def failing(problem):
    def fail(*_, **__):
        raise BBAError(problem)

    return fail


def check(texts, app, problem):
    """Of these texts none says what nobody needs to know, and those who run the study can know it."""
    assert texts
    assert [text for text in texts for part in PRIVATE if part in text] == []
    assert problem in [*app.problems, str(app.problem)]


async def in_game(pilot):
    await agree(pilot)
    await pilot.press("enter")
    await until(pilot, lambda: isinstance(pilot.app.screen, StudyGame))


@pytest.mark.parametrize("problem", EACH_PROBLEM)
@pytest.mark.parametrize("where", ["step", "save", "note"])
async def test_what_fails_in_a_game_is_said_without_its_place(tmp_path, monkeypatch, where, problem):
    app = app_on(begin_study(tmp_path, **SHORT))
    async with app.run_test(size=(100, 30)) as pilot:
        await in_game(pilot)
        kind, name = {"step": (Session, "step"), "save": (Session, "close"), "note": (ActivityLog, "note")}[where]
        with monkeypatch.context() as broken:
            broken.setattr(kind, name, failing(problem))
            if where == "step":
                await pilot.press(".")
            elif where == "save":
                app.screen._save()
            else:
                app.screen.note("blur")
            await until(pilot, lambda: app.problems)
        check(said(app), app, problem)
        assert PLAIN in said(app)


@pytest.mark.parametrize("problem", PROBLEMS.values(), ids=PROBLEMS)
async def test_what_is_noted_of_a_window_fails_without_its_place(tmp_path, monkeypatch, problem):
    app = app_on(begin_study(tmp_path, **SHORT))
    async with app.run_test(size=(100, 30)) as pilot:
        await agree(pilot)
        await page(pilot, "Game 1 of 1")
        with monkeypatch.context() as broken:
            broken.setattr(ActivityLog, "note", failing(problem))
            app._note("blur")
        check(said(app), app, problem)


@pytest.mark.parametrize("problem", EACH_PROBLEM)
@pytest.mark.parametrize(
    ("kind", "name"), [(StudyFolder, "check_place"), (StudyFolder, "_write"), (ParticipantSession, "begin")]
)
async def test_what_ends_the_study_has_a_page_without_its_place(tmp_path, monkeypatch, kind, name, problem):
    app = app_on(begin_study(tmp_path, **SHORT))
    monkeypatch.setattr(kind, name, failing(problem))
    async with app.run_test(size=(100, 30)) as pilot:
        for _ in range(3):
            if app.problem is None:
                await pilot.press("tab", "enter")
                await pilot.pause()
        await page(pilot, "This cannot go on")
        form = app._form
        check([form["title"], *form["texts"]], app, problem)
        assert app.study_end == "fault"


async def test_what_is_written_for_participants_is_said_in_full(tmp_path):
    folder = begin_study(tmp_path, **SHORT)
    app = app_on(folder)
    with folder.participation("P1"):
        async with app.run_test(size=(100, 30)) as pilot:
            await pilot.press("enter")
            await page(pilot, "This cannot go on")
            assert "participant P1 is taking part elsewhere at this moment" in str(app._form["texts"])


async def test_the_server_says_it_to_those_who_run_the_study_and_not_to_the_browser(tmp_path):
    browser, log = [], []

    async def to_browser(text):
        browser.append(text)

    connection = dict.fromkeys(("write_bytes", "close", "end", "download_manager"))
    session = VisitorSession("{}", tmp_path, write_str=to_browser, report=log.append, **connection)
    for problem in PROBLEMS.values():
        await session.on_meta(json.dumps({"type": "problem", "text": problem}).encode())
    assert (browser, log) == ([], list(PROBLEMS.values()))
