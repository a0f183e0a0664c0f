"""Files of weights: what is written is read again, and every defect is one line."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import save

from bba.agents import NoWeights, SeatSpec, load_agent, weights_files
from bba.agents.learned.policy import Clusters
from bba.agents.learned.weights import load_weights, save_weights, weights_for, weights_path
from bba.errors import BBAError
from bba.files import data_dir
from bba.kitchen import Layout, layout_digest
from bba.play import Game
from tests.helpers.tiny_policies import weights, write

OPEN = Layout.load("open")


def parts(path):
    """The header's words and the tensors of a file."""
    from safetensors.numpy import load

    data = path.read_bytes()
    header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    return header["__metadata__"], load(data)


@pytest.mark.parametrize("name", ["bp:G1-1", "gamma", "talents", "scratch:G1-1+response", "scratch:talents"])
def test_what_is_written_is_read_again(name, tmp_path):
    made = weights(name)
    save_weights(tmp_path / "file", made)
    found = load_weights(tmp_path / "file")
    assert (found.name, found.kind, found.layout, found.map) == (name, name.split(":")[0], "open", made.map)
    assert found.observation == made.observation
    for (weight, bias), (again, offset) in zip(made.policy, found.policy, strict=True):
        assert (weight == again).all()
        assert (bias == offset).all()
    assert (found.clusters is None) == (not name.endswith("talents"))


def test_clusters_are_read_again(tmp_path):
    made, found = weights("talents").clusters, None
    save_weights(tmp_path / "file", weights("talents"))
    found = load_weights(tmp_path / "file").clusters
    assert (made.mean == found.mean).all()
    assert (made.std == found.std).all()
    assert len(made.decoder) == len(found.decoder)
    assert (found.eta, found.alpha, found.decay) == (made.eta, made.alpha, made.decay)


def test_the_same_weights_are_the_same_bytes(tmp_path):
    for name in ("one", "other"):
        save_weights(tmp_path / name, weights("talents"))
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


def test_files_are_found_by_policy_and_layout(tmp_path):
    write(tmp_path, "bp:G1-1", "gamma")
    assert weights_path("bp:G1-1", OPEN, tmp_path).name == "bp-G1-1-open.safetensors"
    assert weights_for("gamma", OPEN, tmp_path).name == "gamma"
    assert weights_files(SeatSpec("bayes"), OPEN) == ()
    assert weights_files(SeatSpec("gamma", weights=tmp_path), OPEN) == (tmp_path / "gamma-open.safetensors",)


@pytest.mark.parametrize(
    ("agent", "belief", "files"),
    [
        ("bayes", None, ["planner-open.safetensors", "population-open.safetensors"]),
        ("bayes", "types", ["planner-open.safetensors"]),
        ("proagent", None, ["planner-open.safetensors"]),
    ],
)
def test_a_belief_over_propensities_has_the_network_of_a_population(agent, belief, files):
    seat = SeatSpec(agent, planner="rollout", belief_changes={"belief": belief})
    assert [path.name for path in weights_files(seat, OPEN)] == files
    elsewhere = weights_files(seat, Layout.load("forced_coordination"))
    assert [path.name for path in elsewhere] == ["planner-forced_coordination.safetensors"], "there is none"


def test_a_layout_without_weights_is_one_line_that_says_for_which_there_are_some(tmp_path):
    write(tmp_path, "gamma")
    write(tmp_path, "gamma", layout="ring")
    with pytest.raises(NoWeights, match=r"gamma: has no weights for the layout burrito, only for open, ring; looked"):
        weights_for("gamma", Layout.load("burrito"), tmp_path)
    with pytest.raises(NoWeights, match="talents: has no weights for the layout open, nor for any other; looked in"):
        Game("open", load_agent("talents", SeatSpec(weights=tmp_path)), "switching")
    with pytest.raises(BBAError, match=r"--weights: .*nowhere' is not a folder"):
        weights_for("gamma", OPEN, tmp_path / "nowhere")


def test_weights_for_something_else_are_refused(tmp_path):
    file = write(tmp_path, "gamma") / "gamma-open.safetensors"
    (tmp_path / "bp-G1-1-open.safetensors").write_bytes(file.read_bytes())
    with pytest.raises(BBAError, match="holds the weights of 'gamma', not of bp:G1-1"):
        weights_for("bp:G1-1", OPEN, tmp_path)
    warmer = OPEN.model_copy(update={"timing": OPEN.timing.model_copy(update={"cooking": 70})})
    with pytest.raises(BBAError, match="trained for another map or other rules than those of open"):
        weights_for("gamma", warmer, tmp_path)
    small = weights("gamma")
    save_weights(file, replace(small, policy=((small.policy[0][0][:, :-1], small.policy[0][1]), *small.policy[1:])))
    with pytest.raises(BBAError, match=r"made for observations of \d+ numbers; here they have \d+"):
        weights_for("gamma", OPEN, tmp_path)


def test_the_digest_of_a_layout_is_that_of_its_map_and_rules():
    assert layout_digest(OPEN) == layout_digest(OPEN.model_copy(update={"name": "mine"}))
    assert len({layout_digest(Layout.load(name)) for name in Layout.names()}) == len(Layout.names())
    for change in ({"plates": 5}, {"orders": OPEN.orders.model_copy(update={"life": 500})}):
        assert layout_digest(OPEN.model_copy(update=change)) != layout_digest(OPEN)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda data: data[:-9], "not a safetensors file, or damaged"),
        (lambda data: data[:20], "not a safetensors file, or damaged"),
        (lambda data: b"", "not a safetensors file, or damaged"),
        (lambda data: b"PK\x03\x04" + data, "not a safetensors file, or damaged"),
    ],
    ids=["truncated", "header cut", "empty", "something else"],
)
def test_a_damaged_file_is_one_line(damage, message, tmp_path):
    file = write(tmp_path, "gamma") / "gamma-open.safetensors"
    file.write_bytes(damage(file.read_bytes()))
    with pytest.raises(BBAError, match=message) as raised:
        load_weights(file)
    assert "\n" not in str(raised.value)


@given(st.floats(0, 1, exclude_max=True), st.integers(0, 7))
def test_no_flipped_bit_passes_for_weights(tmp_path_factory, at, bit):
    file = write(tmp_path_factory.mktemp("flipped"), "talents") / "talents-open.safetensors"
    data = bytearray(file.read_bytes())
    place = int(at * len(data))
    data[place] ^= 1 << bit
    file.write_bytes(data)
    with pytest.raises(BBAError) as raised:
        load_weights(file)
    assert "\n" not in str(raised.value)


def infinite(words, tensors):
    tensors["policy.0.bias"][0] = np.inf


def without(name):
    return lambda words, tensors: (tensors if name in tensors else words).pop(name)


def word(key, value):
    return lambda words, tensors: words.__setitem__(key, value)


def tensor(name, change):
    return lambda words, tensors: tensors.__setitem__(name, change(tensors[name]))


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (word("format", "bba-policy-9"), "format is 'bba-policy-9'; it must be bba-policy-1"),
        (word("kind", "oracle"), "kind is 'oracle'; it must be bp or gamma or talents"),
        (word("kind", "bp"), "name is 'talents', of the kind bp"),
        (without("map"), "its header has no map"),
        (word("observation", "many"), "observation is 'many', not a count"),
        (word("observation", "12"), r"it must be float32 \(any, 14\)"),
        (word("eta", "much"), "eta is 'much', not a number"),
        (word("eta", "nan"), "eta: nan is not allowed; above 0"),
        (word("alpha", "1.5"), "alpha: 1.5 is not allowed; above 0 and at most 1"),
        (word("decay", "0"), "decay: 0.0 is not allowed; above 0 and at most 1"),
        (without("policy.1.weight"), "policy.0.weight is float32"),
        (without("policy.0.bias"), "there is no tensor policy.0.bias"),
        (without("clusters.std"), "there is no tensor clusters.std"),
        (without("decoder.0.weight"), "there is no tensor decoder.0.weight|decoder.0.weight is"),
        (tensor("policy.1.weight", lambda there: there[:26]), r"policy.1.weight is float32 \(26, 8\); .* \(27, 8\)"),
        (tensor("policy.0.weight", lambda there: there[:7]), r"policy.0.bias is float32 \(8\,\); .* \(7\)"),
        (tensor("clusters.mean", lambda there: there[:0]), r"clusters.mean is float32 \(0, 2\)"),
        (tensor("clusters.std", lambda there: there[:2]), r"clusters.std is float32 \(2, 2\); .* \(3, 2\)"),
        (tensor("policy.0.bias", lambda there: there.astype(np.float64)), "policy.0.bias is float64"),
        (infinite, "policy.0.bias holds numbers that are not finite"),
        (tensor("policy.1.weight", lambda there: there * 1e30), "policy.1.weight holds numbers that .* beyond 1e"),
        (tensor("clusters.std", lambda there: -there), "clusters.std holds numbers below 0"),
        (without("digest"), "its header has no digest"),
        (word("eta", "2.5"), "damaged: its digest is not that of what it holds"),
        (tensor("decoder.0.bias", lambda there: there + 1), "damaged: its digest is not that of what it holds"),
    ],
)
def test_a_file_that_holds_something_else_says_what(edit, message, tmp_path):
    file = write(tmp_path, "talents") / "talents-open.safetensors"
    words, tensors = parts(file)
    edit(words, tensors)
    file.write_bytes(save(tensors, words))
    with pytest.raises(BBAError, match=message) as raised:
        load_weights(file)
    assert str(raised.value).startswith(f"{file}: ")
    assert "\n" not in str(raised.value)


def test_what_could_not_be_read_again_is_not_written(tmp_path):
    made = weights("talents")
    clusters = Clusters(made.clusters.mean, made.clusters.std, made.clusters.decoder, 1.0, 2.0, 0.9)
    with pytest.raises(BBAError, match=r"alpha: 2\.0 is not allowed"):
        save_weights(tmp_path / "file", replace(made, clusters=clusters))
    assert not (tmp_path / "file").exists()


@pytest.mark.parametrize("path", sorted(data_dir("assets/weights").glob("*.safetensors")), ids=lambda path: path.stem)
def test_what_ships_can_be_played(path):
    found = load_weights(path)
    assert weights_path(found.name, Layout.load(found.layout)) == path
    weights_for(found.name, Layout.load(found.layout))
