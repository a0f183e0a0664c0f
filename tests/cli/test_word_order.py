"""Options may stand before the command, and words that lead nowhere are answered with what is near."""

import pytest

from bba.errors import SYNONYMS, nearest
from tests.helpers.command_line import no_settings_from_outside, parsed, run  # noqa: F401 - a fixture for every test here
from tui.arguments import parse
from tui.arguments.commands import COMMANDS
from tui.arguments.help import options_of
from tui.arguments.ordering import arranged, switches, valued
from tui.arguments.parser import all_actions


@pytest.mark.parametrize(
    ("line", "usual"),
    [
        ("--plain watch open", "watch open --plain"),
        ("--seed 3 headless open", "headless open --seed 3"),
        ("--layout open watch", "watch --layout open"),
        ("--seed=3 --json headless --seeds 2 open", "headless open --seed=3 --json --seeds 2"),
        ("watch --plain open", "watch open --plain"),
        ("replay --speed 3 game.bba", "replay game.bba --speed 3"),
        (
            "--weights w study --participants 3 simulate mine.toml",
            "study-simulate mine.toml --weights w --participants 3",
        ),
        ("--workers 2 bench", "bench --workers 2"),
        ("--no-motion play ring --play window", "play ring --no-motion --play window"),
        ("--effect 0.5 study power example", "study-power example --effect 0.5"),
        ("-- watch open", "watch open"),
        ("watch --plain -- open", "watch open --plain"),
        ("--out x models get tiny", "models get tiny --out x"),
    ],
)
def test_options_may_stand_before_the_command_and_between_its_words(line, usual):
    ours, theirs = arranged(line.split()), arranged(usual.split())
    assert (ours.words, ours.options) == (theirs.words, theirs.options)
    if "--out x models" not in line:
        assert parse(line.split()) == parse(usual.split())


def test_the_last_of_an_option_counts_wherever_the_command_stands():
    assert parsed(["--seed", "3", "headless", "open", "--seed", "4"]).seed == 4


def test_a_file_whose_name_begins_with_a_dash_can_be_named(tmp_path):
    assert str(parsed(["--speed", "3", "replay", "--", "-game.bba"]).recording) == "-game.bba"


def test_values_that_are_names_of_commands_stay_values():
    settings = parsed(["--record", "watch", "headless", "open"])
    assert (str(settings.record), settings.layout) == ("watch", "open")
    assert str(parsed(["bench", "quick", "--out", "headless"]).out) == "headless"
    assert str(parsed(["--headless", "--record", "watch"]).record) == "watch"


def test_help_takes_options_before_it_too(capsys):
    usual = run(capsys, "help", "watch")
    assert run(capsys, "--plain", "help", "watch") == usual
    assert run(capsys, "--plain", "watch", "--help") == usual
    assert run(capsys, "--help", "watch") == usual


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "--agent watch open",
            "--agent: 'watch' stands where its value is; the command may come first, as bba-tui watch",
        ),
        ("--seed headless open", "--seed: 'headless' stands where its value is; "),
        ("watch ring --layout open", "--layout: 'ring' after watch says the same; take one of them"),
        ("--out a report b --report c", "--report: 'b' after report says the same; take one of them"),
        ("--headless watch open", "--headless: is no option of watch, but of headless"),
        ("--turns bench", "--turns: is no option of bench, but of play, "),
        ("--sede 3 watch open", "--sede: is no option of watch; the nearest are --seed, "),
    ],
)
def test_what_can_be_read_in_two_ways_is_one_line(capsys, line, message):
    code, out, err = run(capsys, *line.split())
    assert (code, out) == (2, "")
    assert err.startswith(f"bba-tui: {message}")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("help nonsense", "help: no command named 'nonsense'; bba-tui help lists them\n"),
        ("frobnicate", "frobnicate: no such command; bba-tui help lists them\n"),
        ("--xyzzy", "--xyzzy: no such option; bba-tui --help-all lists them\n"),
        ("watch --xyzzy", "--xyzzy: is no option of watch; see bba-tui watch --help\n"),
        ("headless --steps 5", "--steps: is no option of headless; the nearest are --horizon, "),
        ("headless --episodes 5", "--episodes: is no option of headless; the nearest is --seeds;"),
        ("watch --kitchen ring", "--kitchen: is no option of watch; the nearest is --layout;"),
        ("--map ring", "--map: no such option; the nearest is --layout"),
        ("evaluate", "evaluate: no such command; the nearest are score, bench\n"),
        ("open", "open: no such command; to watch a game in that kitchen: bba-tui watch open\n"),
        ("game.bba", "game.bba: no such command; for such a file: bba-tui replay game.bba\n"),
        ("version", "version: no such command; the nearest is --version\n"),
        ("export FILE x.gif", "x.gif: one word too many; export takes one FILE; --replay names the game;"),
        (
            "merge a b",
            "b: one word too many; merge takes one FOLDER,FOLDER; commas stand between them, as run-1,run-2;",
        ),
        ("headless open json", "json: one word too many; the option is --json\n"),
        ("learn now", "now: one word too many; learn takes options only;"),
        ("completion powershell", "completion: got 'powershell'; it should be 'bash', 'zsh', 'tcsh' or 'fish'\n"),
        ("--json completion powershell", "--json: is no option of completion, but of "),
        ("study chek mine.toml", "study chek: no such command; the nearest is study check\n"),
        ("study check", "study check: needs a STUDY: bba-tui study check STUDY;"),
        ("study-check", "study check: needs a STUDY: bba-tui study check STUDY;"),
    ],
)
def test_what_is_offered_is_near_or_where_the_list_is(capsys, line, message):
    code, out, err = run(capsys, *line.split())
    assert (code, out) == (2, "")
    assert err.startswith(f"bba-tui: {message}")
    assert err.count("\n") == 1


@pytest.mark.parametrize("word", SYNONYMS)
def test_every_word_of_the_field_leads_to_an_option_or_a_command(word):
    known = {*COMMANDS, *(way.removeprefix("--") for way in switches() | valued())}
    assert len(word) > 1
    assert known.issuperset(SYNONYMS[word])
    assert nearest(word, sorted(known - {word}))[0] in SYNONYMS[word]


@pytest.mark.parametrize("line", ["-v watch open", "watch -v"])
def test_a_short_option_that_does_not_exist_is_named_as_an_option(capsys, line):
    assert run(capsys, *line.split())[2] == "bba-tui: -v: is no option of watch; see bba-tui watch --help\n"


def test_which_options_take_a_value_is_as_the_parser_has_it():
    actions = [action for field, action in all_actions().items() if field != "help"]
    assert {way for action in actions if action.nargs == 0 for way in options_of(action)} <= switches()
    assert {way for action in actions if action.nargs != 0 for way in options_of(action)} <= valued()
    assert not switches() & valued()


def test_every_command_is_found_behind_an_option_and_a_value():
    for name in COMMANDS:
        found = arranged(["--seed", "3", *name.split("-", 1)] if name.startswith("study-") else ["--seed", "3", name])
        assert (found.command, found.options) == (name, ["--seed", "3"])
