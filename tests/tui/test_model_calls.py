"""What the model was asked and answered is shown word for word, at any step, of a game and of a recording."""

import shutil
from dataclasses import replace

import pytest

from bba.agents import SeatSpec
from bba.analysis.call_log import LoggedCall, unsent_prompt
from bba.files import data_dir
from bba.planner import LLMCall, Prompts, Usage
from bba.play import Game, Replay, Trace, record
from bba.terminal_text import visible
from tests.helpers.app import paused_app
from tests.helpers.comparisons import compared_game
from tests.helpers.keys import press_at_once
from tests.helpers.snapshots import plan_call
from tests.helpers.wait_for_idle import drawn
from tui.app.app import BBAApp
from tui.playback.source import PlaybackSource
from tui.playback.traces import TracePlayback
from tui.screens.model_calls import ModelCallsScreen, difference, heading, messages
from tui.screens.watch import WatchScreen

SIZE, STEPS = (100, 36), 60


@pytest.fixture(scope="module")
def trace() -> Trace:
    """Both cooks plan."""
    return Game("open", "bayes", "proagent", 0, horizon=STEPS).run()


def asked_steps(trace: Trace, player: int = 0) -> list[int]:
    return [tick.step for tick in trace.ticks if tick.decisions[player].plan is not None]


def app_on(trace: Trace, **settings) -> BBAApp:
    return BBAApp(PlaybackSource(lambda: TracePlayback(trace)), autostart=False, **settings)


def call_of(app: BBAApp) -> tuple[int, int] | None:
    """Step and cook of the question that is shown."""
    screen = app.screen
    assert isinstance(screen, ModelCallsScreen)
    return None if screen.logged_call is None else (screen.logged_call.step, screen._seat)


def text_of(app: BBAApp, selector: str) -> str:
    return app.screen.query_one(selector).content.plain


# --- what is shown ---------------------------------------------------------------------------------------------
def test_every_message_and_the_answer_stand_under_their_roles_word_for_word():
    sent = ("You [b]plan[/b].", "[red]Which skill?[/red]\n  1 [x]")
    logged = LoggedCall(7, plan_call(texts=sent, response="Skill: 4 [/]"))
    plain = "\n".join(part.plain for part in messages(logged.call))
    assert [row[3:-1] for row in plain.splitlines() if row.startswith("──")] == ["system", "user", "assistant"]
    for text in ("You [b]plan[/b].", "[red]Which skill?[/red]\n  1 [x]", "Skill: 4 [/]"):
        assert text in plain


def test_control_characters_are_written_out():
    assert visible("a\x1b[31mb\x07\n\tc\r") == "a\\x1b[31mb\\x07\n        c\\r"


def test_the_heading_says_when_what_came_of_it_and_what_it_cost():
    spent = Usage(prompt_tokens=900, completion_tokens=12, seconds=1.25, cost=0.0024)
    logged = LoggedCall(7, plan_call(attempts=2, usage=spent))
    assert heading(logged, "gpt-x").plain == "step 7  gpt-x  wait  2 attempts  900 + 12 tokens, 1.2 s, cost $0.0024"
    unpriced = LoggedCall(7, plan_call(usage=replace(spent, cost=None)))
    assert heading(unpriced, "gpt-x").plain.endswith("1.2 s, cost unknown")
    failed = LoggedCall(7, plan_call(problem="no skill named"))
    assert heading(failed, "gpt-x").plain.endswith("unusable: no skill named")


def test_what_was_asked_beside_the_skill_is_shown_too():
    logged = LoggedCall(7, LLMCall("judge", ("You judge.", "Replan?"), "continue"))
    assert "judge" in heading(logged, "x").plain
    assert "Replan?" in [part.plain for part in messages(logged.call)]


def test_a_plan_that_came_too_late_is_marked():
    logged = LoggedCall(7, plan_call().dropped())
    assert "  late  " in heading(logged, "x").plain
    assert heading(logged, "x").plain.endswith("unusable: came too late")


def test_no_answer_is_said_to_be_none():
    logged = LoggedCall(7, plan_call(problem="no network"))
    assert list(messages(logged.call))[-1].plain == "no answer"


# --- on the screen ---------------------------------------------------------------------------------------------
@pytest.mark.thorough
async def test_a_shows_the_last_question_at_the_shown_step_in_full(trace):
    steps = asked_steps(trace)
    app = app_on(trace)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("end", *["left"] * 3, "a")
        shown_at = STEPS - 3
        assert call_of(app) == (max(step for step in steps if step <= shown_at), 0)
        found = app.screen.logged_call.call
        for message in found.messages:
            assert message["content"] in text_of(app, "#messages")
        assert found.response in text_of(app, "#messages")
        assert f"step {app.screen.logged_call.step}" in text_of(app, "#call")


@pytest.mark.thorough
async def test_left_and_right_lead_to_the_questions_before_and_after_and_stop_at_the_ends(trace):
    steps = asked_steps(trace)
    app = app_on(trace)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("end", "a", "left")
        assert call_of(app) == (steps[-2], 0)
        await pilot.press("right", "right")
        assert call_of(app) == (steps[-1], 0)
        await pilot.press(*["left"] * (len(steps) + 2))
        assert call_of(app) == (steps[0], 0)


async def test_tab_shows_the_other_cooks_planner_y_copies_and_esc_or_the_same_key_leads_back(trace, monkeypatch):
    copied: list[str] = []
    monkeypatch.setattr(BBAApp, "copy_to_clipboard", lambda _, text: copied.append(text))
    app = app_on(trace)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("end", "a", "tab")
        assert call_of(app) == (asked_steps(trace, 1)[-1], 1)
        await pilot.press("tab")
        assert call_of(app) == (asked_steps(trace)[-1], 0)
        await pilot.press("y", "Y")
        assert copied == [visible(app.screen.logged_call.call.response), text_of(app, "#messages")]
        await pilot.press("a")
        assert isinstance(app.screen, WatchScreen)
        await pilot.press("t", "a", "tab")
        assert call_of(app) == (asked_steps(trace)[-1], 0), "the truth is hidden"
        await pilot.press("escape")
        assert isinstance(app.screen, WatchScreen)


@pytest.mark.thorough
async def test_before_the_first_question_the_screen_says_so_and_right_leads_to_it(trace):
    app = app_on(trace)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("home", "a")
        assert call_of(app) is None
        assert "no planner has been asked" in text_of(app, "#call")
        await pilot.press("right")
        assert call_of(app) == (asked_steps(trace)[0], 0)


@pytest.mark.thorough
async def test_cooks_without_a_planner_were_asked_nothing():
    app = paused_app(5)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("a", "right", "tab", "left")
        assert call_of(app) is None


@pytest.mark.thorough
async def test_a_game_that_runs_is_paused_and_long_texts_can_be_scrolled():
    app = BBAApp(PlaybackSource(lambda: Game("open", "bayes", "switching", 0)), autostart=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(".", "space", "a")
        assert not app.game_screen.playing
        box = app.screen.query_one("#exchange")
        await pilot.press("end")
        await pilot.pause()
        assert box.scroll_offset.y == box.max_scroll_y > 0


@pytest.mark.thorough
async def test_a_recording_shows_the_same_messages(trace):
    replayed = Replay(record(trace)).run()
    app = app_on(replayed)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("end", "a")
        assert app.screen.logged_call.call == trace.ticks[app.screen.logged_call.step - 1].decisions[0].plan


async def test_what_is_asked_while_one_reads_can_be_reached():
    game = Game("open", "bayes", "switching", 0)
    app = BBAApp(PlaybackSource(lambda: game), autostart=False)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("a", "right")
        assert call_of(app) is None
        while not asked_steps(game.trace):
            game.step()
        await pilot.press("right")
        assert call_of(app) == (asked_steps(game.trace)[0], 0)


# --- reading ---------------------------------------------------------------------------------------------------
def in_view(app: BBAApp, words: str) -> bool:
    """Whether these words are on the screen now."""
    rows = ["".join(part.text for part in strip) for strip in app.screen._compositor.render_strips()]
    return any(words in row for row in rows)


@pytest.mark.thorough
async def test_it_opens_at_the_answer_even_where_the_question_is_long(trace):
    app = app_on(trace)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("end", "a")
        await drawn(pilot)
        assert app.screen.query_one("#exchange").scroll_offset.y > 0
        assert in_view(app, "── assistant")
        assert in_view(app, app.screen.logged_call.call.response.splitlines()[0][:20])
        assert not in_view(app, "── system")


async def test_search_goes_round_and_esc_ends_it_first_and_d_shows_what_changed_since_the_question_before(trace):
    app = app_on(trace)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("end", "a")
        await press_at_once(pilot, "slash", *"skill")
        await drawn(pilot)
        screen = app.screen
        plain = text_of(app, "#messages")
        count = plain.lower().count("skill")
        assert len(screen._matches) == count > 1
        assert in_view(app, f"1 of {count}")
        assert any("kill" in line for line in plain.splitlines())
        await pilot.press("enter")
        await drawn(pilot)
        assert in_view(app, f"2 of {count}")
        await pilot.press(*["enter"] * (count - 1))
        await drawn(pilot)
        assert in_view(app, f"1 of {count}")
        await pilot.press(*"xyz")
        await drawn(pilot)
        assert in_view(app, "nothing found")
        await pilot.press("escape")
        assert isinstance(app.screen, ModelCallsScreen)

        await pilot.press("d")
        await drawn(pilot)
        found, (earlier, now) = text_of(app, "#messages"), asked_steps(trace)[-2:]
        before = trace.ticks[earlier - 1].decisions[0].plan.question
        question = trace.ticks[now - 1].decisions[0].plan.question
        assert f"changed since step {earlier}" in found
        only_here = set(question.splitlines()) - set(before.splitlines())
        assert only_here
        assert all(f"+{line}" in found for line in only_here)
        assert app.screen.logged_call.call.response in found
        await pilot.press("d")
        assert "── system" in text_of(app, "#messages")
        await pilot.press(*["left"] * len(asked_steps(trace)), "d")
        assert "── system" in text_of(app, "#messages")  # there is none before the first
        await pilot.press("escape")
        assert isinstance(app.screen, WatchScreen)


def test_a_difference_has_the_lines_that_only_one_of_two_questions_has():
    lines = [part.plain for part in difference("a\nb\nd\n", "a\nc\nd\n")]
    assert lines[1:] == [" a", "-c", "+b", " d"]


# --- the rollout planner ---------------------------------------------------------------------------------------
async def test_of_the_rollout_planner_it_shows_what_it_weighed_and_what_a_model_would_have_been_sent():
    trace = compared_game()
    app = app_on(trace)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("end", "a")
        step = app.screen.logged_call.step
        assert text_of(app, "#call") == f"step {step}  rollout  get meat"
        found = text_of(app, "#messages")
        assert found.startswith("getting meat: 12 points better than chopping, if orange is now boiling rice")
        assert "▸ get meat" in found
        assert "±3.5" in found
        for message in unsent_prompt(trace, step, 0, Prompts.load()):
            assert message["content"] in found
        assert found.count("not sent") == 2
        await pilot.press("left", "left")
        assert app.screen.logged_call.step < step
        assert "the network's guess" in text_of(app, "#messages")


@pytest.mark.thorough
async def test_what_would_have_been_sent_is_written_with_the_games_own_prompts(tmp_path):
    shutil.copytree(data_dir("configs/prompts"), tmp_path / "prompts")
    (tmp_path / "prompts" / "system_bayes.md").write_text("Cook {agent_id} beside {other_id}, calmly.", "utf-8")
    options = SeatSpec(prompts=tmp_path / "prompts")
    app = BBAApp(PlaybackSource(lambda: TracePlayback(compared_game()), options=options), autostart=False)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("end", "a")
        assert "Cook 0 beside 1, calmly." in text_of(app, "#messages")
