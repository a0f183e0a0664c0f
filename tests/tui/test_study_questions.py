"""Questions and pages of a study on the screen: every kind is answered by keys, and no text or word is lost."""

from base64 import b64encode
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from human.study.questionnaire import SurveyQuestion
from tests.helpers.languages import frame
from tests.helpers.studies import begin_study
from tests.helpers.study_screens import agree, app_on, asks_for, page, play_the_only_step, progress_of, title_on
from tui.study.fields import BoxesField, ListField, WordsField
from tui.study.pages import Page, ways
from tui.study.screens import PictureCanvas, TextScreen
from tui.style.base_app import BaseApp
from tui.widgets.pixels import cells_of

SIZE = (100, 30)


async def test_one_step_back_shows_the_answer_and_replaces_it(tmp_path):
    questions = [{"name": name, "text": f"{name}?", "ends": ["no", "yes"]} for name in ("one", "two", "three")]
    folder = begin_study(tmp_path, agents=["switching"], horizon=1, questions=questions)
    app = app_on(folder)
    async with app.run_test(size=SIZE) as pilot:
        await play_the_only_step(pilot)
        assert not app.screen.query("#back")
        for key in "24":
            await pilot.press(key, "enter")
            await pilot.pause()
        await pilot.click("#back")
        await pilot.pause()
        assert (app.screen.page.field.task.question.name, app.screen.field.answer) == ("two", 4)
        assert not app.screen.query("#back")
        await pilot.press("5", "enter")
        await pilot.pause()
        assert app.screen.page.field.task.question.name == "three"
        await pilot.press("1", "enter")
        await pilot.pause()
        assert "That was all" in app.screen.page.text
    given = {answer.question: (answer.score, answer.changes) for answer in progress_of(folder).answers}
    assert given == {"one": (2, 0), "two": (5, 1), "three": (1, 0)}
    assert all(answer.shown < answer.at for answer in progress_of(folder).answers)


def marks(app):
    field = app.screen.query_one(BoxesField)
    return [field.render_line(y).text[1].strip() for y in range(field.option_count)]


async def test_every_kind_of_question_can_be_answered_by_keys(tmp_path):
    listed = ["one line", "another line", "a third line"]
    questions = [
        {"name": "slider", "text": "?", "type": "slider", "ends": ["low", "high"]},
        {"name": "one", "text": "?", "type": "choice", "choices": listed},
        {"name": "several", "text": "?", "type": "choices", "choices": listed},
        {"name": "number", "text": "?", "type": "number", "least": 10},
        {"name": "words", "text": "?", "required": True},
    ]
    folder = begin_study(tmp_path, questions=[one | {"when": "start"} for one in questions])
    app = app_on(folder)
    async with app.run_test(size=SIZE) as pilot:
        await agree(pilot)
        assert "question 1 of 5" in title_on(app)
        await pilot.press("tab", "enter")  # without an answer
        assert "please answer" in str(app.screen.query_one(".problem").render())
        await pilot.press("right", "shift+right", "left", "enter", "enter")
        await pilot.pause()
        await pilot.press("2", "shift+tab", "down", "enter", "enter")
        await pilot.pause()
        assert marks(app) == ["", "", ""]  # a box that is not ticked is empty
        await pilot.press("space", "down", "down", "space")
        assert marks(app) == ["X", "", "X"]
        await pilot.press("tab", "enter")
        await pilot.pause()
        await pilot.press(*"4x", "enter", "enter")
        assert "a number from 10" in str(app.screen.query_one(".problem").render())
        await pilot.press(*"42", "enter", "enter")
        await pilot.pause()
        await pilot.press(*"yes 1", "tab", "enter")
        await pilot.pause()
        assert title_on(app) == "Game 1 of 2"
    assert [answer.value for answer in progress_of(folder).answers] == [
        59,
        ("a third line",),
        ("one line", "a third line"),
        42,
        "yes 1",
    ]


@pytest.mark.thorough
async def test_the_scale_can_be_had_by_arrows_and_enter(tmp_path):
    folder = begin_study(tmp_path, agents=["switching"], horizon=1)
    app = app_on(folder)
    async with app.run_test(size=SIZE) as pilot:
        await play_the_only_step(pilot)
        await pilot.press("down", "down", "enter", "enter")
        await pilot.pause()
        assert [answer.score for answer in progress_of(folder).answers] == [2]


@pytest.mark.thorough
async def test_more_words_than_there_is_room_for_are_not_lost_but_stay_in_the_field(tmp_path):
    folder = begin_study(
        tmp_path, agents=["switching"], horizon=1, questions=[{"name": "remarks", "text": "Anything?"}]
    )
    app = app_on(folder)
    async with app.run_test(size=SIZE) as pilot:
        await play_the_only_step(pilot)
        app.screen.query_one("TextArea").text = "x" * 4001
        await pilot.click("#yes")
        assert asks_for(app, WordsField)
        assert progress_of(folder).answers == ()


def test_no_line_of_a_list_is_chosen_by_an_enter_that_comes_before_the_page_is_drawn():
    question = SurveyQuestion.model_validate({"name": "fluency", "text": "Fluent?", "ends": ["no", "yes"]})
    field = ListField(question)
    assert field.highlighted is None
    field.action_select()
    assert field.answer is None


class Shows(BaseApp):
    """Shows pages."""

    async def shows(self, pilot, page):
        self.push_screen(page)
        await pilot.pause(0.15)  # two looks of the page


LONG = "\n".join(f"line {number}" for number in range(40))


def picture(image) -> str:
    """An image as the plan of a study holds it."""
    file = BytesIO()
    image.save(file, "PNG")
    return f"data:image/png;base64,{b64encode(file.getvalue()).decode()}"


async def test_a_page_shows_its_picture_and_says_what_it_shows(tmp_path):
    image, pages = Image.new("RGB", (300, 200), (200, 30, 30)), []
    for name, shown in (("red", picture(image)), ("torn", "data:image/png;base64,iVBORw0KGgoAAAA=")):
        about = {"picture": shown, "picture-text": f"It is {name}."}
        pages.append({"name": name, "when": "start", "text": "Look.", "heading": name, **about})
    app = app_on(begin_study(tmp_path, agents=["switching"], pages=pages))
    async with app.run_test(size=SIZE) as pilot:
        await agree(pilot)
        for name, size in (("red", (36, 12)), ("torn", (0, 0))):
            await page(pilot, name)
            await pilot.pause()
            canvas = app.screen.query_one(PictureCanvas)
            assert tuple(canvas.picture_size) == size, "what cannot be read is left out"
            assert f"[It is {name}.]" in frame(app)
            if name == "red":
                assert (canvas._cells == cells_of(np.full((24, 36, 3), (200, 30, 30), np.uint8))).all()
            await pilot.press("enter")


async def test_tab_leaves_a_button_only_for_what_can_be_scrolled():
    app = Shows()
    async with app.run_test(size=(80, 24)) as pilot:
        for text, stops in (("Short.", ("yes", "yes")), (LONG, ("text", "yes", "text"))):
            await app.shows(pilot, TextScreen(Page("Title", text, ways("Begin"))))
            for way in stops:
                assert app.focused.id == way, text
                await pilot.press("tab")
