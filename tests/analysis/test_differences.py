"""The steps in which a fork goes another way than its original."""

import pytest

from bba.agents import HUMAN, Profile, SeatSpec, load_agent
from bba.analysis import names
from bba.analysis.comparison import Differences
from bba.analysis.timeline import nearest
from bba.play import Game, fork
from bba.play.replay import fork_presets
from bba.play.trace import EGO, PARTNER, Trace
from tests.helpers.games import game

SHARED, STEPS = 30, 140
PRESETS = ["gate off", "replan here", "no belief", "planner rollout", "swap both"]
ROLES = ["prep protein", "prep rice", "plate hygiene", "assemble", "serve"]


@pytest.fixture(scope="module")
def original():
    return game(horizon=STEPS).run()


@pytest.fixture(scope="module")
def forked(original):
    preset = next(one for one in fork_presets(original, SHARED, SeatSpec()) if one.name == "prep rice")
    return preset.make().run()


def test_a_difference_is_a_choice_that_the_other_game_does_not_make_or_other_points(original, forked):
    differences = Differences(original, forked, SHARED)
    differences.extend()
    expected = []
    for step in range(SHARED + 1, STEPS + 1):
        one, other = original.ticks[step - 1], forked.ticks[step - 1]
        apart = [player for player in (EGO, PARTNER) if one.skills[player] != other.skills[player]]
        chosen = [p for p in apart if one.decisions[p].chosen or other.decisions[p].chosen]
        if chosen or one.reward != other.reward:
            expected.append(step)
            for player in chosen:
                skills = ", right ".join(names.skill_doing(tick.skills[player]) for tick in (one, other))
                assert f"the {('ego', 'partner')[player]}: left {skills}" in differences.describe(step)
    assert differences.steps == expected != []
    first, last = expected[0], expected[-1]
    assert nearest(differences.steps, SHARED, forward=True) == first
    assert nearest(differences.steps, first, forward=False) is None
    assert nearest(differences.steps, STEPS + 1, forward=False) == last
    assert nearest(differences.steps, last, forward=True) is None


def test_equal_games_do_not_differ(original):
    differences = Differences(original, fork(original, SHARED).run(), SHARED)
    differences.extend()
    assert differences.steps == []


# --- presets ---------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def planned():
    return Game("open", "bayes", "switching", 5, horizon=60).run()


def made(trace, name: str) -> Game:
    return next(one for one in fork_presets(trace, SHARED, SeatSpec()) if one.name == name).make()


def test_the_presets_are_always_the_same_ten(original, planned):
    for trace in (original, planned):
        presets = fork_presets(trace, SHARED, SeatSpec())
        assert [one.name for one in presets[5:]] == ROLES
        assert [one.name.split()[0] for one in presets[:5]] == [name.split()[0] for name in PRESETS]
    assert [one.name for one in fork_presets(planned, SHARED, SeatSpec()) if one.make is None] == []
    without = [one.name for one in fork_presets(original, SHARED, SeatSpec()) if one.make is None]
    assert [name.split()[0] for name in without] == ["gate", "replan", "no", "planner"]


def test_each_preset_changes_what_it_says_and_shares_the_past(planned):
    seats = planned.config.seats
    for name, ego, partner in (
        ("gate off", ("bayes", "never"), seats[PARTNER]),
        ("no belief", ("bayes-no-belief", None), seats[PARTNER]),
        ("swap both", ("switching", None), seats[EGO]),
        ("serve", ("bayes", None), Profile("switching", schedule=((0, 0), (SHARED, 4)))),
    ):
        forked = made(planned, name).trace
        now = forked.config_at(SHARED + 1).seats
        assert (now[EGO].agent, now[EGO].trigger) == ego
        assert now[PARTNER] == partner
        assert len(forked.ticks) == SHARED
        assert all((a.state == b.state).all() for a, b in zip(forked.ticks, planned.ticks, strict=False))


def test_the_ego_is_asked_where_it_is_to_replan(planned):
    goes_on = [not any(tick.decisions[EGO].chosen for tick in planned.ticks[step - 1 : step + 1]) for step in range(59)]
    running = goes_on.index(True, SHARED)
    forked = next(one for one in fork_presets(planned, running, SeatSpec()) if one.name == "replan here").make()
    assert not planned.ticks[running].decisions[EGO].chosen
    tick = forked.step()
    assert tick.decisions[EGO].chosen
    differences = Differences(planned, forked.trace, running)
    differences.extend()
    assert differences.steps == [running + 1]
    doing = names.skill_doing(tick.skills[EGO])
    same = tick.skills == planned.ticks[running].skills
    expected = f"right is asked, left goes on; both keep {doing}" if same else f", right {doing}"
    assert differences.describe(running + 1).endswith(expected)


@pytest.mark.parametrize("asked", ["left", "right"])
def test_the_game_whose_ego_was_asked_is_the_one_that_is_said_to_be(planned, asked):
    tick = next(tick for tick in planned.ticks if not tick.decisions[EGO].chosen)
    ego = tick.decisions[EGO]._replace(chosen=True)
    same = Trace(planned.config, planned.start, planned.ticks[: tick.step])
    other = Trace(planned.config, planned.start, [*same.ticks[:-1], tick._replace(decisions=(ego, tick.decisions[1]))])
    pair = (other, same) if asked == "left" else (same, other)
    differences = Differences(*pair, tick.step - 1)
    differences.extend()
    goes_on = "left" if asked == "right" else "right"
    assert f"the ego: {asked} is asked, {goes_on} goes on; both keep" in differences.describe(tick.step)


def test_the_partner_turns_at_once(planned):
    tick = made(planned, "prep rice").step()
    assert tick.decisions[PARTNER].scheduled_role == ROLES.index("prep rice")
    assert tick.decisions[PARTNER].chosen


def test_a_game_with_a_person_is_not_swapped():
    trace = Game("open", "bayes", load_agent(HUMAN), 5, horizon=SHARED + 1).run()
    swap = fork_presets(trace, SHARED, SeatSpec())[4]
    assert swap.make is None


def test_another_agent_in_the_egos_place_has_a_trigger_of_its_own():
    game = Game("open", load_agent("bayes", SeatSpec(trigger="periodic")), "switching", seed=1, horizon=20)
    for _ in range(10):
        game.step()
    preset = next(one for one in fork_presets(game.trace, 5, SeatSpec()) if one.name == "no belief")
    assert preset.make().agents[0].profile.trigger != "periodic"
