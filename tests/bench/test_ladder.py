"""The ladder beside partners from nothing: whose games are pairs, and how games take their places in its table."""

import numpy as np
import pytest

from bba.agents import SeatSpec
from bba.bench.episode import play as play_episode
from bba.bench.plan import plan_sweep
from bba.bench.presets import load_sweep
from bba.bench.results_reader import load_results
from bba.bench.results_store import ResultsStore
from bba.kitchen import N_SKILLS
from bba.play import Game
from benchmarks.ladder import RUNGS, TOLD_SEAT, figure, leads, play, rows_of, share_of_oracle, tell
from benchmarks.propensities import FEWEST, Choice, fitted_propensities, misses_needed, opportunities, refusals


def row(ego: str, reward: int, *, partner: str = "scratch:G1-1", seed: int = 1, layout: str = "open") -> dict[str, str]:
    return {"layout": layout, "partner": partner, "seed": str(seed), "ego": ego, "reward": str(reward)}


def all_rungs(**place: object) -> list[dict[str, str]]:
    return [row(ego, 100 * number, **place) for number, ego in enumerate(("nothing", *RUNGS))]


def test_a_lead_is_over_the_game_of_the_same_place_beside_a_partner_from_nothing():
    rows = [
        *all_rungs(seed=1),
        *all_rungs(seed=2),
        row("prior", 5000, seed=3),  # without a game of who knows nothing
        *all_rungs(seed=1, partner="bp:G1-1"),
        *all_rungs(seed=1, layout="ring"),
    ]
    found = leads(rows, "open")
    for number, rung in enumerate(RUNGS, 1):
        assert [(value.seed, value.value) for value in found[rung]] == [(1, 100 * number), (2, 100 * number)]


def test_a_rung_that_nobody_has_played_is_left_out():
    rows = [each for each in all_rungs() if each["ego"] != "true role"]
    assert list(leads(rows, "open")) == [rung for rung in RUNGS if rung != "true role"]


def test_the_share_is_of_the_oracles_lead_in_the_games_of_both():
    rows = [*all_rungs(seed=1), *all_rungs(seed=2), row("nothing", 0, seed=3), row("true policy", 9000, seed=3)]
    assert share_of_oracle(leads(rows, "open")) == pytest.approx((4 / 6,) * 3)


def test_games_of_the_sweep_take_their_places_in_the_table(tmp_path):
    shipped = load_sweep("propensities")
    chosen = [ego for ego in shipped.agents if ego.planner == "scripted" or ego.name == "nothing"]
    few = {"agents": chosen, "layouts": ["ring"], "partners": {"adaptive": ["switching"]}, "horizon": 12, "seeds": 1}
    plan = plan_sweep(shipped.changed(few), SeatSpec())
    with ResultsStore(tmp_path) as store:
        store.register(plan.sweep.name, plan.sweep.model_dump_json(), plan.entries)
        for episode in plan.episodes.values():
            store.save(episode, play_episode(episode, SeatSpec()))
    place = {"layout": "ring", "partner": "switching", "seed": "240", "reward": "0"}
    found = {row["ego"]: row for row in rows_of([load_results(tmp_path)])}
    assert found == {ego.name: place | {"ego": ego.name} for ego in chosen}


def test_the_figure_has_a_panel_a_kitchen():
    drawn = figure(
        [row for layout in ("open", "ring") for seed in (1, 2) for row in all_rungs(layout=layout, seed=seed)]
    )
    assert "open, partners from nothing" in drawn
    assert "ring, partners from nothing" in drawn


def test_the_propensities_are_found_of_a_policy_that_differs_from_the_population_by_nothing_else():
    random = np.random.default_rng(0)
    truth = random.normal(size=N_SKILLS)
    choices = []
    for population in random.dirichlet(np.ones(N_SKILLS), 400):
        own = population * np.exp(truth)
        choices.append(Choice(0, own / own.sum(), population, population, population))
    found = fitted_propensities(choices, np.full(N_SKILLS, 100.0))
    assert found - found.mean() == pytest.approx(truth - truth.mean(), abs=0.02)


def test_an_ego_that_is_told_propensities_keeps_them_while_it_plays():
    told = np.linspace(-1, 1, N_SKILLS)
    game = Game("open", TOLD_SEAT, "scratch:G1-1", 1, horizon=20, fast=True)
    agent = game.agents[0]
    tell(agent, told)
    game.run()
    assert agent.types.propensities.mean == pytest.approx(told, abs=1e-6)
    weights = agent.types.propensities.weights
    assert weights.max(axis=0) - weights.min(axis=0) == pytest.approx(0, abs=20), "each sample is what was told"
    assert agent.types.locked == 0, "and it knows the rule"


@pytest.mark.parametrize("ego", ["true propensities", "best response"])
def test_the_other_egos_play_beside_a_partner_on_each_seed(ego):
    rows = play(ego, "open", "scratch:G1-1", (1, 2), horizon=20)
    assert [(row["ego"], row["partner"], row["seed"], row["reward"]) for row in rows] == [
        (ego, "scratch:G1-1", "1", "0"),
        (ego, "scratch:G1-1", "2", "0"),
    ]


def test_an_ideal_observer_needs_as_many_misses_as_make_chance_unlikely():
    """One of two skills is refused: odds of 1 to 1, which each miss at a probability of a half doubles; 9 to 1 at 4."""
    population = np.zeros(N_SKILLS)
    population[[3, 8]] = 0.5
    own = np.zeros(N_SKILLS)
    own[8] = 1.0
    game = [Choice(8, own, population, population, population)] * FEWEST
    assert list(opportunities(game)) == [3, 8]
    assert list(refusals(game)) == [3]
    assert misses_needed([game]) == [4]
