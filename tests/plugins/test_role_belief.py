"""A belief of two methods in the place of filter and gates: what is made of it, and that a wrong one comes out last."""

import csv
import runpy
from functools import partial
from itertools import pairwise
from textwrap import dedent

import numpy as np
import pytest

from bba.agents import SeatSpec, load_agent
from bba.agents.planning_agent import partner_model
from bba.analysis import find_measure
from bba.analysis.belief_evaluation import evaluate_belief, make_belief, observed_by
from bba.analysis.coordination import belief_tally
from bba.analysis.measures import measure
from bba.belief import PartnerModel, role_likelihoods
from bba.bench.episode import play
from bba.bench.plan import plan_sweep
from bba.bench.results_store import ResultsStore
from bba.bench.runner import Runner
from bba.bench.tables import table_blocks
from bba.config import BeliefConfig
from bba.errors import BBAError
from bba.kitchen.constants import COMPLETED
from bba.play import Game, Replay, fork, record, save
from bba.play.ticks import role_posteriors
from bba.play.trajectory import OBSERVER_SEAT
from benchmarks import beliefs as beliefs_table
from benchmarks import readings
from benchmarks.beliefs import delays_of
from benchmarks.leaderboard import leaderboards
from tests.helpers.immediate_engine import ImmediateEngine
from tests.helpers.tiny_benchmarks import install_tiny_benchmark, play_card
from tests.helpers.tiny_sweeps import sweep

SOURCE = dedent('''
    import numpy as np


    class Product:
        """The product of all likelihoods, of which some is forgotten."""

        def __init__(self, kept: float = 0.9) -> None:
            self.kept = kept

        def reset(self, context):
            self.context = context
            self.logs = np.zeros(6)

        def observe(self, before, state):
            if before is not None:
                self.logs = self.kept * self.logs + np.log(self.context.role_likelihoods(before, state))
            shares = np.exp(self.logs - self.logs.max())
            return shares / shares.sum()


    class Wrong(Product):
        """Sure of what is least likely."""

        def observe(self, before, state):
            worst = super().observe(before, state).argmin()
            return np.where(np.arange(6) == worst, 0.95, 0.01)


    class Broken(Product):
        def __init__(self, answer: str = "") -> None:
            self.answer = answer

        def reset(self, context):
            pass

        def observe(self, before, state):
            return eval(self.answer)


    class Forgetful:
        def reset(self, context):
            pass
''')


@pytest.fixture
def mine(tmp_path):
    """The name of a file with these beliefs."""
    path = tmp_path / "mine.py"
    path.write_text(SOURCE, encoding="utf-8")
    return str(path)


def played(model, horizon=80, **options):
    ego = load_agent("bayes-commit", SeatSpec(partner_model=model, partner_model_options=options))
    return Game("open", ego, "switching", 2, horizon=horizon).run()


def beliefs(trace):
    return [tick.decisions[0].belief for tick in trace.ticks]


def test_an_agent_goes_by_it_and_replays_and_forks_go_on_with_it(mine):
    trace = played(f"{mine}:Product", kept=0.8)
    posteriors = np.array([belief.posterior for belief in beliefs(trace)])
    assert posteriors.shape == (80, 6)
    assert np.allclose(posteriors.sum(axis=1), 1)
    assert len(np.unique(posteriors.round(6), axis=0)) > 20
    assert [plugin.label for plugin in trace.config.seats[0].plugins] == [f"{mine}:Product kept=0.8"]
    assert beliefs(Replay(record(trace)).run()) == beliefs(trace)
    assert beliefs(fork(trace, 30).run()) == beliefs(trace)


def test_the_gates_judge_how_its_probabilities_grow(mine):
    config = BeliefConfig()
    trace = played(f"{mine}:Product")
    for tick, last in zip(trace.ticks[1:], trace.ticks[:-1], strict=True):
        now, before = tick.decisions[0].belief, last.decisions[0].belief
        growth = np.array(now.posterior) / np.maximum(before.posterior, 1e-6)
        assert np.allclose(now.relative_likelihoods, np.maximum(growth / growth.max(), 1e-6))
        assert (now.prior_map, now.prior_confidence) == (before.map_index, before.confidence)
        assert now.contradiction_likelihood == pytest.approx(np.prod(now.likelihood_ratios))
        assert now.likelihood_ratios[-1] == pytest.approx(now.relative_likelihoods[before.map_index])
        assert len(now.likelihood_ratios) <= config.filter.window
        gate = tick.decisions[0].gate
        assert gate.contradiction == (now.contradiction_likelihood < config.gate.theta_obs)
        assert gate.confident == (before.confidence >= config.gate.gamma_conf)
        assert now.new_segment == bool(last.state[COMPLETED + 1])
        if now.new_segment:
            assert now.stable_updates == 1
    assert any(tick.decisions[0].commitment_gate.opens for tick in trace.ticks[1:])
    assert any(tick.decisions[0].replanned for tick in trace.ticks)


def test_its_commitment_gate_remembers_what_was_believed_at_a_decision(mine):
    trace = played(f"{mine}:Product", kept=1.0)
    for tick, following in zip(trace.ticks, trace.ticks[1:], strict=False):
        if tick.decisions[0].deliberate and not following.decisions[0].belief.new_segment:
            belief = tick.decisions[0].belief
            expected = belief.map_index if belief.confidence >= BeliefConfig().commitment.commitment_conf else -1
            if not following.decisions[0].commitment_gate.opens:
                assert following.decisions[0].commitment_gate.remembered == expected


def test_an_object_may_be_handed_over_and_plays_each_game_from_its_beginning(mine):
    product = runpy.run_path(mine)["Product"]
    product.__module__ = __name__  # as one that is written in the program itself
    plain = played(product)
    given = product(0.9)
    assert [belief.posterior for belief in beliefs(played(given))] == [belief.posterior for belief in beliefs(plain)]
    assert not hasattr(given, "logs")  # games play with copies


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (
            "[0.5, 0.5]",
            r"observe in step 1: returned \[0.5, 0.5\]; a probability for each of the 6 roles, with the sum 1",
        ),
        ("[0.5] * 6", r"observe in step 1: returned \[0.5, .*; a probability for each of the 6 roles"),
        ("[float('nan')] * 6", "a probability for each of the 6 roles"),
        ("[-1, 1, 1, 0, 0, 0]", "a probability for each of the 6 roles"),
        ("{'serve': 1}", "a probability for each of the 6 roles"),
        ("None", "returned None; a probability for each of the 6 roles"),
        ("1 / 0", r"observe in step 1: ZeroDivisionError: division by zero"),
    ],
)
def test_what_is_no_belief_over_roles_is_one_line(mine, answer, said):
    with pytest.raises(BBAError, match=said) as caught:
        played(f"{mine}:Broken", answer=answer)
    assert "\n" not in str(caught.value)


def test_what_lacks_a_method_or_an_option_is_one_line(mine):
    with pytest.raises(BBAError, match=r"Forgetful: a partner model has reset, observe; it lacks observe$"):
        played(f"{mine}:Forgetful")
    with pytest.raises(BBAError, match=r"no option 'keep'; there is kept \(float, 0.9\)"):
        played(f"{mine}:Product", keep=1)


def test_the_likelihoods_of_a_context_are_those_of_the_filter():
    trace = Game("ring", "bayes", "switching", 3, horizon=60).run()
    context = trace.config.context(0, fast=False)
    states = [trace.start, *(tick.state for tick in trace.ticks)]
    model = PartnerModel("ring", 1, stay_model=context.partner_stay_model)
    model.observe(None, states[0], mid_skill=True)
    for before, state in pairwise(states):
        model.observe(before, state, mid_skill=True)
        found = context.role_likelihoods(before, state)
        assert found.shape == (6,)
        assert (found > 0).all()
        if not state[COMPLETED + 1]:  # then the filter begins a segment with other numbers in this array
            assert np.allclose(found, model.state.filter.scratch.likelihood)
        assert np.allclose(found, role_likelihoods(trace.config.layout, before, state, 1))
    assert context.scene(states[5]) == trace.scene(5)


# --- compared --------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def traces():
    return [Game("open", "bayes", "switching", seed, horizon=200, fast=True).run() for seed in (1, 2)]


def test_the_built_in_belief_is_found_as_good_as_the_observer_is(traces):
    found = evaluate_belief(None, traces)
    values = [measure(trace) for trace in traces]
    first, second = found.games
    assert first.tally.right / first.tally.steps == values[0]["skill_accuracy"]
    assert second.tally.log_loss / second.tally.steps == pytest.approx(values[1]["observer_log_loss"])
    assert found.steps == first.tally.steps + second.tally.steps
    assert found.accuracy == (first.tally.right + second.tally.right) / found.steps
    again = observed_by(traces[0], partner_model)
    assert [tick.observer for tick in again.ticks] == [tick.observer for tick in traces[0].ticks]
    gates = [tick.observer_commitment_gate for tick in traces[0].ticks]
    assert [tick.observer_commitment_gate for tick in again.ticks] == gates


def test_a_belief_that_is_wrong_on_purpose_is_the_last_by_each_measure(traces, mine):
    compared = [evaluate_belief(model, traces) for model in (None, f"{mine}:Product", f"{mine}:Wrong")]
    assert max(compared, key=lambda found: found.log_loss).name == f"{mine}:Wrong"
    assert min(compared, key=lambda found: found.accuracy).name == f"{mine}:Wrong"
    assert max(compared, key=lambda found: found.calibration_error).name == f"{mine}:Wrong"
    assert repr(compared[2]).startswith(f"BeliefEvaluation({mine}:Wrong: right in 0.")


def test_recordings_may_be_traces_files_folders_or_recordings(traces, mine, tmp_path):
    folder = tmp_path / "recordings"
    folder.mkdir()
    for number, trace in enumerate(traces):
        save(record(trace), folder / f"game-{number}.bba")
    model = f"{mine}:Product"
    whole = evaluate_belief(model, traces)
    assert evaluate_belief(model, folder).log_loss == whole.log_loss
    assert evaluate_belief(model, tmp_path).accuracy == whole.accuracy  # as in the folder of a study
    one = evaluate_belief(model, [str(folder / "game-1.bba")])
    assert one.games[0].game == "game-1.bba"
    assert one.games[0].tally.log_loss == whole.games[1].tally.log_loss
    assert evaluate_belief(model, record(traces[0])).steps == whole.games[0].tally.steps
    frame = whole.to_frame("pandas")
    assert frame["steps"].sum() == whole.steps
    assert (frame["contradiction_openings"] >= frame["contradiction_needless"]).all()


def test_options_reach_the_belief_and_what_cannot_be_is_one_line(traces, mine, tmp_path):
    name, _ = make_belief(f"{mine}:Product", {"kept": 0.5})
    assert name == f"{mine}:Product kept=0.5"
    quick = evaluate_belief(f"{mine}:Product", traces, options={"kept": 0.5})
    assert quick.log_loss != evaluate_belief(f"{mine}:Product", traces).log_loss
    with pytest.raises(BBAError, match="recordings: there is none"):
        evaluate_belief(None, [])
    with pytest.raises(BBAError, match=r"recordings: no .bba file in"):
        evaluate_belief(None, tmp_path)
    with pytest.raises(BBAError, match="recordings: int is not allowed"):
        evaluate_belief(None, 5)
    with pytest.raises(BBAError, match="options: are for a partner model of your own"):
        evaluate_belief(None, traces, options={"kept": 1})


RANKING = ("belief_accuracy", "belief_log_loss", "belief_calibration")


@pytest.mark.parametrize("axis", ["agent", "variant"])
def test_in_a_table_of_a_sweep_it_is_the_last_by_each_measure(axis, mine, tmp_path):
    models = {
        "built-in": {},
        "Product": {"partner_model": f"{mine}:Product"},
        "Wrong": {"partner_model": f"{mine}:Wrong"},
    }
    table = {"rows": [axis], "columns": ["measure"], "blocks": [], "measures": list(RANKING)}
    changes = {"agents": ["bayes"], "variants": list(models.values())}
    if axis == "agent":
        changes = {"agents": [{"agent": "bayes", "title": name} | model for name, model in models.items()]}
    plan = plan_sweep(sweep(seeds=1, horizon=200, table=table, **changes), SeatSpec())
    with ResultsStore(tmp_path / "results") as store:
        list(Runner(store, ImmediateEngine(), partial(play, base=SeatSpec())).run(plan.episodes.values()))
        results = store.results(plan.episodes)
    (block,) = table_blocks(plan.sweep, plan.entries, results)
    assert [column["measure"] for column in block.columns] == list(RANKING)
    names = [row[axis] for row in block.rows]
    for column, cells in zip(RANKING, zip(*block.cells, strict=True), strict=True):
        means = {name: cell.ours.mean * find_measure(column).better for name, cell in zip(names, cells, strict=True)}
        last = min(means, key=means.__getitem__)
        assert "Wrong" in last, column
        (best,) = (name for name, cell in zip(names, cells, strict=True) if cell.best == "all")
        assert best != last


def test_in_score_cards_and_on_the_leaderboard_it_is_the_last_too(mine, tmp_path, monkeypatch):
    protocol = install_tiny_benchmark(monkeypatch, tmp_path)
    options = [SeatSpec(), *(SeatSpec(partner_model=f"{mine}:{name}") for name in ("Product", "Wrong"))]
    cards = {seat.partner_model or "built-in": play_card(protocol, "bayes", seat) for seat in options}
    wrong = f"{mine}:Wrong"
    assert min(cards, key=lambda name: cards[name].calibration.accuracy.mean) == wrong
    assert max(cards, key=lambda name: cards[name].calibration.log_loss.mean) == wrong
    assert max(cards, key=lambda name: cards[name].calibration.error) == wrong
    whole = leaderboards(list(cards.values())).split("\n\n")[1].splitlines()
    right, error = whole[0].split("|")[-3:-1]
    assert (right.strip(), error.strip()) == ("belief: right ↑", "its error ↓")
    rows = [[cell.strip() for cell in line.split("|")] for line in whole[2:]]
    assert "Wrong" in min(rows, key=lambda cells: float(cells[-3]))[1]
    assert "Wrong" in max(rows, key=lambda cells: float(cells[-2]))[1]


def test_in_the_tables_behind_the_documents_it_is_the_last_too(traces, mine):
    """`benchmarks.beliefs` has beliefs that read the same games, `benchmarks.readings` those by which egos play."""
    games = [("switching", 1), ("switching", 2)]
    read = []
    for name, make_model in (make_belief(None), make_belief(f"{mine}:Wrong")):
        believed = [role_posteriors(observed_by(trace, make_model).ticks, OBSERVER_SEAT) for trace in traces]
        tallies = [belief_tally(*game) for game in zip(traces, believed, strict=True)]
        delays = [list(delays_of(*game)) for game in zip(traces, believed, strict=True)]
        read.append(beliefs_table.Row("open", "adaptive", name, games, tallies, delays))
    egos = {"Wrong": played(f"{mine}:Wrong", horizon=200), readings.OURS: traces[1]}
    own = [readings.Row("open", name, games[1:], [readings.tally(trace)]) for name, trace in egos.items()]
    for table in (beliefs_table.as_csv(read), readings.as_csv(own)):
        right, wrong = sorted(csv.DictReader(table.splitlines()), key=lambda row: -float(row["accuracy"]))
        assert "Wrong" in (wrong.get("belief") or wrong["reading"])
        assert float(wrong["log_loss"]) > float(right["log_loss"])
        assert float(wrong["calibration_error"]) > float(right["calibration_error"])
        assert float(wrong["delay"]) >= float(right["delay"])
