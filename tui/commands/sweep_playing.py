"""Plays the missing episodes of a sweep: the engine, the progress on the screen, and when no other episode begins."""

from collections.abc import Sequence
from contextlib import closing
from functools import partial

from bba.agents import AgentOptions
from bba.agents.registry import pays
from bba.agents.rollout_planner import ROLLOUT
from bba.bench.engines import Engine, ProcessEngine, ThreadEngine
from bba.bench.episode import Episode, play
from bba.bench.plan import SweepPlan
from bba.bench.ray_engine import RayEngine
from bba.bench.results_store import ResultsStore
from bba.bench.runner import Runner, with_ledger
from bba.planner.llm.ledger import Ledger
from bba.settings import Settings
from tui.commands.compiling import announce_compiling
from tui.commands.sweep_cost import near_limit
from tui.commands.sweep_progress import Tally, progress
from tui.commands.termination import interrupted_by_sigterm


def play_episodes(
    missing: Sequence[Episode], plan: SweepPlan, store: ResultsStore, options: AgentOptions, settings: Settings
) -> None:
    """Plays these episodes of a sweep and shows their progress; with --fail-fast until one fails."""
    ledger, kept = Ledger(store.path), settings.keep_recordings
    stored = store.results(plan.episodes.keys() - {episode.key for episode in missing})
    tally = Tally(plan, stored, ledger.spent if pays(settings.planner) else None)
    may_begin = near_limit(missing, ledger, settings)
    task = partial(play, options=with_ledger(options, store), keep_recording=kept or pays(settings.planner))
    announce_compiling(ROLLOUT if any(episode.simulates for episode in missing) else settings.planner)
    with interrupted_by_sigterm():
        engine = engine_of(settings)
    runner = Runner(store, engine, task, recorded=kept, pulse=tally.wait, may_begin=may_begin)
    # Begun anew, because Ray has set a handler of its own.
    with interrupted_by_sigterm(), closing(runner.run(missing)) as episodes, progress(tally):
        for finished_now in episodes:
            tally.add(finished_now)
            if settings.fail_fast and finished_now.outcome is not None and finished_now.outcome.failure is not None:
                return


def engine_of(settings: Settings) -> Engine:
    """Returns the engine; games with a language model run in threads, which share its limits."""
    if settings.engine == "ray":
        return RayEngine(settings.workers, settings.address)
    if pays(settings.planner):
        return ThreadEngine(settings.workers or settings.concurrency)
    return ProcessEngine(settings.workers)
