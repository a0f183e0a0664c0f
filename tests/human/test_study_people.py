"""How belief and gates follow a study's people: in tables, and in words that say what cannot be concluded."""

import csv

import pytest

from bba.analysis import measure
from bba.analysis.belief_evaluation import evaluate_belief
from bba.analysis.human_choices import pursued_roles
from bba.belief import ROLE_NAMES
from bba.errors import BBAError
from bba.play import Replay, load, play_game, record, save
from human.study.game_data import game_data
from human.study.participant_session import recording_of
from human.study.report_outcomes import beliefs_in_words
from human.study.table_files import write_tables
from human.study.tables import recorded_games, tables_of
from tests.helpers.scripted_people import study_of_scripted_people
from tui import cli


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return study_of_scripted_people(tmp_path_factory.mktemp("people"), people=2)


def test_every_game_has_its_calibration_and_both_gates(folder):
    tables = tables_of(folder)
    for game in tables["games"]:
        gates = [row for row in tables["gates"] if row["participant"] == game["participant"]]
        assert [row["gate"] for row in gates] == ["contradiction", "commitment"]
        assert {row["switches"] for row in gates} == {game["switches"]}
        bins = [row for row in tables["calibration"] if row["participant"] == game["participant"]]
        assert 0 < sum(row["steps"] for row in bins) <= game["steps"]
        assert all(row["low"] <= row["belief"] <= row["low"] + 0.1 + 1e-9 for row in bins)
        assert all(0 <= row["right"] <= 1 for row in bins)


def test_the_page_says_that_few_people_allow_no_conclusion(folder):
    place, _ = write_tables(folder)
    page = (place / "people.md").read_text()
    assert "With 2 people nothing can be concluded about others" in page
    assert "too few people" in page


WRONG = """
import numpy as np

class Wrong:
    def reset(self, context):
        self.context = context
        self.logs = np.zeros(6)

    def observe(self, before, state):
        if before is not None:
            self.logs = 0.9 * self.logs + np.log(self.context.role_likelihoods(before, state))
        return np.where(np.arange(6) == self.logs.argmin(), 0.95, 0.01)
"""


def test_a_belief_of_ones_own_is_compared_on_peoples_games_and_a_wrong_one_is_the_last(folder, tmp_path, capsys):
    (tmp_path / "mine.py").write_text(WRONG, encoding="utf-8")
    name = f"{tmp_path / 'mine.py'}:Wrong"
    assert cli.main(["study-tables", str(folder.path), "--partner-model", name]) == 0
    with (folder.path / "tables" / "beliefs.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["belief"] for row in rows} == {"observer", "agent", name}
    for participant in ("P0", "P1"):
        found = {row["belief"]: row for row in rows if row["participant"] == participant}
        assert len({row["steps"] for row in found.values()}) == 1  # the roles of people are inferred alike for all
        assert max(found, key=lambda belief: float(found[belief]["log_loss"])) == name
        assert min(found, key=lambda belief: float(found[belief]["right"])) == name
        assert found["observer"]["contradiction_needless"] != ""
        assert found["agent"]["contradiction_needless"] == ""
    page = (folder.path / "tables" / "people.md").read_text(encoding="utf-8")
    places = {belief: page.index(f"\n| {belief} |") for belief in ("observer", "agent", name)}
    assert max(places, key=places.__getitem__) == name, "the least log loss is first"
    in_python = evaluate_belief(name, folder.path)
    steps = sum(int(row["steps"]) for row in rows if row["belief"] == name)
    losses = [float(row["log_loss"]) * int(row["steps"]) for row in rows if row["belief"] == name]
    assert in_python.steps == steps
    assert in_python.log_loss == pytest.approx(sum(losses) / steps)
    assert cli.main(["study-tables", str(folder.path), "--partner-model", "nowhere:Wrong"]) == 2
    assert "nowhere:Wrong: no module named nowhere" in capsys.readouterr().err


def test_a_persons_roles_in_python_are_those_of_the_tables(folder):
    rows = [row for row in tables_of(folder)["steps"] if row["participant"] == "P0"]
    trace = Replay(load(recording_of(folder.recordings, "P0", 0))).run()
    names = [None if role < 0 else ROLE_NAMES[role] for role in pursued_roles(trace).tolist()]
    assert names == [row["participant_role"] for row in rows]
    assert any(names)
    of_agent = [None if role < 0 else ROLE_NAMES[role] for role in pursued_roles(trace, 0).tolist()]
    assert of_agent == [row["agent_role"] for row in rows]
    with pytest.raises(BBAError, match="player: 2 is not allowed; 0 or 1"):
        pursued_roles(trace, 2)


def test_a_replay_that_has_not_run_has_nothing_to_measure(folder):
    replay = Replay(load(recording_of(folder.recordings, "P0", 0)))
    with pytest.raises(BBAError, match=r"trace: 0 steps, of which none is measured; a Replay has them after run\(\)"):
        measure(replay.trace)


def rows_of(people):
    calibrations = [
        {"participant": f"P{one}", "low": 0.5, "steps": 100, "belief": 0.55, "right": 0.4 + one / 100}
        for one in range(people)
    ]
    gates = [
        {
            "participant": f"P{one}",
            "gate": gate,
            "switches": 4,
            "caught_10": 1,
            "caught_30": 3,
            "needless": 2,
            "steps": 500,
        }
        for one in range(people)
        for gate in ("contradiction", "commitment")
    ]
    return calibrations, gates


def test_each_person_counts_once_and_six_have_an_interval():
    said = beliefs_in_words(*rows_of(6))
    assert "| commitment gate: share of switches caught within 30 steps | 0.750 | 0.750 to 0.750 | 6 |" in said
    assert "| contradiction gate: needless openings in 1000 steps | 4.000 | 4.000 to 4.000 | 6 |" in said
    assert "| share of steps in which the likeliest role is the pursued one | 0.425 |" in said
    assert "nothing can be concluded" not in said
    assert "0 |" in beliefs_in_words([], [])


def test_excluded_people_are_left_out(tmp_path):
    made = study_of_scripted_people(tmp_path, people=2, steps=30)
    with made.part_of("P0") as part:
        part.exclude("researcher", "ill")
    assert [game.progress.participant for game, _ in recorded_games(made)] == ["P1"]


def test_what_the_tables_reject_is_not_learned_from(tmp_path):
    made = study_of_scripted_people(tmp_path, people=2, steps=30)
    other = play_game(seed=4321, horizon=30, fast=False)
    save(record(other), recording_of(made.recordings, "P0", 0))
    assert [game.problem is None for one in made.everybody() for game in game_data(made, one)] == [False, True]
    assert [game.progress.participant for game, _ in recorded_games(made)] == ["P1"]
