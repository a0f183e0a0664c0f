"""The plug-ins in examples/: a sweep with all of them is played, and its report has their table and figure."""

from functools import partial
from pathlib import Path

import pytest

from bba.agents import SeatSpec, load_agent
from bba.bench.agent_check import check_agent
from bba.bench.episode import play
from bba.bench.plan import plan_sweep
from bba.bench.presets import load_sweep
from bba.bench.results_store import ResultsStore
from bba.bench.runner import Runner
from bba.play import Game
from bba.plugins import allow
from bba.report.page import write_report
from tests.helpers.immediate_engine import ImmediateEngine

FOLDER = "examples/plugins"


@pytest.fixture(autouse=True)
def here(monkeypatch):
    monkeypatch.chdir(Path(__file__).parents[2])


@pytest.mark.thorough
def test_the_agent_keeps_its_promises():
    checks = check_agent(f"{FOLDER}/random_agent.py:Random", steps=40, worker=False)
    assert [check.problem for check in checks if check.problem] == []


def test_the_planner_finds_its_words_in_the_prompt():
    planner = f"{FOLDER}/keyword_planner.py:Keywords"
    ego = load_agent("bayes", SeatSpec(planner=planner, planner_options={"words": ["GRAB_TORTILLA", "GRAB"]}))
    trace = Game("open", ego, "switching", 0, horizon=40).run()
    calls = [call for tick in trace.ticks for call in tick.decisions[0].calls]
    assert calls
    assert [call.problem for call in calls if call.problem] == []
    assert "GRAB_TORTILLA" in calls[0].response


@pytest.mark.thorough
def test_the_trigger_interrupts_more_with_a_lower_threshold():
    def replans(ratio):
        name = f"{FOLDER}/commitment_trigger.py:surprised"
        ego = load_agent("bayes", SeatSpec(trigger=name, trigger_options={"ratio": ratio}))
        trace = Game("open", ego, "switching", 0, horizon=150).run()
        return sum(tick.decisions[0].replanned for tick in trace.ticks)

    assert replans(1000) == 0 < replans(0.5)


@pytest.mark.thorough
def test_the_sweep_with_all_of_them_is_played_and_reported(tmp_path):
    sweep = load_sweep(f"{FOLDER}/plugins.toml").changed({"seeds": 1, "horizon": 30})
    plan = plan_sweep(sweep, SeatSpec())
    with ResultsStore(tmp_path) as store:
        store.register(sweep.name, sweep.model_dump_json(), plan.entries)
        list(Runner(store, ImmediateEngine(), partial(play, base=SeatSpec())).run(plan.episodes.values()))
        results = store.results(plan.episodes)
    assert len(results) == len(sweep.agents)
    assert [result.failure for result in results.values() if result.failure] == []
    allow(f"{FOLDER}/waiting_measure.py")
    page = write_report(tmp_path).read_text("utf-8")
    assert "<caption>Waiting by agent</caption>" in page
    assert "Waiting by agent, as bars" in page
    assert "share waiting" in page
