"""The rollout planner at play, with tiny networks: who is told what, reproducible games, and what it refuses."""

import numpy as np
import pytest

from bba.agents import SeatSpec, agent_like, load_agent
from bba.agents.skill_planner import PartnerBelief
from bba.belief import ROLE_OF_SKILL, ROLE_SKILLS, PartnerModel, hypothesis_space
from bba.bench.plan import plan_sweep
from bba.bench.presets import Sweep
from bba.config import BeliefConfig, FilterConfig, RolloutOptions
from bba.errors import BBAError
from bba.kitchen import Kitchen, constants
from bba.kitchen.layout import Layout
from bba.play import Game, Replay, record
from tests.helpers import tiny_policies

SMALL = RolloutOptions(futures=3, future_steps=8, candidates=3)
STEPS = 60


@pytest.fixture(scope="module")
def weights(tmp_path_factory):
    return tiny_policies.write(tmp_path_factory.mktemp("weights"), "planner")


@pytest.fixture(scope="module")
def options(weights):
    return SeatSpec(planner="rollout", weights=weights, rollout=SMALL)


def played(name, options, *, seat=0, steps=STEPS):
    agents = [load_agent("switching"), load_agent("switching")]
    agents[seat] = load_agent(name, options)
    return Game("open", *agents, seed=4, horizon=steps, fast=True).run()


def comparisons(trace, seat=0):
    found = [tick.decisions[seat].comparison for tick in trace.ticks]
    return [comparison for comparison in found if comparison is not None]


@pytest.mark.parametrize("seat", [0, 1])
def test_it_chooses_every_skill_in_either_seat(options, seat):
    trace = played("bayes", options, seat=seat)
    for tick in trace.ticks:
        decision = tick.decisions[seat]
        asked = decision.chosen and not decision.waiting
        assert asked == (decision.comparison is not None)
        assert decision.comparison is None or decision.comparison.chosen == decision.skill
        assert decision.calls == ()
    assert comparisons(trace, seat)


def test_the_same_seed_gives_the_same_game(options):
    first, second = played("bayes-commit", options), played("bayes-commit", options)
    assert [tick.decisions for tick in first.ticks] == [tick.decisions for tick in second.ticks]


@pytest.mark.parametrize(
    ("name", "told"), [("bayes", True), ("bayes-no-prompt", False), ("bayes-no-belief", False), ("proagent", False)]
)
def test_only_an_agent_that_shows_its_belief_tells_the_planner(options, name, told):
    for comparison in comparisons(played(name, options)):
        assert (len(comparison.partner) == constants.N_SKILLS) == told
        assert not told or sum(comparison.partner) == pytest.approx(1, abs=1e-4)


def test_a_belief_over_roles_is_shared_among_their_skills_by_the_network(options):
    trace = played("bayes", SeatSpec(**{**vars_of(options), "belief_changes": {"belief": "preprint"}}))
    decided = next(tick.decisions[0] for tick in trace.ticks if tick.decisions[0].comparison)
    by_role = np.zeros(6)
    for skill, probability in enumerate(decided.comparison.partner):
        if probability:
            by_role[ROLE_OF_SKILL[skill]] += probability
    assert len(decided.belief.posterior) == 6
    for role, probability in enumerate(decided.belief.posterior):
        assert by_role[role] in (pytest.approx(probability, abs=1e-5), 0)  # 0: none of its skills is feasible


def vars_of(options):
    return {name: getattr(options, name) for name in ("planner", "weights", "rollout")}


def test_a_role_is_shared_by_the_prior():
    kitchen = Kitchen("open")
    belief = PartnerModel(kitchen.grid, 1).observe(None, kitchen.state, mid_skill=False).belief
    prior = np.zeros(constants.N_SKILLS)
    first, second = ROLE_SKILLS[0][:2]
    prior[first], prior[second] = 0.3, 0.1
    shared = PartnerBelief(hypothesis_space("roles"), belief, 0.65).by_skill(prior)
    assert shared[first] == pytest.approx(3 * shared[second])
    assert shared.sum() == pytest.approx(1 / 6)


def test_its_defaults_are_a_belief_over_who_the_partner_is_and_the_responsive_gate(weights):
    given = SeatSpec(planner="rollout", weights=weights).beliefs
    assert (given.filter.psi, given.filter.prior, given.commitment.renewal) == ("skills", "propensities", "decision")
    changed = SeatSpec(planner="rollout", belief_changes={"belief": "preprint", "theta_obs": 0.1}).beliefs
    assert (changed.filter, changed.gate.theta_obs) == (FilterConfig(), 0.1)
    assert SeatSpec().beliefs == BeliefConfig()


def test_the_judge_interrupts_when_another_skill_beats_the_running_one(options):
    trace = played("llm-judge", options, steps=200)
    judged = [tick.decisions[0] for tick in trace.ticks if tick.decisions[0].comparison and not tick.ended[0]]
    assert all(decision.comparison.chosen == decision.skill for decision in judged)
    assert any(tick.decisions[0].replanned for tick in trace.ticks)


def test_its_profile_suffices_to_make_another_one_and_its_games_replay(options, weights):
    trace = played("bayes-commit", options)
    profile = trace.config.seats[0]
    assert (profile.planner, profile.rollout) == ("rollout", SMALL)
    assert agent_like(profile, SeatSpec(weights=weights)).profile == profile
    replayed = Replay(record(trace), fast=True)
    while not replayed.done:
        replayed.step()
    assert replayed.trace.ticks[-1].state.tolist() == trace.ticks[-1].state.tolist()


def test_what_it_cannot_do_is_refused_in_one_line(options, weights):
    with pytest.raises(BBAError, match="hypothetical-minds needs a planner that reads prompts"):
        load_agent("hypothetical-minds", options)
    with pytest.raises(
        BBAError, match=r"no weights for the layout ring, only for open; .*bba-tui train planner --layout FILE"
    ):
        Game("ring", load_agent("bayes", options), "switching")


def test_sweeps_name_the_planner_and_play_hypothetical_minds_with_the_scripted_one(weights):
    egos = [{"agent": name, "planner": "rollout"} for name in ("bayes", "hypothetical-minds")]
    sweep = Sweep(
        name="t", title="t", agents=["bayes", *egos], layouts=["open"], partners={"s": ["switching"]}, seeds=1
    )
    plan = plan_sweep(sweep, SeatSpec(weights=weights))
    assert [entry.label for entry in plan.entries] == [
        "bayes (scripted planner)",
        "bayes (rollout planner)",
        "hypothetical-minds (scripted planner)",
    ]
    first, second, _ = plan.episodes.values()
    assert first.weights == (None, None)
    assert second.weights[0] is not None


def test_a_kitchen_without_networks_is_left_out_of_a_sweep(weights):
    sweep = Sweep(
        name="t",
        title="t",
        agents=[{"agent": "bayes", "planner": "rollout"}],
        layouts=["open", "ring"],
        partners={"s": ["switching"]},
        seeds=1,
    )
    plan = plan_sweep(sweep, SeatSpec(weights=weights))
    assert plan.left_out == ["left out, no weights for ring: bayes (rollout planner)"]


def test_the_kitchen_of_the_networks_is_that_of_their_file(weights):
    from bba.agents.learned.weights import planning_networks

    assert planning_networks(Layout.load("open"), weights).layout == Layout.load("open")
