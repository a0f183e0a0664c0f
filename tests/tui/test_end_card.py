"""The card at the end of a game: what came of it, what it compares with, and the keys that lead on."""

import json
from dataclasses import replace

import pytest

from bba.agents import Controls, HumanAgent, load_agent
from bba.config import BeliefConfig
from bba.kitchen.constants import DELIVERIES, FIRES, SCORE
from bba.play import Game, fork
from tests.helpers.app import paused_app, texts
from tests.helpers.forks import still
from tests.helpers.games import REPLAN, game, parting_game, played
from tests.helpers.wait_for_idle import until
from tui.app.app import BBAApp
from tui.playback.best_scores import BestScores, reference_score
from tui.playback.source import PlaybackSource
from tui.playback.traces import TracePlayback
from tui.preferences import AppState
from tui.screens.debrief import DebriefScreen
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
    again = ScoreStanding(standing.trace, best)  # in its debriefing
    assert texts(again.lines())[4] == f"best so far    {said.partition(';')[0]}"


def test_a_game_that_was_ended_early_is_no_match_for_one_to_its_end(best):
    best.keep(with_score(90))
    assert len(texts(ScoreStanding(with_score(10, steps=33), best).lines())) == 4


def compared(best, trace) -> list[str]:
    """What is said of other agents in the place of the ego."""
    return texts(ScoreStanding(trace, best).lines())[5:]


def test_an_ego_with_a_belief_is_compared_with_itself_without_one(best):
    standing = ScoreStanding(Game("open", "bayes", "switching", 0, horizon=300).run(), best)
    assert texts(standing.lines())[5:] == ["no belief      playing …"]
    standing.take_reference(reference_score(standing.trace))
    unbelieving = Game("open", "bayes-no-belief", "switching", 0, horizon=300).run()
    assert standing.reference == unbelieving.score > 0
    assert texts(standing.lines())[5:] == [f"no belief      {unbelieving.score}, all else the same"]
    standing.take_reference(None)
    assert texts(standing.lines())[5:] == [], "it could not be played"


def test_a_game_that_was_ended_early_is_compared_after_as_many_steps(best):
    game = Game("open", "bayes", "switching", 0, horizon=300)
    for _ in range(200):
        game.step()
    assert reference_score(game.trace) == Game("open", "bayes-no-belief", "switching", 0, horizon=200).run().score


def test_a_belief_that_was_tuned_is_compared_and_an_ego_that_another_agent_took_over_is_not(best):
    game = Game("open", "bayes", "switching", 0, horizon=STEPS)
    game.step()
    game.reconfigure(0, BeliefConfig().changed({"gate.theta_obs": 0.2}))
    assert compared(best, game.run())
    forked = fork(game.trace, 30, (load_agent("proagent").profile, load_agent("switching").profile)).run()
    assert not compared(best, forked)
    told = fork(game.trace, 30, (replace(load_agent("bayes").profile, oracle=True), load_agent("switching").profile))
    assert not compared(best, told.run())


@pytest.mark.parametrize(
    ("ego", "partner"),
    [("switching", "switching"), ("proagent", "switching"), ("bayes", "human"), ("human", "bayes"), ("gamma", "bayes")],
)
def test_who_has_no_belief_or_plays_with_a_person_is_compared_with_nothing(best, ego, partner):
    seats = [HumanAgent(Controls()) if name == "human" else name for name in (ego, partner)]
    assert not compared(best, Game("open", *seats, 0, horizon=STEPS).run())


@pytest.mark.parametrize("compiled", [True, False])
def test_nothing_is_compiled_for_the_comparison(best, monkeypatch, compiled):
    monkeypatch.setattr("tui.playback.best_scores.futures_are_compiled", lambda: compiled)
    trace = Game("open", "bayes", "switching", 0, horizon=STEPS).run()
    ego, partner = trace.config.seats
    trace = replace(trace, config=replace(trace.config, seats=(replace(ego, planner="rollout"), partner)))
    assert bool(compared(best, trace)) == compiled


@pytest.mark.thorough
async def test_the_card_stands_at_the_end_alone_and_what_if_leads_back(tmp_path):
    app = paused_app(STEPS - 1, {"state": AppState(tmp_path / "start.json")}, horizon=STEPS)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        card = app.screen.query_one(EndCard)
        assert not card.display
        await pilot.press("right")
        await until(pilot, lambda: card.display)
        state, text = app.game_screen.source.trace.ticks[-1].state, card.render().plain
        assert f"deliveries     {state[DELIVERIES]}, " in text
        assert f"fires          {state[FIRES]}\n" in text
        assert text.endswith("\ns debrief  w what if\ne export  r again  esc menu"), "a game without a replan"
        await until(pilot, lambda: card.region.height >= 9)
        assert app.screen.region.contains_region(card.region)
        await pilot.press("left")
        assert not card.display
    assert BestScores(tmp_path / "best.json").best(app.game_screen.source.config) is not None


async def test_the_card_leads_to_the_debrief_and_to_the_replans_and_gets_the_score_without_a_belief(
    tmp_path, monkeypatch
):
    monkeypatch.setattr("tui.widgets.events.reference_score", lambda trace: 77)
    source = PlaybackSource(lambda: parting_game(REPLAN + 3))
    source.play(REPLAN + 3)
    app = BBAApp(source, state=AppState(tmp_path / "start.json"), autostart=False, motion=False)
    async with app.run_test(size=(80, 24)) as pilot:
        card = app.screen.query_one(EndCard)
        await until(pilot, lambda: "77, all else the same" in card.render().plain)
        assert "s debrief  n replans  w what if\n" in card.render().plain
        widths = [len(row) for row in card.render().plain.split("\n")]
        assert max(widths) <= card.content_size.width
        await pilot.press("n")
        assert app.screen.snapshot.step == next(tick.step for tick in source.trace.ticks if tick.decisions[0].replanned)
        await pilot.press("end", "s")
        await until(pilot, lambda: isinstance(app.screen, DebriefScreen))


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
