"""Benchmarks without a screen: what is missing is played and stored, and the tables are printed."""

import sys
from collections import Counter
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from bba.agents import AgentOptions
from bba.bench.engines import Engine, ProcessEngine, RayEngine, ThreadEngine
from bba.bench.episode import play
from bba.bench.plan import SweepPlan, plan_sweep
from bba.bench.presets import Sweep, load_sweep
from bba.bench.provenance import code_digest
from bba.bench.results_export import check_exportable, export
from bba.bench.results_store import ResultsStore, StoredResult
from bba.bench.runner import Runner
from bba.errors import BBAError
from bba.kernels import is_compiled
from bba.settings import Settings
from tui.commands.sweep_output import print_json, print_tables
from tui.commands.sweep_progress import Tally, progress
from tui.game_factory import agent_options

RESULTS = Path("results")
ONE_GAME = ("layout", "agent", "partner", "record", "replay", "export_steps")  # options that no sweep takes
CHANGES = {"seeds": "seeds", "seed": "first_seed"} | {name: name for name in ("horizon", "mobility", "skill_timeout")}


def play_sweep(settings: Settings) -> None:
    """Play what is missing of the sweep that the settings name, and print its tables.

    Interrupted, it keeps and prints what is finished before it passes the interruption on.

    Raises:
        BBAError: a setting that does not fit, a store that cannot be used, or episodes that failed.
    """
    _check(settings)
    sweep, options = wanted_sweep(settings), agent_options(settings)
    made = plan_sweep(sweep, options, one_model="model" in settings.model_fields_set)
    for line in made.left_out:
        sys.stderr.write(f"{line}\n")
    with ResultsStore(settings.out or RESULTS / sweep.name) as store:
        store.register(sweep.name, sweep.model_dump_json(), made.cases)
        try:
            _play(made, store, options, settings)
        except KeyboardInterrupt:
            _show(made, store.results(made.episodes), settings)
            raise
        results = store.results(made.episodes)
        _show(made, results, settings)
        _complain(results)


def wanted_sweep(settings: Settings) -> Sweep:
    """The sweep that the settings name, with what they change in it.

    Raises:
        BBAError: there is none, or the changes do not fit.
    """
    sweep = load_sweep(settings.sweep or "")
    given = settings.model_fields_set
    changes: dict[str, Any] = {key: getattr(settings, name) for name, key in CHANGES.items() if name in given}
    if settings.agents is not None:
        egos = {ego.agent: ego for ego in sweep.agents}
        changes["agents"] = [egos.get(name, name) for name in _names(settings.agents)]
    if settings.partners is not None:
        changes["partners"] = {name: sweep.partners.get(name, (name,)) for name in _names(settings.partners)}
    if settings.layouts is not None:
        changes["layouts"] = _names(settings.layouts)
    return sweep.changed(changes) if changes else sweep


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")]


def _check(settings: Settings) -> None:
    """Find out before the sweep what does not go with it."""
    for name in ONE_GAME:
        if name in settings.model_fields_set:
            plural = f"; take --{name}s" if f"{name}s" in type(settings).model_fields else ""
            raise BBAError(f"--{name.replace('_', '-')}: is for one game, not for a sweep{plural}")
    if settings.export is not None:
        try:
            check_exportable(settings.export)
        except BBAError as error:
            raise BBAError(f"--export: {error}") from None


def _play(made: SweepPlan, store: ResultsStore, options: AgentOptions, settings: Settings) -> None:
    """Play what is missing; with --fail-fast until one fails."""
    finished = store.finished(recorded=settings.keep_recordings)
    missing = [episode for key, episode in made.episodes.items() if key not in finished]
    tally = Tally(made, store.results(finished & made.episodes.keys()))
    if store.others(code_digest()):
        sys.stderr.write(f"{store.path}: holds episodes played by other code, too; they are not counted\n")
    if not missing:
        return
    task = partial(play, options=options, keep_recording=settings.keep_recordings)
    runner = Runner(store, _engine(settings), task, recorded=settings.keep_recordings)
    if sys.stderr.isatty() and not is_compiled():
        sys.stderr.write("compiling the kitchen for this machine; this happens once and takes some 20 seconds\n")
    with closing(runner.run(missing)) as news, progress(tally) as show:
        for finished_now in news:
            tally.add(finished_now)
            show()
            if settings.fail_fast and finished_now.outcome is not None and finished_now.outcome.failure is not None:
                return


def _engine(settings: Settings) -> Engine:
    """Where to play: a language model's games in threads, which share its limits."""
    if settings.engine == "ray" and settings.planner != "scripted":
        raise BBAError(f"--engine ray: takes no --planner {settings.planner}, whose limits hold within one process")
    if settings.engine == "ray":
        return RayEngine(settings.workers, settings.address)
    if settings.planner != "scripted":
        return ThreadEngine(settings.workers or settings.concurrency)
    return ProcessEngine(settings.workers)


def _show(made: SweepPlan, results: dict[str, StoredResult], settings: Settings) -> None:
    if settings.export is not None:
        export(made.cases, results, settings.export)
    (print_json if settings.as_json else print_tables)(made, results)


def _complain(results: dict[str, StoredResult]) -> None:
    """Say which episodes failed and why.

    Raises:
        BBAError: some did.
    """
    why = Counter(result.failure for result in results.values() if result.failure is not None)
    if why:
        reasons = "; ".join(f"{reason} ({count})" for reason, count in why.most_common(3))
        raise BBAError(f"{why.total()} of {len(results)} episodes failed: {reasons}; the same command tries them again")
