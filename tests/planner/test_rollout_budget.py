"""A budget in milliseconds: as many futures as fit; such a game says so, its recording replays, sweeps refuse it."""

import itertools
import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from bba.agents import SeatSpec, load_agent
from bba.bench.plan import plan_sweep
from bba.bench.runner import run_sweep
from bba.config import RolloutOptions
from bba.errors import BBAError
from bba.kitchen import Kitchen
from bba.kitchen.constants import NO_SKILL
from bba.planner import SkillComparer
from bba.planner.rollout import skill_comparison
from bba.planner.rollout.skill_comparison import ROUND
from bba.play import Game, Replay, record
from bba.play.recording_io import pack, unpack
from bba.report.appendix import command_of
from tests.helpers import tiny_policies
from tests.helpers.command_line import run
from tests.helpers.forks import same
from tests.helpers.tiny_sweeps import episodes, sweep


@pytest.fixture(scope="module")
def weights(tmp_path_factory):
    return tiny_policies.write(tmp_path_factory.mktemp("weights"), "planner")


def comparison(budget_ms, key=5):
    """Of skills at the start of a game, with a clock that advances by a millisecond when it is looked at."""
    options = RolloutOptions(future_steps=5, candidates=2, budget_ms=budget_ms)
    comparer = SkillComparer(tiny_policies.planning_networks(), options, timeout=30, fast=True)
    return comparer.compare(Kitchen("open", 0).state, 0, NO_SKILL, 0, None, key)


@pytest.fixture
def clock(monkeypatch):
    """A clock that advances by a millisecond when it is looked at."""
    ticks = itertools.count()
    monkeypatch.setattr(skill_comparison, "time", SimpleNamespace(perf_counter=lambda: next(ticks) / 1000))


@pytest.mark.usefixtures("clock")
def test_rounds_of_futures_are_played_until_another_one_would_not_fit():
    # The clock is looked at when the budget begins, before the rounds, and after each: a round takes a millisecond.
    assert [comparison(budget).futures // ROUND for budget in (0.5, 2.5, 5.5, 20.5)] == [1, 1, 4, 19]


@pytest.mark.usefixtures("clock")
def test_every_round_has_futures_of_its_own():
    one, two = comparison(0.5), comparison(3.5)
    assert (one.futures, two.futures) == (ROUND, 2 * ROUND)
    values = [[option.value for option in found.options] for found in (one, two)]
    second = 2 * np.array(values[1]) - values[0]  # the mean of the second round alone
    assert not np.allclose(second, values[0])


@pytest.mark.usefixtures("clock")
def test_the_same_number_of_rounds_gives_the_same_comparison():
    assert comparison(9.5) == comparison(9.5)
    assert comparison(9.5, key=6) != comparison(9.5)


# --- such a game says so ---------------------------------------------------------------------------------------
def budgeted(steps=60):
    rollout = RolloutOptions(future_steps=5, candidates=2, budget_ms=0.5)
    ego = load_agent("bayes-commit", SeatSpec(planner="rollout", rollout=rollout))
    return Game("open", ego, "switching", 3, horizon=steps, fast=True)


def test_its_profile_says_so_and_its_recording_replays_exactly():
    trace = budgeted().run()
    assert trace.config.seats[0].rollout.budget_ms == 0.5
    assert not trace.config.repeatable
    assert trace.config.seed_label == "seed 3, not repeatable"
    stored = unpack(pack(record(trace)), "it")
    assert stored.config == trace.config
    again = Replay(stored, fast=True).run()
    assert all(map(same, again.ticks, trace.ticks))
    assert any(tick.decisions[0].comparison for tick in again.ticks)
    assert Game("open", "bayes", "switching", 3).trace.config.repeatable


def test_the_summary_says_so(capsys, weights):
    rollout = ["--planner", "rollout", "--future-steps", "5", "--candidates", "2", "--weights", str(weights)]
    arguments = ["--headless", "--horizon", "20", "--seed", "3", *rollout]
    _, out, _ = run(capsys, *arguments, "--budget-ms", "0.5")
    assert "seed 3 (not repeatable: a decision takes 0.5 ms), 20 steps" in out
    _, out, _ = run(capsys, *arguments, "--budget-ms", "0.5", "--json")
    assert json.loads(out)["repeatable"] is False
    _, out, _ = run(capsys, *arguments, "--json")
    assert "repeatable" not in json.loads(out)


@pytest.mark.parametrize("budget", ["0", "-1", "x"])
def test_a_budget_is_a_number_above_zero(capsys, budget):
    code, _, err = run(capsys, "--headless", "--planner", "rollout", f"--budget-ms={budget}")
    assert (code, err.count("\n")) == (2, 1)
    assert err.startswith("bba-tui: --budget-ms")


def test_sweeps_refuse_it_in_one_line(capsys, tmp_path, weights, monkeypatch):
    monkeypatch.chdir(tmp_path)
    options = SeatSpec(planner="rollout", weights=weights, rollout=RolloutOptions(budget_ms=5))
    said = "budget-ms: not in benchmarks, whose results could not be repeated"
    with pytest.raises(BBAError, match=said):
        plan_sweep(sweep(), options)
    with pytest.raises(BBAError, match=said):
        run_sweep(sweep(), tmp_path / "out", options)
    code, _, err = run(capsys, "--headless", "--sweep", "quick", "--planner", "rollout", "--budget-ms", "5")
    assert (code, err) == (2, f"bba-tui: {said}; take futures\n")
    assert not list(tmp_path.rglob("*.sqlite"))


def test_no_command_plays_such_an_episode_again():
    (episode,) = episodes(agents=[{"agent": "bayes", "planner": "rollout"}], seeds=1)
    assert command_of(episode) is not None
    ego, partner = episode.seats
    ego = replace(ego, rollout=RolloutOptions(budget_ms=5))
    assert command_of(episode.model_copy(update={"seats": (ego, partner)})) is None
