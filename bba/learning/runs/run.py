"""What can be trained, by name, and one training from its base to its files.

A training leaves two files: the weights, ``bp-G1-1-open.safetensors``, and the record of how they came about,
``bp-G1-1-open.json``. The record is written last: where it lies, the training is finished.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import torch

from bba.agents.learned import PolicyWeights, save_weights
from bba.errors import BBAError
from bba.kitchen import Layout, layout_digest
from bba.kitchen.features import FEATURE_NAMES
from bba.learning.recipes.bp import ASSESS_SEED
from bba.learning.recipes.registry import EVALUATION_SEED, RECIPES, Recipe
from bba.learning.rl.trainer import CurvePoint, PPOConfig, config_for
from bba.learning.runs.record import TrainingRecord, read_record, training_digest, training_versions, write_record

EVERYTHING = "all"


@dataclass(frozen=True, slots=True)
class TrainingRun:
    """One policy to be trained on one layout.

    Attributes:
        name: the policy's, such as ``bp:G1-2``.
        layout: the kitchen.
    """

    name: str
    layout: Layout

    @property
    def kind(self) -> Recipe:
        """What kind of policy it is."""
        return next(kind for kind in RECIPES.values() if self.name in kind.names)

    def file(self, folder: Path, suffix: str) -> Path:
        """One of its files: ``.safetensors``, ``.json`` or ``.checkpoint``."""
        return folder / f"{self.name.replace(':', '-')}-{self.layout.name}{suffix}"

    def needs(self, other: "TrainingRun") -> bool:
        """Whether the other one has to be finished before."""
        needed = self.kind.needs
        return needed is not None and other.layout == self.layout and other.name in RECIPES[needed].names


def runs_for(what: str, layouts: Sequence[Layout]) -> list[TrainingRun]:
    """The jobs that a kind, one policy or ``all`` stands for, layout by layout, those that others need before them.

    Raises:
        BBAError: it stands for nothing.
    """
    there = {name: kind for name, kind in RECIPES.items() if kind.plays}
    known = [policy for kind in there.values() for policy in kind.names]
    names = known if what == EVERYTHING else list(there[what].names) if what in there else [what]
    if not set(names) <= set(known):
        choice = ", ".join(dict.fromkeys((EVERYTHING, *there, *known)))
        raise BBAError(f"--train: there is no {what[:40]!r} to be trained; there are {choice}")
    needed = dict.fromkeys(kind.needs for kind in there.values() if kind.needs and set(names) & set(kind.names))
    first = [policy for kind in needed for policy in RECIPES[kind].names]
    return [TrainingRun(name, layout) for layout in layouts for name in (*first, *names)]


def trained_before(job: TrainingRun, folder: Path, settings: PPOConfig, seed: int) -> TrainingRecord | None:
    """The record of a job that is finished; None where it is not.

    Raises:
        BBAError: the record is damaged, or tells of another training than this.
    """
    path = job.file(folder, ".json")
    if not (path.exists() and job.file(folder, ".safetensors").exists()):
        return None
    record = read_record(path)
    if (record.policy, record.map) != (job.name, layout_digest(job.layout)):
        raise BBAError(f"{path}: is the record of another policy or map; choose another --out, or delete it")
    wanted = asdict(config_for(job.layout, settings)) | {"seed": seed}
    for name, value in (asdict(record.settings) | {"seed": record.seeds["training"]}).items():
        if value != wanted[name]:
            asked = f"{name} {value}, not {wanted[name]}"
            raise BBAError(f"{path}: was trained otherwise ({asked}); choose another --out, or delete it")
    return record


def train(
    job: TrainingRun,
    folder: Path,
    settings: PPOConfig,
    seed: int,
    report: Callable[[CurvePoint], None] = lambda _: None,
) -> TrainingRecord:
    """Train a policy, or go on where its training stopped, and write its weights and its record into the folder.

    A policy that others learn from leaves its checkpoint, neither weights nor record.

    Args:
        job: what is trained.
        folder: where its files are.
        settings: how it is trained.
        seed: of everything random in the training; its base and the population have seeds of their own.
        report: gets each new point of the curve.

    Raises:
        BBAError: a file cannot be read or written, or belongs to another training.
    """
    torch.set_num_threads(1)  # as many trainings as cores are faster than one with as many threads
    settings = config_for(job.layout, settings)
    prepared = job.kind.prepare(job.name, job.layout, folder, settings, seed)
    trained = prepared.training.run(report)
    last, digest = trained.curve[-1], layout_digest(job.layout)
    record = TrainingRecord(
        policy=job.name,
        layout=job.layout.name,
        map=digest,
        settings=settings,
        weights=dict(zip(FEATURE_NAMES, prepared.weights.tolist(), strict=True)),
        seeds={"training": seed, "curve": ASSESS_SEED, "evaluation": EVALUATION_SEED},
        steps=last.steps,
        decisions=last.decisions,
        seconds=last.seconds,
        steps_per_second=last.steps / max(last.seconds, 1e-9),
        curve=trained.curve,
        best=trained.best,
        evaluation=prepared.evaluate(trained.policy),
        partners=dict(prepared.partners),
        code=training_digest(),
        versions=training_versions(),
    )
    if job.kind.plays:
        weights = PolicyWeights(job.name, job.layout.name, digest, trained.policy, prepared.clusters)
        save_weights(job.file(folder, ".safetensors"), weights)
        write_record(job.file(folder, ".json"), record)
        job.file(folder, ".checkpoint").unlink(missing_ok=True)
    return record
