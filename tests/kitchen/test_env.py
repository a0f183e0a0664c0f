"""The PettingZoo environment passes PettingZoo's own tests and behaves as documented."""

import builtins
import importlib
import sys
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, parallel_seed_test, render_test

from bba.errors import BBAError
from bba.kitchen import Kitchen, Layout, Skill, constants
from bba.kitchen.env import KitchenEnv, env, parallel_env
from tests.helpers.complaints import complaints

LEVELS = ("primitive", "skill", "option")
every_kind = pytest.mark.parametrize(
    ("layout", "level"), [(layout, level) for layout in Layout.names() for level in LEVELS]
)


@every_kind
def test_it_passes_the_parallel_api_test(layout: str, level: str) -> None:
    assert complaints(parallel_api_test, parallel_env(layout, level, max_cycles=20), num_cycles=50) == []


@every_kind
def test_it_passes_the_parallel_seed_test(layout: str, level: str) -> None:
    make = partial(parallel_env, layout, level, max_cycles=20)
    assert complaints(parallel_seed_test, make, num_cycles=20) == []


@pytest.mark.parametrize("level", LEVELS[:2])  # those at which an environment step is a kitchen step
@pytest.mark.parametrize("layout", Layout.names())
def test_it_passes_the_max_cycles_test(layout: str, level: str) -> None:
    arguments = {"layout": layout, "level": level}
    module = SimpleNamespace(parallel_env=partial(parallel_env, **arguments), env=partial(env, **arguments))
    assert complaints(max_cycles_test, module) == []


@every_kind
def test_the_aec_environment_passes_the_api_test(layout: str, level: str) -> None:
    assert complaints(api_test, env(layout=layout, level=level, max_cycles=20), num_cycles=50) == []


@every_kind
def test_it_passes_the_render_test_in_each_mode_that_it_has(layout: str, level: str) -> None:
    assert complaints(render_test, partial(env, layout=layout, level=level)) == []


def playing(**arguments: Any) -> KitchenEnv:
    game = parallel_env(**{"level": "primitive"} | arguments)
    game.reset(seed=1)
    return game


def both(action: int) -> dict[str, int]:
    return {"player_0": action, "player_1": action}


def test_both_agents_get_the_teams_reward_and_the_last_step_truncates() -> None:
    game = playing(max_cycles=2)
    _, rewards, terminations, truncations, _ = game.step(both(constants.ACTION_STAY))
    assert rewards == {"player_0": 0.0, "player_1": 0.0}
    assert not any(terminations.values())
    assert not any(truncations.values())
    _, _, terminations, truncations, _ = game.step(both(constants.ACTION_STAY))
    assert all(truncations.values())
    assert not any(terminations.values())
    assert game.agents == []
    assert game.step({}) == ({}, {}, {}, {}, {})


def test_every_primitive_action_is_allowed_and_carried_out() -> None:
    game = playing(layout="open")
    _, _, _, _, infos = game.step({"player_0": constants.EAST, "player_1": constants.WEST})
    assert all(
        info["action_mask"].tolist() == [1] * 6 and info["action_mask"].dtype == np.int8 for info in infos.values()
    )
    assert all(info["skill"] == constants.NO_SKILL for info in infos.values())
    assert "1: facing east" in text(game)
    assert "2: facing west" in text(game)


def text(game: KitchenEnv) -> str:
    game.render_mode = "ansi"
    picture = game.render()
    assert isinstance(picture, str)
    return picture


def test_the_skill_mask_is_that_of_the_kitchen_and_includes_the_running_skill() -> None:
    game = playing(layout="open", level="skill")
    _, infos = game.reset(seed=3)
    rng = np.random.default_rng(0)
    assert (infos["player_0"]["action_mask"] == Kitchen("open").mask(0)).all()
    for _ in range(300):
        _, _, _, _, infos = game.step({a: int(rng.choice(np.flatnonzero(i["action_mask"]))) for a, i in infos.items()})
        for info in infos.values():
            assert info["skill"] == constants.NO_SKILL or info["action_mask"][info["skill"]]


def test_the_same_skill_continues_and_another_interrupts_it() -> None:
    game = playing(layout="open", level="skill")
    infos = game.step({"player_0": Skill.GRAB_MEAT, "player_1": Skill.GRAB_RICE})[4]
    assert [info["skill"] for info in infos.values()] == [Skill.GRAB_MEAT, Skill.GRAB_RICE]
    infos = game.step({"player_0": Skill.GRAB_MEAT, "player_1": Skill.GRAB_DIRTY_PLATE})[4]
    assert [info["skill"] for info in infos.values()] == [Skill.GRAB_MEAT, Skill.GRAB_DIRTY_PLATE]
    for _ in range(60):
        infos = game.step({"player_0": Skill.GRAB_MEAT, "player_1": Skill.GRAB_DIRTY_PLATE})[4]
    assert "1: facing south, holds meat" in text(game)
    assert "holds dirty_plate" in text(game)


def test_an_infeasible_skill_counts_as_stay() -> None:
    asked, stayed = playing(layout="open", level="skill"), playing(layout="open", level="skill")
    for _ in range(5):
        asked.step({"player_0": Skill.GO_TO_SERVE_DISH, "player_1": Skill.GRAB_MEAT})
        stayed.step({"player_0": Skill.STAY, "player_1": Skill.GRAB_MEAT})
    assert (asked.state() == stayed.state()).all()


def test_an_option_step_lasts_until_somebody_has_to_choose_and_sums_what_came_of_it() -> None:
    by_options, by_skills = (playing(layout="open", level=level, max_cycles=400) for level in ("option", "skill"))
    rng, points, played = np.random.default_rng(0), 0.0, 0
    _, infos = by_options.reset(seed=3)
    by_skills.reset(seed=3)
    assert [info["steps"] for info in infos.values()] == [0, 0]
    while by_options.agents:
        assert any(info["skill"] == constants.NO_SKILL for info in infos.values())
        for info in infos.values():
            if info["skill"] != constants.NO_SKILL:
                assert np.flatnonzero(info["action_mask"]).tolist() == [info["skill"]]
        actions = {agent: int(rng.choice(np.flatnonzero(info["action_mask"]))) for agent, info in infos.items()}
        _, rewards, _, _, infos = by_options.step(actions)
        steps = infos["player_0"]["steps"]
        earned = [by_skills.step(actions)[1]["player_0"] for _ in range(steps)]
        assert (by_skills.state() == by_options.state()).all()
        assert rewards["player_0"] == sum(earned)
        points, played = points + rewards["player_0"], played + steps
    assert played == 400
    assert not by_skills.agents


def test_who_runs_an_option_goes_on_whatever_its_action_is() -> None:
    games = [playing(layout="open", level="option") for _ in range(2)]
    for game in games:
        game.step({"player_0": Skill.GRAB_MEAT, "player_1": Skill.STAY})
    games[0].step({"player_0": Skill.GRAB_MEAT, "player_1": Skill.STAY})
    games[1].step({"player_0": Skill.GRAB_RICE, "player_1": Skill.STAY})
    assert (games[0].state() == games[1].state()).all()


def test_for_a_person_each_step_is_drawn_as_it_is_played(capsys: pytest.CaptureFixture[str]) -> None:
    game = playing(layout="open", level="option", render_mode="human")
    infos = game.step({"player_0": Skill.GRAB_MEAT, "player_1": Skill.GRAB_RICE})[4]
    drawn = capsys.readouterr().out
    assert [f"step {step} " in drawn for step in range(infos["player_0"]["steps"] + 1)].count(False) == 0
    assert "\x1b" not in drawn  # no terminal
    assert game.render() is None


def test_in_a_terminal_a_picture_takes_the_place_of_the_last_one(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setattr("time.sleep", waits.append)
    playing(layout="open", render_mode="human").step(both(constants.ACTION_STAY))
    assert capsys.readouterr().out.count("\x1b[H\x1b[J") == 2
    assert waits == [0.1, 0.1]


def test_the_state_is_both_observations_and_within_its_space() -> None:
    game = parallel_env("ring", "skill")
    seen, _ = game.reset(seed=0)
    assert (game.state() == np.concatenate([seen["player_0"], seen["player_1"]])).all()
    assert game.state_space.contains(game.state())
    assert game.observation_space("player_1").contains(seen["player_1"])


def test_a_seed_repeats_the_game_and_no_seed_gives_another() -> None:
    def after(seed: int | None) -> list[float]:
        game.reset(seed=seed)
        for _ in range(12):
            game.step(both(Skill.GRAB_MEAT))
        return game.state().tolist()

    game = parallel_env("open", "skill")
    first = after(5)
    assert [after(None) for _ in range(5)] != [first] * 5
    assert after(5) == first


def test_an_image_shows_every_tile() -> None:
    picture = playing(layout="burrito", render_mode="rgb_array").render()
    assert isinstance(picture, np.ndarray)
    assert picture.shape == (10 * 16, 12 * 16, 3)
    assert playing().render() is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"layout": "nowhere"}, "layout: no layout named 'nowhere'; there are burrito, .*"),
        ({"level": "macro"}, "level: 'macro' is not allowed; primitive, skill or option"),
        ({"max_cycles": 0}, "max_cycles: 0 is not allowed; 1 or more"),
        ({"max_cycles": 2.5}, "max_cycles: 2.5 is not allowed; .*"),
        ({"render_mode": "film"}, "render_mode: 'film' is not allowed; None, human, ansi or rgb_array"),
    ],
)
def test_a_wrong_argument_is_one_clear_line(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(BBAError, match=f"^{message}$"):
        parallel_env(**{"level": "skill"} | arguments)


def test_the_level_by_default_is_that_of_skills_and_who_leaves_it_out_is_told() -> None:
    with pytest.warns(
        DeprecationWarning, match="parallel_env: level is 'skill' where it is left out; it was 'primitiv"
    ):
        game = parallel_env("open")
    assert game.action_space("player_0").n == 27
    assert complaints(parallel_env, "open", "skill") == complaints(parallel_env, level="option") == []


def test_wrong_actions_are_refused() -> None:
    game = playing()
    with pytest.raises(ValueError, match=r"actions for \['player_0'\]; needed for \['player_0', 'player_1'\]"):
        game.step({"player_0": 0})
    with pytest.raises(ValueError, match="each must be 0 to 5"):
        game.step(both(6))


@pytest.mark.parametrize("missing", ["pettingzoo", "gymnasium"])
def test_without_its_packages_it_names_the_extra(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def refuse(name: str, *rest: Any, **named: Any) -> Any:
        if name.split(".")[0] == missing:
            raise ImportError(f"No module named {name!r}", name=missing)
        return real(name, *rest, **named)

    monkeypatch.delitem(sys.modules, "bba.kitchen.env")
    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(BBAError, match=rf"{missing}: pip install 'bba-tui\[env\]'"):
        importlib.import_module("bba.kitchen.env")
