"""A file that came meanwhile is never replaced without --force, and what was to be written is not lost."""

import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bba import Game, load, record
from bba.agents import Controls, HumanAgent
from bba.errors import BBAError
from bba.files import write_new
from bba.play import save_new, usage_path
from human.session import Session
from tests.helpers.command_line import no_settings_from_outside, run  # noqa: F401 - a fixture that is used by itself
from tests.helpers.full_disk import full_disk

ROOT = Path(__file__).parents[1]
PRECIOUS = b"precious"


def played(seed=0, steps=3):
    game = Game("open", "proagent", "proagent", seed, horizon=steps)
    game.run()
    return record(game.trace)


@pytest.fixture(params=["links", "no links"])
def file_system(request, monkeypatch):
    """A file system with hard links, and one without."""
    if request.param == "no links":

        def refused(*_):
            raise PermissionError(1, "Operation not permitted")

        monkeypatch.setattr(os, "link", refused)


# --- writing a new file ------------------------------------------------------------------------------------------
def test_a_new_file_goes_beside_one_that_is_there(tmp_path, file_system):
    path = tmp_path / "a.txt"
    assert [write_new(path, text).name for text in ("first", "second", "third")] == ["a.txt", "a-2.txt", "a-3.txt"]
    assert [(tmp_path / name).read_text() for name in ("a.txt", "a-2.txt", "a-3.txt")] == ["first", "second", "third"]
    assert len(list(tmp_path.iterdir())) == 3


def test_of_many_threads_that_write_one_name_each_keeps_its_own(tmp_path, file_system):
    together = threading.Barrier(8)

    def write(number):
        together.wait()
        return write_new(tmp_path / "a.txt", str(number))

    with ThreadPoolExecutor(8) as pool:
        written = list(pool.map(write, range(8)))
    assert [path.read_text() for path in written] == [str(number) for number in range(8)]
    assert len({*written}) == 8 == len(list(tmp_path.iterdir()))


def test_a_link_to_a_file_stays_and_the_new_file_goes_beside_the_old_one(tmp_path, file_system):
    (tmp_path / "there").mkdir()
    old, link = tmp_path / "there" / "old.txt", tmp_path / "link.txt"
    old.write_bytes(PRECIOUS)
    link.symlink_to(old)
    written = write_new(link, "new")
    assert (old.read_bytes(), written.read_text(), link.is_symlink()) == (PRECIOUS, "new", True)


def test_on_a_full_disk_a_new_file_leaves_nothing_behind(tmp_path, file_system):
    with full_disk(10), pytest.raises(BBAError, match=r"a\.txt: cannot be written: File too large"):
        write_new(tmp_path / "a.txt", "x" * 1000)
    assert list(tmp_path.iterdir()) == []


def test_what_belongs_to_a_file_is_named_after_it(tmp_path, file_system):
    (tmp_path / "a.bba").write_bytes(PRECIOUS)
    written = write_new(tmp_path / "a.bba", "game", companion=(usage_path, "costs"))
    assert (written.name, usage_path(written).name) == ("a-2.bba", "a-2.usage.json")
    assert usage_path(written).read_text() == "costs"


def test_a_recording_never_replaces_another_one(tmp_path):
    first, second = (save_new(played(seed), tmp_path / "a.bba") for seed in (1, 2))
    assert (load(first).config.seed, load(second).config.seed) == (1, 2)


# --- the commands ------------------------------------------------------------------------------------------------
RECORD = "import sys; from tui.cli import main; sys.exit(main(sys.argv[1:]))"


@pytest.mark.thorough
def test_three_processes_that_record_into_one_file_keep_three_games(tmp_path):
    # Without compiling: the games are short.
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NUMBA_DISABLE_JIT": "1"}
    words = ("headless", "open", "--agent", "proagent", "--horizon", "60", "--record", "same.bba", "--seed")
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", RECORD, *words, str(seed)],
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        for seed in (1, 2, 3)
    ]
    told = [process.communicate()[1] for process in processes]
    kept = sorted(tmp_path.glob("*.bba"))
    said = "".join(told)
    # One that begins when another has ended says so before it plays; it loses nothing either.
    late = said.count("same.bba exists; --force writes over it")
    assert len(kept) == 3 - late
    assert len({load(path).config.seed for path in kept}) == len(kept)
    assert all(f"recorded in {path.name}; watch it: bba-tui replay {path.name}\n" in said for path in kept)


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("headless open --horizon 5 --record {}", "a.bba"),
        ("headless open --horizon 5 --export {}", "a.jsonl"),
        ("export {} --layout open --horizon 5", "a.jsonl"),
        ("watch open --agent bayes --plain --horizon 5 --record {}", "a.bba"),
        ("bench quick --layouts open --agents proagent --seeds 1 --horizon 20 --workers 1 --export {}", "a.csv"),
    ],
    ids=["record", "headless export", "export", "watch", "bench"],
)
def test_a_file_that_comes_while_it_plays_is_kept(words, name, tmp_path, capsys, monkeypatch):
    path = tmp_path / name
    other = path.with_name(f"{path.stem}-2{path.suffix}")
    written_together = threading.Event()
    link = os.link

    def comes_meanwhile(source, target):
        if not written_together.is_set():
            written_together.set()
            path.write_bytes(PRECIOUS)
        link(source, target)

    monkeypatch.setattr(os, "link", comes_meanwhile)
    monkeypatch.setattr(sys, "stdin", None)
    code, out, err = run(capsys, *words.format(path).split())
    assert code == 0, err
    assert path.read_bytes() == PRECIOUS
    assert other.stat().st_size > 20
    assert f"{path} is another file by now: " in err
    assert str(other) in err
    code, out, err = run(capsys, *words.format(path).split())
    assert (code, out) == (2, "")
    assert "exists; --force writes over it" in err
    code, out, err = run(capsys, *words.format(path).split(), "--force")
    assert code == 0, err
    assert path.read_bytes() != PRECIOUS


def test_a_persons_game_goes_beside_a_file_that_came_meanwhile_and_then_stays_there(tmp_path):
    controls, path = Controls(), tmp_path / "mine.bba"
    game = Game("open", HumanAgent(controls), "proagent", horizon=4)
    session = Session(game, {0: controls}, path, replaces=False)
    path.write_bytes(PRECIOUS)
    session.step()
    session.save()
    assert (path.read_bytes(), session.path.name) == (PRECIOUS, "mine-2.bba")
    session.step()
    session.save()
    assert load(session.path).steps == 2
    assert len(list(tmp_path.iterdir())) == 2


def test_two_games_of_people_that_begin_in_the_same_second_are_two_files(tmp_path, monkeypatch):
    monkeypatch.setattr("human.recordings.recordings_folder", lambda: tmp_path)
    sessions = []
    for _ in range(2):
        controls = Controls()
        game = Game("open", HumanAgent(controls), "proagent", horizon=4)
        sessions.append(Session(game, {0: controls}))
    sessions[1].path = sessions[0].path
    for session in sessions:
        session.step()
        session.save()
    assert len({session.path for session in sessions}) == 2 == len(list(tmp_path.iterdir()))
