"""The weights of learned policies: safetensors files named by policy and layout, as ``bp-G1-1-open.safetensors``.

A file contains float32 tensors. ``policy.0.weight`` (outputs, inputs), ``policy.0.bias`` (outputs,),
``policy.1.weight`` and so on are the layers of the policy, from an observation to one logit per skill. The input of a
TALENTS policy ends with a one-hot of the partner's most likely cluster, and its file contains the K clusters:
``clusters.mean`` and ``clusters.std`` (K, Z) of their latents, and ``decoder.0.weight`` and so on from the partner's
observation and a latent to one logit per skill. The header contains format, kind, name, layout, map (the digest of the
layout's map and rules), observation (its size), for TALENTS eta, alpha and decay, and a digest of all contents, so that
damage is detected. The file of the rollout planner contains its behaviour network as the policy, its value network as
``value.0.weight`` and so on, and discount and scale in the header. Between its layers are rectified linear units, in
all other policies hyperbolic tangents. The file of a clone of people contains ``pauses``, and the input of its policy
ends with its last role. The file of a population of partners contains one network for all of them as the policy, and
``variance`` (27,) of their log-propensities. Every tensor and every value of the header is checked as it is read.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from bba.agents.learned.policy import Clusters, Layers
from bba.belief import ROLE_NAMES, PopulationNetwork
from bba.errors import BBAError
from bba.files import data_dir, hex_digest, read_bytes, write_whole
from bba.kitchen import N_SKILLS, Float32Array, Layout, grid_of, layout_digest, observation_size
from bba.planner.rollout.networks import PlanningNetworks

WEIGHTS_SUFFIX = ".safetensors"
PLANNER_NETWORKS = "planner"  # the name of the rollout planner's networks
POPULATION_NETWORK = "population"  # the name of the network of a population of partners
WEIGHTS_FORMAT = "bba-policy-1"
POLICY_KINDS = ("bp", "gamma", "talents", "scratch", "planner", "population", "human")
LAST_ROLES = len(ROLE_NAMES) + 1  # inputs of a clone of people: its last role, or none yet
MORE_INPUTS = {"planner": N_SKILLS, "human": LAST_ROLES}  # of a policy, beside the observation, by its kind
DEPTH = 3  # the number of layers of the rollout planner's networks
LARGEST_WEIGHT = 1e6  # the limit on a weight, with which every logit is finite


@dataclass(frozen=True, slots=True, eq=False)
class ValueNetwork:
    """What is still to come from a state on, by player 0's observation.

    Attributes:
        layers: from an observation to the discounted reward, in units of `scale`.
        discount: per step, above 0 and at most 1.
        scale: points, above 0.
    """

    layers: Layers
    discount: float
    scale: float


@dataclass(frozen=True, slots=True, eq=False)
class PolicyWeights:
    """A learned policy for one layout.

    Attributes:
        name: the agent's name, such as ``bp:G1-1``.
        layout: the layout's name.
        map: its `layout_digest`.
        policy: from the observation (for TALENTS followed by the one-hot of a cluster) to one logit per skill.
        clusters: of TALENTS; None for the others.
        value: of the rollout planner, whose policy is the behaviour network; None for the others.
        pauses: of a clone of people, how likely a pause of so many steps is before work in the last role and in another
            one, (2, steps); its policy's inputs end with the last role as a one-hot. None for the others.
        variance: of a population's log-propensities, (27,), above 0; None for the others.
    """

    name: str
    layout: str
    map: str
    policy: Layers
    clusters: Clusters | None = None
    value: ValueNetwork | None = None
    pauses: Float32Array | None = None
    variance: Float32Array | None = None

    @property
    def kind(self) -> str:
        """The kind of policy: one of `POLICY_KINDS`."""
        return self.name.partition(":")[0]

    @property
    def observation(self) -> int:
        """The size of an observation."""
        inputs: int = self.policy[0][0].shape[1]
        return inputs - MORE_INPUTS.get(self.kind, len(self.clusters or ()))


class NoWeights(BBAError):
    """There are no weights of a learned policy for a layout."""


def save_weights(path: Path, weights: PolicyWeights) -> None:
    """Writes a policy to a file, completely or not at all; the same weights give the same bytes.

    Raises:
        BBAError: `load_weights` would refuse the file, or it cannot be written.
    """
    from safetensors.numpy import save

    header = {
        "format": WEIGHTS_FORMAT,
        "kind": weights.kind,
        "name": weights.name,
        "layout": weights.layout,
        "map": weights.map,
        "observation": str(weights.observation),
    }
    tensors = _tensors("policy", weights.policy)
    if weights.clusters is not None:
        clusters = weights.clusters
        header |= {name: repr(float(getattr(clusters, name))) for name in ("eta", "alpha", "decay")}
        tensors |= {"clusters.mean": clusters.mean, "clusters.std": clusters.std}
        tensors |= _tensors("decoder", clusters.decoder)
    if weights.value is not None:
        header |= {"discount": repr(weights.value.discount), "scale": repr(weights.value.scale)}
        tensors |= _tensors("value", weights.value.layers)
    if weights.pauses is not None:
        tensors |= {"pauses": weights.pauses}
    if weights.variance is not None:
        tensors |= {"variance": weights.variance}
    tensors = {name: np.ascontiguousarray(tensor, np.float32) for name, tensor in tensors.items()}
    data = _with_sorted_header(save(tensors, header | {"digest": contents_digest(header, tensors)}))
    read_weights(data, str(path))
    write_whole(path, data)


def _with_sorted_header(data: bytes) -> bytes:
    """Returns a safetensors file with its header sorted; the library writes it in another order every time."""
    start = 8 + int.from_bytes(data[:8], "little")
    header = json.dumps(json.loads(data[8:start]), sort_keys=True, separators=(",", ":")).encode()
    header += b" " * (-len(header) % 8)
    return len(header).to_bytes(8, "little") + header + data[start:]


def _tensors(part: str, layers: Layers) -> dict[str, Float32Array]:
    weights = {f"{part}.{i}.weight": weight for i, (weight, _) in enumerate(layers)}
    return weights | {f"{part}.{i}.bias": bias for i, (_, bias) in enumerate(layers)}


def weights_path(name: str, layout: Layout, folder: Path | None = None) -> Path:
    """Returns the file with an agent's weights for a layout; with `folder` None, one that ships with the project.

    Raises:
        NoWeights: there is none; the message names the layouts that have one.
        BBAError: there is no such folder.
    """
    if folder is not None and not folder.is_dir():
        raise BBAError(f"--weights: {str(folder)!r} is not a folder")
    folder = folder or data_dir("assets/weights")
    stem = name.replace(":", "-")
    path = folder / f"{stem}-{layout.name}{WEIGHTS_SUFFIX}"
    if path.is_file():
        return path
    layouts = sorted(file.stem.removeprefix(f"{stem}-") for file in folder.glob(f"{stem}-*{WEIGHTS_SUFFIX}"))
    instead = f"only for {', '.join(layouts)}" if layouts else "nor for any other"
    raise NoWeights(f"{name}: has no weights for the layout {layout.name}, {instead}; looked in {folder}")


def weights_for(name: str, layout: Layout, folder: Path | None = None) -> PolicyWeights:
    """Returns an agent's weights for a layout; with `folder` None, those that ship with the project.

    Raises:
        NoWeights: there are none.
        BBAError: the file is damaged, or for another agent, map or observation.
    """
    path = weights_path(name, layout, folder)
    weights = load_weights(path)
    size = observation_size(grid_of(layout))
    trained = weights.observation
    if weights.name != name:
        raise BBAError(f"{path}: holds the weights of {weights.name[:40]!r}, not of {name}")
    if weights.map != layout_digest(layout):
        raise BBAError(f"{path}: trained for another map or other rules than those of {layout.name}")
    if trained != size:
        raise BBAError(f"{path}: made for observations of {trained} numbers; here they have {size}")
    return weights


@lru_cache(maxsize=8)
def planning_networks(layout: Layout, folder: Path | None = None) -> PlanningNetworks:
    """Returns the rollout planner's networks for a layout, which are read once.

    Raises:
        NoWeights: there are none; the message says how to train them.
        BBAError: the file is damaged, or for another map or observation.
    """
    try:
        weights = weights_for(PLANNER_NETWORKS, layout, folder)
    except NoWeights as error:
        raise NoWeights(f"{error}; bba-tui train planner --layout FILE trains them") from None
    value = weights.value
    assert value is not None  # the reader requires it of this kind
    population = _population_network(layout, folder)
    return PlanningNetworks(layout, weights.policy, value.layers, value.discount, value.scale, population)


def _population_network(layout: Layout, folder: Path | None) -> PopulationNetwork | None:
    """Returns the network of a population of partners; None if there is none for a layout."""
    try:
        weights = weights_for(POPULATION_NETWORK, layout, folder)
    except NoWeights:
        return None
    assert weights.variance is not None  # the reader requires it of this kind
    return PopulationNetwork(weights.policy, weights.variance)


def load_weights(path: Path) -> PolicyWeights:
    """Reads the weights in a file.

    Raises:
        BBAError: it cannot be read, is damaged, or contains something else.
    """
    try:
        status = path.stat()
    except OSError:
        return read_weights(read_bytes(path), str(path))  # says what is wrong
    return _read_once(path, (status.st_mtime_ns, status.st_size, status.st_ino))


@lru_cache(maxsize=32)
def _read_once(path: Path, version: tuple[int, ...]) -> PolicyWeights:  # noqa: ARG001 - a changed file is another one
    """Reads a file again only if it has changed: its games are many."""
    return read_weights(read_bytes(path), str(path))


def contents_digest(header: Mapping[str, str], tensors: Mapping[str, Float32Array]) -> str:
    """Returns 32 hex digits for a header, without its "digest", and tensors; their order does not matter."""
    facts = json.dumps({key: text for key, text in header.items() if key != "digest"}, sort_keys=True)
    parts = (
        f"{name} {tensor.dtype} {tensor.shape} ".encode() + np.ascontiguousarray(tensor).tobytes()
        for name, tensor in sorted(tensors.items())
    )
    return hex_digest(facts.encode(), *parts, size=16)


def read_weights(data: bytes, path: str) -> PolicyWeights:
    """Reads the weights in the bytes of a file; `path` names it in messages.

    Raises:
        BBAError: the bytes are damaged or something else.
    """
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        tensors = load(data)
        header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")]).get("__metadata__", {})
    except (SafetensorError, ValueError, KeyError, TypeError):
        raise BBAError(f"{path}: not a safetensors file, or damaged") from None
    return _Reader(path, header, tensors).weights()


@dataclass(frozen=True, slots=True)
class _Reader:
    """Checks a file's header and tensors while it reads them."""

    path: str
    header: Mapping[str, str]
    tensors: Mapping[str, Any]

    def weights(self) -> PolicyWeights:
        """Returns the whole policy."""
        self._expect("format", (WEIGHTS_FORMAT,))
        self._expect("kind", POLICY_KINDS)
        name = self._text("name")
        size = self._count("observation")
        self._refuse(
            name.partition(":")[0] != self.header["kind"], f"name is {name!r}, of the kind {self.header['kind']}"
        )
        clusters = self._clusters(size) if name.rpartition(":")[2] == "talents" else None
        value = self._value(size) if self.header["kind"] == "planner" else None
        policy = self._layers("policy", size + MORE_INPUTS.get(self.header["kind"], len(clusters or ())))
        pauses = self._pauses() if self.header["kind"] == "human" else None
        variance = self._variance(policy) if self.header["kind"] == "population" else None
        weights = PolicyWeights(
            name, self._text("layout"), self._text("map"), policy, clusters, value, pauses, variance
        )
        if self._text("digest") != contents_digest(self.header, self.tensors):
            raise BBAError(f"{self.path}: damaged: its digest is not that of what it holds")
        return weights

    def _clusters(self, size: int) -> Clusters:
        mean = self._tensor("clusters.mean", (None, None))
        clusters = Clusters(
            mean=mean,
            std=self._tensor("clusters.std", mean.shape),
            decoder=self._layers("decoder", size + mean.shape[1]),
            eta=self._number("eta"),
            alpha=self._number("alpha", most=1),
            decay=self._number("decay", most=1),
        )
        self._refuse((clusters.std < 0).any(), "clusters.std holds numbers below 0")
        return clusters

    def _pauses(self) -> Float32Array:
        pauses = self._tensor("pauses", (2, None))
        self._refuse(
            (pauses < 0).any() or not np.allclose(pauses.sum(axis=1), 1, atol=1e-3),
            "pauses holds rows that are no probabilities",
        )
        return pauses

    def _value(self, size: int) -> ValueNetwork:
        value = ValueNetwork(self._layers("value", size, 1), self._number("discount", most=1), self._number("scale"))
        self._refuse(
            not (len(value.layers) == len(self._layers("policy", size + N_SKILLS)) == DEPTH),
            f"its networks have other than {DEPTH} layers",
        )
        return value

    def _variance(self, policy: Layers) -> Float32Array:
        self._refuse(len(policy) != DEPTH, f"its network has other than {DEPTH} layers")
        variance = self._tensor("variance", (N_SKILLS,))
        self._refuse((variance <= 0).any(), "variance holds numbers that are not above 0")
        return variance

    def _layers(self, part: str, inputs: int, last: int = N_SKILLS) -> Layers:
        """Returns the layers of a network from `inputs` inputs to `last` outputs."""
        layers: list[tuple[Float32Array, Float32Array]] = []
        count = max(1, sum(name.startswith(f"{part}.") and name.endswith(".weight") for name in self.tensors))
        for i in range(count):
            weight = self._tensor(f"{part}.{i}.weight", (last if i == count - 1 else None, inputs))
            inputs = len(weight)
            layers.append((weight, self._tensor(f"{part}.{i}.bias", (inputs,))))
        return tuple(layers)

    def _tensor(self, name: str, shape: tuple[int | None, ...]) -> Float32Array:
        """Returns a tensor of this shape; None stands for any length above 0."""
        tensor: Float32Array | None = self.tensors.get(name)
        if tensor is None:
            raise self._wrong(f"there is no tensor {name}")
        expected = ", ".join("any" if length is None else str(length) for length in shape)
        self._refuse(
            not _fits(tensor.shape, shape) or tensor.dtype != np.float32,
            f"{name} is {tensor.dtype} {tuple(tensor.shape)}; it must be float32 ({expected})",
        )
        self._refuse(
            not (np.abs(tensor) <= LARGEST_WEIGHT).all(),
            f"{name} holds numbers that are not finite, or beyond {LARGEST_WEIGHT:g}",
        )
        return tensor

    def _text(self, key: str) -> str:
        self._refuse(key not in self.header, f"its header has no {key}")
        return self.header[key]

    def _expect(self, key: str, allowed: tuple[str, ...]) -> None:
        text = self._text(key)
        self._refuse(text not in allowed, f"{key} is {text[:40]!r}; it must be {' or '.join(allowed)}")

    def _count(self, key: str) -> int:
        text = self._text(key)
        self._refuse(not re.fullmatch("[0-9]{1,6}", text), f"{key} is {text[:40]!r}, not a count")
        return int(text)

    def _number(self, key: str, most: float = LARGEST_WEIGHT) -> float:
        try:
            number = float(self._text(key))
        except ValueError:
            raise self._wrong(f"{key} is {self.header[key][:40]!r}, not a number") from None
        self._refuse(not 0 < number <= most, f"{key}: {number} is not allowed; above 0 and at most {most:g}")
        return number

    def _refuse(self, problem_holds: object, what: str) -> None:
        if problem_holds:
            raise self._wrong(what)

    def _wrong(self, what: str) -> BBAError:
        return BBAError(f"{self.path}: no weights that this version can play: {what}")


def _fits(shape: tuple[int, ...], expected: tuple[int | None, ...]) -> bool:
    """Whether a shape is the expected one; None stands for any length above 0."""
    if len(shape) != len(expected):
        return False
    for length, expected_length in zip(shape, expected, strict=True):
        if expected_length is None and length < 1:
            return False
        if expected_length is not None and length != expected_length:
            return False
    return True
