"""A replan on the watch screen: its caption under the kitchen, the gate that lights up, the belief before and now."""

import pytest

from bba.analysis import CHANGED_SIGN, KEPT_SIGN
from bba.analysis.captions import replan_texts
from bba.analysis.cook_names import BY_COLOUR, ONE_PERSON
from bba.analysis.replans import REPLAN_SHOWN_STEPS, keeps_plan, replan_at, roles_before
from bba.analysis.snapshot import Snapshot, role_posterior
from bba.belief import ROLE_NAMES
from bba.play import Game
from bba.play.trace import EGO
from tests.helpers.app import texts
from tests.helpers.forks import still
from tests.helpers.typist import played_by_hand
from tests.helpers.wait_for_idle import until
from tui.app.app import BBAApp
from tui.playback.source import PlaybackSource
from tui.playback.traces import TracePlayback
from tui.widgets.events import ReplanCaption, caption_lines
from tui.widgets.gate import CommitmentGatePanel, GatePanel
from tui.widgets.posterior import PosteriorPanel

REPLAN = 71


@pytest.fixture(scope="module")
def trace():
    found = Game("open", "bayes", "switching", 2, horizon=REPLAN + REPLAN_SHOWN_STEPS + 2).run()
    assert [tick.step for tick in found.ticks if tick.decisions[EGO].replanned] == [REPLAN]
    return found


def source(trace) -> PlaybackSource:
    return PlaybackSource(lambda: TracePlayback(trace))


def test_the_caption_of_a_persons_game_speaks_to_the_person():
    played = played_by_hand(360, seed=2, schedule=((0, 0), (60, 1), (120, 2), (200, 3), (280, 0)))
    step = next(tick.step for tick in played.ticks if tick.decisions[EGO].replanned)
    told = " ".join(caption_lines(Snapshot(played, step), step, ONE_PERSON[1], 200, 9))
    sign = KEPT_SIGN if keeps_plan(replan_at(played, step)) else CHANGED_SIGN
    assert told.startswith(f"{sign} step {step}: Your partner expected ")


async def at(pilot, step: int) -> ReplanCaption:
    screen = pilot.app.game_screen
    screen._seek(step)
    await pilot.pause()
    return screen.query_one(ReplanCaption)


@pytest.mark.thorough
@pytest.mark.parametrize(("size", "length"), [((80, 24), 1), ((120, 40), 0), ((200, 60), 0)])
async def test_the_caption_fits_under_the_kitchen_and_is_gone_after_a_while(trace, size, length):
    app = still(source(trace))
    async with app.run_test(size=size) as pilot:
        for step, shown in (
            (REPLAN - 1, False),
            (REPLAN, True),
            (REPLAN + REPLAN_SHOWN_STEPS - 1, True),
            (REPLAN + REPLAN_SHOWN_STEPS, False),
        ):
            caption = await at(pilot, step)
            assert caption.display == shown, step
        caption = await at(pilot, REPLAN)
        said = " ".join(caption.render().plain.split())
        sign = "△" if keeps_plan(replan_at(trace, REPLAN)) else "▲"
        assert said == f"{sign} step {REPLAN}: {replan_texts(trace, REPLAN, BY_COLOUR)[length]}"
        kitchen, timeline = app.game_screen._kitchen, app.game_screen._timeline
        assert caption.region.y == kitchen.region.bottom
        assert caption.content_size.height == len(caption.render().plain.splitlines())
        assert all(len(row) <= caption.content_size.width for row in caption.render().plain.splitlines())
        if timeline.display:
            assert timeline.region.y == caption.region.bottom
            assert timeline.content_size.height >= 2
        else:  # a sentence counts before the timeline, which is back in a few steps
            assert size == (80, 24)
            assert caption.region.bottom == timeline.parent.region.bottom


@pytest.mark.thorough
async def test_the_gate_that_opened_is_framed_and_no_other(trace):
    app = still(source(trace))
    async with app.run_test(size=(120, 40)) as pilot:
        for step, framed in ((REPLAN - 1, False), (REPLAN, True), (REPLAN + REPLAN_SHOWN_STEPS, False)):
            await at(pilot, step)
            assert app.game_screen.query_one(GatePanel).has_class("-replan") == framed
            assert not app.game_screen.query_one(CommitmentGatePanel).has_class("-replan")
            assert not app.game_screen.query_one(GatePanel).has_class("-flash"), "without motion nothing flashes"


@pytest.mark.thorough
async def test_it_flashes_once_for_each_replan_that_comes_into_view(trace):
    app, lit = BBAApp(source(trace), autostart=False, motion=True), []
    async with app.run_test(size=(120, 40)) as pilot:
        await at(pilot, REPLAN - 1)
        side, panel = app.game_screen._side, app.game_screen.query_one(GatePanel)
        after = panel.set_class
        panel.set_class = lambda on, name: (lit.append(on) if name == "-flash" else None, after(on, name))[1]
        await at(pilot, REPLAN)
        await until(pilot, lambda: side._flashes == 0)
        assert lit == [True, False] * 4
        await at(pilot, REPLAN + 5)
        assert len(lit) == 8


async def test_the_posterior_shows_the_belief_that_was_tested_beside_the_one_now(trace):
    before, panel = roles_before(trace, replan_at(trace, REPLAN)), PosteriorPanel()
    assert before == trace.ticks[REPLAN - 2].decisions[EGO].belief.posterior
    for step in (REPLAN, REPLAN + 7):
        lines = texts(panel.lines(Snapshot(trace, step), 40))
        now = role_posterior(trace.ticks[step - 1].decisions[EGO].belief)
        for role in range(len(ROLE_NAMES)):
            assert lines[role].endswith(f"{before[role]:.0%} → {f'{now[role]:.0%}':>5}")
    for step, width in ((REPLAN - 1, 40), (REPLAN + REPLAN_SHOWN_STEPS, 40), (REPLAN, 26)):
        assert not any("%" in text and "→" in text for text in texts(panel.lines(Snapshot(trace, step), width))[:6])
