"""The example in one file runs, and its belief and gate are those of the engine on the same observations."""

import runpy
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from bba.belief import Gate, PartnerModel
from bba.belief.likelihood import exclude_infeasible
from bba.config import GateConfig
from bba.kitchen.constants import EVENT
from bba.kitchen.layout import grid_of
from bba.play import Game

PARTNER = 1
FILE = Path(__file__).parents[2] / "examples" / "the_idea.py"


@pytest.fixture(scope="module")
def idea():
    return runpy.run_path(str(FILE))


def test_it_shows_a_replan_that_changes_what_the_ego_does(capsys):
    runpy.run_path(str(FILE), run_name="__main__")
    lines = capsys.readouterr().out.splitlines()
    (replanned,) = [number for number, line in enumerate(lines) if "replans" in line]
    assert lines[replanned - 1].endswith("chooses: meat")
    assert lines[replanned].endswith(": rice")
    assert "meat 0.86" in lines[replanned]
    assert "burritos were served" in lines[-1]


def test_it_is_short_and_needs_numpy_only():
    source = FILE.read_text(encoding="utf-8")
    assert source.count("\n") <= 300
    assert {line.split()[1] for line in source.splitlines() if line.startswith(("import ", "from "))} == {
        "collections",
        "typing",
        "numpy",
    }


@pytest.mark.parametrize(("layout", "seed"), [("open", 4), ("ring", 1), ("forced_coordination", 2)])
def test_its_belief_and_its_gate_are_those_of_the_engine(idea, layout, seed):
    trace = Game(layout, "bayes", "switching", seed, horizon=400).run()
    grid, states = grid_of(trace.config.layout), [trace.start, *(tick.state for tick in trace.ticks)]
    engine, gate = PartnerModel(grid, PARTNER), Gate.of(GateConfig())
    roles = len(engine.state.filter.posterior)
    belief, own_gate = idea["Belief"](roles), idea["Gate"]()
    opened = segments = 0
    for step, (before, after) in enumerate(pairwise(states)):
        u, confidence, mid_skill = belief.u, belief.b[belief.map], step % 7 > 0
        update = engine.observe(before, after, mid_skill=False).belief
        ell = belief.contradiction(np.array(update.relative_likelihoods))
        assert ell == pytest.approx(update.contradiction_likelihood, abs=1e-12)
        assert (u, confidence) == (update.prior_stable_updates, pytest.approx(update.prior_confidence, abs=1e-12))
        opens = gate.evaluate(update, mid_skill=mid_skill).opens
        assert own_gate.opens(ell, u, confidence, mid_skill=mid_skill) == opens
        opened += opens
        belief.correct(engine.state.filter.scratch.likelihood.copy() if not update.new_segment else np.ones(roles))
        if update.new_segment:
            segments += 1
            weight, state = np.full(roles, 1 / roles), engine.state.filter
            exclude_infeasible(*(grid, after, PARTNER, state.hypothesis_of_skill, state.params, state.scratch), weight)
            completed = int(state.hypothesis_of_skill[after[EVENT + PARTNER]])
            belief.complete(completed, weight) if completed >= 0 else belief.begin_segment(weight)
        assert belief.b == pytest.approx(update.posterior, abs=1e-12)
        assert belief.map == update.map_index
    assert segments > 5
    assert opened > 0
