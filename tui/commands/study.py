"""The commands of a study: take part in it, and write the tables of its results."""

import sys
from pathlib import Path

from bba.agents import AgentOptions, weights_file
from bba.errors import BBAError
from bba.kitchen import Layout
from bba.settings import Settings
from human.study import StudyFolder, load_study
from human.study.progress import parse_code
from tui.commands.terminal import check_terminal
from tui.config import preferences

RESULTS = Path("results")


def study_folder(settings: Settings) -> StudyFolder:
    """Returns the folder of the study that the settings name; it is created if it does not exist.

    Raises:
        BBAError: there is no such study, an agent cannot play one of its kitchens, or results cannot be stored.
    """
    if settings.study is None:
        raise BBAError("--study: no study is named")
    study = load_study(settings.study)
    for condition in study.conditions:
        weights_file(condition.agent, Layout.load(condition.layout), AgentOptions(weights=settings.weights))
    return StudyFolder.begin(settings.out or RESULTS / study.name, study)


def take_part(settings: Settings) -> None:
    """Runs the study that the settings name for one participant.

    Raises:
        BBAError: as `study_folder`, no terminal, or a problem on the way.
    """
    check_terminal()
    code = parse_code(settings.participant) if settings.participant is not None else None
    folder, wanted = study_folder(settings), preferences(settings)
    from tui.study.app import StudyApp

    motion = wanted.motion is not False
    app = StudyApp(folder, settings, code, theme=wanted.theme or "dark", keymap=wanted.keymap, motion=motion)
    app.run()
    if app.problem is not None:
        raise app.problem
    sys.stdout.write(f"kept in {folder.path}; its tables: bba-tui --study-tables {folder.path}\n")


def write_study_tables(path: Path) -> None:
    """Writes the tables of a study's results, and prints where.

    Raises:
        BBAError: the folder holds no study, or a file cannot be read or written.
    """
    from human.study.tables import write_tables

    sys.stdout.write(f"written to {write_tables(StudyFolder.open(path))}\n")
