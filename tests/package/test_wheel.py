"""What is built and shipped."""

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


def test_the_unpacked_wheel_plays_a_game_from_any_folder(wheel, tmp_path):
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "import bba; assert bba.__file__.startswith(sys.argv[1]), bba.__file__\n"
        "from bba.play import Game\n"
        "print(len(Game('open', 'bayes', 'switching', horizon=20).run().ticks))\n"
    )
    (tmp_path / "elsewhere").mkdir()
    command = [sys.executable, "-c", program, str(tmp_path / "site")]
    done = subprocess.run(command, cwd=tmp_path / "elsewhere", capture_output=True, text=True, check=True)
    assert done.stdout == "20\n"
