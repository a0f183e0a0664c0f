"""Pages and dialogs of a study as forms of the browser: what they say, and that answers go the way of the keys."""

from contextlib import asynccontextmanager
from types import SimpleNamespace

import pytest

from bba.settings import GameOptions
from tests.helpers.studies import begin_study
from tests.helpers.study_screens import agree, app_on, page, progress_of
from tests.helpers.wait_for_idle import until
from tests.tui.test_study_questions import picture
from tui.study.app import StudyApp
from tui.study.game import StudyGame
from tui.study.screens import LeaveDialog

SIZE = (80, 24)
LONG = "\n".join(f"line {number}" for number in range(40))


@asynccontextmanager
async def taking_part(tmp_path, code="P1", pause=0, **plan):
    """The app of a study in the browser; its pilot; and what the browser is told."""
    app, told = app_on(begin_study(tmp_path, **{"agents": ["switching"], "horizon": 1, **plan}), code), []
    app._pause = pause
    async with app.run_test(size=SIZE) as pilot:
        app._driver.write_meta = told.append
        app._form = {}
        await pilot.pause()
        app.show_form()
        yield app, pilot, told


def shown(told):
    """The form that the browser has."""
    return next(one["form"] for one in reversed(told) if one["type"] == "page")


async def send(app, pilot, told, button=None, **about):
    """Does what the browser does on the page that it shows; waits for the next page after a button."""
    before = shown(told)
    app.fill_in({"page": before["page"], **({} if button is None else {"button": button}), **about})
    await pilot.pause()
    if button is not None:
        await until(pilot, lambda: shown(told) != before)


async def test_consent_is_a_form_with_its_whole_text_and_its_buttons(tmp_path):
    async with taking_part(tmp_path, consent=LONG, title="A study") as (app, pilot, told):
        form = shown(told)
        assert (form["title"], form["texts"], form["type"], form["focus"]) == ("A study", [LONG], "", None)
        assert form["buttons"] == [
            {"id": "yes", "label": "I agree", "off": False},
            {"id": "no", "label": "I do not agree", "off": False},
        ]
        assert (form["begun"], form["contrast"]) == (False, False)
        await send(app, pilot, told, "yes")
        assert (shown(told)["title"], shown(told)["focus"], shown(told)["begun"]) == ("Game 1 of 1", "yes", True)
        assert progress_of(app._folder).participant == "P1"


async def test_the_code_is_asked_in_a_form_that_says_what_is_wrong_with_it(tmp_path):
    async with taking_part(tmp_path, code=None) as (app, pilot, told):
        assert (shown(told)["type"], shown(told)["value"], shown(told)["problem"]) == ("code", "", "")
        await send(app, pilot, told, "yes", value="Paul")
        assert "'Paul' is not a code" in shown(told)["problem"]
        assert shown(told)["value"] == "Paul"
        await send(app, pilot, told, "yes", value="p7")
        assert [one["id"] for one in shown(told)["buttons"]] == ["yes", "no"]


GIVEN = {  # by the type of a question: more of it, what its form says before, what is sent, and the answer
    "scale": ({"points": 3}, {"options": [("1", False), ("2", False), ("3", False)]}, [2], ("score", 3)),
    "choice": ({"choices": ["a", "b"]}, {"options": [("a", False), ("b", False)]}, [1], ("chosen", ("b",))),
    "choices": ({"choices": ["a", "b", "c"]}, {"value": None}, [2, 0, 9, "x"], ("chosen", ("a", "c"))),
    "slider": ({"ends": ["low", "high"]}, {"value": None, "ends": ("low", "high")}, 400, ("score", 100)),
    "number": ({"most": 5}, {"value": ""}, "2,5", ("number", 2.5)),
    "text": ({"required": True}, {"value": ""}, " Fine. ", ("words", "Fine.")),
}


@pytest.mark.parametrize("kind", GIVEN)
async def test_a_question_is_answered_in_its_form_and_nothing_is_given_before(tmp_path, kind):
    more, before, sent, (field, answer) = GIVEN[kind]
    asked = {"name": "q", "text": "How?", "when": "start", "type": kind} | more
    async with taking_part(tmp_path, questions=[asked]) as (app, pilot, told):
        await send(app, pilot, told, "yes")
        form = shown(told)
        assert (form["type"], form["texts"], form["problem"]) == (kind, ["How?"], "")
        assert before.items() <= form.items()
        await send(app, pilot, told, "yes")
        assert "please" in shown(told)["problem"], "nothing is chosen before somebody chooses"
        await send(app, pilot, told, value=sent)
        assert progress_of(app._folder).answers == (), "a button confirms it"
        await send(app, pilot, told, "yes", value=sent)
        (kept,) = progress_of(app._folder).answers
        assert getattr(kept, field) == answer


async def test_a_page_that_has_no_words_and_buttons_yet_is_not_shown(tmp_path):
    """What an earlier page asked to be shown may be done just after the next one was put over it."""
    async with taking_part(tmp_path) as (app, pilot, told):
        app.push_screen(LeaveDialog())
        app.show_form()
        assert shown(told)["title"] != "", "still the page under it"
        await until(pilot, lambda: shown(told)["title"] == "")
        assert shown(told)["texts"][0].startswith("Leave here?")
        assert [one["id"] for one in shown(told)["buttons"]] == ["leave", "withdraw", "stay"]
        for form in (one["form"] for one in told if one["type"] == "page"):
            assert [] not in (form["texts"], form["buttons"])


async def test_every_page_has_a_number_of_its_own(tmp_path):
    async with taking_part(tmp_path) as (app, pilot, told):
        consent = shown(told)
        app.push_screen(LeaveDialog())
        await until(pilot, lambda: shown(told)["title"] == "")
        await send(app, pilot, told, "stay")
        assert shown(told) == consent, "it is the page of before"
        app.push_screen(LeaveDialog())
        await until(pilot, lambda: shown(told)["title"] == "")
        assert len({one["form"]["page"] for one in told if one["type"] == "page"}) == 3


async def test_a_value_that_a_field_cannot_have_and_a_page_that_is_gone_do_nothing(tmp_path):
    asked = [{"name": name, "text": name, "when": "start", "points": 3} for name in "ab"]
    async with taking_part(tmp_path, questions=asked) as (app, pilot, told):
        consent = shown(told)["page"]
        await send(app, pilot, told, "yes")
        for value in ("words", 2, [7], [], [[1]], {"a": 1}, None, True):
            await send(app, pilot, told, value=value)
            assert app.screen.field.answer is None
        app.fill_in({"page": consent, "button": "yes", "value": [1]})
        app.fill_in({"page": shown(told)["page"], "button": "quit"})
        await pilot.pause()
        assert (app.screen.field.answer, app.screen.page.field.task.question.name) == (None, "a")
        await send(app, pilot, told, "yes", value=[1])
        await send(app, pilot, told, "back")
        assert shown(told)["options"] == [("1", False), ("2", True), ("3", False)], "the answer that was given"


async def test_a_game_has_no_form_and_the_dialogs_over_it_have_one(tmp_path):
    async with taking_part(tmp_path, turns=False, horizon=2000) as (app, pilot, told):
        await send(app, pilot, told, "yes")
        await send(app, pilot, told, "yes")
        await until(pilot, lambda: isinstance(app.screen, StudyGame) and told[-1] == {"type": "page", "form": {}})
        await pilot.press("ctrl+c")
        await until(pilot, lambda: bool(shown(told)))
        form = shown(told)
        assert (form["title"], form["focus"], [one["id"] for one in form["buttons"]]) == (
            *("", "stay"),
            ["leave", "withdraw", "stay"],
        )
        assert form["texts"][0].startswith("Leave here?")
        await send(app, pilot, told, "withdraw")
        assert shown(told)["texts"] == ["Delete all your games and answers? This cannot be undone."]
        await until(pilot, lambda: shown(told)["focus"] == "no")
        await send(app, pilot, told, "no")
        await until(pilot, lambda: shown(told) == {})
        app.notify("Somebody is there?")
        assert told[-1] == {"type": "notice", "text": "Somebody is there?"}


async def test_leaving_and_contrast_are_buttons_of_every_page_and_contrast_is_a_key_in_the_terminal(tmp_path):
    async with taking_part(tmp_path) as (app, pilot, told):
        await send(app, pilot, told, "contrast")
        assert (app.theme, shown(told)["contrast"]) == ("contrast", True)
        await pilot.press("f2")
        assert (app.theme, shown(told)["contrast"]) == ("dark", False)
        await send(app, pilot, told, "leave_study")
        assert isinstance(app.screen, LeaveDialog)


async def test_buttons_after_a_game_count_once_the_keys_of_the_form_rest(tmp_path):
    async with taking_part(tmp_path, pause=1.0, questions=[]) as (app, pilot, told):
        now = [100.0]
        app._now = lambda: now[0]
        await send(app, pilot, told, "yes")
        await send(app, pilot, told, "yes")
        await until(pilot, lambda: isinstance(app.screen, StudyGame))
        await pilot.press(".")
        await page(pilot, "Game over")
        await until(pilot, lambda: bool(shown(told)) and shown(told)["title"] == "Game over")
        assert shown(told)["buttons"][0]["off"]
        now[0] += 0.9
        await send(app, pilot, told, key=True)
        now[0] += 0.9
        await pilot.pause(0.25)
        assert shown(told)["buttons"][0]["off"], "somebody still presses keys"
        now[0] += 0.2
        await until(pilot, lambda: not shown(told)["buttons"][0]["off"])
        assert shown(told)["focus"] == "yes"


async def test_a_picture_is_in_the_form_with_its_words_and_those_are_not_said_twice(tmp_path):
    from PIL import Image

    red = picture(Image.new("RGB", (30, 20), (200, 30, 30)))
    pages = [{"name": "p", "when": "start", "text": "Look.", "picture": red, "picture-text": "It is red."}]
    async with taking_part(tmp_path, pages=pages) as (_, pilot, told):
        await agree(pilot)
        await until(pilot, lambda: shown(told)["texts"] == ["Look."])
        assert shown(told)["pictures"] == [(red, "It is red.")]


async def test_after_a_game_the_form_takes_no_key_until_the_keys_rest_and_a_break_takes_them_at_once(tmp_path):
    time = SimpleNamespace(now=0.0)
    folder = begin_study(tmp_path, agents=["switching"], horizon=1)
    app = StudyApp(folder, GameOptions.model_validate({}), "P1", countdown=0, pause=2, now=lambda: time.now)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("tab", "enter")
        await page(pilot, "Game 1 of 1")
        assert not app._form["deaf"]
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, StudyGame))
        await pilot.press(".")
        await page(pilot, "Game over")
        await until(pilot, lambda: app._form.get("title") == "Game over")
        assert app._form["deaf"]
        time.now = 1.9
        app.fill_in({"page": app._form["page"], "key": True})
        time.now = 3.0
        await pilot.pause()
        assert app._form["deaf"]
        time.now = 3.9
        await until(pilot, lambda: not app._form["deaf"])
