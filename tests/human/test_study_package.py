"""The package for reviewers: its script makes the report's tables to the last digit, and nothing in it identifies."""

import ast
import csv
import io
import json
import random
import re
import runpy
import shutil
import subprocess
import sys
import zipfile
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from scipy import stats

from bba.files import data_dir
from bba.kitchen import Layout
from bba.play import load, save
from bba.settings import GameOptions
from bba.tabular import to_csv
from human.study import PlatformIds, PlayTask, StudyFolder, report
from human.study.folder import BegunStudy, terms_of
from human.study.preregistration import PREREGISTRATION_FILE, preregistration
from human.study.report import page, report_tables, tables_in_words
from human.study.table_columns import STUDY_TABLES, table_columns
from human.study.table_files import FOLDERS, FREE_TEXT, PRIVATE_COLUMNS, TIMES, anonymous_columns, data_package
from human.study.tables import tables_of
from tests.helpers.command_line import no_settings_from_outside, run  # noqa: F401 - a fixture for every test here
from tests.helpers.secrets_search import assert_nowhere
from tests.helpers.studies import plan, resumed_session
from tui.cli import main

ROOT = Path(__file__).parents[2]
QUESTIONS = [
    {"name": "age", "text": "How old are you?", "type": "number", "when": "start"},
    {"name": "fluency", "text": "Fluent | or \\ not?", "ends": ["no", "yes"]},
    {"name": "trust", "text": "Trust?", "labels": ["none", "some", "all"]},
    {"name": "effort", "text": "Effort?", "type": "slider", "ends": ["low", "high"]},
    {"name": "load", "text": "Load?", "type": "slider"},
    {"name": "check", "text": "Choose 2.", "type": "scale", "points": 3, "expect": 2},
    {"name": "style", "text": "How was it?", "type": "choice", "choices": ["fast", "slow", "odd | even"]},
    {"name": "liked", "text": "What did you like?", "type": "choices", "choices": ["food", "fire"], "when": "end"},
    {"name": "remarks", "text": "Anything?", "when": "end"},
]
SCORES = [
    {"name": "score_load", "text": "load", "items": ["effort", "load"], "reversed": ["load"], "range": [0, 100]},
    {"name": "score_wide", "text": "wide", "items": ["fluency", "trust"], "method": "sum", "range": [2, 8]},
]
ANSWERS = {"scale": 2, "slider": 61, "number": 33.0, "choice": "slow", "choices": ("food", "fire")}
WORDS, REASON, BOOKMARK = "my name is Ada Canary", "telephoned from Canary Street", "Ada was here"
IDS = PlatformIds(participant="5f0c0ffee0c0ffee0c0ffee0", study="60d15ea5e0d15ea5e0d15ea5", session="SESS-canary-1")
CODES = ["K7Q2X", "W1-ADACANARY1", "P07"]
SECRETS = [
    *CODES,
    WORDS,
    REASON,
    BOOKMARK,
    *IDS.model_dump(exclude_none=True).values(),
    "C1AB2CD3",
    "example.org",
    "/home",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Three people: one complete, one excluded by hand, one whose second game is damaged; and who names a folder."""
    home = tmp_path_factory.mktemp("home") / "home" / "ada"
    home.mkdir(parents=True)
    shutil.copy(ROOT / "configs/layouts/ring.toml", home / "mine.toml")
    online = {"endings": {"finished": {"code": "C1AB2CD3", "redirect": "https://example.org/done"}}}
    changes = {
        "layouts": [str(home / "mine.toml")],
        "horizon": 30,
        "questions": QUESTIONS,
        "scores": SCORES,
        "online": online,
    }
    terms = terms_of(GameOptions(weights=home / "weights", base_url="https://models.example.org/ada"))
    made = StudyFolder.begin(home.parent.parent / "results", plan(**changes), terms)
    for code in CODES:
        with made.participation(code, IDS if code.startswith("W1") else None) as part:
            part.log.note("joined", detail="80x24")
            _play_through(made, part)
    with made.part_of("K7Q2X") as part:
        part.exclude("researcher", REASON)
    (made.recordings / "P07-game-2.bba").write_bytes(b"no recording")
    first = made.recordings / "P07-game-1.bba"
    save(load(first).with_bookmarks({3: BOOKMARK}), first)
    (made.path / "LICENSE").write_text("CC BY 4.0\n")
    (made.path / PREREGISTRATION_FILE).write_text(preregistration(made.study))
    return made


def test_the_scripts_quantile_of_students_distribution_is_scipys():
    quantile = runpy.run_path(str(data_dir("assets/study") / "analysis.py"))["student_quantile"]
    assert [quantile(freedom) for freedom in range(1, 300)] == pytest.approx(stats.t.ppf(0.975, range(1, 300)))


def _play_through(folder, part) -> None:
    while (task := part.task) is not None:
        if isinstance(task, PlayTask):
            session = resumed_session(folder, part, task)
            part.begin(task, 0)
            while not session.over:
                session.step()
            part.end(task, given_up=False)
        else:
            part.answer(task, ANSWERS.get(task.question.type, WORDS))


@pytest.fixture(scope="module")
def packed(folder, tmp_path_factory):
    """The file of the package, and what the command has said."""
    file, said = tmp_path_factory.mktemp("packed") / "one.zip", (io.StringIO(), io.StringIO())
    with redirect_stdout(said[0]), redirect_stderr(said[1]):
        code = main(["study", "package", str(folder.path), "--out", str(file)])
    out, err = (one.getvalue() for one in said)
    assert code == 0, err
    return file, out, err


@pytest.fixture(scope="module")
def place(packed, tmp_path_factory):
    """The package, unpacked in an empty folder; not to be changed."""
    empty = tmp_path_factory.mktemp("unpacked")
    zipfile.ZipFile(packed[0]).extractall(empty)
    return empty


def analysed(place, capsys, monkeypatch, *options):
    """What the script of a package says, run in this process, and its exit code."""
    monkeypatch.setattr(sys, "argv", ["analysis.py", *options])
    with pytest.raises(SystemExit) as left:
        runpy.run_path(str(place / "analysis.py"), run_name="__main__")
    out, err = capsys.readouterr()
    assert err == ""
    return left.value.code, out


def test_unpacked_in_an_empty_folder_its_script_makes_the_tables_of_the_report(folder, packed, place, monkeypatch):
    _, out, err = packed
    assert "unpacked, its tables: python analysis.py" in out
    assert "P07-game-2.bba: " in err
    command = [sys.executable, "-I", "analysis.py"]  # a process of its own, without this program
    done = subprocess.run(command, cwd=place, capture_output=True, text=True, encoding="utf-8", check=False, env={})
    assert (done.returncode, done.stderr) == (0, "")
    tables = tables_of(folder)
    assert done.stdout == FOLDERS.sub("", tables_in_words(folder.study, tables))
    assert done.stdout == (place / "tables.md").read_text(encoding="utf-8")
    monkeypatch.setattr(report, "figures", lambda *_: ())  # their titles are not those of the tables
    shown = re.sub(r"\s+", " ", page(folder, tables).replace("&#39;", "'"))
    made = report_tables(folder.study, tables)
    assert all(made.values())
    for found in [found for listed in made.values() for found in listed]:
        assert found.title in shown
        assert all(f">{cell.text}<" in shown for row in found.rows for cell in row)


def test_the_script_says_whether_a_figure_has_moved(place, tmp_path, capsys, monkeypatch):
    place = shutil.copytree(place, tmp_path / "changed")
    assert analysed(place, capsys, monkeypatch, "--check") == (0, "the tables are those of tables.md\n")
    games = (place / "data" / "games.csv").read_text().splitlines()
    column = games[0].split(",").index("deliveries")
    cells = games[3].split(",")
    games[3] = ",".join([*cells[:column], str(int(cells[column]) + 1), *cells[column + 1 :]])
    (place / "data" / "games.csv").write_text("\n".join(games) + "\n")
    assert analysed(place, capsys, monkeypatch, "--check") == (1, "the tables differ from tables.md\n")


def test_the_script_needs_numpy_and_nothing_of_this_program():
    tree = ast.parse((data_dir("assets/study") / "analysis.py").read_text(encoding="utf-8"))
    names = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    names |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert names - set(sys.stdlib_module_names) == {"numpy"}


def test_nothing_that_identifies_is_in_the_package(folder, place):
    searched = assert_nowhere(place, SECRETS)
    assert {"answers.csv", "study.json", "1-game-1.bba", "3-game-1.bba", "facts.txt"} <= searched
    content = b"".join(file.read_bytes() for file in place.rglob("*") if file.is_file())
    year = str(folder.everybody()[0].consented.year).encode()
    assert year + b"-" not in content
    for secret in (WORDS, REASON, *CODES):
        assert secret in b"".join(file.read_bytes() for file in folder.path.rglob("*.json")).decode()


def test_every_column_is_explained_and_those_that_identify_are_left_out():
    identifying = PRIVATE_COLUMNS | {"participant", "recording"} | TIMES
    # Of each new column: does it tell who somebody is? Then it belongs to PRIVATE_COLUMNS or TIMES, else here.
    harmless = re.compile(
        "number|group|order|consent_version|stages|games_ended|answers|pair|seat|tries|excluded|simulated|complete|game|"
        "layout|agent|planner|seed|hints|speed|horizon|interruptions|given_up|steps|step|key|decided|seconds|undone|role|"
        "belief_delay|action_delay|why|when|question|block|type|text|score|chosen|as_expected|position|changes|event|"
        "who|detail|ending|page|try|low|belief|right|log_loss|calibration_error|gate|switches|openings|"
        "(contradiction|commitment)_(needless|caught_30)|caught_10|caught_30|needless"
    )
    from bba.analysis.measures import measure_columns
    from human.study.step_rows import STEP_COLUMNS

    columns = {name for table in STUDY_TABLES.values() for name in table}
    computed = {*measure_columns(), *STEP_COLUMNS}  # from the recorded game
    assert {name for name in columns - identifying - computed if not harmless.fullmatch(name)} == set()
    kept = {name for table in anonymous_columns(STUDY_TABLES, free_text=True).values() for name in table}
    assert kept & PRIVATE_COLUMNS == FREE_TEXT


def test_the_package_holds_codebook_plan_versions_recordings_and_licence(folder, place):
    codebook = (place / "data" / "README.md").read_text()
    for name, columns in anonymous_columns(table_columns(folder.study)).items():
        with (place / "data" / f"{name}.csv").open(newline="") as file:
            assert next(csv.reader(file)) == list(columns)
        assert all(f"`{column}`" in codebook for column in columns)
    begun = BegunStudy.model_validate_json((place / "study" / "study.json").read_text().replace("mine.toml", "ring"))
    assert (begun.questions, begun.online.endings) == (folder.study.questions, {})
    layout = Layout.model_validate_json((place / "study" / "kitchens" / "mine.json").read_text())
    assert layout == Layout.load("ring")
    with (place / "data" / "games.csv").open(newline="") as file:
        games = {row["recording"]: row for row in csv.DictReader(file)}
    recorded = {file.name for file in (place / "recordings").iterdir()}
    assert set(games) - recorded == {"3-game-2.bba"}
    assert all(load(place / "recordings" / name).steps == int(games[name]["steps"]) for name in recorded)
    assert (place / "study" / "LICENSE").read_text() == "CC BY 4.0\n"
    facts = (place / "study" / "facts.txt").read_text()
    assert "preregistration: this study is as it was preregistered\n" in facts
    assert (place / "study" / PREREGISTRATION_FILE).read_text() == (place / "study" / "plan.md").read_text()
    assert (place / "LICENSE-analysis.txt").read_text() == (ROOT / "LICENSE").read_text()
    assert {"bba", "python", "numpy", "code"} <= {line.split()[0] for line in (place / "versions.txt").open()}
    listed = set(re.findall(r"^\| `([\w./*-]+)`", (place / "README.md").read_text(), re.MULTILINE))
    there = {str(file.relative_to(place)) for file in place.rglob("*") if file.is_file()}
    assert not {
        name
        for name in there
        if name != "README.md" and not any(Path(name).match(one) or name.startswith(one) for one in listed)
    }


def test_free_text_is_kept_where_it_is_asked_for_and_is_searched(folder, tmp_path, capsys):
    command = ["study", "package", str(folder.path), "--free-text", "--out", str(tmp_path / "one.zip")]
    assert run(capsys, *command)[0] == 0
    with zipfile.ZipFile(tmp_path / "one.zip") as packed:
        assert WORDS in packed.read("data/answers.csv").decode()
        assert REASON in packed.read("data/participants.csv").decode()
    # What an answer tells stands in no recording; without them no game need be played again.
    shutil.copytree(folder.path, tmp_path / "copy", ignore=shutil.ignore_patterns("*.bba"))
    file = tmp_path / "copy" / "participants" / "P07.json"
    for told in ("ada@canary.org", "I am P07", "from 192.0.2.17", "since 2026-01-02T03:04"):
        file.write_text((folder.path / "participants" / "P07.json").read_text().replace(WORDS, told))
        command = ["study", "package", str(tmp_path / "copy"), "--free-text", "--out", str(tmp_path / "two.zip")]
        code, out, err = run(capsys, *command)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert "two.zip: not written: data/answers.csv would hold " in err
        assert not (tmp_path / "two.zip").exists()


def test_the_same_study_gives_the_same_bytes_and_no_file_is_written_over(folder, packed, tmp_path, capsys):
    command = ["study", "package", str(folder.path), "--out"]
    (tmp_path / "one.zip").write_text("other")
    code, _, err = run(capsys, *command, str(tmp_path / "one.zip"))
    assert (code, err) == (2, f"bba-tui: --out: {tmp_path / 'one.zip'} exists; --force writes over it\n")
    assert (tmp_path / "one.zip").read_text() == "other"
    assert run(capsys, *command, str(tmp_path / "one.zip"), "--force")[0] == 0
    assert (tmp_path / "one.zip").read_bytes() == packed[0].read_bytes()
    for arguments, message in (
        ([], "study package: name the file with --out FILE.zip"),
        (["--out", str(tmp_path / "none" / "x.zip")], "--out: "),
    ):
        code, out, err = run(capsys, "study", "package", str(folder.path), *arguments)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert message in err
    assert "not the folder of a study" in run(capsys, "study", "package", str(tmp_path), "--out", "x.zip")[2]


def made_up(study, people, rng):
    """Tables of a study that nobody played: random values of every kind, missing ones among them."""
    tables = {name: [] for name in STUDY_TABLES}

    def add(table, **values):
        tables[table].append(dict.fromkeys(STUDY_TABLES[table]) | values)

    def maybe(value):
        return None if rng.random() < 0.2 else value

    conditions = [(agent, hints, speed) for agent in study.agents for hints in (True, False) for speed in (5.0, 10.5)]
    for number in range(people):
        who = {"participant": str(number + 1)}
        out, whole = maybe(None) or rng.choice([None] * 5 + ["attention, idle"]), rng.random() < 0.8
        order = " ".join(f"open/{agent}" for agent, _, _ in conditions)
        add("participants", **who, number=number, order=order, practised=maybe(3.5), excluded=out, complete=whole)
        for game, (agent, hints, speed) in enumerate(rng.sample(conditions, len(conditions)), 1):
            about = {**who, "game": game, "layout": rng.choice(["open", "ring"]), "agent": agent}
            figures = {
                name: rng.uniform(-3, 60) for name in ("recovery", "detection_delay", "gap_rate", "duplicate_rate")
            }
            figures |= {
                name: rng.randrange(90) for name in ("reward", "deliveries", "orders_expired", "switches", "replans")
            }
            ended = {"ended": maybe(90.25), "given_up": rng.random() < 0.1, "interruptions": rng.randrange(2)}
            measured = {name: maybe(value) for name, value in figures.items()}
            add("games", **about, hints=hints, speed=speed, recording=maybe("1-game-1.bba"), **ended, **measured)
            add("pauses", **about, seconds=maybe(rng.uniform(0, 9)))
            add("events", **about, event=rng.choice(["blur", "focus"]))
            for low in range(0, 10, rng.randrange(1, 4)):
                share = {"belief": rng.random(), "right": rng.random()}
                add("calibration", **about, low=low / 10, steps=rng.randrange(1, 80), **share)
            for gate in ("contradiction", "commitment"):
                counts = {
                    name: rng.randrange(4) for name in ("switches", "caught_10", "caught_30", "needless", "steps")
                }
                add("gates", **about, gate=gate, **counts)
            for asked in study.questions:
                after = asked.when == "after-game"
                beside = {"game": game, "agent": agent} if after else {}
                answer = {"score": maybe(rng.randrange(1, 4))} if asked.type in ("scale", "slider") else {}
                answer |= {"number": rng.uniform(18, 70)} if asked.type == "number" else {}
                answer |= {"chosen": maybe(" | ".join(rng.sample(asked.choices, 1)))} if asked.choices else {}
                right = None if asked.expect is None else answer.get("score") == asked.expect
                if after or game == 1:
                    add("answers", **who, **beside, question=asked.name, as_expected=right, **answer)
    return tables


@pytest.mark.parametrize(("people", "seed"), [(0, 0), (1, 1), (5, 2), (14, 3)])
def test_the_script_makes_the_tables_of_any_data(people, seed, tmp_path, capsys, monkeypatch):
    factors = {"hints": [True, False], "speed": [5, 10.5]}
    study = plan(agents=["bayes", "proagent"], factors=factors, questions=QUESTIONS, tutorial=bool(seed % 2))
    tables = made_up(study, people, random.Random(seed))
    (tmp_path / "data").mkdir()
    (tmp_path / "study").mkdir()
    files = {f"{name}.csv": to_csv(rows, STUDY_TABLES[name]).encode() for name, rows in tables.items()}
    for name, content in files.items():
        (tmp_path / "data" / name).write_bytes(content)
    (tmp_path / "data" / "datapackage.json").write_text(json.dumps(data_package(study, STUDY_TABLES, files)))
    (tmp_path / "study" / "study.json").write_text(study.model_dump_json(by_alias=True))
    shutil.copy(data_dir("assets/study") / "analysis.py", tmp_path)
    for row in tables["games"]:
        row["problem"] = "damaged" if row["recording"] is not None and row["reward"] is None else None
    code, said = analysed(tmp_path, capsys, monkeypatch)
    assert (code, said) == (0, tables_in_words(study, tables))
    assert (" to " in said) == (people >= 14)
