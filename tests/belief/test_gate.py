import pytest

from bba.belief import CONDITIONS, BeliefUpdate, Gate, GateConfig

SUSPICIOUS = BeliefUpdate(
    prior_map=0,
    prior_confidence=0.8,
    prior_commitment=5,
    contradiction_likelihood=0.001,
    likelihood_ratios=(0.1,),
    posterior=(0.8, 0.04, 0.04, 0.04, 0.04, 0.04),
    map_index=0,
    commitment=6,
    new_segment=False,
)


def test_the_gate_opens_when_all_five_conditions_hold():
    reading = Gate(GateConfig()).read(SUSPICIOUS, mid_skill=True)
    assert reading.opens
    assert reading.blocked_by is None
    assert reading.contradiction_likelihood == SUSPICIOUS.contradiction_likelihood


@pytest.mark.parametrize(
    ("condition", "belief", "mid_skill"),
    [
        ("contradiction", SUSPICIOUS._replace(contradiction_likelihood=0.04), True),
        ("stable", SUSPICIOUS._replace(prior_commitment=2), True),
        ("confident", SUSPICIOUS._replace(prior_confidence=0.64), True),
        ("mid_skill", SUSPICIOUS, False),
    ],
)
def test_each_condition_alone_keeps_it_shut_and_is_named(condition, belief, mid_skill):
    reading = Gate(GateConfig()).read(belief, mid_skill=mid_skill)
    assert not reading.opens
    assert reading.blocked_by == condition
    assert [name for name in CONDITIONS if not getattr(reading, name)] == [condition]


def test_the_bounds_themselves_are_stable_and_confident_but_no_contradiction():
    edge = SUSPICIOUS._replace(prior_commitment=3, prior_confidence=0.65, contradiction_likelihood=0.0399)
    assert Gate(GateConfig()).read(edge, mid_skill=True).opens


@pytest.mark.parametrize("cooldown", [0, 1, 6])
def test_after_a_replan_the_gate_stays_shut_for_the_cooldown(cooldown):
    gate = Gate(GateConfig(cooldown=cooldown))
    opened = [gate.read(SUSPICIOUS, mid_skill=True).opens for _ in range(2 * cooldown + 2)]
    assert opened == ([True] + [False] * cooldown) * 2
