"""The command `train`: trains missing policies, or clones of the people of a study, and prints how far it is and the
table.
"""

import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from importlib.util import find_spec
from pathlib import Path
from statistics import fmean

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.text import Text

from bba.agents.learned.agent import CLONE
from bba.agents.learned.weights import WEIGHTS_SUFFIX, load_weights, save_weights
from bba.analysis.human_choices import HumanChoices, choices_of, joined
from bba.bench.engines import ProcessEngine
from bba.errors import BBAError
from bba.files import make_folder, write_whole
from bba.kitchen import Layout, layout_digest
from bba.learning.rl.trainer import EvaluationScore, PPOConfig
from bba.learning.runs.run import runs_for
from bba.learning.runs.scheduler import RunState, RunStatus, TrainingScheduler
from bba.report.formatting import duration, thousands
from bba.settings import Settings
from human.study import StudyFolder
from human.study.tables import recorded_games
from tui.arguments import check_options, wanted_layouts
from tui.commands.output import plain_table, print_all

TRAINING_FOLDER = Path("results/training")
PEOPLE = "human"  # what learns from a study
LEAST_PEOPLE = 5  # choices of a person on a layout; who made fewer is left out
NEEDED_LIBRARIES = ("torch", "stable_baselines3", "sb3_contrib", "gymnasium")


def train(settings: Settings) -> None:
    """Trains the policies that the settings name, unless they are trained already, and prints a table.

    When interrupted, it keeps and prints finished and partial runs, then raises KeyboardInterrupt; the same command
    resumes them.

    Raises:
        BBAError: an unsuitable setting, a missing library, or runs that failed.
    """
    if settings.train == PEOPLE:
        train_human(settings)
        return
    check_options(settings, "train", without=["from_study"])
    check_libraries()
    how = PPOConfig() if settings.train_steps is None else PPOConfig(steps=settings.train_steps)
    folder, jobs = settings.out or TRAINING_FOLDER, runs_for(settings.train or "", wanted_layouts(settings))
    make_folder(folder, f"--out: {folder}: cannot be used")
    scheduler = TrainingScheduler(jobs, folder, how, settings.seed)
    try:
        if scheduler.unfinished:
            engine = ProcessEngine(settings.workers)
            engine.workers = min(engine.workers, scheduler.unfinished)
            with closing(scheduler.run(engine)) as heartbeats, progress(scheduler) as show:
                for _ in heartbeats:
                    show()
    finally:
        print_table(scheduler.statuses, folder)
    _draw(scheduler, folder)
    failed = [status for status in scheduler.statuses if status.error]
    if failed:
        reasons = "; ".join(dict.fromkeys(status.error for status in failed))
        raise BBAError(f"{len(failed)} of {len(jobs)} trainings failed: {reasons}")


def check_libraries() -> None:
    """Checks that the libraries for training are installed.

    Raises:
        BBAError: one is missing.
    """
    if not all(find_spec(library) for library in NEEDED_LIBRARIES):
        raise BBAError("--train: training needs torch: pip install 'bba-tui[learn]'")


def _draw(scheduler: TrainingScheduler, folder: Path) -> None:
    """Draws the learning curves and partner clusters of finished runs, if matplotlib is installed."""
    if find_spec("matplotlib") is None:
        sys.stdout.write("the curves are not drawn; that needs matplotlib: pip install 'bba-tui[report]'\n")
        return
    from bba.learning.figures import draw_curves, draw_partners

    records = [status.record for status in scheduler.statuses if status.record is not None]
    sys.stdout.writelines(
        f"written to {path}\n" for path in draw_curves(records, folder) + draw_partners(records, folder)
    )


def train_human(settings: Settings) -> None:
    """Learns a partner from the people of a study, a file for each layout, and prints what it predicts.

    Raises:
        BBAError: an unsuitable setting, a missing library, no study, no people, or a file that cannot be written.
    """
    check_options(settings, "train", without=["train_steps", "workers"])
    if settings.from_study is None:
        raise BBAError("--train human: name the folder of a study with --from, as --from results/example")
    check_libraries()
    from bba.learning.recipes.human import clone_table

    study = StudyFolder.open(settings.from_study)
    name, folder = CLONE + study.study.name, settings.out or TRAINING_FOLDER
    found = list(people_by_layout(study))
    _remove_left_over(name, folder, {layout.name for layout, _ in found})
    kitchens = [(layout, people) for layout, people in found if _wanted(layout, settings)]
    if not kitchens:
        raise BBAError(f"{settings.from_study}: no recorded game in which a person completed {LEAST_PEOPLE} skills")
    text = clone_table([_train_clone(name, layout, people, folder, settings.seed) for layout, people in kitchens])
    write_whole(folder / f"{_stem(name)}.md", f"# {name}\n\nMean log-likelihood of a choice, in nats.\n\n{text}")
    sys.stdout.write(f"{text}\nplay with it: bba-tui watch --partner {name} --weights {folder}\n")


def _stem(name: str) -> str:
    return name.replace(":", "-")


def people_by_layout(folder: StudyFolder) -> Iterator[tuple[Layout, list[HumanChoices]]]:
    """Yields each layout of a study with the choices of each person who made enough of them there."""
    layouts: dict[str, Layout] = {}
    found: dict[tuple[str, int], list[HumanChoices]] = {}
    for game, trace in recorded_games(folder):
        person, layout = game.progress.number + 1, trace.config.layout  # no code leaves the study
        layouts[layout_digest(layout)] = layout
        choices = choices_of(trace, game.progress.seat, str(person))
        found.setdefault((layout_digest(layout), person), []).append(choices)
    for digest, layout in layouts.items():
        people = [joined(choices) for (kitchen, _), choices in found.items() if kitchen == digest]
        enough = [one for one in people if len(one.skills) >= LEAST_PEOPLE]
        if enough:
            yield layout, enough


def _wanted(layout: Layout, settings: Settings) -> bool:
    if settings.layouts is not None:
        return layout.name in {name.strip() for name in settings.layouts.split(",")}
    return "layout" not in settings.model_fields_set or layout.name == Layout.load(settings.layout).name


def _train_clone(name: str, layout: Layout, people: list[HumanChoices], folder: Path, seed: int) -> dict[str, object]:
    """Trains and writes the clone for a layout; returns its record."""
    import torch

    from bba.learning.recipes.human import clone_record, held_out, train_clone

    torch.set_num_threads(1)
    sys.stderr.write(f"{layout.name}: {len(people)} people, {sum(len(one.skills) for one in people)} choices\n")
    scores = held_out(layout, people, seed)
    make_folder(folder, f"--out: {folder}: cannot be used")
    file = folder / f"{_stem(name)}-{layout.name}{WEIGHTS_SUFFIX}"
    save_weights(file, train_clone(layout, name, people, seed))
    record = clone_record(layout.name, people, scores, seed)
    write_whole(file.with_suffix(".json"), json.dumps(record, indent=2) + "\n")
    return record


def _remove_left_over(name: str, folder: Path, layouts: set[str]) -> None:
    """Deletes earlier clones of this study of other kitchens: people behind them have withdrawn or been excluded."""
    for file in folder.glob(f"{_stem(name)}-*{WEIGHTS_SUFFIX}"):
        try:
            weights = load_weights(file)
        except BBAError:
            continue  # nothing that was learned here
        if weights.name == name and weights.layout not in layouts:
            for left_over in (file, file.with_suffix(".json")):
                left_over.unlink(missing_ok=True)
            sys.stderr.write(f"{file}: deleted, nobody who counts has played {weights.layout} enough\n")


SELF_PLAY = "self-play"
STOPPED = "not finished; the same command goes on with it"
RUN_COLUMNS = ("steps", "minutes", "steps/s", "best at", "self-play", "objective")
PROGRESS_CELLS = 20  # cells
AROUND = 5  # lines of the display besides those of the runs
STYLES = {RunState.DONE: "green", RunState.FAILED: "red", RunState.WAITING: "dim", RunState.ALREADY_TRAINED: "dim"}
ORDER = (  # in which runs are chosen where there are not lines for all
    RunState.FAILED,
    RunState.TRAINING,
    RunState.PREPARING,
    RunState.DONE,
    RunState.WAITING,
    RunState.ALREADY_TRAINED,
)


def print_table(statuses: Sequence[RunStatus], folder: Path) -> None:
    """Prints a line for each run: its cost, and how good it is so far or, at the end, in games for evaluation only."""
    table = plain_table(("policy", "layout"), RUN_COLUMNS)
    table.add_column("")
    for status in statuses:
        table.add_row(
            status.run.name, status.run.layout.name, *_values(status), outcome_text(status) if status.ended else STOPPED
        )
    print_all([table, (f"weights and records are in {folder}", "dim")])


def _values(status: RunStatus) -> tuple[str, ...]:
    if not status.curve:
        return ("",) * len(RUN_COLUMNS)
    last, best = status.curve[-1], status.best
    scores: dict[str, EvaluationScore] = (status.record and status.record.evaluation) or (best or last).scores
    objective = sum(score.objective for score in scores.values()) / len(scores)
    return (
        millions(last.steps),
        f"{last.seconds / 60:.1f}",
        thousands(last.steps / max(last.seconds, 1e-9)),
        millions(best.steps) if best else "",
        self_play_reward(scores),
        f"{objective:.0f}",
    )


def millions(steps: int) -> str:
    """Returns a number of steps, as "1.25 M"; a small one in full."""
    return f"{steps / 1e6:.2f} M" if steps >= 10_000 else str(steps)


def last_point(status: RunStatus) -> tuple[str, str, str, str]:
    """Returns steps, steps a second in the last round, reward in self-play and objective now; "" where not known."""
    if not status.curve:
        return "", "", "", ""
    speed, last = "", status.curve[-1]
    if len(status.curve) > 1:
        before = status.curve[-2]
        speed = thousands((last.steps - before.steps) / max(last.seconds - before.seconds, 1e-9))
    return millions(last.steps), speed, self_play_reward(last.scores), f"{last.objective:.0f}"


def self_play_reward(scores: Mapping[str, EvaluationScore]) -> str:
    """Returns the reward in self-play; "" where that is not evaluated."""
    return f"{scores[SELF_PLAY].reward:.0f}" if SELF_PLAY in scores else ""


def outcome_text(status: RunStatus) -> str:
    """Returns the state of a run in words; "" while it trains."""
    best = f"best at {millions(status.best.steps)}" if status.best else ""
    if status.state is RunState.FAILED:
        return f"failed: {status.error}"
    if status.state is RunState.TRAINING:
        return ""
    return f"{status.state.value}, {best}" if status.state is RunState.DONE else status.state.value


class Pace:
    """The speed of all trainings together, measured from the first step that one of them reports."""

    def __init__(self, scheduler: TrainingScheduler) -> None:
        self._scheduler, self._since, self._before = scheduler, 0.0, 0

    def left(self) -> str:
        """Returns the time left in words; "" before it can be estimated."""
        trained = sum(status.steps - status.steps_before for status in self._scheduler.statuses)
        if not self._since:
            if trained:
                self._since, self._before = time.monotonic(), trained
            return ""
        seconds = time.monotonic() - self._since
        if trained == self._before or not self._scheduler.unfinished:
            return ""
        budget = self._scheduler.config.steps
        missing = sum(max(0, budget - status.steps) for status in self._scheduler.statuses if not status.ended)
        return f"{duration(seconds / (trained - self._before) * missing)} left"


@contextmanager
def progress(scheduler: TrainingScheduler) -> Iterator[Callable[[], None]]:
    """Gives a function to call after every round of the scheduler."""
    if not sys.stderr.isatty():
        yield _lines(scheduler)
        return
    console, pace = Console(stderr=True), Pace(scheduler)
    with Live(console=console, auto_refresh=False, transient=True) as live:
        yield lambda: live.update(display(scheduler, pace, console.height), refresh=True)


def display(scheduler: TrainingScheduler, pace: Pace, height: int) -> Group:
    """Returns a table of the runs that fit into `height` lines, and one line about all of them."""
    shown, budget = fitting(scheduler.statuses, max(1, height - AROUND)), scheduler.config.steps
    table = plain_table(("policy", "layout", "trained"), ("steps", "steps/s", "self-play", "objective"))
    table.add_column("", overflow="ellipsis")
    for column in table.columns:
        column.no_wrap = True
    for status in shown:
        bar = ProgressBar(budget, min(status.steps, budget), width=PROGRESS_CELLS)
        row = (status.run.name, status.run.layout.name, bar, *last_point(status), outcome_text(status))
        table.add_row(*row, style=STYLES.get(status.state, ""))
    return Group(table, Text(_summary(scheduler, pace, len(scheduler.statuses) - len(shown))))


def fitting(statuses: Sequence[RunStatus], lines: int) -> list[RunStatus]:
    """Returns as many runs as there are lines, in their order; runs in progress take precedence over waiting ones."""
    first = sorted(statuses, key=lambda status: ORDER.index(status.state))[:lines]
    return [status for status in statuses if status in first]


def _summary(scheduler: TrainingScheduler, pace: Pace, hidden: int) -> str:
    over = len(scheduler.statuses) - scheduler.unfinished
    share = fmean(
        min(1.0, status.steps / scheduler.config.steps) if not status.ended else 1.0 for status in scheduler.statuses
    )
    parts = [f"{over} of {len(scheduler.statuses)} finished", f"{share:.0%} of all steps", pace.left()]
    return ", ".join([part for part in parts if part] + [f"{hidden} more jobs"] * (hidden > 0))


def _lines(scheduler: TrainingScheduler) -> Callable[[], None]:
    """Returns a function that writes a line for each run with a new point of its curve or another state."""
    written = {status.run: (status.state, len(status.curve)) for status in scheduler.statuses}
    pace = Pace(scheduler)

    def show() -> None:
        for status in scheduler.statuses:
            now = (status.state, len(status.curve))
            if now != written[status.run]:
                written[status.run] = now
                sys.stderr.write(f"{status.run.name} {status.run.layout.name}: {_line(status, scheduler)}\n")
                if status.ended:
                    sys.stderr.write(f"{_summary(scheduler, pace, 0)}\n")
                sys.stderr.flush()

    return show


def _line(status: RunStatus, scheduler: TrainingScheduler) -> str:
    if status.state is not RunState.TRAINING:
        return outcome_text(status)
    steps, speed, reward, objective = last_point(status)
    parts = [f"{steps} of {millions(scheduler.config.steps)} steps", speed and f"{speed} steps/s"]
    parts += [reward and f"self-play {reward}", f"objective {objective}"]
    return ", ".join(filter(None, parts))
