"""What if: gaps to fork at, two futures as numbers, and the dialog that asks what is to be otherwise."""

import threading
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from textual.widgets import Button, Input, Static

from bba.agents import Controls, HumanAgent, Profile, SeatSpec, describe_agent, load_agent
from bba.analysis.comparison import Differences, describe_changes, fork_outcome, is_better, worth_text
from bba.analysis.coordination import belief_action_gap, decision_points, map_correct, scored
from bba.analysis.measures import measure
from bba.analysis.timeline import TimelineData, TimelineMark
from bba.belief import NO_ROLE
from bba.config import TUNABLE_PARAMETERS, BeliefConfig, GateConfig, parameters_for
from bba.errors import BBAError
from bba.play import Game, Trace, fork
from bba.play.replay import worth_of_knowing
from bba.play.ticks import step_arrays
from benchmarks.oracle import oracle_game
from tests.helpers.forks import FORK, NO_REPLAN, SIZE, fork_it, live, still, told_fork, traces
from tests.helpers.games import BEFORE, REPLAN, parting_game
from tests.helpers.notifications import notified
from tests.helpers.wait_for_idle import PATIENCE, until
from tui.playback.source import PlaybackSource
from tui.playback.traces import TracePlayback
from tui.screens.comparison import ComparisonScreen
from tui.screens.what_if import EXPLANATIONS, TRUTH, ForkDialog
from tui.widgets.form_fields import NumberField, OptionSelect
from tui.widgets.panel import TitleBar
from tui.widgets.tuning import Slider


@pytest.fixture(scope="module")
def trace() -> Trace:
    return parting_game(600).run()


# --- gaps ------------------------------------------------------------------------------------------------------
def test_gaps_are_marked_as_they_are_measured(trace):
    track = TimelineData(trace)
    track.extend()
    steps = step_arrays(trace.ticks)
    points = decision_points(steps)
    gaps = (1 + np.flatnonzero(points & belief_action_gap(steps))).tolist()
    assert track.marks[TimelineMark.GAP] == gaps != []
    judged = points & scored(steps) & map_correct(steps)
    assert measure(trace)["gap_rate"] == len(gaps) / np.count_nonzero(judged)


# --- two futures as numbers ------------------------------------------------------------------------------------
@pytest.mark.thorough
def test_two_games_part_at_the_first_decision_and_the_first_state_that_differ(trace):
    game = fork(trace, BEFORE, (NO_REPLAN, trace.config.seats[1]))
    parting = Differences(trace, game.trace, BEFORE)
    for _ in range(REPLAN - BEFORE - 1):
        game.step()
    parting.extend()
    assert parting.divergence() == "same so far"
    game.step()
    parting.extend()
    assert parting.decision_step == REPLAN
    game.run()
    parting.extend()
    rows = [(a.state != b.state).any() for a, b in zip(trace.ticks, game.trace.ticks, strict=True)]
    assert parting.state_step == rows.index(True) + 1
    assert str(parting.state_step) in parting.divergence()


def test_an_outcome_is_measured_from_the_fork_to_the_step_that_is_shown(trace):
    until_then = Trace(trace.config, trace.start, trace.ticks[:500])
    assert fork_outcome(trace, 500, 400) == (trace.ticks[499].score, measure(until_then, 400))
    assert fork_outcome(trace, 400, 400) == (trace.ticks[399].score, None)
    assert fork_outcome(trace, 0, 400) == (0, None)


def test_the_better_of_two_leads_and_neither_where_there_is_nothing_to_compare(trace):
    one, other = measure(trace), measure(trace, 550)
    assert is_better("reward", one, other)
    assert not is_better("reward", other, one)
    assert is_better("gap_rate", *sorted((one, other), key=lambda m: m["gap_rate"]))
    assert not is_better("reward", one, one)
    assert not is_better("contradictions", one, other)
    assert not is_better("reward", one, None)


def test_what_was_changed_is_named():
    bayes = Profile("bayes", "scripted", BeliefConfig())
    eager = Profile("bayes-no-replan", "scripted", BeliefConfig(gate=GateConfig(gamma_conf=0.5)))
    assert describe_changes(bayes, eager) == "agent bayes → bayes-no-replan, Γ 0.65 → 0.5"
    assert describe_changes(bayes, Profile("proagent", "scripted")) == "agent bayes → proagent"
    assert describe_changes(bayes, bayes) == "nothing changed"
    told = replace(bayes, oracle=True)
    assert describe_changes(bayes, told) == "belief → truth"
    assert describe_changes(told, bayes) == "truth → belief"
    assert describe_changes(bayes, replace(bayes, oracle="rule")) == "belief → true rule"


def test_what_knowing_was_worth_is_said_in_points():
    assert worth_text("rule", 84) == "knowing its rule would have been worth 84 points here"
    assert worth_text("policy", -1) == "knowing its policy would have cost 1 point here"
    assert worth_text("role", 0) == "knowing its role would have changed nothing here"


@pytest.mark.thorough
def test_what_knowing_is_worth_is_the_difference_of_two_forks(trace):
    told, untold = told_fork(trace, 20).run(), fork(trace, 20).run()
    assert worth_of_knowing(trace, 20, "policy", SeatSpec()) == told.score - untold.score != 0
    assert untold.score == trace.score


def test_where_there_is_no_truth_to_be_told_nothing_is_said(trace):
    assert worth_of_knowing(trace, 20, "rule", SeatSpec()) is None, "a belief over roles has no rules"
    person = Game("open", "bayes", HumanAgent(Controls()), 4, horizon=30).run()
    assert worth_of_knowing(person, 20, "policy", SeatSpec()) is None, "nobody knows a person's policy"


# --- the dialog ------------------------------------------------------------------------------------------------
@pytest.mark.thorough
async def test_the_parameters_that_hold_at_that_step_stand_in_the_fields():
    source = live()
    source.reconfigure(BeliefConfig(gate=GateConfig(theta_obs=0.1, stability=5)))
    source.step()
    app = still(source)
    async with app.run_test(size=SIZE) as pilot:
        for keys, theta, stability in ((["w"], "0.1", "5"), (["escape", "left", "left", "w"], "0.04", "3")):
            await pilot.press(*keys)
            await pilot.pause()
            assert app.screen.query_one("#agent", OptionSelect).chosen == "bayes"
            assert app.screen.query_one("#theta_obs", Input).value == theta
            assert app.screen.query_one("#stability", Input).value == stability


def test_fields_and_sliders_have_the_symbol_a_plain_name_and_a_sentence():
    for parameter in TUNABLE_PARAMETERS:
        assert parameter.label.isascii(), parameter
        assert len(parameter.title) <= Slider.LABEL - 3
        assert parameter.explanation.endswith("."), parameter
        assert len(parameter.explanation) <= 74, "a line of the dialog"
    titles = [parameter.title for parameter in TUNABLE_PARAMETERS]
    assert titles[:4] == ["θ evidence", "Γ confidence", "K stability", "cooldown"]
    assert {"λ told apart", "put-downs", "floor"} <= set(titles)


@pytest.mark.parametrize(
    ("trigger", "names"),
    [
        ("gate", ["theta_obs", "gamma_conf", "stability", "cooldown"]),
        ("commitment", ["gamma_conf", "commitment_ratio", "commitment_conf", "commitment_cooldown"]),
        ("value", ["gamma_conf", "epsilon", "likelihood_scale", "floor"]),
        ("never", ["gamma_conf", "epsilon", "likelihood_scale", "floor"]),
    ],
)
def test_four_parameters_come_first_and_those_of_a_gate_that_does_not_decide_are_none(trigger, names):
    first, others = parameters_for(trigger)
    assert [parameter.name for parameter in first] == names
    decides = {parameter.name for parameter in (*first, *others) if parameter.info.gate}
    own = {parameter.name for parameter in TUNABLE_PARAMETERS if parameter.info.gate == trigger}
    assert decides == own
    assert not set(first) & set(others)


async def test_the_form_shows_four_parameters_then_all_that_count_for_the_agent():
    app = still(live())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("w")
        await pilot.pause()

        def shown() -> list[str]:
            return [number.setting for number in app.screen.query(NumberField) if number.display]

        assert shown() == ["theta_obs", "gamma_conf", "stability", "cooldown"]
        app.screen.query_one("#agent", OptionSelect).value = "bayes-commit"
        await pilot.pause()
        assert "commitment_ratio" in shown()
        assert "theta_obs" not in shown()
        app.screen.query_one("#more-numbers", Button).press()
        await pilot.pause()
        assert {"window", "hazard", "commitment_ratio"} <= set(shown())
        assert "theta_obs" not in shown()


@pytest.mark.thorough
async def test_an_agent_without_a_belief_has_no_parameters():
    app = still(live())
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("w")
        for agent, disabled in (("proagent", True), ("switching", True), ("bayes-no-prompt", False)):
            app.screen.query_one("#agent", OptionSelect).value = agent
            await pilot.pause()
            assert {number.disabled for number in app.screen.query(NumberField) if number.display} == {disabled}
            assert ("no belief" in app.screen.query_one("#otherwise").border_subtitle) == disabled


async def test_the_agent_under_the_cursor_of_the_open_list_is_described_where_the_list_does_not_lie():
    app = still(live(3))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("w", "space", "down")
        await pilot.pause()
        choice, said = app.screen.query_one("#agent", OptionSelect), app.screen.query_one("#under-way", Static)
        assert choice.pointed != choice.chosen
        assert str(said.visual) == describe_agent(choice.pointed)
        assert not said.region.overlaps(app.screen.query_one("#agent SelectOverlay").region)
        await pilot.press("escape")
        await pilot.pause()
        assert str(said.visual) == EXPLANATIONS["agent"]


WRONG = {
    "theta_obs": ("2", "takes 1 or less"),
    "gamma_conf": ("much", "takes a number"),
    "stability": ("1.5", "takes a whole number"),
    "window": ("0", "takes 1 or more"),
    "likelihood_scale": ("", "takes a number"),
}


@pytest.mark.thorough
async def test_the_question_can_be_closed_with_a_key_and_with_the_mouse_which_alone_forks():
    app = still(live(3))
    async with app.run_test(size=SIZE) as pilot:
        for close in (lambda: pilot.press("escape"), lambda: pilot.click("#cancel")):
            await pilot.press("w")
            await close()
            await pilot.pause()
            assert app.screen is app.game_screen
        await pilot.press("w")
        await pilot.click(app.screen.query_one("#gamma_conf", Input).parent.query_one(".less", Button))
        await pilot.click("#play-on")
        await until(pilot, lambda: isinstance(app.screen, ComparisonScreen))
        assert traces(app.screen)[1].config_at(4).belief_config.gate.gamma_conf == 0.6
        assert "Γ 0.65 → 0.6" in str(app.screen._title.visual)


@pytest.mark.thorough
async def test_the_ego_can_be_told_the_truth_to_see_what_knowing_it_would_have_been_worth():
    app = still(live())
    async with app.run_test(size=SIZE) as pilot:
        screen = await fork_it(pilot, "down", "right")
        screen._play(60)
        original, told = traces(screen)
        assert "belief → truth" in str(screen._title.visual)
        assert told.ticks[:FORK] == original.ticks[:FORK]
        known = [(before.role(1), tick.decisions[0].belief) for before, tick in pairwise(told.ticks[FORK:])]
        assert all(belief.map_index == role and belief.confidence == 1 for role, belief in known if role != NO_ROLE)
        assert any(tick.decisions[0].belief.confidence < 1 for tick in original.ticks[FORK:])
        await pilot.press("k")
        await pilot.pause()
        await pilot.press("end")
        assert "what if at 40: belief → truth" in str(app.screen.query_one(TitleBar).render())
        await pilot.press("w")
        assert app.screen.query_one("#knows", OptionSelect).chosen == TRUTH


@pytest.mark.thorough
async def test_without_a_belief_or_against_a_person_there_is_no_truth_to_be_told(tmp_path):
    app = still(live(3))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("w")
        knows = app.screen.query_one("#knows", OptionSelect)
        assert not knows.disabled
        app.screen.query_one("#agent", OptionSelect).value = "proagent"
        await pilot.pause()
        assert knows.disabled
    person = Game("open", "bayes", HumanAgent(Controls()), 4, horizon=30)
    app = still(PlaybackSource(lambda: person))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("right", "w")
        assert app.screen.query_one("#knows", OptionSelect).disabled


@pytest.mark.thorough
def test_a_fork_that_is_told_the_truth_tells_its_ego_alone_and_goes_on_as_an_oracle_game_would(trace):
    told = told_fork(trace, 0).run()
    from_the_start = oracle_game("open", "bayes", "switching", 54, horizon=600).run()
    assert [tick.decisions for tick in told.ticks] == [tick.decisions for tick in from_the_start.ticks]
    assert [tick.decisions for tick in told.ticks] != [tick.decisions for tick in trace.ticks]
    mutual = Game("open", "bayes", "bayes", 1, horizon=60).run()
    told = told_fork(mutual, 20).run()
    assert [decision.belief.confidence == 1 for decision in told.ticks[-1].decisions] == [True, False]


@pytest.mark.thorough
async def test_catching_up_holds_no_key_up_and_can_be_given_up(monkeypatch):
    goes_on = threading.Event()
    monkeypatch.setattr("tui.screens.what_if.fork", lambda *what: goes_on.wait(PATIENCE) and fork(*what))
    app = still(live(3))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("w", "enter")
        assert "catching up with 3 steps" in str(app.screen.query_one("#under-way", Static).visual)
        await pilot.press("enter", "escape")
        assert app.screen is app.game_screen
        goes_on.set()
        await pilot.pause(0.1)
        assert app.screen is app.game_screen
        await fork_it(pilot)


@pytest.mark.thorough
async def test_what_cannot_be_forked_is_one_line_and_can_be_asked_anew(monkeypatch):
    def refuse(*what):
        raise BBAError("step 2 was played by other rules than these")

    app = still(live(3))
    async with app.run_test(size=SIZE) as pilot:
        with monkeypatch.context() as patch:
            patch.setattr("tui.screens.what_if.fork", refuse)
            await pilot.press("w", "enter")
            notice = app.screen.query_one("#under-way", Static)
            await until(pilot, lambda: "catching up" not in str(notice.visual))
            assert "played by other rules" in str(notice.visual)
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is not app.game_screen and not isinstance(app.screen, ForkDialog))
        assert isinstance(app.screen, ComparisonScreen)


async def test_g_goes_from_gap_to_gap_and_from_a_replan_what_if_asks_before_it(trace):
    app = still(PlaybackSource(lambda: TracePlayback(trace, REPLAN)))
    async with app.run_test(size=SIZE) as pilot:
        track = TimelineData(app.game_screen.source.trace)
        track.extend()
        gaps = track.marks[TimelineMark.GAP]
        await pilot.press("home", "t", "g")
        assert app.game_screen.snapshot.step == 0, "not while the truth is hidden"
        await pilot.press("t", "g", "g")
        assert app.game_screen.snapshot.step == gaps[1]
        await pilot.press("G", "G")
        assert app.game_screen.snapshot.step == gaps[0]

        # The dialog says that it asks before the replan, and does not offer to replan there.
        await pilot.press("end", "w")
        title = app.screen.query_one("#otherwise").border_title
        assert title == f"what if, from step {REPLAN - 1} on, before the replan"
        assert app.screen.query(".presets Button")[1].disabled
        labels = [str(button.label) for button in app.screen.query(".presets Button")]
        assert labels[5:] == ["6 prepare meat", "7 prepare rice", "8 wash plates", "9 assemble", "0 serve"]
        assert app.screen.query(".presets Button")[7].tooltip.startswith("the partner turns to washing plates, ")
        await pilot.press("2")
        assert "replan here: changes nothing here" in str(app.screen.query_one("#under-way", Static).visual)

        # So the replan itself can be otherwise.
        await pilot.press("1")
        await until(pilot, lambda: isinstance(app.screen, ComparisonScreen))
        screen = app.screen
        assert screen.sources[1].changes == "nothing interrupts the ego"
        screen._set_playing(False)
        screen._play(1)  # besides those that it has played by itself
        screen._differences.extend()
        assert screen._differences.steps[0] == REPLAN
        await pilot.press("r")
        assert screen.snapshot.step == REPLAN - 1
        assert "p plays both games on" in str(screen._below_boards.visual)


async def test_where_the_game_ends_there_is_nothing_to_fork_and_an_ego_with_types_can_be_told_the_rule_alone():
    ego = load_agent("bayes", SeatSpec(belief_changes={"belief": "types"}))
    app = still(PlaybackSource(lambda: Game("open", ego, "switching", 5, horizon=3)))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("right", "right", "right", "w")
        assert await notified(app, pilot, "ends here")
        assert app.screen is app.game_screen
        await pilot.press("left", "w")
        assert isinstance(app.screen, ForkDialog)
        app.screen.query_one("#knows", OptionSelect).value = "the partner's true rule"
        await pilot.pause()
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ComparisonScreen))
        assert traces(app.screen)[1].config_at(3).labels[0] == "bayes (told the rule)"


async def test_every_field_is_explained_in_a_line_a_wrong_number_named_and_what_knowing_was_worth_told(monkeypatch):
    monkeypatch.setattr("tui.screens.comparison.worth_of_knowing", lambda *_: 84)
    app = still(live(3))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("w")
        said = app.screen.query_one("#under-way", Static)
        app.screen.query_one("#more-numbers", Button).press()
        await pilot.pause()
        first, others = parameters_for("gate")
        for parameter in (*first, *others):
            app.screen.query_one(f"#{parameter.name}", Input).focus()
            await pilot.pause()
            assert str(said.visual) == parameter.explanation
            assert (said.region.height, app.screen.region.contains_region(said.region)) == (1, True)
        shortcuts = [button for button in app.screen.query(".presets Button") if button.focusable]
        assert all(len(f" what if {one.tooltip} paused (10/s) ") <= 80 for one in shortcuts), "in a title"
        for field in (*shortcuts, app.screen.query_one("#agent"), app.screen.query_one("#knows")):
            field.focus()
            await pilot.pause()
            assert field.tooltip is None or str(said.visual) == field.tooltip
            assert len(str(said.visual)) > 10
            assert said.region.height == 1
        for row in app.screen.query(".presets"):
            regions = [button.region for button in row.query(Button)]
            assert all(second.x >= first.right + 2 for first, second in pairwise(regions)), "shortcuts stand apart"

        # A wrong number is named beside its field, and nothing is forked.
        for name, (text, complaint) in WRONG.items():
            field = app.screen.query_one(f"#{name}", Input)
            good, field.value = field.value, text
            await pilot.press("enter")
            notice = field.parent.parent.query_one(".problem", Static)
            assert (str(notice.visual), app.focused) == (complaint, field)
            assert app.screen.region.contains_region(notice.region)
            assert isinstance(app.screen, ForkDialog)
            assert not app.screen._background.busy
            field.value = good

        # The comparison says what knowing would have been worth.
        await pilot.press("escape")
        await pilot.resize_terminal(120, 30)
        screen = await fork_it(pilot, "down", "right")
        await until(pilot, lambda: "worth 84 points here" in str(screen._title.visual))
