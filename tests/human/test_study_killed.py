"""A killed study resumes: nothing is lost, and nothing is asked twice."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bba.play import Replay, load
from human.study import StudyFolder
from human.study.tables import tables_of
from tests.helpers.samples import few

ROOT = Path(__file__).parents[2]
# Seeds and numbers of kills; in the long trial, kills fall into the tutorial, both games and the questions.
TRIALS = few([(1, 5), (3, 10)])

pytestmark = [pytest.mark.thorough, pytest.mark.skipif(sys.platform == "win32", reason="needs fork and SIGKILL")]


@pytest.fixture(scope="module", params=TRIALS, ids=lambda trial: f"seed {trial[0]}, {trial[1]} kills")
def runs(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    command = [sys.executable, "-m", "tests.helpers.simulated_participant", str(folder), *map(str, request.param)]
    subprocess.run(command, cwd=ROOT, check=True)
    return folder, [json.loads(line) for line in (folder / "runs.jsonl").read_text().splitlines()]


def test_every_run_but_the_last_was_killed(runs):
    *killed, last = (run["killed"] for run in runs[1])
    assert len(killed) >= 5
    assert all(killed)
    assert not last


def test_nothing_that_was_saved_is_lost(runs):
    known = {"answers": [], "games": []}
    for run in runs[1]:
        after = run["after"] or known
        assert after["answers"][: len(known["answers"])] == known["answers"]
        assert [game["started"] for game in after["games"]][: len(known["games"])] == [
            game["started"] for game in known["games"]
        ]
        ended = [game for game in known["games"] if game["ended"]]
        assert all(game in after["games"] for game in ended)
        known = after


def test_accepted_answers_are_saved_and_saved_ones_are_not_asked_again(runs):
    for run in runs[1]:
        saved_before, saved_after = (answered_questions(run[when]) for when in ("before", "after"))
        asked = {what for kind, what in run["notes"] if kind == "asked"}
        accepted = {what for kind, what in run["notes"] if kind == "accepted"}
        assert not asked & saved_before
        assert accepted <= saved_after


def test_consent_is_asked_once(runs):
    for run in runs[1]:
        if run["before"] is not None:
            assert "consented" not in [kind for kind, _ in run["notes"]]


def test_no_finished_game_is_played_again(runs):
    for run in runs[1]:
        played = {what for kind, what in run["notes"] if kind == "played"}
        ended = {f"game {game['game'] + 1} of 2" for game in (run["before"] or {"games": []})["games"] if game["ended"]}
        assert not played & ended


def test_the_results_are_complete_and_hold_nothing_twice(runs):
    folder = StudyFolder.open(runs[0] / "results")
    tables = tables_of(folder)
    assert tables["participants"][0]["complete"]
    assert tables["participants"][0]["stages"] == 10
    given = [(row["game"], row["question"], row["score"], row["words"]) for row in tables["answers"]]
    assert given == [(game, *rest) for game in (1, 2) for rest in (("fluency", 4, None), ("remarks", None, "well"))]
    assert [(row["steps"], row["given_up"]) for row in tables["games"]] == [(60, False)] * 2
    interrupted = [row["interruptions"] > 0 for row in tables["games"]]
    assert all(interrupted) if len(runs[1]) > 10 else any(interrupted)


def test_an_interrupted_game_equals_one_without_interruptions(runs):
    """The participant acts by the step number alone, so interruptions must not change the games."""
    from tests.helpers.studies import begin_study, play_through

    folder = StudyFolder.open(runs[0] / "results")
    (runs[0] / "whole").mkdir()
    whole = begin_study(runs[0] / "whole")
    with whole.participation("P1") as part:
        play_through(whole, part)
    for game in (1, 2):
        one, other = (load(place.recordings / f"P1-game-{game}.bba") for place in (folder, whole))
        assert one == other
        assert Replay(one).run().score == Replay(other).run().score


def answered_questions(progress):
    return {
        f"on game {answer['game'] + 1}: {answer['question']}" for answer in (progress or {"answers": []})["answers"]
    }
