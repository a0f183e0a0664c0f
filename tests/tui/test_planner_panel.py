"""The planner's panel: what was asked so far at the shown step, each step read once, and where it has room."""

import json
from dataclasses import replace

import pytest

from bba.agents import Controls, Decision, HumanAgent
from bba.analysis.call_log import CallLog
from bba.analysis.snapshot import Snapshot
from bba.analysis.trace_table import rows as table_rows
from bba.planner import NUMBERED_SKILLS, LLMCall, Usage
from bba.play import Game, Trace
from human.session import Session
from tests.helpers.app import fresh_source, paused_app, texts, with_panels
from tests.helpers.comparisons import compared, compared_game, with_comparisons
from tests.helpers.games import played
from tests.helpers.snapshots import plan_call
from tui.app.app import BBAApp
from tui.playback.source import PlaybackSource
from tui.playback.traces import TracePlayback
from tui.screens.play import PlayScreen
from tui.widgets.events import EventsPanel
from tui.widgets.kitchen_view import KitchenView
from tui.widgets.panel import TitleBar
from tui.widgets.planner import PlannerPanel, lost_decisions, thousands

SPENT = Usage(prompt_tokens=1_200, completion_tokens=80, seconds=0.5, cost=0.01)


def asked(*decisions: Decision, planner: str | None = "gpt-[1]") -> Trace:
    """A game of one step a decision, each of the ego."""
    trace = fresh_source(len(decisions)).trace
    seats = replace(trace.config.seats[0], planner=planner), trace.config.seats[1]
    ticks = [
        tick._replace(decisions=(decision, tick.decisions[1]))
        for tick, decision in zip(trace.ticks, decisions, strict=True)
    ]
    return Trace(replace(trace.config, seats=seats), trace.start, ticks)


class Unreadable(list):
    def __getitem__(self, index):
        raise AssertionError(f"tick {index} is read again")


def asking(**fields) -> Decision:
    return Decision(4, chosen=True, calls=(plan_call(**fields),))


def shown(trace: Trace, step: int, width: int = 60) -> list[str]:
    return texts(PlannerPanel().lines(Snapshot(trace, step), width))


def test_calls_reasks_and_fallbacks_are_counted_up_to_the_shown_step():
    trace = asked(asking(), Decision(4), asking(attempts=3), asking(problem="no skill named"))
    assert shown(trace, 2)[0] == "1 call, 0 re-asked, 0 unusable"
    assert shown(trace, 3)[0] == "2 calls, 2 re-asked, 0 unusable"
    assert shown(trace, 4)[0] == "3 calls, 2 re-asked, 1 unusable"
    assert shown(trace, 4, 26)[0] == "3 calls, 2 again, 1 lost"


def test_scores_are_shown_with_their_entropy_and_stand_in_the_table():
    stay, other = NUMBERED_SKILLS[4], NUMBERED_SKILLS[0]
    trace = asked(asking(response=json.dumps({"plan": stay, "scores": {stay: 0.75, other: 0.25}})))
    assert shown(trace, 1)[3].startswith("0.8 bits: wait 0.75, ")
    (row,) = table_rows(trace)
    assert row["p0_plan_chance"] == 0.75
    assert row["p0_plan_entropy"] == pytest.approx(0.811, abs=1e-3)


def test_what_is_asked_beside_the_skill_counts_as_well():
    judged = LLMCall("judge", (), "continue", 2, usage=SPENT)
    trace = asked(asking(usage=SPENT), Decision(4, calls=(judged,)))
    rows = shown(trace, 2)
    assert rows[0] == "2 calls, 1 re-asked, 0 unusable"
    assert rows[3] == "tokens 2.4k in, 160 out  cost $0.02"


@pytest.mark.parametrize(
    ("fields", "said", "meant"),
    [
        ({"belief_text": "it washes", "intention": 5}, "says: it washes", "expects: wash a plate  plans: wait"),
        ({}, "says nothing about the partner", "plans: wait"),
        ({"problem": "no skill named"}, "fell back: no skill named", "plans: wait"),
    ],
)
def test_the_last_answer_is_told_in_words(fields, said, meant):
    assert shown(asked(asking(**fields)), 1)[1:3] == [said, meant]


def test_where_there_is_no_room_for_both_what_is_expected_matters_more():
    trace = asked(asking(intention=5))
    assert shown(trace, 1, 26)[2] == "expects: wash a plate"


def test_tokens_cost_and_latency_are_sums_the_last_and_the_mean():
    slow = Usage(prompt_tokens=11_100, completion_tokens=20, seconds=1.5, cost=0.02)
    rows = shown(asked(asking(usage=SPENT), asking(usage=slow)), 2)
    assert rows[3:] == ["tokens 12.3k in, 100 out  cost $0.03", "latency 1.5 s, mean 1.0 s"]


def test_the_cost_without_a_price_is_unknown_and_stored_answers_cost_nothing():
    assert shown(asked(asking(usage=replace(SPENT, cost=None))), 1)[3] == "tokens 1.2k in, 80 out  cost unknown"
    assert shown(asked(asking(usage=Usage(cached=1))), 1)[3] == "tokens 0 in, 0 out  cost $0"


def test_a_planner_that_costs_nothing_has_dashes():
    assert shown(asked(asking()), 1)[3:] == ["tokens —  cost —", "latency —"]


def test_before_the_first_question_and_without_a_planner_the_panel_says_so():
    assert shown(asked(Decision(4)), 1)[0] == "not asked yet"
    assert shown(asked(Decision(4, note="by its schedule"), planner=None), 1) == ["no planner", "by its schedule"]


def test_the_title_names_the_planner_whatever_signs_are_in_it():
    panel = PlannerPanel()
    panel.show_snapshot(Snapshot(asked(asking()), 1))
    assert panel._border_title.plain == "planner: gpt-[1]"


def test_every_tick_is_read_once():
    trace = asked(asking(), asking())
    call_log = CallLog(trace, 0)
    call_log.extend()
    trace.ticks = Unreadable(trace.ticks)
    call_log.extend()
    assert call_log.totals(2).calls == len(call_log.calls) == 2


def test_counts_fit_five_cells():
    assert [thousands(number) for number in (0, 812, 12_345, 4_100_000)] == ["0", "812", "12.3k", "4.1M"]


@pytest.mark.thorough
@pytest.mark.parametrize("size", [(120, 40), (100, 36), (80, 30), (80, 24)])
async def test_m_shows_the_panel_and_puts_it_away_again(size):
    app = paused_app(20)
    async with app.run_test(size=size) as pilot:
        panel = app.screen.query_one(PlannerPanel)
        assert not panel.display
        await pilot.press("m")
        await pilot.pause()
        assert panel.display
        assert panel.content_size.height >= 4
        assert panel.region.bottom <= size[1] - 1
        await pilot.press("m")
        assert not panel.display


@pytest.mark.thorough
async def test_a_tall_terminal_has_room_for_all_panels():
    app = with_panels(BBAApp(fresh_source(20), autostart=False))
    async with app.run_test(size=(200, 60)):
        assert app.screen.query_one(PlannerPanel).content_size.height >= 5
        assert app.screen.query_one(EventsPanel).content_size.height >= 3


# --- the rollout planner ---------------------------------------------------------------------------------------
def test_what_the_rollout_planner_weighed_is_a_line_for_each_skill_the_chosen_one_first():
    assert shown(compared_game(), 60, 39) == [
        "72 futures in 9.8 ms            step 59",
        "partner: boil rice 0.71",
        "▸ get meat              612   +12  ±3.5",
        "  chop                  600            ",
        "  boil rice             588   −12  ±4.2",
    ]


def test_a_narrow_panel_keeps_values_and_errors():
    assert shown(compared_game(), 60, 26) == [
        "72 futures in 9.8 ms      ",
        "partner: boil rice 0.71",
        "▸ get meat       612  ±3.5",
        "  chop           600      ",
        "  boil rice      588  ±4.2",
    ]


def test_as_many_of_the_partners_skills_are_shown_as_there_is_room_for():
    rows = [shown(compared_game(), 60, width)[1] for width in (26, 46)]
    assert rows == ["partner: boil rice 0.71", "partner: boil rice 0.71, wash a plate 0.12"]


def test_without_a_belief_the_network_guesses_and_a_recording_knows_no_time():
    trace = with_comparisons(compared_game(), {2: compared(partner=(), seconds=0.0)})
    assert shown(trace, 2, 26)[:2] == ["72 futures                ", "partner: the network's guess"]


def test_before_the_first_comparison_the_rollout_planner_was_not_asked():
    assert shown(with_comparisons(played(5), {}), 3)[0] == "not asked yet"


@pytest.mark.thorough
async def test_the_border_of_the_board_says_the_decision_unless_a_tile_is_pointed_at():
    app = BBAApp(PlaybackSource(lambda: TracePlayback(compared_game())), autostart=False)
    async with app.run_test(size=(140, 45)) as pilot:
        await pilot.press("end")
        board = app.screen.query_one(KitchenView)
        assert board._border_subtitle.plain.startswith("59: getting meat: 12 points better than chopping, if")
        await pilot.press("i")
        assert "better" not in board._border_subtitle.plain
        await pilot.press("i", "home")
        assert board._border_subtitle.plain == ""


async def test_people_who_play_are_not_told_what_the_agent_weighed(tmp_path):
    game = Game("open", "switching", HumanAgent(Controls()), 0, horizon=60)
    game.trace = with_comparisons(compared_game(), {})
    screen = PlayScreen(Session(game, {1: Controls()}, tmp_path / "game.bba"), countdown=0)
    app = BBAApp()
    async with app.run_test(size=(140, 45)) as pilot:
        await app.push_screen(screen)
        await pilot.pause()
        assert screen.query_one(KitchenView).border_subtitle in (None, "")


def test_the_title_of_a_watched_game_says_how_many_decisions_were_lost_up_to_the_shown_step():
    trace = asked(asking(), asking(problem="500"), Decision(4), asking(problem="no skill named"))
    assert [lost_decisions(Snapshot(trace, step)) for step in range(5)] == [
        "", "", ", 1 unusable", ", 1 unusable", ", 2 unusable"
    ]  # fmt: skip


@pytest.mark.thorough
async def test_a_watched_game_shows_its_lost_decisions_in_its_title_line():
    trace = asked(asking(problem="500"), asking())
    app = BBAApp(PlaybackSource(lambda: TracePlayback(trace)), autostart=False)
    async with app.run_test(size=(140, 45)) as pilot:
        await pilot.press("end")
        assert app.screen.query_one(TitleBar).status.endswith(", 1 unusable")


def test_estimated_tokens_and_cost_are_marked():
    told = shown(asked(asking(usage=replace(SPENT, estimated=1))), 1)
    assert "tokens ~1.2k in, 80 out  cost ~$0.01" in told
