"""Partner models, kitchens, tables and figures that are plug-ins."""

import json
import shutil
from dataclasses import replace
from functools import partial

import pytest

from bba.agents import SeatSpec, load_agent
from bba.bench.episode import play
from bba.bench.plan import plan_sweep
from bba.bench.results_store import ResultsStore
from bba.bench.runner import Runner
from bba.errors import BBAError
from bba.files import data_dir
from bba.kitchen import Layout
from bba.play import Game, Replay, fork, record
from bba.plugins import loading
from bba.report.page import write_report
from tests.helpers.immediate_engine import ImmediateEngine
from tests.helpers.plugin_files import write_plugins
from tests.helpers.tiny_sweeps import sweep
from tui.cli import main


@pytest.fixture
def outside(tmp_path):
    return write_plugins(tmp_path)


def played(model, **options):
    ego = load_agent("bayes", SeatSpec(partner_model=model, partner_model_options=options))
    return Game("open", ego, "switching", 2, horizon=40).run()


def posteriors(trace):
    return [tick.decisions[0].belief.posterior for tick in trace.ticks]


def test_its_belief_is_what_the_agent_goes_by_and_what_a_replay_and_a_fork_show(outside):
    trace = played(f"{outside}:Uniform")
    assert set(posteriors(trace)) == {(1 / 6,) * 6}
    assert posteriors(Replay(record(trace)).run()) == posteriors(trace)
    assert posteriors(fork(trace, 20).run()) == posteriors(trace)


def test_what_is_no_belief_is_one_line_that_says_what_one_is(outside):
    with pytest.raises(BBAError, match=r"observe in step 1: posterior \(0.1, .*; one share for each of 6 hypotheses"):
        played(f"{outside}:Uniform", share="0.6")
    with pytest.raises(BBAError, match=r"observe in step 1: returned dict; a bba.belief.PartnerUpdate"):
        played(f"{outside}:Formless")
    with pytest.raises(
        BBAError, match=r"a partner model has observe, .* it lacks observe, remember, copy, reconfigure"
    ):
        played(f"{outside}:Empty")


def test_a_recording_alone_does_not_make_it_run(outside, monkeypatch):
    recording = record(played(f"{outside}:Uniform"))
    monkeypatch.setattr(loading, "_ALLOWED_SOURCES", set())
    with pytest.raises(BBAError, match="add --plugins"):
        Replay(recording)


def test_a_sweep_varies_it_and_it_does_not_concern_agents_without_a_belief(outside):
    variants = [{}, {"partner_model": f"{outside}:Uniform", "partner_model_options": {"share": 1}}]
    agents = ["bayes", "proagent"]
    plan = plan_sweep(
        sweep(agents=agents, seeds=1, variants=variants, table={"columns": ["agent", "variant"]}), SeatSpec()
    )
    used = [[one.kind for one in episode.seats[0].plugins] for episode in plan.episodes.values()]
    assert used == [[], ["partner-model"], []]


def test_a_folder_of_kitchens_has_their_names(outside, tmp_path, capsys):
    shutil.copy(data_dir("configs/layouts") / "ring.toml", tmp_path / "attic.toml")
    assert Layout.load(f"{outside}:KITCHENS/attic").rows == Layout.load("ring").rows
    assert main(["--headless", "--horizon", "9", "--json", "--layout", f"{outside}:KITCHENS/attic"]) == 0
    assert json.loads(capsys.readouterr().out)["layout"] == "ring"
    assert sweep(layouts=[f"{outside}:KITCHENS/attic"]).layouts
    with pytest.raises(BBAError, match="KITCHENS: no kitchen named 'cellar'; there are attic"):
        Layout.load(f"{outside}:KITCHENS/cellar")


def results(outside, folder, **changes):
    plan = plan_sweep(sweep(agents=["bayes"], seeds=1, **changes), SeatSpec())
    with ResultsStore(folder) as store:
        store.register(plan.sweep.name, plan.sweep.model_dump_json(), plan.entries)
        list(Runner(store, ImmediateEngine(), partial(play, base=SeatSpec())).run(plan.episodes.values()))
    return write_report(folder).read_text("utf-8")


def test_a_report_has_the_tables_and_figures_of_its_sweep(outside, tmp_path, monkeypatch):
    folder = tmp_path / "results"
    parts = {"report_tables": [f"{outside}:partners"], "report_figures": [f"{outside}:square"]}
    loading.allow(outside)
    page = results(outside, folder, **parts)
    assert "<caption>Games by partner</caption>" in page
    assert '<rect width="9" height="9"/></svg>' in page
    assert "| switching | 1 |" in (folder / "tables" / "tiny.md").read_text("utf-8")
    monkeypatch.setattr(loading, "_ALLOWED_SOURCES", set())
    page = write_report(folder).read_text("utf-8")
    assert "Games by partner" not in page
    assert "add --plugins" in page


def test_a_table_of_another_shape_is_left_out_and_says_why(outside, tmp_path):
    loading.allow(outside)
    page = results(
        outside, tmp_path / "results", report_tables=[f"{outside}:crooked"], report_figures=[f"{outside}:last"]
    )
    assert "a row has not one value for each of the 2 headings" in page
    assert "has no attribute &#39;ticks&#39;" in page


def test_a_profile_says_which_model_it_was_and_another_one_does_not_go_on(outside):
    trace = played(f"{outside}:Uniform")
    ego, partner = trace.config.seats
    assert [used.kind for used in ego.plugins] == ["partner-model"]
    changed = replace(ego, plugins=(replace(ego.plugins[0], digest="0" * 16),))
    with pytest.raises(BBAError, match="its code is not that which played"):
        fork(trace, 5, (changed, partner))
