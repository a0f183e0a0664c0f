import pytest

from bba.agents import SeatSpec, load_agent
from bba.config import BeliefConfig, FilterConfig, GateConfig
from bba.errors import BBAError
from bba.kitchen import constants
from bba.planner import ScriptedBackend
from bba.play import Game
from tests.helpers.planning_agents import planning_agent

STEPS = 400
EAGER = BeliefConfig(gate=GateConfig(theta_obs=0.5, gamma_conf=0.0, stability=0, cooldown=0))


class Listening(ScriptedBackend):
    """The scripted planner, which also keeps what it was asked."""

    def __init__(self):
        super().__init__()
        self.asked = []

    def complete(self, messages):
        self.asked.append([dict(message) for message in messages])
        return super().complete(messages)


def played(name, partner="switching", belief_config=None, steps=STEPS, seed=0):
    backend = Listening()
    agent = planning_agent(name, backend, belief_config=belief_config)
    return Game("open", agent, partner, seed, horizon=steps).run(), backend


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "told", "gated", "has_belief"),
    [
        ("bayes", True, True, True),
        ("bayes-no-prompt", False, True, True),
        ("bayes-no-replan", True, False, True),
        ("bayes-no-belief", False, False, False),
        ("proagent", False, False, False),
    ],
)
def test_each_variant_has_the_parts_that_its_name_says(name, told, gated, has_belief):
    trace, backend = played(name, belief_config=EAGER)
    decisions = [tick.decisions[0] for tick in trace.ticks]
    assert any("TEAMMATE BELIEF" in asked[-1]["content"] for asked in backend.asked) == told
    assert any(decision.replanned for decision in decisions) == gated
    assert (decisions[-1].belief is not None) == has_belief
    assert (trace.config.belief_config is not None) == has_belief


def test_only_the_system_prompt_of_the_bayes_family_asks_for_three_lines():
    _, bayes = played("bayes", steps=30)
    _, base = played("proagent", steps=30)
    assert 'Plan for Player 0: "' in bayes.asked[0][0]["content"]
    assert "Plan for Player" not in base.asked[0][0]["content"]


@pytest.mark.thorough
def test_the_planner_is_asked_only_without_a_skill_or_on_a_replan():
    trace, backend = played("bayes", belief_config=EAGER)
    chosen = [tick for tick in trace.ticks if tick.decisions[0].chosen and not tick.decisions[0].waiting]
    assert len(chosen) == len(backend.asked)
    for tick in trace.ticks[1:]:
        decision = tick.decisions[0]
        assert decision.replanned == (decision.gate is not None and decision.gate.opens)
        assert decision.chosen == (tick.ended[0] is not None)
        assert (tick.ended[0] == constants.INTERRUPTED) == decision.replanned


@pytest.mark.thorough
def test_at_most_the_last_three_turns_are_sent_along():
    _, backend = played("bayes")
    assert max(len(asked) for asked in backend.asked) == 1 + 2 * 3 + 1
    assert [message["role"] for message in backend.asked[-1]] == ["system", *["user", "assistant"] * 3, "user"]


def test_the_filter_over_skills_still_gives_the_planner_roles():
    trace, backend = played("bayes", belief_config=BeliefConfig(filter=FilterConfig(psi="skills")), steps=120)
    assert len(trace.ticks[-1].decisions[0].belief.posterior) == 22
    assert "prep_protein:" in backend.asked[-1][-1]["content"]


@pytest.mark.thorough
def test_a_gate_with_theta_zero_never_opens_and_one_without_demands_opens_more_often():
    shut, _ = played("bayes", belief_config=BeliefConfig(gate=GateConfig(theta_obs=0.0)))
    eager, _ = played("bayes", belief_config=EAGER)
    replans = [sum(tick.decisions[0].replanned for tick in trace.ticks) for trace in (shut, eager)]
    assert replans[0] == 0 < replans[1]


def test_unknown_names_are_answered_with_the_nearest_known_ones():
    with pytest.raises(BBAError, match=r"no agent named 'byes'; the nearest is bayes; --list names all$"):
        load_agent("byes")
    with pytest.raises(BBAError, match="no planner named 'oracle'; there are scripted, openai, litellm, "):
        load_agent("bayes", SeatSpec(planner="oracle"))
