"""What `python -m benchmarks.knowledge` makes of games: who knows what, pairs, leads, and the family's correction."""

import pytest

from bba.agents import SeatSpec
from bba.bench.episode import code_digest
from bba.bench.episode import play as play_episode
from bba.bench.plan import plan_sweep
from bba.bench.presets import load_sweep
from bba.bench.results_reader import load_results
from bba.bench.results_store import ResultsStore
from benchmarks.knowledge import (
    EGOS,
    LADDER,
    LOCKED_ONES,
    ONE_ROLE,
    Pair,
    figure,
    games,
    groups,
    holm,
    lead,
    leads,
    play,
    rows_of,
)

SCRIPTED_NAMES = ("nothing (scripted planner)", "scripted", "true role (scripted planner)")


def row(ego, reward, layout="open", partner="switching+locked", seed="1"):
    return {"ego": ego, "layout": layout, "partner": partner, "seed": seed, "reward": str(reward), "code": "c"}


def test_a_lead_is_over_pairs_of_the_same_place():
    rows = [row("nothing", 100), row("belief and gate", 130), row("nothing", 500, seed="2")]
    rows += [row("nothing", 200, seed="3"), row("belief and gate", 210, seed="3")]
    found = {(one["layout"], one["partners"]): one for one in leads(rows) if one["other"] == "nothing"}
    whole = found["all", "all"]
    assert (whole["pairs"], whole["mean"], whole["other_mean"], whole["lead"]) == ("2", "170.0", "150.0", "20.0")
    assert whole["percent"] == "13.3"
    assert {("open", "switching+locked"), ("open", "locked"), ("all", "locked"), ("open", "all")} < set(found)


def test_one_role_all_game_is_a_kind_of_its_own():
    places = [("ring", partner, "120") for partner in (*ONE_ROLE, "switching", *LOCKED_ONES)]
    found = groups(places)
    assert len(found["all", "all"]) == 1 + len(LOCKED_ONES)
    assert len(found["ring", "one role"]) == len(ONE_ROLE)
    assert len(found["ring", "adaptive"]) == 1


def test_p_is_small_where_zero_is_far_outside_and_one_where_nothing_differs():
    assert float(lead(pairs((10.0 + seed % 3, 0.0) for seed in range(30)))["p"]) < 0.001
    assert float(lead(pairs([(1.0, 1.0)] * 30))["p"]) == 1
    assert 0.2 < float(lead(pairs((float(sign), -0.2) for sign in (-1, 1) * 15))["p"]) < 0.4


def pairs(rewards):
    """Rewards of two egos, with a seed for each pair."""
    return [Pair(("open", "switching", str(seed)), *of_pair) for seed, of_pair in enumerate(rewards)]


def test_pairs_with_a_seed_in_common_are_not_independent():
    """Eight partners of three seeds tell as much as three games, where only seeds differ."""
    rewards = [(100.0 + 10 * seed, 90.0) for seed in range(3)]
    found = lead([Pair(("open", str(partner), str(seed)), *rewards[seed]) for partner in range(8) for seed in range(3)])
    alone = lead(pairs(rewards))
    assert found.pop("pairs") == "24"
    assert alone.pop("pairs") == "3"
    assert found == alone


def test_holm_corrects_for_the_number_and_keeps_the_order():
    assert holm({"a": 0.01, "b": 0.04, "c": 0.03}) == pytest.approx({"a": 0.03, "c": 0.06, "b": 0.06})
    assert holm({"a": 0.9, "b": 0.8}) == {"b": 1.0, "a": 1.0}


def test_every_ego_of_the_ladder_plays_beside_locked_partners_on_every_seed():
    played = list(games())
    assert len(set(played)) == len(played)
    for ego in LADDER:
        assert {(s, p) for e, _, p, s in played if e == ego} >= {(s, p) for s in range(120, 160) for p in LOCKED_ONES}


@pytest.mark.parametrize("ego", ["nothing", "prior", "true policy"])
def test_a_game_is_played_by_an_ego_that_knows_so_much(ego):
    found = play(ego, "ring", ONE_ROLE[0] if ego == "nothing" else "switching+locked", 30, horizon=40)
    assert (found["ego"], found["code"]) == (ego, code_digest())
    assert 0 <= float(found["waiting"]) <= 1
    assert EGOS[ego].spec.knows == ("policy" if ego == "true policy" else None)


def test_games_of_the_sweep_take_their_places_in_the_table(tmp_path):
    shipped = load_sweep("knowledge")
    chosen = [ego for ego in shipped.agents if ego.planner == "scripted"]
    few = shipped.changed({"agents": chosen, "layouts": ["ring"], "partners": {"locked": ["bayes"]}, "horizon": 12})
    plan = plan_sweep(few.changed({"seeds": 1}), SeatSpec())
    with ResultsStore(tmp_path) as store:
        store.register(plan.sweep.name, plan.sweep.model_dump_json(), plan.entries)
        for episode in plan.episodes.values():
            store.save(episode, play_episode(episode, SeatSpec()))
    found = list(rows_of([load_results(tmp_path)]))
    assert [one["ego"] for one in found] == list(SCRIPTED_NAMES)
    assert {one["ego"] for one in found} < set(EGOS)
    assert all((one["layout"], one["seed"], one["code"]) == ("ring", "120", code_digest()) for one in found)


def test_the_figure_has_a_panel_a_kitchen():
    rows = [
        row(ego, 100 + 10 * n, layout, seed=str(s))
        for n, ego in enumerate((*LADDER, *SCRIPTED_NAMES))
        for layout in ("open", "ring")
        for s in (1, 2)
    ]
    drawn = figure(rows)
    assert drawn.startswith(("<svg", "<?xml"))
    assert "open, locked partners" in drawn
    assert "ring, locked partners" in drawn
