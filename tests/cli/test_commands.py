"""The command line itself: commands, help in groups, completion, and what is offered in the place of a mistake."""

import re
import subprocess

import pytest

from bba.settings import Settings
from tests.helpers.command_line import no_settings_from_outside, run  # noqa: F401 - a fixture for every test here
from tui.arguments import command_of, help_page, parse
from tui.arguments.commands import COMMANDS, joined, option, spelling
from tui.arguments.help import GROUPS


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("watch", "--watch"),
        ("watch open --seed 3", "--watch --layout open --seed 3"),
        ("watch --agent proagent", "--watch --agent proagent"),
        ("play", "--play"),
        ("learn", "--learn"),
        ("play ring --turns", "--play --layout ring --turns"),
        ("play ring --play window", "--play window --layout ring"),
        ("bench", "--sweep"),
        ("bench quick --seeds 2", "--sweep quick --seeds 2"),
        ("replay game.bba", "--replay game.bba"),
        ("recordings --speed 20", "--recordings --speed 20"),
        ("design", "--design"),
        ("design mine.toml", "--design mine.toml"),
        ("results", "--results results"),
        ("results out", "--results out"),
        ("report out", "--report out"),
        ("train bp:G1-2", "--train bp:G1-2"),
        ("train --layout ring", "--train --layout ring"),
        ("study mine.toml --participant p1", "--study mine.toml --participant p1"),
        ("serve", "--serve"),
        ("serve 0.0.0.0:80", "--serve 0.0.0.0:80"),
    ],
)
def test_a_command_is_the_same_as_its_options(command, options):
    ours, theirs = parse(command.split()), parse(options.split())
    assert ours == theirs
    assert ours.model_fields_set == theirs.model_fields_set


def test_watch_opens_a_game_even_where_nothing_else_is_said(monkeypatch):
    from tui.commands import interactive

    opened = []
    monkeypatch.setattr(interactive, "_open", lambda settings: opened.append("start"))
    monkeypatch.setattr(interactive, "_watch", lambda settings: opened.append("watch"))
    for words in ([], ["watch"], ["--watch"], ["watch", "ring"]):
        interactive.interact(parse(words))
    assert opened == ["start", "watch", "watch", "watch"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("report", "report: needs a FOLDER: bba-tui report FOLDER; see bba-tui report --help"),
        ("replay --speed 3", "replay: needs a FILE: "),
        ("wacth open", "wacth: no such command; the nearest is watch"),
        ("--agnet bayes", "--agnet: no such option; the nearest are --agent, --agents"),
        ("--jsno", "--jsno: no such option; the nearest is --json"),
        ("watch open --sede=3", "--sede: is no option of watch; the nearest are --seed, "),
        (
            "watch open ring",
            "ring: one word too many; watch takes one KITCHEN; --agent and --partner name the cooks; see ",
        ),
        ("watch opne", "layout: no layout named 'opne'; the nearest is open; there are "),
        ("bench quik", "no benchmark is named 'quik'; the nearest is quick, "),
    ],
)
def test_a_mistake_is_one_line_that_offers_the_nearest(capsys, monkeypatch, arguments, message):
    monkeypatch.setattr("tui.commands.interactive.check_terminal", lambda: None)
    code, out, err = run(capsys, *arguments.split())
    assert (code, out) == (2, "")
    assert err.startswith(f"bba-tui: {message}")
    assert err.count("\n") == 1


def help_of(capsys, *arguments) -> str:
    code, out, _ = run(capsys, *arguments)
    assert code == 0
    return out


def test_the_help_has_25_lines_of_80_columns_and_begins_with_examples(capsys):
    lines = help_of(capsys, "--help").splitlines()
    assert len(lines) <= 25
    assert max(map(len, lines)) <= 80
    assert lines[2].startswith("  bba-tui ")
    assert lines == help_of(capsys, "-h").splitlines()


@pytest.mark.thorough
def test_every_example_in_the_help_can_be_parsed(capsys):
    examples = [line.split("  ")[1].split() for line in help_of(capsys, "-h").splitlines() if line.startswith("  bba-")]
    assert len(examples) >= 8
    for words in examples:
        parse(words[1:])


def test_every_option_stands_in_one_group_and_in_the_long_help(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    names = [name for names in GROUPS.values() for name in names]
    assert sorted(names) == sorted(Settings.model_fields)
    text = help_of(capsys, "--help-all")
    assert [line[:-1] for line in text.splitlines() if line and not line.startswith(" ")] == list(GROUPS)
    listed = {line.split()[0] for line in text.splitlines() if line.startswith("  --")}
    assert len(listed) == len(names)
    assert {"--layout", "--theta-obs", "--json", "--list", "--max-cost", "--serve", "--completion"} <= listed


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_help_with_its_own_options_two_examples_and_what_it_writes(capsys, name, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    command = COMMANDS[name]
    text = help_of(capsys, name, "--help")
    assert text.startswith(f"bba-tui {spelling(name)}")
    assert help_page(["help", name]) == text
    listed = {line.split()[0].rstrip(",") for line in text.splitlines() if line.startswith("  --")}
    assert listed == {option(field) for field in command.fields}
    assert f"writes: {command.writes}" in text if command.writes else "writes:" not in text
    assert all(f"  bba-tui {example}" in text for example in command.examples)
    assert not re.search(r"[{}]|with --(sweep|headless|serve|train|study)", text)


@pytest.mark.thorough
@pytest.mark.parametrize("example", sorted({one for command in COMMANDS.values() for one in command.examples}))
def test_every_example_of_a_command_can_be_parsed(example):
    words = example.split()
    assert command_of(parse(words)) is COMMANDS[joined(words)[0]]


def test_a_command_refuses_the_options_of_others_and_says_whose_they_are(capsys):
    assert run(capsys, "bench", "--turns")[2].startswith("bba-tui: --turns: is no option of bench, but of play, ")
    assert run(capsys, "bench", "--agnts", "x")[2].startswith(
        "bba-tui: --agnts: is no option of bench; the nearest is --agents"
    )


def test_what_a_command_replaces_still_works_and_says_what_it_is_now(capsys):
    code, out, err = run(capsys, "--exam", "--dry-run")
    assert (code, err) == (
        0,
        "bba-tui: --exam: is now the command `bba-tui exam`; the option goes with the next release\n",
    )
    assert run(capsys, "exam", "--dry-run") == (0, out, "")
    assert run(capsys, "--list")[2] == ""


def test_help_the_list_and_the_manual_are_commands(capsys):
    assert run(capsys, "help")[1] == help_of(capsys, "--help")
    assert run(capsys, "list") == run(capsys, "--list") == (0, run(capsys, "list")[1], "")
    assert run(capsys, "help", "bnech") == (
        2,
        "",
        "bba-tui: help: no command named 'bnech'; the nearest is bench\n",
    )
    manual = run(capsys, "man")[1]
    assert manual.startswith(".TH BBA")
    assert all(f"\n\\fB{spelling(name).replace('-', chr(92) + '-')}" in manual for name in COMMANDS)
    assert ".SS belief and gate" in manual


def completed(script: str, *words: str) -> set[str]:
    """What bash offers for the last of these words."""
    line = " ".join(f"'{word}'" for word in ("bba-tui", *words))
    ask = f'COMP_WORDS=({line}); COMP_CWORD={len(words)}; _shtab_bba_tui; echo "${{COMPREPLY[*]}}"'
    done = subprocess.run(["bash", "-c", f"{script}\n{ask}"], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_bash_completes_commands_kitchens_options_and_values(capsys, tmp_path):
    pytest.importorskip("shtab")
    code, script, _ = run(capsys, "--completion", "bash")
    assert code == 0
    (tmp_path / "game.bba").touch()
    assert completed(script, "") >= set(COMMANDS)
    assert completed(script, "watch", "") == {"burrito", "forced_coordination", "open", "ring"}
    assert completed(script, "watch", "open", "--part") == {
        "--partner",
        "--partner-option",
        "--partner-model",
        "--partner-model-option",
    }
    assert completed(script, "--agent", "bayes-n") == {"bayes-no-prompt", "bayes-no-replan", "bayes-no-belief"}
    assert completed(script, "bench", "qu") == {"quick"}
    assert completed(script, "--theme", "") == {"dark", "light", "contrast"}
    assert completed(script, "replay", "ga") == {"game.bba"}
    assert completed(script, "--results", "ga") == set(), "a folder"


@pytest.mark.parametrize("shell", ["zsh", "tcsh", "fish"])
def test_other_shells_have_a_script_too(capsys, shell):
    pytest.importorskip("shtab")
    code, script, _ = run(capsys, "--completion", shell)
    assert code == 0
    assert "forced_coordination" in script
