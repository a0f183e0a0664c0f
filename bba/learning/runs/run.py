"""Training runs: what can be trained, by name, and the training of one policy from its base to its files.

A run leaves two files: the weights, ``bp-G1-1-open.safetensors``, and the record of the training,
``bp-G1-1-open.json``. The record is written last: if it exists, the run is finished.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

import torch
from pydantic import TypeAdapter
from threadpoolctl import threadpool_limits
from torch.distributions import Distribution

from bba.agents import (
    LEARNED_PARTNERS,
    PLANNER_NETWORKS,
    POPULATION_NETWORK,
    SCRATCH_PARTNERS,
    PolicyWeights,
    save_weights,
)
from bba.agents.learned.families import RESPONSE, SCRATCH_COOPERATORS
from bba.bench.episode import code_digest, versions
from bba.errors import BBAError
from bba.files import hex_digest, read_text, write_whole
from bba.kitchen import FEATURE_NAMES, Layout, layout_digest
from bba.learning.recipes.cooperators import MEMBERS, prepare_bp, prepare_cooperator, prepare_member
from bba.learning.recipes.planner import prepare_planner
from bba.learning.recipes.population import MEMBER as POPULATION_MEMBER
from bba.learning.recipes.population import MEMBERS as POPULATION_MEMBERS
from bba.learning.recipes.population import prepare_population, prepare_population_member
from bba.learning.recipes.recipe import CURVE_SEED, FINAL_SEED, Recipe, policy_file
from bba.learning.recipes.scratch import (
    MEMBER,
    prepare_scratch,
    prepare_scratch_cooperator,
    prepare_scratch_member,
    scratch_settings,
    seats_are_alike,
)
from bba.learning.rl.trainer import CurvePoint, EvaluationScore, PPOConfig
from bba.validation import checked

SIGNIFICANT_DIGITS = 5  # significant digits of numbers in a record
TRAINING_LIBRARIES = ("torch", "stable-baselines3", "sb3-contrib", "gymnasium", "scikit-learn")
ALL = "all"
RECIPES = {
    "bp": Recipe(LEARNED_PARTNERS, prepare_bp),
    "member": Recipe([f"member-{number}" for number in range(MEMBERS)], prepare_member, playable=False),
    "gamma": Recipe(["gamma"], prepare_cooperator, needs="member"),
    "talents": Recipe(["talents"], prepare_cooperator, needs="member"),
    "planner": Recipe([PLANNER_NETWORKS], prepare_planner),
    "scratch": Recipe(SCRATCH_PARTNERS, prepare_scratch, scratch_settings),
    "scratch-member": Recipe(
        [f"{MEMBER}{number}" for number in range(MEMBERS)],
        prepare_scratch_member,
        scratch_settings,
        playable=False,
        fits=seats_are_alike,
    ),
    "population-member": Recipe(
        [f"{POPULATION_MEMBER}{number}" for number in range(POPULATION_MEMBERS)],
        prepare_population_member,
        scratch_settings,
        playable=False,
    ),
    "population": Recipe([POPULATION_NETWORK], prepare_population, scratch_settings, needs="population-member"),
    "scratch-cooperators": Recipe(
        SCRATCH_COOPERATORS,
        prepare_scratch_cooperator,
        scratch_settings,
        needs="scratch-member",
        fits=seats_are_alike,
    ),
}


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
        shaping: what features were worth beside their weights at the start of the training, fading; empty for nothing.
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
    shaping: dict[str, float] = field(default_factory=dict)
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
    return checked(_RECORD, read_text(path), f"{path}: is not a training record")


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
    files = sorted(Path(__file__).parents[1].rglob("*.py"))
    return hex_digest(code_digest().encode(), *(file.name.encode() + file.read_bytes() for file in files))


@dataclass(frozen=True, slots=True)
class TrainingRun:
    """The training of one policy on one layout.

    Attributes:
        name: the policy's name, such as ``bp:G1-2``.
        layout: the kitchen.
    """

    name: str
    layout: Layout

    @property
    def recipe(self) -> Recipe:
        """How it is trained."""
        return next(recipe for recipe in RECIPES.values() if self.name in recipe.names)

    def file(self, folder: Path, suffix: str) -> Path:
        """Returns the path of one of its files: ``.safetensors``, ``.json`` or ``.checkpoint``."""
        return policy_file(folder, self.name, self.layout, suffix)

    def depends_on(self, other: "TrainingRun") -> bool:
        """Whether the other run has to be finished before this one."""
        needed = self.recipe.needs
        return needed is not None and other.layout == self.layout and other.name in RECIPES[needed].names


def runs_for(what: str, layouts: Sequence[Layout]) -> list[TrainingRun]:
    """Returns the runs of a kind, of one policy or of ``all``, layout by layout, each after those that it depends on.

    Raises:
        BBAError: there is no such kind or policy, or it can be trained in none of the kitchens.
    """
    playable = {kind: recipe for kind, recipe in RECIPES.items() if recipe.playable}
    policies = [policy for recipe in playable.values() for policy in recipe.names]
    names = policies if what == ALL else list(playable[what].names) if what in playable else [what]
    if not set(names) <= set(policies):
        choices = ", ".join(dict.fromkeys((ALL, *playable, *policies)))
        raise BBAError(f"train: {what[:40]!r} cannot be trained; choose one of {choices}")
    needed = dict.fromkeys(recipe.needs for recipe in playable.values() if recipe.needs and {*names} & {*recipe.names})
    first = [policy for kind in needed for policy in RECIPES[kind].names]
    runs = [TrainingRun(name, layout) for layout in layouts for name in (*first, *names)]
    possible_runs = [run for run in runs if run.recipe.fits(run.layout)]
    if not possible_runs:
        kitchens = ", ".join(layout.name for layout in layouts)
        raise BBAError(f"train: {what} needs a kitchen in which both cooks can do everything, unlike {kitchens}")
    return possible_runs


def finished_record(run: TrainingRun, folder: Path, config: PPOConfig, seed: int) -> TrainingRecord | None:
    """Returns the record of a finished run; None if it is not finished.

    Raises:
        BBAError: the record is damaged, or belongs to another policy or map, or to other parameters.
    """
    path = run.file(folder, ".json")
    if not (path.exists() and run.file(folder, ".safetensors").exists()):
        return None
    record = read_record(path)
    if (record.policy, record.map) != (run.name, layout_digest(run.layout)):
        raise BBAError(f"{path}: is the record of another policy or map; choose another --out, or delete it")
    parameters = asdict(run.recipe.settings(run.layout, config)) | {"seed": seed}
    recorded_parameters = asdict(record.settings) | {"seed": record.seeds["training"]}
    for name, value in recorded_parameters.items():
        if value != parameters[name]:
            difference = f"{name} {value}, not {parameters[name]}"
            raise BBAError(f"{path}: was trained differently ({difference}); choose another --out, or delete it")
    return record


@contextmanager
def unchecked_distributions() -> Iterator[None]:
    """Has torch's distributions not look at every number that they are made of, which takes PPO a tenth of its time.

    A skill is not drawn from numbers that are none (NaN) in any case: that is an error of torch.
    """
    checks = Distribution._validate_args
    Distribution.set_default_validate_args(False)
    try:
        yield
    finally:
        Distribution.set_default_validate_args(checks)


def train(
    run: TrainingRun,
    folder: Path,
    config: PPOConfig,
    seed: int,
    report: Callable[[CurvePoint], None] = lambda _: None,
) -> TrainingRecord:
    """Trains a policy, or continues its training, and writes its weights and its record into the folder.

    A policy that only serves the training of others leaves its checkpoint, neither weights nor record.

    Args:
        run: what is trained.
        folder: where its files are.
        config: the parameters.
        seed: seeds everything random in the training; its base and the population have their own seeds.
        report: called with each new point of the curve.

    Raises:
        BBAError: a file cannot be read or written, or belongs to another training.
    """
    config = run.recipe.settings(run.layout, config)
    torch.set_num_threads(1)  # as many trainings as cores are faster than one with as many threads
    # NumPy's threads else wait for each other on cores that others need.
    with threadpool_limits(1, user_api="blas"), unchecked_distributions():
        prepared = run.recipe.prepare(run.name, run.layout, folder, config, seed)
        trained = prepared.trainer.run(report)
        networks = prepared.networks(trained.policy)
        evaluation = prepared.evaluate(networks.policy)
    last = trained.curve[-1]
    record = TrainingRecord(
        policy=run.name,
        layout=run.layout.name,
        map=layout_digest(run.layout),
        settings=config,
        weights=dict(zip(FEATURE_NAMES, prepared.weights.tolist(), strict=True)),
        seeds={"training": seed, "curve": CURVE_SEED, "evaluation": FINAL_SEED},
        steps=last.steps,
        decisions=last.decisions,
        seconds=last.seconds,
        steps_per_second=last.steps / max(last.seconds, 1e-9),
        curve=trained.curve,
        best=trained.best,
        evaluation=evaluation,
        partners=dict(prepared.partners),
        networks=dict(networks.report),
        code=training_digest(),
        versions=versions() | {name: version(name) for name in TRAINING_LIBRARIES},
        shaping={name: value for name, value in zip(FEATURE_NAMES, prepared.shaping.tolist(), strict=True) if value},
    )
    if run.recipe.playable:
        weights = PolicyWeights(
            run.name,
            run.layout.name,
            record.map,
            networks.policy,
            prepared.clusters,
            networks.value,
            variance=networks.variance,
        )
        save_weights(run.file(folder, ".safetensors"), weights)
        if trained.companion is not None:
            companion = TrainingRun(f"{run.name}{RESPONSE}", run.layout)
            companion_weights = PolicyWeights(companion.name, run.layout.name, record.map, trained.companion)
            save_weights(companion.file(folder, ".safetensors"), companion_weights)
            companion.file(folder, ".checkpoint").unlink(missing_ok=True)
        write_record(run.file(folder, ".json"), record)
        run.file(folder, ".checkpoint").unlink(missing_ok=True)
    return record
