"""Results of another version of the behaviour that are kept on purpose."""

from bba.agents import SeatSpec
from bba.bench.plan import plan_sweep, with_accepted
from bba.bench.results_reader import load_results
from bba.bench.results_store import ResultsStore
from tests.helpers.tiny_sweeps import outcome, sweep
from tui.cli import main

OLD = "0123456789abcdef"


def play_with(folder, code, seeds):
    """Stores made-up outcomes as another version of the code would have."""
    plan = plan_sweep(sweep(seeds=seeds), SeatSpec())
    with ResultsStore(folder) as store:
        for episode in plan.episodes.values():
            store.save(episode.of_code(code), outcome(reward=777))


def test_finished_episodes_of_accepted_code_stand_for_those_of_this_code(tmp_path):
    play_with(tmp_path, OLD, seeds=1)
    plan = plan_sweep(sweep(), SeatSpec())
    with ResultsStore(tmp_path) as store:
        accepted = with_accepted(plan, store.finished(), [OLD])
        assert with_accepted(plan, store.finished(), ["f" * 16]).entries == plan.entries
        store.register("tiny", plan.sweep.model_dump_json(), accepted.entries)
    assert [accepted.episodes[entry.key].code == OLD for entry in accepted.entries] == [True, False, True, False]
    (run,) = load_results(tmp_path).sweeps
    assert run.caveats == (f"2 of 2 episodes were played by other code than this ({OLD})",)


TINY = """title = "t"
agents = ["bayes"]
layouts = ["open"]
horizon = 20
[partners]
switching = ["switching"]
"""


def test_the_option_counts_them_and_the_table_says_so(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tiny.toml").write_text(TINY)
    play_with(tmp_path / "out", OLD, seeds=1)
    command = ["--headless", "--sweep", "tiny.toml", "--out", "out", "--seeds", "1"]
    assert main([*command, "--accept-code", OLD]) == 0
    printed = capsys.readouterr()
    assert "777" in printed.out
    assert f"1 of 1 episodes were played by other code than this ({OLD})" in printed.out
    assert main([*command, "--accept-code", "new"]) == 2
    assert "--accept-code: got 'new'" in capsys.readouterr().err
