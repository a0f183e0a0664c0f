"""The ghost path: the way of the ego in the likeliest future, from where it stands, over floor only."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from bba.agents import SeatSpec, load_agent
from bba.agents.learned.weights import planning_networks
from bba.analysis.snapshot import Snapshot
from bba.config import RolloutOptions
from bba.errors import BBAError
from bba.kitchen import Kitchen, Layout, constants
from bba.kitchen.constants import KEY, NO_SKILL, POSITION
from bba.planner import likeliest_path
from bba.play import Game
from tests.helpers import tiny_policies
from tests.helpers.comparisons import compared, compared_game, with_comparisons
from tests.helpers.kitchen_states import give
from tui.widgets import ghost_path

TIMEOUT = 30


def path_of(kitchen, skill, partner=NO_SKILL, steps=40, networks=None):
    return likeliest_path(
        networks or tiny_policies.planning_networks(kitchen.layout.name),
        kitchen.state,
        0,
        (skill, 0),
        partner,
        steps=steps,
        timeout=TIMEOUT,
    )


def test_it_is_the_way_that_the_controller_walks_while_the_skill_runs():
    kitchen = Kitchen("open", 0, mobility=(1, 1))
    give(kitchen, 0, constants.STEAK_BURRITO)
    path = path_of(kitchen, constants.SERVE, partner=constants.GRAB_RICE, steps=12)
    assert path[0] == int(kitchen.state[POSITION])
    width = kitchen.layout.width
    steps = [abs(a % width - b % width) + abs(a // width - b // width) for a, b in pairwise(path)]
    assert max(steps) == 1
    assert all(kitchen.layout.is_floor((tile % width, tile // width)) for tile in path)
    window = next(at for at, char in kitchen.layout.tiles() if char == "S")
    beside = [tile for tile in path if abs(tile % width - window[0]) + abs(tile // width - window[1]) == 1]
    assert beside, "it goes to the serving window"


def test_what_the_partner_does_changes_it_and_the_games_own_luck_does_not():
    kitchen = Kitchen("open", 3, mobility=(0.5, 0.5), fast=True)
    rng = np.random.default_rng(1)
    for _ in range(80):
        kitchen.step(rng.integers(0, constants.N_ACTIONS, 2))
    networks = planning_networks(Layout.load("open"), None)
    paths = {partner: path_of(kitchen, NO_SKILL, partner, 60, networks) for partner in range(constants.N_SKILLS)}
    assert len({tuple(path) for path in paths.values()}) > 1
    before = kitchen.state.copy()
    kitchen.state[KEY] += 1
    assert path_of(kitchen, NO_SKILL, 3, 60, networks) == paths[3]
    kitchen.state[KEY] -= 1
    assert (kitchen.state == before).all()


@pytest.fixture(scope="module")
def trace(tmp_path_factory):
    """A game of the rollout planner with small networks."""
    weights = tiny_policies.write(tmp_path_factory.mktemp("weights"), "planner")
    options = SeatSpec(planner="rollout", weights=weights, rollout=RolloutOptions(futures=2, future_steps=20))
    return Game("open", load_agent("bayes", options), "switching", 3, horizon=60, fast=True).run(), weights


def test_it_begins_beside_the_ego_names_each_tile_once_and_covers_floor_only(trace):
    game, weights = trace
    found = [(step, ghost_path(Snapshot(game, step), weights)) for step in range(0, 60, 5)]
    assert any(path for _, path in found)
    for step, path in found:
        here = Snapshot(game, step).scene.players[0].position
        assert here not in path
        assert len(set(path)) == len(path)
        assert all(game.config.layout.is_floor(tile) for tile in path)
        assert not path or abs(path[0][0] - here[0]) + abs(path[0][1] - here[1]) == 1


def test_the_same_step_has_the_same_path_and_one_future_is_as_long_as_the_planners(trace):
    game, weights = trace
    assert ghost_path(Snapshot(game, 30), weights) == ghost_path(Snapshot(game, 30), weights)
    ego = replace(game.config.seats[0], rollout=RolloutOptions(future_steps=1))
    short = replace(game, config=replace(game.config, seats=(ego, game.config.seats[1])))
    assert all(len(ghost_path(Snapshot(short, step), weights)) <= 1 for step in range(0, 60, 10))


def test_the_partner_does_what_the_planner_assumed_at_last(monkeypatch):
    asked = []
    monkeypatch.setattr("tui.widgets.planner.likeliest_path", lambda *given, **_: asked.append(given) or [5])
    game = with_comparisons(compared_game(), {60: compared(partner=())})
    for step in (0, 59, 60):
        ghost_path(Snapshot(game, step))
    assert [given[4] for given in asked] == [NO_SKILL, constants.BOIL, NO_SKILL]


def test_without_the_planner_there_is_none_and_without_its_networks_one_line_says_so(trace, tmp_path):
    game, _ = trace
    assert ghost_path(Snapshot(Game("open", "bayes", "switching", horizon=5).run(), 5)) == ()
    with pytest.raises(BBAError, match="no weights"):
        ghost_path(Snapshot(game, 5), tmp_path)
