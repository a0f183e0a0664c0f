"""What participants did is for those who run the study alone, unless they open its folder to others."""

import os
import stat
from contextlib import contextmanager

import pytest

from human.study.report import write_study_report
from human.study.table_files import write_package, write_tables
from tests.helpers.studies import begin_study, play_through
from tui.serve.command import visitor_options
from tui.serve.serve import Serve

pytestmark = pytest.mark.skipif(os.name != "posix", reason="has no such permissions")
SMALL = {"agents": ["switching"], "horizon": 4}


@contextmanager
def umask(mask):
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def modes(folder):
    """The permissions of a folder and of everything in it."""
    return {file: stat.S_IMODE(file.stat().st_mode) for file in (folder, *folder.rglob("*"))}


def take_part(folder, code="P1"):
    with folder.participation(code) as part:
        part.log.note("joined")
        play_through(folder, part)


def is_for(file, files, folders):
    return folders if file.is_dir() else files


@pytest.mark.exhaustive
@pytest.mark.parametrize("mask", [0o000, 0o002, 0o022, 0o077])
def test_everything_of_a_study_is_its_owners_whatever_the_mask(tmp_path, mask):
    with umask(mask):
        folder = begin_study(tmp_path, **SMALL)
        take_part(folder)
        take_part(folder, "P2")
        folder.withdraw("P2")
        write_tables(folder)
        write_tables(folder, anonymous=True)
        write_study_report(folder.path)
        write_package(folder, tmp_path / "shared.zip")
    found = modes(folder.path)
    names = {file.suffix for file in found}
    assert {".json", ".jsonl", ".bba", ".csv", ".html", ".lock"} <= names
    assert {file: mode for file, mode in found.items() if mode != is_for(file, 0o600, 0o700)} == {}
    assert modes(tmp_path / "shared.zip") == {tmp_path / "shared.zip": 0o600}


@pytest.mark.parametrize(("opened", "files"), [(0o750, 0o640), (0o770, 0o640), (0o755, 0o644)])
def test_who_opens_the_folder_opens_what_is_made_in_it_later(tmp_path, opened, files):
    with umask(0o022):
        folder = begin_study(tmp_path, **SMALL)
        for file in (folder.path, *folder.path.iterdir()):
            if file.is_dir():
                file.chmod(opened)
        take_part(folder)
        write_tables(folder)
    found = {file: mode for file, mode in modes(folder.path).items() if file.suffix in (".json", ".bba", ".csv")}
    assert set(found.values()) == {files, 0o600}  # the plan was there before


def test_a_folder_of_an_earlier_version_is_read_and_goes_on(tmp_path):
    folder = begin_study(tmp_path, **SMALL)
    take_part(folder)
    for file in (folder.path, *folder.path.rglob("*")):
        file.chmod(is_for(file, 0o644, 0o755))
    take_part(begin_study(tmp_path, **SMALL), "P2")
    assert [who.participant for who in folder.everybody()] == ["P1", "P2"]


@pytest.mark.parametrize(("mode", "warned"), [(0o755, True), (0o750, True), (0o700, False)])
def test_the_server_says_where_others_can_read(tmp_path, monkeypatch, capsys, mode, warned):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.toml").write_text(
        'name = "s"\ntitle = "t"\nconsent = "c"\nlayouts = ["open"]\nagents = ["switching"]\n'
    )
    settings = Serve(served_at="127.0.0.1:1", study=tmp_path / "s.toml", out=tmp_path / "a place")
    visitor_options(settings)
    (tmp_path / "a place").chmod(mode)
    capsys.readouterr()
    visitor_options(settings)
    assert ("chmod -R go= '" in capsys.readouterr().err) == warned
