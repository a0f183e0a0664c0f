"""Which cells of a table are the best of those that differ in the agent alone."""

from bba.agents import SeatSpec
from bba.bench.episode import TableEntry
from bba.bench.plan import plan_sweep
from bba.bench.tables import table_blocks
from bba.report.content import table_text
from tests.helpers.tiny_sweeps import outcome, sweep
from tui.results.rows import Rank, place, ranks


def ranked(values, **changes):
    """The ranks of a tiny sweep in which each agent has these measures in every game."""
    plan = plan_sweep(sweep(**changes), SeatSpec())
    results = {entry.key: outcome(**values[entry.agent]) for entry in plan.entries}
    blocks = table_blocks(plan.sweep, plan.entries, results)
    found = ranks(blocks, plan.sweep.table)
    return {dict(where)["agent"].split()[0]: rank for where, rank in found.items()}


def of(measure, *numbers, **changes):
    names = ("bayes", "bayes-no-replan")
    table = {"blocks": [], "rows": ["agent"], "columns": ["measure"], "measures": [measure]}
    values = {name: {measure: number} for name, number in zip(names, numbers, strict=True)}
    return tuple(ranked(values, table=table, **changes).values())


def test_more_is_better_or_less_as_the_measure_says():
    assert of("reward", 50.0, 200.0) == (Rank(0.25), Rank(1.0, best="all"))
    assert of("gap_rate", 0.1, 0.4) == (Rank(0.25, best="all"), Rank(1.0))


def test_of_equals_and_where_neither_is_better_none_is_the_best():
    assert of("reward", 7.0, 7.0) == (Rank(1.0), Rank(1.0))
    assert of("replans", 2.0, 8.0) == (Rank(0.25), Rank(1.0))


def test_negative_means_and_nothing_but_zeros_have_no_bar():
    assert of("reward", -5.0, 10.0) == (Rank(None), Rank(None, best="all"))
    assert of("reward", 0.0, 0.0) == (Rank(None), Rank(None))


def test_only_cells_of_one_kitchen_compete():
    values = {"bayes": {"reward": 10.0}, "bayes-no-replan": {"reward": 20.0}}
    plan = plan_sweep(sweep(layouts=["open", "ring"]), SeatSpec())
    results = {
        entry.key: outcome(reward=values[entry.agent]["reward"] * (1 if entry.layout == "open" else -1))
        for entry in plan.entries
    }
    found = ranks(table_blocks(plan.sweep, plan.entries, results), plan.sweep.table)
    best = set()
    for where, rank in found.items():
        if rank.best == "all":
            best.add((dict(where)["layout"], dict(where)["agent"].split()[0]))
    assert best == {("open", "bayes-no-replan"), ("ring", "bayes")}


def test_the_best_of_all_and_the_best_of_each_kind_that_has_several_are_marked():
    planners = {"proagent": 10.0, "bayes": 20.0}
    learned = {"gamma": 90.0, "talents": 40.0}
    assert marks(planners | learned) == {"gamma": "all", "bayes": "kind"}
    assert marks(planners | {"gamma": 5.0}) == {"bayes": "all"}
    assert marks({"proagent": 20.0, "bayes": 20.0, "gamma": 90.0}) == {"gamma": "all"}, "equals have no best"


def marks(rewards):
    """The marks of agents in one kitchen that earn these rewards."""
    made = sweep(agents=list(rewards), table={"blocks": [], "rows": ["agent"], "columns": ["measure"]})
    entries = [TableEntry(name, None, "open", "switching", "switching", "default", 0, name) for name in rewards]
    results = {name: outcome(reward=reward) for name, reward in rewards.items()}
    (block,) = table_blocks(made, entries, results)
    text = table_text(made, block)
    assert [row[1].best for row in text.rows] == [cells[0].best for cells in block.cells]
    return {row["agent"]: cells[0].best for row, cells in zip(block.rows, block.cells, strict=True) if cells[0].best}


def test_a_mean_over_agents_competes_with_none():
    table = {"blocks": [], "rows": ["agent"], "columns": ["group"], "margins": True}
    made = plan_sweep(sweep(table=table), SeatSpec())
    results = {entry.key: outcome(reward=float(entry.agent == "bayes")) for entry in made.entries}
    (block,) = table_blocks(made.sweep, made.entries, results)
    assert [[cell.best for cell in row] for row in block.cells] == [["all", "all"], ["", ""], ["", ""]]
    assert len(ranks([block], made.sweep.table)) == 4


def test_differences_are_not_ranked():
    paired = {"paired": ["bayes", "bayes-no-replan"], "blocks": ["measure"], "rows": ["layout"], "columns": ["group"]}
    plan = plan_sweep(sweep(table=paired), SeatSpec())
    results = {entry.key: outcome(reward=1.0) for entry in plan.entries}
    blocks = table_blocks(plan.sweep, plan.entries, results)
    assert blocks[0].cells[0][0].ours is not None
    assert ranks(blocks, plan.sweep.table) == {}


def test_a_place_is_the_same_however_the_headings_are_split():
    assert place({"agent": "a", "layout": "b"}) == place({"layout": "b"}, {"agent": "a"})
