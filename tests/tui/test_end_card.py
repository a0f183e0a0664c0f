"""The card at the end of a game: what came of it, what it compares with, and the keys that lead on."""

import json

import pytest

from bba.agents import Controls, HumanAgent
from bba.kitchen.constants import DELIVERIES, FIRES, SCORE
from bba.play import Game
from tests.helpers.app import paused_app, texts
from tests.helpers.forks import still
from tests.helpers.games import game, played
from tests.helpers.wait_for_idle import until
from tui.playback.best_scores import BestScores, reference_score
from tui.playback.source import PlaybackSource
from tui.playback.traces import TracePlayback
from tui.preferences import AppState
from tui.screens.what_if import ForkDialog
from tui.widgets.events import EndCard, ScoreStanding

STEPS = 60


@pytest.fixture
def best(tmp_path):
    return BestScores(tmp_path / "best.json")


def with_score(score: int, steps: int = STEPS, **settings):
    trace = played(steps, horizon=STEPS, **settings)
    state = trace.ticks[-1].state.copy()
    trace.ticks[-1] = trace.ticks[-1]._replace(state=state)
    state[SCORE] = score
    return trace


def test_only_the_best_game_to_its_end_is_remembered(best):
    best.keep(with_score(90, steps=STEPS - 1))
    assert best.best(with_score(0).config) is None
    for score, kept in ((50, 50), (70, 70), (60, 70)):
        best.keep(with_score(score))
        assert best.best(with_score(0).config) == (kept, "switching and switching")


@pytest.mark.parametrize(
    "settings", [{"seed": 1}, {"layout": "ring"}, {"horizon": STEPS + 1}, {"mobility": (0.5, 1.0)}]
)
def test_a_score_counts_for_the_same_kitchen_seed_steps_and_mobility_only(best, settings):
    best.keep(with_score(70))
    assert best.best(game(**{"horizon": STEPS} | settings).trace.config) is None


@pytest.mark.parametrize("text", ["", "[]", "{", '{"KEY": 7}', '{"KEY": ["7", "x"]}', '{"KEY": [7]}', '{"KEY": null}'])
def test_a_damaged_file_holds_no_score_and_is_replaced(best, text):
    trace = with_score(70)
    best.keep(trace)
    key = next(iter(json.loads(best.path.read_text())))
    best.path.write_text(text.replace("KEY", key))
    assert best.best(trace.config) is None
    best.keep(trace)
    assert best.best(trace.config).score == 70


@pytest.mark.parametrize(
    ("before", "score", "said"),
    [
        (None, 70, "this score"),
        (50, 70, "this score; before, 50, switching and switching"),
        (90, 70, "90, switching and switching"),
        (70, 70, "this score"),
    ],
)
def test_a_game_is_compared_with_the_best_one_before(best, before, score, said):
    if before is not None:
        best.keep(with_score(before))
    standing = ScoreStanding(with_score(score), best)
    lines = texts(standing.lines())
    assert lines[0] == f"score          {score}"
    assert lines[4] == f"best so far    {said}"
    assert lines[5] == "two proagents  playing … in 60 steps"
    again = ScoreStanding(standing.trace, best)  # in its debriefing
    assert texts(again.lines())[4] == f"best so far    {said.partition(';')[0]}"
    standing.reference = 123
    assert texts(standing.lines())[5] == "two proagents  123 in 60 steps"


def test_a_game_that_was_ended_early_is_compared_with_as_many_steps_only(best):
    best.keep(with_score(90))
    standing = ScoreStanding(with_score(10, steps=33), best)
    standing.reference = 5
    assert texts(standing.lines())[4:] == ["two proagents  5 in 33 steps"]


@pytest.mark.parametrize(("people", "said"), [((1,), "one as quick"), ((0, 1), "both as quick")])
def test_beside_a_person_the_two_plain_cooks_are_as_quick_which_is_said_as_it_gains_them_points(best, people, said):
    seats = [HumanAgent(Controls()) if seat in people else "switching" for seat in (0, 1)]
    standing = ScoreStanding(Game("open", *seats, 0, horizon=300).run(), best)
    standing.reference = reference_score(standing.trace)
    assert texts(standing.lines())[5:] == [
        f"two proagents  {standing.reference} in 300 steps",
        f"{'':15}{said} as a person",
    ]
    assert standing.reference > Game("open", "proagent", "proagent", 0, horizon=300).run().score


@pytest.mark.thorough
@pytest.mark.parametrize("steps", [200, 300])
def test_the_two_plain_cooks_play_the_same_game_as_long(steps):
    trace = played(steps, horizon=300, seed=0)
    score = Game("open", "proagent", "proagent", 0, horizon=steps).run().score
    assert reference_score(trace) == score > 0


@pytest.mark.thorough
async def test_the_card_stands_at_the_end_alone_and_what_if_leads_back(tmp_path, monkeypatch):
    monkeypatch.setattr("tui.widgets.events.reference_score", lambda trace: 77)
    app = paused_app(STEPS - 1, {"state": AppState(tmp_path / "start.json")}, horizon=STEPS)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        card = app.screen.query_one(EndCard)
        assert not card.display
        await pilot.press("right")
        await until(pilot, lambda: "77" in card.render().plain)
        state, text = app.game_screen.source.trace.ticks[-1].state, card.render().plain
        assert f"deliveries     {state[DELIVERIES]}, " in text
        assert f"fires          {state[FIRES]}\n" in text
        assert text.endswith("w what if  e export  r again  esc menu")
        await until(pilot, lambda: card.region.height >= 9)
        assert app.screen.region.contains_region(card.region)
        await pilot.press("left")
        assert not card.display
    assert BestScores(tmp_path / "best.json").best(app.game_screen.source.config) is not None


async def test_what_if_at_the_end_leads_to_the_step_before_the_last_replan():
    trace = Game("open", "bayes", "switching", 2, horizon=80).run()
    replan = max(tick.step for tick in trace.ticks if tick.decisions[0].replanned)
    app = still(PlaybackSource(lambda: TracePlayback(trace)))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("end")
        assert app.game_screen.snapshot.step == 80
        await pilot.press("w")
        assert isinstance(app.screen, ForkDialog)
        assert app.game_screen.snapshot.step == replan - 1
