"""A cook that waits is asked again when something that it could act upon has changed, or in every step."""

from dataclasses import replace

import pytest

from bba.agents import Decision, EpisodeContext, Observation, Profile, SeatSpec, agent_like, load_agent
from bba.agents.base import THINKING, WAITING
from bba.agents.planning_agent import AGENT_VARIANTS, HYPOTHETICAL_MINDS, PlanningAgent
from bba.agents.skill_planner import PromptPlanner
from bba.agents.waiting import LONGEST_WAIT, WaitingRule
from bba.belief import NO_ROLE, ROLE_NAMES, StayModel
from bba.kitchen import Kitchen, Layout, constants
from bba.kitchen.constants import STEP
from bba.planner import LLMCall, Planner, Prompts, Reply, ScriptedBackend
from bba.play import Game, Replay, record
from bba.play.ticks import step_arrays
from tests.helpers.kitchen_states import find, give, put_item
from tests.helpers.planning_agents import planning_agent

STAY = LLMCall("plan", ("", ""), "14:STAY", skill=constants.SKILL_STAY)
FALLBACK = replace(STAY, response="", problem="no answer")
STEPS = 250
SERVE, PREP_RICE = ROLE_NAMES.index("serve"), ROLE_NAMES.index("prep_rice")
OPEN = Layout.load("open")
GRILL, OTHER_GRILL = (position for position, char in OPEN.tiles() if char == "G")
BOARD, COUNTER = find(OPEN, "B"), find(OPEN, "X")


def no_role():
    return NO_ROLE


class Idle(ScriptedBackend):
    """The scripted planner, but it always waits; it counts what it is asked."""

    def __init__(self):
        self.asked = 0

    def complete(self, messages):
        self.asked += 1
        return Reply("STAY")


def kitchen(step=60, **changes):
    """A kitchen with steak on a grill and a raw one on a board, in which `changes` of the state's numbers are made."""
    made = Kitchen(OPEN, 0)
    give(made, 1, constants.RICE)
    put_item(made, GRILL, constants.CHOPPED_MEAT, progress=30)
    put_item(made, BOARD, constants.MEAT, progress=1)
    made.state[STEP] = step
    for name, value in changes.items():
        made.state[getattr(constants, name)] = value
    return made


def seen(made):
    return Observation(0, OPEN, None, made.state, constants.NO_SKILL, 0, constants.RUNNING, False)


def rule_of(ask="changed"):
    rule = WaitingRule(ask)
    rule.reset(EpisodeContext(0, OPEN, 0, StayModel.NOISY, False))
    return rule


def waiting_since(asked_about, ask="changed", role=NO_ROLE):
    """The rule of a cook that waits since it was asked about this kitchen."""
    rule = rule_of(ask)
    rule.commit(Decision(constants.SKILL_STAY, chosen=True, calls=(STAY,)), seen(asked_about), lambda: role)
    return rule


def goes_on(rule, now, role=NO_ROLE):
    return rule.decision(seen(now), lambda: role) is not None


def with_item(position, item, progress=0, step=61):
    made = kitchen(step)
    put_item(made, position, item, progress)
    return made


@pytest.mark.parametrize(
    "now",
    [
        kitchen(60 + LONGEST_WAIT - 1),
        kitchen(61, FACING=constants.EAST),
        with_item(GRILL, constants.CHOPPED_MEAT, OPEN.timing.cooking - 1),
        with_item(BOARD, constants.MEAT, OPEN.timing.chops - 1),
        kitchen(61, TIME_LEFT=5),
    ],
    ids=["a clock", "directions", "the time of cooking", "chops", "the time of orders"],
)
def test_what_does_not_count(now):
    assert goes_on(waiting_since(kitchen()), now)


@pytest.mark.parametrize(
    "now",
    [
        kitchen(61, HELD=constants.RICE),
        with_item(GRILL, constants.CHOPPED_MEAT, OPEN.timing.cooking),
        with_item(GRILL, constants.CHOPPED_MUSHROOM, 30),
        with_item(BOARD, constants.MEAT, OPEN.timing.chops),
        with_item(OTHER_GRILL, constants.CHOPPED_MEAT),
        with_item(GRILL, constants.NOTHING),
        with_item(COUNTER, constants.RICE),
        kitchen(61, DIRTY_PLATES=3),
        kitchen(61, DISH=1),
        kitchen(61, N_ORDERS=3),
        kitchen(60 + LONGEST_WAIT),
    ],
    ids=["held", "state", "item", "chopped", "place", "gone", "lies", "plates", "dish", "orders", "too long"],
)
def test_what_counts(now):
    assert not goes_on(waiting_since(kitchen()), now)


def test_what_the_partner_holds_and_its_likely_role_count():
    now = kitchen(61)
    give(now, 1, constants.NOTHING)
    assert not goes_on(waiting_since(kitchen()), now)
    assert goes_on(waiting_since(kitchen(), role=SERVE), kitchen(61), SERVE)
    for role in (PREP_RICE, NO_ROLE):
        assert not goes_on(waiting_since(kitchen(), role=SERVE), kitchen(61), role)
    assert not goes_on(waiting_since(kitchen()), kitchen(61), SERVE)


def test_always_asks_a_fallback_is_asked_again_and_whatever_else_is_done_is_no_wait():
    here = kitchen()
    assert not goes_on(waiting_since(here, "always"), here)
    for decision in (
        Decision(constants.SKILL_STAY, chosen=True, calls=(FALLBACK,)),
        Decision(constants.CHOP),
        Decision(constants.CHOP, chosen=True, calls=(replace(STAY, skill=constants.CHOP),)),
    ):
        rule = waiting_since(here)
        rule.commit(decision, seen(here), no_role)
        assert not goes_on(rule, here)


def test_a_late_answer_is_compared_with_what_was_asked():
    asked, arrived, rule = kitchen(), with_item(GRILL, constants.CHOPPED_MEAT, OPEN.timing.cooking, 70), rule_of()
    rule.commit(Decision(constants.SKILL_STAY, chosen=True, note=THINKING), seen(asked), no_role)
    rule.commit(Decision(constants.SKILL_STAY, chosen=True, calls=(STAY,)), seen(arrived), no_role)
    assert not goes_on(rule, arrived), "the food became ready while the planner was thinking"
    assert goes_on(rule, asked)


def test_after_a_dropped_answer_the_next_question_counts():
    old, new, rule = kitchen(), with_item(GRILL, constants.NOTHING, step=70), rule_of()
    rule.commit(Decision(constants.SKILL_STAY, chosen=True, note=THINKING), seen(old), no_role)
    rule.commit(Decision(constants.SKILL_STAY, chosen=True, note=THINKING, calls=(STAY.dropped(),)), seen(new), no_role)
    rule.commit(Decision(constants.SKILL_STAY, chosen=True, calls=(STAY,)), seen(new), no_role)
    assert goes_on(rule, new)


def test_a_copy_waits_for_itself():
    rule = waiting_since(kitchen())
    other = rule.copy()
    other.commit(Decision(constants.CHOP, chosen=True), seen(kitchen()), no_role)
    assert goes_on(rule, kitchen(61))
    assert not goes_on(other, kitchen(61))


def idle_agent(name, ask):
    backend = Idle()
    return planning_agent(name, backend, ask=ask), backend


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ["proagent", "bayes", HYPOTHETICAL_MINDS.name])
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


def shown(observation, role):
    """What a waiting cook could act upon, by the scene as people see it."""
    scene = observation.scene()
    return (
        observation.feasible(),
        [player.held for player in scene.players],
        [order.dish for order in scene.orders],
        [(item.name, item.position, item.state) for item in scene.objects],
        scene.dirty_plates,
        role,
    )


@pytest.mark.thorough
@pytest.mark.parametrize(("layout", "seed"), [("ring", 3), ("forced_coordination", 1)])
def test_between_two_questions_nothing_that_counts_has_changed(layout, seed):
    situations, told = [], []

    class Watched(PlanningAgent):
        def commit(self, observation, decision):
            super().commit(observation, decision)
            situations.append(shown(observation, self._partner_role()))
            told.append(decision.plan is not None)

    planner = PromptPlanner(Planner(Idle(), Prompts.load(), kind="bayes"), "idle")
    Game(layout, Watched(AGENT_VARIANTS["bayes"], planner), "switching", seed, horizon=STEPS).run()
    since = 0
    for step in range(1, STEPS):
        assert told[step] == (situations[step] != situations[since] or step - since == LONGEST_WAIT)
        since = step if told[step] else since


@pytest.mark.thorough
def test_a_recording_of_a_game_with_waits_says_when_its_agents_are_asked():
    trace = Game("ring", load_agent("bayes", SeatSpec(ask="changed")), "switching", 0, horizon=300).run()
    assert any(tick.decisions[0].waiting for tick in trace.ticks)
    again = Replay(record(trace))
    assert again.trace.config.seats[0].ask == "changed"
    assert again.trace.config.seats[1].effective_ask is None


def test_a_profile_of_before_the_option_asks_always():
    old = Profile("proagent", "scripted")
    assert (old.effective_ask, Profile("switching").effective_ask) == ("always", None)
    assert agent_like(old).profile.ask == "always"
    assert agent_like(replace(old, ask="changed"), SeatSpec(ask="always")).profile.ask == "changed"


def test_waits_are_no_decision_points():
    from bba.analysis.coordination import decision_points

    trace = Game("open", idle_agent("proagent", "changed")[0], "switching", 0, horizon=60).run()
    wait = next(tick for tick in trace.ticks[1:] if tick.decisions[0].note == WAITING)
    quiet = wait._replace(observer_gate=None)
    asked = quiet._replace(decisions=(quiet.decisions[0]._replace(note=""), quiet.decisions[1]))
    assert decision_points(step_arrays([quiet, asked])).tolist() == [False, True]
