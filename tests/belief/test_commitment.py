"""The commitment gate: its statistic against a slow reference, its conditions, and what renews what it remembers."""

from copy import deepcopy
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bba.agents import SeatSpec, load_agent
from bba.belief import (
    COMMITMENT_GATE_CONDITIONS,
    NOTHING_REMEMBERED,
    ROLE_NAMES,
    BeliefUpdate,
    CommitmentGate,
    hypothesis_space,
)
from bba.belief.filter import filter_params
from bba.belief.likelihood import likelihoods, new_scratch
from bba.belief.roles import STAGE_PASS
from bba.config import BeliefConfig, CommitmentConfig, FilterConfig
from bba.kitchen.layout import grid_of
from bba.play import Game

ROLES = hypothesis_space("roles")
EVEN = (0.5,) * 6


def belief(best: int, confidence: float = 0.8, likelihood=EVEN, *, new_segment=False) -> BeliefUpdate:
    """A belief whose MAP is `best`, after an action with these relative likelihoods."""
    posterior = [(1 - confidence) / 5] * 6
    posterior[best] = confidence
    return BeliefUpdate(0, 0.8, 5, 1.0, (), tuple(posterior), best, 6, new_segment, tuple(likelihood))


def favours(best: int, times: float = 10.0) -> tuple[float, ...]:
    """The relative likelihoods of an action that is so many times likelier under one hypothesis than under the rest."""
    return tuple(1.0 if hypothesis == best else 1.0 / times for hypothesis in range(6))


def gate(**settings) -> CommitmentGate:
    """A gate that remembers hypothesis 0."""
    made = CommitmentGate.of(CommitmentConfig(**settings), ROLES)
    made.remember(belief(0))
    return made


def test_it_opens_when_the_actions_are_told_apart_from_what_was_believed():
    one = gate(commitment_ratio=4.0)
    first, second = (one.evaluate(belief(2, likelihood=favours(2)), mid_skill=True) for _ in range(2))
    assert (first.ratio, second.ratio) == (pytest.approx(log(10)), pytest.approx(2 * log(10)))
    assert (first.opens, first.blocked_by) == (False, "told_apart")
    assert (second.opens, second.blocked_by, second.remembered, second.age) == (True, None, 0, 2)
    bound = gate(commitment_ratio=first.ratio).evaluate(belief(2, likelihood=favours(2)), mid_skill=True)
    assert bound.opens


@pytest.mark.parametrize(
    ("condition", "now", "mid_skill"),
    [
        ("told_apart", belief(2, likelihood=favours(2, 2.0)), True),
        ("confident", belief(2, 0.3, favours(2, 100.0)), True),
        ("mid_skill", belief(2, likelihood=favours(2, 100.0)), False),
    ],
)
def test_each_condition_alone_keeps_it_shut_and_is_named(condition, now, mid_skill):
    result = gate().evaluate(now, mid_skill=mid_skill)
    assert [name for name in COMMITMENT_GATE_CONDITIONS if not getattr(result, name)] == [condition]
    assert result.blocked_by == condition


def test_agreement_does_not_have_to_be_outweighed():
    one = gate()
    for _ in range(50):
        assert one.evaluate(belief(0, likelihood=favours(0)), mid_skill=True).ratio == 0.0
    assert one.evaluate(belief(2, likelihood=favours(2, 20.0)), mid_skill=True).opens


def test_the_actions_of_the_remembered_hypothesis_and_of_passing_are_never_told_apart():
    assert gate(commitment_ratio=0.0).evaluate(belief(0), mid_skill=True).blocked_by == "told_apart"
    passing = gate(commitment_ratio=0.1).evaluate(belief(STAGE_PASS, likelihood=favours(STAGE_PASS)), mid_skill=True)
    assert (passing.ratio, passing.blocked_by) == (0.0, "told_apart")


def test_a_belief_that_is_not_confident_is_not_remembered():
    one = gate()
    one.remember(belief(0, 0.34))
    result = one.evaluate(belief(2, likelihood=favours(2, 1000.0)), mid_skill=True)
    assert (result.remembered, result.ratio, result.told_apart) == (NOTHING_REMEMBERED, 0.0, False)


@pytest.mark.parametrize("cooldown", [0, 1, 6])
def test_after_a_replan_it_stays_shut_for_the_cooldown(cooldown):
    one, opened = gate(commitment_cooldown=cooldown), []
    for step in range(2 * cooldown + 2):
        opened.append(one.evaluate(belief(2, likelihood=favours(2, 1000.0)), mid_skill=True).opens)
        one.remember(belief(0))
        assert step or opened[0]
    assert opened == ([True] + [False] * cooldown) * 2


def test_an_opening_renews_what_is_remembered():
    one = gate()
    assert one.evaluate(belief(2, likelihood=favours(2, 1000.0)), mid_skill=True).opens
    after = one.evaluate(belief(2), mid_skill=True)
    assert (after.remembered, after.ratio, after.age) == (2, 0.0, 1)


@pytest.mark.parametrize(("renewal", "remembered", "age"), [("completion", 3, 1), ("decision", 0, 2)])
def test_a_completion_renews_it_or_not_and_the_completing_action_counts(renewal, remembered, age):
    one = gate(renewal=renewal)
    one.evaluate(belief(0), mid_skill=True)
    result = one.evaluate(belief(3, likelihood=favours(1), new_segment=True), mid_skill=True)
    assert (result.remembered, result.age) == (remembered, age)
    assert one.evaluate(belief(1), mid_skill=True).ratio == pytest.approx(log(10))


ACTIONS = st.tuples(
    st.integers(0, 5),
    st.floats(0.17, 1.0),
    st.lists(st.floats(0.01, 1.0), min_size=6, max_size=6).map(tuple),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)


@given(
    actions=st.lists(ACTIONS, max_size=40),
    ratio=st.floats(0, 5),
    confidence=st.floats(0, 1),
    cooldown=st.integers(0, 8),
    renewal=st.sampled_from(("completion", "decision")),
)
def test_whatever_happens_its_bounds_hold(actions, ratio, confidence, cooldown, renewal):
    one = CommitmentGate.of(
        CommitmentConfig(
            commitment_ratio=ratio, commitment_conf=confidence, commitment_cooldown=cooldown, renewal=renewal
        ),
        ROLES,
    )
    last, just_decided = None, False
    for step, (best, probability, likelihood, completed, mid_skill, decides) in enumerate(actions):
        now = belief(best, probability, likelihood, new_segment=completed)
        result = one.evaluate(now, mid_skill=mid_skill)
        assert result.ratio >= 0.0
        assert not just_decided or result.age == 1
        assert result.remembered != NOTHING_REMEMBERED or result.ratio == 0.0
        if result.opens:
            assert last is None or step - last > cooldown
            assert mid_skill
            assert now.confidence >= confidence
            assert result.ratio >= ratio
            assert result.remembered != best
            last = step
        if decides:
            one.remember(now)
        just_decided = decides


# --- in play ----------------------------------------------------------------------------------------------------
def slow_ratios(trace, psi: str, config: CommitmentConfig):
    """Λ, the remembered hypothesis and its age, step by step: every span of actions is summed up anew."""
    space, states = hypothesis_space(psi), [trace.start, *(tick.state for tick in trace.ticks)]
    params = filter_params(FilterConfig(psi=psi), trace.config.context(0, fast=False).partner_stay_model)
    remembered, since, evidence = NOTHING_REMEMBERED, 0, []
    for step, tick in enumerate(trace.ticks):
        decision = tick.decisions[0]
        now = decision.belief
        if step:
            scratch, relative = new_scratch(len(space.names)), np.empty(len(space.names))
            grid = grid_of(trace.config.layout)
            likelihoods(grid, states[step - 1], states[step], 1, space.hypothesis_of_skill, params, scratch, relative)
            if now.new_segment and config.renewal == "completion":
                remembered, since = (
                    (now.map_index if now.confidence >= config.commitment_conf else NOTHING_REMEMBERED),
                    len(evidence),
                )
            evidence.append(np.log(relative))
            spans = [
                sum(action[now.map_index] - action[remembered] for action in evidence[start:])
                for start in range(since, len(evidence))
            ]
            known = remembered != NOTHING_REMEMBERED and space.roles[now.map_index] != STAGE_PASS
            yield (max(0.0, *spans) if known else 0.0), remembered, len(evidence) - since
        if decision.chosen or (step and decision.commitment_gate.opens):
            remembered, since = (
                (now.map_index if now.confidence >= config.commitment_conf else NOTHING_REMEMBERED),
                len(evidence),
            )


@pytest.mark.thorough
@pytest.mark.parametrize("psi", ["roles", "skills"])
@pytest.mark.parametrize("renewal", ["completion", "decision"])
def test_in_play_its_quantities_are_those_of_the_slow_reference(psi, renewal):
    config = BeliefConfig(
        filter=FilterConfig(psi=psi),
        commitment=CommitmentConfig(renewal=renewal, commitment_ratio=1.5, commitment_conf=0.15, commitment_cooldown=2),
    )
    ego = load_agent("bayes-commit", SeatSpec(belief_config=config))
    trace = Game("ring", ego, "switching", 21, horizon=250).run()
    results = [tick.decisions[0].commitment_gate for tick in trace.ticks]
    assert results[0] is None
    expected = list(slow_ratios(trace, psi, config.commitment))
    assert [(one.remembered, one.age) for one in results[1:]] == [(remembered, age) for _, remembered, age in expected]
    assert [one.ratio for one in results[1:]] == pytest.approx([ratio for ratio, _, _ in expected], abs=1e-9)
    opened = [one is not None and one.opens for one in results]
    assert opened == [tick.decisions[0].replanned for tick in trace.ticks]
    assert any(opened)


@pytest.mark.thorough
def test_both_gates_are_read_whichever_decides():
    game = Game("open", "bayes", "switching", 20, horizon=400)
    trace = game.run()
    watched = [tick for tick in trace.ticks[1:] if tick.decisions[0].commitment_gate.opens]
    assert watched
    assert all(not tick.decisions[0].replanned or tick.decisions[0].gate.opens for tick in trace.ticks[1:])
    assert any(not tick.decisions[0].replanned for tick in watched)


def test_the_observer_remembers_at_the_decisions_of_an_ego_without_a_belief():
    trace = Game("open", "proagent", "switching", 20, horizon=200).run()
    assert trace.ticks[0].observer_commitment_gate is None
    for before, tick in zip(trace.ticks[1:], trace.ticks[2:], strict=False):
        assert tick.decisions[0].commitment_gate is None
        renewed = before.decisions[0].chosen or before.observer_commitment_gate.opens or tick.observer.new_segment
        assert tick.observer_commitment_gate.age == (1 if renewed else before.observer_commitment_gate.age + 1)
    assert {tick.observer_commitment_gate.remembered for tick in trace.ticks[1:]} > {NOTHING_REMEMBERED}


def test_a_copy_and_the_original_go_on_apart():
    one = gate()
    one.evaluate(belief(2, likelihood=favours(2, 2.0)), mid_skill=True)
    other = deepcopy(one)
    one.evaluate(belief(2, likelihood=favours(2, 3.0)), mid_skill=True)
    assert other.evaluate(belief(2), mid_skill=True).ratio == pytest.approx(log(2))


def test_the_numbers_of_the_preprints_filter_and_gate_stay_what_they_are():
    """The relative likelihoods are the factors of ℓ, seen for all hypotheses."""
    trace = Game("open", "bayes", "switching", 20, horizon=150).run()
    for tick in trace.ticks[1:]:
        now = tick.decisions[0].belief
        assert len(now.relative_likelihoods) == len(ROLE_NAMES)
        assert now.relative_likelihoods[now.prior_map] == now.likelihood_ratios[-1]


def test_other_parameters_count_from_the_next_step_on_and_what_is_remembered_stays():
    game = Game("open", "bayes-commit", "switching", 20, horizon=60)
    for _ in range(30):
        game.step()
    before = game.trace.ticks[-1].decisions[0].commitment_gate
    config = game.trace.config.belief_config
    game.reconfigure(0, config.changed({"renewal": "decision", "commitment_cooldown": 0, "commitment_ratio": 1000.0}))
    after = game.step().decisions[0].commitment_gate
    assert (after.remembered, after.age) == (before.remembered, before.age + 1)
    assert not after.told_apart
