"""The panel of learned policies: what was weighed, what runs, the clusters over time, and where the panel stands."""

from dataclasses import replace

import pytest
from textual.geometry import Size

from bba.agents import Decision, PolicyOutput, Profile, SeatSpec, load_agent
from bba.analysis.snapshot import Snapshot
from bba.kitchen import constants
from bba.play import Game, Trace
from tests.helpers.app import fresh_source, texts
from tests.helpers.samples import few
from tests.helpers.tiny_policies import write
from tui.app.app import BBAApp
from tui.playback.source import PlaybackSource
from tui.widgets.planner import PlannerPanel
from tui.widgets.posterior import BAR_BLOCKS, STRIDE, PolicyPanel

WIDTH = 60


def chances(**of):
    """Probabilities of skills by the names of `constants`."""
    shares = [0.0] * constants.N_SKILLS
    for name, share in of.items():
        shares[getattr(constants, name)] = share
    return tuple(shares)


SURE = chances(GRAB_RICE=0.7, WASH=0.2, SKILL_STAY=0.1)


def told(*readings, seats=("gamma", "switching"), running=constants.GRAB_RICE, player=0) -> Trace:
    """A game of one step a reading, of the cook in one seat."""
    trace = fresh_source(len(readings)).trace
    ticks = []
    for tick, reading in zip(trace.ticks, readings, strict=True):
        decisions, skills = list(tick.decisions), list(tick.skills)
        decisions[player], skills[player] = Decision(running, policy=reading), running
        ticks.append(tick._replace(decisions=tuple(decisions), skills=tuple(skills)))
    config = replace(trace.config, seats=(Profile(seats[0]), Profile(seats[1])))
    return Trace(config, trace.start, ticks)


def shown(trace, step=None, *, truth=True, width=WIDTH):
    return texts(PolicyPanel().lines(Snapshot(trace, step or len(trace.ticks), truth), width))


def test_the_likeliest_skills_come_first_and_the_one_that_runs_is_marked():
    rows = shown(told(PolicyOutput(SURE)))
    assert [row.split()[-1] for row in rows] == ["70.0%", "20.0%", "10.0%"]
    assert [row.startswith("▸") for row in rows] == [True, False, False]
    assert rows[0].split("  ")[0] == "▸ get rice"
    assert rows[0].count("█") > rows[1].count("█") > rows[2].count("█")


def test_what_runs_is_shown_however_unlikely_it_was():
    many = chances(GRAB_MEAT=0.3, GRAB_RICE=0.01, GRAB_MUSHROOM=0.2, WASH=0.19, SKILL_STAY=0.18, SERVE=0.07, CHOP=0.05)
    rows = shown(told(PolicyOutput(many)))
    assert len(rows) == 5
    assert rows[-1].startswith("▸ get rice")
    assert rows[0].startswith("  get meat")


def test_before_it_chose_and_where_it_did_not_choose_the_panel_says_so():
    trace = told(PolicyOutput())
    assert texts(PolicyPanel().lines(Snapshot(trace, 0), WIDTH)) == ["has not chosen yet"]
    assert shown(trace) == ["not its choice: get rice"]
    assert shown(told(None)) == ["has not chosen yet"]
    assert shown(fresh_source(3).trace) == ["no learned agent here"]


def test_clusters_stand_below_with_their_weights_over_time():
    readings = [PolicyOutput(SURE, (1.0, 0.0) if step < 40 else (0.1, 0.9)) for step in range(50)]
    trace = told(*readings, seats=("talents", "switching"))
    rows = shown(trace)
    assert [row.split()[:2] for row in rows[-2:]] == [["cluster", "2"], ["cluster", "1"]]
    assert rows[-2].split()[-1] == "90.0%"
    blocks = [row[:-7].split()[-1] for row in rows[-2:]]
    assert blocks[1] == "██" + BAR_BLOCKS[1]
    assert blocks[0] == BAR_BLOCKS[7]
    early = shown(trace, STRIDE)
    assert early[-2].split()[:2] == ["cluster", "1"]


def test_the_heaviest_cluster_stays_where_there_is_little_room(monkeypatch):
    trace = told(PolicyOutput(SURE, (0.2, 0.7, 0.1)), seats=("talents", "bp:G1-1"))
    monkeypatch.setattr(PolicyPanel, "content_size", Size(WIDTH, 3))
    assert [row.split()[1:3] for row in shown(trace)] == [["▸", "get"], ["cluster", "2"], ["has", "not"]]
    monkeypatch.setattr(PolicyPanel, "content_size", Size(WIDTH, 1))
    assert shown(trace)[0].startswith("1 ▸ get rice")


def test_the_partners_policy_is_shown_only_while_the_truth_may_be():
    trace = told(PolicyOutput(SURE), seats=("bayes", "bp:G1-1"), player=1)
    assert shown(trace)[0].startswith("▸ get rice")
    assert shown(trace, truth=False) == ["its policy is hidden"]
    assert PolicyPanel().title_of(Snapshot(trace, 1)) == "policy: bp:G1-1 (partner)"
    assert PolicyPanel().title_of(Snapshot(told(PolicyOutput(SURE)), 1)) == "policy: gamma"


def test_two_who_have_learned_share_the_panel():
    trace = told(PolicyOutput(SURE), seats=("gamma", "bp:G1-1"))
    rows = shown(trace)
    assert [row[:12] for row in rows] == ["1 ▸ get rice", "1   wash a p", "1   wait    ", "2 has not ch"]
    assert all(len(row) <= WIDTH for row in rows)
    assert PolicyPanel().title_of(Snapshot(trace, 1)) == "policy"


@pytest.mark.parametrize("width", [1, 24, 70])
def test_it_fits_any_width(width):
    trace = told(*[PolicyOutput(SURE, (0.5, 0.3, 0.2))] * 45, seats=("talents", "switching"))
    assert shown(trace, width=width)
    if width > 20:
        assert all(len(row) <= width for row in shown(trace, width=width))


# --- where it stands -------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def options(tmp_path_factory):
    return SeatSpec(weights=write(tmp_path_factory.mktemp("weights"), "gamma", "talents", "bp:G1-1"))


def app_of(ego, partner, options) -> BBAApp:
    source = PlaybackSource(
        lambda: Game("open", load_agent(ego, options), load_agent(partner, options), 0, horizon=60), options=options
    )
    for _ in range(20):
        source.step()
    return BBAApp(source, autostart=False)


def displayed(app):
    return tuple(bool(app.screen.query_one(panel).region) for panel in (PlannerPanel, PolicyPanel))


@pytest.mark.parametrize("size", few([(80, 24), (120, 40), (100, 36), (80, 30)]))
async def test_m_shows_the_policy_of_an_ego_without_a_planner(size, options):
    app = app_of("talents", "bp:G1-1", options)
    async with app.run_test(size=size) as pilot:
        assert displayed(app) == (False, False)
        await pilot.press("m")
        await pilot.pause()
        assert displayed(app) == (False, True)
        panel = app.screen.query_one(PolicyPanel)
        assert panel.content_size.height >= 4
        assert panel.region.bottom <= size[1] - 1
        assert "▸" in panel.render().plain
        await pilot.press("m")
        await pilot.pause()
        assert displayed(app) == (False, False)


async def test_m_shows_planner_and_policy_in_turn_where_there_are_both(options):
    app = app_of("proagent", "bp:G1-1", options)
    async with app.run_test(size=(120, 40)) as pilot:
        for expected in ((True, False), (False, True), (False, False), (True, False)):
            await pilot.press("m")
            await pilot.pause()
            assert displayed(app) == expected
