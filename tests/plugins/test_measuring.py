"""Measures that are plug-ins: computed, stored beside ours, shown in tables, exported, and failing in one line."""

import csv
import json
from functools import partial

import pytest

from bba.agents import SeatSpec
from bba.analysis.measures import measure
from bba.analysis.plugin_measures import find_measure, plugin_measure
from bba.bench.episode import play
from bba.bench.formatting import cell_text, measure_label, measure_meaning
from bba.bench.plan import plan_sweep
from bba.bench.presets import load_sweep
from bba.bench.results_store import ResultsStore
from bba.bench.results_table import export
from bba.bench.runner import Runner
from bba.bench.tables import table_blocks
from bba.errors import BBAError
from bba.play import Game
from bba.plugins import loading
from tests.helpers.immediate_engine import ImmediateEngine
from tests.helpers.plugin_files import SOURCE, loaded_again, write_plugins
from tests.helpers.tiny_sweeps import sweep
from tui.cli import main


@pytest.fixture
def outside(tmp_path):
    return write_plugins(tmp_path)


@pytest.fixture(scope="module")
def trace():
    return Game("open", "bayes", "switching", 1, horizon=30).run()


def value(name, trace, since=0):
    return measure(trace, since, own=[plugin_measure(name).target])[name]


def test_a_function_of_a_trace_is_a_measure_with_its_docstring_as_meaning(outside, trace):
    one = plugin_measure(f"{outside}:waits").target
    assert (one.label, one.meaning, one.type) == ("waits", "Steps in which the ego waits. More text", "int")
    assert value(one.name, trace) == sum(tick.skills[0] == 4 for tick in trace.ticks)
    assert value(one.name, trace, since=20) == sum(tick.skills[0] == 4 for tick in trace.ticks[20:])


def test_numbers_of_numpy_are_numbers_and_nan_is_nothing_to_count(outside, trace):
    assert type(value(f"{outside}:share_of_waits", trace)) is float
    assert value(f"{outside}:undefined", trace) is None


def test_a_measure_with_heading_and_direction_is_taken_as_it_is(outside, trace):
    name = f"{outside}:LAST_REWARD"
    plugin_measure(name)
    assert (measure_label(name), find_measure(name).better) == ("last reward", 1)
    assert measure_meaning(name) == "the reward of the last step; more is better"
    assert value(name, trace) == trace.ticks[-1].reward


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("wordy", "returned str; a measure returns a number, or None for nothing to count"),
        ("broken", r"AttributeError: .*nothing.* \(outside.py, line \d+\)"),
        ("Random", "a measure is a function of a trace or a bba.analysis.measures.Measure"),
    ],
)
def test_what_is_no_measure_is_one_line(outside, trace, name, problem):
    with pytest.raises(BBAError, match=problem):
        value(f"{outside}:{name}", trace)


def test_a_headless_game_prints_it_beside_ours(outside, capsys):
    assert main(["--headless", "--horizon", "30", "--json", "--measures", f"{outside}:waits"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed[f"{outside}:waits"] >= 0 <= printed["reward"]
    assert main(["--headless", "--horizon", "30", "--seeds", "2", "--measures", f"{outside}:waits"]) == 0
    assert "\nwaits " in capsys.readouterr().out


def swept(outside, folder, name="waits"):
    table = {"rows": ["agent"], "columns": ["measure"], "blocks": [], "measures": ["reward", f"{outside}:{name}"]}
    plan = plan_sweep(sweep(agents=["bayes"], seeds=1, table=table), SeatSpec())
    with ResultsStore(folder) as store:
        store.register(plan.sweep.name, plan.sweep.model_dump_json(), plan.entries)
        task = partial(play, base=SeatSpec())
        list(Runner(store, ImmediateEngine(), task).run(list(plan.episodes.values())))
        return plan, store.results(plan.episodes)


def test_a_sweep_stores_it_and_shows_it_in_its_table_and_export(outside, tmp_path):
    plan, results = swept(outside, tmp_path / "out")
    (result,) = results.values()
    assert result.measures[f"{outside}:waits"] >= 0
    (block,) = table_blocks(plan.sweep, plan.entries, results)
    assert [column["measure"] for column in block.columns] == ["reward", f"{outside}:waits"]
    assert cell_text(block.cells[0][1], f"{outside}:waits").text.startswith(
        f"{result.measures[f'{outside}:waits']:.1f}"
    )
    export(plan.entries, results, tmp_path / "rows.csv")
    (row,) = csv.DictReader((tmp_path / "rows.csv").open())
    assert int(row[f"{outside}:waits"]) == result.measures[f"{outside}:waits"]


def test_one_that_fails_costs_the_episode_and_keeps_its_traceback(outside, tmp_path):
    _, results = swept(outside, tmp_path / "out", "broken")
    (result,) = results.values()
    assert "AttributeError" in result.failure
    assert "return trace.nothing" in result.details


def test_an_edit_of_a_measure_plays_the_games_again_that_store_it_and_no_others(outside, tmp_path):
    def keys(measures):
        return list(plan_sweep(sweep(agents=["bayes"], seeds=1, measures=measures), SeatSpec()).episodes)

    mine, others = keys([f"{outside}:waits"]), keys([])
    write_plugins(tmp_path, SOURCE + "\n# edited\n")
    with loaded_again():
        assert keys([f"{outside}:waits"]) != mine
        assert keys([]) == others


def test_stored_results_are_shown_without_running_the_measure(outside, monkeypatch):
    monkeypatch.setattr(loading, "_ALLOWED_SOURCES", set())
    assert measure_label(f"{outside}:share_of_waits") == "share of waits"
    assert find_measure(f"{outside}:share_of_waits").compute is None


def test_a_sweep_file_that_names_none_says_so(tmp_path):
    file = tmp_path / "own.toml"
    file.write_text(
        'title = "own"\nagents = ["bayes"]\nlayouts = ["open"]\nmeasures = ["reward"]\n[partners]\nS = ["switching"]'
    )
    with pytest.raises(BBAError, match="measures: 'reward' is no plug-in; all measures of ours are stored anyway"):
        load_sweep(str(file))
