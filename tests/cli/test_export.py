"""``--export``: a game, or a recorded one, becomes a file, whole or not at all."""

import io
import json
import os
import re
import subprocess
import sys

import pytest
from PIL import Image
from pyarrow import parquet

from tests.helpers.command_line import no_settings_from_outside, run  # noqa: F401 - a fixture for every test here
from tui.export import formats as exporting

SHORT = ["--horizon", "30"]


@pytest.mark.parametrize("suffix", [".gif", ".cast", ".svg", ".jsonl", ".parquet"])
def test_the_end_of_the_name_decides_and_a_replay_gives_the_same_bytes(capsys, tmp_path, suffix):
    code, out, err = run(capsys, *SHORT, "--record", "game.bba", "--export", f"played{suffix}")
    said = "playing open, bayes with switching, seed 0 …\nrecorded in game.bba; watch it: bba-tui replay game.bba\n"
    assert (code, err) == (0, f"{said}wrote played{suffix}\n")
    assert "30 steps" in out
    code, _, err = run(capsys, "export", f"again{suffix}", "--replay", "game.bba")
    assert (code, err) == (0, f"wrote again{suffix}\n")
    played = (tmp_path / f"played{suffix}").read_bytes()
    assert played
    assert (tmp_path / f"again{suffix}").read_bytes() == played


@pytest.mark.thorough
def test_export_steps_takes_a_part_and_a_film_has_a_speed_of_its_own(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("BBA_SPEED", "50")
    run(capsys, *SHORT, "--export", "part.gif", "--export-steps", "11:20:2", "--film-speed", "20")
    film = Image.open(io.BytesIO((tmp_path / "part.gif").read_bytes()))
    assert (film.n_frames, film.info["duration"]) == (5, 100)
    run(capsys, *SHORT, "--export", "whole.gif")
    assert Image.open(io.BytesIO((tmp_path / "whole.gif").read_bytes())).info["duration"] == 100, "not the game's speed"
    run(capsys, *SHORT, "--export", "part.jsonl", "--export-steps", "11:20:2")
    lines = (tmp_path / "part.jsonl").read_text().splitlines()
    assert [json.loads(line)["step"] for line in lines] == [11, 13, 15, 17, 19]


def test_a_summary_in_json_stays_one_object_beside_an_export(capsys, tmp_path):
    _, out, _ = run(capsys, *SHORT, "--headless", "--json", "--export", "game.parquet")
    assert json.loads(out)["horizon"] == 30
    assert parquet.read_table(tmp_path / "game.parquet").num_rows == 30


WRONG = [
    (["--export", "game.bmp"], "--export: game.bmp: cannot tell the format; the name must end in .gif, .png, .cast"),
    (["--export", "game"], "--export: game: cannot tell the format"),
    (["--export", "no/such/game.gif"], "--export: no/such is not a folder that can be written to"),
    (["--export", "."], "--export: .: cannot tell the format"),
    (["--headless", "--export", "game.gif", "--seeds", "2"], "--export: takes one game; --seeds asks for 2"),
    (["--export", "game.gif", "--export-steps", "x"], "--export-steps: 'x' is not FIRST:LAST or FIRST:LAST:EVERY"),
    (["--export", "game.gif", "--export-steps", "9:2"], "--export-steps: '9:2' must count from 1, forward"),
    (["--export", "a.gif", "--export-steps", "31:"], "--export-steps: there is no step 31 to export; the game has 30"),
]


@pytest.mark.parametrize(
    ("arguments", "message"), WRONG, ids=lambda value: " ".join(value) if type(value) is list else ""
)
def test_a_mistake_is_one_line_before_the_game(capsys, tmp_path, arguments, message):
    code, out, err = run(capsys, *SHORT, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"bba-tui: {message}")
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.exhaustive
@pytest.mark.parametrize(("option", "file"), [("--record", "game.bba"), ("--export", "game.gif")])
def test_a_file_that_exists_is_written_over_with_force_only(capsys, tmp_path, option, file):
    (tmp_path / file).write_text("mine")
    code, out, err = run(capsys, "--headless", *SHORT, option, file)
    assert (code, out, err) == (2, "", f"bba-tui: {option}: {file} exists; --force writes over it\n")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["mine"]
    code, _, err = run(capsys, "--headless", *SHORT, option, file, "--force", "--json")
    assert (code, file in err) == (0, True)
    assert (tmp_path / file).read_bytes() != b"mine"


@pytest.mark.parametrize(("file", "library"), [("game.gif", "Pillow"), ("game.parquet", "pyarrow")])
def test_a_missing_library_is_one_line_that_says_what_to_install(capsys, monkeypatch, tmp_path, file, library):
    monkeypatch.setattr("bba.film.formats.find_spec", lambda name: None)
    code, out, err = run(capsys, *SHORT, "--export", file)
    assert (code, out) == (2, "")
    assert err == (f"bba-tui: --export: {file}: a {file[4:]} file needs {library}: pip install 'bba-tui[export]'\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("suffix", [".gif", ".cast", ".jsonl"])
def test_interrupted_it_leaves_the_old_file_and_nothing_else(capsys, monkeypatch, tmp_path, suffix):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    (tmp_path / f"game{suffix}").write_text("old")
    monkeypatch.setattr(exporting.FORMATS[suffix].maker.replace(":", "."), interrupted)
    code, out, _ = run(capsys, *SHORT, "--export", f"game{suffix}", "--force")
    assert code == 130
    assert "reward" in out, "the game was finished"
    assert [path.name for path in tmp_path.iterdir()] == [f"game{suffix}"]
    assert (tmp_path / f"game{suffix}").read_text() == "old"


def test_a_table_needs_neither_screen_nor_pictures():
    program = (
        "import sys; from tui.cli import main; main(['--horizon', '5', '--export', 'game.jsonl']);"
        "print(*{'textual', 'PIL', 'pyarrow'} & sys.modules.keys())"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == ""


@pytest.mark.thorough
def test_a_cast_has_the_colours_of_the_theme_whatever_this_terminal_can_show(tmp_path):
    program = "from tui.cli import main; main(['--horizon', '5', '--export', 'game.cast'])"
    plain = {name: value for name, value in os.environ.items() if name != "COLORTERM"} | {"TERM": "xterm"}
    subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, env=plain)
    styles = re.findall(r"\\u001b\[([\d;]+)m", (tmp_path / "game.cast").read_text(encoding="utf-8"))
    rest = " ".join(re.sub(r"[34]8;2;\d+;\d+;\d+", "", style) for style in styles)
    assert len(styles) > 100
    assert not re.search(r"\b(3|4|9|10)[0-7]\b", rest), "one of a terminal's sixteen colours"
