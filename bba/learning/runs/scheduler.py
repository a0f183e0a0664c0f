"""Several trainings at the same time, each in a process of its own, and how far they are.

What a training has reached is read from its files, which are always whole: the checkpoint, and in the end the record.
So a process that dies tells as much as one that works, and loses what it did since its last checkpoint, no more.
"""

import json
from collections import deque
from collections.abc import Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open

from bba.agents.learned import load_weights
from bba.bench.engines import Engine
from bba.bench.episode import reason
from bba.learning.rl.trainer import CurvePoint, PPOConfig, curve_point_from
from bba.learning.runs.record import TrainingRecord
from bba.learning.runs.run import TrainingRun, train, trained_before

BEAT = 0.5  # seconds between two looks
DEATHS = 2  # of its process, after which a job has failed


class JobState(Enum):
    """Where a job is."""

    WAITING = "waiting"
    PREPARING = "preparing the base"
    TRAINING = "training"
    DONE = "done"
    KNOWN = "already trained"
    FAILED = "failed"


@dataclass(slots=True)
class JobStatus:
    """How far a job is.

    Attributes:
        job: which one.
        state: see there.
        curve: its points so far.
        before: steps that were trained before this run.
        record: once it is done.
        problem: why it failed.
    """

    job: TrainingRun
    state: JobState = JobState.WAITING
    curve: tuple[CurvePoint, ...] = ()
    before: int = 0
    record: TrainingRecord | None = None
    problem: str = ""

    @property
    def steps(self) -> int:
        """Steps of the kitchen trained so far."""
        return self.curve[-1].steps if self.curve else 0

    @property
    def best(self) -> CurvePoint | None:
        """The point whose policy was kept; None while that is not settled."""
        return self.record.best if self.record else None

    @property
    def over(self) -> bool:
        """Whether nothing more will come of it."""
        return self.state in (JobState.DONE, JobState.KNOWN, JobState.FAILED)


class TrainingScheduler:
    """Trains jobs on an engine.

    Args:
        jobs: what is to be trained; what is finished already is left alone.
        folder: where all files are.
        settings: how they are trained.
        seed: of everything random in the training; its base and the population have seeds of their own.

    Attributes:
        settings: the same.
        stands: how far each job is.

    Raises:
        BBAError: a finished job was trained otherwise, or its weights are damaged.
    """

    def __init__(self, jobs: Iterable[TrainingRun], folder: Path, settings: PPOConfig, seed: int) -> None:
        self.settings = settings
        self._folder, self._seed = folder, seed
        self.stands = [self._stand(job) for job in jobs]
        self._deaths: dict[TrainingRun, int] = {}

    @property
    def missing(self) -> int:
        """How many jobs are not over."""
        return sum(not stand.over for stand in self.stands)

    def run(self, engine: Engine) -> Generator[None, None, None]:
        """Train what is missing; twice a second, the stands are up to date. Interrupted, it ends the engine's work."""
        queue = deque(stand for stand in self.stands if not stand.over)
        running: dict[Future[TrainingRecord], JobStatus] = {}
        try:
            while queue or running:
                self._begin(queue, running, engine)
                for future in wait(running, BEAT, FIRST_COMPLETED).done:
                    self._settle(running.pop(future), future, queue)
                for stand in running.values():
                    self._look(stand)
                yield
        finally:
            engine.close()

    def _begin(self, queue: deque[JobStatus], running: dict[Future[TrainingRecord], JobStatus], engine: Engine) -> None:
        """Fill the engine with jobs that need none that is not over."""
        for stand in list(queue):
            needed = [other for other in self.stands if stand.job.needs(other.job)]
            if len(running) >= engine.workers or not all(other.over for other in needed):
                continue
            queue.remove(stand)
            failed = [other.job.name for other in needed if other.problem]
            if failed:
                stand.state, stand.problem = JobState.FAILED, f"needs {', '.join(failed)}"
                continue
            stand.state = JobState.PREPARING
            running[engine.submit(train, stand.job, self._folder, self.settings, self._seed)] = stand

    def _settle(self, stand: JobStatus, future: Future[TrainingRecord], queue: deque[JobStatus]) -> None:
        """Note what came of a job; one whose process died goes on from its checkpoint, once."""
        error = future.exception()
        died = isinstance(error, BrokenExecutor)
        if error is None:
            stand.record = future.result()
            stand.state, stand.curve = JobState.DONE, tuple(stand.record.curve)
        elif died and self._death(stand.job) < DEATHS:
            stand.state = JobState.WAITING
            queue.append(stand)
        else:
            stand.state = JobState.FAILED
            stand.problem = "the process that trained it died, twice" if died else reason(error)

    def _death(self, job: TrainingRun) -> int:
        self._deaths[job] = self._deaths.get(job, 0) + 1
        return self._deaths[job]

    def _stand(self, job: TrainingRun) -> JobStatus:
        """How far a job is before the run."""
        if job.kind.plays:
            record = trained_before(job, self._folder, self.settings, self._seed)
            if record is not None:
                load_weights(job.file(self._folder, ".safetensors"))
                return JobStatus(job, JobState.KNOWN, tuple(record.curve), record.steps, record)
        curve = curve_in(job.file(self._folder, ".checkpoint"))
        return JobStatus(job, curve=curve, before=curve[-1].steps if curve else 0)

    def _look(self, stand: JobStatus) -> None:
        curve = curve_in(stand.job.file(self._folder, ".checkpoint"))
        if curve:
            stand.state, stand.curve = JobState.TRAINING, curve


def curve_in(path: Path) -> tuple[CurvePoint, ...]:
    """The curve in a checkpoint; none where there is no such file, or another one. Only its header is read."""
    try:
        with safe_open(path, "numpy") as file:
            facts: dict[str, Any] = json.loads((file.metadata() or {}).get("facts", "{}"))
        return tuple(curve_point_from(point) for point in facts.get("curve", ()))
    except (OSError, SafetensorError, ValueError, TypeError, KeyError, AttributeError):
        return ()  # whoever trains says what is wrong with it
