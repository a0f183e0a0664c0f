"""Each panel says what the moment holds, in the width that it has."""

from dataclasses import replace

import pytest
from textual.content import Content
from textual.geometry import Size

from bba import palette
from bba.agents import Decision
from bba.analysis.names import number_against_limit
from bba.analysis.snapshot import BeliefSnapshot, Snapshot, least_likely_action, observed_action_name
from bba.belief import BeliefUpdate
from bba.config import GateConfig
from bba.kitchen import constants
from bba.kitchen.constants import BOIL, CHOP, EVENT, FACING, GRAB_MEAT, POSITION
from bba.play import Game, Trace
from tests.helpers.app import texts
from tests.helpers.games import played
from tests.helpers.snapshots import belief, reading, thinking
from tui.widgets import posterior
from tui.widgets.cooks import CooksPanel
from tui.widgets.gate import GatePanel
from tui.widgets.orders import OrdersPanel
from tui.widgets.panel import TitleBar, bar, line, spread
from tui.widgets.planner import PlannerPanel
from tui.widgets.posterior import PosteriorPanel

WIDE, NARROW = 70, 24
PANELS = (OrdersPanel, PosteriorPanel, GatePanel, CooksPanel, PlannerPanel)


def did(what: str, judged: BeliefUpdate, **fields) -> Snapshot:
    """A moment of an ego with belief and gate after the partner has done this, all lamps lit."""
    trace = played(60)
    step = next(step for step in range(3, 60) if observed_action_name(Snapshot(trace, step)) == what)
    decision = Decision(
        0, belief=judged, gate=reading(contradiction_likelihood=judged.contradiction_likelihood), **fields
    )
    return thinking(decision, Trace(trace.config, trace.start, trace.ticks[:step]))


def actions_row(snapshot: Snapshot, width: int = WIDE) -> str:
    return next(row for row in shown(GatePanel, snapshot, width) if row.startswith("actions"))


def shown(panel, snapshot, width=WIDE) -> list[str]:
    return texts(panel().lines(snapshot, width))


def test_a_bar_is_filled_to_an_eighth_of_a_cell_and_never_overflows():
    assert bar(0.5, 4, "#ffffff").plain == "██  "
    assert bar(0.53125, 4, "#ffffff").plain == "██▏ "
    assert bar(2.0, 4, "#ffffff").plain == "████"
    assert bar(-1.0, 4, "#ffffff").plain == "    "


def test_a_bars_mark_stands_at_its_share():
    assert bar(0.0, 10, "#ffffff", mark=0.65).plain == "      │   "
    assert bar(1.0, 10, "#ffffff", mark=1.0).plain == "█████████│"


def test_where_two_pieces_do_not_fit_the_left_one_gives_way():
    assert spread(line("left"), line("right"), 12).plain == "left   right"
    assert spread(line("leftmost"), line("right"), 10).plain == "left…right"


@pytest.mark.parametrize("panel", PANELS)
@pytest.mark.parametrize("step", [0, 1, 40])
def test_every_panel_can_show_every_step_in_every_width(panel, step):
    snapshot = Snapshot(played(40), step)
    for width in (1, NARROW, WIDE):
        assert list(panel().lines(snapshot, width))


def test_orders_show_score_streak_step_and_each_order_with_its_steps_left():
    first, *orders = shown(OrdersPanel, Snapshot(played(40), 40))
    assert first.split() == ["score", "0", "streak", "0", "served", "0", "step", "40/60"]
    assert [(order.split()[0], order.split()[-1]) for order in orders] == [("steak", "560"), ("mushroom", "560")]


def test_orders_for_which_there_is_no_space_are_counted(monkeypatch):
    monkeypatch.setattr(OrdersPanel, "content_size", Size(WIDE, 2))
    _, first = shown(OrdersPanel, Snapshot(played(40), 40))
    assert first.endswith(" 560 +1")
    assert len(first) <= WIDE


def test_narrow_orders_keep_score_and_step_whole():
    first = shown(OrdersPanel, Snapshot(played(40), 40), NARROW)[0]
    assert first.startswith("score 0")
    assert first.endswith(" 40/60")


def test_the_posterior_shows_percents_in_the_order_of_the_roles_with_gamma_on_the_likeliest():
    snapshot = thinking(Decision(0, belief=belief(), gate=reading()))
    rows = shown(PosteriorPanel, snapshot)
    assert [row.split()[-1] for row in rows[:6]] == ["10.0%"] * 4 + ["50.0%", "10.0%"]
    assert ["│" in row for row in rows[:6]] == [False] * 4 + [True, False]
    assert rows[6] == "50 % → 50 %, same guess for 6 actions (sure from Γ 65%, 3: K)"


def test_what_the_gate_judged_and_what_is_believed_now_are_told_apart_beside_the_lamps():
    """The lamps are lit by the belief before the partner's last action, which then made it doubtful."""
    update = belief(
        (0.46, 0.31, *[0.0575] * 4), prior_map=1, prior_confidence=0.83, prior_stable_updates=12, stable_updates=0
    )
    snapshot = thinking(Decision(0, belief=update, gate=reading(0.004)))
    told = {width: texts(PosteriorPanel().lines(snapshot, width))[6] for width in (60, 50, 34, 26)}
    assert told == {
        60: "83 % → 46 %, same guess for 0 actions",
        50: "83 % → 46 %, same guess for 0 actions",
        34: "83 % → 46 %",
        26: "83 % → 46 %",
    }


def test_before_the_gate_has_judged_only_what_is_believed_now_is_told():
    assert shown(PosteriorPanel, thinking(Decision(0, belief=belief())))[6] == "now 50 %, same guess for 6 actions"


def test_the_likeliest_role_is_bold_and_the_others_are_not():
    rows = list(PosteriorPanel().lines(thinking(Decision(0, belief=belief(), gate=reading())), WIDE))
    assert ["bold" in row.markup for row in rows[:6]] == [False] * 4 + [True, False]


def test_the_truth_is_marked_only_while_it_may_be_shown():
    trace = played(40)
    role = trace.ticks[-1].role(1)
    marked = [row.startswith("◆") for row in shown(PosteriorPanel, Snapshot(trace, 40))[:6]]
    assert marked == [number == role for number in range(6)]
    assert not any("◆" in row for row in shown(PosteriorPanel, Snapshot(trace, 40, truth=False)))


def test_an_ego_without_a_belief_is_shown_the_observers_and_says_so():
    snapshot = Snapshot(played(40), 40)
    assert PosteriorPanel().title_of(snapshot) == "posterior (observer)"
    assert GatePanel().title_of(snapshot) == "gate (observer)"
    own = thinking(Decision(0, belief=belief(), gate=reading()))
    assert PosteriorPanel().title_of(own) == "posterior"
    assert GatePanel().title_of(own) == "gate"


@pytest.mark.parametrize(
    ("locked", "by_propensity", "title"),
    [
        (0.974, None, "orange does not adapt 97%"),
        (0.02, None, "orange adapts 98%"),
        (0.45, 0.2, "orange does not adapt 45%"),
        (0.02, 0.9, "orange has habits 90%"),
        (0.05, 0.4, "orange adapts 55%"),
    ],
)
def test_a_belief_over_who_the_partner_is_names_its_rule(locked, by_propensity, title):
    believed = belief()._replace(locked=locked, by_propensity=by_propensity)
    snapshot = thinking(Decision(0, belief=believed, gate=reading()))
    assert PosteriorPanel().title_of(snapshot) == title


@pytest.mark.parametrize(
    ("width", "locked", "title"),
    [
        (52, 0.97, "orange does not adapt 97%, before → now"),
        (35, 0.97, "orange does not adapt 97%"),
        (31, None, "posterior: before → now"),
    ],
)
def test_after_a_replan_the_rule_is_still_named(monkeypatch, width, locked, title):
    monkeypatch.setattr(posterior, "_tested_belief", lambda *_: (1 / 6,) * 6)
    monkeypatch.setattr(PosteriorPanel, "content_size", Size(width, 8))
    snapshot = thinking(Decision(0, belief=belief()._replace(locked=locked), gate=reading()))
    assert PosteriorPanel().title_of(snapshot) == title


def test_after_a_replan_for_value_the_title_says_that_the_belief_of_before_is_that_of_the_choice(monkeypatch):
    trace = Game("open", "bayes-value", "switching+locked", 46, horizon=120, fast=True).run()
    monkeypatch.setattr(PosteriorPanel, "content_size", Size(60, 8))
    assert PosteriorPanel().title_of(Snapshot(trace, 115)).endswith("at its choice → now")


@pytest.mark.parametrize(
    ("width", "text"),
    [
        (70, "50 % sure of both together (43 % before), same guess for 7 actions"),
        (44, "50 % sure of both together (43 % before)"),
        (30, "50 % sure of both together"),
    ],
)
def test_how_sure_a_belief_over_who_the_partner_is_is_said_in_words(width, text):
    sure = belief()._replace(locked=0.97, prior_confidence=0.43, stable_updates=7)
    snapshot = thinking(Decision(0, belief=sure, gate=reading()))
    assert texts(PosteriorPanel().lines(snapshot, width))[-1] == text


@pytest.mark.parametrize(
    ("seldom", "often", "width", "text"),
    [
        ((GRAB_MEAT, CHOP), (BOIL,), 60, "seldom getting meat, chopping; often boiling rice"),
        ((GRAB_MEAT, CHOP), (BOIL,), 45, "seldom getting meat, …; often boiling rice"),
        ((GRAB_MEAT, CHOP), (BOIL,), 38, "seldom getting meat, chopping"),
        ((), (BOIL, CHOP), 40, "often boiling rice, chopping"),
        ((), (BOIL, CHOP), 26, "often boiling rice, …"),
        ((CHOP,), (), 40, "seldom chopping"),
    ],
)
def test_the_last_line_tells_a_partners_habits(seldom, often, width, text):
    habits = belief()._replace(locked=0.0, by_propensity=0.9, seldom=seldom, often=often)
    snapshot = thinking(Decision(0, belief=habits, gate=reading()))
    assert texts(PosteriorPanel().lines(snapshot, width))[-1] == text


def test_a_belief_over_skills_is_summed_up_by_role():
    skills = (0.5, *([0.5 / 21] * 21))
    snapshot = thinking(Decision(0, belief=belief(skills), gate=reading()))
    assert len(snapshot.posterior) == 6
    assert sum(snapshot.posterior) == pytest.approx(1.0)
    assert snapshot.belief_state is not None
    assert snapshot.belief_state.prior_map == "fry on the grill"


@pytest.mark.parametrize(
    ("gate", "sentence"),
    [
        (reading(contradiction=False), "keeps its plan: as expected, ℓ 0.50 ≥ θ 0.04"),
        (reading(stable=False), "keeps its plan: a new guess, u 5 < K 3"),
        (reading(confident=False), "keeps its plan: not sure, 0.50 < Γ 0.65"),
        (reading(mid_skill=False), "keeps its plan: no skill to interrupt"),
    ],
)
def test_the_gate_says_which_condition_held_it(gate, sentence):
    snapshot = thinking(Decision(0, belief=belief(), gate=gate))
    assert sentence in shown(GatePanel, snapshot)


@pytest.mark.parametrize(
    ("value", "limit", "text"),
    [
        (0.5, 0.65, "0.50"),
        (0.65, 0.65, "0.65"),
        (0.6481, 0.65, "0.648"),
        (0.64996, 0.65, "0.64996"),
        (0.0443, 0.044, "0.044"),
    ],
)
def test_a_number_beside_a_limit_shows_on_which_side_it_lies(value, limit, text):
    assert number_against_limit(value, limit) == text


def test_a_confidence_just_below_its_threshold_does_not_look_equal_to_it():
    posterior = (0.6481, *([0.3519 / 5] * 5))
    snapshot = thinking(Decision(0, belief=belief(posterior), gate=reading(confident=False)))
    assert "keeps its plan: not sure, 0.648 < Γ 0.65" in shown(GatePanel, snapshot)
    assert "64.8 %" in shown(PosteriorPanel, snapshot)[-1]


def test_a_narrow_gate_leaves_out_that_it_held():
    snapshot = thinking(Decision(0, belief=belief(), gate=reading(confident=False)))
    assert "not sure, 0.50 < Γ 0.65" in shown(GatePanel, snapshot, 26)


def test_the_gate_says_what_contradicted_whom_in_one_line_in_two_or_in_fewer_words():
    snapshot = did(
        "east", belief(likelihood_ratios=(1.0, 0.013), contradiction_likelihood=0.013), chosen=True, replanned=True
    )
    assert "replanned: serving contradicted by east, ℓ = 0.013" in shown(GatePanel, snapshot)
    two = shown(GatePanel, snapshot, 33)
    assert two[-2:] == ["replanned: serving contradicted", "by east, ℓ = 0.013"]
    assert "replanned: not serving, ℓ 0.013" in shown(GatePanel, snapshot, NARROW)


def test_an_observers_gate_that_opens_says_so_and_that_nobody_replans():
    mind = BeliefSnapshot(True, belief(), reading(contradiction_likelihood=0.013), GateConfig(), replanned=False)
    assert GatePanel.verdict(mind, Snapshot(played(1), 1)) == "opens: serving contradicted, ℓ = 0.013"


def test_a_contradiction_close_to_its_threshold_has_the_decimals_that_tell_them_apart():
    mind = BeliefSnapshot(True, belief(), reading(contradiction_likelihood=0.0396), GateConfig(), replanned=True)
    assert GatePanel.verdict(mind, Snapshot(played(1), 1)) == "replanned: serving contradicted, ℓ = 0.0396"  # θ is 0.04


def test_after_a_replan_the_gate_remembers_it():
    snapshot = did("east", belief(), chosen=True, replanned=True)
    trace = Trace(snapshot.config, snapshot.trace.start, [*snapshot.trace.ticks])
    held = snapshot.tick._replace(decisions=(Decision(0, belief=belief(), gate=reading(contradiction=False)),) * 2)
    trace.ticks.append(held)
    assert shown(GatePanel, Snapshot(trace, len(trace.ticks)))[-1] == f"last replan {snapshot.step}: not serving"


def test_each_action_that_was_judged_is_a_block_the_taller_the_less_it_fits():
    row = actions_row(did("east", belief(likelihood_ratios=(1.0, 0.5, 0.1, 0.01))))
    assert row == "actions ▁▂▅▇ east 0.01"


def test_the_last_action_is_named_in_as_many_words_as_fit():
    snapshot = did("interact: put it down", belief(likelihood_ratios=(1.0,) * 10))
    assert actions_row(snapshot) == "actions ▁▁▁▁▁▁▁▁▁▁ interact: put it down 1.00"
    assert actions_row(snapshot, 41) == "actions ▁▁▁▁▁▁▁▁▁▁ interact: put it down"
    assert actions_row(snapshot, 30) == "actions ▁▁▁▁▁▁▁▁▁▁ put it down"


def test_of_more_actions_than_fit_the_last_are_shown():
    assert actions_row(did("east", belief(likelihood_ratios=(0.01, *(1.0,) * 30))), 24).count("▁") == 24 - len(
        "actions "
    )


def test_the_action_is_that_of_the_step_before_which_the_belief_took_in():
    trace = played(40)
    for step in range(2, 40):
        before, after = trace.state(step - 2), trace.state(step - 1)
        name = observed_action_name(Snapshot(trace, step))
        if name in ("north", "south", "east", "west"):
            assert after[FACING + 1] == ("north", "south", "east", "west").index(name)
        else:
            assert (name == "stay") == (after[EVENT + 1] == constants.NO_SKILL)
            assert (before[POSITION + 1], before[FACING + 1]) == (after[POSITION + 1], after[FACING + 1])
    assert observed_action_name(Snapshot(trace, 1)) == ""


def test_the_action_that_is_blamed_is_the_one_that_fits_least():
    trace = played(40)
    mind = BeliefSnapshot(True, belief(likelihood_ratios=(1.0, 0.02, 0.5)), reading(), GateConfig(), replanned=False)
    assert least_likely_action(mind, Snapshot(trace, 30)) == observed_action_name(Snapshot(trace, 29))


def test_a_cooling_gate_names_the_step_at_which_it_opened():
    opened = thinking(Decision(0, chosen=True, replanned=True, belief=belief(), gate=reading()))
    cooling = opened.tick._replace(decisions=(Decision(0, belief=belief(), gate=reading(cooled_down=False)),) * 2)
    later = Snapshot(Trace(opened.config, opened.trace.start, [*opened.trace.ticks, cooling]), 4)
    assert "keeps its plan: too soon after step 3" in shown(GatePanel, later)


def test_lamps_are_lit_where_their_condition_holds_and_stay_within_the_width():
    (row,) = texts(GatePanel.lamps(reading(stable=False), WIDE))
    assert row.split() == [
        "●",
        "contradicts",
        "○",
        "stable",
        "●",
        "confident",
        "●",
        "mid-skill",
        "●",
        "not",
        "too",
        "soon",
    ]
    for width in (NARROW, 26, 33):
        rows = texts(GatePanel.lamps(reading(), width))
        assert len(rows) == 2
        assert all(len(row) <= width for row in rows)


def test_the_bar_of_ell_crosses_the_mark_exactly_when_theta_is_crossed():
    for contradiction_likelihood, crossed in ((0.05, False), (0.03, True)):
        snapshot = thinking(
            Decision(
                0,
                belief=belief(contradiction_likelihood=contradiction_likelihood),
                gate=reading(contradiction_likelihood=contradiction_likelihood, contradiction=crossed),
            )
        )
        row = next(row for row in shown(GatePanel, snapshot, 200) if row.startswith("fit ℓ"))
        assert (row[row.index("│") + 1] != " ") == crossed


def test_cooks_show_agent_hand_skill_age_and_how_the_last_one_ended():
    trace = played(60)
    step = next(s for s in range(2, 60) if trace.ticks[s - 1].ended[0] == constants.DONE)
    rows = shown(CooksPanel, Snapshot(trace, step))
    assert rows[0].startswith("1 ego switching")
    assert rows[1].endswith("0/30")
    assert rows[2].startswith("  was: ")
    assert rows[2].endswith(" done")


def test_the_bar_of_a_skills_age_and_the_word_was_make_way_for_the_skills_name():
    trace = played(60)
    extinguisher, done = "get the extinguisher", constants.INTERRUPTED
    ticks = [
        tick._replace(skills=(constants.GRAB_FIRE_EXT, tick.skills[1]), ages=(number, 0), ended=(done, tick.ended[1]))
        for number, tick in enumerate(trace.ticks[:2])
    ]
    ticks = [
        tick._replace(decisions=(Decision(constants.GRAB_FIRE_EXT, chosen=True), tick.decisions[1])) for tick in ticks
    ]
    snapshot = Snapshot(replace(trace, ticks=ticks), 2)
    rows = shown(CooksPanel, snapshot, 34)
    assert rows[1].startswith(f"  {extinguisher} ")
    assert rows[1].endswith(" 1/30")
    assert len(rows[1]) == 34
    assert rows[2] == f"  {extinguisher} interrupted"
    assert shown(CooksPanel, snapshot, 50)[2].startswith(f"  was: {extinguisher} ")


@pytest.mark.parametrize(
    ("columns", "settings"),
    [
        (96, " bba-tui  open  switching and switching  seed 0"),
        (87, " open  switching and switching  seed 0"),
        (79, " open  switching and switching"),
        (73, " switching and switching"),
    ],
)
def test_the_title_line_leaves_settings_out_where_a_models_wait_and_cost_need_the_room(monkeypatch, columns, settings):
    monkeypatch.setattr(TitleBar, "size", Size(columns, 1))
    bar = TitleBar()
    bar.config, bar.status = played(2).config, "no answer for 40 s, attempt 3 of 5, cost $0.000"
    assert bar.render().plain == f"{settings} {bar.status} "


def test_the_partners_skill_is_hidden_with_the_truth():
    trace = played(20)
    assert len(shown(CooksPanel, Snapshot(trace, 20))) == 6
    assert shown(CooksPanel, Snapshot(trace, 20, truth=False))[-1] == "  its skill is hidden"


def test_the_six_role_colours_differ():
    assert len(set(palette.ROLE_COLOURS)) == 6


def test_lines_of_one_text_in_other_colours_are_other_lines():
    inked = [line(Content.styled("a", colour), "b") for colour in ("red", "blue")]
    assert not inked[0].is_same(inked[1])
    assert not line(("ab", "red")).is_same(line(("ab", "blue")))
    assert not bar(0.5, 4, "red").is_same(bar(0.5, 4, "blue"))
    assert line("a", ("b", "red")) is line("a", ("b", "red"))
