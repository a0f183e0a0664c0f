"""A small exam: of each kind one situation in two kitchens."""

import pytest

from bba.exam import situations
from bba.exam.marks import reference_answers
from bba.exam.situations import load_situations
from benchmarks.exam_situations import as_text
from tui.commands import exam_taking as exam_command


def forget() -> None:
    load_situations.cache_clear()
    reference_answers.cache_clear()


@pytest.fixture
def no_figure(monkeypatch):
    """An exam as a command draws nothing, which takes half of its time here."""
    monkeypatch.setattr(exam_command, "figure", lambda results: "")


@pytest.fixture
def few(tmp_path, monkeypatch):
    """The situations of a small exam, in the place of those that ship."""
    chosen = [one for one in load_situations() if one.name.endswith("-1") and one.kitchen in ("open", "ring")]
    path = tmp_path / "few.json"
    path.write_text(as_text(chosen))
    monkeypatch.setattr(situations, "SHIPPED_SITUATIONS", path)
    forget()
    yield load_situations()
    forget()
