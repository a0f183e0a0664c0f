"""Results name the rule that scored them: those of rule 1 are read under names of their own, and are never mixed."""

import json

import pytest

from bba.agents import SeatSpec
from bba.analysis.measures import EPISODE_MEASURES, RULE_1_NAMES
from bba.bench.episode import RULE_2_MARK, EpisodeResult, code_digest, names_by_rule, scoring_note
from bba.bench.plan import plan_sweep
from bba.bench.results_reader import load_results
from bba.bench.results_store import ResultsStore
from bba.bench.tables import table_blocks
from bba.report.content import table_text
from tests.helpers.old_results import begin_file_of_version_2
from tests.helpers.tiny_sweeps import sweep

OLD_CODE = "5e99a1cfcf1835bf"
RULE_1 = {"reward": 8, "gap_rate": 0.5, "gap_rate_confident": 0.25, "comp_at_3": 0.75, "duplicate_rate": 0.125}
RULE_2 = {**RULE_1, "gap_rate": 0.0, RULE_2_MARK: 0.5}


def stored(folder, *measures_by_code):
    """The only sweep of a folder with an episode for each of these codes."""
    table = {
        "measures": ["reward", "gap_rate", "duplicate_rate"],
        "rows": ["layout"],
        "columns": ["measure"],
        "blocks": [],
    }
    plan = plan_sweep(sweep(agents=["bayes"], layouts=["open"], seeds=len(measures_by_code), table=table), SeatSpec())
    entries = []
    with ResultsStore(folder) as store:
        for entry, episode, (code, measures) in zip(
            plan.entries, plan.episodes.values(), measures_by_code, strict=True
        ):
            played = episode.of_code(code)
            store.save(played, EpisodeResult(measures=measures))
            entries.append(entry._replace(key=played.key))
        store.register(plan.sweep.name, plan.sweep.model_dump_json(), entries)
    (run,) = load_results(folder).sweeps
    return run


def cells(run):
    (block,) = table_blocks(run.sweep, run.entries, run.results)
    (row,) = block.cells
    return {column["measure"]: cell.ours and cell.ours.mean for column, cell in zip(block.columns, row, strict=True)}


@pytest.fixture(params=["of version 3", "of version 2"])
def folder(request, tmp_path):
    if request.param == "of version 2":
        begin_file_of_version_2(tmp_path)
    return tmp_path


def test_the_measures_of_rule_1_are_read_under_names_of_their_own(folder):
    run = stored(folder, (OLD_CODE, RULE_1))
    assert cells(run) == {"reward": 8, "gap_rate_all_points": 0.5, "same_role_rate": 0.125}
    (result,) = run.results.values()
    assert dict(result.measures) == {RULE_1_NAMES.get(name, name): value for name, value in RULE_1.items()}
    assert "1 of 1 episodes were scored by rule 1, whose measures have names of their own" in run.caveats


def test_those_of_rule_2_keep_theirs_also_when_other_code_played_them(folder):
    for code in (code_digest(), "0" * 16):
        run = stored(folder / code, (code, RULE_2))
        assert cells(run)["gap_rate"] == 0.0
        assert "scored by rule 2 (docs/reference/measures.md)" in run.caveats


def test_one_table_never_mixes_the_rules(folder):
    run = stored(folder, (OLD_CODE, RULE_1), (code_digest(), {**RULE_2, "reward": 4}))
    assert cells(run) == {"reward": 6, "gap_rate": 0.0, "duplicate_rate": 0.125}
    assert [row["gap_rate"] for row in run.rows] == [None, 0.0]
    assert [row[RULE_2_MARK] for row in run.rows] == [0.5, 0.5]
    assert "1 of 2 episodes were scored by rule 1, whose measures have names of their own" in run.caveats


def test_tables_that_no_rule_touches_say_nothing_of_it():
    assert scoring_note(("reward", "recovery"), [EpisodeResult(measures=RULE_2)]) == []
    assert scoring_note(("reward",), [EpisodeResult(failure="no luck")]) == []


def test_every_measure_of_rule_1_has_a_name_today_and_marks_rule_2():
    assert set(RULE_1_NAMES.values()) | RULE_1_NAMES.keys() <= EPISODE_MEASURES.keys()
    assert RULE_2_MARK in RULE_1_NAMES.values()
    assert names_by_rule(json.loads('["reward"]'), OLD_CODE) == ("reward",)


def test_a_table_of_rule_1_is_headed_by_it(folder):
    run = stored(folder, (OLD_CODE, RULE_1))
    (block,) = table_blocks(run.sweep, run.entries, run.results)
    headings = [column.heading for column in table_text(run.sweep, block).columns]
    assert "gap rate, all points" in headings
    assert "gap rate" not in headings
