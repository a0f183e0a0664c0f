"""Which cells of a table are the best of those that differ in the agent alone."""

from bba.agents import SeatSpec
from bba.bench.plan import plan_sweep
from bba.bench.tables import table_blocks
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
    assert of("reward", 50.0, 200.0) == (Rank(0.25), Rank(1.0, best=True))
    assert of("gap_rate", 0.1, 0.4) == (Rank(0.25, best=True), Rank(1.0))


def test_of_equals_and_where_neither_is_better_none_is_the_best():
    assert of("reward", 7.0, 7.0) == (Rank(1.0), Rank(1.0))
    assert of("replans", 2.0, 8.0) == (Rank(0.25), Rank(1.0))


def test_negative_means_and_nothing_but_zeros_have_no_bar():
    assert of("reward", -5.0, 10.0) == (Rank(None), Rank(None, best=True))
    assert of("reward", 0.0, 0.0) == (Rank(None), Rank(None))


def test_only_cells_of_one_kitchen_compete():
    values = {"bayes": {"reward": 10.0}, "bayes-no-replan": {"reward": 20.0}}
    plan = plan_sweep(sweep(layouts=["open", "ring"]), SeatSpec())
    results = {
        entry.key: outcome(reward=values[entry.agent]["reward"] * (1 if entry.layout == "open" else -1))
        for entry in plan.entries
    }
    found = ranks(table_blocks(plan.sweep, plan.entries, results), plan.sweep.table)
    best = {(dict(where)["layout"], dict(where)["agent"].split()[0]) for where, rank in found.items() if rank.best}
    assert best == {("open", "bayes-no-replan"), ("ring", "bayes")}


def test_differences_are_not_ranked():
    paired = {"paired": ["bayes", "bayes-no-replan"], "blocks": ["measure"], "rows": ["layout"], "columns": ["group"]}
    plan = plan_sweep(sweep(table=paired), SeatSpec())
    results = {entry.key: outcome(reward=1.0) for entry in plan.entries}
    blocks = table_blocks(plan.sweep, plan.entries, results)
    assert blocks[0].cells[0][0].ours is not None
    assert ranks(blocks, plan.sweep.table) == {}


def test_a_place_is_the_same_however_the_headings_are_split():
    assert place({"agent": "a", "layout": "b"}) == place({"layout": "b"}, {"agent": "a"})
