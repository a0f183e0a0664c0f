"""What is put away in a temporary file is read back as it was, and stays in memory where there can be no file."""

import os
import tempfile
import weakref
from pathlib import Path

import pytest

from bba.errors import BBAError
from bba.scratch_file import ScratchFile

FULL = Path("/dev/full")
PIECES = [bytes([number]) * (100 + number) for number in range(20)]
has_full_disk = pytest.mark.skipif(not FULL.exists(), reason="needs a disk that is always full")


def test_the_first_bytes_need_no_file_and_all_are_read_back_in_any_order():
    scratch = ScratchFile(in_memory=250)
    kept = [scratch.keep(piece) for piece in PIECES[:2]]
    assert scratch._file is None
    kept += [scratch.keep(piece) for piece in PIECES[2:]]
    assert scratch._file is not None
    assert os.fstat(scratch._file.fileno()).st_size == sum(map(len, PIECES[2:]))
    assert [read() for read in reversed(kept)] == PIECES[::-1]


def test_where_the_system_cannot_read_at_a_place_it_is_read_from_there_all_the_same(monkeypatch):
    scratch = ScratchFile(in_memory=0)
    kept = [scratch.keep(piece) for piece in PIECES]
    monkeypatch.delattr(os, "pread", raising=False)
    assert [read() for read in reversed(kept)] == PIECES[::-1]


@has_full_disk
def test_on_a_full_disk_all_stays_in_memory():
    scratch = ScratchFile(in_memory=0)
    first = scratch.keep(PIECES[0])
    written = scratch._file
    with FULL.open("wb", buffering=0) as full:
        scratch._file = full
        kept = [scratch.keep(piece) for piece in PIECES[1:]]
    assert [read() for read in kept] == PIECES[1:]
    scratch._file = written
    assert first() == PIECES[0]


def test_without_a_place_for_temporary_files_all_stays_in_memory(monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", os.devnull)
    scratch = ScratchFile(in_memory=0)
    assert [scratch.keep(piece)() for piece in PIECES] == PIECES
    assert scratch._file is None


def test_a_forked_process_writes_nothing_into_the_file_of_the_first(monkeypatch):
    scratch = ScratchFile(in_memory=0)
    before = scratch.keep(PIECES[0])
    monkeypatch.setattr(os, "getpid", lambda: -1)
    assert scratch.keep(PIECES[1])() == PIECES[1]
    assert before() == PIECES[0]
    assert os.fstat(scratch._file.fileno()).st_size == len(PIECES[0])


def test_a_file_that_broke_off_is_one_clear_line():
    scratch = ScratchFile(in_memory=0)
    kept = scratch.keep(PIECES[0])
    os.truncate(scratch._file.fileno(), 10)
    with pytest.raises(BBAError, match="cannot be read back: it breaks off"):
        kept()


def test_the_file_goes_with_the_last_that_can_read_it():
    scratch = ScratchFile(in_memory=0)
    kept, file, gone = scratch.keep(PIECES[0]), scratch._file, weakref.ref(scratch)
    del scratch
    assert not file.closed
    assert kept() == PIECES[0]
    del kept
    assert gone() is None
    assert file.closed
