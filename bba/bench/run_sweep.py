"""A whole sweep in one call, for Python callers."""

from contextlib import closing
from functools import partial
from pathlib import Path

from bba.agents import AgentOptions
from bba.bench.engines import Engine, ProcessEngine, ThreadEngine
from bba.bench.episode import play
from bba.bench.plan import plan_sweep
from bba.bench.presets import Sweep, load_sweep
from bba.bench.results_export import result_rows
from bba.bench.results_store import ResultsStore
from bba.bench.runner import Runner
from bba.tabular import Row

MODEL_THREADS = 8  # games at once where a language model plans, unless the caller names another number


def run_sweep(
    sweep: Sweep | str, folder: Path | str, options: AgentOptions | None = None, *, workers: int | None = None
) -> list[Row]:
    """Plays the episodes of a sweep that the folder does not hold yet, and returns the results as rows.

    Args:
        sweep: the sweep, the name of a shipped one, or the path of a TOML file.
        folder: where results.sqlite is or will be; a second call with the same sweep plays nothing.
        options: how agents plan; None for the scripted planner with default parameters.
        workers: how many episodes are played at once; None for one a core.

    Returns:
        One dictionary a row: agent, planner, layout, group, partner, variant, seed, key, failure (None, or why there
        are no measures), seconds, and every measure by name.

    Raises:
        BBAError: no such sweep, nothing of it can be played, or the folder cannot be used.
    """
    options = options or AgentOptions()
    plan = plan_sweep(load_sweep(sweep) if isinstance(sweep, str) else sweep, options)
    with ResultsStore(Path(folder)) as store:
        store.register(plan.sweep.name, plan.sweep.model_dump_json(), plan.entries)
        finished = store.finished()
        missing = [episode for key, episode in plan.episodes.items() if key not in finished]
        if missing:
            runner = Runner(store, _engine(options, workers), partial(play, options=options))
            with closing(runner.run(missing)) as played:
                for _ in played:
                    pass
        return list(result_rows(plan.entries, store.results(plan.episodes)))


def _engine(options: AgentOptions, workers: int | None) -> Engine:
    """Returns processes, or threads for a language model, whose limits hold within one process."""
    return ProcessEngine(workers) if options.planner == "scripted" else ThreadEngine(workers or MODEL_THREADS)
