"""Environments in which a named agent takes the other seat play the kitchen's games, and pass the libraries' tests."""

import subprocess
import sys
from functools import partial

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import parallel_api_test, parallel_seed_test

from bba import BBAError, Game, GameSpec, Kitchen, KitchenBatch, PolicyAgent, gym_env, parallel_env
from bba.kitchen import INTERRUPTED, Skill
from bba.play import Replay, record
from bba.play.seat_env import SeatEnv
from tests.helpers.complaints import complaints


def act(seen: np.ndarray, mask: np.ndarray) -> int:
    """A policy that depends on all that it sees: every so often an infeasible skill, and often the same again."""
    number = int(abs(seen).sum() * 16)
    return number % 27 if number % 11 == 0 else int(np.flatnonzero(mask)[number // 8 % mask.sum()])


@pytest.mark.exhaustive
@pytest.mark.parametrize("seat", [0, 1])
def test_it_plays_the_game_of_two_agents_of_the_environment(seat):
    both, one = parallel_env("ring", "skill", 150), gym_env("ring", PolicyAgent(act), max_cycles=150, seat=seat)
    seen, infos = both.reset(seed=5)
    own, info = one.reset(seed=5)
    name, over, interrupted = f"player_{seat}", False, 0
    while not over:
        assert (own == seen[name]).all()
        assert (info["action_mask"] == infos[name]["action_mask"]).all()
        assert info["skill"] == infos[name]["skill"]
        assert (one.action_masks() == info["action_mask"].astype(bool)).all()
        chosen = {agent: act(seen[agent], infos[agent]["action_mask"]) for agent in both.agents}
        interrupted += info["skill"] not in (-1, chosen[name])
        seen, rewards, _, _, infos = both.step(chosen)
        own, reward, terminated, over, info = one.step(chosen[name])
        assert reward == rewards[name]
        assert not terminated
    assert interrupted > 10
    assert len(one.trace.ticks) == 150


LEVELS = ["primitive", "skill", "option"]


@pytest.mark.parametrize("level", LEVELS)
def test_it_passes_gymnasiums_check(level):
    env = gym_env("open", "switching", level, max_cycles=60)
    assert complaints(check_env, env, skip_render_check=True) == []


@pytest.mark.parametrize("level", LEVELS)
def test_made_by_its_id_it_warns_of_nothing_and_passes_the_check_of_pictures_too(level):
    def play():
        env = gymnasium.make("bba/Open-v0", other="switching", level=level, max_cycles=60, render_mode="ansi")
        env.reset(seed=1)
        for _ in range(3):
            env.step(env.action_space.sample(np.ones(env.action_space.n, np.int8)))
            env.render()
        check_env(env.unwrapped)

    assert complaints(play) == []


def test_there_is_an_id_for_each_shipped_kitchen():
    ids = {name for name in gymnasium.registry if name.startswith("bba/")}
    assert ids == {"bba/Burrito-v0", "bba/ForcedCoordination-v0", "bba/Open-v0", "bba/Ring-v0"}
    assert gymnasium.make("bba/ForcedCoordination-v0").unwrapped.layout.name == "forced_coordination"
    vector = gymnasium.make_vec("bba/Ring-v0", num_envs=2, vectorization_mode="sync", other="switching")
    vector.reset(seed=0)
    assert vector.step(np.array([26, 26]))[1].shape == (2,)


@pytest.mark.parametrize(
    "imports", ["import bba, gymnasium", "import gymnasium, bba", "from importlib.util import find_spec\n"
        "import bba\nassert find_spec('gymnasium')\nimport gymnasium"]
)  # fmt: skip
def test_the_ids_are_there_in_whichever_order_both_are_imported(imports):
    program = f"import warnings\nwarnings.simplefilter('error')\n{imports}\nassert 'bba/Open-v0' in gymnasium.registry"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr == ""


@pytest.mark.parametrize("seat", [0, 1])
def test_an_option_step_is_the_skill_steps_until_a_choice_is_due(seat):
    by_options, by_skills = (
        gym_env("ring", "switching", level, max_cycles=200, seat=seat) for level in ("option", "skill")
    )
    seen, info = by_options.reset(seed=4)
    by_skills.reset(seed=4)
    assert info["steps"] == 0
    over, lasted = False, []
    while not over:
        assert info["skill"] == -1
        chosen = act(seen, info["action_mask"])
        seen, reward, _, over, info = by_options.step(chosen)
        lasted.append(info["steps"])
        earned = []
        for _ in range(info["steps"]):
            assert len(by_skills.trace.ticks) < 200
            own, points, _, _, told = by_skills.step(chosen)
            earned.append(points)
            assert told["steps"] == 1
        assert (own == seen).all()
        assert reward == sum(earned)
    assert sum(lasted) == 200
    assert max(lasted) > 5


def test_for_a_person_a_game_beside_an_agent_is_drawn_step_by_step(capsys):
    env = gym_env("open", "switching", "option", 60, "human")
    env.reset(seed=0)
    steps = env.step(Skill.GRAB_MEAT)[4]["steps"]
    drawn = capsys.readouterr().out
    assert steps > 1
    assert all(f"step {step} " in drawn for step in range(steps + 1))
    assert f"step {steps + 1} " not in drawn


@pytest.mark.parametrize("level", LEVELS)
def test_with_one_agent_it_passes_pettingzoos_tests(level):
    make = partial(parallel_env, "open", level, 60, other="switching")
    assert complaints(parallel_api_test, make(), num_cycles=150) == []
    assert complaints(parallel_seed_test, make, num_cycles=100) == []


def test_the_other_seat_is_the_named_agents_with_its_belief():
    game = parallel_env("open", "skill", 30, other="bayes", seat=1)
    seen, _ = game.reset(seed=0)
    assert list(seen) == game.agents == ["player_1"]
    while game.agents:
        game.step({"player_1": Skill.GRAB_MEAT})
    assert game.trace.config.agents == ("bayes", "policy")
    assert game.trace.ticks[-1].decisions[0].belief is not None
    assert game.state().shape == game.state_space.shape


def test_a_picture_shows_the_present_step():
    game = gym_env("open", "switching", max_cycles=5, render_mode="ansi")
    game.reset(seed=0)
    game.step(Skill.STAY)
    assert "step 1 " in game.render()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"other": "human"}, "other: a person cannot sit in an environment"),
        ({"other": "baye"}, "no agent named 'baye'"),
        ({"seat": 2}, "seat: 2 is not allowed; 0 or 1"),
        ({"level": "macro"}, "level: 'macro' is not allowed"),
    ],
)
def test_what_is_not_allowed_is_one_line(arguments, message):
    with pytest.raises(BBAError, match=message):
        gym_env(**arguments)


def test_an_action_outside_its_space_and_a_step_too_many_are_refused():
    game = gym_env("open", "switching", max_cycles=1)
    game.reset(seed=0)
    with pytest.raises(ValueError, match="chose action 27; each must be 0 to 26"):
        game.step(27)
    game.step(Skill.STAY)
    with pytest.raises(ValueError, match="the game is over"):
        game.step(Skill.STAY)


# --- a policy as an agent --------------------------------------------------------------------------------------
def test_a_policy_plays_the_same_as_an_agent_as_in_its_environment():
    env = gym_env("open", "switching", max_cycles=80)
    seen, _ = env.reset(seed=2)
    for _ in range(80):
        seen, *_ = env.step(act(seen, env.action_masks()))
    game = Game("open", PolicyAgent(act), "switching", env.trace.config.seed, horizon=80, fast=True)
    assert [tick.actions for tick in game.run().ticks] == [tick.actions for tick in env.trace.ticks]
    assert any(tick.ended[0] == INTERRUPTED for tick in game.trace.ticks)
    assert not any(tick.decisions[0].replanned for tick in game.trace.ticks)  # it has no plan


def test_at_the_level_option_a_policy_is_asked_when_no_skill_runs():
    env = gym_env("open", "switching", "option", max_cycles=80)
    seen, _ = env.reset(seed=2)
    over = False
    while not over:
        seen, _, _, over, _ = env.step(act(seen, env.action_masks()))
    asked = []

    def noted(seen, mask):
        asked.append(seen)
        return act(seen, mask)

    game = Game("open", PolicyAgent(noted, level="option"), "switching", 2, horizon=80, fast=True)
    assert [tick.actions for tick in game.run().ticks] == [tick.actions for tick in env.trace.ticks]
    assert len(asked) < 40
    assert Replay(record(game.trace)).run().score == game.trace.score


def test_a_game_of_a_policy_is_recorded():
    game = Game("open", PolicyAgent(act, "mine"), "switching", horizon=40)
    trace = game.run()
    assert trace.config.agents[0] == "mine"
    assert Replay(record(trace)).run().score == trace.score


def test_a_policy_of_primitive_actions_walks():
    game = Game("open", PolicyAgent(lambda *_: 1, level="primitive"), "switching", horizon=3)
    assert {tick.actions[0] for tick in game.run().ticks} == {1}
    with pytest.raises(BBAError, match="level: 'both' is not allowed"):
        PolicyAgent(act, level="both")


@pytest.mark.parametrize(
    "make", [lambda: gym_env("ring"), lambda: parallel_env("ring", "primitive"), lambda: parallel_env("ring", "skill")]
)
def test_a_seed_is_that_of_the_same_game_everywhere(make):
    env, start = make(), Kitchen("ring", 7, mobility=(0.35, 0.35))
    env.reset(seed=7)
    kitchen = env._game.kitchen if isinstance(env, SeatEnv) else env._batch.kitchen(0)
    for _ in range(20):
        start.step((0, 0))
        kitchen.step((0, 0))
    assert kitchen.scene().orders == start.scene().orders
    assert kitchen.state[-1] == start.state[-1]


@pytest.mark.parametrize("mobility", [None, 0.6, (0.2, 0.3)])
def test_one_mobility_means_the_same_everywhere(mobility):
    of_agents, of_cooks = {None: (0.35, 1.0), 0.6: (0.6, 0.6), (0.2, 0.3): ((0.2, 0.3), (0.2, 0.3))}[mobility]
    both = of_agents if isinstance(of_agents, tuple) else (of_agents, of_agents)
    assert Game("open", horizon=1, mobility=mobility).trace.config.mobility == both
    assert Game.of(GameSpec(horizon=1, mobility=mobility)).trace.config.mobility == both
    assert gym_env("open", mobility=mobility).trace.config.mobility == both
    assert parallel_env("open", "option", mobility=mobility)._batch._first.mobility == both
    of_kitchen = of_cooks if isinstance(of_cooks, tuple) else (of_cooks, of_cooks)
    assert Kitchen("open", mobility=mobility).mobility == of_kitchen
    assert KitchenBatch("open", 2, mobility=mobility).kitchen(1).mobility == of_kitchen
