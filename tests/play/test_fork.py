"""What if: a fork shares the past with its original, and goes on as it is told to."""

from dataclasses import replace

import pytest

from bba.agents import Profile, SeatSpec, load_agent, parse_schedule
from bba.config import BeliefConfig, FilterConfig, GateConfig
from bba.errors import BBAError
from bba.play import Game, Replay, fork, load, record, save
from tests.helpers.games import BEFORE, REPLAN, parting_game

STEPS = 260
NO_REPLAN = Profile("bayes-no-replan", "scripted", BeliefConfig())


def played(ego="bayes", partner="switching", *, layout="open", steps=STEPS, seed=3):
    return Game(layout, ego, partner, seed, horizon=steps).run()


@pytest.fixture(scope="module")
def trace():
    return played()


def same(one, other):
    """Whether two ticks are the same, thoughts included."""
    return (one.state == other.state).all() and one[1:] == other[1:]


def future(game):
    game.run()
    return game.trace


@pytest.mark.thorough
@pytest.mark.parametrize("step", [0, 1, 97, 180, STEPS - 1])
def test_with_nothing_changed_the_future_is_the_original_one(trace, step):
    again = future(fork(trace, step))
    assert again.config == trace.config
    assert again.changes == []
    assert all(same(*pair) for pair in zip(trace.ticks, again.ticks, strict=True))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("ego", "partner", "layout"),
    [
        ("proagent", "bayes", "ring"),
        ("bayes-no-prompt", "bayes-no-belief", "forced_coordination"),
        ("switching", "proagent", "burrito"),
    ],
)
def test_with_any_agents_in_the_seats(ego, partner, layout):
    trace = played(ego, partner, layout=layout, steps=160)
    again = future(fork(trace, 110))
    assert all(same(*pair) for pair in zip(trace.ticks, again.ticks, strict=True))


def test_a_partner_with_a_given_schedule_keeps_to_it():
    options = SeatSpec(schedule=parse_schedule("0:serve,60:prep_rice,130:plate_hygiene"))
    trace = played(partner=load_agent("switching", options), steps=160)
    again = future(fork(trace, 100))
    assert all(same(*pair) for pair in zip(trace.ticks, again.ticks, strict=True))
    assert trace.ticks[140].decisions[1].scheduled_role == again.ticks[140].decisions[1].scheduled_role == 2


def test_the_original_is_left_as_it_was(trace):
    ticks, config = list(trace.ticks), trace.config
    future(fork(trace, 50, (NO_REPLAN, trace.config.seats[1])))
    assert trace.config is config
    assert trace.changes == []
    assert all(one is other for one, other in zip(trace.ticks, ticks, strict=True))


@pytest.mark.thorough
def test_an_ego_that_does_not_replan_differs_from_the_first_replan_on():
    trace, first = parting_game(REPLAN + 40).run(), REPLAN - 1  # ticks count from 0, steps from 1
    other = future(fork(trace, BEFORE, (NO_REPLAN, trace.config.seats[1])))
    assert all((a.state == b.state).all() for a, b in zip(trace.ticks[:first], other.ticks[:first], strict=True))
    assert other.ticks[first].skills[0] == other.ticks[first - 1].skills[0] != trace.ticks[first].skills[0]
    assert not any(tick.decisions[0].replanned for tick in other.ticks[BEFORE:])
    assert any((a.state != b.state).any() for a, b in zip(trace.ticks[first:], other.ticks[first:], strict=True))


def test_a_change_is_noted_and_counts_from_its_step(trace):
    eager = replace(trace.config.seats[0], belief_config=BeliefConfig(gate=GateConfig(theta_obs=0.9, gamma_conf=0.0)))
    other = fork(trace, 80, (eager, trace.config.seats[1])).trace
    assert other.config_at(80) == trace.config
    assert other.config_at(81).seats[0] == eager
    assert other.changes == [(80, other.config_at(81))]


def test_the_past_is_believed_as_it_was_and_the_future_otherwise(trace):
    sharper = replace(trace.config.seats[0], belief_config=BeliefConfig(filter=FilterConfig(likelihood_scale=1.5)))
    other = future(fork(trace, 80, (sharper, trace.config.seats[1])))
    assert all(same(*pair) for pair in zip(trace.ticks[:80], other.ticks[:80], strict=True))
    beliefs = [[tick.decisions[0].belief for tick in game.ticks[80:100]] for game in (trace, other)]
    assert beliefs[0] != beliefs[1]


def test_a_belief_that_joins_later_has_watched_from_the_start():
    trace = played("proagent", steps=120)
    other = fork(trace, 90, (Profile("bayes", "scripted", BeliefConfig()), trace.config.seats[1]))
    tick = other.step()
    assert tick.decisions[0].belief == trace.ticks[90].observer


@pytest.mark.thorough
def test_a_fork_of_a_fork_with_nothing_changed_is_the_fork(trace):
    calmer = replace(trace.config.seats[0], belief_config=BeliefConfig(gate=GateConfig(theta_obs=0.001)))
    first = future(fork(trace, 60, (calmer, trace.config.seats[1])))
    again = future(fork(first, 150))
    assert again.changes == first.changes
    assert all(same(*pair) for pair in zip(first.ticks, again.ticks, strict=True))


@pytest.mark.thorough
@pytest.mark.parametrize("agent", ["bayes", "bayes-no-replan", "proagent"])
def test_a_fork_is_recorded_and_replayed_with_its_changes(trace, agent, tmp_path):
    seat = Profile(
        agent, "scripted", None if agent == "proagent" else BeliefConfig(filter=FilterConfig(window=4, alpha=2.0))
    )
    other = future(fork(trace, 100, (seat, trace.config.seats[1])))
    save(record(other), tmp_path / "fork.bba")
    again = Replay(load(tmp_path / "fork.bba")).run()
    assert again.changes == other.changes
    assert all(same(*pair) for pair in zip(other.ticks, again.ticks, strict=True))


@pytest.mark.thorough
def test_a_recording_is_forked_as_the_game_is(trace, tmp_path):
    save(record(trace), tmp_path / "game.bba")
    again = future(fork(Replay(load(tmp_path / "game.bba")).run(), 130))
    assert all(same(*pair) for pair in zip(trace.ticks, again.ticks, strict=True))


def test_what_was_played_by_other_rules_cannot_be_gone_on_from(trace):
    odd = trace.ticks[40]._replace(actions=(5, 5))
    changed = replace(trace, ticks=[*trace.ticks[:40], odd, *trace.ticks[41:]])
    with pytest.raises(BBAError, match="step 41 was played by other rules"):
        fork(changed, 100)


def test_an_agent_planned_for_by_something_else_is_one_line(trace):
    seat = replace(trace.config.seats[0], planner="gpt-x")
    with pytest.raises(BBAError, match="bayes was planned for by gpt-x, not by scripted"):
        fork(trace, 10, (seat, trace.config.seats[1]))


@pytest.mark.thorough
def test_a_live_game_is_retuned_from_the_next_step_on_and_remembers_it(tmp_path):
    game = Game("open", "bayes", "switching", 3, horizon=STEPS)
    for _ in range(120):
        game.step()
    game.reconfigure(
        0, BeliefConfig(filter=FilterConfig(window=3), gate=GateConfig(theta_obs=0.5, gamma_conf=0.2, stability=0))
    )
    trace = game.run()
    plain = played()
    assert all(same(*pair) for pair in zip(plain.ticks[:120], trace.ticks[:120], strict=True))
    assert len(trace.ticks[200].decisions[0].belief.likelihood_ratios) <= 3
    assert trace.config_at(120).belief_config == BeliefConfig()
    assert trace.config_at(121).belief_config.gate.theta_obs == 0.5
    save(record(trace), tmp_path / "tuned.bba")
    again = Replay(load(tmp_path / "tuned.bba")).run()
    assert all(same(*pair) for pair in zip(trace.ticks, again.ticks, strict=True))


def test_tuning_back_before_the_next_step_leaves_no_trace():
    game = Game("open", "bayes", "switching", 3)
    game.step()
    game.reconfigure(0, BeliefConfig(filter=FilterConfig(alpha=3.0)))
    game.reconfigure(0, BeliefConfig())
    assert game.trace.changes == []


@pytest.mark.parametrize(("player", "message"), [(1, "no belief and no gate"), (0, "over roles cannot go on over")])
def test_what_cannot_be_tuned_is_one_line(player, message):
    game = Game("open", "bayes", "switching", 3)
    game.step()
    with pytest.raises(BBAError, match=message):
        game.reconfigure(player, BeliefConfig(filter=FilterConfig(psi="skills")))
