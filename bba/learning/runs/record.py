"""The record of a training, a JSON file beside the weights: what was trained, how, with which code, and the result."""

import hashlib
import json
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

from pydantic import TypeAdapter, ValidationError

from bba.bench.provenance import code_digest, versions
from bba.errors import BBAError
from bba.files import first_problem, read_text, write_whole
from bba.learning.rl.evaluation import CurvePoint, EvaluationScore
from bba.learning.rl.ppo_config import PPOConfig

SIGNIFICANT_DIGITS = 5  # significant digits of numbers in a record
TRAINING_LIBRARIES = ("torch", "stable-baselines3", "sb3-contrib", "gymnasium", "scikit-learn")


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingRecord:
    """One finished training.

    Attributes:
        policy, layout: the policy's name and the layout's.
        map: the layout's `layout_digest`.
        settings: the parameters of the training.
        weights: value of each feature to the policy, in points per event.
        seeds: of the training, of the evaluations along its curve, and of the final evaluation.
        steps, decisions: kitchen steps and the policy's decisions, in all games together.
        seconds: time spent training, without the evaluations.
        steps_per_second: kitchen steps per second.
        curve: the learning curve, one point per round.
        best: the point at which the best policy was kept.
        evaluation: scores of that policy in other games than those along the curve; empty for none.
        partners: what was learned about partners before; empty for nothing.
        code: digest of the code on which the result of a training depends.
        networks: how the networks to be played were made of the policy, and their quality; empty for none.
        versions: versions of this program, of Python and of the libraries; and the machine.
        format: format of the record.
    """

    policy: str
    layout: str
    map: str
    settings: PPOConfig
    weights: dict[str, float]
    seeds: dict[str, int]
    steps: int
    decisions: int
    seconds: float
    steps_per_second: float
    curve: list[CurvePoint]
    best: CurvePoint
    evaluation: dict[str, EvaluationScore]
    partners: dict[str, Any]
    code: str
    versions: dict[str, str]
    networks: dict[str, Any] = field(default_factory=dict)
    format: Literal["bba-training-1"] = "bba-training-1"


_RECORD = TypeAdapter(TrainingRecord)


def write_record(path: Path, record: TrainingRecord) -> None:
    """Writes a record, completely or not at all.

    Raises:
        BBAError: the file cannot be written.
    """
    write_whole(path, json.dumps(rounded(_RECORD.dump_python(record)), separators=(",", ":")) + "\n")


def read_record(path: Path) -> TrainingRecord:
    """Reads a record.

    Raises:
        BBAError: the file cannot be read or is not a record.
    """
    try:
        return _RECORD.validate_json(read_text(path))
    except ValidationError as error:
        raise BBAError(f"{path}: is not a training record: {first_problem(error)}") from None


def rounded(data: Any) -> Any:
    """Returns the same data with few significant digits, and without values that are not a number (NaN).

    The parameters of a training have few digits: they stay as they are.
    """
    if isinstance(data, dict):
        return {key: rounded(value) for key, value in data.items() if value == value}
    if isinstance(data, list):
        return [rounded(value) for value in data]
    return float(f"{data:.{SIGNIFICANT_DIGITS}g}") if isinstance(data, float) else data


@cache
def training_digest() -> str:
    """Returns 16 hex digits: the digest of the sources on which a training depends, those of games and of learning."""
    digest = hashlib.blake2b(code_digest().encode(), digest_size=8)
    for file in sorted(Path(__file__).parents[1].rglob("*.py")):
        digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()


def training_versions() -> dict[str, str]:
    """Returns the versions of this program, of Python and of the libraries, and the `machine`."""
    return versions() | {name: version(name) for name in TRAINING_LIBRARIES}
