"""Seeds and other whole numbers up to 2^63 - 1: taken everywhere, and refused in one line above."""

import json

import pytest

import bba
from bba.bench.score_card.card import ProtocolSize
from bba.errors import BBAError, seeds_from
from bba.tabular import Column, has_parquet, to_parquet
from human.study.model import first_mistake
from tests.helpers.command_line import no_settings_from_outside, run  # noqa: F401 - a fixture that is used by itself
from tests.helpers.studies import plan
from tests.helpers.tiny_sweeps import sweep

LARGEST = 2**63 - 1
TINY = """
title = "t"
agents = ["proagent"]
partners = {p = ["switching"]}
layouts = ["open"]
horizon = 20
"""
STUDY = """
name = "st"
title = "t"
consent = "c"
layouts = ["open", "ring"]
agents = ["proagent"]
tutorial = false
horizon = 20
"""
TOO_MANY = rf"seeds: \d+ from {LARGEST - 1} on are not allowed; the largest is {LARGEST}$"


# --- the Python API ----------------------------------------------------------------------------------------------
USES = {
    "Game": lambda seed: bba.Game("open", "proagent", "proagent", seed, horizon=5),
    "play_game": lambda seed: bba.play_game("open", "proagent", "proagent", seed=seed, horizon=5),
    "Kitchen": lambda seed: bba.Kitchen("open", seed),
    "Kitchen.reset": lambda seed: bba.Kitchen("open").reset(seed),
    "KitchenBatch": lambda seed: bba.KitchenBatch("open", 1, seed),
    "KitchenBatch.reset": lambda seed: bba.KitchenBatch("open", 1).reset(seed),
    "parallel_env": lambda seed: bba.parallel_env("open", "skill").reset(seed=seed),
    "parallel_env beside": lambda seed: bba.parallel_env("open", "skill", other="proagent").reset(seed=seed),
    "gym_env": lambda seed: bba.gym_env("open", "proagent").reset(seed=seed),
}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_the_largest_seed_is_taken_and_another_one_refused_in_the_same_words(use):
    use(LARGEST)
    for wrong in (LARGEST + 1, 10**40, -1, 1.5, "x"):
        with pytest.raises(BBAError, match=rf"^seed: .* is not allowed; 0 to {LARGEST}$"):
            use(wrong)


def test_a_game_of_the_largest_seed_is_recorded_replayed_and_forked(tmp_path):
    trace = bba.play_game("open", "proagent", "switching", seed=LARGEST, horizon=30)
    bba.save(bba.record(trace), tmp_path / "a.bba")
    again = bba.Replay(bba.load(tmp_path / "a.bba")).run()
    assert bba.measure(again) == bba.measure(trace) == bba.measure(bba.fork(trace, 10).run())


def test_a_batch_has_one_seed_a_game():
    bba.KitchenBatch("open", 2, LARGEST - 1)
    with pytest.raises(BBAError, match=TOO_MANY):
        bba.KitchenBatch("open", 3, LARGEST - 1)


@pytest.mark.parametrize("name", ["horizon", "skill_timeout"])
def test_steps_are_no_more_than_a_recording_takes(name):
    for wrong in (10**6 + 1, 2**63, 10**30):
        with pytest.raises(BBAError, match=r"is not allowed; 1 to 1000000$"):
            bba.Game(**{name: wrong})


def test_a_range_of_seeds_ends_at_the_largest():
    assert list(seeds_from(LARGEST - 1, 2)) == [LARGEST - 1, LARGEST]
    with pytest.raises(BBAError, match=TOO_MANY):
        seeds_from(LARGEST - 1, 3)
    assert sweep(first_seed=LARGEST - 1, seeds=2).seeds == 2
    for make in (lambda: sweep(first_seed=LARGEST - 1, seeds=3), lambda: ProtocolSize(first_seed=LARGEST, seeds=2)):
        with pytest.raises((BBAError, ValueError), match=r"are not allowed; the largest is"):
            make()
    with pytest.raises(BBAError, match=TOO_MANY):
        bba.load_sweep("quick").changed({"first_seed": LARGEST - 1, "seeds": 3})


# --- commands ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "words",
    [
        "headless open --horizon 5 --seed {} --seeds 3",
        "bench tiny.toml --seed {} --seeds 3 --workers 1",
        "bench first.toml --workers 1",
        "check-partners --layout open --seed {} --seeds 3",
        "study-check study.toml",
        "study-simulate study.toml --participants 2",
        "study-check many.toml",
    ],
)
def test_every_command_refuses_seeds_above_the_largest_in_the_same_words(words, tmp_path, capsys):
    (tmp_path / "tiny.toml").write_text(TINY)
    (tmp_path / "first.toml").write_text(f"{TINY}seeds = 3\nfirst_seed = {LARGEST - 1}\n")
    (tmp_path / "study.toml").write_text(f'{STUDY}seed = {LARGEST - 1}\nseeds = "participant"\n')
    three = STUDY.replace('"open",', '"open", "forced_coordination",')
    (tmp_path / "many.toml").write_text(f"{three}seed = {LARGEST - 1}\n")
    code, out, err = run(capsys, *words.format(LARGEST - 1).split())
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.endswith(f" from {LARGEST - 1} on are not allowed; the largest is {LARGEST}\n")


def test_the_last_seeds_are_played_and_stored(tmp_path, capsys):
    (tmp_path / "tiny.toml").write_text(TINY)
    code, out, _ = run(capsys, "headless", "open", "--horizon", "5", "--seed", str(LARGEST), "--json")
    assert (code, json.loads(out)["seed"]) == (0, LARGEST)
    words = f"bench tiny.toml --seed {LARGEST - 1} --seeds 2 --workers 1 --out o --export r.csv"
    code, _, err = run(capsys, *words.split())
    assert code == 0, err
    assert str(LARGEST) in (tmp_path / "r.csv").read_text()


@pytest.mark.parametrize("seeds", ["kitchen", "game", "participant"])
def test_the_check_of_a_study_finds_the_games_that_have_no_seed(seeds):
    needed = {"kitchen": 2, "game": 4, "participant": 2_000_000}[seeds]
    layouts = ["open", "ring"]
    assert plan(seed=LARGEST + 1 - needed, seeds=seeds, layouts=layouts).seeds == seeds
    with pytest.raises(ValueError, match=r"are not allowed") as error:
        plan(seed=LARGEST + 2 - needed, seeds=seeds, layouts=layouts)
    assert first_mistake(error.value)[0] == ("seed",)


@pytest.mark.skipif(not has_parquet(), reason="needs pyarrow")
def test_a_number_that_no_table_holds_is_one_line():
    columns = {"step": Column("int", "x")}
    assert to_parquet([{"step": LARGEST}, {"step": None}], columns)
    for wrong in (2**63, -(2**63) - 1, 10**30):
        with pytest.raises(BBAError, match=r"^step: -?\d+: no table can hold it$"):
            to_parquet([{"step": 1}, {"step": wrong}], columns)
