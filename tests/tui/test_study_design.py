"""The design of a study on the screen: the practice that must be passed, breaks, and a study without a place."""

from textual.widgets import Button

from human.study.activity_log import read_log
from human.study.tasks import NoPlaceInStudy
from tests.helpers.studies import begin_study
from tests.helpers.study_screens import app_on, page, play_one_step, text_on
from tests.helpers.wait_for_idle import until
from tui import cli
from tui.study.app import StudyApp
from tui.study.screens import BreakScreen, QuestionScreen, TextScreen

SIZE = (100, 30)
NAMES = 'name = "s"\ntitle = "t"\nconsent = "c"\n'
QUESTION = {"name": "rice", "text": "?", "when": "practice", "type": "choice", "choices": ["yes", "no"]}
QUIZ = {"practice": {"tries": 2, "instructions": "Burritos need rice."}, "questions": [QUESTION | {"expect": "yes"}]}


async def answer(pilot, choice):
    await until(pilot, lambda: isinstance(pilot.app.screen, QuestionScreen))
    await pilot.press(choice, "enter")


async def test_practice_is_asked_again_and_the_study_ends_for_who_fails_the_last_try(tmp_path):
    folder = begin_study(tmp_path, **QUIZ)
    app = app_on(folder)
    async with app.run_test(size=SIZE) as pilot:
        await page(pilot, "A small study")
        await pilot.press("tab", "enter")
        await page(pilot, "Please read this")
        await pilot.press("enter")
        await answer(pilot, "2")
        await page(pilot, "Once more")
        assert "0 of 1 answers were right" in app.screen.page.text
        assert "the last try" in app.screen.page.text
        await pilot.press("enter")
        await page(pilot, "Please read this")
        await pilot.press("enter")
        await answer(pilot, "2")
        await page(pilot, "Thank you")
        assert "ends here for you" in app.screen.page.text
        await pilot.press("enter")
    assert folder.everybody()[0].excluded.why == "practice"
    assert app.study_end == "screened-out", "who finishes gets the platform's completion code"
    app = app_on(folder)
    async with app.run_test(size=SIZE) as pilot:
        await page(pilot, "Welcome back")
        await pilot.press("enter")
        await page(pilot, "Thank you")
        assert "ends here for you" in app.screen.page.text


PAGES = [
    {"name": "welcome", "when": "start", "text": "Hello.", "heading": "Welcome"},
    {"name": "rules", "when": "before-games", "text": "\n".join(map(str, range(1, 41)))},
    {"name": "why", "when": "between-games", "text": "Now with another one."},
    {"name": "bye", "when": "end", "text": "It was about beliefs.", "heading": "What this was about"},
]


async def test_pages_are_shown_who_was_killed_comes_back_to_theirs_and_a_break_has_a_shortest_and_a_longest_time(
    tmp_path,
):
    folder = begin_study(tmp_path, horizon=1, questions=[], pages=PAGES, breaks={"shortest": 10, "longest": 60})
    time = [0.0]
    app = app_on(folder)
    async with app.run_test(size=SIZE) as pilot:
        await page(pilot, "A small study")
        await pilot.press("tab", "enter")
        await page(pilot, "Welcome")
        assert app.screen.page.text == "Hello."
        await pilot.press("enter")
        await page(pilot, "A small study")
        app.exit()
    assert [(read.page, read.ended is None) for read in folder.everybody()[0].breaks] == [
        ("welcome", False),
        ("rules", True),
    ]
    app = app_on(folder, now=lambda: time[0])
    async with app.run_test(size=SIZE) as pilot:
        await page(pilot, "Welcome back")
        await pilot.press("enter")
        await until(pilot, lambda: text_on(app).startswith("1\n2\n"))
        await pilot.press("pagedown", "enter")
        await until(pilot, lambda: app.screen.query_one("#text").scroll_y > 0)
        assert app.screen.page.text.startswith("1\n2\n"), "nobody goes on from what did not fit by a key too early"
        await pilot.press("tab", "enter")
        for game in (1, 2):
            await page(pilot, f"Game {game} of 2")
            await play_one_step(pilot)
            await pilot.press("enter")
            if game == 1:
                await until(pilot, lambda: isinstance(app.screen, BreakScreen))
                button = app.screen.query_one("#yes", Button)
                app.screen.look()
                assert button.disabled, "not before the shortest time"
                time[0] = 11.0
                app.screen.look()
                assert not button.disabled
                assert folder.everybody()[0].breaks[-1].ended is None
                time[0] = 61.0
                app.screen.look()
            await page(pilot, "A small study" if game == 1 else "What this was about")
            await pilot.press("enter")
        await page(pilot, "Thank you")
    noted = [(read.page, read.game, read.ended is not None) for read in folder.everybody()[0].breaks]
    assert noted == [
        ("welcome", None, True),
        ("rules", None, True),
        (None, 0, True),
        ("why", 0, True),
        ("bye", None, True),
    ]
    shown = [line.detail for line in read_log(folder.log_of("P1"))[0] if line.what == "page"]
    assert shown == ["welcome", "rules", "rules", "why", "bye"]


async def test_who_comes_after_the_last_place_reads_so_and_gives_no_consent(tmp_path):
    folder = begin_study(tmp_path, complete=1)
    with folder.participation("P1"):
        pass
    app = app_on(folder, "P2")
    async with app.run_test(size=SIZE) as pilot:
        await page(pilot, "No place is left")
        assert isinstance(app.screen, TextScreen)
        assert "all places of this study are taken" in app.screen.page.text
        await pilot.press("enter")
    assert isinstance(app.problem, NoPlaceInStudy)
    assert not folder.knows("P2")


def test_a_check_prints_the_plan_before_it_leads_through(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tui.commands.study_runs.check_terminal", lambda: None)
    monkeypatch.setattr("tui.commands.study_runs.is_plain", lambda *, plain: False)
    monkeypatch.setattr(StudyApp, "run", lambda app: None)
    file = tmp_path / "study.toml"
    file.write_text(
        'name="s"\ntitle="t"\nconsent="c"\nlayouts=["open"]\nagents=["bayes", "proagent"]\nbetween=["agents"]'
    )
    assert cli.main(["study", "study.toml", "--check"]) == 0
    said = capsys.readouterr().out
    assert "2 groups" in said
    assert said.count("agents=bayes: open/bayes") == 6
