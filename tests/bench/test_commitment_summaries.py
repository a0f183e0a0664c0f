"""What `python -m benchmarks.commitment` makes of stored games."""

from pathlib import Path

import pytest
from scipy import stats

from bba.agents import SeatSpec
from bba.bench.episode import code_digest
from bba.bench.plan import plan_sweep
from bba.bench.results_reader import load_results
from bba.bench.results_store import ResultsStore
from benchmarks.commitment import (
    CURVE_OF,
    WITH,
    WITHOUT,
    Game,
    Pair,
    compared,
    curves,
    differences,
    figure,
    named,
    stored_games,
)
from benchmarks.summaries import played_by, read_rows, update_table
from tests.helpers.tiny_sweeps import outcome, sweep

TABLE = Path(__file__).parents[2] / "docs/results/data/commitment.csv"
UNUSED = ("replans", "needless_replans", "reached_30")
ONE, OTHER = named(WITH, "rollout"), named(WITHOUT, "rollout")


def game(reward, delays=(), recovery=None):
    return Game({"reward": reward, "duplicate_rate": None, "recovery": recovery} | dict.fromkeys(UNUSED), delays)


GAMES = {
    ONE: {
        ("open", "switching", 0): game(1200.0, (0, None)),
        ("open", "switching", 1): game(1000.0, (60,)),
        ("ring", "bp:G1-1+locked", 0): game(700.0, (3,)),
        ("ring", "bp:G1-1", 9): game(1.0),
    },
    OTHER: {
        ("open", "switching", 0): game(1100.0),
        ("open", "switching", 1): game(1000.0),
        ("ring", "bp:G1-1+locked", 0): game(350.0),
    },
}


def of(rows, **wanted):
    return [row for row in rows if wanted.items() <= row.items()]


def test_games_of_the_same_kitchen_partner_and_seed_are_paired():
    rows = list(differences(GAMES))
    (adaptive,) = of(rows, layout="open", partners="adaptive", measure="reward")
    assert (adaptive["pairs"], adaptive["seeds"], float(adaptive["difference"])) == ("2", "2", 50.0)
    assert (adaptive["agent"], adaptive["other"]) == (ONE, OTHER)
    assert not of(rows, layout="ring", partners="adaptive"), "a game without its pair counts nowhere"
    (locked,) = of(rows, layout="all", partners="locked", measure="reward")
    assert float(locked["ratio"]) == 2.0


def test_intervals_are_those_of_the_means_of_the_seeds():
    (row,) = of(differences(GAMES), layout="open", partners="adaptive", measure="reward")
    expected = stats.ttest_1samp([100.0, 0.0], 0).confidence_interval()
    assert (float(row["difference_low"]), float(row["difference_high"])) == pytest.approx(expected, abs=1e-3)
    (row,) = of(differences(GAMES), layout="all", partners="locked", measure="reward")
    assert (row["difference_low"], row["ratio_low"]) == ("", ""), "a single seed tells nothing of others"


def test_a_ratio_of_small_rates_is_that_of_their_sums():
    pairs = [Pair(("open", "a", seed), Game({"gap": 0.01}, ()), Game({"gap": 0.02}, ())) for seed in (0, 1)]
    assert float(compared("gap", pairs)["ratio"]) == 0.5


def test_a_measure_that_no_pair_has_is_left_out():
    assert not of(differences(GAMES), measure="recovery")


def test_a_curve_counts_every_switch_and_those_never_complemented_in_no_step():
    (first, *_, last) = of(curves(GAMES), agent=ONE, layout="open", partners="adaptive")
    assert (first["steps"], first["switches"], float(first["share"])) == ("0", "3", pytest.approx(1 / 3, abs=1e-4))
    assert (last["steps"], float(last["share"])) == ("60", pytest.approx(2 / 3, abs=1e-4))


@pytest.mark.thorough
def test_the_table_is_read_as_it_was_written_and_drawn(tmp_path):
    rows = list(curves(GAMES))
    path = tmp_path / "recovery.csv"
    update_table(path, CURVE_OF, rows, "abc")
    read = read_rows(path)
    assert read == [row | {"code": "abc"} for row in rows]
    drawn = figure(read)
    assert "open, partners: adaptive" in drawn
    assert "ring, partners: locked" in drawn
    assert "rollout: belief and gate" in drawn


def test_stored_results_are_read_by_agent_and_place(tmp_path):
    made = plan_sweep(sweep(agents=["bayes", "gamma"]), SeatSpec())
    with ResultsStore(tmp_path) as store:
        store.register(made.sweep.name, made.sweep.model_dump_json(), made.entries)
        for number, episode in enumerate(made.episodes.values()):
            store.save(episode, outcome(reward=float(number)))
    stored = [load_results(tmp_path)]
    games = stored_games(stored)
    assert set(games) == {entry.label for entry in made.entries}
    assert games["gamma"].keys() == {("open", "switching", 0), ("open", "switching", 1)}
    assert sorted(one.measures["reward"] for agent in games.values() for one in agent.values()) == [0.0, 1.0, 2.0, 3.0]
    assert played_by(stored) == code_digest()


def test_rows_made_anew_take_the_place_of_those_before_them_and_the_others_stay(tmp_path):
    path = tmp_path / "table.csv"
    update_table(path, ("agent",), [{"agent": "bayes", "reward": "1"}, {"agent": "gamma", "reward": "2"}], "old")
    update_table(path, ("agent",), [{"agent": "talents", "reward": "3"}, {"agent": "bayes", "reward": "4"}], "new")
    assert [tuple(row.values()) for row in read_rows(path)] == [
        ("bayes", "4", "new"),
        ("gamma", "2", "old"),
        ("talents", "3", "new"),
    ]


def test_the_table_of_the_documents_has_the_columns_of_today():
    assert list(read_rows(TABLE)[0]) == [*next(iter(differences(GAMES))), "code"]
