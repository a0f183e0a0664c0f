"""The scheduler: several training runs at the same time, each in its own process.

The progress of a run is read from its files, which are always complete: first the checkpoint, in the end the record.
So a run whose process dies loses what it did since its last checkpoint, and nothing else.
"""

import json
from collections import Counter
from collections.abc import Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open

from bba.agents.learned.weights import load_weights
from bba.bench.engines import Engine
from bba.bench.episode import reason
from bba.learning.rl.trainer import CURVE_POINTS, CurvePoint, PPOConfig
from bba.learning.runs.run import TrainingRecord, TrainingRun, finished_record, train

POLL_INTERVAL = 0.5  # seconds
MAX_CRASHES = 2  # of its process, after which a run has failed


class RunState(Enum):
    """The state of a run."""

    WAITING = "waiting"
    PREPARING = "preparing the base"
    TRAINING = "training"
    DONE = "done"
    ALREADY_TRAINED = "already trained"
    FAILED = "failed"


@dataclass(slots=True)
class RunStatus:
    """The progress of a run.

    Attributes:
        run: the run.
        state: its state.
        curve: its learning curve so far.
        record: the record of a finished run.
        error: why it failed; empty if it did not.
    """

    run: TrainingRun
    state: RunState = RunState.WAITING
    curve: tuple[CurvePoint, ...] = ()
    record: TrainingRecord | None = None
    error: str = ""

    @property
    def steps(self) -> int:
        """Kitchen steps trained so far."""
        return self.curve[-1].steps if self.curve else 0

    @property
    def best(self) -> CurvePoint | None:
        """The point at which the best policy was kept; None if the run is not finished."""
        return self.record.best if self.record else None

    @property
    def ended(self) -> bool:
        """Whether the run is finished or has failed."""
        return self.state in (RunState.DONE, RunState.ALREADY_TRAINED, RunState.FAILED)


class TrainingScheduler:
    """Executes training runs on an engine.

    Args:
        runs: the runs; those that are finished already are left alone.
        folder: where all files are.
        config: the parameters of the trainings.
        seed: seeds everything random in the trainings; their base and the population have their own seeds.

    Attributes:
        config: the same.
        statuses: the progress of each run.

    Raises:
        BBAError: a finished run was trained with other parameters, or its weights are damaged.
    """

    def __init__(self, runs: Iterable[TrainingRun], folder: Path, config: PPOConfig, seed: int) -> None:
        self.config = config
        self._folder = folder
        self._seed = seed
        self.statuses = [self._initial_status(run) for run in runs]
        self._crashes: Counter[TrainingRun] = Counter()

    @property
    def unfinished(self) -> int:
        """The number of runs that have not ended."""
        return sum(not status.ended for status in self.statuses)

    def run(self, engine: Engine) -> Generator[None, None, None]:
        """Executes all unfinished runs; yields twice a second with up-to-date statuses.

        Closing the generator stops the engine's work.
        """
        running: dict[Future[TrainingRecord], RunStatus] = {}
        try:
            while self.unfinished:
                self._submit_ready(running, engine)
                for future in wait(running, POLL_INTERVAL, FIRST_COMPLETED).done:
                    self._complete(running.pop(future), future)
                for status in running.values():
                    if curve := checkpoint_curve(status.run.file(self._folder, ".checkpoint")):
                        status.state = RunState.TRAINING
                        status.curve = curve
                yield
        finally:
            engine.close()

    def _submit_ready(self, running: dict[Future[TrainingRecord], RunStatus], engine: Engine) -> None:
        """Submits runs whose dependencies have ended, as long as the engine has free workers."""
        waiting = [status for status in self.statuses if status.state == RunState.WAITING]
        for status in waiting:
            dependencies = [needed for needed in self.statuses if status.run.depends_on(needed.run)]
            if len(running) >= engine.workers or not all(needed.ended for needed in dependencies):
                continue
            failed = [needed.run.name for needed in dependencies if needed.error]
            if failed:
                status.state = RunState.FAILED
                status.error = f"needs {', '.join(failed)}"
                continue
            status.state = RunState.PREPARING
            running[engine.submit(train, status.run, self._folder, self.config, self._seed)] = status

    def _complete(self, status: RunStatus, future: Future[TrainingRecord]) -> None:
        """Updates the status of a run that has returned; it waits again after its first crash."""
        error = future.exception()
        crashed = isinstance(error, BrokenExecutor)
        self._crashes[status.run] += crashed
        if error is None:
            status.record = future.result()
            status.state = RunState.DONE
            status.curve = tuple(status.record.curve)
        elif crashed and self._crashes[status.run] < MAX_CRASHES:
            status.state = RunState.WAITING
        else:
            status.state = RunState.FAILED
            status.error = "the process that trained it died, twice" if crashed else reason(error)

    def _initial_status(self, run: TrainingRun) -> RunStatus:
        if run.recipe.playable:
            record = finished_record(run, self._folder, self.config, self._seed)
            if record is not None:
                load_weights(run.file(self._folder, ".safetensors"))
                return RunStatus(run, RunState.ALREADY_TRAINED, tuple(record.curve), record)
        return RunStatus(run, curve=checkpoint_curve(run.file(self._folder, ".checkpoint")))


def checkpoint_curve(path: Path) -> tuple[CurvePoint, ...]:
    """Returns the curve in a checkpoint, reading only its header; empty if there is no such file or it is damaged."""
    try:
        with safe_open(path, "numpy") as file:
            metadata: dict[str, Any] = json.loads((file.metadata() or {}).get("facts", "{}"))
        return CURVE_POINTS.validate_python(metadata.get("curve", ()))
    except (OSError, SafetensorError, ValueError, TypeError, KeyError, AttributeError):
        return ()  # the training itself reports what is wrong with the file
