"""The command as a user runs it, in this process."""

import os
import sys
from collections.abc import Sequence
from typing import Any

import pytest

from tui.arguments import parse
from tui.cli import main
from tui.game_factory import SessionRequest, session_request


@pytest.fixture(autouse=True)
def no_settings_from_outside(monkeypatch, tmp_path):
    for name in list(os.environ):
        if name.startswith("BBA_"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


def parsed(words: Sequence[str]) -> Any:
    """The options of the command that the words ask for."""
    return parse(words).options


def requested(words: Sequence[str]) -> SessionRequest:
    """The session of a person that the words ask for."""
    options = parsed(words)
    return session_request(options, turns=options.turns, record=options.record, force=options.force)


def run(capsys, *arguments):
    code = main(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def in_a_terminal(monkeypatch, columns: int) -> None:
    """Has standard output look like a terminal of so many columns."""
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
