"""The reading `preprint`: every formula as the preprint has it, against a slow reference; and each of its options."""

import numpy as np
import pytest

from bba.agents import SeatSpec, load_agent
from bba.config import NAMED_GROUPS, BeliefConfig
from bba.kitchen import constants, grid_of
from bba.play import Game, Replay, Trace, load, record, save
from tests.helpers.belief_filter import act, kitchen, watch, watcher
from tests.helpers.slow_belief import slow_steps

LAYOUTS = ("open", "ring", "forced_coordination")
EXACT = {"rel": 0, "abs": 1e-12}


@pytest.fixture
def played(tmp_path):
    """Returns a game as its recording replays it."""

    def replayed(layout: str, partner: str, seed: int, **settings) -> Trace:
        ego = load_agent("bayes", SeatSpec(belief_changes={"reading": "preprint"} | settings))
        game = Game(layout, ego, partner, seed, horizon=600, fast=True)
        save(record(game.run()), tmp_path / "game.bba")
        return Replay(load(tmp_path / "game.bba"), fast=True).run()

    return replayed


def check(trace: Trace, **how: bool) -> None:
    """Holds every step of a trace against the slow reference, to 1e-12."""
    states = [trace.start, *(tick.state for tick in trace.ticks[:-1])]
    decisions = [tick.decisions[0] for tick in trace.ticks[1:]]
    slow = slow_steps(grid_of(trace.config.layout), states, [one.gate.mid_skill for one in decisions], **how)
    cooldown = 0
    for decision, expected in zip(decisions, slow, strict=True):
        belief, gate = decision.belief, decision.gate
        assert gate.contradiction_likelihood == pytest.approx(expected.likelihood, **EXACT)
        assert belief.prior_stable_updates == expected.commitment
        assert tuple(gate[:5]) == expected.conditions
        assert decision.replanned == gate.opens
        cooldown = 6 if gate.opens else max(cooldown - 1, 0)
        assert cooldown == expected.left
        assert belief.posterior == pytest.approx(expected.belief, **EXACT)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    ("partner", "seed"),
    [
        ("switching", 0),
        pytest.param("switching", 1, marks=pytest.mark.thorough),
        ("bp:G1-1", 0),
        pytest.param("bp:G1-1", 1, marks=pytest.mark.thorough),
    ],
)
def test_the_reading_of_the_preprint_is_its_equations(played, layout, partner, seed):
    check(played(layout, partner, seed))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_weight_of_put_downs_can_be_a_factor(played, layout):
    check(played(layout, "switching", 0, support_as="factor"), exponent=False)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_posterior_can_be_capped_to_the_last_actions(played, layout):
    check(played(layout, "switching", 0, posterior_actions="window"), window=True)


def test_a_segment_can_begin_with_the_prior_as_it_is():
    made = kitchen(ego=(1, 5), partner=(5, 1))
    first, *_ = watch(watcher(made, infeasible="kept"), act(made, constants.INTERACT))
    assert first.new_segment
    assert first.posterior == pytest.approx(np.array([1, 1, 2, 1, 1, 1]) / 7)


def test_factors_of_another_kind_reach_back_to_before_the_change():
    made = kitchen(ego=(1, 5), partner=(7, 2), held=constants.DIRTY_PLATE)
    rows = act(made, constants.EAST, constants.WEST, constants.WEST, constants.EAST)
    absolute = BeliefConfig.of({"contradiction_factors": "absolute"})
    changed, always = watcher(made), watcher(made, contradiction_factors="absolute")
    watch(changed, rows[:-1])
    changed.reconfigure(absolute)
    last = watch(changed, rows[-2:])[0]
    assert last.likelihood_ratios == watch(always, rows)[-1].likelihood_ratios
    assert last.likelihood_ratios[0] < 1.0  # relative, the first step towards the sink is as likely as any


def test_the_last_actions_of_a_long_segment_never_make_a_belief_of_nothing():
    made = kitchen(ego=(1, 5), partner=(1, 2), held=constants.DIRTY_PLATE)
    rows = act(made, *[constants.NORTH, constants.SOUTH] * 400)
    model = watcher(made, posterior_actions="window", window=1000, epsilon=0.001, floor=0.0)
    assert all(sum(one.posterior) == pytest.approx(1.0) for one in watch(model, rows))


def test_what_is_given_beside_the_reading_counts():
    assert BeliefConfig.of({"reading": "preprint", "floor": 0.1}).filter.floor == 0.1
    assert BeliefConfig.of({"reading": "ours"}) == BeliefConfig()


def test_the_reading_counts_before_a_planners_own_belief():
    found = BeliefConfig.for_planner("rollout", {"reading": "preprint"})
    own = BeliefConfig.for_planner("rollout", {})
    assert found.values == own.values | NAMED_GROUPS["reading"]["preprint"]
