"""Tables on results that were made up by hand."""

import re
import tomllib
from pathlib import Path

import pytest
from scipy import stats

from bba.agents import SeatSpec
from bba.bench.episode import EpisodeResult, TableEntry
from bba.bench.formatting import agents_note, cell_text, paper_note, spread_note, without_planner
from bba.bench.plan import plan_sweep
from bba.bench.presets import Sweep, load_sweep
from bba.bench.tables import table_blocks
from bba.errors import BBAError
from tests.helpers.tiny_sweeps import sweep


def result(**measures):
    return EpisodeResult(measures={"reward": 0, "gap_rate": None} | measures, seconds=1.0)


def played(made, reward):
    """Results in which `reward` says what each entry earned."""
    return {entry.key: result(reward=reward(entry)) for entry in made.entries}


def test_a_cell_is_the_mean_over_seeds_of_the_mean_over_partners():
    made = plan_sweep(sweep(partners={"g": ["switching", "proagent"]}, agents=["bayes"]), SeatSpec())
    worth = {("switching", 0): 10, ("proagent", 0): 30, ("switching", 1): 0, ("proagent", 1): 8}
    (block,) = table_blocks(made.sweep, made.entries, played(made, lambda entry: worth[entry.partner, entry.seed]))
    assert block.title == {"measure": "reward"}
    assert block.rows == [{"layout": "open", "group": "g"}]
    assert block.columns == [{"agent": "bayes (scripted planner)"}]
    ours = block.cells[0][0].ours
    assert (ours.mean, ours.sd, ours.n) == (12, 8, 2)


def test_missing_episodes_are_counted_and_left_out():
    made = plan_sweep(sweep(agents=["bayes"], seeds=3), SeatSpec())
    results = {
        made.entries[0].key: result(reward=4),
        made.entries[1].key: EpisodeResult(failure="no luck"),
    }
    cell = table_blocks(made.sweep, made.entries, results)[0].cells[0][0]
    assert (cell.ours.mean, cell.ours.n, cell.missing) == (4, 1, 2)
    nothing = table_blocks(made.sweep, made.entries, {})[0].cells[0][0]
    assert (nothing.ours, nothing.missing) == (None, 3)


def test_a_measure_with_nothing_to_count_is_not_missing():
    made = plan_sweep(sweep(agents=["bayes"], table={"measures": ["gap_rate"]}), SeatSpec())
    cell = table_blocks(made.sweep, made.entries, played(made, lambda _: 1))[0].cells[0][0]
    assert (cell.ours, cell.missing) == (None, 0)


def test_paired_differences_match_partner_and_seed():
    table = {"blocks": [], "rows": ["layout"], "columns": ["measure"], "paired": ["bayes", "bayes-no-replan"]}
    made = plan_sweep(sweep(table=table), SeatSpec())
    earned = {("bayes", 0): 10, ("bayes", 1): 20, ("bayes-no-replan", 0): 7, ("bayes-no-replan", 1): 22}
    results = played(made, lambda entry: earned[entry.agent, entry.seed])
    (block,) = table_blocks(made.sweep, made.entries, results)
    ours = block.cells[0][0].ours
    assert (ours.mean, ours.n) == (0.5, 2)
    assert (ours.low, ours.high) == pytest.approx(stats.ttest_1samp([3, -2], 0).confidence_interval())
    del results[made.entries[0].key]
    cell = table_blocks(made.sweep, made.entries, results)[0].cells[0][0]
    assert (cell.ours.mean, cell.ours.n, cell.missing) == (-2, 1, 1)


@pytest.mark.parametrize("agents", [["bayes", "bayes-no-replan"], ["bayes-no-replan", "bayes"]])
def test_a_difference_is_named_as_it_is_taken_in_whatever_order_the_agents_stand(agents):
    table = {"blocks": [], "rows": ["layout"], "columns": ["measure"], "paired": ["bayes-no-replan", "bayes"]}
    made = plan_sweep(sweep(agents=agents, table=table), SeatSpec())
    assert agents_note(made.sweep, made.entries) == ["bayes-no-replan (scripted planner) − bayes (scripted planner)"]


def entries(preset, agents, groups, planner="scripted"):
    """Cases of a preset, whatever its partners need."""
    return [
        TableEntry(agent, planner, layout, group, partner, "default", 0, f"{agent}{layout}{partner}")
        for agent in agents
        for layout in preset.layouts
        for group in groups
        for partner in preset.partners[group]
    ]


def test_the_preprints_number_stands_beside_ours():
    preset = load_sweep("table1")
    found = entries(preset, ["bayes"], ["G1", "G2"])
    block = table_blocks(preset, found, {entry.key: result(reward=100) for entry in found})[0]
    assert block.title == {"measure": "reward", "group": "G1"}
    assert block.columns[0] == {"layout": "open"}
    paper = block.cells[0][0].paper
    assert (paper.model, paper.mean, paper.sd) == ("gpt-4o", 1533, 410)
    newer = table_blocks(preset, entries(preset, ["bayes"], ["G1"], "openai:gpt-5.2"), {})[0].cells[0][0].paper
    assert (newer.model, newer.mean) == ("gpt-5.2", 1485)


def test_groups_are_taken_together_where_the_preprint_does():
    preset = load_sweep("mechanism")
    found = entries(preset, ["bayes"], list(preset.partners))
    block = table_blocks(preset, found, {})[0]
    assert block.rows[-1] == {"layout": "forced_coordination", "group": "all"}
    assert len(block.rows) == 7
    assert block.cells[-1][0].missing == 12
    assert block.cells[-1][0].paper.mean == 0.61


def test_the_second_table_has_a_mean_over_all_groups_of_each_kitchen_and_the_preprints_beside_it():
    preset = load_sweep("rq2")
    found = entries(preset, ["bayes", "proagent"], list(preset.partners))
    accuracy = {"G1": 0.9, "G2": 0.5, "G3": 0.4}
    results = {entry.key: result(skill_accuracy=accuracy[entry.group]) for entry in found}
    blocks = table_blocks(preset, found, results)
    assert [block.title["measure"] for block in blocks] == list(preset.table.measures)
    assert blocks[0].rows == [{"layout": name} for name in preset.layouts]
    for block in blocks:
        assert all(cell.paper is not None for row in block.cells for cell in row)
    cell = blocks[0].cells[0][0]
    assert (cell.ours.mean, cell.ours.n, cell.paper.mean) == (pytest.approx(0.6), 1, 0.79)


def test_br_prox_is_the_share_of_what_the_partners_own_policy_earns_with_it():
    preset = load_sweep("table1").changed({"layouts": ["open"]})
    found = entries(preset, ["bp", "bayes"], ["G1"])
    earned = dict(zip(preset.partners["G1"], (100, 200, 400, 0), strict=True))
    results = {c.key: result(reward=earned[c.partner] if c.agent == "bp" else 50) for c in found}
    tables = {block.title["measure"]: block for block in table_blocks(preset, found, results)}
    assert [cells[0].ours.mean for cells in tables["br_prox"].cells] == pytest.approx([1, 7 / 24])  # 1/2 1/4 1/8
    assert tables["br_prox"].cells[1][0].ours.n == 3, "a best response that earns nothing says nothing"
    alone = table_blocks(preset, found[4:], {})
    assert [block.title["measure"] for block in alone] == ["reward"], "no best response is known"


def test_a_cross_play_ends_with_the_means_of_its_rows_and_columns_over_seeds():
    names = ["bayes", "proagent"]
    table = {"blocks": ["layout"], "rows": ["agent"], "columns": ["group"], "margins": True}
    made = plan_sweep(sweep(agents=names, partners={name: [name] for name in names}, table=table), SeatSpec())
    worth = {("bayes", "bayes"): 10, ("bayes", "proagent"): 20, ("proagent", "bayes"): 30, ("proagent", "proagent"): 60}
    results = played(made, lambda entry: worth[entry.agent, entry.partner] + 2 * entry.seed * (entry.agent == "bayes"))
    (block,) = table_blocks(made.sweep, made.entries, results)
    assert block.columns == [{"group": "bayes"}, {"group": "proagent"}, {"group": "Mean over P1"}]
    assert block.rows[-1] == {"agent": "Mean over P0"}
    means = [[cell.ours.mean for cell in row] for row in block.cells]
    assert means == [[11, 21, 16], [30, 60, 45], [20.5, 40.5, 30.5]]
    assert [row[-1].ours.sd for row in block.cells] == [1, 0, 0.5]
    assert {cell.ours.n for row in block.cells for cell in row} == {2}
    del results[made.entries[0].key]
    (block,) = table_blocks(made.sweep, made.entries, results)
    assert [row[-1].missing for row in block.cells] == [1, 0, 1]
    assert [cell.missing for cell in block.cells[-1]] == [1, 0, 1]


def test_margins_of_the_preprint_are_the_means_of_its_cells_and_said_to_be_computed():
    preset = load_sweep("crossplay")
    block = table_blocks(preset, entries(preset, ["bayes", "gamma"], list(preset.partners)), {})[0]
    of_row = block.cells[0][-1].paper
    assert (of_row.mean, of_row.sd, of_row.computed) == (pytest.approx(1067.4), None, True)
    assert block.cells[-1][0].paper.mean == pytest.approx((720.3 + 608.3) / 2)
    assert cell_text(block.cells[0][-1], "reward").paper == "1067, computed"
    assert paper_note([block])[1] == "computed: the mean of the preprint's values in this row or column"


def test_margins_need_agents_in_rows_and_groups_in_columns():
    with pytest.raises(BBAError, match="margins: are for rows of agents and columns of groups alone"):
        load_sweep("crossplay").changed({"table": {"margins": True}})
    assert "margins" not in load_sweep("table1").model_dump_json()


def test_every_preset_makes_its_tables_with_switching_in_the_groups_place(tmp_path):
    """In the tables are the agents that there are: here none that learned."""
    options = SeatSpec(weights=tmp_path)
    for name, shape in {
        "triggers": (2, 3, 4),
        "sensitivity": (1, 12, 3),
        "crossplay": (2, 3, 2),
        "switch": (3, 9, 11),
    }.items():
        made = plan_sweep(load_sweep(name).changed({"partners": {"switching": ["switching"]}, "seeds": 1}), options)
        found = table_blocks(made.sweep, made.entries, {})
        assert (len(found), len(found[0].rows), len(found[0].columns)) == shape, name


# --- several pairs -----------------------------------------------------------------------------------------------
THREE = ["bayes", "bayes-no-replan", "proagent"]


def earned(entry):
    """What each agent earns in the games of three seeds."""
    return 10 * len(entry.agent) + (entry.seed + len(entry.agent)) % 3


def rows_of(block):
    return [row.get("agent") for row in block.rows]


def test_a_table_can_have_all_pairs_below_the_means_each_with_an_interval_over_seeds():
    table = {"rows": ["agent"], "columns": ["layout"], "paired": "all", "means": True}
    made = plan_sweep(sweep(agents=THREE, layouts=["open", "ring"], seeds=3, table=table), SeatSpec())
    means, differences = table_blocks(made.sweep, made.entries, played(made, earned))
    names = [f"{name} (scripted planner)" for name in THREE]
    assert (rows_of(means), means.differences) == (names, False)
    pairs = [f"{names[0]} − {names[1]}", f"{names[0]} − {names[2]}", f"{names[1]} − {names[2]}"]
    assert (rows_of(differences), differences.differences) == (pairs, True)
    shown = means.cells[0][0]
    assert (shown.ours.low, shown.ours.high) == pytest.approx(stats.ttest_1samp([50, 51, 52], 0).confidence_interval())
    assert cell_text(shown, "reward").text == "51 [49, 53]"
    lead = differences.cells[0][0]
    by_hand = stats.ttest_1samp([-100 + 2, -100 - 1, -100 - 1], 0).confidence_interval()
    assert (lead.ours.low, lead.ours.high) == pytest.approx(by_hand)
    assert lead.pair == (names[0], names[1])
    assert cell_text(lead, "reward").text.startswith("-100 [")
    assert [cell.best for row in differences.cells for cell in row] == [""] * 6
    assert "nothing is resampled" in spread_note(made.sweep)


def test_a_file_can_name_several_pairs_and_one_pair_beside_an_axis_of_agents():
    several = [["bayes", "proagent"], ["bayes-no-replan", "proagent"]]
    made = plan_sweep(sweep(agents=THREE, table={"rows": ["layout"], "paired": several}), SeatSpec())
    entries_of_sweep = without_planner(made.entries)
    (block,) = table_blocks(made.sweep, entries_of_sweep, played(made, earned))
    assert [column["agent"] for column in block.columns] == ["bayes − proagent", "bayes-no-replan − proagent"]
    made = plan_sweep(sweep(agents=THREE, table={"paired": ["proagent", "bayes"]}), SeatSpec())
    (block,) = table_blocks(made.sweep, without_planner(made.entries), played(made, earned))
    assert [column["agent"] for column in block.columns] == ["proagent − bayes"]


def test_measures_in_rows_or_columns_need_no_word_of_blocks():
    made = sweep(table={"rows": ["layout"], "columns": ["measure"], "paired": ["bayes", "bayes-no-replan"]})
    assert made.table.blocks == ()


def test_an_older_definition_stays_the_same_text():
    definition = sweep(table={"paired": ["bayes", "bayes-no-replan"]}).model_dump_json()
    assert '"paired":["bayes","bayes-no-replan"]' in definition
    assert "means" not in definition


ROOT = Path(__file__).parents[2]


def test_the_recipe_of_paired_tables_shows_means_and_both_pairs():
    made = plan_sweep(load_sweep(ROOT / "examples/paired.toml").changed({"seeds": 2}), SeatSpec())
    means, differences = table_blocks(made.sweep, without_planner(made.entries), played(made, earned))
    assert [column["agent"] for column in means.columns] == ["bayes", "bayes-no-replan", "without a belief"]
    assert [column["agent"] for column in differences.columns] == [
        "bayes − bayes-no-replan",
        "bayes − without a belief",
    ]
    assert len(differences.rows) == 4
    assert all(cell.ours.low is not None for row in [*means.cells, *differences.cells] for cell in row)


def test_the_sweep_of_the_page_about_benchmarks_is_one():
    page = (ROOT / "docs/use/benchmarks.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    values = tomllib.loads(text) | {"name": "page", "layouts": ["ring", "open"]}
    assert Sweep.model_validate(values).table.blocks == ("measure", "layout")
