import numpy as np
import pytest

from bba.agents import Decision, Profile
from bba.belief import NO_ROLE, ROLE_OF_SKILL
from bba.errors import BBAError
from bba.kitchen import Layout, constants
from bba.kitchen.constants import DELIVERIES, STEP
from bba.play import Game

LAYOUTS = Layout.names()


def rows(trace):
    return np.array([trace.start, *(tick.state for tick in trace.ticks)])


@pytest.mark.exhaustive
@pytest.mark.parametrize("layout", LAYOUTS)
def test_plain_and_compiled_play_the_same_game_down_to_the_thoughts(layout):
    plain, fast = (Game(layout, "bayes", "switching", 5, horizon=300, fast=fast).run() for fast in (False, True))
    assert (rows(plain) == rows(fast)).all()
    for one, other in zip(plain.ticks, fast.ticks, strict=True):
        assert one.skills == other.skills
        assert one.decisions[0].calls == other.decisions[0].calls
        assert one.observer.posterior == pytest.approx(other.observer.posterior, rel=1e-9)


@pytest.mark.thorough
def test_the_same_seed_is_the_same_game_and_another_seed_another():
    games = [rows(Game("open", "bayes", "switching", seed, horizon=200).run()) for seed in (1, 1, 2)]
    assert (games[0] == games[1]).all()
    assert not (games[0] == games[2]).all()


def test_a_game_ends_at_its_horizon_and_counts_its_steps():
    game = Game("ring", "proagent", "switching", 0, horizon=25)
    trace = game.run()
    assert game.done
    assert [tick.step for tick in trace.ticks] == list(range(1, 26))
    assert trace.scene(25).step == 25
    assert trace.scene(0).step == 0


def test_skills_end_done_invalid_or_by_timeout_and_then_only():
    trace = Game("ring", "proagent", "switching", 0, horizon=1200, fast=True).run()
    ends = {tick.ended[0] for tick in trace.ticks if tick.ended[0] is not None}
    assert ends <= {constants.DONE, constants.INVALID, constants.TIMEOUT}
    assert {constants.DONE, constants.TIMEOUT} <= ends
    assert max(tick.ages[0] for tick in trace.ticks) < 30


def test_the_true_role_in_a_tick_is_that_of_the_skill_that_was_run():
    for tick in Game("open", "proagent", "switching", 0, horizon=200).play():
        skill = tick.skills[1]
        assert tick.role(1) == (ROLE_OF_SKILL[skill] if skill != constants.NO_SKILL else NO_ROLE)


def test_the_ego_and_the_observer_read_the_same_with_the_same_settings():
    for tick in Game("open", "bayes", "switching", 0, horizon=200).play():
        assert tick.decisions[0].belief == tick.observer


class Unreliable:
    """An agent that cannot decide at first, in every step."""

    profile = Profile("unreliable")

    def __init__(self):
        self.observed, self.committed, self.fails = [], [], True

    def reset(self, context):
        self.player = context.player

    def observe(self, observation):
        self.observed.append(int(observation.state[STEP]))

    def decide(self, observation):
        self.fails = not self.fails
        if not self.fails:
            raise BBAError("no answer")
        return Decision(constants.SKILL_STAY, chosen=observation.running == constants.NO_SKILL)

    def commit(self, observation, decision):
        self.committed.append(decision)


def test_a_step_that_is_tried_again_is_observed_once():
    agent = Unreliable()
    game = Game("open", "bayes", agent, 5, horizon=40)
    while not game.done:
        with pytest.raises(BBAError, match="no answer"):
            game.step()
        game.step()
    assert agent.observed == list(range(40))
    assert agent.committed == [tick.decisions[1] for tick in game.trace.ticks]
    assert all(tick.decisions[0].belief == tick.observer for tick in game.trace.ticks)


def test_cooks_finish_burritos_in_every_kitchen():
    for layout in LAYOUTS:
        trace = Game(layout, "proagent", "proagent", 0, horizon=1500, fast=True).run()
        assert trace.ticks[-1].state[DELIVERIES] >= 1, layout


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"horizon": 0}, "horizon: 0 is not allowed; 1 to 1000000"),
        ({"skill_timeout": 0}, "skill-timeout: 0 is not allowed; 1 to 1000000"),
        ({"seed": -1}, "seed: -1 is not allowed; 0 to 9223372036854775807"),
        ({"mobility": (0.5, 1.5)}, "mobility: "),
        ({"layout": "moon"}, "no layout named 'moon'; there are burrito, "),
        ({"ego": "nobody"}, "no agent named 'nobody'"),
    ],
)
def test_wrong_settings_are_one_line_that_says_what_is_allowed(wrong, message):
    settings = {"layout": "open", "ego": "bayes", "partner": "switching"} | wrong
    with pytest.raises(BBAError) as caught:
        Game(**settings)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
