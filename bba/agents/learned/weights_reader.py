"""A learned policy as arrays, read from the bytes of a safetensors file.

Every tensor and every value of the header is checked.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bba.agents.learned.clusters import Clusters
from bba.agents.learned.policy import Layers
from bba.belief import ROLE_NAMES
from bba.errors import BBAError
from bba.kitchen.constants import N_SKILLS
from bba.kitchen.observation import Float32Array

WEIGHTS_FORMAT = "bba-policy-1"
POLICY_KINDS = ("bp", "gamma", "talents", "planner", "human")
LAST_ROLES = len(ROLE_NAMES) + 1  # inputs of a clone of people: its last role, or none yet
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
    """

    name: str
    layout: str
    map: str
    policy: Layers
    clusters: Clusters | None = None
    value: ValueNetwork | None = None
    pauses: Float32Array | None = None

    @property
    def kind(self) -> str:
        """The kind of policy: one of `KINDS`."""
        return self.name.partition(":")[0]

    @property
    def observation(self) -> int:
        """The size of an observation."""
        inputs: int = self.policy[0][0].shape[1]
        return inputs - (len(self.clusters) if self.clusters else 0) - self._more

    @property
    def _more(self) -> int:
        """The number of inputs beside the observation and the clusters."""
        return N_SKILLS if self.value else LAST_ROLES if self.pauses is not None else 0


def contents_digest(header: Mapping[str, str], tensors: Mapping[str, NDArray[Any]]) -> str:
    """Returns 32 hex digits for a header, without its "digest", and tensors; their order does not matter."""
    digest = hashlib.blake2b(digest_size=16)
    digest.update(json.dumps({key: text for key, text in header.items() if key != "digest"}, sort_keys=True).encode())
    for name in sorted(tensors):
        tensor = tensors[name]
        digest.update(f"{name} {tensor.dtype} {tensor.shape} ".encode() + np.ascontiguousarray(tensor).tobytes())
    return digest.hexdigest()


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
        name, size = self._text("name"), self._count("observation")
        if name.partition(":")[0] != self.header["kind"]:
            raise self._wrong(f"name is {name!r}, of the kind {self.header['kind']}")
        clusters = self._clusters(size) if self.header["kind"] == "talents" else None
        more = {"planner": N_SKILLS, "human": LAST_ROLES}.get(self.header["kind"], 0)
        inputs = size + (len(clusters) if clusters else 0) + more
        value = self._value(size) if self.header["kind"] == "planner" else None
        policy = self._layers("policy", inputs)
        pauses = self._pauses() if self.header["kind"] == "human" else None
        weights = PolicyWeights(name, self._text("layout"), self._text("map"), policy, clusters, value, pauses)
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
            alpha=self._number("alpha"),
            decay=self._number("decay"),
        )
        if (clusters.std < 0).any():
            raise self._wrong("clusters.std holds numbers below 0")
        try:
            clusters.share()
        except BBAError as error:
            raise self._wrong(str(error)) from None
        return clusters

    def _pauses(self) -> Float32Array:
        pauses = self._tensor("pauses", (2, None))
        if (pauses < 0).any() or not np.allclose(pauses.sum(axis=1), 1, atol=1e-3):
            raise self._wrong("pauses holds rows that are no probabilities")
        return pauses

    def _value(self, size: int) -> ValueNetwork:
        value = ValueNetwork(self._layers("value", size, 1), self._number("discount"), self._number("scale"))
        if not (len(value.layers) == len(self._layers("policy", size + N_SKILLS)) == DEPTH):
            raise self._wrong(f"its networks have other than {DEPTH} layers")
        if not (0 < value.discount <= 1 and 0 < value.scale <= LARGEST_WEIGHT):
            raise self._wrong(f"discount {value.discount:g} or scale {value.scale:g} is out of range")
        return value

    def _layers(self, part: str, inputs: int, last: int = N_SKILLS) -> Layers:
        """Returns the layers of a network from `inputs` inputs to `last` outputs."""
        layers: list[tuple[Float32Array, Float32Array]] = []
        count = max(1, sum(name.startswith(f"{part}.") and name.endswith(".weight") for name in self.tensors))
        for i in range(count):
            outputs = last if i == count - 1 else None
            weight = self._tensor(f"{part}.{i}.weight", (outputs, inputs))
            inputs = len(weight)
            layers.append((weight, self._tensor(f"{part}.{i}.bias", (inputs,))))
        return tuple(layers)

    def _tensor(self, name: str, shape: tuple[int | None, ...]) -> Float32Array:
        """Returns a tensor of this shape; None stands for any length above 0."""
        tensor = self.tensors.get(name)
        if tensor is None:
            raise self._wrong(f"there is no tensor {name}")
        matches = len(tensor.shape) == len(shape) and all(
            there > 0 if wanted is None else there == wanted for there, wanted in zip(tensor.shape, shape, strict=True)
        )
        if not matches or tensor.dtype != np.float32:
            wanted = ", ".join("any" if length is None else str(length) for length in shape)
            raise self._wrong(f"{name} is {tensor.dtype} {tuple(tensor.shape)}; it must be float32 ({wanted})")
        if not (np.abs(tensor) <= LARGEST_WEIGHT).all():
            raise self._wrong(f"{name} holds numbers that are not finite, or beyond {LARGEST_WEIGHT:g}")
        found: Float32Array = tensor
        return found

    def _text(self, key: str) -> str:
        if key not in self.header:
            raise self._wrong(f"its header has no {key}")
        return self.header[key]

    def _expect(self, key: str, allowed: tuple[str, ...]) -> None:
        if self._text(key) not in allowed:
            raise self._wrong(f"{key} is {self.header[key][:40]!r}; it must be {' or '.join(allowed)}")

    def _count(self, key: str) -> int:
        if not re.fullmatch("[0-9]{1,6}", self._text(key)):
            raise self._wrong(f"{key} is {self.header[key][:40]!r}, not a count")
        return int(self.header[key])

    def _number(self, key: str) -> float:
        try:
            return float(self._text(key))
        except ValueError:
            raise self._wrong(f"{key} is {self.header[key][:40]!r}, not a number") from None

    def _wrong(self, what: str) -> BBAError:
        return BBAError(f"{self.path}: no weights that this version can play: {what}")
