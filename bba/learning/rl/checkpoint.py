"""Checkpoints: named arrays and a few facts in one safetensors file, written whole. Nothing is unpickled."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import save

from bba.agents.learned.weights_reader import contents_digest
from bba.errors import BBAError
from bba.files import read_bytes, write_whole

FORMAT = "bba-checkpoint-1"


class Checkpoint(NamedTuple):
    """Where a training stands.

    Attributes:
        arrays: networks and optimiser, by name.
        facts: everything else, as JSON takes it; `facts["plan"]` is what is being trained and how.
    """

    arrays: dict[str, NDArray[Any]]
    facts: dict[str, Any]


def write_checkpoint(path: Path, checkpoint: Checkpoint) -> None:
    """Write it completely or not at all.

    Raises:
        BBAError: the file cannot be written.
    """
    arrays = {name: np.ascontiguousarray(array) for name, array in checkpoint.arrays.items()}
    words = {"format": FORMAT, "facts": json.dumps(checkpoint.facts)}
    write_whole(path, save(arrays, words | {"digest": contents_digest(words, arrays)}))


def read_checkpoint(path: Path, plan: dict[str, Any]) -> Checkpoint | None:
    """The checkpoint of this plan; None where there is none yet.

    Raises:
        BBAError: the file is damaged, or belongs to another plan.
    """
    if not path.exists():
        return None
    from safetensors.numpy import load

    data = read_bytes(path)
    try:
        arrays = load(data)
        size = int.from_bytes(data[:8], "little")
        header = json.loads(data[8 : 8 + size])["__metadata__"]
        facts = json.loads(header["facts"])
        whole = header["digest"] == contents_digest(header, arrays)
    except (SafetensorError, ValueError, KeyError, TypeError) as error:
        raise damaged(path) from error
    if not whole:
        raise damaged(path)
    if header["format"] != FORMAT or facts.get("plan") != plan:
        raise BBAError(f"{path}: is the checkpoint of another training; choose another --out, or delete it")
    return Checkpoint(arrays, facts)


def damaged(path: Path) -> BBAError:
    """What to say of a file that does not hold what was written."""
    return BBAError(f"{path}: is no checkpoint, or a damaged one; delete it to train afresh")
