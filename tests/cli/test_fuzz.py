"""Damaged and hostile inputs of every kind: the command ends with 0 or 2 and one line, and leaves nothing behind."""

import gzip
import json
import os
import resource
import shutil
import sqlite3
import sys
import tomllib
from pathlib import Path

import pytest

from bba.bench.results_store import FILE
from bba.resources import data_dir
from bba.settings import Settings
from tests.helpers.damaged_inputs import TEXTS, as_json, as_toml, chance_of, damaged_bytes, damaged_text, damaged_value
from tui.cli import main

FORMATS = Path(__file__).parents[1] / "formats"
GAME = ["--headless", "--horizon", "3"]
PLAYED = ["--headless", "--replay", "game.bba"]
SWEEP = """title = "A tiny sweep"
agents = [ "bayes" , { agent = "proagent" } ]
layouts = [ "open" ]
seeds = 2
horizon = 30
variants = [ { likelihood_scale = 0.5 } , { name = "slow" , cooldown = 20 , mobility = 0.2 } ]
[partners]
switching = [ "switching" ]
[table]
rows = [ "variant" , "group" ]
columns = [ "agent" ]
measures = [ "reward" , "gap_rate" ]
"""
CONFIG = 'agent = "bayes"\nhorizon = 3\nseed = 4\ntheta_obs = 0.06\ncooldown = 5\nmobility = 0.5\nspeed = 10\n'


def recording(folder, chance):
    packed = (FORMATS / "recording-v3.bba").read_bytes()
    if chance.randrange(3) == 0:
        (folder / "game.bba").write_bytes(damaged_bytes(packed, chance))
    else:
        data = json.loads(gzip.decompress(packed))
        if chance.randrange(2):
            data["players"][0]["calls"] = [[0, CALL]]
            data["texts"] = ["system", "question", "answer"]
        (folder / "game.bba").write_bytes(gzip.compress(as_json(damaged_value(data, chance)), 1))
    return [*PLAYED, "--json", *(["--export", "x.jsonl"] if chance.randrange(2) else [])]


CALL = {"kind": "plan", "texts": [0, 1], "response": 2, "attempts": 1, "turns": 0, "skill": 3, "intention": 4}


def store(folder, chance):
    file = folder / "out" / FILE
    file.parent.mkdir()
    shutil.copy(FORMATS / "sweep" / FILE, file)
    if chance.randrange(2):
        file.write_bytes(damaged_bytes(file.read_bytes(), chance))
    else:
        table = chance.choice(("episodes", "sweeps", "entries", "claims"))
        with sqlite3.connect(file) as database:
            column = chance.choice([row[1] for row in database.execute(f"PRAGMA table_info({table})")])
            value = chance.choice([*TEXTS, -1, 0, 1e300, 2**62, b"\xff\xfe"])
            try:
                database.execute(f"UPDATE OR IGNORE {table} SET {column} = ?", (value,))
            except sqlite3.IntegrityError:
                database.execute(f"UPDATE {table} SET {column} = {column} || 'x'")
    return ["--bundle", "all.zip", "--results", "out"]


def text_file(name, text, *arguments):
    values = tomllib.loads(text)

    def made(folder, chance):
        hostile = as_toml(damaged_value(values, chance)) if chance.randrange(4) else damaged_text(text, chance)
        (folder / name).write_bytes(hostile)
        return list(arguments)

    return made


def weights(folder, chance):
    shipped = data_dir("assets/weights") / "bp-G1-1-open.safetensors"
    (folder / shipped.name).write_bytes(damaged_bytes(shipped.read_bytes(), chance))
    return [*GAME, "--partner", "bp:G1-1", "--weights", "."]


SLOW = (
    "serve",
    "study",
    "train",
    "train_steps",
    "out",
    "exam",
    "check_partners",
    "check_agent",
    "sweep",
    "seeds",
    "futures",
)
NAMES = [
    name for name in Settings.model_fields if name not in (*SLOW, "export", "record", "bundle", "new_agent", "horizon")
]


def options(_, chance):
    name = chance.choice(NAMES).replace("_", "-")
    return [*GAME, f"--{name}", *([chance.choice(TEXTS)] if chance.randrange(8) else [])]


def variables(_, chance):
    os.environ[f"BBA_{chance.choice(NAMES).upper()}"] = chance.choice(TEXTS).replace("\0", "") or "-1"
    return GAME


LAYOUT = (data_dir("configs/layouts") / "open.toml").read_text()
KINDS = {
    "recordings": recording,
    "stores": store,
    "layouts": text_file("mine.toml", LAYOUT, *GAME, "--layout", "mine.toml"),
    "sweeps": text_file("mine.toml", SWEEP, "--headless", "--sweep", "mine.toml", "--dry-run"),
    "weights": weights,
    "configs": text_file("mine.toml", CONFIG, *GAME, "--config", "mine.toml"),
    "options": options,
    "variables": variables,
}


def left_behind(folder, before):
    """Files that are neither input nor a whole output."""
    return [file.name for file in folder.rglob("*") if file not in before and file.name.startswith(".")]


@pytest.fixture
def home(tmp_path, monkeypatch):
    for name in [name for name in os.environ if name.startswith("BBA_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("tui.cli._open", lambda _: None)
    return tmp_path


@pytest.mark.parametrize("number", [5, pytest.param(2500, marks=pytest.mark.long)])
@pytest.mark.parametrize("kind", KINDS)
def test_whatever_is_damaged_the_command_ends_with_one_line(home, monkeypatch, capsys, kind, number):
    for seed in range(number):
        folder = home / str(seed)
        folder.mkdir()
        monkeypatch.chdir(folder)
        with pytest.MonkeyPatch.context() as changes:
            changes.setattr(os, "environ", os.environ.copy())
            arguments = KINDS[kind](folder, chance_of(kind, seed))
            before = set(folder.rglob("*"))
            try:
                code = main(arguments)
            except SystemExit as ended:
                code = ended.code
        said = capsys.readouterr().err
        assert code in (0, 2), (seed, arguments)
        assert "Traceback" not in said
        if code == 2:
            assert sum(line.startswith("bba-tui: ") for line in said.splitlines()) == 1, (seed, said)
            assert len(said.splitlines()[-1]) < 1000, (seed, said)
        assert left_behind(folder, before) == [], seed
        shutil.rmtree(folder)
    if sys.platform == "linux" and number > 1000:
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 300 * 1024
