"""The command line itself: commands, help in groups, completion, and what is offered in the place of a mistake."""

import re
import subprocess

import pytest

from bba.config import type_of
from bba.errors import BBAError
from tests.helpers.command_line import (
    no_settings_from_outside,  # noqa: F401 - a fixture for every test here
    parsed,
    run,
)
from tui.arguments import help_page, option, parse
from tui.arguments.command import KNOWN_OPTIONS
from tui.arguments.commands import COMMANDS, START
from tui.arguments.options import OPTION_FIELDS, ShownPair
from tui.arguments.wording import joined, spelling


@pytest.mark.parametrize(
    ("options", "command"),
    [
        ("--play", "play --play terminal"),
        ("--play --layout ring --turns", "play ring --play terminal --turns"),
        ("--play window --layout ring", "play ring --play window"),
        ("--sweep", "bench"),
        ("--headless --sweep", "bench"),
        ("--headless --sweep quick --agents bayes", "bench quick --agents bayes"),
        ("--sweep --json", "bench --json"),
        ("--seeds 2 --sweep=quick", "bench quick --seeds 2"),
        ("bench --sweep table1", "bench table1"),
        ("--replay game.bba", "replay game.bba"),
        ("--speed 20 --replay game.bba", "replay game.bba --speed 20"),
        ("--headless --replay game.bba", "headless --replay game.bba"),
        ("--headless --duel --agents bayes,proagent", "headless --duel --agents bayes,proagent"),
        ("--headless --layout ring", "headless ring"),
        ("--headless --export f.gif --json", "headless --export f.gif --json"),
        ("--export f.gif --replay game.bba", "export f.gif --replay game.bba"),
        ("--report out", "report out"),
        ("--serve", "serve"),
        ("--serve 0.0.0.0:80 --play", "serve 0.0.0.0:80 --play terminal"),
        ("--list", "list"),
    ],
)
def test_an_option_that_stands_for_a_command_is_that_command(options, command):
    ours, theirs = parse(options.split()), parse(command.split())
    assert ours == theirs
    assert ours.options.model_fields_set == theirs.options.model_fields_set


@pytest.mark.parametrize(
    ("text", "command"),
    [('sweep = "table1"\nseeds = 2\n', "bench table1 --seeds 2"), ("headless = true\nseed = 3\n", "headless --seed 3")],
)
def test_a_file_of_options_may_ask_for_such_a_command(tmp_path, text, command):
    (tmp_path / "mine.toml").write_text(text)
    ours, theirs = parse(["--config", "mine.toml"]), parse([*command.split(), "--config", "mine.toml"])
    assert (ours.command, ours.options) == (theirs.command, theirs.options)
    assert parse(["watch", "--config", "mine.toml"]).command is COMMANDS["watch"]


def test_what_a_command_does_not_take_of_a_file_is_ignored_but_checked(tmp_path):
    (tmp_path / "mine.toml").write_text("seeds = 5\nseed = 3\n")
    assert parsed(["watch", "--config", "mine.toml"]).seed == 3
    (tmp_path / "mine.toml").write_text("seeds = 0\n")
    with pytest.raises(BBAError, match=r"mine\.toml: seeds: got 0"):
        parse(["watch", "--config", "mine.toml"])


def test_watch_opens_a_game_even_where_nothing_else_is_said(monkeypatch):
    from tui.commands import game_screen

    opened = []
    monkeypatch.setattr(game_screen, "open_app", lambda options, **how: opened.append("start"))
    monkeypatch.setattr(game_screen, "watch_game", lambda options: opened.append("watch"))
    for words in ([], ["--theme", "light"], ["watch"], ["--seed", "3"], ["watch", "ring"]):
        parse(words).run()
    assert opened == ["start", "start", "watch", "watch", "watch"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--exam --dry-run", "--exam: no such option; it is the command bba-tui exam\n"),
        ("--results out", "--results: no such option; it is the command bba-tui results\n"),
        ("--study x.toml --check", "--study: no such option; it is the command bba-tui study\n"),
        ("--study-check x.toml", "--study-check: no such option; it is the command bba-tui study check\n"),
        ("--watch --seed 3", "--watch: no such option; it is the command bba-tui watch\n"),
        ("--duel", "--duel: no such option; it is the command bba-tui duel\n"),
        ("--benchmark v1", "--benchmark: no such option; it is the command bba-tui score\n"),
        ("train bp --check-partners", "--check-partners: is no option of train; it is the command "),
        ("--train-steps 100", "--train-steps: goes with train, which is not given; see bba-tui train --help\n"),
    ],
)
def test_an_option_of_earlier_versions_names_the_command_that_it_is_now(capsys, arguments, message):
    code, out, err = run(capsys, *arguments.split())
    assert (code, out) == (2, "")
    assert err.startswith(f"bba-tui: {message}")
    assert err.count("\n") == 1


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
    monkeypatch.setattr("tui.commands.game_screen.check_terminal", lambda: None)
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
    everyday, research = "\n".join(lines).split("those of one\n")[1].split("\nfor research\n")
    assert len(everyday.replace("\n", " ").split(",")) == 12
    named = [name.strip() for name in f"{everyday},{research}".replace("\n", " ").split(",")]
    assert sorted(" ".join(name.split()) for name in named) == sorted([*map(spelling, COMMANDS), "help", "man"])


@pytest.mark.thorough
def test_every_example_in_the_help_can_be_parsed(capsys):
    examples = [line.split("  ")[1].split() for line in help_of(capsys, "-h").splitlines() if line.startswith("  bba-")]
    assert len(examples) >= 7
    for words in examples:
        parsed(words[1:])


def test_every_option_stands_in_one_group_and_in_the_long_help(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    names = [name for names in KNOWN_OPTIONS.values() for name in names]
    assert sorted(names) == sorted(OPTION_FIELDS)
    text = help_of(capsys, "--help-all")
    assert [line[:-1] for line in text.splitlines() if line and not line.startswith(" ")] == list(KNOWN_OPTIONS)
    listed = {line.split()[0] for line in text.splitlines() if line.startswith("  --")}
    assert len(listed) == len(names)
    assert {"--layout", "--theta-obs", "--json", "--list", "--max-cost", "--serve", "--sweep"} <= listed


@pytest.mark.parametrize("command", [START, *COMMANDS.values()])
def test_the_options_of_a_command_are_those_that_files_and_variables_may_hold(command):
    assert set(command.options) <= set(command.settable) <= set(OPTION_FIELDS)
    for name in command.settable:
        own, known = command.model.model_fields[name], OPTION_FIELDS[name]
        assert (type_of(own), own.description) == (type_of(known), known.description)
        # A command that shows a game opens with cooks of its own.
        own_pair = issubclass(command.model, ShownPair) and name in ("agent", "partner")
        assert own.default == (ShownPair.model_fields[name].default if own_pair else known.default)


def options_in(page: str) -> set[str]:
    """The options that a page of the help lists."""
    return {line.split()[0].rstrip(",") for line in page.splitlines() if line.startswith("  --")}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_help_with_its_own_options_two_examples_and_what_it_writes(capsys, name, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    command = COMMANDS[name]
    page = help_of(capsys, name, "--help")
    assert help_page(["help", name]) == page
    assert len(page.splitlines()) <= (62 if name in ("watch", "duel", "play", "headless", "export") else 80)
    text = help_of(capsys, name, "--help-all")
    head, _, named = page.partition("for research, by ")
    assert all(f"\n  {line.split()[0]}" in text for line in head.splitlines() if line.startswith("  --"))
    assert bool(named) == (text.count("\n  --") > head.count("\n  --"))
    assert text.startswith(f"bba-tui {spelling(name)}")
    listed = {line.split()[0].rstrip(",") for line in text.splitlines() if line.startswith("  --")}
    assert listed == {option(field) for field in command.options}
    assert f"writes: {command.writes}" in text if command.writes else "writes:" not in text
    assert all(f"  bba-tui {example}" in text for example in command.examples)
    assert not re.search(r"[{}]|with --(sweep|headless|serve|train|study)", text)


@pytest.mark.thorough
@pytest.mark.parametrize("example", sorted({one for command in COMMANDS.values() for one in command.examples}))
def test_every_example_of_a_command_can_be_parsed(example):
    words = example.split()
    assert parse(words).command is COMMANDS[joined(words)[0]]


def test_a_command_refuses_the_options_of_others_and_says_whose_they_are(capsys):
    assert run(capsys, "bench", "--turns")[2].startswith("bba-tui: --turns: is no option of bench, but of play, ")
    assert run(capsys, "bench", "--agnts", "x")[2].startswith(
        "bba-tui: --agnts: is no option of bench; the nearest is --agents"
    )


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
    code, script, _ = run(capsys, "completion", "bash")
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
    assert completed(script, "results", "ga") == set(), "a folder"


@pytest.mark.parametrize("shell", ["zsh", "tcsh", "fish"])
def test_other_shells_have_a_script_too(capsys, shell):
    pytest.importorskip("shtab")
    code, script, _ = run(capsys, "completion", shell)
    assert code == 0
    assert "forced_coordination" in script
