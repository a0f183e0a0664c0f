"""A cook that waits is asked again when something that it could act upon has changed, or in every step."""

from dataclasses import replace

import pytest

from bba.agents import AgentOptions, Decision, Profile, agent_like, load_agent
from bba.agents.base import THINKING, WAITING
from bba.agents.hypothetical_minds import HypotheticalMinds
from bba.agents.planning import VARIANTS, PlanningAgent
from bba.agents.prompt_planner import PromptPlanner
from bba.agents.waiting import LONGEST_WAIT, WaitingRule, situation_of
from bba.kitchen import constants
from bba.kitchen.scene import OrderView
from bba.planner import LLMCall, Planner, Prompts, Reply, ScriptedBackend
from bba.play import Game, Replay, fork, record
from bba.play.ticks import step_arrays
from tests.helpers.planner_scenes import STEAK_THEN_MUSHROOM, belief, cook, on, situation
from tests.helpers.planning_agents import planning_agent

ME, MATE = cook(1, 1), cook(8, 4, "rice")
FRYING = on("grill", "chopped_steak", 7, 6, "cooking", 30, 80)
STAY = LLMCall("plan", ("", ""), "14:STAY", skill=constants.SKILL_STAY)
FALLBACK = replace(STAY, response="", problem="no answer")
STEPS = 250


class Idle(ScriptedBackend):
    """The scripted planner, but it always waits; it counts what it is asked."""

    def __init__(self):
        self.asked = 0

    def complete(self, messages):
        self.asked += 1
        return Reply("STAY")


def waiting_since(asked_about, ask="changed"):
    """The rule of a cook that waits since it was asked about this."""
    rule = WaitingRule(ask)
    rule.commit(Decision(constants.SKILL_STAY, chosen=True, calls=(STAY,)), lambda: asked_about)
    return rule


def goes_on(rule, now):
    return rule.decision(lambda: now) is not None


@pytest.mark.parametrize(
    "now",
    [
        situation(ME, MATE, FRYING, step=61 + 15),
        situation(cook(2, 1, facing="west"), cook(7, 4, "rice"), FRYING, step=61),
        situation(ME, MATE, replace(FRYING, progress=79), step=61),
        situation(ME, MATE, FRYING, orders=tuple(replace(order, left=5) for order in STEAK_THEN_MUSHROOM), step=61),
        situation(ME, MATE, FRYING, belief=belief("serve", 0.5, confident=False), step=61),
    ],
    ids=["a clock", "positions and directions", "the time of cooking", "the time of orders", "a belief in doubt"],
)
def test_what_does_not_count(now):
    assert goes_on(waiting_since(situation(ME, MATE, FRYING)), now)


@pytest.mark.parametrize(
    "now",
    [
        situation(cook(1, 1, "rice"), MATE, FRYING, step=61),
        situation(ME, cook(8, 4), FRYING, step=61),
        situation(ME, MATE, replace(FRYING, state="ready"), step=61),
        situation(ME, MATE, replace(FRYING, position=(8, 6)), step=61),
        situation(ME, MATE, step=61),
        situation(ME, MATE, FRYING, dirty_plates=3, step=61),
        situation(ME, MATE, FRYING, orders=(*STEAK_THEN_MUSHROOM, OrderView("steak_burrito", 600, 600)), step=61),
        situation(ME, MATE, FRYING, feasible=(1, 14), step=61),
        situation(ME, MATE, FRYING, belief=belief("serve", 0.9, confident=True), step=61),
        situation(ME, MATE, FRYING, step=60 + LONGEST_WAIT),
    ],
    ids=["held", "partner's", "state", "place", "gone", "plates", "orders", "feasible", "belief", "too long"],
)
def test_what_counts(now):
    assert not goes_on(waiting_since(situation(ME, MATE, FRYING)), now)


def test_another_likely_role_counts():
    before, after = (situation(ME, MATE, belief=belief(role, 0.9, confident=True)) for role in ("serve", "prep_rice"))
    assert not goes_on(waiting_since(before), after)


def test_always_asks_a_fallback_is_asked_again_and_whatever_else_is_done_is_no_wait():
    here = situation(ME, MATE)
    assert not goes_on(waiting_since(here, "always"), here)
    for decision in (
        Decision(constants.SKILL_STAY, chosen=True, calls=(FALLBACK,)),
        Decision(constants.CHOP),
        Decision(constants.CHOP, chosen=True, calls=(replace(STAY, skill=constants.CHOP),)),
    ):
        rule = waiting_since(here)
        rule.commit(decision, lambda: here)
        assert not goes_on(rule, here)


def test_a_late_answer_is_compared_with_what_was_asked():
    asked, arrived = situation(ME, MATE, FRYING), situation(ME, MATE, replace(FRYING, state="ready"), step=70)
    rule = WaitingRule("changed")
    rule.commit(Decision(constants.SKILL_STAY, chosen=True, note=THINKING), lambda: asked)
    rule.commit(Decision(constants.SKILL_STAY, chosen=True, calls=(STAY,)), lambda: arrived)
    assert not goes_on(rule, arrived), "the food became ready while the planner was thinking"
    assert goes_on(rule, asked)


def test_after_a_dropped_answer_the_next_question_counts():
    old, new = situation(ME, MATE, FRYING), situation(ME, MATE, step=70)
    rule = WaitingRule("changed")
    rule.commit(Decision(constants.SKILL_STAY, chosen=True, note=THINKING), lambda: old)
    rule.commit(Decision(constants.SKILL_STAY, chosen=True, note=THINKING, calls=(STAY.dropped(),)), lambda: new)
    rule.commit(Decision(constants.SKILL_STAY, chosen=True, calls=(STAY,)), lambda: new)
    assert goes_on(rule, new)


def idle_agent(name, ask):
    backend, prompts = Idle(), Prompts.load()
    if name == HypotheticalMinds.name:
        return HypotheticalMinds(backend, prompts, ask=ask), backend
    return planning_agent(name, backend, ask=ask), backend


@pytest.mark.parametrize("name", ["bayes", "proagent", HypotheticalMinds.name])
def test_every_agent_with_a_planner_follows_the_rule(name):
    asked = {}
    for ask in ("always", "changed"):
        agent, _ = idle_agent(name, ask)
        trace = Game("open", agent, "switching", 0, horizon=STEPS).run()
        decisions = [tick.decisions[0] for tick in trace.ticks]
        assert all(decision.chosen and (decision.plan is None) == decision.waiting for decision in decisions)
        asked[ask] = sum(decision.plan is not None for decision in decisions)
    assert asked["always"] == STEPS
    assert STEPS // LONGEST_WAIT < asked["changed"] < STEPS / 3


def test_between_two_questions_nothing_that_counts_has_changed():
    seen, told = [], []

    class Watched(PlanningAgent):
        def commit(self, observation, decision):
            super().commit(observation, decision)
            seen.append(situation_of(self._planner_input(observation)))
            told.append(decision.plan is not None)

    planner = PromptPlanner(Planner(Idle(), Prompts.load(), kind="bayes"), "idle")
    Game("ring", Watched(VARIANTS["bayes"], planner), "switching", 3, horizon=STEPS).run()
    since = 0
    for step in range(1, STEPS):
        assert told[step] == (seen[step] != seen[since] or step - since == LONGEST_WAIT)
        since = step if told[step] else since


def test_a_game_with_waits_is_recorded_replayed_and_continued():
    trace = Game("ring", load_agent("bayes", AgentOptions(ask="changed")), "switching", 0, horizon=300).run()
    waits = [step for step, tick in enumerate(trace.ticks) if tick.decisions[0].waiting]
    assert waits
    again = Replay(record(trace)).run()
    assert [tick.decisions[0] for tick in again.ticks] == [tick.decisions[0] for tick in trace.ticks]
    assert again.config.seats[0].ask == "changed"
    assert again.config.seats[1].asked is None
    other = fork(again, waits[2]).run()
    assert [tick.decisions[0].note for tick in other.ticks] == [tick.decisions[0].note for tick in trace.ticks]
    assert other.score == trace.score


def test_a_profile_of_before_the_option_asks_always():
    old = Profile("proagent", "scripted")
    assert (old.asked, Profile("switching").asked) == ("always", None)
    assert agent_like(old).profile.ask == "always"
    assert agent_like(replace(old, ask="changed"), AgentOptions(ask="always")).profile.ask == "changed"


def test_waits_are_no_decision_points():
    from bba.analysis.coordination import decision_points

    trace = Game("open", idle_agent("proagent", "changed")[0], "switching", 0, horizon=60).run()
    wait = next(tick for tick in trace.ticks[1:] if tick.decisions[0].note == WAITING)
    quiet = wait._replace(observer_gate=None)
    asked = quiet._replace(decisions=(quiet.decisions[0]._replace(note=""), quiet.decisions[1]))
    assert decision_points(step_arrays([quiet, asked]), ()).tolist() == [False, True]
