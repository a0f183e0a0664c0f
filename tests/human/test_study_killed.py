"""A study that is killed goes on where it was: nothing is lost, and nothing is asked twice."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bba.play import Replay, load
from human.study import StudyFolder
from human.study.table_rows import tables_of

ROOT = Path(__file__).parents[2]
KILLS = 10
SEED = 3  # one with interruptions in the tutorial, in both games, and among the questions

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs fork and SIGKILL")


@pytest.fixture(scope="module")
def lives(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lives")
    command = [sys.executable, "-m", "tests.human.participant", str(folder), str(SEED), str(KILLS)]
    subprocess.run(command, cwd=ROOT, check=True)
    return folder, [json.loads(line) for line in (folder / "lives.jsonl").read_text().splitlines()]


def test_every_life_but_the_last_was_ended_by_force(lives):
    assert [life["killed"] for life in lives[1]] == [True] * KILLS + [False]


def test_nothing_that_was_saved_is_lost(lives):
    known = {"answers": [], "games": []}
    for life in lives[1]:
        after = life["after"] or known
        assert after["answers"][: len(known["answers"])] == known["answers"]
        assert [game["started"] for game in after["games"]][: len(known["games"])] == [
            game["started"] for game in known["games"]
        ]
        ended = [game for game in known["games"] if game["ended"]]
        assert all(game in after["games"] for game in ended)
        known = after


def test_what_was_taken_is_saved_and_what_is_saved_is_not_asked_again(lives):
    for life in lives[1]:
        saved_before, saved_after = (answered(life[when]) for when in ("before", "after"))
        asked = {what for kind, what in life["notes"] if kind == "asked"}
        taken = {what for kind, what in life["notes"] if kind == "taken"}
        assert not asked & saved_before
        assert taken <= saved_after


def test_who_has_agreed_is_not_asked_again(lives):
    for life in lives[1]:
        if life["before"] is not None:
            assert "consented" not in [kind for kind, _ in life["notes"]]


def test_no_game_that_has_ended_is_played_again(lives):
    for life in lives[1]:
        played = {what for kind, what in life["notes"] if kind == "played"}
        ended = {
            f"game {game['game'] + 1} of 2" for game in (life["before"] or {"games": []})["games"] if game["ended"]
        }
        assert not played & ended


def test_in_the_end_there_is_all_of_it_once(lives):
    folder = StudyFolder.open(lives[0] / "results")
    tables = tables_of(folder)
    assert tables["participants"][0]["complete"]
    assert tables["participants"][0]["stages"] == 10
    given = [(row["game"], row["question"], row["score"], row["words"]) for row in tables["answers"]]
    assert given == [(game, *rest) for game in (1, 2) for rest in (("fluency", 4, None), ("remarks", None, "well"))]
    assert [(row["steps"], row["given_up"]) for row in tables["games"]] == [(60, False)] * 2
    assert all(row["interruptions"] > 0 for row in tables["games"])


def test_an_interrupted_game_is_the_game_that_was_never_interrupted(lives):
    """The person acted by the number of the step alone; so an interruption should make no difference at all."""
    from tests.human.studies import begun, play_through

    folder = StudyFolder.open(lives[0] / "results")
    (lives[0] / "whole").mkdir()
    whole = begun(lives[0] / "whole")
    with whole.participation("P1") as part:
        play_through(whole, part)
    for game in (1, 2):
        one, other = (load(place.recordings / f"P1-game-{game}.bba") for place in (folder, whole))
        assert one == other
        assert Replay(one).run().score == Replay(other).run().score


def answered(progress):
    return {
        f"on game {answer['game'] + 1}: {answer['question']}" for answer in (progress or {"answers": []})["answers"]
    }
