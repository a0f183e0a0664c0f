"""The record of a training: what was trained, how, with what, and what came of it, as JSON beside the weights."""

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

from pydantic import TypeAdapter, ValidationError

from bba.bench.provenance import code_digest, versions
from bba.errors import BBAError
from bba.files import first_problem, read_text, write_whole
from bba.learning.rl.evaluation import EvaluationScore
from bba.learning.rl.trainer import CurvePoint, PPOConfig

DIGITS = 5  # that figures are told with
LIBRARIES = ("torch", "stable-baselines3", "sb3-contrib", "gymnasium", "scikit-learn")


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingRecord:
    """One finished training.

    Attributes:
        policy, layout: what was trained, and where.
        map: the layout's `layout_digest`.
        settings: how it was trained.
        weights: worth of each feature to the policy, in points an event.
        seeds: of the training, of the evaluations along its curve, and of the last evaluation.
        steps, decisions: of the kitchen and of the policy, all games together.
        seconds: spent training, evaluations not counted.
        steps_per_second: of the kitchen.
        curve: its points, round by round.
        best: the point whose policy was kept.
        evaluation: of that policy, in other games than those along the curve; empty where there is none.
        partners: what was learned about partners before; empty where nothing was.
        code: digest of the code that decides how a training goes.
        versions: of this program, of Python and of the libraries; and the machine.
        format: of the record.
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
    format: Literal["bba-training-1"] = "bba-training-1"


_RECORD = TypeAdapter(TrainingRecord)


def write_record(path: Path, record: TrainingRecord) -> None:
    """Write it completely or not at all.

    Raises:
        BBAError: the file cannot be written.
    """
    write_whole(path, json.dumps(rounded(_RECORD.dump_python(record)), separators=(",", ":")) + "\n")


def read_record(path: Path) -> TrainingRecord:
    """Read a record.

    Raises:
        BBAError: the file cannot be read or is no such record.
    """
    try:
        return _RECORD.validate_json(read_text(path))
    except ValidationError as error:
        raise BBAError(f"{path}: is no record of a training: {first_problem(error)}") from None


def rounded(data: Any) -> Any:
    """The same with a few significant digits (settings have no more), and without what JSON cannot tell."""
    if isinstance(data, dict):
        return {key: rounded(value) for key, value in data.items() if value == value}
    if isinstance(data, list):
        return [rounded(value) for value in data]
    return float(f"{data:.{DIGITS}g}") if isinstance(data, float) else data


@cache
def training_digest() -> str:
    """16 hex digits of the sources that decide how a training goes: those of games, and of learning."""
    digest = hashlib.blake2b(code_digest().encode(), digest_size=8)
    for file in sorted(Path(__file__).parents[1].rglob("*.py")):
        digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()


def training_versions() -> dict[str, str]:
    """The versions of what computes, and the `machine`."""
    return versions() | {name: version(name) for name in LIBRARIES}
