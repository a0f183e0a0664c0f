"""An oracle in the place of the filter: its belief is what the partner really does."""

import pytest

from bba.agents import AgentOptions
from bba.analysis.oracle import oracle_game
from bba.belief import BeliefConfig, FilterConfig, GateConfig
from bba.belief.oracle import OracleModel
from bba.belief.roles import NO_ROLE, ROLE_OF_SKILL
from bba.errors import BBAError
from bba.kitchen import constants
from bba.play import Game

CHOP, SERVE, WAIT = constants.CHOP, constants.SERVE, constants.SKILL_STAY
STATE = Game("open", "proagent", "switching").trace.start


def told(*skills, config=None, mid_skill=True):
    """What an oracle says when the partner runs these skills, step by step."""
    given = iter(skills)
    model = OracleModel(config or BeliefConfig(), lambda _: next(given))
    return [model.observe(STATE, STATE, mid_skill=mid_skill) for _ in skills], model


def test_the_belief_is_the_role_of_what_the_partner_does_and_lasts_while_it_waits():
    found, _ = told(constants.NO_SKILL, CHOP, WAIT, SERVE, constants.PUT_OUT_FIRE)
    beliefs = [update.belief for update in found]
    assert beliefs[0].posterior == (1 / 6,) * 6
    expected = [ROLE_OF_SKILL[skill] for skill in (CHOP, CHOP, SERVE, SERVE)]
    assert [belief.map_index for belief in beliefs[1:]] == expected
    assert all(belief.confidence == 1.0 and sum(belief.posterior) == 1.0 for belief in beliefs[1:])
    assert [belief.commitment for belief in beliefs[1:]] == [0, 1, 0, 1]


def test_it_can_be_over_skills():
    found, model = told(CHOP, config=BeliefConfig(filter=FilterConfig(psi="skills")))
    assert model.hypotheses.names[found[0].belief.map_index] == constants.SKILL_NAMES[CHOP]
    assert len(found[0].belief.posterior) == 22


def test_the_gate_opens_at_true_changes_only_as_far_as_its_parameters_let_it():
    skills = [CHOP] * 6 + [SERVE] * 7 + [CHOP] * 3 + [SERVE]
    opens = [update.gate.opens for update in told(*skills)[0]]
    assert [step for step, opened in enumerate(opens) if opened] == [6, 13]
    strict = BeliefConfig(gate=GateConfig(stability=7))
    assert not any(update.gate.opens for update in told(*skills, config=strict)[0])
    assert not any(update.gate.opens for update in told(*skills, mid_skill=False)[0])


def test_the_commitment_gate_opens_one_step_after_what_the_ego_knew_at_its_decision_is_over():
    skills = [CHOP, CHOP, SERVE, SERVE]
    given = iter(skills)
    model = OracleModel(BeliefConfig(), lambda _: next(given))
    opens = []
    for step in range(len(skills)):
        opens.append(model.observe(STATE, STATE, mid_skill=True).commitment.opens)
        if step == 0:
            model.remember()
    assert opens == [False, False, True, False]


def test_the_first_step_has_no_gate():
    model = OracleModel(BeliefConfig(), lambda _: constants.NO_SKILL)
    assert model.observe(None, STATE, mid_skill=True)[1] is None


def test_copies_are_independent_and_parameters_can_change_but_not_its_hypotheses():
    _, model = told(CHOP, CHOP)
    other = model.copy()
    other._truth = lambda _: SERVE
    other.observe(STATE, STATE, mid_skill=True)
    assert (model._known, other._known) == (ROLE_OF_SKILL[CHOP], ROLE_OF_SKILL[SERVE])
    model.reconfigure(BeliefConfig(gate=GateConfig(cooldown=1)))
    assert model.belief_config.gate.cooldown == 1
    with pytest.raises(BBAError, match="hypotheses"):
        model.reconfigure(BeliefConfig(filter=FilterConfig(psi="skills")))


@pytest.mark.parametrize("seat", [0, 1])
def test_a_game_with_an_oracle_tells_its_ego_what_the_trace_says_of_the_partner(seat):
    names = ("bayes", "switching") if seat == 0 else ("switching", "bayes")
    options = AgentOptions()
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
