"""Paths that are completed as they are typed."""

import pytest

from tui.widgets.form_fields import completed


@pytest.fixture(autouse=True)
def files(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    for name in (
        "games/one.bba",
        "games/one-more.bba",
        "games/notes.txt",
        "games/.hidden.bba",
        "gap.bba",
        "results/q/x",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()


@pytest.mark.parametrize(
    ("typed", "there"),
    [
        ("", ""),
        ("g", "ga"),
        ("gam", "games/"),
        ("gap", "gap.bba"),
        ("games/", "games/one"),
        ("games/one-", "games/one-more.bba"),
        ("games/.h", "games/.hidden.bba"),
        ("games/no", "games/no"),
        ("nowhere/x", "nowhere/x"),
        ("~nobody-of-that-name/x", "~nobody-of-that-name/x"),
        ("\0/x", "\0/x"),
    ],
)
def test_a_path_is_completed_as_far_as_files_of_this_kind_allow(typed, there):
    assert completed(typed, ".bba") == there


def test_where_a_folder_is_asked_for_files_do_not_count():
    assert completed("ga", None) == "games/"
    assert completed("results/", None) == "results/q/"


def test_a_path_from_the_root_and_one_from_home_are_completed_too(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert completed(f"{tmp_path}/gap", ".bba") == f"{tmp_path}/gap.bba"
    assert completed("~/gap", ".bba") == "~/gap.bba"
