"""The table of a trace: every column is there, documented, and says what the trace says."""

import io
import json

import pytest
from pyarrow import parquet

from bba.agents import SeatSpec, load_agent
from bba.analysis.human_choices import role_changes
from bba.analysis.trace_columns import COMPARISON_COLUMNS
from bba.analysis.trace_table import TRACE_COLUMNS, rows, to_jsonl, to_parquet
from bba.belief import CONDITIONS, ROLE_NAMES
from bba.config import BeliefConfig, FilterConfig, GateConfig
from bba.errors import BBAError
from bba.film.formats import StepRange
from bba.kitchen import constants
from bba.play import Game
from bba.play.ticks import step_arrays
from tests.helpers.comparisons import compared_game

STEPS = 400  # this game has replans in steps 71 and 157
TYPES = {"int": int, "float": float, "bool": bool, "str": str}


@pytest.fixture(scope="module")
def trace():
    return Game("open", "bayes", "switching", 2, horizon=STEPS).run()


@pytest.fixture(scope="module")
def table(trace):
    return list(rows(trace))


@pytest.mark.thorough
def test_every_row_has_exactly_the_documented_columns_with_values_of_their_types(table):
    assert len(table) == STEPS
    for row in table:
        assert list(row) == list(TRACE_COLUMNS)
        for name, value in row.items():
            assert value is None or type(value) is TYPES[TRACE_COLUMNS[name].type], name


def test_no_column_is_always_empty_but_those_of_what_a_scripted_partner_lacks(table):
    empty = {name for name in TRACE_COLUMNS if all(row[name] is None for row in table)}
    player = {name for name in empty if not name.startswith("p1_")}
    of_policies = {"p0_chance", "p0_cluster", "p0_cluster_weight"}
    of_rollouts = {f"p0_{name}" for name in COMPARISON_COLUMNS} | {"p0_value_gate_opens"}
    of_types = {f"{player}_{column}" for player in ("p0", "obs") for column in ("locked", "by_propensity")}
    of_scores = {"p0_plan_chance", "p0_plan_entropy"}
    notes = {"note", "p0_scheduled_role", "p0_note", "p0_problem"}
    assert player == notes | of_policies | of_rollouts | of_types | of_scores


def test_switches_stand_in_the_step_in_which_they_began(trace, table):
    changes = role_changes(step_arrays(trace.ticks))
    began = [change.start + 1 for change in changes]
    assert [row["step"] for row in table if row["switched"]] == began != []
    named = [(change.start + 1, ROLE_NAMES[change.role]) for change in changes]
    assert [(row["step"], row["switched_to"]) for row in table if row["switched_to"]] == named
    put_down = [row for row in table if row["switched"] and row["p1_role"] == "stage_pass"]
    assert put_down, "a game with a switch that begins with putting down"
    assert "stage_pass" not in {row["switched_to"] for row in put_down}
    assert all((row["replan"] is None) == (not row["p0_replanned"]) for row in table)
    assert all((row["switched"] is None) == (row["p1_role"] is None) for row in table)


def test_what_a_policy_weighed_and_takes_its_partner_for_is_in_the_table():
    trace = Game("open", "talents", "bp:G1-1", 0, horizon=60, fast=True).run()
    for tick, row in zip(trace.ticks, rows(trace), strict=True):
        for number in (0, 1):
            told = tick.decisions[number].policy
            assert row[f"p{number}_chance"] == told.probabilities[tick.skills[number]] > 0
        weights = tick.decisions[0].policy.clusters
        assert (row["p0_cluster"], row["p0_cluster_weight"]) == (weights.index(max(weights)) + 1, max(weights))
        assert (row["p1_cluster"], row["p1_cluster_weight"]) == (None, None)


def test_what_a_planner_compared_is_in_the_table_in_the_steps_in_which_it_was_asked():
    trace = compared_game()
    table = list(rows(trace))
    asked = [row for row in table if row["p0_compared"] is not None]
    assert [row["step"] for row in asked] == [tick.step for tick in trace.ticks if tick.decisions[0].comparison]
    names = [name for name in table[0] if name.startswith(("p0_compared", "p0_assumed"))]
    chop, boil = "GO_TO_CHOP_BOARD_AND_CHOP_INGREDIENT", "GO_TO_POT_AND_BOIL_RICE"
    assert [[row[name] for name in names] for row in asked] == [
        [3, chop, 600.0, 0.0, 0.0, None, None],
        [3, chop, 612.25, 12.25, 3.5, boil, 0.71],
    ]


def test_a_row_says_what_the_trace_says(trace, table):
    for step, (tick, row) in enumerate(zip(trace.ticks, table, strict=True), start=1):
        scene = trace.scene(step)
        assert (row["step"], row["score"], row["reward"]) == (step, scene.score, tick.reward)
        assert (row["dirty_plates"], row["deliveries"], row["orders"]) == (
            scene.dirty_plates,
            scene.deliveries,
            len(scene.orders),
        )
        for number, player in enumerate(scene.players):
            own = {name.removeprefix(f"p{number}_"): value for name, value in row.items()}
            assert ((own["x"], own["y"]), own["facing"], own["held"]) == (player.position, player.facing, player.held)
            assert own["action"] == constants.ACTION_NAMES[tick.actions[number]]
            assert own["skill"] == constants.SKILL_NAMES[tick.skills[number]]
            assert (own["age"], own["chosen"]) == (tick.ages[number], tick.decisions[number].chosen)


def test_belief_and_gate_are_those_of_the_decision(trace, table):
    for tick, row in zip(trace.ticks[1:], table[1:], strict=True):
        belief, gate = tick.decisions[0].belief, tick.decisions[0].gate
        assert tuple(row[f"p0_belief_{role}"] for role in ROLE_NAMES) == belief.posterior
        assert (row["p0_map"], row["p0_confidence"]) == (ROLE_NAMES[belief.map_index], belief.confidence)
        assert (row["p0_prior_map"], row["p0_contradiction_likelihood"]) == (
            ROLE_NAMES[belief.prior_map],
            belief.contradiction_likelihood,
        )
        assert all(row[f"p0_gate_{name}"] == getattr(gate, name) for name in CONDITIONS)
        assert (row["p0_gate_opens"], row["p0_blocked_by"]) == (gate.opens, gate.blocked_by)
    assert table[0]["p0_gate_opens"] is None
    assert [row["step"] for row in table if row["p0_replanned"]] == [71, 157]


def test_the_shares_of_the_measures_can_be_had_from_the_table(trace, table):
    from bba.analysis.measures import measure

    measures = measure(trace)
    match = [row["obs_match"] for row in table if row["obs_match"] is not None]
    assert sum(match) / len(match) == pytest.approx(measures["skill_accuracy"])
    same = [row["duplicate"] for row in table if row["duplicate"] is not None]
    assert sum(same) / len(same) == pytest.approx(measures["same_role_rate"])


def test_a_belief_over_skills_is_summed_up_by_role_and_names_its_skill():
    options = SeatSpec(belief_config=BeliefConfig(filter=FilterConfig(psi="skills"), gate=GateConfig()))
    game = Game("open", load_agent("bayes", options), load_agent("switching"), horizon=30)
    for row in rows(game.run()):
        assert sum(row[f"p0_belief_{role}"] for role in ROLE_NAMES) == pytest.approx(1)
        assert row["p0_map"] in constants.SKILL_NAMES
        assert row["obs_map"] in ROLE_NAMES


def test_parameters_that_change_on_the_way_change_in_the_table():
    game = Game("open", "bayes", "switching", horizon=20)
    for _ in range(10):
        game.step()
    belief_config = game.trace.config.belief_config
    game.reconfigure(0, belief_config.changed({"theta_obs": 0.5}))
    assert [row["p0_theta_obs"] for row in rows(game.run())] == [0.04] * 10 + [0.5] * 10


@pytest.mark.thorough
def test_json_lines_give_the_rows_back(trace, table):
    lines = to_jsonl(trace, range(1, STEPS + 1)).decode().splitlines()
    assert [json.loads(line) for line in lines] == table


@pytest.mark.thorough
def test_parquet_gives_the_rows_back_with_types_descriptions_and_setup(trace, table):
    read = parquet.read_table(io.BytesIO(to_parquet(trace, range(1, STEPS + 1))))
    assert read.to_pylist() == table
    assert read.schema.names == list(TRACE_COLUMNS)
    arrow = {"int": "int64", "float": "double", "bool": "bool", "str": "string"}
    for name, column in TRACE_COLUMNS.items():
        field = read.schema.field(name)
        assert str(field.type) == arrow[column.type]
        assert field.metadata[b"description"].decode() == column.description
    config = json.loads(read.schema.metadata[b"bba.setup"])
    assert (config["layout"]["name"], config["seats"][0]["belief_config"]["gate"]["theta_obs"]) == ("open", 0.04)


def test_a_part_of_the_steps_can_be_taken(trace, table):
    lines = to_jsonl(trace, StepRange.parse("100:110:5").of(STEPS)).decode().splitlines()
    assert [json.loads(line) for line in lines] == [table[99], table[104], table[109]]


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("100:300", range(100, 301)),
        ("100:300:2", range(100, 301, 2)),
        ("390:", range(390, 401)),
        (":3", range(1, 4)),
        ("::200", range(1, 401, 200)),
        ("7", range(7, 8)),
        (" 390:900 ", range(390, 401)),
    ],
)
def test_a_span_is_written_as_first_last_and_every(text, steps):
    assert StepRange.parse(text).of(STEPS) == steps


@pytest.mark.parametrize("text", ["", ":x", "a:b", "1:2:3:4", "0:5", "5:3", "1:5:0", "-1:5", "9" * 8, "１:２", "1\n:2"])
def test_a_span_that_is_none_is_one_line(text):
    with pytest.raises(BBAError) as error:
        StepRange.parse(text)
    assert "\n" not in str(error.value)


def test_steps_that_were_not_played_are_named():
    with pytest.raises(BBAError, match="no step 401 to export; the game has 400"):
        StepRange.parse("401:500").of(STEPS)
