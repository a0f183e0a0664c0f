"""An oracle in the place of the filter: its belief is what the partner really does."""

from dataclasses import replace

import pytest

from bba.agents import Profile, SeatSpec, agent_like, load_agent
from bba.agents.learned.weights import planning_networks
from bba.analysis.trace_table import rows
from bba.belief.partner_types import ADAPTS, BY_PROPENSITY, LOCKED, LOCKED_DRAWN, ROLE_FIRST
from bba.belief.roles import NO_ROLE, ROLE_OF_SKILL
from bba.config import BeliefConfig, FilterConfig, GateConfig, RolloutOptions
from bba.errors import BBAError
from bba.kitchen import constants
from bba.kitchen.constants import NO_SKILL
from bba.planner import BehaviourNetwork
from bba.planner.rollout.skill_comparison import SkillComparer
from bba.play import Game, Replay, fork, record
from bba.play.oracle import OracleModel, Truth
from bba.play.recording_io import pack, unpack
from benchmarks.oracle import oracle_game
from tests.helpers.forks import same, told_fork

CHOP, SERVE, WAIT = constants.CHOP, constants.SERVE, constants.SKILL_STAY
TRACE = Game("open", "proagent", "switching").trace
CONTEXT, STATE = TRACE.config.context(0, fast=False), TRACE.start


def told(*skills, config=None, mid_skill=True):
    """What an oracle says when the partner runs these skills, step by step."""
    given = iter(skills)
    model = OracleModel(CONTEXT, config or BeliefConfig(), lambda _: next(given))
    return [model.observe(STATE, STATE, mid_skill=mid_skill) for _ in skills], model


def test_the_belief_is_the_role_of_what_the_partner_does_and_lasts_while_it_waits():
    found, _ = told(constants.NO_SKILL, CHOP, WAIT, SERVE, constants.PUT_OUT_FIRE)
    beliefs = [update.belief for update in found]
    assert beliefs[0].posterior == (1 / 6,) * 6
    expected = [ROLE_OF_SKILL[skill] for skill in (CHOP, CHOP, SERVE, SERVE)]
    assert [belief.map_index for belief in beliefs[1:]] == expected
    assert all(belief.confidence == 1.0 and sum(belief.posterior) == 1.0 for belief in beliefs[1:])
    assert [belief.stable_updates for belief in beliefs[1:]] == [1, 2, 1, 2]


def test_it_can_be_over_skills():
    found, model = told(CHOP, config=BeliefConfig(filter=FilterConfig(psi="skills")))
    assert model.hypotheses.names[found[0].belief.map_index] == constants.SKILL_NAMES[CHOP]
    assert len(found[0].belief.posterior) == 22


def test_the_gate_opens_at_true_changes_only_as_far_as_its_parameters_let_it():
    skills = [CHOP] * 6 + [SERVE] * 7 + [CHOP] * 3 + [SERVE]
    opens = [update.gate.opens for update in told(*skills)[0]]
    assert [step for step, opened in enumerate(opens) if opened] == [6, 13]
    strict = BeliefConfig(gate=GateConfig(stability=8))
    assert not any(update.gate.opens for update in told(*skills, config=strict)[0])
    assert not any(update.gate.opens for update in told(*skills, mid_skill=False)[0])


def test_the_commitment_gate_opens_one_step_after_what_the_ego_knew_at_its_decision_is_over():
    skills = [CHOP, CHOP, SERVE, SERVE]
    given = iter(skills)
    model = OracleModel(CONTEXT, BeliefConfig(), lambda _: next(given))
    opens = []
    for step in range(len(skills)):
        opens.append(model.observe(STATE, STATE, mid_skill=True).commitment_gate.opens)
        if step == 0:
            model.remember()
    assert opens == [False, False, True, False]


def test_the_first_step_has_no_gate():
    model = OracleModel(CONTEXT, BeliefConfig(), lambda _: constants.NO_SKILL)
    assert model.observe(None, STATE, mid_skill=True)[1] is None


def test_copies_are_independent_and_parameters_can_change_but_not_its_hypotheses():
    _, model = told(CHOP, CHOP)
    other = model.copy()
    other._truth = lambda _: SERVE
    other.observe(STATE, STATE, mid_skill=True)
    assert (model._known, other._known) == (ROLE_OF_SKILL[CHOP], ROLE_OF_SKILL[SERVE])
    model.reconfigure(BeliefConfig(gate=GateConfig(cooldown=1)))
    assert model.belief_config.gate.cooldown == 1
    with pytest.raises(BBAError, match="psi: a belief over roles cannot go on over skills"):
        model.reconfigure(BeliefConfig(filter=FilterConfig(psi="skills")))


@pytest.mark.thorough
@pytest.mark.parametrize("seat", [0, 1])
def test_a_game_with_an_oracle_tells_its_ego_what_the_trace_says_of_the_partner(seat):
    names = ("bayes", "switching") if seat == 0 else ("switching", "bayes")
    options = SeatSpec()
    if seat == 0:
        trace = oracle_game("open", *names, 3, options, horizon=300).run()
        known = NO_ROLE
        for before, tick in zip(trace.ticks, trace.ticks[1:], strict=False):
            known = before.role(1) if before.role(1) != NO_ROLE else known
            assert tick.decisions[0].belief.map_index == max(known, 0)
        assert any("MAP role" in call.question for tick in trace.ticks for call in tick.decisions[0].calls)
    else:
        trace = oracle_game("open", *names, 3, options, horizon=100).run()
        assert trace.ticks[-1].decisions[1].belief.confidence < 1.0, "only the ego is told"


# --- what it leaves behind ---------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def believed():
    return Game("open", "bayes-commit", "switching", 5, horizon=160).run()


@pytest.fixture(scope="module")
def told_game(believed):
    """The game, but from step 101 on its ego is told the truth."""
    game = told_fork(believed, 100)
    game.run()
    return game.trace


def replayed(trace):
    return Replay(unpack(pack(record(trace)), "it")).run()


def test_profile_name_and_table_say_who_is_told_the_truth(believed, told_game):
    assert [told_game.config_at(step).labels[0] for step in (100, 101)] == [
        "bayes-commit",
        "bayes-commit (told the truth)",
    ]
    assert [row["p0_oracle"] for row in rows(told_game, [100, 101])] == [False, True]
    assert [row["p1_oracle"] for row in rows(told_game, [101])] == [False]
    assert oracle_game("open", "bayes", "switching").trace.config.seats[0].oracle
    assert not oracle_game("open", "proagent", "switching").trace.config.seats[0].oracle, "it has no belief"
    assert believed.config.labels == believed.config.agents


def test_a_recording_says_it_and_tells_the_truth_again(told_game):
    again = replayed(told_game)
    assert all(map(same, again.ticks, told_game.ticks))
    assert again.changes == told_game.changes
    assert {tick.decisions[0].belief.confidence for tick in again.ticks[100:]} == {1.0}


def test_a_game_that_was_told_the_truth_from_the_start_replays_too():
    trace = oracle_game("open", "bayes", "bayes", 3, horizon=120).run()
    assert all(map(same, replayed(trace).ticks, trace.ticks))


def test_a_fork_goes_on_with_the_truth_or_goes_back_to_the_belief(believed, told_game):
    assert all(map(same, fork(told_game, 130).run().ticks, told_game.ticks))
    back = fork(told_game, 130, believed.config.seats).run()
    assert back.ticks[130].decisions[0].belief.confidence < 1
    assert all(map(same, replayed(back).ticks, back.ticks))


def test_without_its_game_nothing_tells_such_an_agent_the_truth():
    with pytest.raises(BBAError, match="bayes: was told the truth of its game; only a fork of that can go on"):
        agent_like(Profile("bayes", "scripted", BeliefConfig(), oracle=True))


# --- what a belief over who the partner is is told ---------------------------------------------------------------


@pytest.mark.parametrize("partner", ["switching", "switching+locked", "bp:G1-1+locked"])
def test_the_role_that_is_told_is_the_scheduled_one_now_and_from_now_on(partner):
    trace = Game("open", "proagent", partner, 5, horizon=400, fast=True).run()
    told, context = Truth(trace), trace.config.context(0, fast=True)
    states = [trace.start, *(tick.state for tick in trace.ticks)]
    scheduled = [tick.decisions[1].scheduled_role for tick in trace.ticks]
    for played in (0, 1, 90, 200, 399):
        known = told.known(context, 1, "policy", states[played])
        assert known.role == scheduled[played]
        for steps, role in known.schedule:
            if 0 <= played + steps < 400:
                assert scheduled[played + steps] == role
        assert known.skill == (trace.ticks[played - 1].skills[1] if played else NO_SKILL)


@pytest.mark.parametrize(
    ("partner", "choosers", "exactly"),
    [
        ("switching", {ADAPTS, ROLE_FIRST}, ROLE_FIRST),
        ("switching+locked", {LOCKED, LOCKED_DRAWN}, LOCKED),
        ("bp:G1-1", {ADAPTS, ROLE_FIRST}, ADAPTS),
        ("bp:G1-1+locked", {LOCKED, LOCKED_DRAWN}, LOCKED_DRAWN),
    ],
)
def test_the_rule_that_is_told_is_the_partners(partner, choosers, exactly):
    trace = Game("open", "proagent", partner, 5, horizon=20, fast=True).run()
    context, state = trace.config.context(0, fast=True), trace.ticks[9].state
    rule, policy, role = (Truth(trace).known(context, 1, knows, state) for knows in ("rule", "policy", "role"))
    assert (set(rule.choosers), rule.role, rule.skill) == (choosers, None, None)
    assert policy.choosers == (exactly,)
    assert (role.choosers, role.skill, role.schedule) == (None, None, ())
    assert role.role == trace.ticks[9].decisions[1].scheduled_role or partner == "bp:G1-1"


def test_a_partner_from_nothing_is_not_said_to_adapt_only():
    trace = Game("open", "proagent", "scratch:G1-1", 5, horizon=20, fast=True).run()
    context, state = trace.config.context(0, fast=True), trace.ticks[9].state
    rule, policy = (Truth(trace).known(context, 1, knows, state).choosers for knows in ("rule", "policy"))
    assert set(rule) == {ADAPTS, ROLE_FIRST, BY_PROPENSITY}
    assert set(policy) == {ADAPTS, BY_PROPENSITY}


@pytest.fixture(scope="module")
def told_in_turn():
    """A game of the scripted planner with a belief over types, told the rule from step 5, the role from 9."""
    ego = load_agent("bayes", SeatSpec(belief_changes={"belief": "types"}))
    game = Game("open", ego, "switching", 5, horizon=12)
    trace = game.run()
    for step, knows in ((4, "rule"), (8, "role")):
        ego, partner = trace.config_at(step + 1).seats
        trace = fork(trace, step, (replace(ego, oracle=knows), partner)).run()
    return trace


def test_a_game_that_was_told_the_rule_and_then_the_role_says_so_and_replays(told_in_turn):
    labels = [told_in_turn.config_at(step).labels[0] for step in (4, 5, 9)]
    assert labels == ["bayes", "bayes (told the rule)", "bayes (told the role)"]
    assert [row["p0_oracle"] for row in rows(told_in_turn, [4, 9])] == [False, True]
    again = replayed(told_in_turn)
    assert all(map(same, again.ticks, told_in_turn.ticks))
    assert again.changes == told_in_turn.changes


def test_a_belief_that_has_no_rules_cannot_be_told_one():
    with pytest.raises(BBAError, match="rule: only a belief over who the partner is can be told it"):
        Truth().model_of("rule", CONTEXT, BeliefConfig())


def test_an_oracle_of_the_rollout_planner_is_told_who_its_partner_is():
    options = SeatSpec(planner="rollout", rollout=RolloutOptions(futures=8, future_steps=20))
    game = oracle_game("open", "bayes-commit", "switching+locked", 5, options, horizon=60)
    trace = game.run()
    joint, types = game.agents[0].types.joint, game.agents[0].types.types
    role = trace.ticks[-1].decisions[1].scheduled_role
    assert joint[(types.choosers == LOCKED) & (types.roles == role)].sum() == pytest.approx(1)


def test_of_a_partner_from_nothing_the_policy_itself_is_told():
    trace = Game("open", "proagent", "scratch:G1-1", 5, horizon=60, fast=True).run()
    belief_config = BeliefConfig(filter=FilterConfig(psi="skills", prior="propensities"))
    model = Truth(trace).model_of("policy", trace.config.context(0, fast=True), belief_config)
    believed = model.types.propensities
    networks = replace(planning_networks(trace.config.layout), population=believed.population)
    network = BehaviourNetwork(networks, fast=True)
    model.observe(None, trace.start, mid_skill=False)
    before = trace.start
    policies = 0
    for tick in trace.ticks:
        decision = tick.decisions[1]
        if decision.chosen and decision.policy is not None:
            expected = network.choices_of_types(before, believed.weights, 1)[-1]
            assert expected == pytest.approx(decision.policy.probabilities, abs=0.011)
            policies += 1
        model.observe(before, tick.state, mid_skill=True)
        before = tick.state
        assert model.types.joint[model.types.types.choosers != BY_PROPENSITY].sum() == 0
    assert policies > 3


def test_futures_draw_the_choices_of_the_network_that_a_belief_names():
    trace = Game("open", "proagent", "scratch:G2-2", 5, horizon=60, fast=True).run()
    networks = planning_networks(trace.config.layout)
    context = trace.config.context(0, fast=True)
    belief_config = BeliefConfig(filter=FilterConfig(psi="skills", prior="propensities"))
    model = Truth(trace).model_of("policy", context, belief_config)
    model.observe(None, trace.start, mid_skill=False)
    types = model.types
    comparer = SkillComparer(networks, RolloutOptions(futures=8, future_steps=60), timeout=100, fast=True)
    by_policy = comparer.compare(trace.start, 0, NO_SKILL, 0, types, 7)
    types.propensities.population = networks.population  # all else is the same
    by_population = comparer.compare(trace.start, 0, NO_SKILL, 0, types, 7)
    assert by_policy.partner == by_population.partner
    assert by_policy.options != by_population.options
    assert comparer.compare(trace.start, 0, NO_SKILL, 0, types, 7) == by_population


def test_a_game_of_an_ego_that_is_told_a_policy_replays():
    ego = SeatSpec(
        "bayes-value",
        planner="rollout",
        rollout=RolloutOptions(futures=8, future_steps=30),
        belief_changes={"belief": "propensities"},
        knows="policy",
    )
    told_game = Game("open", ego, "scratch:G2-2", 5, horizon=60, fast=True)
    again = replayed(told_game.run())
    assert all(map(same, again.ticks, told_game.trace.ticks))
