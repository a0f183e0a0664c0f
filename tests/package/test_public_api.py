"""The names that others rely on: they import, docs/reference/api.md lists them, and documented code runs."""

import ast
import importlib
import inspect
import re
import runpy
import shutil
from pathlib import Path

import numpy as np
import pytest

import bba
from tests.helpers.immediate_engine import ImmediateEngine

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/reference/api.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)
STUB = ast.parse((ROOT / "bba/__init__.pyi").read_text(encoding="utf-8"))
MODULES = {
    alias.name: f"bba.{node.module}" for node in STUB.body if isinstance(node, ast.ImportFrom) for alias in node.names
}
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
# Those that need neither torch nor tables; the tests of a study's tables run the one that reads them.
QUICK = [
    file for file in EXAMPLES if not re.search(r"import torch\b|sb3_contrib|/tables", file.read_text(encoding="utf-8"))
]
SEVEN = {  # what a researcher's tasks must print
    "belief_frame": ["the belief is right in 84%"],
    "own_belief": ["built-in: log loss", "Particles: log loss", "an agent that goes by it"],
    "own_gate": ["20 pairs"],
    "own_partner": ["beside Washer"],
    "check_environments": ["option: PettingZoo and Gymnasium have nothing against it", "bba/Open-v0: "],
    "small_policy": [r"from 0.5 to \d"],
    "small_sweep": ["belief right in"],
    "read_a_prompt": ["--- system ---", "Plan for Player 0"],
    "switch_delays": [r"\d+ switches; the belief had"],
}
WORDS = {"fresh_seeds": ["1", "20"]}  # a seed of a few steps, where the program plays many of all
OLD_PATHS = [
    ("bba.play", "Game"),
    ("bba.play", "load_agent"),
    ("bba.kitchen", "Kitchen"),
    ("bba.kitchen", "Layout"),
    ("bba.kitchen", "Action"),
    ("bba.kitchen", "Skill"),
    ("bba.kitchen", "Item"),
    ("bba.kitchen.batch", "KitchenBatch"),
    ("bba.kitchen.env", "parallel_env"),
    ("bba.agents", "Decision"),
    ("bba.agents", "BeliefConfig"),
    ("bba.belief", "BeliefConfig"),
    ("bba.belief", "CommitmentConfig"),
    ("bba.belief", "FilterConfig"),
    ("bba.belief", "GateConfig"),
]


def test_the_page_lists_exactly_the_public_names():
    assert sorted(ROWS) == sorted(bba.__all__) == sorted(MODULES)


@pytest.mark.parametrize("name", bba.__all__)
def test_every_public_name_is_what_its_module_has(name):
    assert getattr(bba, name) is getattr(importlib.import_module(MODULES[name]), name)


def test_the_package_lists_its_names_and_refuses_others():
    assert set(bba.__all__) <= set(dir(bba))
    with pytest.raises(AttributeError, match="No bba attribute kitchens"):
        _ = bba.kitchens


@pytest.mark.parametrize(("module", "name"), OLD_PATHS)
def test_names_are_where_they_were(module, name):
    assert hasattr(importlib.import_module(module), name)


def test_the_readme_runs(tmp_path, monkeypatch):
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    monkeypatch.chdir(tmp_path)
    exec(compile("\n".join(blocks), "README.md", "exec"), {"__name__": "__main__"})


@pytest.mark.parametrize(
    "example",
    [pytest.param(file, marks=pytest.mark.thorough) if file.stem in WORDS else file for file in QUICK],
    ids=lambda file: file.stem,
)
def test_every_example_runs_and_says_what_it_found(example, tmp_path, monkeypatch, capsys):
    beside, temporary = tmp_path / "examples", tmp_path / "temporary"
    temporary.mkdir()
    shutil.copytree(example.parent, beside, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.chdir(beside)
    monkeypatch.setenv("MPLBACKEND", "agg")
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    monkeypatch.setattr("sys.argv", [example.name, *WORDS.get(example.stem, [])])
    before = sorted(beside.rglob("*"))
    runpy.run_path(str(beside / example.name), run_name="__main__")
    assert sorted(beside.rglob("*")) == before  # it writes nothing beside itself
    told = capsys.readouterr().out
    for pattern in SEVEN.get(example.stem, [r"\S"]):
        assert re.search(pattern, told)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda file: file.stem)
def test_examples_use_only_the_public_names(example):
    source = example.read_text(encoding="utf-8")
    used = [name for names in re.findall(r"^from bba import (.+)$", source, re.MULTILINE) for name in names.split(", ")]
    assert set(used) <= set(bba.__all__)
    assert "from bba." not in source
    assert "import bba" not in source


@pytest.fixture
def layout_file(tmp_path):
    """The file of a kitchen, as the kitchens that ship are."""
    return Path(shutil.copy(ROOT / "configs/layouts/ring.toml", tmp_path / "mine.toml"))


@pytest.mark.parametrize(
    "make",
    [
        bba.Layout.load,
        bba.Kitchen,
        lambda layout: bba.KitchenBatch(layout, 1),
        lambda layout: bba.Game(layout, horizon=2),
        lambda layout: bba.play_game(layout, horizon=2, fast=False),
        bba.gym_env,
        lambda layout: bba.parallel_env(layout, "skill"),
        bba.ObservationEncoder,
        lambda layout: bba.PartnerModel(layout, 1),
    ],
)
def test_a_kitchen_is_a_name_a_path_as_text_or_path_or_a_layout(layout_file, make):
    for layout in ("ring", str(layout_file), layout_file, bba.Layout.load("ring")):
        assert make(layout) is not None
    with pytest.raises(bba.BBAError, match=r"^layout: no layout named '5'; there are [^\n]*$"):
        make(5)


def test_files_and_folders_are_text_or_paths(tmp_path):
    (tmp_path / "empty").mkdir()
    sweep = tmp_path / "mine.toml"
    shutil.copy(ROOT / "configs/benchmarks/quick.toml", sweep)
    assert bba.load_sweep(sweep) == bba.load_sweep(str(sweep))
    for folder in (tmp_path / "none", str(tmp_path / "none")):
        with pytest.raises(bba.BBAError, match=r"prompts: .*none is not a folder"):
            bba.load_agent("bayes", bba.SeatSpec(prompts=folder))
        with pytest.raises(bba.BBAError, match=r"--weights: .*none' is not a folder"):
            bba.Game(ego="talents", options=bba.SeatSpec(weights=folder))


@pytest.mark.parametrize("play", [bba.Game, lambda **given: bba.play_game(fast=False, **given)])
@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"ego": 5}, "agent: 5 is not allowed; a name, a class, a function or an object of yours"),
        ({"partner": int}, "agent: <class 'int'> is not allowed; a name, a class, a function or an object of yours"),
        ({"options": bba.SeatSpec(trigger=5)}, "trigger: 5 is not allowed; a name, a class, a function"),
        ({"options": "x"}, "options: x is not allowed; SeatSpec or None"),
        ({"options": {"planner": "x"}}, "options: {'planner': 'x'} is not allowed; SeatSpec or None"),
        ({"seed": "x"}, "seed: 'x' is not allowed; 0 to 9223372036854775807"),
        ({"seed": 1.5}, "seed: 1.5 is not allowed; 0 to 9223372036854775807"),
        ({"horizon": "9"}, "horizon: '9' is not allowed; 1 to 1000000"),
        ({"horizon": 3.5}, "horizon: 3.5 is not allowed; 1 to 1000000"),
        ({"skill_timeout": None}, "skill-timeout: None is not allowed; 1 to 1000000"),
        ({"mobility": "x"}, "mobility: ('x', 'x') is not allowed; from 0 to 1 for each player"),
        ({"mobility": (0.5,)}, "mobility: (0.5,) is not allowed; from 0 to 1 for each player"),
    ],
)
def test_what_a_game_does_not_take_is_one_line(play, given, said):
    with pytest.raises(bba.BBAError) as caught:
        play(**given)
    assert str(caught.value).startswith(said)
    assert "\n" not in str(caught.value)


def test_numbers_of_numpy_are_numbers():
    trace = bba.play_game(seed=np.int64(3), horizon=np.int32(5), mobility=[np.float32(0.5), 1], fast=False)
    assert (trace.config.seed, trace.config.horizon, trace.config.mobility) == (3, 5, (0.5, 1.0))
    assert bba.Replay(bba.record(trace)).run().config == trace.config


@pytest.mark.parametrize("level", ["skill", "primitive"])
@pytest.mark.parametrize("make", [bba.gym_env, bba.parallel_env])
def test_an_environment_takes_mobility_and_the_timeout_of_skills(make, level):
    def places(mobility, timeout=24):
        env = make("open", level=level, mobility=mobility, skill_timeout=timeout)
        env.reset(seed=3)
        if make is bba.gym_env:
            return env.trace.config.mobility, env.trace.config.skill_timeout
        return env._batch._first.mobility, env._skill_timeout

    own = 1.0 if level == "primitive" else 0.6
    assert places(0.6, 9) == ((own, 0.6 if make is bba.gym_env else own), 9)
    assert places((0.2, 0.3)) == ((0.2, 0.3), 24)


def test_a_fork_goes_on_with_agents_named_as_in_a_game():
    trace = bba.play_game(horizon=30, fast=False)
    for other in ("proagent", bba.load_agent("proagent"), bba.load_agent("proagent").profile):
        assert bba.fork(trace, 10, (other, "switching")).run().config_at(30).agents == ("proagent", "switching")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """An object of each public class, and what each public function returns, by name; those of classes made cheaply."""
    folder = tmp_path_factory.mktemp("made")
    sweep = bba.load_sweep("quick").changed({"layouts": ["open"], "seeds": 3, "horizon": 10})
    kitchen, game = bba.Kitchen("open"), bba.Game(horizon=40)
    trace = game.run()
    encoder, sight = bba.ObservationEncoder("open"), game._now.observation(0)
    with pytest.MonkeyPatch.context() as patch:  # played in this process
        patch.setattr("bba.bench.runner.ProcessEngine", lambda _: ImmediateEngine())
        rows = bba.run_sweep(sweep, folder)
        crossed = bba.crossplay(["bayes", "proagent"], ["switching"], seeds=1, horizon=10)
    results = bba.load_results(folder)
    bba.save(bba.record(trace), folder / "game.bba")
    return {
        "Kitchen": kitchen,
        "KitchenBatch": bba.KitchenBatch("open", 300),
        "Layout": bba.Layout.load("open"),
        "Action": bba.Action.NORTH,
        "Skill": bba.Skill(0),
        "Item": bba.Item(1),
        "parallel_env": bba.parallel_env("open", "skill"),
        "gym_env": bba.gym_env("open"),
        "ROLE_NAMES": bba.ROLE_NAMES,
        "BeliefConfig": bba.BeliefConfig(),
        "FilterConfig": bba.FilterConfig(),
        "GateConfig": bba.GateConfig(),
        "PartnerModel": bba.PartnerModel("open", 1),
        "RoleBelief": bba.RoleBelief,
        "evaluate_belief": bba.evaluate_belief(None, trace),
        "BeliefEvaluation": bba.BeliefEvaluation("mine", ()),
        "pursued_roles": bba.pursued_roles(trace),
        "Agent": bba.Agent,
        "SeatSpec": bba.SeatSpec(),
        "GameSpec": bba.GameSpec(),
        "Decision": trace.ticks[-1].decisions[0],
        "EpisodeContext": trace.config.context(0, fast=False),
        "Observation": sight,
        "ObservationEncoder": encoder,
        "feasible_mask": bba.feasible_mask(encoder.of(kitchen.state)[0]),
        "PolicyAgent": bba.PolicyAgent(lambda _, mask: int(mask.argmax())),
        "scene": bba.scene("open"),
        "prompt_of": [message["role"] for message in bba.prompt_of(bba.scene("open"))],  # the prompt itself is long
        "Profile": trace.config.seats[0],
        "load_agent": bba.load_agent("talents"),
        "Game": game,
        "play_game": trace,
        "Trace": trace,
        "Tick": trace.ticks[-1],
        "fork": bba.fork(trace, 5),
        "record": bba.record(trace),
        "save": None,
        "load": bba.load(folder / "game.bba"),
        "load_data": bba.load_data("pairs"),
        "DataSet": bba.load_data("people"),
        "Replay": bba.Replay(bba.record(trace)),
        "export": None,
        "measure": bba.measure(trace),
        "switches": bba.switches(trace),
        "can_deliver": bba.can_deliver("open"),
        "Switch": bba.Switch(3, "serve", 5, None),
        "load_sweep": sweep,
        "run_sweep": rows[0],
        "crossplay": crossed,
        "load_results": results,
        "sweep_figures": bba.sweep_figures(results.sweeps[0])[0],
        "write_report": bba.write_report(folder),
        "BBAError": bba.BBAError("agent: no agent named 'x'"),
    }


def test_everything_public_is_there_with_a_short_repr(made):
    assert sorted(made) == sorted(bba.__all__)
    columns, most = 100, 20  # 20 lines of a notebook
    lines = {name: sum(1 + len(line) // columns for line in repr(one).split("\n")) for name, one in made.items()}
    assert {name: count for name, count in lines.items() if count > most} == {}
    assert str(made["Trace"]) == "Trace(bayes and switching in open, seed 0: 40 of 40 steps, score 0)"
    assert repr(made["load_results"].sweeps[0]).startswith("StoredSweep('quick': ")
    assert repr(made["Tick"]).startswith("Tick(step=40, score=0, actions=(")


@pytest.mark.parametrize("name", SEVEN)
def test_a_researchers_task_is_at_most_forty_lines(name):
    assert (ROOT / "examples" / f"{name}.py").read_text(encoding="utf-8").count("\n") <= 40


def test_defaults_are_those_that_the_page_says():
    defaults = {
        (name, parameter.name): parameter.default
        for name in bba.__all__
        if callable(getattr(bba, name))
        for parameter in _parameters(getattr(bba, name))
        if parameter.name in ("level", "fast", "mobility") and parameter.default is not parameter.empty
    }
    assert {value for (_, parameter), value in defaults.items() if parameter == "level"} == {"skill"}
    assert {value for (_, parameter), value in defaults.items() if parameter == "mobility"} <= {None, 0.35}
    compiled = {name for (name, parameter), value in defaults.items() if parameter == "fast" and value}
    assert compiled == {"play_game"}
    assert bba.Kitchen("open").mobility == bba.KitchenBatch("open", 1)._first.mobility == (1.0, 1.0)
    assert bba.Game().kitchen.mobility == (0.35, 0.35)


def _parameters(thing):
    try:
        return inspect.signature(thing).parameters.values()
    except ValueError:  # of what Python itself makes, as an error
        return ()


def test_the_old_name_of_a_seat_still_works_and_says_the_new_one():
    with pytest.warns(DeprecationWarning, match="bba.AgentOptions is SeatSpec now"):
        assert bba.AgentOptions is bba.SeatSpec
    with pytest.warns(DeprecationWarning, match="bba.agents.AgentOptions is SeatSpec now"):
        assert importlib.import_module("bba.agents").AgentOptions is bba.SeatSpec


def test_a_game_of_its_specification_is_the_same_game():
    spec = bba.GameSpec("ring", (bba.SeatSpec("bayes", trigger="never"), "proagent"), seed=3, horizon=60, mobility=0.5)
    spelt_out = bba.Game("ring", bba.SeatSpec("bayes", trigger="never"), "proagent", 3, horizon=60, mobility=0.5)
    first, second = bba.Game.of(spec).run(), spelt_out.run()
    assert (first.config, first.score) == (second.config, second.score)
    assert [tick.actions for tick in first.ticks] == [tick.actions for tick in second.ticks]


@pytest.mark.parametrize(("values", "problem"), [({"horizon": 0}, "horizon: 0"), ({"seed": -1}, "seed: -1")])
def test_a_game_that_cannot_be_is_refused_where_it_is_said(values, problem):
    with pytest.raises(bba.BBAError, match=problem):
        bba.GameSpec(**values)


def test_the_old_names_of_what_games_hold_still_work_and_say_their_new_name():
    trace = bba.play_game(horizon=3, fast=False)
    tick = trace.ticks[-1]
    renamed = [
        (trace, "notes", "bookmarks"),
        (tick, "observer_commitment", "observer_commitment_gate"),
        (tick.decisions[0], "commitment", "commitment_gate"),
        (tick.decisions[0], "commits", "deliberate"),
        (tick.observer, "commitment", "stable_updates"),
        (tick.observer, "prior_commitment", "prior_stable_updates"),
    ]
    for holder, old, new in renamed:
        with pytest.warns(DeprecationWarning, match=f"{old} is {new} now"):
            assert getattr(holder, old) == getattr(holder, new)
