"""The tables of a study: tidy, explained, and the same whenever they are made."""

import csv
import json
import runpy
import sys
from pathlib import Path

import pytest

from bba import tabular
from bba.agents import Controls, HumanAgent
from bba.analysis.coordination import switch_responses
from bba.analysis.human_choices import with_inferred_skills
from bba.analysis.measures import EPISODE_MEASURES, measure
from bba.kitchen.constants import SKILL_NAMES
from bba.play import Game, Replay, load
from bba.play.ticks import step_arrays
from human.study.step_rows import step_rows
from human.study.table_columns import STUDY_TABLES
from human.study.table_files import write_tables
from human.study.tables import tables_of
from tests.helpers.studies import begin_study, play_through
from tests.helpers.typist import Typist
from tui import cli

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """One participant who has done it all, and one who has begin_study a game and no more."""
    made = begin_study(tmp_path_factory.mktemp("study"), agents=["bayes"], horizon=150)
    with made.participation("P1") as part:
        play_through(made, part)
    with made.participation("P2") as part:
        part.begin(part.task, 0)
    return made


@pytest.mark.thorough
def test_every_row_has_the_columns_of_its_table(folder):
    for name, rows in tables_of(folder).items():
        for row in rows:
            assert list(row) == list(STUDY_TABLES[name])


def test_every_value_is_of_its_columns_type(folder):
    kinds = {"int": int, "float": float, "bool": bool, "str": str}
    for name, rows in tables_of(folder).items():
        for row in rows:
            for column, value in row.items():
                assert value is None or type(value) is kinds[STUDY_TABLES[name][column].type], (name, column, value)


def test_a_game_carries_every_measure_of_its_recording(folder):
    first, second = tables_of(folder)["games"]
    trace = with_inferred_skills(Replay(load(folder.recordings / first["recording"])).run())
    assert {name: first[name] for name in EPISODE_MEASURES} == measure(trace)
    assert (second["participant"], second["ended"], second["steps"], second["reward"]) == ("P2", None, 0, None)


@pytest.mark.thorough
def test_a_switch_is_a_row_with_its_delays(tmp_path):
    made = begin_study(tmp_path, agents=["proagent"], horizon=700, questions=[])
    with made.participation("P1") as part:
        from tests.helpers.studies import resumed_session

        session = resumed_session(made, part, part.task)
        typist = Typist(session.game, session.controls[1], ((0, 0), (200, 1), (400, 2)))
        part.begin(part.task, 0)
        while not session.over:
            typist.press()
            session.step()
        part.end(part.task, given_up=False)
        found = switch_responses(step_arrays(with_inferred_skills(session.trace).ticks))
    rows = tables_of(made)["switches"]
    assert len(rows) >= 2
    assert [(row["step"] - 1, row["belief_delay"], row["action_delay"]) for row in rows] == [
        (reaction.start, reaction.noticed, reaction.complemented) for reaction in found
    ]
    assert tables_of(made)["games"][0]["switches"] == len(rows)


def test_a_step_says_whether_a_key_a_skill_or_nothing_moved_the_participant():
    controls = Controls()
    game = Game("open", "switching", HumanAgent(controls), 1, horizon=20)
    skill = SKILL_NAMES.index("GRAB_MEAT")
    for give in (lambda: None, lambda: controls.press(2), lambda: controls.choose(skill), lambda: None):
        give()
        game.step()
    moved = [row["participant_moved_by"] for row in step_rows(with_inferred_skills(game.trace), {})]
    assert moved == [None, "key", "skill", "skill"]


@pytest.mark.thorough
def test_the_command_writes_tables_and_dictionary_and_again_the_same(folder, capsys):
    assert cli.main(["study-tables", str(folder.path)]) == 0
    assert str(folder.path / "tables") in capsys.readouterr().out
    written = {file.name: file.read_bytes() for file in (folder.path / "tables").iterdir()}
    files = {f"{name}{suffix}" for name in STUDY_TABLES for suffix in (".csv", ".parquet")}
    assert files | {"README.md", "people.md", "datapackage.json"} == set(written)
    write_tables(folder)
    assert written == {file.name: file.read_bytes() for file in (folder.path / "tables").iterdir()}


def test_csv_and_parquet_hold_the_same(folder):
    from pyarrow import parquet

    place, _ = write_tables(folder)
    for name, columns in STUDY_TABLES.items():
        with (place / f"{name}.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
        table = parquet.read_table(place / f"{name}.parquet")
        assert table.column_names == list(columns)
        assert [field.metadata[b"description"].decode() for field in table.schema] == [
            column.description for column in columns.values()
        ]
        assert rows == [
            {key: "" if value is None else str(value) for key, value in row.items()} for row in table.to_pylist()
        ]


def test_the_dictionary_explains_every_column(folder):
    text = (write_tables(folder)[0] / "README.md").read_text()
    for name, columns in STUDY_TABLES.items():
        part = text.partition(f"## {name}\n")[2].partition("\n## ")[0]
        assert [line.split("`")[1] for line in part.splitlines() if line.startswith("| `")] == list(columns)
        assert all(column.description for column in columns.values())


def test_without_pyarrow_there_is_csv_alone(folder, monkeypatch):
    made = folder.path / "tables"
    for file in made.glob("*.parquet"):
        file.unlink()
    monkeypatch.setattr(tabular, "find_spec", lambda name: None)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    write_tables(folder)
    assert {file.suffix for file in made.iterdir()} == {".csv", ".md", ".json"}


def test_the_data_package_describes_every_column_of_every_file(folder):
    place, _ = write_tables(folder)
    package = json.loads((place / "datapackage.json").read_text())
    assert [resource["name"] for resource in package["resources"]] == list(STUDY_TABLES)
    for resource in package["resources"]:
        with (place / resource["path"]).open(newline="") as file:
            rows = list(csv.DictReader(file))
        fields = resource["schema"]["fields"]
        assert [field["name"] for field in fields] == list(rows[0] if rows else STUDY_TABLES[resource["name"]])
        for field in fields:
            for row in rows:
                assert_is_of(field, row[field["name"]])


def assert_is_of(field, text):
    match field["type"]:
        case _ if text == "":
            pass
        case "integer":
            int(text)
        case "number":
            float(text)
        case "boolean":
            assert text in (*field["trueValues"], *field["falseValues"])


def test_anonymous_tables_hold_no_code_no_words_and_no_dates(tmp_path):
    made = begin_study(tmp_path, agents=["switching"], horizon=4)
    for code in ("SECRET-77", "K7Q2X"):
        with made.participation(code) as part:
            play_through(made, part)
    assert cli.main(["study-tables", str(made.path), "--anonymous"]) == 0
    place = made.path / "tables-anonymous"
    for file in place.iterdir():
        for secret in (b"SECRET", b"K7Q2X", b"well", str(made.everybody()[0].consented.year).encode() + b"-"):
            assert secret not in file.read_bytes(), (file.name, secret)
    with (place / "answers.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    given = [answer for progress in made.everybody() for answer in progress.answers]
    assert [row["participant"] for row in rows] == ["1", "1", "2", "2"]
    assert [row["score"] for row in rows] == ["4", "", "4", ""]
    consented = made.everybody()[0].consented
    assert float(rows[0]["at"]) == (given[0].at - consented).total_seconds()
    assert not (made.path / "tables").exists()


@pytest.mark.parametrize("anonymous", [False, True])
def test_the_example_analysis_reads_the_tables(folder, anonymous, monkeypatch, capsys):
    place, _ = write_tables(folder, anonymous=anonymous)
    monkeypatch.setattr(sys, "argv", ["analyse_study.py", str(place)])
    runpy.run_path(str(ROOT / "examples" / "analyse_study.py"), run_name="__main__")
    said = capsys.readouterr().out
    assert said.startswith("1 of 2 participants count, with 1 games\nreward with bayes: ")
    assert "fluency, bayes: 4.00, n = 1" in said


def test_a_damaged_recording_is_marked_and_the_other_games_are_there(tmp_path, capsys):
    made = begin_study(tmp_path, horizon=20, questions=[])
    with made.participation("P1") as part:
        play_through(made, part)
    (made.recordings / "P1-game-1.bba").write_bytes(b"no recording")
    assert cli.main(["study-tables", str(made.path)]) == 0
    first, second = tables_of(made)["games"]
    assert (first["steps"], first["reward"], first["ended"] is not None) == (0, None, True)
    assert first["problem"]
    assert (second["problem"], second["steps"], second["reward"]) == (None, 20, 0)
    assert "warning: P1-game-1.bba: " in capsys.readouterr().err


def test_a_recording_of_another_game_is_marked(tmp_path):
    made = begin_study(tmp_path, horizon=20, questions=[])
    with made.participation("P1") as part:
        play_through(made, part)
    one, other = (made.recordings / f"P1-game-{number}.bba" for number in (1, 2))
    one.write_bytes(other.read_bytes())
    assert ["another game" in (row["problem"] or "") for row in tables_of(made)["games"]] == [True, False]


def test_a_folder_that_holds_no_study_is_one_line(tmp_path, capsys):
    assert cli.main(["study-tables", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"bba-tui: {tmp_path}: not the folder of a study: it holds no study.json\n"
