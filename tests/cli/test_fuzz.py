"""Damaged and hostile inputs of every kind: the command ends with 0 or 2 and one line, and leaves nothing behind."""

import gzip
import json
import os
import resource
import shutil
import sqlite3
import sys
import tomllib
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from multiprocessing import get_context
from pathlib import Path

import pytest

from bba.bench.results_store import RESULTS_FILE
from bba.files import data_dir
from tests.helpers.damaged_inputs import TEXTS, as_json, as_toml, chance_of, damaged_bytes, damaged_text, damaged_value
from tui.arguments.options import OPTION_FIELDS
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
    file = folder / "out" / RESULTS_FILE
    file.parent.mkdir()
    shutil.copy(FORMATS / "sweep" / RESULTS_FILE, file)
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
    return ["bundle", "all.zip", "--results", "out"]


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
NAMES = [name for name in OPTION_FIELDS if name not in (*SLOW, "export", "record", "bundle", "new_agent", "horizon")]


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


def try_inputs(home, kind, number):
    """Gives the command so many inputs of this kind, each in a folder of its own.

    Returns:
        The most memory that this process has had so far, in MiB.
    """
    for seed in range(number):
        folder = home / str(seed)
        folder.mkdir()
        with pytest.MonkeyPatch.context() as changes, redirect_stdout(StringIO()), redirect_stderr(StringIO()) as said:
            changes.chdir(folder)
            changes.setattr("tui.commands.game_screen.show", lambda *_, **__: None)
            changes.setattr("tui.commands.game_screen.open_app", lambda *_, **__: None)
            kept = {name: value for name, value in os.environ.items() if not name.startswith("BBA_")}
            changes.setattr(os, "environ", kept | {"HOME": str(home)})
            arguments = KINDS[kind](folder, chance_of(kind, seed))
            before = set(folder.rglob("*"))
            try:
                code = main(arguments)
            except SystemExit as ended:
                code = ended.code
        check(seed, arguments, code, said.getvalue())
        assert left_behind(folder, before) == [], seed
        shutil.rmtree(folder)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def check(seed, arguments, code, said):
    assert code in (0, 2), (seed, arguments, said)
    assert "Traceback" not in said, (seed, said)
    if code == 2:
        problems = [line for line in said.splitlines() if line.startswith("bba-tui: ")]
        assert len(problems) == 1, (seed, said)
        assert len(said.splitlines()[-1]) < 1000, (seed, said)


@pytest.mark.parametrize("kind", KINDS)
def test_whatever_is_damaged_the_command_ends_with_one_line(tmp_path, kind):
    try_inputs(tmp_path, kind, 5)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_twenty_thousand_damaged_inputs_end_with_one_line_in_little_memory(tmp_path, kind):
    """They have a process of their own, because the tests before them have had more memory."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as fresh:
        assert fresh.submit(try_inputs, tmp_path, kind, 20_000 // len(KINDS)).result() < 300
