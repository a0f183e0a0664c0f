import pytest

from bba.belief import CONDITIONS, BeliefUpdate, Gate
from bba.config import GateConfig

CONTRADICTED = BeliefUpdate(
    prior_map=0,
    prior_confidence=0.8,
    prior_stable_updates=5,
    contradiction_likelihood=0.001,
    likelihood_ratios=(0.1,),
    posterior=(0.8, 0.04, 0.04, 0.04, 0.04, 0.04),
    map_index=0,
    stable_updates=6,
    new_segment=False,
)


def test_the_gate_opens_when_all_five_conditions_hold():
    result = Gate.of(GateConfig()).evaluate(CONTRADICTED, mid_skill=True)
    assert result.opens
    assert result.blocked_by is None
    assert result.contradiction_likelihood == CONTRADICTED.contradiction_likelihood


@pytest.mark.parametrize(
    ("condition", "belief", "mid_skill"),
    [
        ("contradiction", CONTRADICTED._replace(contradiction_likelihood=0.04), True),
        ("stable", CONTRADICTED._replace(prior_stable_updates=2), True),
        ("confident", CONTRADICTED._replace(prior_confidence=0.64), True),
        ("mid_skill", CONTRADICTED, False),
    ],
)
def test_each_condition_alone_keeps_it_shut_and_is_named(condition, belief, mid_skill):
    result = Gate.of(GateConfig()).evaluate(belief, mid_skill=mid_skill)
    assert not result.opens
    assert result.blocked_by == condition
    assert [name for name in CONDITIONS if not getattr(result, name)] == [condition]


def test_the_bounds_themselves_are_stable_and_confident_but_no_contradiction():
    edge = CONTRADICTED._replace(prior_stable_updates=3, prior_confidence=0.65, contradiction_likelihood=0.0399)
    assert Gate.of(GateConfig()).evaluate(edge, mid_skill=True).opens


@pytest.mark.parametrize("cooldown", [0, 1, 6])
def test_after_a_replan_the_gate_stays_shut_for_the_cooldown(cooldown):
    gate = Gate.of(GateConfig(cooldown=cooldown))
    opened = [gate.evaluate(CONTRADICTED, mid_skill=True).opens for _ in range(2 * cooldown + 2)]
    assert opened == ([True] + [False] * cooldown) * 2
