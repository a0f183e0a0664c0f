"""A misspelt or impossible field of an options object of the Python API is one line, with the nearest names."""

import inspect
import pickle

import pytest

import bba
from bba.config import BeliefConfig, CommitmentConfig, EpisodeOptions, FilterConfig, GateConfig, Options, RolloutOptions
from bba.config.options import changed, select
from bba.planner.model_options import ModelOptions

HERE = "http://localhost:1/v1"
MISSPELT = {
    "belief_changes": (lambda: bba.SeatSpec(belief_changes={"theta": 0.9}), "theta_obs"),
    "a second one": (lambda: bba.SeatSpec(belief_changes={"theta_obs": 0.1, "gamma": 0.1}), "gamma_conf"),
    "SeatSpec": (lambda: bba.SeatSpec(aks="always"), "ask"),
    "GateConfig": (lambda: GateConfig(gamma=0.5), "gamma_conf"),
    "CommitmentConfig": (lambda: CommitmentConfig(commitment_con=0.5), "commitment_conf"),
    "FilterConfig": (lambda: FilterConfig(epsilo=0.1), "epsilon"),
    "BeliefConfig": (lambda: BeliefConfig(gates=GateConfig()), "gate"),
    "RolloutOptions": (lambda: RolloutOptions(future=3), "futures"),
    "ModelOptions": (lambda: ModelOptions(base_url=HERE, max_token=3), "max_tokens"),
    "EpisodeOptions": (lambda: EpisodeOptions(horizn=3), "horizon"),
    "Game": (lambda: bba.Game("open", horizn=3), "horizon"),
    "play_game": (lambda: bba.play_game("open", partners=None), "partner"),
    "gym_env": (lambda: bba.gym_env("open", sead=1), "seat"),
    "parallel_env": (lambda: bba.parallel_env("open", max_cycle=1), "max_cycles"),
    "run_sweep": (lambda: bba.run_sweep("quick", "x", worker=1), "workers"),
    "fork": (lambda: bba.fork(None, 1, seat=None), "seats"),
    "sweep": (lambda: bba.load_sweep("quick").changed({"sedes": 3}), "seeds"),
    "changed": (lambda: changed(GateConfig(), {"cooldwn": 3}), "cooldown"),
}
IMPOSSIBLE = {
    "belief_changes": (lambda: bba.SeatSpec(belief_changes={"theta_obs": 2}), "theta_obs: Input should be less"),
    "a named setting": (lambda: bba.SeatSpec(belief_changes={"psi": "x"}), "psi: Input should be 'roles'"),
    "ask": (lambda: bba.SeatSpec(ask="never"), "ask: Input should be 'changed' or 'always'"),
    "retries": (lambda: bba.SeatSpec(retries=-1), "retries: Input should be greater"),
    "prompt_layout": (lambda: bba.SeatSpec(prompt_layout="x"), "prompt_layout: Input should be 'preprint'"),
    "knows": (lambda: bba.SeatSpec(knows="all"), "knows: Input should be 'role'"),
    "model": (lambda: bba.SeatSpec(model="gpt-4o"), "model: Input should be an instance of ModelOptions"),
    "rollout": (lambda: bba.SeatSpec(rollout={"futures": 3}), "rollout: Input should be an instance of"),
    "GateConfig": (lambda: GateConfig(theta_obs=2), "theta_obs: Input should be less than or equal to 1"),
    "FilterConfig": (lambda: FilterConfig(prior="x"), "prior: Input should be"),
    "BeliefConfig.of": (lambda: BeliefConfig.of({"theta_obs": -1}), "theta_obs: Input should be greater"),
    "BeliefConfig.changed": (lambda: BeliefConfig().changed({"stability": "x"}), "stability: Input should be"),
    "ModelOptions": (lambda: ModelOptions(base_url=HERE, max_tokens=0), "max_tokens: Input should be greater"),
    "select": (lambda: select(EpisodeOptions, {"horizon": 0}), "horizon: Input should be greater"),
    "sweep": (lambda: bba.load_sweep("quick").changed({"seeds": 0}), "seeds: Input should be greater"),
}


@pytest.mark.parametrize(("make", "nearest"), MISSPELT.values(), ids=MISSPELT)
def test_a_misspelt_option_is_one_line_with_the_nearest_name(make, nearest):
    with pytest.raises(bba.BBAError, match=rf"(the nearest|there) (is|are) ([^\n]*, )?{nearest}\b[^\n]*$") as error:
        make()
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(("make", "problem"), IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_an_impossible_value_is_one_line(make, problem):
    with pytest.raises(bba.BBAError, match=rf"{problem}[^\n]*$") as error:
        make()
    assert "\n" not in str(error.value)


def test_the_nearest_name_comes_first():
    with pytest.raises(bba.BBAError, match=r"no parameter 'theta'; the nearest is theta_obs$"):
        bba.SeatSpec(belief_changes={"theta": 0.9})


def test_a_key_is_in_no_message():
    with pytest.raises(bba.BBAError) as error:
        ModelOptions(base_url=HERE, key="sk-secret-1", max_tokens="sk-secret-2")
    assert "secret" not in str(error.value)
    assert error.value.__cause__ is None


def test_right_options_are_taken_as_before():
    options = bba.SeatSpec(planner="rollout", belief_changes={"theta_obs": 0.1, "belief": None}, retries="2")
    assert (options.retries, options.beliefs.gate.theta_obs) == (2, 0.1)
    assert pickle.loads(pickle.dumps(options)) == options
    assert GateConfig(theta_obs=0.2).theta_obs == 0.2
    assert list(inspect.signature(bba.Game).parameters)[:3] == ["layout", "ego", "partner"]


def test_a_mistake_within_other_options_is_named_by_its_place():
    class Outer(Options):
        gate: GateConfig = GateConfig()

    with pytest.raises(bba.BBAError, match=r"^Outer: gate\.theta_obs: Input should be less than or equal to 1$"):
        Outer(gate={"theta_obs": 2})
