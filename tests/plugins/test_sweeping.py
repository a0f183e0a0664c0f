"""Plug-ins in sweeps: planned, played in a worker, stored under the digest of their own source files, and failing."""

from functools import partial
from pathlib import Path

import pytest

from bba.agents import SeatSpec
from bba.bench.engines import ProcessEngine
from bba.bench.episode import play
from bba.bench.plan import plan_sweep
from bba.bench.presets import load_sweep
from bba.bench.results_store import ResultsStore
from bba.bench.runner import Runner
from bba.errors import BBAError
from bba.plugins import loading
from tests.helpers.immediate_engine import ImmediateEngine
from tests.helpers.plugin_files import SOURCE, loaded_again, write_plugins
from tests.helpers.tiny_sweeps import sweep


def keys(**changes):
    return [entry.key for entry in planned(**changes).entries]


def planned(**changes):
    return plan_sweep(sweep(**{"seeds": 1} | changes), SeatSpec())


def ran(plan, folder, engine):
    with ResultsStore(folder) as store:
        list(Runner(store, engine, partial(play, base=SeatSpec())).run(list(plan.episodes.values())))
        return store.results(plan.episodes)


def test_an_ego_has_options_of_its_own_and_variants_sweep_over_them(tmp_path):
    name = f"{write_plugins(tmp_path)}:Random"
    plan = planned(
        agents=[{"agent": name, "options": {"temperature": 0.3}}],
        variants=[{"agent_options": {"sloth": True}}, {"agent_options": {"sloth": False}}],
        table={"columns": ["variant"]},
    )
    used = [episode.seats[0].plugins[0].options for episode in plan.episodes.values()]
    assert used == [(("sloth", True), ("temperature", 0.3)), (("sloth", False), ("temperature", 0.3))]
    assert [entry.variant for entry in plan.entries] == ["sloth True", "sloth False"]
    assert plan.entries[0].agent == f"{name} temperature=0.3"


def test_options_of_plug_ins_do_not_concern_agents_of_ours(tmp_path):
    name = f"{write_plugins(tmp_path)}:Random"
    plan = planned(agents=["bayes", name], variants=[{"agent_options": {"sloth": True}}])
    assert [bool(episode.seats[0].plugins) for episode in plan.episodes.values()] == [False, True]


def test_a_trigger_and_its_threshold_are_swept_over(tmp_path):
    name = f"{write_plugins(tmp_path)}:late"
    variants = [{"trigger": name, "trigger_options": {"step": step}} for step in (5, 9)]
    plan = planned(agents=["bayes"], variants=variants, table={"columns": ["variant"]})
    assert [episode.seats[0].plugins[0].options for episode in plan.episodes.values()] == [
        (("step", 5),),
        (("step", 9),),
    ]


def test_a_planner_of_one_ego_is_a_plug_in(tmp_path):
    name = f"{write_plugins(tmp_path)}:First"
    plan = planned(agents=[{"agent": "bayes", "planner": name}])
    assert [episode.seats[0].planner for episode in plan.episodes.values()] == [name]


def test_a_sweep_file_names_a_partner_with_options(tmp_path):
    name = f"{write_plugins(tmp_path)}:Random"
    file = tmp_path / "own.toml"
    file.write_text(
        f'title = "own"\nagents = ["bayes"]\nlayouts = ["open"]\nseeds = 1\nhorizon = 9\n'
        f'[partners]\nown = ["{name}"]\n[partner_options."{name}"]\nsloth = true\n'
    )
    episode = next(iter(plan_sweep(load_sweep(str(file)), SeatSpec()).episodes.values()))
    assert episode.seats[1].plugins[0].options == (("sloth", True),)


@pytest.mark.parametrize("wrong", [{"trigger": "nope"}, {"planner": "openai"}, {"agent": "nope"}])
def test_an_unknown_name_is_still_a_mistake_in_the_sweep(wrong):
    with pytest.raises(ValueError, match=r"no (trigger|planner|agent) named"):
        sweep(agents=[{"agent": "bayes"} | wrong])


def test_an_edit_makes_new_episodes_of_this_plug_in_and_of_nobody_else(tmp_path):
    name = write_plugins(tmp_path)
    before = keys(agents=["bayes", f"{name}:Random"])
    write_plugins(tmp_path, SOURCE.replace("temperature: float = 1.0", "temperature: float = 2.0"))
    with loaded_again():
        after = keys(agents=["bayes", f"{name}:Random"])
    assert after[0] == before[0]
    assert after[1] != before[1]


@pytest.mark.thorough
def test_two_workers_import_the_plug_in_and_play_it(tmp_path):
    name = write_plugins(tmp_path)
    plan = planned(agents=[f"{name}:Random", f"{name}:Failing"], partners={"own": [f"{name}:Random"]})
    engine = ProcessEngine(2)
    results = ran(plan, tmp_path / "results", engine)
    fine, failed = (results[entry.key] for entry in plan.entries)
    assert (fine.failure, fine.details) == (None, "")
    assert fine.measures
    assert failed.failure is not None
    assert ":Failing: decide in step 6: ZeroDivisionError: " in failed.failure
    assert "\n" not in failed.failure
    assert failed.details.startswith("Traceback")
    assert "1 // 0" in failed.details


def test_a_worker_with_other_code_than_the_planned_one_does_not_play(tmp_path):
    name = write_plugins(tmp_path)
    plan = planned(agents=[f"{name}:Random"])
    write_plugins(tmp_path, SOURCE.replace("1.0", "3.0"))
    with loaded_again():
        (result,) = ran(plan, tmp_path / "results", ImmediateEngine()).values()
    assert result.failure is not None
    assert "its code is not that which played" in result.failure


def test_stored_results_never_make_their_plug_in_run_by_themselves(tmp_path, monkeypatch):
    name = write_plugins(tmp_path)
    (episode,) = planned(agents=[f"{name}:Random"]).episodes.values()
    monkeypatch.setattr(loading, "_ALLOWED_SOURCES", set())
    with pytest.raises(BBAError, match=f"add --plugins {Path(name)}"):
        episode.game(SeatSpec())
