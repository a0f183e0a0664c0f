"""Trains missing policies, or clones of the people of a study, and prints how good they are."""

import json
import sys
from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from bba.agents import CLONE, WEIGHTS_SUFFIX, load_weights, save_weights
from bba.analysis.human_choices import HumanChoices, choices_of, joined
from bba.analysis.kitchen_structure import warn_of_layout
from bba.bench.engines import ProcessEngine
from bba.errors import BBAError
from bba.files import make_folder, write_whole
from bba.kitchen import Layout, layout_digest
from bba.terminal_text import note_lines, print_lines, shell_word, visible_line
from tui.commands.kitchens import wanted_layouts

if TYPE_CHECKING:
    from bba.learning.runs.scheduler import TrainingScheduler
    from human.study import StudyFolder
    from tui.commands.train import Train

TRAINING_FOLDER = Path("results/training")
LEAST_PEOPLE = 5  # choices of a person on a layout; who made fewer is left out
NEEDED_LIBRARIES = ("torch", "stable_baselines3", "sb3_contrib", "gymnasium")


def train_policies(options: "Train") -> None:
    """Trains the policies that the options name, unless they are trained already, and prints a table.

    When interrupted, it keeps and prints finished and partial runs, then raises KeyboardInterrupt; the same command
    resumes them.

    Raises:
        BBAError: an unsuitable option, a missing library, or runs that failed.
    """
    check_libraries()
    from bba.learning.rl.trainer import PPOConfig as Training
    from bba.learning.runs.run import runs_for
    from bba.learning.runs.scheduler import TrainingScheduler
    from tui.commands.train_output import print_table, progress

    config = Training() if options.train_steps is None else Training(steps=options.train_steps)
    folder = options.out or TRAINING_FOLDER
    jobs = runs_for(options.policy, wanted_layouts(options))
    for layout in wanted_layouts(options):
        warn_of_layout(layout)
    make_folder(folder, f"--out: {folder}: cannot be used")
    scheduler = TrainingScheduler(jobs, folder, config, options.seed)
    try:
        if scheduler.unfinished:
            engine = ProcessEngine(options.workers)
            engine.workers = min(engine.workers, scheduler.unfinished)
            with closing(scheduler.run(engine)) as heartbeats, progress(scheduler) as show:
                for _ in heartbeats:
                    show()
    finally:
        print_table(scheduler.statuses, folder)
    _draw(scheduler, folder)
    errors = [status.error for status in scheduler.statuses if status.error]
    if errors:
        reasons = "; ".join(dict.fromkeys(errors))
        raise BBAError(f"{len(errors)} of {len(jobs)} trainings failed: {reasons}")


def check_libraries() -> None:
    """Checks that the libraries for training are installed.

    Raises:
        BBAError: one is missing.
    """
    if not all(map(find_spec, NEEDED_LIBRARIES)):
        raise BBAError("train: training needs torch: pip install 'bba-tui[learn]'")


def _draw(scheduler: "TrainingScheduler", folder: Path) -> None:
    """Draws the learning curves and partner clusters of finished runs, if matplotlib is installed."""
    if find_spec("matplotlib") is None:
        sys.stdout.write("the curves are not drawn; that needs matplotlib: pip install 'bba-tui[report]'\n")
        return
    from bba.learning.figures import draw_curves, draw_partners

    records = [status.record for status in scheduler.statuses if status.record is not None]
    drawn = draw_curves(records, folder) + draw_partners(records, folder)
    print_lines(*(f"written to {visible_line(path)}" for path in drawn))


def train_human(options: "Train") -> None:
    """Learns a partner from the people of a study, a file for each layout, and prints what it predicts.

    Raises:
        BBAError: an unsuitable option, a missing library, no study, no people, or a file that cannot be written.
    """
    if options.from_study is None:
        raise BBAError("train human: name the folder of a study with --from, as --from results/example")
    check_libraries()
    from bba.learning.recipes.human import clone_table
    from human.study import StudyFolder

    study = StudyFolder.open(options.from_study)
    name = CLONE + study.study.name
    folder = options.out or TRAINING_FOLDER
    all_kitchens = list(people_by_layout(study))
    _remove_left_over(name, folder, {layout.name for layout, _ in all_kitchens})
    kitchens = [(layout, people) for layout, people in all_kitchens if _is_selected(layout, options)]
    if not kitchens:
        raise BBAError(f"{options.from_study}: no recorded game in which a person completed {LEAST_PEOPLE} skills")
    records = [_train_clone(name, layout, people, folder, options.seed) for layout, people in kitchens]
    text = clone_table(records)
    write_whole(folder / f"{_stem(name)}.md", f"# {name}\n\nMean log-likelihood of a choice, in nats.\n\n{text}")
    print_lines(text, f"play with it: bba-tui watch --partner {shell_word(name)} --weights {shell_word(folder)}")


def _stem(name: str) -> str:
    return name.replace(":", "-")


def people_by_layout(folder: "StudyFolder") -> Iterator[tuple[Layout, list[HumanChoices]]]:
    """Yields each layout of a study with the choices of each person who made enough of them there."""
    layouts: dict[str, Layout] = {}
    choices_by_person: dict[tuple[str, int], list[HumanChoices]] = {}
    from human.study.tables import recorded_games

    for game, trace in recorded_games(folder):
        # no code leaves the study
        person = game.progress.number + 1
        layout = trace.config.layout
        digest = layout_digest(layout)
        layouts[digest] = layout
        choices = choices_of(trace, game.progress.seat, str(person))
        choices_by_person.setdefault((digest, person), []).append(choices)
    for digest, layout in layouts.items():
        people = [joined(games) for (kitchen, _), games in choices_by_person.items() if kitchen == digest]
        enough = [choices for choices in people if len(choices.skills) >= LEAST_PEOPLE]
        if enough:
            yield layout, enough


def _is_selected(layout: Layout, options: "Train") -> bool:
    if options.layouts is not None:
        return layout.name in {name.strip() for name in options.layouts.split(",")}
    return "layout" not in options.model_fields_set or layout.name == Layout.load(options.layout).name


def _train_clone(name: str, layout: Layout, people: list[HumanChoices], folder: Path, seed: int) -> dict[str, object]:
    """Trains and writes the clone for a layout; returns its record."""
    import torch

    from bba.learning.recipes.human import clone_record, held_out, train_clone

    torch.set_num_threads(1)
    count = sum(len(choices.skills) for choices in people)
    sys.stderr.write(f"{layout.name}: {len(people)} people, {count} choices\n")
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
            file.unlink(missing_ok=True)
            file.with_suffix(".json").unlink(missing_ok=True)
            note_lines(f"{visible_line(file)}: deleted, nobody who counts has played {weights.layout} enough")
