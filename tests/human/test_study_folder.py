"""The folder of a study: participants do not mix, and files are checked before they are used."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bba.errors import BBAError
from human.study import PlayTask, StudyFolder
from human.study.tasks import games_of
from tests.helpers.studies import begin_study, plan, play_through, resumed_session

ROOT = Path(__file__).parents[2]
ENROL = """
import sys
from pathlib import Path
from human.study import StudyFolder
folder = StudyFolder.open(Path(sys.argv[1]))
sys.stdin.read(1)
for number in range(5):
    with folder.participation(f"{sys.argv[2]}{number}"):
        pass
"""


@pytest.mark.thorough
@pytest.mark.parametrize("letters", ["AB", pytest.param("ABCDEFGH", marks=pytest.mark.long)])
def test_participants_who_begin_at_the_same_time_get_different_numbers(tmp_path, letters):
    folder = begin_study(tmp_path)
    command = [sys.executable, "-c", ENROL, str(folder.path)]
    rushing = [subprocess.Popen([*command, letter], cwd=ROOT, stdin=subprocess.PIPE) for letter in letters]
    for process in rushing:
        process.stdin.write(b"x")
        process.stdin.close()
    assert [process.wait(60) for process in rushing] == [0] * len(letters)
    assert [progress.number for progress in folder.everybody()] == list(range(5 * len(letters)))


def test_two_participants_at_once_do_not_mix(tmp_path):
    folder = begin_study(tmp_path)
    with folder.participation("P1") as one, folder.participation("P2") as other:
        first, second = one.task, other.task
        assert [first.condition, second.condition] == [
            games_of(folder.study, part.progress)[0] for part in (one, other)
        ]
        assert first.condition != second.condition
        sessions = resumed_session(folder, one, first), resumed_session(folder, other, second)
        for part, task in ((one, first), (other, second)):
            part.begin(task, 0)
        for step in range(60):
            for session, action in zip(sessions, (step % 2, 2 + step % 2), strict=True):
                session.controls[1].press(action)
                session.step()
        one.end(first, given_up=False)
        other.end(second, given_up=True)
        one.answer(one.task, 1)
        other.answer(other.task, 5)
    for code, score, actions in (("P1", 1, {0, 1}), ("P2", 5, {2, 3})):
        with folder.participation(code) as part:
            assert [answer.score for answer in part.progress.answers] == [score]
            trace = resumed_session(folder, part, PlayTask(0, 2, games_of(folder.study, part.progress)[0])).trace
            assert {tick.actions[1] for tick in trace.ticks} == actions


def test_a_code_is_in_use_once_at_a_time_and_can_be_used_again(tmp_path):
    folder = begin_study(tmp_path)
    twice = pytest.raises(BBAError, match="P1 is taking part elsewhere")
    with folder.participation("P1"), twice, folder.participation("P1"):
        pass
    with folder.participation("P1") as part:
        play_through(folder, part)
    with folder.participation("P1") as part:
        assert part.task is None


def test_a_changed_study_needs_another_folder(tmp_path):
    begin_study(tmp_path)
    begin_study(tmp_path)
    with pytest.raises(BBAError, match="name another with --out"):
        begin_study(tmp_path, horizon=61)


def test_an_answer_of_the_wrong_kind_is_refused_and_not_kept(tmp_path):
    folder = begin_study(tmp_path)
    with folder.participation("P1") as part:
        part.begin(part.task, 0)
        part.end(part.task, given_up=True)
        for wrong in ("four", 6):
            with pytest.raises((BBAError, ValueError)):
                part.answer(part.task, wrong)
        assert part.progress.answers == ()


def test_a_recording_of_another_game_is_not_resumed(tmp_path):
    folder = begin_study(tmp_path)
    with folder.participation("P1") as part:
        task = part.task
        session = resumed_session(folder, part, task)
        session.step()
        session.save()
        other = task._replace(condition=task.condition._replace(seed=9))
        with pytest.raises(BBAError, match="other settings"):
            resumed_session(folder, part, other)


@pytest.mark.parametrize("damage", ["{", "[]", '{"participant": "P1"}'])
def test_a_damaged_file_is_one_line(tmp_path, damage):
    folder = begin_study(tmp_path)
    file = folder.path / "participants" / "P1.json"
    file.write_text(damage)
    with pytest.raises(BBAError) as mistake, folder.participation("P1"):
        pass
    assert str(mistake.value).startswith(f"{file}: ")
    assert "\n" not in str(mistake.value)


def test_progress_holds_only_what_the_study_asks(tmp_path):
    folder = begin_study(tmp_path)
    with folder.participation("P1") as part:
        play_through(folder, part)
    kept = json.loads((folder.path / "participants" / "P1.json").read_text())
    assert set(kept) == {
        *("format", "version", "participant", "number", "group", "row", "consented", "seen", "practice", "tries"),
        *("games", "answers", "breaks", "excluded", "pair", "consent", "platform", "endings", "simulated"),
    }


def test_a_folder_without_a_study_is_one_line(tmp_path):
    with pytest.raises(BBAError, match="holds no study"):
        StudyFolder.open(tmp_path)


def test_the_plan_in_the_folder_is_the_study(tmp_path):
    assert StudyFolder.open(begin_study(tmp_path).path).study == plan()
