"""Checkpoints of trainings: named arrays and JSON metadata in one safetensors file. Nothing is unpickled."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from bba.agents.learned.weights import contents_digest
from bba.errors import BBAError
from bba.files import read_bytes, write_whole

CHECKPOINT_FORMAT = "bba-checkpoint-1"

Arrays = dict[str, NDArray[Any]]


class Checkpoint(NamedTuple):
    """The state of a training.

    Attributes:
        arrays: networks and optimiser state, by name.
        metadata: everything else, JSON-serialisable; `metadata["plan"]` says what is being trained and how.
    """

    arrays: Arrays
    metadata: dict[str, Any]


def write_checkpoint(path: Path, checkpoint: Checkpoint) -> None:
    """Writes a checkpoint, completely or not at all.

    Raises:
        BBAError: the file cannot be written.
    """
    arrays = {name: np.ascontiguousarray(array) for name, array in checkpoint.arrays.items()}
    header = {"format": CHECKPOINT_FORMAT, "facts": json.dumps(checkpoint.metadata)}
    write_whole(path, save(arrays, header | {"digest": contents_digest(header, arrays)}))


def read_checkpoint(path: Path, plan: dict[str, Any]) -> Checkpoint | None:
    """Returns the checkpoint of this plan; None if the file does not exist.

    Raises:
        BBAError: the file is damaged, or belongs to another plan.
    """
    if not path.exists():
        return None
    data = read_bytes(path)
    try:
        arrays = load(data)
        header_size = int.from_bytes(data[:8], "little")
        header = json.loads(data[8 : 8 + header_size])["__metadata__"]
        metadata = json.loads(header["facts"])
        if header["digest"] != contents_digest(header, arrays):
            raise ValueError("the digest is not that of the content")
    except (SafetensorError, ValueError, KeyError, TypeError) as error:
        raise BBAError(f"{path}: is not a checkpoint, or is damaged; delete it to train from the start") from error
    if header["format"] != CHECKPOINT_FORMAT or metadata.get("plan") != plan:
        raise BBAError(f"{path}: is the checkpoint of another training; choose another --out, or delete it")
    return Checkpoint(arrays, metadata)


def with_prefix(arrays: Arrays, prefix: str) -> Arrays:
    """The arrays whose names start with `prefix`, by the rest of their names."""
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
