"""What counts as other code than this, and results of other code that are kept on purpose."""

import ast
from pathlib import Path

import pytest

import bba
from bba.agents import AgentOptions
from bba.bench import provenance
from bba.bench.plan import plan_sweep, with_accepted
from bba.bench.provenance import LEFT_OUT, deciding_text
from bba.bench.results_reader import read_results
from bba.bench.results_store import ResultsStore
from tests.helpers.tiny_sweeps import outcome, sweep
from tui.cli import main

OLD = "0123456789abcdef"
SOURCES = [file for name in provenance.DECIDING for file in (Path(bba.__file__).parent / name).rglob("*.py")]


def meaning(source):
    """The syntax tree of a source without docstrings, other constants as statements, and descriptions."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            body = [one for one in node.body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))]
            node.body = body or [ast.Pass()]
        if isinstance(node, ast.keyword) and node.arg == "description" and isinstance(node.value, ast.Constant):
            node.value = ast.Constant("")
    return ast.dump(tree)


def placeholder(found):
    """What stands for a text that is left out, so that the source can still be parsed."""
    text = found[0]
    if not text.endswith(b"\n"):
        return b'""'
    return b"" if text.lstrip().startswith(b"#") else text[: len(text) - len(text.lstrip())] + b"0\n"


def test_only_docstrings_comments_and_help_are_left_out_of_the_digest():
    for file in SOURCES:
        source = file.read_bytes()
        assert meaning(LEFT_OUT.sub(placeholder, source)) == meaning(source), file


@pytest.mark.parametrize(
    ("edit", "same"),
    [
        (('    """Says it."""\n', '    """Says it otherwise."""\n'), True),
        (("# why\n", "# because\n"), True),
        (('description="help"', 'description="more help"'), True),
        (("1 + 1", "1 + 2"), False),
        (('"""a text"""', '"""another text"""'), False),
        (('"# no comment"', '"# data"'), False),
    ],
)
def test_an_edit_counts_if_it_can_change_a_game(edit, same):
    source = 'def f():\n    """Says it."""\n    # why\n'
    source += '    return 1 + 1, g(description="help"), """a text""", "# no comment"\n'
    assert (deciding_text(source.encode()) == deciding_text(source.replace(*edit).encode())) is same


def play_with(folder, code, seeds):
    """Stores made-up outcomes as another version of the code would have."""
    plan = plan_sweep(sweep(seeds=seeds), AgentOptions())
    with ResultsStore(folder) as store:
        for episode in plan.episodes.values():
            store.save(episode.of_code(code), outcome(reward=777))


def test_finished_episodes_of_accepted_code_stand_for_those_of_this_code(tmp_path):
    play_with(tmp_path, OLD, seeds=1)
    plan = plan_sweep(sweep(), AgentOptions())
    with ResultsStore(tmp_path) as store:
        accepted = with_accepted(plan, store.finished(), [OLD])
        assert with_accepted(plan, store.finished(), ["f" * 16]).entries == plan.entries
        store.register("tiny", plan.sweep.model_dump_json(), accepted.entries)
    assert [accepted.episodes[entry.key].code == OLD for entry in accepted.entries] == [True, False, True, False]
    (run,) = read_results(tmp_path).sweeps
    assert run.caveats == (f"2 of 2 episodes were played by other code than this ({OLD})",)


TINY = """title = "t"
agents = ["bayes"]
layouts = ["open"]
horizon = 20
[partners]
switching = ["switching"]
"""


def test_the_option_counts_them_and_the_table_says_so(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tiny.toml").write_text(TINY)
    play_with(tmp_path / "out", OLD, seeds=1)
    command = ["--headless", "--sweep", "tiny.toml", "--out", "out", "--seeds", "1"]
    assert main([*command, "--accept-code", OLD]) == 0
    printed = capsys.readouterr()
    assert "777" in printed.out
    assert f"1 of 1 episodes were played by other code than this ({OLD})" in printed.out
    assert main([*command, "--accept-code", "new"]) == 2
    assert "--accept-code: got 'new'" in capsys.readouterr().err
