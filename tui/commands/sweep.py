"""Plays and stores the missing episodes of a sweep and prints its tables.

A command that asks a language model says before what that will cost, and asks above a dollar.
"""

import re
import shlex
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bba.agents.learned.families import FAMILIES
from bba.agents.planner_names import pays
from bba.agents.seat import SeatSpec
from bba.analysis.kitchen_structure import warn_of_layout
from bba.bench import (
    COMMAND_FILE,
    OWN_PLANNERS,
    RESULTS_FILE,
    Episode,
    EpisodeResult,
    ResultsStore,
    Sweep,
    SweepPlan,
    code_digest,
    in_condition,
    load_sweep,
    plan_sweep,
    with_accepted,
)
from bba.bench.formatting import duration, fallback_note
from bba.bench.price_estimate import Estimate, estimate
from bba.bench.results_table import check_exportable, export
from bba.bench.time_estimate import time_estimate
from bba.errors import BBAError
from bba.files import write_whole
from bba.kernels import kernels_to_come
from bba.kitchen import Layout
from bba.terminal_text import note_lines, visible_line
from tui.arguments import command_words
from tui.arguments.options import ManyGames, SpendingOptions
from tui.arguments.seat_options import options_by_model
from tui.commands.output import kept_line, print_sweep_json, print_sweep_tables
from tui.game_factory import check_output, other_name_note

if TYPE_CHECKING:
    from tui.commands.bench import Bench

RESULTS_FOLDER = Path("results")
NUMBER = re.compile(r"\d+(\.\d+)?")
ASK_ABOVE = 1.0  # US dollars that are spent without a question
# option: key of a sweep
CHANGES = {
    "seed": "first_seed",
    "seeds": "seeds",
    "horizon": "horizon",
    "mobility": "mobility",
    "skill_timeout": "skill_timeout",
    "ask": "ask",
    "condition": "condition",
}


def play_sweep(settings: "Bench") -> None:
    """Plays the missing episodes of the sweep that the settings name and prints its tables.

    If interrupted, it stores what is finished and says how to go on before it raises the interruption again.

    Raises:
        BBAError: an option that does not apply, results that cannot be stored, or episodes that failed.
    """
    _check(settings)
    by_model = options_by_model(settings, settings.models)
    options = next(iter(by_model.values()))
    if settings.models is not None:
        models = {name: named_options.model for name, named_options in by_model.items() if named_options.model}
        settings = settings.model_copy(update={"planner": options.planner})
        options = replace(options, models=models)
    sweep = wanted_sweep(settings, [*options.models])
    options = in_condition(options, sweep)
    one_model = "model" in settings.model_fields_set and not options.models
    plan = plan_sweep(sweep, options, one_model=one_model, repeats=settings.repeats)
    note_lines(*map(visible_line, plan.left_out))
    for name in sweep.layouts:
        warn_of_layout(Layout.load(name))
    folder = settings.out or RESULTS_FOLDER / sweep.name
    with ExitStack() as opened:
        store = None
        if (folder / RESULTS_FILE).is_file():
            store = opened.enter_context(ResultsStore(folder))
        unplayed = _unplayed(plan, store, settings)
        if not may_play(unplayed, options, settings):  # before there is a folder: not everybody agrees
            return
        if store is None:
            store = opened.enter_context(ResultsStore(folder))
        forget_damaged(store)
        plan = _accepted(plan, store, settings)
        store.register(sweep.name, sweep.model_dump_json(), plan.entries)
        write_whole(folder / COMMAND_FILE, f"{shlex.join(command_words('bench', settings))}\n")
        try:
            play_missing(
                plan,
                store,
                options,
                settings,
                keep_recordings=settings.keep_recordings,
                accept_code=settings.accept_code,
            )
        except KeyboardInterrupt:
            _say_stopped(plan, store, folder, settings)
            raise
        results = store.results(plan.episodes)
        _show(plan, results, settings)
        if settings.export is not None:  # not of a sweep that was interrupted, which the same command plays on
            written = export(
                plan.entries, results, settings.export, replace=settings.force, spreadsheet=settings.spreadsheet
            )
            note_lines(f"{other_name_note(settings.export, written)}wrote {visible_line(written)}")
        complain_of_failures(results, len(plan.episodes) - len(results), settings)
        (folder / COMMAND_FILE).unlink(missing_ok=True)  # nothing is left to go on with


def _say_stopped(plan: SweepPlan, store: ResultsStore, folder: Path, settings: "Bench") -> None:
    """Says what is kept of a sweep that was interrupted, and how to go on."""
    results = store.results(plan.episodes)
    if settings.as_json:
        _show(plan, results, settings)
    kept = f"{len(results)} of {len(plan.episodes)} episodes are kept"
    note_lines(f"stopped; {kept}, and the same command goes on from there")
    if results:
        note_lines(kept_line(folder))


def may_play(missing: Sequence[Episode], options: SeatSpec, settings: "Bench") -> bool:
    """Says what the missing episodes will probably cost; returns and raises as `may_spend`."""
    expected = estimate(missing, settings.prices)
    text = estimate_text(expected)
    if not expected.episodes:
        text = f"{len(missing)} episodes to play, none of them with a language model: they cost nothing"
        if settings.dry_run and missing and settings.engine == "local":
            text += f", and take {_time_text(missing, options, settings)}"
    return may_spend("bench", text, expected.dollars, settings, free=not expected.episodes)


def _time_text(missing: Sequence[Episode], options: SeatSpec, settings: "Bench") -> str:
    """Returns how long episodes take on this machine, by a few that are played now."""
    measured = time_estimate(missing, options)
    if measured is None:
        if kernels_to_come():
            return "a time that is not known yet: kernels are being compiled"
        return "a time that is not known"
    from bba.bench.engines import available_cores  # only here: a finished sweep is shown without it

    cores = settings.workers or available_cores()
    on_cores = "one core" if cores == 1 else f"{cores} cores"
    return f"about {duration(measured.seconds / cores)} on {on_cores}, by {measured.games} games played now"


def may_spend(command: str, text: str, dollars: float | None, settings: SpendingOptions, *, free: bool = False) -> bool:
    """Says what a command will probably cost; returns whether it is to begin, which it is not with --dry-run.

    Args:
        command: the command.
        text: the estimate.
        dollars: the estimate in US dollars; None if it is not known.
        settings: above a threshold the user is asked, unless they say --yes.
        free: whether it costs nothing; then nothing is said but with --dry-run.

    Raises:
        BBAError: the user does not agree, or cannot be asked.
    """
    if settings.dry_run:
        sys.stdout.write(f"{text}\n")
        return False
    if free:
        return True
    sys.stderr.write(f"{text}\n")
    if settings.yes or dollars is None or dollars <= ASK_ABOVE:
        return True
    if not sys.stdin.isatty():
        raise BBAError(f"{command}: would cost about {dollars:,.2f} US dollars; --yes begins, --dry-run only estimates")
    sys.stderr.write("begin? [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise BBAError(f"{command}: not begun")
    return True


def estimate_text(expected: Estimate) -> str:
    """Returns an estimate as one line."""
    games = "1 episode" if expected.episodes == 1 else f"{expected.episodes} episodes"
    requests = f"about {expected.requests:,} requests with {expected.tokens / 1e6:,.2f} million tokens"
    if expected.dollars is None:
        cost = f"no price is known of {', '.join(expected.unpriced)} (see --prices)"
    else:
        cost = f"about {expected.dollars:,.2f} US dollars"
    return f"estimate: {games}, {requests}, {cost}; stored answers cost nothing, longer answers and re-asks cost more"


def forget_damaged(store: ResultsStore) -> None:
    """Removes the episodes whose rows are damaged, and says how many."""
    damaged = store.remove_damaged()
    if damaged:
        episodes_are = "1 episode is" if damaged == 1 else f"{damaged} episodes are"
        path = visible_line(store.path)
        note_lines(f"{path}: {episodes_are} damaged and played again where a benchmark needs them")


def _unplayed(plan: SweepPlan, store: ResultsStore | None, settings: "Bench") -> Sequence[Episode]:
    """Returns the episodes that are still to be played: all of them without a store."""
    if store is None:
        return list(plan.episodes.values())
    return store.missing(_accepted(plan, store, settings).episodes, recorded=settings.keep_recordings)


def _accepted(plan: SweepPlan, store: ResultsStore, settings: "Bench") -> SweepPlan:
    if settings.accept_code is None:
        return plan
    finished = store.finished(recorded=settings.keep_recordings)
    return with_accepted(plan, finished, settings.accept_code.split(","))


def wanted_sweep(settings: "Bench", models: Sequence[str] = ()) -> Sweep:
    """Returns the sweep that the settings name, with their changes; `models` stand in the place of its own.

    Raises:
        BBAError: there is no such sweep, or the changes are not valid.
    """
    sweep = load_sweep(settings.benchmark)
    set_options = settings.model_fields_set
    changes: dict[str, Any] = {key: getattr(settings, name) for name, key in CHANGES.items() if name in set_options}
    family = settings.partners if settings.partners in FAMILIES else None
    for option in ("agents", "partners", "layouts", "measures"):
        text = getattr(settings, option)
        if text is not None and not (option == "partners" and family):
            names = [name.strip() for name in text.split(",")]
            if not all(names):
                raise BBAError(f"--{option}: got {text!r}; it should be names, with commas between them")
            changes[option] = _named_parts(sweep, option, names)
    if models:
        keyless_planners = [name for name in sweep.models if name in OWN_PLANNERS]
        changes["models"] = [*keyless_planners, *models]
    if changes:
        sweep = sweep.changed(changes)
    return sweep if family is None else sweep.in_family(family)


def _named_parts(sweep: Sweep, option: str, names: list[str]) -> object:
    """Returns what the names of an option put in the place of the sweep's own; measures are added to its own."""
    if option == "agents":
        egos = {ego.name: ego for ego in sweep.agents}
        return [egos.get(name, name) for name in names]
    if option == "partners":
        return {name: sweep.partners.get(name, (name,)) for name in names}
    if option == "measures":
        return [*sweep.measures, *names]
    return names


def _check(settings: "Bench") -> None:
    ray = settings.engine == "ray"
    if settings.address is not None and not ray:
        raise BBAError("--address: is for --engine ray")
    if settings.spreadsheet and (settings.export is None or settings.export.suffix.lower() != ".csv"):
        raise BBAError("--spreadsheet: is for --export FILE.csv")
    if ray and pays(settings.planner):
        raise BBAError(f"--engine ray: takes no --planner {settings.planner}, whose limits hold within one process")
    check_output("export", settings.export, force=settings.force, check=check_exportable)


def play_missing(
    plan: SweepPlan,
    store: ResultsStore,
    options: SeatSpec,
    settings: ManyGames,
    *,
    keep_recordings: bool,
    accept_code: str | None = None,
) -> None:
    """Plays the missing episodes and shows their progress; with --fail-fast until one fails.

    Args:
        plan: the sweep's episodes.
        store: where their results are kept.
        options: what the egos take.
        settings: how the games are played.
        keep_recordings: whether each game's recording is stored, too.
        accept_code: versions of the behaviour whose results count, too, with commas between them.
    """
    missing = store.missing(plan.episodes, recorded=keep_recordings)
    accepted_codes = (accept_code or "").split(",")
    other_codes = store.others({code_digest(), *accepted_codes})
    if other_codes:
        line = "holds episodes played by other code, too; they are not counted"
        note_lines(f"{visible_line(store.path)}: {line} (--accept-code {other_codes[0]} counts them)")
    if missing:
        from tui.commands.sweep_playing import play_episodes  # only here: a finished sweep is shown without it

        play_episodes(missing, plan, store, options, settings, keep_recordings=keep_recordings)


def _show(plan: SweepPlan, results: dict[str, EpisodeResult], settings: "Bench") -> None:
    fallbacks = fallback_note(result.measures for result in results.values())
    if settings.as_json:
        print_sweep_json(plan, results, fallbacks)
    else:
        folder = settings.out or RESULTS_FOLDER / plan.sweep.name
        print_sweep_tables(plan, results, folder, fallbacks)
    sys.stderr.writelines(f"{line}\n" for line in fallbacks)


def complain_of_failures(results: dict[str, EpisodeResult], missing: int, settings: ManyGames) -> None:
    """Reports failed episodes and their reasons, and how many episodes were not begun.

    Raises:
        BBAError: some episodes failed or were not begun.
    """
    failures = Counter[str]()
    first_reasons: dict[str, str] = {}  # of those that differ in their numbers alone
    for result in results.values():
        if result.failure is not None:
            alike = NUMBER.sub("0", result.failure)
            failures[alike] += 1
            first_reasons.setdefault(alike, result.failure)
    reasons = "; ".join(f"{first_reasons[alike]} ({count})" for alike, count in failures.most_common(3))
    not_begun = f", {missing} were not begun" if missing else ""
    if failures:
        failed = f"{failures.total()} of {len(results)} episodes failed"
        raise BBAError(f"{failed}{not_begun}: {reasons}; the same command tries them again")
    if missing and settings.max_cost is not None:
        raise BBAError(
            f"--max-cost: {missing} episodes were not begun, because {settings.max_cost or 0:g} US dollars leave too "
            "little for another one; with a higher limit the same command plays them"
        )
