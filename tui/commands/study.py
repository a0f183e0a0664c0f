"""The command `study`, and those of two words that begin with it."""

from pathlib import Path

from pydantic import Field

from bba.settings import GameOptions, PartnerModel, PartnerModelPlugin, Weights
from tui.arguments.options import (
    CommandOptions,
    EffectSize,
    Force,
    FreeText,
    FromStudy,
    Out,
    Participants,
    PlainOptions,
    ScreenOptions,
    Spreadsheet,
    StudyOptions,
    StudyTableOptions,
    WorkerCount,
)


class TakePart(StudyOptions, PlainOptions, GameOptions, ScreenOptions):
    """Options of `study`."""

    study: Path
    out: Out = None


def study(options: TakePart) -> None:
    """Take part in a study.

    Raises:
        BBAError: a mistake in the study, results that cannot be stored, or no terminal that the screen fits into.
    """
    from tui.commands.study_runs import take_part

    take_part(options)


class CheckStudy(CommandOptions):
    """Options of `study check`."""

    study: Path
    weights: Weights = None


def study_check(options: CheckStudy) -> None:
    """Print the plan of a study.

    Raises:
        BBAError: its first mistake.
    """
    from tui.commands.study_runs import check_study

    check_study(options.study, options.weights)


class SimulateStudy(GameOptions, CommandOptions):
    """Options of `study simulate`."""

    study: Path
    participants: Participants = 100
    out: Out = None
    workers: WorkerCount = None


def study_simulate(options: SimulateStudy) -> None:
    """Fill a folder with simulated participants.

    Raises:
        BBAError: a mistake in the study, or a folder with people's data or of another study.
    """
    from tui.commands.study_runs import simulate_study

    simulate_study(options)


class StudyPower(CommandOptions):
    """Options of `study power`."""

    study: Path
    effect: EffectSize = None
    from_study: FromStudy = None


def study_power(options: StudyPower) -> None:
    """Print how many participants a study needs.

    Raises:
        BBAError: a mistake in the study, or a pilot's folder that cannot be used.
    """
    from tui.commands.study_runs import print_power

    print_power(options)


class PreregisterStudy(CommandOptions):
    """Options of `study preregister`."""

    study: Path


def study_preregister(options: PreregisterStudy) -> None:
    """Print a study's preregistration.

    Raises:
        BBAError: a mistake in the study.
    """
    from tui.commands.study_runs import print_preregistration

    print_preregistration(options.study)


class StudyPackage(CommandOptions):
    """Options of `study package`."""

    folder: Path
    out: Out = None
    force: Force = False
    free_text: FreeText = False


def study_package(options: StudyPackage) -> None:
    """Write one file for the reviewers of a study.

    Raises:
        BBAError: no file is named, the folder holds no study, something would identify, or it cannot be written.
    """
    from tui.commands.study_runs import package_study

    package_study(options)


class StudyTables(StudyTableOptions, CommandOptions):
    """Options of `study tables`."""

    folder: Path
    spreadsheet: Spreadsheet = False
    partner_model: PartnerModel = None
    partner_model_option: PartnerModelPlugin = Field({})


def study_tables(options: StudyTables) -> None:
    """Write the tables of a study.

    Raises:
        BBAError: the folder holds no study, or a file cannot be read or written.
    """
    from tui.commands.study_runs import tables_of_study

    tables_of_study(options)
