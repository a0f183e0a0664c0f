"""The scoring rule on games of a few steps, each scored by hand with a word why."""

import math
from dataclasses import replace

import numpy as np
import pytest

from bba.agents import SeatSpec, load_agent
from bba.analysis import coordination, measure
from bba.belief import BeliefUpdate, likeliest
from bba.kitchen import Skill
from bba.play import EGO, PARTNER, Game
from bba.play.ticks import Ticks, role_posteriors, step_arrays
from bba.play.trajectory import OBSERVER_SEAT
from tests.helpers.traces import FILL, PLATES, PROTEIN, RICE, tick, trace

OUT, WAIT, BIN = Skill.GO_TO_PUT_OUT_FIRE, Skill.STAY, Skill.GO_TO_TRASH_AND_THROW
EXTINGUISHER, CHARCOAL = Skill.GRAB_FIRE_EXT, Skill.GRAB_CHARCOAL
BOIL, SERVE, PUT_DOWN = Skill.GO_TO_POT_AND_BOIL_RICE, Skill.GO_TO_SERVE_DISH, Skill.PUT_DOWN_OBJECT


def chooses(ego, partner, **more):
    return tick(ego, partner, chosen=True, **more)


def contradicted(ego, partner, **more):
    return tick(ego, partner, contradiction=True, **more)


# The observer believes in prep_protein (0) if nothing else is said.
CASES = [
    # --- gap rate: of the ego's decision points
    ("a complement of a known role is no gap", "gap_rate", [chooses(RICE, PROTEIN)], 0.0),
    ("the same role is a gap", "gap_rate", [chooses(PROTEIN, PROTEIN)], 1.0),
    ("so is a role that does not complement", "gap_rate", [chooses(SERVE, PROTEIN)], 1.0),
    ("serving complements assembling", "gap_rate", [chooses(SERVE, FILL, believed=3)], 0.0),
    ("putting down is a role, and no complement", "gap_rate", [chooses(PUT_DOWN, PROTEIN)], 1.0),
    ("an ego that waits is not scored", "gap_rate", [chooses(WAIT, PROTEIN)], None),
    ("nor one that puts out a fire", "gap_rate", [chooses(OUT, PROTEIN), chooses(RICE, PROTEIN)], 0.0),
    ("nor one that throws away", "gap_rate", [chooses(BIN, PROTEIN), chooses(PROTEIN, PROTEIN)], 1.0),
    ("nor one that gets the extinguisher", "gap_rate", [chooses(EXTINGUISHER, PROTEIN)], None),
    ("nor one that clears charcoal", "gap_rate", [chooses(CHARCOAL, PROTEIN)], None),
    ("a partner that waits has no role to believe in", "gap_rate", [chooses(RICE, WAIT)], None),
    ("a wrong belief is no gap between belief and action", "gap_rate", [chooses(PROTEIN, PROTEIN, believed=2)], None),
    ("going on with a skill is no decision point", "gap_rate", [tick(PROTEIN, PROTEIN)], None),
    ("nor is a contradiction", "gap_rate", [contradicted(PROTEIN, PROTEIN), chooses(RICE, PROTEIN)], 0.0),
    (
        "nor is the partner's switch",
        "gap_rate",
        [*[tick(RICE, PROTEIN)] * 10, *[tick(PLATES, PLATES, believed=2)] * 10, chooses(RICE, PLATES, believed=2)],
        0.0,
    ),
    (
        "one gap of the two that are scored",
        "gap_rate",
        [chooses(RICE, PROTEIN), chooses(PROTEIN, PROTEIN), chooses(WAIT, PROTEIN), chooses(PROTEIN, BIN)],
        0.5,
    ),
    (
        "the confident one alone",
        "gap_rate_confident",
        [chooses(RICE, PROTEIN, sure=0.5), chooses(PROTEIN, PROTEIN, sure=0.9)],
        1.0,
    ),
    ("by rule 1 a waiting ego was a gap", "gap_rate_all_points", [chooses(WAIT, PROTEIN)], 1.0),
    (
        "and a contradiction a point",
        "gap_rate_all_points",
        [contradicted(PROTEIN, PROTEIN), chooses(RICE, PROTEIN)],
        0.5,
    ),
    # --- Comp@3: of the contradictions
    ("at once", "comp_at_3", [contradicted(RICE, PROTEIN)], 1.0),
    ("in the third step", "comp_at_3", [contradicted(PROTEIN, PROTEIN), tick(WAIT, PROTEIN), tick(RICE, PROTEIN)], 1.0),
    (
        "in the fourth step is too late",
        "comp_at_3",
        [contradicted(PROTEIN, PROTEIN), *[tick(PROTEIN, PROTEIN)] * 2, tick(RICE, PROTEIN)],
        0.0,
    ),
    (
        "an ego at a fire for all three is not scored",
        "comp_at_3",
        [contradicted(OUT, PROTEIN), *[tick(OUT, RICE)] * 2],
        None,
    ),
    ("nor beside a partner that waits for all three", "comp_at_3", [contradicted(RICE, WAIT)], None),
    (
        "one scored step is enough",
        "comp_at_3",
        [contradicted(WAIT, PROTEIN), tick(PROTEIN, PROTEIN), tick(WAIT, PROTEIN)],
        0.0,
    ),
    ("by rule 1 that at the fire was none", "comp_at_3_all_points", [contradicted(OUT, PROTEIN)], 0.0),
    # --- duplicates: of the scored steps
    ("the same skill", "duplicate_rate", [tick(RICE, RICE), tick(RICE, PROTEIN)], 0.5),
    ("another skill of the same role is none", "duplicate_rate", [tick(BOIL, RICE)], 0.0),
    ("both wait: not scored", "duplicate_rate", [tick(WAIT, WAIT), tick(RICE, RICE)], 1.0),
    ("the ego waits: not scored", "duplicate_rate", [tick(WAIT, RICE), tick(RICE, RICE)], 1.0),
    ("by role both are the same", "same_role_rate", [tick(BOIL, RICE), tick(WAIT, RICE)], 0.5),
    # --- recovery from a contradiction
    ("complemented at once", "contradiction_recovery", [contradicted(RICE, PROTEIN)], 0.0),
    (
        "after two steps, a wait among them",
        "contradiction_recovery",
        [contradicted(PROTEIN, PROTEIN), tick(WAIT, PROTEIN), tick(RICE, PROTEIN)],
        2.0,
    ),
    (
        "contradictions in a row are one",
        "contradiction_recovery",
        [*[contradicted(PROTEIN, PROTEIN)] * 3, tick(RICE, PROTEIN)],
        3.0,
    ),
    (
        "never: two steps until the next, two until the end",
        "contradiction_recovery",
        [contradicted(PROTEIN, PROTEIN), tick(PROTEIN, PROTEIN), contradicted(PROTEIN, PROTEIN), tick(WAIT, PROTEIN)],
        2.0,
    ),
    ("no step is scored", "contradiction_recovery", [contradicted(OUT, PROTEIN), tick(OUT, PROTEIN)], None),
    ("no contradiction", "contradiction_recovery", [tick(RICE, PROTEIN)], None),
]


@pytest.mark.parametrize(("why", "name", "ticks", "score"), CASES, ids=[f"{name}: {why}" for why, name, _, _ in CASES])
def test_the_score_is_that_by_hand(why, name, ticks, score):
    assert measure(trace(*ticks))[name] == score, why


# --- the ego's own belief ----------------------------------------------------------------------------------------
def believing(each, posterior):
    """The same step of an ego that has this belief."""
    belief = BeliefUpdate(0, 0.5, 9, 0.5, (0.5,), tuple(posterior), likeliest(posterior), 9, False)
    return each._replace(decisions=(each.decisions[0]._replace(belief=belief), each.decisions[1]))


def sure_of(role, probability=0.95):
    posterior = [(1 - probability) / 5] * 6
    posterior[role] = probability
    return posterior


def test_the_own_belief_is_scored_by_itself_whatever_the_observer_believes():
    right = [believing(tick(RICE, PLATES, believed=0), sure_of(2)) for _ in range(4)]
    found = measure(trace(*right))
    assert (found["skill_accuracy"], found["belief_accuracy"]) == (0.0, 1.0)
    assert found["belief_log_loss"] == pytest.approx(-math.log(0.95))
    assert found["observer_log_loss"] == pytest.approx(-math.log(0.02))
    assert found["belief_calibration"] == pytest.approx(0.05)
    assert found["observer_calibration"] == pytest.approx(0.9)


def test_an_ego_without_a_belief_has_none():
    found = measure(trace(tick(RICE, PLATES), believing(tick(RICE, PLATES), sure_of(2))))
    names = ("belief_accuracy", "belief_log_loss", "belief_calibration")
    assert [found[name] for name in names] == [None] * 3, "one step without a belief"
    game = Game("open", "proagent", "switching", 0, horizon=40, fast=True).run()
    assert [measure(game)[name] for name in names] == [None] * 3


def test_no_step_with_a_true_role_is_nothing_to_count():
    found = measure(trace(believing(tick(RICE, WAIT), sure_of(2))))
    assert (found["belief_log_loss"], found["observer_calibration"]) == (None, None)


def test_a_belief_that_is_sure_of_the_least_likely_role_scores_badly():
    game = Game("open", "bayes", "switching", 3, horizon=300, fast=True).run()
    ticks = []
    for each in game.ticks:
        least = min(range(6), key=each.decisions[EGO].belief.posterior.__getitem__)
        ticks.append(believing(each, [float(role == least) for role in range(6)]))
    honest, perverse = measure(game), measure(replace(game, ticks=ticks))
    assert perverse["skill_accuracy"] == honest["skill_accuracy"] > 0.6, "the observer's is the same"
    assert perverse["belief_accuracy"] < 0.1 < honest["belief_accuracy"]
    assert honest["belief_log_loss"] < 1 < -math.log(coordination.LEAST_BELIEF) * 0.9 < perverse["belief_log_loss"]
    assert math.isfinite(perverse["belief_log_loss"])
    assert honest["belief_calibration"] < 0.3 < 0.9 < perverse["belief_calibration"]


@pytest.mark.parametrize("psi", ["roles", "skills"])
def test_beliefs_are_the_same_however_the_steps_are_kept(psi):
    options = SeatSpec(belief_changes={"psi": psi})
    game = Game("open", load_agent("bayes", options), "proagent", 1, horizon=600, fast=True).run()
    decoded = list(game.ticks)
    packed = Ticks(decoded)
    assert len(packed.parts) > 1
    for watcher in (EGO, PARTNER, OBSERVER_SEAT):
        found = role_posteriors(game.ticks, watcher)
        assert found.shape == (600, 6)
        assert np.isnan(found).all() == (watcher == PARTNER)
        for other in (decoded, packed):
            np.testing.assert_array_equal(role_posteriors(other, watcher), found)
    assert measure(replace(game, ticks=decoded)) == measure(game)


def test_a_game_of_agents_that_are_asked_in_every_step_has_its_beliefs_too():
    game = Game("open", load_agent("bayes"), "bp:G1-1+locked", 1, horizon=60, fast=False).run()
    decoded = list(game.ticks)
    for watcher in (EGO, OBSERVER_SEAT):
        np.testing.assert_array_equal(role_posteriors(game.ticks, watcher), role_posteriors(decoded, watcher))
    assert coordination.own_tally(game).steps == int(coordination.has_true_role(step_arrays(decoded)).sum())
