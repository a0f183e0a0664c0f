"""The panel of the commitment gate: what it says, and where it is shown."""

from dataclasses import replace

import pytest

from bba.agents import Decision
from bba.analysis import names
from bba.analysis.event_log import log_entries
from bba.analysis.snapshot import Snapshot
from bba.analysis.timeline import REPLANS, TimelineData, TimelineMark
from bba.analysis.trace_columns import PLAYER_COLUMNS, CookStep
from bba.belief import NOTHING_REMEMBERED, CommitmentGateResult
from bba.config import BeliefConfig, RolloutOptions
from bba.play import Game, Trace
from tests.helpers.app import texts, with_panels
from tests.helpers.comparisons import compared
from tests.helpers.notifications import notified
from tests.helpers.snapshots import belief, reading, thinking
from tests.helpers.wait_for_idle import drawn
from tui.app.app import BBAApp
from tui.playback.source import PlaybackSource
from tui.widgets.gate import CommitmentGatePanel, GatePanel

WIDE, NARROW = 70, 24


def result(ratio: float = 3.0, remembered: int = 1, age: int = 7, **lamps: bool) -> CommitmentGateResult:
    """A result whose lamps are all lit but those that are named otherwise."""
    lit = dict.fromkeys(("told_apart", "confident", "mid_skill", "cooled_down"), True)
    return CommitmentGateResult(**lit | lamps, ratio=ratio, remembered=remembered, age=age)


def snapshot(found: CommitmentGateResult | None, *, agent: str = "bayes-commit", **fields) -> Snapshot:
    """A moment of an agent whose belief is most likely serving, after this result."""
    made = thinking(Decision(0, belief=belief(), gate=reading(contradiction=False), commitment_gate=found, **fields))
    config = made.trace.config
    seats = replace(config.seats[0], agent=agent), config.seats[1]
    return Snapshot(Trace(replace(config, seats=seats), made.trace.start, made.trace.ticks), made.step)


def shown(moment: Snapshot, width: int = WIDE) -> list[str]:
    return texts(CommitmentGatePanel().lines(moment, width))


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (result(told_apart=False), "keeps its plan: not told apart from preparing rice"),
        (result(told_apart=False, remembered=4), "keeps its plan: still believed"),
        (result(told_apart=False, remembered=NOTHING_REMEMBERED), "keeps its plan: nothing to be told apart from"),
        (result(confident=False), "keeps its plan: not sure, 0.50 < Γc 0.35"),
        (result(mid_skill=False), "keeps its plan: no skill to interrupt"),
    ],
)
def test_it_says_which_condition_held_it(found, sentence):
    assert sentence in shown(snapshot(found))


def test_it_says_what_it_remembers_and_since_when():
    assert "remembers preparing rice, 7 actions ago" in shown(snapshot(result()))
    assert "remembers preparing rice, 1 action ago" in shown(snapshot(result(age=1)))
    assert "remembers preparing rice, 7" in shown(snapshot(result()), NARROW)
    assert "remembers nothing: it was not confident" in shown(snapshot(result(remembered=NOTHING_REMEMBERED)))


def test_it_says_what_it_replanned_for_or_would_have_if_another_trigger_decides():
    replan = {"chosen": True, "replanned": True}
    assert "replanned: serving, not preparing rice" in shown(snapshot(result(), **replan))
    assert "would replan: serving, not preparing rice" in shown(snapshot(result(), agent="bayes", **replan))
    assert "would replan: serving" in shown(snapshot(result(), agent="periodic-10"), NARROW)


def test_before_the_first_action_there_is_nothing_to_judge():
    assert shown(snapshot(None))[-1] == "nothing to judge yet"


@pytest.mark.parametrize(("ratio", "crossed"), [(2.2, False), (2.4, True), (50.0, True)])
def test_the_bar_crosses_the_mark_exactly_when_the_threshold_is_crossed(ratio, crossed):
    row = next(row for row in shown(snapshot(result(ratio, told_apart=crossed)), 201) if "Λ" in row)
    assert (row[row.index("│") + 1] != " ") == crossed
    assert row.endswith("λ 2.3 ")


@pytest.mark.parametrize("width", [NARROW, 33, WIDE])
@pytest.mark.parametrize("ratio", [0.0, 999.0])
def test_its_lines_fit_into_the_panel(width, ratio):
    rows = shown(snapshot(result(ratio)), width)
    assert len(rows) <= 6
    assert all(len(row) <= width for row in rows if row.startswith(("●", "Λ", "other")))


def test_a_threshold_of_zero_has_a_bar():
    moment = snapshot(result(0.5))
    config = moment.trace.config
    ego = replace(config.seats[0], belief_config=BeliefConfig().changed({"commitment_ratio": 0.0}))
    zero = Snapshot(Trace(replace(config, seats=(ego, config.seats[1])), moment.trace.start, moment.trace.ticks), 3)
    assert any("Λ  0.5 " in row for row in shown(zero))


def test_an_ego_without_a_belief_is_shown_the_observers():
    trace = Game("open", "switching", "switching", 0, horizon=40).run()
    assert CommitmentGatePanel().title_of(Snapshot(trace, 40)) == "commitment gate (observer)"
    assert any(row.startswith("remembers ") for row in shown(Snapshot(trace, 40)))


# --- in play ---------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def trace():
    return Game("open", "bayes-commit", "switching", 20, horizon=300).run()


def test_a_replan_is_told_with_what_was_remembered(trace):
    told = 0
    for tick in trace.ticks:
        if tick.decisions[0].replanned:
            lines = [entry.text for entry in log_entries(Snapshot(trace, tick.step))]
            state = Snapshot(trace, tick.step).belief_state
            assert any(line[2:].startswith(f"replans: not {names.doing(state.remembered)}") for line in lines)
            told += 1
    assert told


def test_the_timeline_marks_what_either_gate_would_have_done(trace):
    marks = TimelineData(trace)
    marks.extend()
    decisions = [(tick.step, tick.decisions[0]) for tick in trace.ticks[1:]]
    assert marks.marks[TimelineMark.COMMITMENT_GATE] == [step for step, one in decisions if one.commitment_gate.opens]
    assert marks.marks[TimelineMark.GATE] == [step for step, one in decisions if one.gate.opens]
    replans = sorted(step for mark in REPLANS for step in marks.marks[mark])
    assert replans == marks.marks[TimelineMark.COMMITMENT_GATE] != []


@pytest.mark.exhaustive
@pytest.mark.parametrize(("agent", "first"), [("bayes", GatePanel), ("bayes-commit", CommitmentGatePanel)])
async def test_the_gate_that_decides_is_shown_and_a_key_shows_the_other(agent, first):
    source = PlaybackSource(lambda: Game("open", agent, "switching", 0, horizon=20))
    source.step()
    app = with_panels(BBAApp(source, autostart=False), "gate")
    async with app.run_test(size=(120, 40)) as pilot:
        await drawn(pilot)
        panels = {kind: app.screen.query_one(kind) for kind in (GatePanel, CommitmentGatePanel)}
        assert [kind for kind, panel in panels.items() if panel.display] == [first]
        await pilot.press("o")
        await drawn(pilot)
        assert [kind for kind, panel in panels.items() if panel.display] == [
            kind for kind in panels if kind is not first
        ]


async def test_where_there_is_room_both_gates_are_shown_and_the_key_says_so():
    source = PlaybackSource(lambda: Game("open", "bayes", "switching", 0, horizon=20))
    source.step()
    async with with_panels(BBAApp(source, autostart=False)).run_test(size=(200, 60)) as pilot:
        await drawn(pilot)
        await pilot.press("o")
        await drawn(pilot)
        assert pilot.app.screen.query_one(GatePanel).content_size.height >= 6
        assert pilot.app.screen.query_one(CommitmentGatePanel).content_size.height >= 6
        assert await notified(pilot.app, pilot, "both gates are shown")


@pytest.mark.parametrize(
    ("fields", "cost", "says"),
    [
        ({"replanned": True, "chosen": True}, 0.5, "at 3 ○ gate ● commitment ● value"),
        ({"replanned": True, "chosen": True}, 13.0, "at 3 ○ gate ● commitment ○ value"),  # it promises 12 points more
        ({"chosen": False}, 0.5, "at 3 ○ gate ● commitment ● value"),
        ({"chosen": True}, 0.5, None),  # no skill was running
    ],
)
def test_where_skills_were_compared_it_says_what_each_of_the_three_gates_would_have_done(fields, cost, says):
    made = snapshot(result(), comparison=compared(), **fields)
    config = made.trace.config
    seats = replace(config.seats[0], rollout=RolloutOptions(replan_cost=cost)), config.seats[1]
    moment = Snapshot(Trace(replace(config, seats=seats), made.trace.start, made.trace.ticks), made.step)
    assert [row for row in shown(moment) if row.startswith("at ")] == ([says] if says else [])
    cook = CookStep(0, moment.trace.config, moment.trace.ticks[-1])
    assert PLAYER_COLUMNS["value_gate_opens"].value("value_gate_opens", cook) == (
        None if says is None else "● value" in says
    )
