"""Every ending of a study on the screen: its page and its code, and the code of no other ending in any frame."""

from contextlib import suppress
from typing import get_args

import pytest

from bba.errors import BBAError
from bba.settings import GameOptions
from human.study import ParticipantSession, StudyFolder, withdrawals
from human.study.endings import EndingName
from human.study.online import Online, ids_of
from human.study.tables import tables_of
from tests.helpers.studies import begin_study, play_through
from tests.helpers.study_screens import title_on
from tests.helpers.wait_for_idle import until
from tui import cli
from tui.commands import study_runs as study_command
from tui.serve.driver import VisitorDriver
from tui.study.app import StudyApp
from tui.study.game import StudyGame
from tui.study.pages import WITHDREW

SIZE = (80, 24)
CODES = {name: f"CODE-OF-{name.upper()}-END" for name in get_args(EndingName)}
ENDINGS = {name: {"code": code, "redirect": "https://x.org/{PROLIFIC_PID}"} for name, code in CODES.items()}
CHECK = {"name": "check", "text": "Choose 7.", "points": 7, "expect": 7}
PLAN = {"agents": ["switching"], "horizon": 4, "questions": [CHECK]}
ME, SOMEBODY = (ids_of(Online(), {"PROLIFIC_PID": name}, "a cookie") for name in ("me", "somebody"))


@pytest.fixture(autouse=True)
def quick_hashes(monkeypatch):
    """Hashes of codes that cost nothing."""
    monkeypatch.setattr(withdrawals, "HASH_ROUNDS", 1)


def done(folder, ids=ME):
    with folder.participation(ids.code, ids) as part:
        play_through(folder, part)


def screened_out(folder):
    with folder.participation(ME.code, ME) as part:
        part.exclude("practice")


def begun_elsewhere(folder):
    with folder.participation(ME.code, ME.model_copy(update={"visitor": "0" * 16})):
        pass


def done_after_idle(folder):
    with folder.participation(ME.code, ME) as part:
        part.come_to("idle")
    done(folder)


def withdrawn(folder):
    done(folder)
    folder.withdraw(ME.code)


def damaged(folder):
    done(folder)
    (folder.path / "participants" / f"{ME.code}.json").write_text("{")


WAYS = {  # to each ending: what was before, further keys of the plan, and the page with what is pressed there
    "finished": (done, {}, ["Welcome back"]),
    "declined": (None, {}, ["A small study"]),
    "screened-out": (screened_out, {}, ["Welcome back"]),
    "failed-attention": (done, {"exclude": {"attention": 0}}, ["Welcome back"]),
    "finished-after-idle": (done_after_idle, {}, ["Welcome back"]),
    "study-full": (lambda folder: done(folder, SOMEBODY), {"complete": 1}, []),
    "other-browser": (begun_elsewhere, {}, ["Welcome back"]),
    "withdrawn": (withdrawn, {}, []),
    "fault": (damaged, {}, ["Welcome back"]),
}


KEPT = ("finished", "screened-out", "failed-attention", "finished-after-idle")  # of people of whom there are rows


def frame(app):
    return "\n".join("".join(part.text for part in strip) for strip in app.screen._compositor.render_strips())


async def walk(folder, pages):
    """Walks to the last page; returns the app, and all frames with pages that were there."""
    app, frames = StudyApp(folder, GameOptions.model_validate({}), ids=ME, countdown=0, pause=0), []
    async with app.run_test(size=SIZE) as pilot:
        for title in pages:
            await until(pilot, lambda title=title: title_on(app) == title)
            await pilot.pause()
            frames.append(frame(app))
            await pilot.press(*(["tab", "tab"] if title == "A small study" else []), "enter")
        await until(pilot, lambda: app.study_end != "left-study" and title_on(app) not in pages)
        await pilot.pause()
        frames.append(frame(app))
        await pilot.press("enter")
    return app, frames


@pytest.mark.parametrize("ending", WAYS)
async def test_an_ending_has_its_page_its_code_and_its_address_and_no_frame_has_another_code(tmp_path, ending):
    before, more, pages = WAYS[ending]
    folder = begin_study(tmp_path, **PLAN | more, online={"endings": ENDINGS})
    if before is not None:
        before(folder)
    app, frames = await walk(folder, pages)
    assert app.study_end == ending
    assert f"Your completion code: {CODES[ending]}" in frames[-1]
    assert "Go back to https://x.org/me" in frames[-1]
    tables = tables_of(folder) if ending in KEPT else {"events": [], "participants": []}
    left = [row["detail"] for row in tables["events"] if row["event"] == "left"]
    assert left == [row["ending"] for row in tables["participants"]] == [ending] * (ending in KEPT)
    shown = "\n".join(frames)
    assert [name for name, code in CODES.items() if code in shown] == [ending]


async def test_who_was_screened_out_reads_the_last_page_of_the_study_before_that_of_the_ending(tmp_path):
    debriefing = {"name": "bye", "when": "end", "text": "What this was about.", "heading": "Debriefing"}
    folder = begin_study(tmp_path, **PLAN, pages=[debriefing])
    screened_out(folder)
    app, frames = await walk(folder, ["Welcome back", "Debriefing"])
    assert "What this was about." in frames[1]
    assert (app.study_end, "the practice was not passed" in frames[2]) == ("screened-out", True)


async def test_an_ending_without_an_entry_shows_neither_code_nor_address(tmp_path):
    before, _, pages = WAYS["screened-out"]
    folder = begin_study(tmp_path, **PLAN, online={"completion-code": "C0DE", "return-link": "https://x.org"})
    before(folder)
    app, frames = await walk(folder, pages)
    assert app.study_end == "screened-out"
    assert not any(words in "\n".join(frames) for words in ("C0DE", "completion code", "x.org"))
    for ending in ("failed-attention", "other-browser"):
        app.study_end = ending
        assert app.ending_text == "", ending


async def test_the_row_names_an_ending_once_its_page_is_shown(tmp_path):
    folder = begin_study(tmp_path, **PLAN)
    done(folder)
    app = StudyApp(folder, GameOptions.model_validate({}), ids=ME, countdown=0, pause=0)
    async with app.run_test(size=SIZE) as pilot:
        for title, ending in (("Welcome back", None), ("Thank you", "finished")):
            await until(pilot, lambda title=title: title_on(app) == title)
            await pilot.pause()
            assert [row["ending"] for row in tables_of(folder)["participants"]] == [ending]
            await pilot.press("enter")
        await pilot.pause()


async def in_a_game(folder, what):
    """Does something to the app of a participant in a game, which ends by that."""
    with folder.participation(ME.code, ME):
        pass
    app = StudyApp(folder, GameOptions.model_validate({}), ids=ME, countdown=0, pause=0)
    with suppress(RuntimeError):
        async with app.run_test(size=SIZE) as pilot:
            for title in ("Welcome back", "Game 1 of 1"):
                await until(pilot, lambda title=title: title_on(app) == title)
                await pilot.pause()
                assert [row["ending"] for row in tables_of(folder)["participants"]] == [None]
                await pilot.press("enter")
            await until(pilot, lambda: isinstance(app.screen, StudyGame))
            what(app)
            await until(pilot, lambda: not app.is_running or app.study_end == "fault")
            await pilot.press("enter")
    return app


def does_nothing_for_long(app):
    driver = object.__new__(VisitorDriver)
    driver._app = app
    driver._leave("idle")


def fails(app):
    def fail():
        raise RuntimeError("a mistake in the program")

    app.call_later(fail)


@pytest.mark.parametrize(
    ("what", "ending"), [(does_nothing_for_long, "idle"), (fails, "fault"), (lambda app: app.exit(), None)]
)
async def test_who_does_nothing_for_long_or_meets_a_fault_in_a_game_has_that_ending_in_the_row(tmp_path, what, ending):
    folder = begin_study(tmp_path, **PLAN | {"horizon": 2000})
    app = await in_a_game(folder, what)
    tables = tables_of(folder)
    assert [row["ending"] for row in tables["participants"]] == [ending]
    assert [row["detail"] for row in tables["events"] if row["event"] == "left"] == [ending]
    assert app.study_end == (ending or "left-study")


async def test_a_file_that_cannot_be_written_is_a_fault_in_the_row(tmp_path, monkeypatch):
    folder = begin_study(tmp_path, **PLAN)
    with folder.participation(ME.code, ME):
        pass

    def refuse(*_, **__):
        raise BBAError("no room")

    monkeypatch.setattr(ParticipantSession, "begin", refuse)
    app, _ = await walk(folder, ["Welcome back", "Game 1 of 1"])
    assert app.study_end == "fault"
    assert [row["ending"] for row in tables_of(folder)["participants"]] == ["fault"]


async def test_withdrawal_is_offered_on_the_last_page_and_keeping_the_data_returns_to_it(tmp_path):
    folder = begin_study(tmp_path, **PLAN, online={"endings": ENDINGS})
    done(folder)
    app = StudyApp(folder, GameOptions.model_validate({}), ids=ME, countdown=0, pause=0)
    async with app.run_test(size=SIZE) as pilot:
        for title, button in (
            ("Welcome back", "#yes"),
            ("Thank you", "#no"),
            ("", "#no"),
            ("Thank you", "#no"),
            ("", "#yes"),
        ):
            await until(pilot, lambda title=title: title_on(app) == title)
            await pilot.pause()
            await pilot.click(button)
        await until(pilot, lambda: app.study_end == "withdrawn")
    assert (folder.everybody(), folder.withdrawals().withdrawn) == ([], 1)
    kept = {file.name: file.read_text("utf-8") for file in folder.path.rglob("*") if file.is_file()}
    assert [name for name in kept if ME.code in name] == []
    assert [
        name for name, text in kept.items() for own in (ME.code, f'"{ME.participant}"', ME.visitor) if own in text
    ] == []
    assert app.ending_text == f"Your completion code: {CODES['withdrawn']}\n\nGo back to https://x.org/me"


async def test_who_has_withdrawn_is_asked_for_consent_again_only_where_the_study_says_so(tmp_path):
    folder = begin_study(tmp_path, **PLAN, online={"endings": ENDINGS}, **{"ask-again": True})
    withdrawn(folder)
    app, _ = await walk(folder, ["A small study"])
    assert app.study_end == "declined"


def test_the_terminal_says_after_a_withdrawal_what_was_deleted_and_the_code(tmp_path, monkeypatch, capsys):
    file = tmp_path / "study.toml"
    file.write_text(
        'name = "s"\ntitle = "t"\nconsent = "c"\nlayouts = ["open"]\nagents = ["switching"]\n'
        '[online.endings]\nwithdrawn = { code = "G0NE" }\n'
    )
    monkeypatch.setattr(study_command, "check_terminal", lambda: None)
    monkeypatch.setattr(study_command, "is_plain", lambda *, plain: False)
    monkeypatch.setattr(StudyApp, "run", lambda app: setattr(app, "study_end", "withdrawn"))
    assert cli.main(["study", str(file), "--participant", "P1", "--out", str(tmp_path / "here")]) == 0
    assert capsys.readouterr().out == f"{WITHDREW}\n\nYour completion code: G0NE\n"
    assert StudyFolder.open(tmp_path / "here").withdrawals().withdrawn == 0  # nobody was here
