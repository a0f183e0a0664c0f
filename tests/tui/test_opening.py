"""The first minute: the cooks that a game opens with, a recording until they can decide, and the first changed plan."""

import pytest
from textual.widgets import Button, Static
from textual.widgets._toast import Toast

from bba.analysis import TimelineMark, names
from bba.analysis.replans import keeps_plan, replan_at
from bba.files import data_dir
from bba.play import EGO, PARTNER, Game, Replay, record
from tests.helpers.notifications import notified, said
from tests.helpers.unprepared import UnpreparedPartner
from tests.helpers.wait_for_idle import until
from tui.app.app import START_SPEED, BBAApp
from tui.arguments import parse
from tui.arguments.options import SHOWN_EGO, SHOWN_PARTNER, SHOWN_SEED, SHOWN_SEEDS, ChosenGame, DuelGame
from tui.game_factory import duel_source, live_source, with_rival
from tui.playback.shown_pair import shipped_recording, with_possible_ego, with_shown_pair
from tui.playback.source import PlaybackSource
from tui.playback.traces import TracePlayback
from tui.preferences import AppState
from tui.screens.duel import BEFORE_DIFFERENCE
from tui.screens.game_form import RIVAL
from tui.screens.preparation import OPENING, OPENING_BRIEFLY
from tui.screens.tour import TourScreen
from tui.widgets.panel import TitleBar

SIZE = (80, 24)
STEPS = 60


@pytest.fixture(autouse=True)
def _nothing_is_said_outside(monkeypatch):
    for name in ("AGENT", "PARTNER", "SEED"):
        monkeypatch.delenv(f"BBA_{name}")


@pytest.fixture
def partner():
    partner = UnpreparedPartner()
    yield partner
    partner.go_on.set()


@pytest.fixture(scope="module")
def whole():
    return Game("open", "bayes", "switching", 3, horizon=STEPS).run()


def opened(partner, whole) -> PlaybackSource:
    recording = record(whole)

    def find(config):
        return recording if config == recording.config else None

    return PlaybackSource(lambda: Game("open", "bayes", partner, 3, horizon=STEPS), opening=find)


# --- the cooks ---------------------------------------------------------------------------------------------------
PAIR = (SHOWN_EGO, SHOWN_PARTNER, SHOWN_SEED)
COOKS = [
    ("watch open", PAIR),
    ("--layout open", PAIR),
    ("watch open --seed 4", (SHOWN_EGO, SHOWN_PARTNER, 4)),
    ("watch forced_coordination", (SHOWN_EGO, SHOWN_PARTNER, SHOWN_SEEDS["forced_coordination"])),
    ("play ring", (SHOWN_EGO, SHOWN_PARTNER, SHOWN_SEEDS["ring"])),
    ("watch open --partner gamma", (SHOWN_EGO, "gamma", 0)),
    ("watch open --agent bayes", ("bayes", "switching", 0)),
    ("watch open --planner rollout", ("bayes", "switching", 0)),
    ("watch open --trigger periodic", ("bayes", "switching", 0)),
]


@pytest.mark.parametrize(("line", "cooks"), COOKS)
def test_a_game_opens_with_the_pair_that_shows_changed_plans_unless_something_else_is_said(line, cooks):
    options = with_shown_pair(parse(line.split()).options)
    assert (options.agent, options.partner, options.seed) == cooks


def test_in_a_kitchen_without_networks_the_preprints_pair_plays(tmp_path):
    options = with_shown_pair(parse(["watch", "open", "--weights", str(tmp_path)]).options)
    assert (options.agent, options.partner, options.seed) == ("bayes", "switching", 0)


def test_headless_and_python_keep_the_pair_of_the_preprint():
    options = parse(["headless", "open"]).options
    assert (options.agent, options.partner, options.planner, options.seed) == ("bayes", "switching", "scripted", 0)
    assert Game("open", horizon=1).trace.config.agents == ("bayes", "switching")


def test_the_form_has_the_ego_of_the_preprint_where_the_kitchen_has_no_networks(tmp_path):
    assert with_possible_ego(ChosenGame()).agent == SHOWN_EGO
    assert with_possible_ego(ChosenGame(weights=tmp_path)).agent == "bayes"
    assert with_possible_ego(ChosenGame(weights=tmp_path, agent="gamma")).agent == "gamma"


# --- the recording -----------------------------------------------------------------------------------------------
def test_a_game_opens_with_its_recording_and_goes_on_live_as_the_same_game(partner, whole):
    source = opened(partner, whole)
    assert not source.ready
    for _ in range(20):
        assert source.opens
        assert source.can_play
        assert not source.recorded
        source.step()
    with pytest.raises(Exception, match="a recording keeps the parameters"):
        source.reconfigure(source.config.seats[0].belief_config)
    partner.go_on.set()
    source.prepare()
    assert not source.opens
    while not source.done:
        source.step()
    assert [tick.actions for tick in source.trace.ticks] == [tick.actions for tick in whole.ticks]
    assert [tick.decisions for tick in source.trace.ticks] == [tick.decisions for tick in whole.ticks]


def test_the_recordings_that_ship_are_small_and_of_the_games_that_open():
    shown = [live_source(with_shown_pair(parse(["watch", kitchen]).options)) for kitchen in SHOWN_SEEDS]
    duels = [duel_source(DuelGame.model_validate({"layout": kitchen})) for kitchen in SHOWN_SEEDS]
    for source in (*shown, *duels, *(duel.rival for duel in duels)):
        recording = shipped_recording(source.config)
        assert recording is not None
        assert recording.config == source.config
        assert recording.steps >= 120 * START_SPEED, "a compiler is done before it ends"
    shipped = list((data_dir("assets/shown")).glob("*.bba"))
    assert len(shipped) == 2 * len(shown)
    assert max(path.stat().st_size for path in shipped) <= 60_000


@pytest.mark.parametrize("kitchen", SHOWN_SEEDS)
def test_within_sixteen_seconds_a_shown_game_changes_its_plan_since_the_partner_turned_to_other_work(kitchen):
    recording = shipped_recording(live_source(with_shown_pair(parse(["watch", kitchen]).options)).config)
    game = Replay(recording)
    while not (game.trace.ticks and game.trace.ticks[-1].decisions[EGO].replanned):
        game.step()
    replan = replan_at(game.trace, len(game.trace.ticks))
    assert replan.step <= 16 * START_SPEED
    assert not keeps_plan(replan)
    assert replan.tested.hypothesis != replan.current.hypothesis
    assert replan.current.probability > 0.8
    true_role = game.trace.ticks[-1].role(PARTNER)
    assert replan.current.hypothesis == names.role_does(true_role, to_you=True), "and so it is"


async def test_another_kitchen_on_the_form_brings_its_own_shown_game_but_not_in_the_place_of_a_chosen_seed(tmp_path):
    app = BBAApp(state=AppState(tmp_path / "start.json"), autostart=False)
    async with app.run_test(size=SIZE) as pilot:
        form = app.screen._form
        for kitchen, typed, seed in (("ring", None, SHOWN_SEEDS["ring"]), ("open", None, SHOWN_SEED), ("ring", "7", 7)):
            if typed is not None:
                form._numbers["seed"].input.value = typed
            form._choices["layout"].value = kitchen
            await pilot.pause()
            assert form.settings().seed == seed
            duel = with_rival(form.settings())
            assert ("seed" in duel.model_fields_set) == (typed is not None), "a duel has its own usual seed"


def test_another_game_has_no_opening_and_a_recording_that_ends_is_waited_for(partner, whole):
    other = Game("open", "bayes", "switching", 4, horizon=STEPS).run()
    assert not opened(partner, other).can_play
    source = opened(partner, whole)
    while source.can_play:
        source.step()
    assert len(source.trace.ticks) == STEPS


async def test_the_screen_says_that_the_first_steps_are_recorded_and_when_the_game_is_live(partner, whole):
    app = BBAApp(opened(partner, whole), speed=10)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: app.game_screen.newest > 2)
        title = app.screen.query_one(TitleBar).render().plain
        assert OPENING in title or OPENING_BRIEFLY in title
        partner.go_on.set()
        await notified(app, pilot, "the live game is ready: it goes on from step ")
        assert "recorded" not in app.screen.query_one(TitleBar).render().plain


# --- the first changed plan --------------------------------------------------------------------------------------
async def test_the_clock_stops_once_at_the_first_changed_plan_of_a_first_run(tmp_path):
    state = AppState(tmp_path / "start.json")
    state.note(toured=True)
    for stops in (True, False):
        source = PlaybackSource(lambda: Game("open", "bayes-commit", "switching", 0, horizon=STEPS))
        app = BBAApp(source, state=state, tour=True, speed=50, motion=False)
        async with app.run_test(size=SIZE) as pilot:
            screen = app.game_screen
            if stops:
                await until(pilot, lambda screen=screen: not screen.playing)
                assert app.screen is screen, "whoever has seen the tour does not get it again"
                data = screen._timeline.timeline_data_of(screen.snapshot)
                assert screen.snapshot.step == data.marks[TimelineMark.REPLAN][0]
                assert screen._caption.display
                await notified(app, pilot, "the first change of plan: read why below; p plays on")
                await pilot.press("p")
            await until(pilot, lambda screen=screen: screen.source.done)
        assert state.offered("changed")


async def test_newcomers_get_the_tour_at_the_first_changed_plan_and_the_game_goes_on_after_it(tmp_path):
    state = AppState(tmp_path / "start.json")
    source = PlaybackSource(lambda: Game("open", "bayes-commit", "switching", 0, horizon=STEPS))
    app = BBAApp(source, state=state, tour=True, speed=50, motion=False)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await until(pilot, lambda: isinstance(app.screen, TourScreen))
        game = app.game_screen
        assert game.snapshot.step == game._timeline.timeline_data_of(game.snapshot).marks[TimelineMark.REPLAN][0]
        assert app.screen.stop.panel == "ReplanCaption"
        await pilot.pause()
        assert not app.screen.query_one("#stop").region.overlaps(game._caption.region)
        assert game._caption.content_size.width >= max(map(len, game._caption.lines)), "its lines are not wrapped anew"
        assert not said(app), "the box says why the game stands still"
        assert state.offered("changed")
        assert state.offered("toured")
        await pilot.press("space")
        await pilot.pause()
        assert app.screen.stop.panel == "PosteriorPanel"
        await pilot.press("space")
        await until(pilot, lambda: app.screen is game and game.playing)
        await notified(app, pilot, "leads past every panel")


async def test_a_notice_does_not_cover_the_caption_of_a_replan(tmp_path):
    trace = Game("open", "bayes-commit", "switching", 0, horizon=STEPS).run()
    app = BBAApp(PlaybackSource(lambda: TracePlayback(trace)), autostart=False, motion=False)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        screen = app.game_screen
        await pilot.press("n")
        await pilot.pause()
        screen.hint("something")
        await until(pilot, lambda: bool(screen.query(Toast)) and screen.query_one(Toast).region)
        assert screen._caption.display
        assert not screen.query_one(Toast).region.overlaps(screen._caption.region)
        await pilot.press("home")
        await until(pilot, lambda: not screen._caption.display)
        screen.hint("something else")
        await until(pilot, lambda: screen.query_one(Toast).region.bottom == SIZE[1] - 1)


# --- the duel ----------------------------------------------------------------------------------------------------
async def test_a_duel_begins_shortly_before_the_egos_first_decide_differently():
    game = {"agents": "bayes-commit,proagent", "partner": "switching", "planner": "scripted", "seed": 0, "horizon": 80}
    app = BBAApp(duel_source(DuelGame.model_validate(game)), speed=1, motion=False)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = app.screen
        assert screen.playing or "looking for the first difference" in screen.status
        await until(pilot, lambda: screen.playing)
        first = screen._differences.ego_steps[0]
        assert first - BEFORE_DIFFERENCE <= screen.snapshot.step < first
        assert "in the past" not in screen.status
        titles = [panel.render().plain for panel in screen._duel_panels]
        assert "with a belief: bayes-commit" in titles[0]
        assert "without: proagent" in titles[1]


async def test_the_start_screen_says_which_duel_it_plays_and_a_key_chooses_the_preprints_cooks(tmp_path):
    app = BBAApp(state=AppState(tmp_path / "start.json"), autostart=False)
    async with app.run_test(size=SIZE) as pilot:
        form = app.screen._form
        await pilot.pause()
        assert f"{SHOWN_EGO}, proagent" in str(app.screen.query_one("#duel", Button).label)
        about = str(app.screen.query_one("#about", Static).visual)
        assert f"v duel beside switching+locked, planner rollout, seed {SHOWN_SEED}" in " ".join(about.split())
        for agent, partner in (("bayes", "switching"), PAIR[:2]):
            await pilot.press("b")
            await pilot.pause()
            chosen = form.settings()
            assert (chosen.agent, chosen.partner) == (agent, partner)
        form._more[RIVAL] = "talents"
        assert with_rival(form.settings()).agents == f"{SHOWN_EGO},talents"
