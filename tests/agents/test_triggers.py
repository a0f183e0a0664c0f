"""The generic triggers: what interrupts a skill, and that it is only ever a running one."""

from itertools import pairwise

import pytest

from bba.agents import Decision, Observation, SeatSpec, load_agent, registry
from bba.agents.skill_planner import PromptPlanner, RolloutPlanner, describe_event
from bba.agents.triggers import CHECKED_EVERY, TRIGGERS, TriggerContext, partner_changed, picked_up_task_item
from bba.belief import GateResult
from bba.config import BeliefConfig, GateConfig, RolloutOptions
from bba.errors import BBAError
from bba.kitchen import Kitchen, constants
from bba.kitchen.constants import COMPLETED, EVENT, FACING, HELD, POSITION, STEP
from bba.planner import Comparison, Planner, Reply, ScriptedBackend, SkillValue
from bba.play import Game
from bba.play.trace import PARTNER
from tests.helpers.planner_scenes import PROMPTS, side_queries
from tests.helpers.planning_agents import planning_agent

GRABS, CHOPS = constants.GRAB_MEAT, constants.CHOP
GENERIC = ("periodic-10", "completion-held", "llm-judge")
STEPS = 400


class Judging(ScriptedBackend):
    """The scripted planner, but for what it says as a judge."""

    def __init__(self, verdict):
        self.verdict, self.asked = verdict, []

    def complete(self, messages):
        if "Verdict: <" not in messages[1]["content"]:
            return super().complete(messages)
        self.asked.append(messages)
        return Reply(self.verdict)


def observed(*changes, step=7):
    """The ego in the middle of getting meat; `changes` are (column, value) of the partner's last step."""
    before = Kitchen("open").state.copy()
    row = before.copy()
    row[STEP] = step
    for column, value in changes:
        row[column + PARTNER] = value
    return Observation(0, Kitchen("open").layout, before, row, constants.GRAB_MEAT, 3, constants.RUNNING, False)


def snapshot(*changes, step=7, gate=None):
    return TriggerContext(observed(*changes, step=step), gate, lambda: None)


OPEN = GateResult(True, True, True, True, True, 0.01)
DONE = ((EVENT, constants.GRAB_MEAT), (COMPLETED, 1))


def test_the_gate_decides_for_the_full_agent_alone():
    assert TRIGGERS["gate"](snapshot(gate=OPEN)).interrupts
    assert not TRIGGERS["gate"](snapshot(gate=OPEN._replace(cooled_down=False))).interrupts
    assert not TRIGGERS["gate"](snapshot()).interrupts
    assert not TRIGGERS["never"](snapshot(*DONE, step=10, gate=OPEN)).interrupts


def test_the_clock_interrupts_every_ten_steps():
    assert [step for step in range(1, 41) if TRIGGERS["periodic"](snapshot(step=step)).interrupts] == [10, 20, 30, 40]


@pytest.mark.parametrize(
    ("changes", "interrupts"),
    [
        ((), False),
        ((*DONE, (HELD, constants.MEAT)), True),
        (((EVENT, constants.CHOP),), False),
        (((EVENT, constants.CHOP), (COMPLETED, 1)), True),
        (((HELD, constants.RICE),), True),
        (((HELD, constants.FIRE_EXT),), False),
        (((HELD, constants.CHARCOAL),), False),
        (((POSITION, 20), (FACING, constants.EAST)), False),
    ],
)
def test_a_completion_or_a_new_task_item_interrupts(changes, interrupts):
    assert TRIGGERS["completion-held"](snapshot(*changes)).interrupts == interrupts


def test_putting_something_down_is_no_new_item():
    seen = observed()
    seen.before[HELD + PARTNER] = constants.MEAT
    assert not picked_up_task_item(seen.before, seen.state, PARTNER)


@pytest.mark.parametrize(
    "change", [(POSITION, 20), (FACING, constants.EAST), (HELD, constants.RICE), (EVENT, constants.CHOP)]
)
def test_whatever_is_public_about_the_partner_counts_as_stirring(change):
    seen = observed(change)
    assert partner_changed(seen.before, seen.state, PARTNER)
    assert not partner_changed(seen.before, seen.state, 0)


def test_an_action_is_described_with_what_is_held_after_it():
    assert describe_event(observed(*DONE, (HELD, constants.MEAT)).state, PARTNER) == "completed 8:GRAB_MEAT, holds meat"
    working = observed((EVENT, constants.CHOP)).state
    assert describe_event(working, PARTNER) == "went on with 2:GO_TO_CHOP_BOARD_AND_CHOP_INGREDIENT, holds nothing"
    assert describe_event(observed().state, PARTNER) == ""


def judged(verdict, *changes, retries=2):
    backend = Judging(verdict)
    seen = observed(*changes)
    planner = PromptPlanner(Planner(backend, PROMPTS, kind="bayes", retries=retries), backend.name)
    return TRIGGERS["judge"](TriggerContext(seen, None, lambda: planner.judge(seen, None))), backend


@pytest.mark.parametrize(("verdict", "interrupts"), [("Verdict: REPLAN", True), ("Verdict: CONTINUE", False)])
def test_the_judge_is_asked_when_the_partner_stirs_and_obeyed(verdict, interrupts):
    found, backend = judged(verdict, (HELD, constants.MEAT), *DONE)
    assert found.interrupts == interrupts
    assert [call.kind for call in found.calls] == ["judge"]
    question = backend.asked[0][1]["content"]
    assert "the skill 8:GRAB_MEAT has been running for 3 steps" in question
    assert "hold=nothing; since then it completed 8:GRAB_MEAT, holds meat." in question


def test_the_judge_is_not_asked_about_a_partner_that_stands_still():
    found, backend = judged("Verdict: REPLAN")
    assert found == (False, None)
    assert backend.asked == []


def test_a_judge_that_cannot_be_understood_lets_the_skill_go_on_and_is_marked():
    found, backend = judged("I am not sure", (POSITION, 20), retries=2)
    assert not found.interrupts
    assert len(backend.asked) == found.calls[0].attempts == 3
    assert found.calls[0].problem is not None


@pytest.fixture(scope="module", params=GENERIC)
def trace(request):
    return Game("open", request.param, "switching", 0, horizon=STEPS).run()


@pytest.mark.thorough
def test_generic_triggers_interrupt_running_skills_only_and_keep_the_gates_lamps(trace):
    for tick in trace.ticks[1:]:
        decision = tick.decisions[0]
        assert decision.replanned == (tick.ended[0] == constants.INTERRUPTED)
        assert decision.gate is not None
        assert not decision.replanned or decision.gate.mid_skill
    assert trace.config.belief_config == BeliefConfig()


@pytest.mark.thorough
def test_they_interrupt_at_least_five_times_as_often_as_the_gate(trace):
    full = Game("open", "bayes", "switching", 0, horizon=STEPS).run()
    replans = [sum(tick.decisions[0].replanned for tick in game.ticks) for game in (full, trace)]
    assert replans[1] >= 5 * max(1, replans[0])


def test_the_clock_is_kept_in_play():
    trace = Game("open", "periodic-10", "switching", 0, horizon=120).run()
    replans = [step for step, tick in enumerate(trace.ticks) if tick.decisions[0].replanned]
    assert replans
    assert all(step % 10 == 0 for step in replans)


def test_the_judge_is_asked_mid_skill_only_and_its_question_precedes_the_planners():
    backend = Judging("Verdict: REPLAN")
    agent = planning_agent("llm-judge", backend)
    trace = Game("open", agent, "switching", 0, horizon=80).run()
    for tick in trace.ticks:
        decision = tick.decisions[0]
        assert decision.replanned == bool(side_queries(decision))
        assert not side_queries(decision) or (tick.ended[0] == constants.INTERRUPTED and decision.plan is not None)
        assert [call.kind for call in decision.calls] in ([], ["plan"], ["judge", "plan"])
    assert backend.asked


def test_a_retuned_gate_is_shown_but_does_not_decide():
    game = Game("open", "periodic-10", "switching", 0, horizon=60)
    game.reconfigure(0, BeliefConfig(gate=GateConfig(theta_obs=1.0, gamma_conf=0.0, stability=0, cooldown=0)))
    trace = game.run()
    opened = [tick for tick in trace.ticks if tick.decisions[0].gate and tick.decisions[0].gate.opens]
    assert any(not tick.decisions[0].replanned for tick in opened)


@pytest.mark.parametrize("name", GENERIC)
def test_they_are_filed_under_their_names_with_the_parameters_of_their_belief(name):
    profile = load_agent(name).profile
    assert (profile.agent, profile.planner, profile.belief_config) == (name, "scripted", BeliefConfig())


def test_whether_deciding_again_is_worth_it_is_asked_when_the_belief_has_moved():
    asked = []

    def judge(replans):
        asked.append(replans)
        return Decision(constants.GRAB_MEAT, replanned=replans)

    def interrupts(moved, step, replans=True):
        context = snapshot(step=step)._replace(moved=moved, judge=lambda: judge(replans))
        return TRIGGERS["value"](context).interrupts

    assert interrupts(0.5, step=9)
    assert not interrupts(0.5, step=9, replans=False)
    assert asked == [True, False]
    assert not interrupts(0.1, step=9)  # as believed when the skill was chosen
    assert not interrupts(0.5, step=10)  # it is asked every third step
    assert asked == [True, False]


@pytest.mark.parametrize(("cost", "replans"), [(0.0, True), (1.9, True), (2.0, False), (1000.0, False)])
def test_a_replan_has_to_pay_its_cost(monkeypatch, cost, replans):
    going_on, better = (SkillValue(skill, 0.5, 7.0 + gain, gain, 0.1) for skill, gain in ((GRABS, 0.0), (CHOPS, 2.0)))
    monkeypatch.setattr(RolloutPlanner, "_compare", lambda *_: Comparison((going_on, better), CHOPS, (), 8))
    decision = RolloutPlanner(RolloutOptions(replan_cost=cost)).judge(observed(), None)
    assert (decision.skill, decision.replanned) == (GRABS, replans)
    assert replans or decision.comparison.chosen == GRABS


@pytest.mark.parametrize(("cost", "points"), [(0.5, 0.5), ("0.5", 0.5), ("0.02usd@50", 1.0), ("2usd@0.5", 1.0)])
def test_a_replan_may_cost_dollars(cost, points):
    assert RolloutOptions(replan_cost=cost).replan_cost == points


@pytest.mark.parametrize("cost", ["0.02usd", "usd@3", "1eur", "1usd@x"])
def test_dollars_have_points(cost):
    with pytest.raises(BBAError, match="replan_cost"):
        RolloutOptions(replan_cost=cost)


def game_of_a_paid_planner(monkeypatch, partner="switching", horizon=120, **options):
    """A game of an ego with the trigger `value`, whose planner passes for a language model."""
    monkeypatch.setattr(registry, "pays", lambda _: True)
    rollout = RolloutOptions(futures=8, future_steps=10, replan_cost="20usd@50")
    ego = load_agent("bayes", SeatSpec(trigger="value", rollout=rollout, **options))
    return Game("open", ego, partner, 20, horizon=horizon).run()


def test_simulated_futures_say_whether_asking_a_model_again_is_worth_its_cost(monkeypatch):
    trace = game_of_a_paid_planner(monkeypatch)
    decisions = [tick.decisions[0] for tick in trace.ticks]
    assert trace.config.seats[0].rollout.replan_cost == 1000
    assert any(decision.comparison for decision in decisions)
    assert not any(decision.replanned for decision in decisions), "nothing is worth that much"
    assert all(decision.chosen for decision in decisions if decision.calls), "the model is asked for plans alone"


def test_without_networks_the_scripted_planner_says_so(monkeypatch, tmp_path):
    trace = game_of_a_paid_planner(monkeypatch, "scratch:G1-2", 900, weights=tmp_path)
    decisions = [tick.decisions[0] for tick in trace.ticks]
    assert any(decision.replanned for decision in decisions)
    assert not any(decision.comparison for decision in decisions)
    assert all(decision.chosen for decision in decisions if decision.calls), "the model is asked for plans alone"


def changes_of(trace):
    """Of each replan, whether it changed the skill, and whether it came at a step at which the gate looks."""
    ticks = trace.ticks
    for before, tick in pairwise(ticks):
        if tick.decisions[0].replanned:
            yield tick.skills[0] != before.skills[0], (tick.state[STEP] - 1) % CHECKED_EVERY == 0


@pytest.mark.parametrize("layout", ["open", "ring"])
def test_the_scripted_planner_replans_for_value_only_where_it_rates_another_skill_higher(layout):
    ego = load_agent("bayes", SeatSpec(trigger="value"))
    found = list(changes_of(Game(layout, ego, "scratch:G3-1", 20, horizon=1300, fast=True).run()))
    assert len(found) > 2
    assert all(changed and looked for changed, looked in found)


def test_a_belief_that_turns_to_and_fro_does_not_swing_the_scripted_planner_between_two_tasks():
    """Each of two tasks is useless as long as the partner is thought to do it."""
    ego = load_agent("bayes", SeatSpec(trigger="value"))
    ticks = Game("forced_coordination", ego, "scratch:G3-1", 271, horizon=420, fast=True).run().ticks
    replanned = [number for number, tick in enumerate(ticks) if tick.decisions[0].replanned]
    assert replanned
    assert all(later - earlier > 2 * CHECKED_EVERY for earlier, later in pairwise(replanned))


@pytest.mark.parametrize("name", ["proagent", "bayes-no-belief"])
def test_without_a_belief_nothing_can_move(name):
    with pytest.raises(BBAError, match=f"^trigger: {name} has no belief for a gate; it takes periodic, "):
        load_agent(name, SeatSpec(trigger="value"))
