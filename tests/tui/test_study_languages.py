"""A study in each language: every text that a participant sees is in it, and nothing is cut off in a small terminal."""

import re

import pytest
from rich.cells import cell_len
from textual.content import Content
from textual.widgets import Button

from bba.analysis.snapshot import Snapshot
from bba.errors import BBAError
from bba.language import LANGUAGE, say
from bba.play import Game
from human.session import Session
from human.study import ActivityLog, FailedTryTask
from human.study.questionnaire import SurveyQuestion
from human.study.tasks import QuestionTask
from tests.helpers.languages import LANGUAGES, ReadingParticipant, english_in, frame, spoken
from tests.helpers.notifications import said
from tests.helpers.studies import begin_study, play_through
from tests.helpers.study_screens import app_on, text_on, title_on
from tests.helpers.wait_for_idle import until
from tui import cli
from tui.commands import study_runs as study_command
from tui.study.app import StudyApp
from tui.study.game import StudyGame
from tui.study.pages import LEAVE, NO_WAY_IN, said_of_try, title_of
from tui.study.screens import LeaveDialog, TextScreen
from tui.widgets.orders import NAME_CELLS, score_line
from tui.widgets.player_panels import cook_lines
from tui.widgets.recipe_cards import PART_CELLS, card_lines, recipe_cards
from tui.widgets.stations import station_lines

SIZE = (80, 24)
INNER = 34  # cells of a line in the panels beside the kitchen `open`, in a terminal of this size
LATIN = re.compile(r"[A-Za-z]{2,}")
# What stays in Latin letters: keys as they are written, and the name of the kitchen.
KEYS_AND_NAMES = {"space", "enter", "ENTER", "tab", "TAB", "esc", "open"}
OWN = {"title": "§§", "consent": "§§"}  # the study's own texts are no words
PLAN = OWN | {
    "agents": ["switching", "proagent"],
    "horizon": 30,
    "hints": True,
    "tutorial": True,
    "practice": {"stages": 1, "tries": 2, "otherwise": "go-on", "instructions": "§§"},
    "breaks": {"every": 1},
    "pages": [{"name": "hello", "when": "start", "text": "§§"}],
    "questions": [
        {"name": "check", "text": "§§", "when": "practice", "points": 7, "expect": 5},
        {"name": "point", "text": "§§", "points": 7},
        {"name": "slide", "text": "§§", "type": "slider", "ends": ["§", "§§"]},
        {"name": "age", "text": "§§", "type": "number", "least": 18, "most": 99},
        {"name": "many", "text": "§§", "type": "choices", "choices": ["§", "§§"]},
        {"name": "words", "text": "§§"},
    ],
}
SHORT = OWN | {"agents": ["switching"], "horizon": 2, "questions": []}


async def walk(folder, language) -> list[str]:
    """Walks a study at 80x24 to its end; returns all that was on the screen."""
    app = app_on(folder)
    with spoken(language):
        async with app.run_test(size=SIZE) as pilot:
            reader = ReadingParticipant(app, pilot)
            await reader.take_part()
    return reader.frames


@pytest.mark.exhaustive
@pytest.mark.parametrize("language", ["zh", "de", "es"])
async def test_a_study_is_walked_from_consent_to_its_end_without_an_english_text(tmp_path, language):
    frames = await walk(begin_study(tmp_path, **PLAN, language=language), language)
    shown = "\n".join(frames)
    seen = [
        "I agree",
        "How to play",
        "Once more",
        "End it",
        "Leave",
        "A break",
        "not set",
        "please answer this question",
    ]
    with spoken(language):
        assert [
            text for text in (*seen, "That was all. Your games and answers are saved.") if say(text) not in shown
        ] == []
    assert english_in(shown, language) == set()
    if language == "zh":
        assert set(LATIN.findall(shown)) <= KEYS_AND_NAMES
    assert "…" not in shown  # nothing was cut off
    assert {cell_len(line) for one in frames for line in one.split("\n")} == {SIZE[0]}


async def test_an_app_speaks_the_language_of_its_study_and_no_other_app_does(tmp_path):
    german, english = (begin_study(tmp_path / name, **SHORT, language=name) for name in ("de", "en"))
    for folder, title in ((german, "Willkommen zurück"), (english, "Welcome back")):
        with folder.participation("P1"):
            pass
        app = app_on(folder)
        async with app.run_test(size=SIZE) as pilot:
            await until(pilot, lambda app=app, title=title: title_on(app) == title)
            assert str(app.screen.query_one("#yes", Button).label) == ("Weiter" if folder is german else "Go on")
            told: list[str] = []
            app.call_later(lambda told=told: told.append(LANGUAGE.get()))  # as the driver in a browser warns
            await pilot.press("ctrl+c")
            await until(pilot, lambda app=app: isinstance(app.screen, LeaveDialog))
            assert str(app.screen.query_one("#leave", Button).label) == ("Gehen" if folder is german else "Leave")
            assert told == [folder.study.language]
        assert LANGUAGE.get() == "en"


async def test_every_way_to_leave_is_translated_and_its_buttons_have_room(tmp_path):
    for language in LANGUAGES:
        app = app_on(begin_study(tmp_path / language, **SHORT, language=language))
        with spoken(language):
            async with app.run_test(size=SIZE) as pilot:
                await pilot.press("ctrl+c")
                await until(pilot, lambda app=app: isinstance(app.screen, LeaveDialog))
                assert say(LEAVE)[:7] in frame(app)
                box = app.screen.query_one("#question").content_region
                assert all(button.region in box for button in app.screen.query(Button))
                await pilot.click("#withdraw")
                await until(pilot, lambda app=app: not isinstance(app.screen, LeaveDialog))
                box = app.screen.query_one("#question").content_region
                assert all(button.region in box for button in app.screen.query(Button))
                assert english_in(frame(app), language) == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_with_numbers_and_reasons_are_translated(language):
    number = SurveyQuestion.model_validate({"name": "a", "text": "§", "type": "number", "least": 1, "most": 9})
    with spoken(language):
        said = [
            *(
                say(words, why=say("this study has all the participants that it needs"))
                for _, _, words in NO_WAY_IN.values()
            ),
            *(said_of_try(FailedTryTask(stages=False, right=1, of=3, left=left)) for left in (1, 2)),
            title_of(QuestionTask(0, number, 1, 3)),
            number.problem_with(99.0),
            number.problem_with(None),
        ]
    assert english_in("\n".join(said), language) == set()
    assert all(re.search(r"\D1\D.*3|3\D.*1", text, re.S) for text in (said[2], said[4]))  # each field has its number


def lines_of(snapshot: Snapshot, width: int) -> list[Content]:
    """Returns the lines of the panels beside a kitchen, as they are before a panel cuts off what is too long."""
    cards = recipe_cards(snapshot.scene)
    below = station_lines(snapshot, width, 9)
    return [score_line(snapshot, width), *card_lines(cards, width, 14), *cook_lines(snapshot, 1, width), *below]


@pytest.fixture(scope="module")
def trace():
    return Game("open", "bayes", "switching", 0, horizon=300).run()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_lines_of_a_game_are_translated_and_chinese_ones_have_room_in_a_small_terminal(trace, language):
    with spoken(language):
        lines = [line for step in range(0, 301, 5) for line in lines_of(Snapshot(trace, step, truth=False), INNER)]
    assert english_in("\n".join(line.plain for line in lines), language) == set()
    if language == "zh":
        assert [line.plain for line in lines if line.cell_length > INNER or "…" in line.plain] == []


def test_columns_of_recipe_cards_align_whatever_letters_their_names_have():
    snapshot = Snapshot(Game("open", "bayes", "switching", 0, horizon=1).trace, 0, truth=False)
    for language in LANGUAGES:
        with spoken(language):
            order, *parts = card_lines(recipe_cards(snapshot.scene)[:1], INNER, 14)
        assert {cell_len(part.plain.split("▸")[0]) for part in parts} == {PART_CELLS + 3}
        assert cell_len(order.plain.split("█")[0]) == NAME_CELLS


async def test_who_comes_to_a_study_that_is_full_reads_why_in_its_language(tmp_path):
    folder = begin_study(tmp_path, **SHORT, complete=1, language="es")
    with folder.participation("P2") as part:
        play_through(folder, part)
    app = app_on(folder)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: app.study_end == "study-full" and isinstance(app.screen, TextScreen))
        assert app.screen.page.text.startswith("Gracias por venir. No puede participar: este estudio ya tiene")


def test_the_terminal_says_goodbye_in_the_language_of_the_study(tmp_path, monkeypatch, capsys):
    file = tmp_path / "study.toml"
    file.write_text(
        'name = "s"\ntitle = "t"\nconsent = "c"\nlanguage = "de"\nlayouts = ["open"]\nagents = ["switching"]\n'
        '[online.endings]\nwithdrawn = { code = "G0NE" }\n'
    )
    monkeypatch.setattr(study_command, "check_terminal", lambda: None)
    monkeypatch.setattr(study_command, "is_plain", lambda *, plain: False)
    monkeypatch.setattr(StudyApp, "run", lambda app: setattr(app, "study_end", "withdrawn"))
    with spoken("en"):
        assert cli.main(["study", str(file), "--participant", "P1", "--out", str(tmp_path / "here")]) == 0
    assert capsys.readouterr().out.startswith("Sie haben die Teilnahme widerrufen;")


async def test_what_fails_while_one_takes_part_is_said_in_the_language_with_whom_to_tell(tmp_path, monkeypatch):
    def fail(*_, **__):
        raise BBAError("P1.jsonl: cannot be written")

    folder = begin_study(tmp_path, **SHORT, language="de")
    app = app_on(folder)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: isinstance(app.screen, TextScreen) and app.screen.page.careful)
        await pilot.press("tab", "enter")
        await until(pilot, lambda: "Spiel 1" in title_on(app))
        with monkeypatch.context() as disk, spoken("de"):  # as events are handled
            disk.setattr(ActivityLog, "note", fail)
            app._note("blur")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, StudyGame))
        game = app.screen
        with monkeypatch.context() as disk, spoken("de"):
            disk.setattr(ActivityLog, "note", fail)
            disk.setattr(Session, "close", fail)
            game.note("blur")
            game._save()
        await until(pilot, lambda: len(app.problems) == 1)
    assert [text.split(". ")[0] for text in said(app)] == [
        "Auf dem Rechner der Studienleitung ist etwas schiefgegangen"
    ] * 3
    assert app.problems == ["P1.jsonl: cannot be written"]


async def test_who_takes_part_elsewhere_reads_so_in_the_language_of_the_study(tmp_path):
    folder = begin_study(tmp_path, **SHORT, language="de")
    with folder.participation("P1"):
        app = app_on(folder)
        async with app.run_test(size=SIZE) as pilot:
            await pilot.press("enter")
            await until(pilot, lambda: "P1 ist gerade an anderer Stelle" in text_on(app))
