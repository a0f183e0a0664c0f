"""Runs a study for one participant or for simulated ones, and writes what its researchers get."""

import os
import sys
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bba.agents import SeatSpec, weights_files
from bba.analysis.kitchen_structure import warn_of_layout
from bba.bench.engines import ProcessEngine
from bba.errors import BBAError
from bba.kitchen import Layout
from bba.language import LANGUAGE, say
from bba.settings import GameOptions
from bba.temporary import temporary_folder
from bba.terminal_text import note_lines, print_lines, shell_word, visible, visible_line
from human.study import (
    IDS,
    ParticipantSession,
    PlatformIds,
    Study,
    StudyFolder,
    load_study,
    parse_code,
    plan_in_words,
    terms_of,
)
from human.study.simulation import ERRORS, simulate, simulated_codes
from tui.commands.terminal import check_terminal, interrupted_by_sigterm, is_plain, note_lacking_encoding, run_app
from tui.preferences import preferences

if TYPE_CHECKING:
    from tui.commands.study import SimulateStudy, StudyPackage, StudyPower, StudyTables, TakePart

STUDY_RESULTS = Path("results")
WITHDRAWN = "everything about them is deleted; clones of people (train human) and copies of tables are to be made anew"
EXCLUDED = "excluded; what they did is kept, and their place is given again"
READMITTED = "goes on in the next browser that comes with their link, once"
SIMULATED = (
    f"simulated participants decide as the partner switching, press a wrong key in {ERRORS:.0%} of steps, pause now "
    "and then, and answer at random"
)
CHECK_CODE = "CHECK-1"  # the code of somebody who checks a study


def study_folder(file: Path, out: Path | None, options: GameOptions) -> StudyFolder:
    """Returns the folder of a study; it is created if it does not exist.

    Args:
        file: the study, or the name of one that ships.
        out: the folder, if not that of the study's name in results.
        options: those of its games, where the study leaves them open.

    Raises:
        BBAError: there is no such study, an agent cannot play one of its kitchens, or results cannot be stored.
    """
    return _folder(playable_study(file, options.weights), out, options)


def _folder(study: Study, out: Path | None, options: GameOptions) -> StudyFolder:
    return StudyFolder.begin(out or STUDY_RESULTS / study.name, study, terms_of(options))


def playable_study(file: Path, weights: Path | None) -> Study:
    """Returns the study in a file, or the shipped one of that name, all of whose games can be played.

    Raises:
        BBAError: there is no such study, or an agent cannot play one of its kitchens.
    """
    study = load_study(file)
    for group in range(len(study.groups)):
        for condition in study.conditions(0, group):
            weights_files(SeatSpec(condition.agent, weights=weights), Layout.load(condition.layout))
    return study


def _check_place(study: Study, *, plain: bool) -> None:
    """Checks that a study can be shown: in lines of text for one person, else in the terminal."""
    if not is_plain(plain=plain):
        check_terminal()
        return
    note_lacking_encoding(plain=plain)
    if study.people == 2:
        raise BBAError(f"--plain: is for one person; {study.name} is for two people, who need the screen")


def check_study(file: Path, weights: Path | None) -> None:
    """Prints the plan of a study whose games can be played.

    Raises:
        BBAError: its first mistake.
    """
    study = playable_study(file, weights)
    for name in study.layouts:
        warn_of_layout(Layout.load(name))
    print_lines(plan_in_words(study))


def simulate_study(options: "SimulateStudy") -> None:
    """Fills the folder of a study with simulated participants; the same command goes on where it was stopped.

    Raises:
        BBAError: as `playable_study`, the folder holds people's data or another study, or a process was killed.
    """
    study = playable_study(options.study, options.weights)
    folder = _folder(study, options.out or STUDY_RESULTS / f"{study.name}-simulated", options)
    engine = ProcessEngine(options.workers)
    codes = simulated_codes(options.participants)
    try:
        futures = [engine.submit(_simulate, folder, code, options) for code in codes]
        for done, future in enumerate(futures, 1):
            future.result()
            if done % 10 == 0 or done == len(codes):
                sys.stderr.write(f"{done} of {len(codes)} simulated participants\n")
    except BrokenExecutor:
        raise BBAError("study simulate: a process of it was killed; the same command goes on") from None
    finally:
        engine.close()
    page = f"bba-tui report {shell_word(folder.path)}"
    note_lines(SIMULATED)
    print_lines(f"simulated participants in {visible_line(folder.path)}; a page: {page}")


def _simulate(folder: StudyFolder, code: str, options: GameOptions) -> None:
    from tui.study.flow import study_game

    simulate(folder, code, partial(study_game, folder.study, options, fast=True))


def print_power(options: "StudyPower") -> None:
    """Prints how many participants an effect takes, with the curve of power.

    Raises:
        BBAError: the study has a mistake, or the pilot's folder cannot be used.
    """
    from human.study.power import power_in_words

    pilot = StudyFolder.open(options.from_study) if options.from_study else None
    study = load_study(options.study)
    print_lines(power_in_words(study, options.effect, pilot))


def print_preregistration(file: Path) -> None:
    """Prints the preregistration of a study.

    Raises:
        BBAError: the study has a mistake.
    """
    from human.study.preregistration import preregistration, unsaid

    study = load_study(file)
    sys.stdout.write(visible(preregistration(study)))
    keys = unsaid(study)
    if keys:
        note_lines(f"the study's file can say more: {' and '.join(keys)} in [analysis]")


def package_study(options: "StudyPackage") -> None:
    """Writes the package of the study in a folder.

    Raises:
        BBAError: no file is named, the folder holds no study, something would identify, or it cannot be written.
    """
    from human.study.table_files import write_package
    from tui.game_factory import check_output, other_name_note

    if options.out is None:
        raise BBAError("study package: name the file with --out FILE.zip")
    check_output("out", options.out, force=options.force)
    folder = StudyFolder.open(options.folder)
    written, problems = write_package(folder, options.out, free_text=options.free_text, replace=options.force)
    note_lines(*(f"warning: {visible_line(problem)}" for problem in problems))
    note = other_name_note(options.out, written)
    print_lines(f"{note}written to {visible_line(written)}; unpacked, its tables: python analysis.py")


def take_part(options: "TakePart") -> None:
    """Runs the study for one participant, changes how a participant counts, or walks through it to check it.

    Raises:
        BBAError: as `study_folder`, no such participant or one who takes part at this moment, no terminal, or a problem
            on the way.
    """
    if options.exclude is not None and not options.why:
        raise BBAError("--exclude: needs a reason, which the tables show: --why TEXT")
    if options.exclude is not None:
        exclude = partial(ParticipantSession.exclude, why="researcher", reason=options.why)
        _change(options, options.exclude, exclude, EXCLUDED)
        return
    if options.include is not None:
        _change(options, options.include, ParticipantSession.include, "counts again")
        return
    if options.readmit is not None:
        _change(options, options.readmit, ParticipantSession.readmit, READMITTED)
        return
    if options.check:
        _walk_through(options)
        return
    participant = parse_code(options.participant) if options.participant is not None else None
    study = playable_study(options.study, options.weights)
    _check_place(study, plain=options.plain)
    folder = _folder(study, options.out, options)
    farewell, status = _run(folder, options, participant)
    if farewell:
        sys.stdout.write(farewell)
    else:
        tables = f"bba-tui study tables {shell_word(folder.path)}"
        print_lines(f"kept in {visible_line(folder.path)}; its tables: {tables}")
    _end_with(status)


def _change(
    options: "TakePart", typed_code: str, change: Callable[[ParticipantSession], None], consequence: str
) -> None:
    """Changes how the participant with a code counts, and prints what follows from it."""
    code = parse_code(typed_code)
    with study_folder(options.study, options.out, options).part_of(code) as part:
        change(part)
    sys.stdout.write(f"{code}: {consequence}\n")


def _walk_through(options: "TakePart") -> None:
    """Runs the study for somebody who checks it: games can be skipped, and nothing is kept."""
    study = playable_study(options.study, options.weights)
    print_lines(plan_in_words(study))
    sys.stdout.flush()
    _check_place(study, plain=options.plain)
    with temporary_folder() as place:
        folder = StudyFolder.begin(place / study.name, study)
        _, status = _run(folder, options, CHECK_CODE)
    print_lines(f"{visible_line(options.study)}: checked; nothing was stored")
    _end_with(status)


def _end_with(status: int) -> None:
    """Ends the program with the status of its screen, if that is not 0."""
    if status:
        raise SystemExit(status)


def _run(folder: StudyFolder, options: "TakePart", code: str | None) -> tuple[str, int]:
    """Runs the app, or lines of text.

    Returns:
        What it can no longer say to who has withdrawn, or "", and the exit status.
    """
    from tui.plain.study import PlainStudy
    from tui.study.app import StudyApp
    from tui.study.pages import WITHDREW
    from tui.study.pair_app import PairStudyApp

    preferred = preferences(options)
    LANGUAGE.set(folder.study.language)  # for what is said after the app, too
    ids = PlatformIds.model_validate_json(os.environ[IDS]) if IDS in os.environ else None
    kind = PairStudyApp if folder.study.people == 2 else StudyApp
    app: StudyApp | PlainStudy
    status = 0
    if is_plain(plain=options.plain):
        app = PlainStudy(folder, options, code, keymap=preferred.keymap, check=options.check)
        with interrupted_by_sigterm():
            app.run()
    else:
        app = kind(
            folder,
            options,
            code,
            ids=ids,
            theme=preferred.theme or "dark",
            keymap=preferred.keymap,
            motion=preferred.motion is not False,
            check=options.check,
        )
        status = run_app(app)
    note_lines(*(f"bba-tui: {visible_line(problem)}" for problem in app.problems))
    if app.problem is not None:
        raise app.problem
    if app.study_end != "withdrawn":
        return "", status
    farewell = f"{say(WITHDREW)}\n\n{app.ending_text}".rstrip()
    return f"{farewell}\n", status


def tables_of_study(options: "StudyTables") -> None:
    """Writes the tables of the study in a folder, or those that can be published.

    The data of a participant who withdraws are deleted first.

    Raises:
        BBAError: the folder holds no study, the partner model cannot be used, or a file cannot be read or written.
    """
    from bba.analysis.belief_evaluation import make_belief
    from human.study.table_files import write_tables

    folder = StudyFolder.open(options.folder)
    beliefs = {}
    if options.partner_model is not None:
        name, make_model = make_belief(options.partner_model, options.partner_model_option)
        beliefs[name] = make_model
    if options.withdraw is not None:
        code = parse_code(options.withdraw)
        folder.withdraw(code)
        sys.stdout.write(f"{code}: {WITHDRAWN}\n")
    place, problems = write_tables(
        folder, anonymous=options.anonymous, spreadsheet=options.spreadsheet, beliefs=beliefs
    )
    note_lines(*(f"warning: {visible_line(problem)}" for problem in problems))
    print_lines(f"written to {visible_line(place)}")
