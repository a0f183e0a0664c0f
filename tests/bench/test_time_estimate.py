"""How long the episodes of a sweep take, by short games of them."""

from dataclasses import replace

import pytest

from bba.agents import SeatSpec
from bba.bench import load_sweep, sweep_names
from bba.bench import time_estimate as module
from bba.bench.episode import EpisodeResult
from bba.bench.plan import plan_sweep
from bba.bench.time_estimate import MOST_SECONDS, SAMPLE_GAMES, SHIPPED_SIZES, time_estimate, usual_seconds
from bba.planner.model_options import ModelOptions
from tests.helpers.command_line import no_settings_from_outside, run  # noqa: F401 - a fixture for every test here
from tests.helpers.tiny_sweeps import episodes, sweep

STEP, BEGIN = 2**-10, 2**-6  # seconds of a step, and of the beginning of a game
OPTIONS = SeatSpec()


@pytest.fixture
def played(monkeypatch):
    """The lengths of the games that were played, whose seconds are as said above; all kernels are compiled."""
    lengths = []

    def play(episode, _):
        lengths.append(episode.horizon)
        return EpisodeResult(measures={}, seconds=BEGIN + STEP * episode.horizon)

    monkeypatch.setattr(module, "play", play)
    monkeypatch.setattr(module, "kernels_to_come", lambda: 0)
    return lengths


def test_the_time_of_all_steps_is_that_of_the_games_played(played):
    found = time_estimate(episodes(seeds=50, horizon=400), OPTIONS)
    assert found == (100 * (BEGIN + 400 * STEP), SAMPLE_GAMES)
    assert set(played) == {300, 400}


def test_long_games_are_shortened_to_less_than_a_second(played):
    found = time_estimate(episodes(seeds=50, horizon=100_000), OPTIONS)
    assert found.seconds == pytest.approx(100 * 100_000 * STEP, rel=0.1)
    assert max(played) * STEP < 1


def test_games_of_the_rollout_planner_are_timed_by_themselves(played, monkeypatch):
    simulated = list(plan_sweep(sweep(seeds=50), replace(OPTIONS, planner="rollout")).episodes.values())
    assert all(one.simulates for one in simulated)
    timed = []
    monkeypatch.setattr(module, "play", lambda episode, _: timed.append(episode) or EpisodeResult(seconds=1.0))
    found = time_estimate([*episodes(seeds=50), *simulated], OPTIONS)
    assert (round(found.seconds), found.games) == (200, 2 * SAMPLE_GAMES)
    assert {one.simulates for one in timed} == {True, False}


def test_few_slow_games_are_enough(monkeypatch, played):
    clock = iter(range(0, 1000, int(MOST_SECONDS) + 1))
    monkeypatch.setattr(module.time, "monotonic", lambda: next(clock))
    assert time_estimate(episodes(seeds=50), OPTIONS).games == 1


def test_a_game_that_fails_gives_no_time(monkeypatch, played):
    monkeypatch.setattr(module, "play", lambda *_: EpisodeResult(failure="broke"))
    assert time_estimate(episodes(), OPTIONS) is None


def test_while_kernels_are_compiled_there_is_no_time(monkeypatch, played):
    monkeypatch.setattr(module, "kernels_to_come", lambda: 3)
    assert time_estimate(episodes(), OPTIONS) is None


def test_no_language_model_is_asked(played):
    model = ModelOptions(model="gpt-4o", base_url="http://127.0.0.1:1")
    asking = plan_sweep(sweep(), SeatSpec(planner="openai", model=model), one_model=True)
    assert time_estimate([*episodes(), *asking.episodes.values()], OPTIONS) is None
    assert played == []


@pytest.mark.parametrize(
    ("options", "to_come", "said"),
    [
        ("--workers 1", 0, ", and take about 38 min 24 s on one core, by 6 games played now"),
        ("--workers 4", 0, ", and take about 9 min 36 s on 4 cores, by 6 games played now"),
        ("", 3, ", and take a time that is not known yet: kernels are being compiled"),
        ("--engine ray", 0, ""),
    ],
)
def test_a_dry_run_says_the_time(capsys, monkeypatch, tmp_path, played, options, to_come, said):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(module, "play", lambda episode, _: EpisodeResult(measures={}, seconds=0.032 * episode.horizon))
    monkeypatch.setattr(module, "kernels_to_come", lambda: to_come)
    monkeypatch.setattr("tui.commands.sweep.kernels_to_come", lambda: to_come)
    code, out, _ = run(capsys, "bench", "quick", "--dry-run", *options.split())
    nothing = "30 episodes to play, none of them with a language model: they cost nothing"
    assert (code, out) == (0, f"{nothing}{said}\n")
    assert not list(tmp_path.iterdir())


# --- before anything is planned ------------------------------------------------------------------------------------
QUICKLY_PLANNED = ("quick", "crossplay-models")
LONGER = [name for name in sweep_names() if name not in QUICKLY_PLANNED]


@pytest.mark.parametrize(
    "name",
    [name if name in QUICKLY_PLANNED else pytest.param(name, marks=pytest.mark.thorough) for name in sweep_names()],
)
def test_the_sizes_of_the_shipped_sweeps_are_those_of_their_plans(name):
    planned = plan_sweep(load_sweep(name), OPTIONS).episodes.values()
    assert SHIPPED_SIZES[name] == (len(planned), sum(episode.simulates for episode in planned))


def test_every_shipped_sweep_has_a_usual_time_that_more_cores_shorten_and_others_have_none():
    assert set(SHIPPED_SIZES) == set(sweep_names())
    for name in sweep_names():
        assert usual_seconds(name, 1) > usual_seconds(name, 8) > 0
    assert usual_seconds("of one's own", 2) is None
