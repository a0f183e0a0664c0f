"""The command without a screen, as a user runs it (in this process, but for what needs a terminal)."""

import io
import json
import re
import sys

import pytest
from rich.console import Console

from bba.analysis import EPISODE_MEASURES
from bba.config import GateConfig
from bba.play import load
from bba.tables import Cell, table_of
from bba.tables.terminal import aligned, pieces
from tests.helpers.command_line import (  # noqa: F401 - a fixture for every test here
    no_settings_from_outside,
    parsed,
    run,
)
from tests.helpers.full_disk import full_disk
from tui.commands.output import WIDE_TABLE, reader_width, without_empty
from tui.game_factory import make_game

SHORT = ["--headless", "--horizon", "120"]


def test_json_is_one_object_with_the_promised_measures_and_the_same_bytes_twice(capsys):
    arguments = [*SHORT, "--layout", "open", "--agent", "bayes", "--partner", "switching", "--seed", "0", "--json"]
    code, first, _ = run(capsys, *arguments)
    _, second, _ = run(capsys, *arguments)
    assert code == 0
    assert first == second
    assert first.count("\n") == 1
    promised = "reward deliveries replans skill_accuracy gap_rate comp_at_3 duplicate_rate planner_calls"
    assert set(promised.split()) <= set(json.loads(first))


def test_the_summary_names_the_game_and_its_measures(capsys):
    code, out, _ = run(capsys, *SHORT, "--layout", "ring", "--agent", "proagent")
    assert code == 0
    assert "ring: proagent (scripted planner) with switching, seed 0, 120 steps" in out
    assert "observer's accuracy" in out


def test_the_points_of_a_column_of_numbers_stand_below_one_another(capsys):
    for seeds, columns in (("1", ["value"]), ("2", ["mean", "± sd"])):
        _, out, _ = run(capsys, *SHORT, "--seeds", seeds)
        lines = out.splitlines()[1:]
        for column in columns:
            end = lines[0].index(column) + len(column)
            places = {line.rindex(".", 0, end) for line in lines[1:] if "." in line[end - 4 : end]}
            assert len(places) == 1, column


def test_numbers_without_a_point_are_aligned_with_those_that_have_one():
    assert aligned(["178", "0.45", "–", "12.5"]) == ["178   ", "  0.45", "  –   ", " 12.5 "]


@pytest.mark.parametrize("width", [60, 80, 120])
def test_a_table_that_is_too_wide_is_printed_in_pieces_in_which_nothing_is_cut(width):
    names = ["bayes-no-prompt", "bayes-no-replan", "bayes-no-belief", "hypothetical-minds"]
    values = [Cell(f"{value} ± 188", paper="1405 ± 430") for value in range(2126, 2130)]
    rows = [[layout, "G1", *values] for layout in ("forced_coordination", "open")]
    table = table_of(["layout", "group"], names, rows=rows)
    console = Console(file=io.StringIO(), width=width)
    console.print(*pieces(table, console))
    text = console.file.getvalue()
    assert all(word in text for word in (*names, *(f"{value} ± 188" for value in range(2126, 2130))))
    assert (text.count("preprint 1405 ± 430"), text.count("group"), "…" in text) == (
        8,
        {60: 4, 80: 2, 120: 1}[width],
        False,
    )


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_the_command_says_where_the_recording_is_and_how_to_watch_it(capsys, form):
    _, _, err = run(capsys, *SHORT, *form, "--record", "my game.bba")
    assert err == "recorded in 'my game.bba'; watch it: bba-tui replay 'my game.bba'\n"


@pytest.mark.thorough
def test_when_waiting_cooks_are_asked_is_an_option_and_the_result_says_it(capsys, monkeypatch, tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('ask = "always"\n')
    for words in (("--ask", "always"), ("--config", str(file))):
        _, out, _ = run(capsys, *SHORT, "--json", *words)
        assert json.loads(out)["ask"] == "always"
    _, out, _ = run(capsys, *SHORT, "--json")
    assert json.loads(out)["ask"] == "changed"
    monkeypatch.setenv("BBA_ASK", "always")
    assert parsed([]).ask == "always"
    code, _, err = run(capsys, *SHORT, "--ask", "often")
    assert (code, err.count("\n")) == (2, 1)
    assert "changed" in err


def test_several_seeds_give_their_mean_and_each_episode(capsys):
    _, out, _ = run(capsys, *SHORT, "--seeds", "3", "--seed", "4", "--json")
    data = json.loads(out)
    assert data["seeds"] == [4, 5, 6]
    assert [episode["seed"] for episode in data["episodes"]] == [4, 5, 6]
    calls = [episode["planner_calls"] for episode in data["episodes"]]
    assert data["planner_calls"] == pytest.approx(sum(calls) / 3, abs=1e-6)


@pytest.mark.parametrize("seeds", [1, 3])
def test_every_game_stands_under_games_beside_its_measures_or_the_means(capsys, seeds):
    _, out, _ = run(capsys, *SHORT, "--seeds", str(seeds), "--seed", "4", "--json")
    data = json.loads(out)
    assert [game["seed"] for game in data["games"]] == list(range(4, 4 + seeds))
    for game in data["games"]:
        assert set(game) == {"seed", *EPISODE_MEASURES}
    deliveries = [game["planner_calls"] for game in data["games"]]
    assert data["planner_calls"] == pytest.approx(sum(deliveries) / seeds, abs=1e-6)


def test_both_games_of_a_duel_are_json_too(capsys, tmp_path):
    file = str(tmp_path / "duel.bba")
    duel = ["--agents", "bayes,proagent", "--planner", "scripted", "--horizon", "60"]
    assert run(capsys, "export", str(tmp_path / "duel.gif"), "--duel", *duel, "--record", file)[0] == 0
    _, out, _ = run(capsys, "headless", "--replay", file, "--json")
    assert [json.loads(line)["agent"] for line in out.splitlines()] == ["bayes", "proagent"]


@pytest.mark.parametrize("games", [["--seeds", "1"], ["--seeds", "2"], ["--agent", "gamma"]])
def test_what_only_language_models_have_is_not_shown_without_one(capsys, games):
    _, out, _ = run(capsys, *SHORT, *games)
    assert "planner calls" in out
    assert not re.search(r"tokens|planner seconds|planner cost|estimated", out)
    _, out, _ = run(capsys, *SHORT, *games, "--json")
    assert {"planner_prompt_tokens", "planner_cost"} <= set(json.loads(out)["games"][0])


def test_measures_without_anything_to_count_are_named_in_one_line(capsys):
    _, out, _ = run(capsys, "headless", "--horizon", "20", "--agent", "proagent", "--partner", "proagent")
    assert "\nnothing to count, or not known: " in out
    assert "recovery steps" in out.splitlines()[-1]
    assert not [line for line in out.splitlines() if line.split()[-1] == "–"]


def test_columns_in_which_no_row_has_anything_are_not_shown():
    table = table_of(["who", "note"], ["points", "cost"], rows=[("a", "", "1", "–"), ("b", "", "–", "–")])
    assert without_empty(table).headings == ["who", "points"]


def test_a_pager_gets_the_width_that_is_asked_for(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert reader_width() == 80
    for wrong in ("", "wide", "0"):
        monkeypatch.setenv("COLUMNS", wrong)
        assert reader_width() == WIDE_TABLE


def test_list_names_layouts_agents_and_planners(capsys):
    _, out, _ = run(capsys, "--list")
    for name in ("open", "forced_coordination", "bayes-no-replan", "switching", "scripted"):
        assert name in out


def test_a_game_that_was_recorded_replays_to_the_same_numbers(capsys, tmp_path):
    file = str(tmp_path / "game.bba")
    _, played, _ = run(capsys, *SHORT, "--record", file, "--json")
    code, replayed, _ = run(capsys, "--headless", "--replay", file, "--json")
    assert code == 0
    assert json.loads(replayed)["reward"] == json.loads(played)["reward"]
    assert replayed == played
    assert load(tmp_path / "game.bba").config.horizon == 120


def test_options_come_from_file_then_environment_then_command_line(monkeypatch, tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('layout = "ring"\nseed = 1\ngamma_conf = 0.7\n')
    assert parsed(["--config", str(file)]).layout == "ring"
    monkeypatch.setenv("BBA_SEED", "2")
    assert parsed(["--config", str(file)]).seed == 2
    settings = parsed(["--config", str(file), "--seed", "3"])
    assert (settings.layout, settings.seed, settings.gamma_conf, settings.horizon) == ("ring", 3, 0.7, 2400)
    monkeypatch.setenv("BBA_CONFIG", str(file))
    assert parsed([]).layout == "ring"


def test_gate_and_filter_options_reach_the_agent():
    options = "--theta-obs 0.06 --gamma-conf 0.75 --stability 4 --cooldown 12 --window 8 --alpha 2 --epsilon 0.2"
    more = "--likelihood-scale 1.5 --support-weight 0.5 --psi skills --skill-timeout 20 --mobility 0.5"
    game = make_game(parsed([*options.split(), *more.split()]), 0, fast=False)
    belief_config = game.trace.config.belief_config
    assert belief_config is not None
    assert belief_config.gate == GateConfig(theta_obs=0.06, gamma_conf=0.75, stability=4, cooldown=12)
    assert (belief_config.filter.window, belief_config.filter.alpha, belief_config.filter.epsilon) == (8, 2.0, 0.2)
    assert (belief_config.filter.likelihood_scale, belief_config.filter.support_weight, belief_config.filter.psi) == (
        1.5,
        0.5,
        "skills",
    )
    assert (game.skill_timeout, game.kitchen.mobility) == (20, (0.5, 0.5))


WRONG = [
    (["--epsilon", "0.0001"], "--epsilon: got '0.0001'; it should be greater than or equal to 0.001"),
    (["--skill-timeout", "9" * 20], f"--skill-timeout: got '{'9' * 20}'; it should be less than or equal to 1000000"),
    (["--schedule", "0:serve," + "9" * 5000 + ":serve"], "schedule: '99999"),
    (["--record", "x" * 300], "--record: "),
    (["--layout", "a\nb.toml"], "a\\nb.toml: cannot be read"),
    (["--layout", "/dev/zero/../zero.toml"], "/dev/zero/../zero.toml: cannot be read"),
    (["--config", "~nobody-of-that-name/x"], "~nobody-of-that-name/x: cannot be read"),
    (["--horizon", "0"], "--horizon: got '0'; it should be greater than or equal to 1"),
    (["--seed", "-1"], "--seed: got '-1'; it should be greater than or equal to 0"),
    (["--seed", "x"], "--seed: got 'x'; it should be a valid integer"),
    (["--theta-obs", "2"], "--theta-obs: got '2'; it should be less than or equal to 1"),
    (["--psi", "moods"], "--psi: got 'moods'; it should be 'roles' or 'skills'"),
    (["--bogus"], "--bogus: is no option of headless; see bba-tui headless --help"),
    (["--lay", "open"], "--lay: is no option of headless; the nearest is --layout"),
    (["--layout", "moon"], "layout: no layout named 'moon'; there are burrito, forced_coordination, open, ring"),
    (["--layout", "none.toml"], "none.toml: cannot be read: No such file or directory"),
    (["--agent", "nobody"], "--agent: no agent named 'nobody'; none of "),
    (["--partner", "nobody"], "--partner: no agent named 'nobody'"),
    (["--partner", "humn"], "--partner: no agent named 'humn'; the nearest is human; "),
    (["--partner", "bp:G9-9"], "--partner: no agent named 'bp:G9-9'; the nearest are bp:G"),
    (
        ["--agent", "gamma", "--weights", "."],
        "gamma: has no weights for the layout open, nor for any other; looked in .",
    ),
    (["--agent", "gamma", "--weights", "nowhere"], "--weights: 'nowhere' is not a folder"),
    (["--planner", "oracle"], "planner: no planner named 'oracle'; there are scripted, openai"),
    (["--planner", "local"], "--model: missing; --planner local takes a GGUF file or a name that bba-tui models lists"),
    (["--replan-cost", "2eur"], "--replan-cost: got '2eur'; it should be points, or dollars with points a dollar"),
    (["--prompts", "nowhere"], "prompts: nowhere is not a folder"),
    (["--schedule", "5:serve"], "schedule: steps [5] must start at 0 and ascend"),
    (["--config", "none.toml"], "none.toml: cannot be read: No such file or directory"),
    (["--replay", "none.bba"], "none.bba: cannot be read: No such file or directory"),
    (["--record", "no/such/game.bba"], "--record: no/such is not a folder that can be written to"),
    (["--play"], "--play: is no option of headless, but of play, serve"),
    (["--record", "."], "--record: . is not a file"),
    (["--record", "game.bba", "--seeds", "2"], "--record: takes one game; --seeds asks for 2"),
]


@pytest.mark.parametrize(
    ("arguments", "message"), WRONG, ids=lambda value: " ".join(value) if isinstance(value, list) else ""
)
def test_a_mistake_is_one_line_on_stderr_and_exit_code_2(capsys, tmp_path, arguments, message):
    code, out, err = run(capsys, "--headless", *arguments)
    assert code == 2
    assert out == ""
    assert err.startswith(f"bba-tui: {message}")
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("seed = ", "not valid TOML"),
        ("sede = 3", "sede: unknown option; the nearest are seed, "),
        ("seed = -3", "mine.toml: seed: got -3; it should be greater than or equal to 0"),
        ('config = "other.toml"', "config: unknown option"),
        ("seed = " + "[" * 5000, "not valid TOML"),
        ('layout = "\\u0000.toml"', "cannot be read: embedded null byte"),
    ],
)
def test_a_mistake_in_the_config_file_is_one_line(capsys, tmp_path, text, message):
    (tmp_path / "mine.toml").write_text(text)
    code, _, err = run(capsys, "--headless", "--config", "mine.toml")
    assert code == 2
    assert message in err
    assert err.count("\n") == 1


def test_without_a_terminal_the_screen_says_so(capsys):
    code, out, err = run(capsys)
    assert (code, out) == (2, "")
    assert err == (
        "bba-tui: the screen needs a terminal; without one use --headless, or name a game: watch, play, learn\n"
    )


@pytest.mark.parametrize(("study", "problem"), [("nosuch.toml", "nosuch.toml"), ("two.toml", "s is for two people")])
def test_without_a_terminal_a_study_says_first_what_is_wrong_with_it_and_begins_no_folder(
    capsys, tmp_path, study, problem
):
    two = 'name = "s"\ntitle = "t"\nconsent = "c"\nlayouts = ["open"]\npeople = 2\n'
    (tmp_path / "two.toml").write_text(two)
    code, out, err = run(capsys, "study", study, "--out", str(tmp_path / "data"))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert problem in err
    assert not (tmp_path / "data").exists()


def test_where_the_screen_would_be_drawn_into_a_file_it_says_so(capsys, monkeypatch):
    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm-256color")
    code, _, err = run(capsys, "--layout", "open")
    assert code == 2
    assert err == "bba-tui: the screen is drawn on the error output, which is no terminal here; do not redirect it\n"


def test_a_damaged_recording_is_named_before_the_screen_opens(capsys, tmp_path):
    (tmp_path / "game.bba").write_bytes(b"no recording")
    code, _, err = run(capsys, "--replay", "game.bba")
    assert (code, err) == (2, "bba-tui: game.bba: cannot be read: not a recording, or damaged\n")


def test_interrupted_it_keeps_what_is_finished_and_exits_with_130(capsys, monkeypatch, tmp_path):
    from bba.play import Game

    step = Game.step
    ended, left = [], []

    def interrupted(game):
        done = len(game.trace.ticks)
        if ended and done > 50:
            left.append(done)
            raise KeyboardInterrupt
        tick = step(game)
        ended.extend([game] * game.done)
        return tick

    monkeypatch.setattr(Game, "step", interrupted)
    monkeypatch.setattr(Game, "_run_kernel", lambda *_: 0)  # step by step, so that one can be interrupted
    code, out, _ = run(capsys, *SHORT, "--seeds", "3", "--json")
    assert code == 130
    assert json.loads(out)["seed"] == 0, "the first game was finished"
    left.clear()
    code, _, _ = run(capsys, "--headless", "--horizon", "500", "--record", "game.bba")
    assert code == 130
    assert [load(tmp_path / "game.bba").steps] == left


def test_a_config_file_takes_the_options_as_they_are_written_on_the_command_line(tmp_path):
    (tmp_path / "mine.toml").write_text("theta-obs = 0.06\njson = true\nlist = false\n")
    options = parsed(["headless", "--config", "mine.toml"])
    assert (options.theta_obs, options.as_json) == (0.06, True)


def test_a_recording_without_a_step_is_one_line(capsys, tmp_path):
    from bba.play import Game, record, save

    save(record(Game("open", "bayes", "switching").trace), tmp_path / "empty.bba")
    code, out, err = run(capsys, "--headless", "--replay", "empty.bba")
    assert (code, out, err) == (2, "", "bba-tui: empty.bba: the recording holds no step\n")


@pytest.mark.thorough
def test_a_replay_names_the_planner_that_played(capsys):
    run(capsys, *SHORT, "--record", "game.bba")
    _, out, _ = run(capsys, "--headless", "--replay", "game.bba", "--planner", "another", "--json")
    assert json.loads(out)["planner"] == "scripted"


def test_a_link_to_a_recording_stays_a_link(capsys, tmp_path):
    (tmp_path / "link.bba").symlink_to(tmp_path / "real.bba")
    code, _, _ = run(capsys, *SHORT, "--record", "link.bba")
    assert code == 0
    assert (tmp_path / "link.bba").is_symlink()
    assert load(tmp_path / "real.bba").steps == 120


@pytest.mark.parametrize("redirection", [">&-", ">/dev/full"])
def test_a_closed_or_full_standard_output_is_one_line(redirection):
    import subprocess
    import sys

    command = f"{sys.executable} -m tui.cli --list {redirection}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("bba-tui: standard output")
    assert done.stderr.count("\n") == 1


def test_a_terminal_that_knows_only_ascii_gets_a_summary_too():
    import os
    import subprocess
    import sys

    command = [sys.executable, "-m", "tui.cli", "--headless", "--horizon", "20"]
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0
    assert "reward" in done.stdout


@pytest.mark.parametrize(
    ("words", "files"),
    [
        ("headless open --horizon 400 --json --record a.bba", ["a.bba"]),
        ("headless open --horizon 400 --json --export a.jsonl", ["a.jsonl"]),
        ("headless open --horizon 400 --json --export a.gif --record none.bba", ["a.gif", "none.bba"]),
    ],
)
def test_on_a_full_disk_the_measures_are_printed_before_the_line(words, files, capsys, tmp_path):
    with full_disk(100):
        code, out, err = run(capsys, *words.split())
    assert (code, json.loads(out)["horizon"]) == (2, 400)
    assert err.splitlines()[-1].endswith(": cannot be written: File too large")
    assert not any((tmp_path / name).exists() for name in files)


def test_on_a_full_disk_both_games_of_a_duel_are_printed_before_the_line(capsys, tmp_path):
    with full_disk(100):
        code, out, err = run(
            capsys, *["--headless", "--duel", "--planner", "scripted", "--horizon", "100", "--record", "a.bba"]
        )
    assert (code, out.count("reward")) == (2, 2), err
    assert err.splitlines()[-1] == "bba-tui: a.bba: cannot be written: File too large"
