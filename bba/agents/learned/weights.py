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
ends with its last role.
"""

import json
from functools import lru_cache
from pathlib import Path

import numpy as np

from bba.agents.learned.policy import Layers
from bba.agents.learned.weights_reader import WEIGHTS_FORMAT, PolicyWeights, contents_digest, read_weights
from bba.errors import BBAError
from bba.files import data_dir, read_bytes, write_whole
from bba.kitchen import Layout, layout_digest
from bba.kitchen.grid import grid_of
from bba.kitchen.observation import Float32Array, observation_size
from bba.planner.rollout import PlanningNetworks

WEIGHTS_SUFFIX = ".safetensors"
PLANNER_NETWORKS = "planner"  # the name of the rollout planner's networks


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
    tensors = {name: np.ascontiguousarray(tensor, np.float32) for name, tensor in tensors.items()}
    data = with_sorted_header(save(tensors, header | {"digest": contents_digest(header, tensors)}))
    read_weights(data, str(path))
    write_whole(path, data)


def with_sorted_header(data: bytes) -> bytes:
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
    folder, stem = folder or data_dir("assets/weights"), name.replace(":", "-")
    path = folder / f"{stem}-{layout.name}{WEIGHTS_SUFFIX}"
    if path.is_file():
        return path
    others = sorted(file.stem.removeprefix(f"{stem}-") for file in folder.glob(f"{stem}-*{WEIGHTS_SUFFIX}"))
    instead = f"only for {', '.join(others)}" if others else "nor for any other"
    raise NoWeights(f"{name}: has no weights for the layout {layout.name}, {instead}; looked in {folder}")


def weights_for(name: str, layout: Layout, folder: Path | None = None) -> PolicyWeights:
    """Returns an agent's weights for a layout; with `folder` None, those that ship with the project.

    Raises:
        NoWeights: there are none.
        BBAError: the file is damaged, or for another agent, map or observation.
    """
    path = weights_path(name, layout, folder)
    weights = load_weights(path)
    if weights.name != name:
        raise BBAError(f"{path}: holds the weights of {weights.name[:40]!r}, not of {name}")
    if weights.map != layout_digest(layout):
        raise BBAError(f"{path}: trained for another map or other rules than those of {layout.name}")
    size = observation_size(grid_of(layout))
    if weights.observation != size:
        raise BBAError(f"{path}: made for observations of {weights.observation} numbers; here they have {size}")
    return weights


def planning_networks(layout: Layout, folder: Path | None = None) -> PlanningNetworks:
    """Returns the rollout planner's networks for a layout.

    Raises:
        NoWeights: there are none; the message says how to train them.
        BBAError: the file is damaged, or for another map or observation.
    """
    try:
        weights = weights_for(PLANNER_NETWORKS, layout, folder)
    except NoWeights as error:
        raise NoWeights(f"{error}; --train planner --layout FILE trains them") from None
    value = weights.value
    assert value is not None  # the reader requires it of this kind
    return PlanningNetworks(layout, weights.policy, value.layers, value.discount, value.scale)


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
