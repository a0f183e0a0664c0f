"""A page of a study is one value: its screen, its lines of text and its form say the same."""

import pytest

from bba.settings import GameOptions
from human.keymap import DEFAULT
from human.study import BreakTask, QuestionTask
from human.study.questionnaire import SurveyQuestion
from tests.helpers.languages import frame
from tests.helpers.studies import begin_study
from tests.helpers.study_screens import app_on, title_on
from tests.helpers.terminal import typed_lines
from tests.helpers.wait_for_idle import until
from tui.plain.study import PlainStudy
from tui.plain.words import Typing
from tui.study.browser_forms import PageState, form_of
from tui.study.pages import (
    Page,
    PagePicture,
    PageReply,
    break_page,
    code_page,
    consent_page,
    game_over_page,
    question_page,
    ways,
)

QUESTION = SurveyQuestion(name="q", text="How was it?", when="end", choices=("good", "bad"), type="choice")
PICTURE = PagePicture("data:image/png;base64,AAAA", "a kitchen")


def page_of(name, study):
    """A page of each kind, what is typed in reply, and the reply but for its time."""
    return {
        "code": (code_page("My study"), "p7", PageReply("yes", "P7")),
        "consent": (consent_page(study), "2", PageReply("no")),
        "question": (question_page(QuestionTask(None, QUESTION, 1, 2), back=True), "2", PageReply("yes", "bad")),
        "one step back": (question_page(QuestionTask(None, QUESTION, 1, 2), back=True), "b", PageReply("back")),
        "break": (break_page(BreakTask(0, 0.0, 60.0), 2, 0.0), "", PageReply("yes")),
        "game over": (game_over_page(), "", PageReply("yes")),
        "picture": (Page("Look", "It is large.", ways("Go on"), picture=PICTURE), "", PageReply("yes")),
    }[name]


KINDS = ("code", "consent", "question", "one step back", "break", "game over", "picture")


@pytest.mark.parametrize("kind", KINDS)
async def test_a_page_says_the_same_on_the_screen_in_lines_and_as_a_form(tmp_path, capsys, kind):
    folder = begin_study(tmp_path, title="My study", consent="Do you agree?")
    page, line, reply = page_of(kind, folder.study)
    form = form_of(page, PageState())
    assert (form["title"], form["texts"][0].rstrip("\n")) == (page.title, page.text)
    assert [button["label"] for button in form["buttons"]] == [button.label for button in page.buttons]

    app = app_on(folder)
    async with app.run_test(size=(100, 40)) as pilot:
        app.push_screen(app._screen_for(page))
        await until(pilot, lambda: title_on(app) == page.title)
        drawn = frame(app)

    study = PlainStudy(folder, GameOptions.model_validate({}), "P1", keymap=DEFAULT)
    with typed_lines(line) as stream:
        study._typed = Typing(stream)
        given = study._reply_to(page)
    said = capsys.readouterr().out
    for word in f"{page.title} {page.text}".split():  # lines are broken elsewhere
        assert word in drawn
        assert word in said
    assert (given.button, given.answer) == (reply.button, reply.answer)


def test_a_form_has_no_character_that_a_terminal_leaves_out():
    form = form_of(Page("A title", "one\r\ntwo\x07", ways("Go on")), PageState())
    assert form["texts"] == ["one\ntwo"]
