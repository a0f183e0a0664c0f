"""What is built and shipped."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_holds_every_config_and_asset(wheel):
    inside = set(zipfile.ZipFile(wheel).namelist())
    shipped = [file for folder in ("configs", "assets") for file in (ROOT / folder).rglob("*") if file.is_file()]
    assert shipped
    assert {f"bba/data/{file.relative_to(ROOT)}" for file in shipped} <= inside


def test_the_wheel_holds_the_table_of_keys(wheel):
    assert "human/keymap.csv" in zipfile.ZipFile(wheel).namelist()


def test_the_metadata_of_the_wheel_say_where_faults_are_reported(wheel):
    archive = zipfile.ZipFile(wheel)
    (metadata,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
    assert "\nProject-URL: Issues, https://" in archive.read(metadata).decode()


def test_the_wheel_declares_that_its_packages_are_typed(wheel):
    inside = set(zipfile.ZipFile(wheel).namelist())
    assert {f"{package}/py.typed" for package in ("bba", "tui", "human")} <= inside


@pytest.fixture(scope="module")
def unpacked(wheel, tmp_path_factory) -> Path:
    """The folder of the unpacked wheel, as `site-packages` would be."""
    folder = tmp_path_factory.mktemp("site")
    zipfile.ZipFile(wheel).extractall(folder)
    return folder


def run_from(unpacked, elsewhere, *command) -> str:
    """Runs Python with the unpacked wheel, in a folder that is no checkout; returns what it printed."""
    environment = os.environ | {"PYTHONPATH": str(unpacked)}
    done = subprocess.run(
        [sys.executable, *command], cwd=elsewhere, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_unpacked_wheel_plays_a_game_from_any_folder_and_has_the_recordings(unpacked, tmp_path):
    program = (
        f"import bba; assert bba.__file__.startswith({str(unpacked)!r}), bba.__file__\n"
        "from bba.play import Game\n"
        "print(len(Game('open', 'bayes', 'switching', horizon=20).run().ticks))\n"
        "print(len(bba.load_data('pairs')))\n"
    )
    assert run_from(unpacked, tmp_path, "-c", program) == "20\n24\n"


def test_the_unpacked_wheel_reproduces_a_number_into_a_folder_of_results(unpacked, tmp_path):
    run_from(unpacked, tmp_path, "-m", "tui.cli", "reproduce", "intervals", "--arguments", "--experiments 2")
    table = tmp_path / "results" / "reproduced" / "data" / "intervals.csv"
    assert table.read_text("utf-8").startswith("kitchens,partners,seeds,")
    listed = run_from(unpacked, tmp_path, "-m", "tui.cli", "list")
    assert f"{unpacked}/bba/data/configs/prompts" in listed


def test_an_example_runs_with_the_unpacked_wheel_outside_a_checkout(unpacked, tmp_path):
    shutil.copy(ROOT / "examples" / "own_partner.py", tmp_path)
    assert "beside Washer" in run_from(unpacked, tmp_path, "own_partner.py")
