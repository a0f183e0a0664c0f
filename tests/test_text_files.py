"""Text files as people have them: with a byte order mark, and far too large or deep."""

import json
from pathlib import Path

import pytest

from bba import Layout, load_sweep
from bba.errors import BBAError
from bba.exam.answers import read_result
from bba.files import parse_toml, read_text
from bba.planner import Prompts
from bba.toml_limits import LARGEST_TOML, MOST_KEY_PARTS
from human.study.plan_file import load_study
from tests.helpers.command_line import no_settings_from_outside, run  # noqa: F401 - a fixture that is used by itself
from tui.arguments.options import ScreenOptions
from tui.preferences import AppState, preferences
from tui.serve.auth import kept_token

ROOT = Path(__file__).parents[1]
MARK = b"\xef\xbb\xbf"


def marked(path: Path, text: str) -> Path:
    """Writes a file as Notepad and PowerShell do."""
    path.write_bytes(MARK + text.encode())
    return path


# --- byte order marks --------------------------------------------------------------------------------------------
def test_options_are_read_from_a_file_with_a_mark(tmp_path, capsys):
    config = marked(tmp_path / "c.toml", "horizon = 12\n")
    code, out, err = run(capsys, "headless", "open", "--json", "--config", str(config))
    assert code == 0, err
    assert json.loads(out)["horizon"] == 12


@pytest.mark.parametrize(
    ("read", "shipped"),
    [
        (Layout.load, "layouts/ring.toml"),
        (load_sweep, "benchmarks/quick.toml"),
        (load_study, "studies/example.toml"),
        (parse_toml, "prices.toml"),
    ],
)
def test_a_file_with_a_mark_is_the_same_as_without(read, shipped, tmp_path):
    text = (ROOT / "configs" / shipped).read_text(encoding="utf-8")
    plain = tmp_path / "plain" / Path(shipped).name
    plain.parent.mkdir()
    plain.write_text(text, encoding="utf-8")
    assert read(marked(tmp_path / Path(shipped).name, text)) == read(plain)


def test_prompts_tokens_and_preferences_have_no_mark_in_them(tmp_path, monkeypatch):
    folder = tmp_path / "prompts"
    folder.mkdir()
    for file in (ROOT / "configs" / "prompts").iterdir():
        if file.is_file():
            marked(folder / file.name, file.read_text(encoding="utf-8"))
    assert "\ufeff" not in str(Prompts.load(folder, "preprint").templates)
    token = "abcdefghijklmnopqrstuvwxyzABCDEF0123456789_"
    assert kept_token(marked(tmp_path / "token", f"{token}\n")) == token
    state = AppState(marked(tmp_path / "start.json", '{"theme": "light"}'))
    assert state.recall(["theme"]).theme == "light"
    monkeypatch.setattr("tui.preferences.user_config_path", lambda _: tmp_path)
    marked(tmp_path / "config.toml", 'theme = "light"\n')
    assert preferences(ScreenOptions()).theme == "light"


def test_json_that_is_checked_may_have_a_mark(tmp_path):
    answers = marked(tmp_path / "answers.json", "{}")
    with pytest.raises(BBAError, match=r"not the answers to an exam: (?!Invalid JSON)"):
        read_result(answers)


def test_a_mark_within_a_text_stays(tmp_path):
    path = tmp_path / "text"
    path.write_bytes(MARK + "a\ufeffb".encode())
    assert read_text(path) == "a\ufeffb"


# --- too large, and too deep -------------------------------------------------------------------------------------
def key_of(parts: int) -> str:
    return ".".join(["a"] * parts)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"{key_of(50_000)} = 1\n", 1),
        (f"x = 1\n\n[{key_of(20_000)}]\n", 3),
        (f"[[{key_of(MOST_KEY_PARTS + 1)}]]\n", 1),
        (f"x = {{{key_of(MOST_KEY_PARTS + 1)} = 1}}\n", 1),
        (" . ".join(["'a b'", '"c"'] * MOST_KEY_PARTS) + " = 1\n", 1),
        (f'x = """\n# {key_of(99)}\n"""\n{key_of(99)} = 1\n', 4),
        (f"# '''\n{key_of(99)} = 1 # '''\n", 2),
    ],
    ids=["key", "header", "list of tables", "in a table", "in quotes", "after a text", "after a comment"],
)
def test_a_key_of_very_many_parts_is_refused_with_its_line(text, line, tmp_path):
    path = tmp_path / "x.toml"
    path.write_text(text)
    with pytest.raises(BBAError, match=rf"x\.toml, line {line}: a key of more than {MOST_KEY_PARTS} parts[^\n]*$"):
        parse_toml(path)


@pytest.mark.parametrize(
    "text",
    [
        f"{key_of(MOST_KEY_PARTS)} = 1\n",
        f'x = "{key_of(99)}"\n',
        f"x = '''\n{key_of(99)}\n'''\n",
        f'x = """\\"""{key_of(99)}\n"""\n',
        f"x = 1 # {key_of(99)}\n",
        f"x = [{', '.join(['1.5'] * 99)}]\n",
    ],
    ids=["most", "text", "literal", "escapes", "comment", "numbers"],
)
def test_many_points_that_are_no_key_are_read(text, tmp_path):
    path = tmp_path / "x.toml"
    path.write_text(text)
    assert parse_toml(path)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("".join(f"k{number} = 1\n" for number in range(400_000)), "too large for TOML: more than 512 KiB"),
        ("#" * (LARGEST_TOML + 1), "too large for TOML"),
        (f"x = {'[' * 100_000}", "not valid TOML"),
        (f"x = {'{a=' * 100_000}", "not valid TOML"),
        ('x = """' + '\\"""' * 100_000, "not valid TOML"),
    ],
    ids=["keys", "size", "arrays", "tables", "quotes"],
)
def test_what_is_too_large_or_too_deep_is_one_line(text, problem, tmp_path):
    path = tmp_path / "x.toml"
    path.write_text(text)
    with pytest.raises(BBAError, match=rf"^[^\n]*x\.toml: {problem}[^\n]*$"):
        parse_toml(path)


def test_every_command_that_reads_toml_refuses_such_a_key(tmp_path, capsys):
    path = tmp_path / "x.toml"
    path.write_text(f"{key_of(50_000)} = 1\n")
    for command in ("headless x.toml", "bench x.toml", "study-check x.toml", "list --config x.toml"):
        code, out, err = run(capsys, *command.split())
        assert (code, out) == (2, ""), command
        assert "x.toml, line 1: a key of more than" in err
