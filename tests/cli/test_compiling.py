"""What a headless game says on a terminal before it compiles, and that it says nothing elsewhere."""

import io

import pytest

from tui.commands import output
from tui.commands.output import announce_compiling


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("planner", "kitchen", "futures", "said"),
    [
        ("rollout", True, True, ""),
        ("rollout", True, False, "compiling the planner"),
        ("rollout", False, False, "compiling the planner"),
        ("scripted", True, False, ""),
        ("scripted", False, False, "compiling the kitchen"),
        (None, True, False, ""),
    ],
)
def test_only_what_has_to_be_compiled_is_announced_in_one_line(monkeypatch, planner, kitchen, futures, said):
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setattr(output, "is_compiled", lambda: kitchen)
    monkeypatch.setattr(output, "futures_are_compiled", lambda: futures)
    announce_compiling(planner)
    assert terminal.getvalue().startswith(said)
    assert terminal.getvalue().count("\n") == bool(said)


def test_nothing_is_said_where_nobody_reads_it(monkeypatch, capsys):
    monkeypatch.setattr(output, "is_compiled", lambda: False)
    announce_compiling("scripted")
    assert capsys.readouterr().err == ""
