"""Training learned policies from the command line: what is missing is trained, and a table says what came of it."""

import sys
from collections.abc import Callable
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
    """Train what the settings name, as far as it is not trained yet, and print a table.

    Interrupted, it keeps what is finished and how far the others are, and prints it before it passes the interruption
    on; the same command goes on from there.

    Raises:
        BBAError: a setting that does not fit, no torch, or trainings that failed.
    """
    if settings.train is None:
        raise BBAError("--train-steps: is for --train")
    check_options(settings, "train", TAKES)
    check_libraries()
    from tui.commands.train_output import print_table

    crew = _crew(settings)
    folder = settings.out or RESULTS
    try:
        if crew.unfinished:
            _train(crew, settings)
    finally:
        print_table(crew.statuses, folder)
    _draw(crew, folder)
    _complain(crew.statuses)


def check_libraries() -> None:
    """Find out whether there is what trains.

    Raises:
        BBAError: there is not.
    """
    if not all(find_spec(library) for library in LIBRARIES):
        raise BBAError("--train: training needs torch: pip install 'bba-tui[learn]'")


def _crew(settings: Settings) -> "TrainingScheduler":
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


def _train(crew: "TrainingScheduler", settings: Settings) -> None:
    from tui.commands.train_progress import progress

    engine = ProcessEngine(settings.workers)
    engine.workers = min(engine.workers, crew.unfinished)
    with closing(crew.run(engine)) as beats, progress(crew) as show:
        for _ in beats:
            show()


def _draw(crew: "TrainingScheduler", folder: Path) -> None:
    """Draw the curves of what is finished and what it knows of partners, if there is something to draw with."""
    say: Callable[[str], object] = sys.stdout.write
    if find_spec("matplotlib") is None:
        say("the curves are not drawn; that needs matplotlib: pip install 'bba-tui[report]'\n")
        return
    from bba.learning.figures.partner_clusters import draw_partners
    from bba.learning.figures.training_curves import draw_curves

    records = [stand.record for stand in crew.statuses if stand.record is not None]
    for path in draw_curves(records, folder) + draw_partners(records, folder):
        say(f"written to {path}\n")


def _complain(stands: "list[RunStatus]") -> None:
    """Say which trainings failed and why.

    Raises:
        BBAError: some did.
    """
    failed = [stand for stand in stands if stand.error]
    if failed:
        reasons = "; ".join(dict.fromkeys(stand.error for stand in failed))
        raise BBAError(f"{len(failed)} of {len(stands)} trainings failed: {reasons}")
