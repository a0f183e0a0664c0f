"""The command `--train`: trains the missing policies and prints a table of all."""

import sys
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from bba.bench.engines import ProcessEngine
from bba.errors import BBAError
from bba.settings import Settings
from tui.arguments import check_options, wanted_layouts

if TYPE_CHECKING:
    from bba.learning.runs.scheduler import RunStatus, TrainingScheduler

RESULTS = Path("results/training")
LIBRARIES = ("torch", "stable_baselines3", "sb3_contrib", "gymnasium")
TAKES = ("train_steps", "layout", "layouts", "out", "workers", "seed", "headless", "config")


def train(settings: Settings) -> None:
    """Trains the policies that the settings name, unless they are trained already, and prints a table.

    When interrupted, it keeps and prints finished and partial runs, then raises KeyboardInterrupt; the same command
    resumes them.

    Raises:
        BBAError: an unsuitable setting, a missing library, or runs that failed.
    """
    if settings.train is None:
        raise BBAError("--train-steps: is for --train")
    check_options(settings, "train", TAKES)
    check_libraries()
    from tui.commands.train_output import print_table

    scheduler = _scheduler(settings)
    folder = settings.out or RESULTS
    try:
        if scheduler.unfinished:
            _train(scheduler, settings)
    finally:
        print_table(scheduler.statuses, folder)
    _draw(scheduler, folder)
    _complain(scheduler.statuses)


def check_libraries() -> None:
    """Checks that the libraries for training are installed.

    Raises:
        BBAError: one is missing.
    """
    if not all(find_spec(library) for library in LIBRARIES):
        raise BBAError("--train: training needs torch: pip install 'bba-tui[learn]'")


def _scheduler(settings: Settings) -> "TrainingScheduler":
    from bba.learning.rl.ppo_config import PPOConfig as Training
    from bba.learning.runs.run import runs_for
    from bba.learning.runs.scheduler import TrainingScheduler

    how = Training() if settings.train_steps is None else Training(steps=settings.train_steps)
    folder = settings.out or RESULTS
    jobs = runs_for(settings.train or "", wanted_layouts(settings))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise BBAError(f"--out: {folder}: cannot be used: {getattr(error, 'strerror', None) or error}") from None
    return TrainingScheduler(jobs, folder, how, settings.seed)


def _train(scheduler: "TrainingScheduler", settings: Settings) -> None:
    from tui.commands.train_output import progress

    engine = ProcessEngine(settings.workers)
    engine.workers = min(engine.workers, scheduler.unfinished)
    with closing(scheduler.run(engine)) as heartbeats, progress(scheduler) as show:
        for _ in heartbeats:
            show()


def _draw(scheduler: "TrainingScheduler", folder: Path) -> None:
    """Draws the learning curves and partner clusters of finished runs, if matplotlib is installed."""
    if find_spec("matplotlib") is None:
        sys.stdout.write("the curves are not drawn; that needs matplotlib: pip install 'bba-tui[report]'\n")
        return
    from bba.learning.figures import draw_curves, draw_partners

    records = [status.record for status in scheduler.statuses if status.record is not None]
    for path in draw_curves(records, folder) + draw_partners(records, folder):
        sys.stdout.write(f"written to {path}\n")


def _complain(statuses: "list[RunStatus]") -> None:
    """Reports failed runs and their reasons.

    Raises:
        BBAError: some runs failed.
    """
    failed = [status for status in statuses if status.error]
    if failed:
        reasons = "; ".join(dict.fromkeys(status.error for status in failed))
        raise BBAError(f"{len(failed)} of {len(statuses)} trainings failed: {reasons}")
