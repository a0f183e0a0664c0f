"""What others have named is shown with its control characters written out, in every line that is printed."""

import shlex
import subprocess

import pytest

from bba.bench.names import STORED
from bba.bench.presets import Sweep, load_sweep
from bba.errors import BBAError
from bba.files import read_toml
from bba.terminal_text import note_lines, print_lines, shell_word, shell_words, visible, visible_line
from tests.helpers.command_line import no_settings_from_outside, run  # noqa: F401 - a fixture that is used by itself
from tests.helpers.tiny_sweeps import sweep

NAMES = {
    "escape": "a\nb\x1b[2J.bba",
    "C1": "a\x9b31m.bba",
    "override": "a\u202eabb.bba",
    "isolate": "a\u2066b\u2069.bba",
    "marks": "a\u200e\u200fb.bba",
    "zero width": "a\u200b\u2060\ufeffb.bba",
    "quotes": "it's\\a \x07\".bba",
}


def is_shown(text: str) -> bool:
    """Whether a terminal shows a text of several lines as it is."""
    return all(line.isprintable() for line in text.splitlines())


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_a_word_of_a_shell_is_printable_and_is_the_name(name):
    word = shell_word(name)
    assert word.isprintable()
    told = subprocess.run(["bash", "-c", f"printf %s {word}"], capture_output=True, check=True, env={"LC_ALL": "C"})
    assert told.stdout == name.encode()


def test_names_that_can_be_shown_are_quoted_as_usual():
    for name in ("a.bba", "a b.bba", "it's", "größe", "日本.bba", "a$'b"):
        assert shell_word(name) == shlex.quote(name)
    assert shell_words(["bba-tui", "replay", "a b"]) == "bba-tui replay 'a b'"


def test_a_text_keeps_its_lines_and_a_name_is_one_line(capsys):
    assert visible("a\x1b[1m\n\tb\r") == "a\\x1b[1m\n        b\\r"
    assert visible_line("a\n\u202eb") == "a\\n\\u202eb"
    print_lines("a\x1b", "b\u2066")
    note_lines("c\x9b")
    assert capsys.readouterr() == ("a\\x1b\nb\\u2066\n", "c\\x9b\n")


def test_without_standard_error_nothing_is_noted(monkeypatch):
    monkeypatch.setattr("sys.stderr", None)
    note_lines("nobody reads it")


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_where_a_game_is_recorded_is_shown_escaped_and_the_command_replays_it(name, tmp_path, capsys):
    code, _, err = run(capsys, "headless", "open", "--horizon", "5", "--record", name)
    assert (code, is_shown(err)) == (0, True), err
    assert (tmp_path / name).is_file()
    command = err.rpartition("bba-tui replay ")[2].strip()
    told = subprocess.run(["bash", "-c", f"printf %s {command}"], capture_output=True, check=True)
    assert told.stdout == name.encode()
    code, _, err = run(capsys, "export", name, "--replay", name)
    assert (code, is_shown(err)) == (2, True)


@pytest.mark.parametrize(
    "words",
    [
        "export NAME.jsonl --layout open --horizon 5",
        "bundle NAME.zip --replay game.bba",
        "watch open --plain --horizon 5 --record NAME.bba",
        "bench quick --layouts open --agents proagent --seeds 1 --horizon 5 --workers 1 --out NAME",
        "study-simulate example --participants 1 --out NAME",
        "merge nowhere-NAME --out NAME",
        "headless NAME",
        "replay NAME",
    ],
)
def test_no_command_prints_a_name_as_it_is(words, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", None)
    if "game.bba" in words:
        run(capsys, "headless", "open", "--horizon", "5", "--record", "game.bba")
    if "study" in words:
        monkeypatch.setattr("tui.commands.study_runs._simulate", lambda *_: None)
    _, out, err = run(capsys, *(word.replace("NAME", "a\x1b[2J\u202eb") for word in words.split()))
    assert is_shown(out), out
    assert is_shown(err), err
    assert "a\\x1b[2J" in out + err


# --- sweeps ------------------------------------------------------------------------------------------------------
TINY = """
title = "{title}"
agents = [{{agent = "proagent", title = "{agent}"}}]
partners = {{"{group}" = ["switching"]}}
layouts = ["open"]
variants = [{{name = "{variant}"}}]
"""
NAMED = {"title": "t", "agent": "a", "group": "g", "variant": "v"}


@pytest.mark.parametrize("sign", ["\u202e", "\u2066", "\u200f", "\u061c"])
@pytest.mark.parametrize("place", NAMED)
def test_a_name_in_a_sweep_that_turns_text_around_is_refused(place, sign, tmp_path):
    path = tmp_path / "x.toml"
    path.write_text(TINY.format(**(NAMED | {place: f"x{sign}y"})), encoding="utf-8")
    with pytest.raises(BBAError, match=r"turns the direction of text around; leave it out"):
        load_sweep(path)


def test_names_in_other_scripts_and_joined_signs_are_taken(tmp_path):
    path = tmp_path / "x.toml"
    path.write_text(TINY.format(**(NAMED | {"title": "שלום 👩‍🍳 日本"})), encoding="utf-8")
    assert read_toml(path, Sweep, name="x").title == "שלום 👩‍🍳 日本"


def test_a_sweep_that_was_stored_earlier_stays_readable():
    stored = sweep().model_dump(mode="json") | {"title": "a\u202eb"}
    assert Sweep.model_validate(stored, context=STORED).title == "a\u202eb"
