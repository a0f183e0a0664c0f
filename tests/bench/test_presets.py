"""Sweeps as data: the shipped ones, a user's own, and what is said about mistakes."""

import pytest

from bba.bench.preprint_values import paper_values
from bba.bench.presets import load_sweep, sweep_names
from bba.errors import BBAError
from benchmarks import commitment
from benchmarks.leaderboard import CARD_COLUMNS
from benchmarks.presets import PRESETS
from tui.commands.score_card import CARD_MEASURES

SHIPPED = [
    "ablation",
    "backbones",
    "commitment",
    "crossplay",
    "crossplay-models",
    "knowledge",
    "mechanism",
    "paired",
    "propensities",
    "quick",
    "rq2",
    "sensitivity",
    "switch",
    "table1",
]
SHIPPED += ["triggers"]

MINE = """
title = "Mine"
agents = ["bayes", "proagent"]
layouts = ["open"]
[partners]
friends = ["switching"]
"""


def test_every_benchmark_of_the_preprint_and_ours_is_shipped():
    assert sweep_names() == SHIPPED
    assert all(load_sweep(name).name == name for name in SHIPPED)


@pytest.mark.parametrize("name", SHIPPED)
def test_what_thrashing_maximises_stands_beside_what_it_costs(name):
    measures = load_sweep(name).table.measures
    assert "needless_replans" in measures or not any(measure.startswith("reached") for measure in measures)


def test_no_published_list_has_reached_in_30_alone():
    for measures in (CARD_COLUMNS, CARD_MEASURES, commitment.MEASURES, *PRESETS.values()):
        assert "needless_replans" in measures or "reached_30" not in measures


@pytest.mark.thorough
def test_every_value_of_the_preprint_has_a_place_in_its_preset():
    for value in paper_values().values():
        preset = load_sweep(value.table)
        assert preset.paper == value.table
        assert value.layout in preset.layouts
        assert value.group in {*preset.partners, "all"}
        assert (value.group == "all") == (value.layout in preset.table.pool)
        assert value.measure in preset.table.measures
        assert value.variant in [variant.label for variant in preset.variants]
        assert set(value.agent.split(" - ")) <= {ego.agent for ego in preset.agents}


def test_the_values_are_those_of_the_preprint():
    assert len(paper_values()) == 366
    best = {value.measure: value.mean for value in paper_values().values() if value.variant == "theta_obs 0.04"}
    assert best == {"reward": 1533, "replans": 2.0, "gap_rate": 0.17}
    paired = [value for value in paper_values().values() if value.table == "paired" and value.group == "all"]
    assert [(value.mean, value.low, value.high) for value in paired] == [(2, -5, 9), (-0.05, -0.13, 0.03)]


def test_the_second_table_is_of_the_games_of_the_mechanism_and_means_over_groups():
    by_group, by_kitchen = load_sweep("mechanism"), load_sweep("rq2")
    table = {"name": by_group.name, "title": by_group.title, "paper": by_group.paper, "table": by_group.table}
    assert by_kitchen.model_copy(update=table) == by_group
    assert [value.mean for value in paper_values().values() if value.table == "rq2" and value.layout == "ring"] == [
        *(0.71, 0.28, 0.54, 0.23),
        *(0.71, 0.38, 0.43, 0.3),
    ]


def test_a_users_own_sweep_is_a_file(tmp_path):
    (tmp_path / "mine.toml").write_text(MINE)
    sweep = load_sweep(str(tmp_path / "mine.toml"))
    assert (sweep.name, sweep.seeds, sweep.horizon) == ("mine", 5, 2400)
    assert sweep.partners == {"friends": ("switching",)}


def test_a_variant_is_called_by_what_it_changes():
    labels = [variant.label for variant in load_sweep("sensitivity").variants]
    assert labels[:4] == ["theta_obs 0.02", "theta_obs 0.04", "theta_obs 0.06", "gamma_conf 0.55"]
    assert load_sweep("quick").variants[0].label == "default"


WRONG = [
    ("horizont = 3\n" + MINE, "horizont: unknown key; the nearest is horizon"),
    ('title = "x"\n', "agents: missing"),
    (MINE.replace('"proagent"', '"bayse"'), "agents: no agent named 'bayse'; the nearest is bayes"),
    (MINE.replace('"proagent"', '"human"'), "agents: no agent named 'human'"),
    (MINE.replace('"switching"', '"swiching"'), "partners: no agent named 'swiching'"),
    (MINE.replace('"open"', '"moon"'), "layouts: layout: no layout named 'moon'"),
    (MINE.replace('["open"]', "[]"), "layouts: Tuple should have at least 1 item"),
    ("seeds = 0\n" + MINE, "seeds: Input should be greater than or equal to 1"),
    (MINE + '[table]\nmeasures = ["joy"]', "table.measures.0: no measure named 'joy'; none of "),
    (MINE + '[table]\nrows = ["agent"]', "table: blocks, rows, columns: agent stands there twice"),
    (MINE + '[table]\ncolumns = ["layuot"]', "table.columns.0: Input should be 'agent', 'layout'"),
    (
        MINE + '[table]\npaired = ["bayes", "proagnet"]',
        "table.paired: proagnet is not among the agents; the nearest is p",
    ),
    (MINE + '[table]\npaired = ["bayes"]', 'table.paired: takes two agents, as ["bayes", "proagent"], a list of such'),
    (MINE + "[table]\nmeans = true", "table: means: stand above pairs; add paired, as paired"),
    (MINE + '[table]\npaired = "all"\ncolumns = ["measure"]', "table: several pairs of agents, but no axis for agents"),
    (MINE + '[table]\nblocks = []\nmeasures = ["reward", "replans"]', "table: blocks, rows, columns: several measures"),
    (MINE + "[partner_settings.freinds]\nmobility = 0.1", "partner_settings: no group named 'freinds'"),
    (MINE + "[[variants]]\ntheta_obs = 2", "variants.0.theta_obs: Input should be less than or equal to 1"),
    (MINE + "[[variants]]\n[[variants]]", "variants: two have the same name"),
    (MINE + "[[variants]]\n[[variants]]\nfloor = 0.1", "table: several variants, but no axis for them"),
    ("title = ", "not valid TOML"),
]


@pytest.mark.parametrize(("text", "message"), WRONG, ids=[message for _, message in WRONG])
def test_a_mistake_is_named_with_file_and_key(tmp_path, text, message):
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(BBAError) as caught:
        load_sweep(str(path))
    assert str(caught.value).startswith(f"{path}: {message}")
    assert "\n" not in str(caught.value)


def test_an_unknown_name_lists_the_nearest_sweeps():
    with pytest.raises(BBAError, match="no benchmark is named 'quik'; the nearest is quick"):
        load_sweep("quik")
