"""The debrief says who turned to other work, and whose belief and action followed."""

import pytest

from bba.analysis.highlights import Highlight
from bba.belief import NO_ROLE
from human.session import Session
from tests.helpers.typist import game_of_a_typist
from tui.playback.best_scores import BestScores
from tui.screens.debrief import DebriefScreen, cooks, highlight_text


@pytest.mark.parametrize(
    ("agents", "who", "other", "whose"),
    [
        (("bayes", "human"), "you", "your partner", "your partner's"),
        (("human", "switching"), "your partner", "you", "yours"),
        (("human", "human"), "cook 2", "cook 1", "cook 1's"),
    ],
)
def test_each_seat_is_told_of_the_right_cook(agents, who, other, whose):
    named = cooks(agents)
    slow, replan = (highlight_text(Highlight(5, kind, 9, 1), None, named) for kind in ("slow", "replan"))
    assert f"the observer took 9 steps to follow {who} to " in slow
    assert f"{other} replanned while {who} did prep rice" in replan
    assert f"while {who} did no role's work" in highlight_text(Highlight(5, "replan", 0, NO_ROLE), None, named)
    assert named.whose == whose


def debrief_of(ego, tmp_path):
    game, typist = game_of_a_typist(ego, schedule=((0, 0), (60, 1)), horizon=160)
    for _ in range(160):
        typist.press()
        game.step()
    session = Session(game, {1: typist.controls}, tmp_path / "game.bba")
    return DebriefScreen(session, None, BestScores(tmp_path / "best.json"))


@pytest.mark.parametrize("ego", ["bayes", "switching"])
def test_the_belief_that_is_reported_is_the_observers(tmp_path, ego):
    lines = [said.plain for said in debrief_of(ego, tmp_path)._went()]
    assert any(line.startswith("you turned to other work ") for line in lines)
    assert "belief: an observer's, beside every game" in lines
    assert "action: your partner's" in lines


def test_who_never_turned_to_other_work_is_told_no_more_than_that(tmp_path):
    game, typist = game_of_a_typist("bayes", schedule=((0, 0),), horizon=20)
    for _ in range(20):
        typist.press()
        game.step()
    session = Session(game, {1: typist.controls}, tmp_path / "game.bba")
    lines = [said.plain for said in DebriefScreen(session, None, BestScores(tmp_path / "best.json"))._went()]
    assert lines[-1] == "you turned to other work 0 times"
