"""Plays the missing episodes of a sweep: claims, plays and stores each of them, several at a time."""

import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from bba.agents.planner_names import pays
from bba.agents.seat import SeatSpec, shared_seat
from bba.bench.engines import Engine, ProcessEngine, ThreadEngine
from bba.bench.episode import Episode, EpisodeResult, play, reason
from bba.bench.plan import SweepPlan, in_condition, plan_sweep
from bba.bench.presets import Sweep, load_sweep, sweep_of
from bba.bench.results_store import ResultsStore
from bba.bench.results_table import result_rows
from bba.bench.sweep_money import SweepMoney
from bba.bench.warming import warm_up
from bba.config import changed
from bba.errors import BBAError, say_aside
from bba.kernels import kernels_to_come
from bba.keywords import known_keywords
from bba.planner.ledger import Ledger
from bba.plugins import UsedPlugin
from bba.plugins.handing_over import packed, short_name, with_luggage
from bba.progress import progress_bar
from bba.tabular import Row

MODEL_THREADS = 8  # games at once where a language model plans, unless the caller names another number
HEARTBEAT = 1.0  # seconds between two heartbeats
PlayEpisode = Callable[[Episode], EpisodeResult]
MayBegin = Callable[[Sequence[Episode], Episode], bool]
Pulse = Callable[[str], object]  # is called about once a second with what is waited for
COMPILING_SECONDS = 4  # of one kernel on one free core: all 24 take 91 s
WARMING_UP = "the first worker, which loads the compiled kitchen"


class EpisodeDone(NamedTuple):
    """An episode that is stored now; `outcome` is None if another runner played it."""

    episode: Episode
    outcome: EpisodeResult | None


class Runner:
    """Plays episodes on an engine and stores their results.

    If a worker dies, every running episode is played again, each alone. An episode whose worker dies again has failed.

    Args:
        store: stores the results.
        engine: plays the episodes.
        play: the task that plays one episode.
        recorded: whether episodes without a stored recording count as missing.
        pulse: is called about once a second with what the runner waits for, in words.
        may_begin: is asked with the episodes that run whether another one may begin; once it says no while none runs,
            no other episode begins.
    """

    def __init__(
        self,
        store: ResultsStore,
        engine: Engine,
        play: PlayEpisode,
        *,
        recorded: bool = False,
        pulse: Pulse = lambda _: None,
        may_begin: MayBegin = lambda _running, _episode: True,
    ) -> None:
        self._store = store
        self._engine = engine
        self._play = play
        self._recorded = recorded
        self._pulse = pulse
        self._may_begin = may_begin
        self._running: dict[Future[EpisodeResult], Episode] = {}
        self._retries: deque[Episode] = deque()
        self._stopped = False  # whether no other episode is to begin
        self._last_heartbeat = time.monotonic()

    def run(self, episodes: Iterable[Episode]) -> Generator[EpisodeDone, None, None]:
        """Plays these episodes and yields each as soon as it is stored. If interrupted, stores those that are finished.

        Once a language model turns out to answer no more, no episode begins; those that run are finished.

        Raises:
            BBAError: the workers do not start, or the results cannot be stored.
        """
        queue = deque(episodes)
        try:
            self._warm_up(simulates=any(episode.simulates for episode in queue))
            while queue or self._running or self._retries:
                if self._stopped:
                    queue.clear()
                yield from self._begin(queue)
                if self._running:
                    yield from self._finish()
                elif queue and not self._stopped:
                    self._pulse(self._store.waited_for([episode.key for episode in queue]))
                    time.sleep(HEARTBEAT)  # other runners have claimed all of them
        finally:
            try:
                self._keep()
            finally:
                self._engine.close()

    def _warm_up(self, *, simulates: bool) -> None:
        """Lets one worker play a little, so that it is clear whether workers start; if it dies, once more."""
        for last in (False, True):
            try:
                future = self._engine.submit(warm_up, simulates=simulates)
                self._pulse(WARMING_UP)
                while wait((future,), timeout=HEARTBEAT).not_done:
                    self._pulse(_warming_up_in_words())
                future.result()
                return
            except Exception as error:
                if last:
                    raise BBAError(f"the workers do not start: {reason(error)}") from error

    def _begin(self, queue: deque[Episode]) -> Iterator[EpisodeDone]:
        """Fills the engine, or gives it one episode to retry; yields episodes that other runners have finished."""
        if self._retries:
            if not self._running:
                self._submit(self._retries[0])
            return
        engine = self._engine
        most_running = engine.workers + min(1, engine.ahead)
        remaining = len(queue)
        while remaining and len(self._running) < most_running:
            if not self._may_begin(list(self._running.values()), queue[0]):
                if not self._running:
                    self._stopped = True
                return
            batch_size = min(engine.ahead or 1, remaining)
            batch = [queue.popleft() for _ in range(batch_size)]
            remaining -= batch_size
            claimed = self._store.claim_all([episode.key for episode in batch], recorded=self._recorded)
            for episode in batch:
                if episode.key in claimed:
                    self._submit(episode)
                elif self._store.is_finished(episode.key, recorded=self._recorded):
                    yield EpisodeDone(episode, None)
                else:
                    queue.append(episode)  # claimed by another runner

    def _submit(self, episode: Episode) -> None:
        future = self._engine.submit(self._play, episode)
        self._running[future] = episode

    def _finish(self) -> Iterator[EpisodeDone]:
        """Waits for finished episodes, one heartbeat at the most, and stores them."""
        self._pulse(_running_in_words(len(self._running)))
        done = wait(self._running, timeout=HEARTBEAT, return_when=FIRST_COMPLETED).done
        if time.monotonic() - self._last_heartbeat >= HEARTBEAT:
            self._store.heartbeat()
            self._last_heartbeat = time.monotonic()
        for future in done:
            episode = self._running.pop(future)
            outcome = self._outcome(future, episode)
            if outcome is not None:
                self._stopped = self._stopped or outcome.stops
                self._store.save(episode, outcome)
                yield EpisodeDone(episode, outcome)

    def _outcome(self, future: Future[EpisodeResult], episode: Episode) -> EpisodeResult | None:
        """Returns the result; None if the worker died and the episode is to be played again."""
        is_retry = bool(self._retries) and self._retries[0] is episode
        error = future.exception()
        if is_retry:
            self._retries.popleft()
        if error is None:
            return future.result()
        if is_retry:
            return EpisodeResult(failure="the process that played it died, twice")
        self._retries.append(episode)
        return None

    def _keep(self) -> None:
        """Stores the episodes that were finished when the interruption came."""
        for future, episode in self._running.items():
            if future.done() and future.exception() is None:
                self._store.save(episode, future.result())


def _warming_up_in_words() -> str:
    """Returns the text for `pulse` while the first worker begins."""
    kernels = kernels_to_come()
    if kernels == 0:
        return WARMING_UP
    number = "1 kernel is" if kernels == 1 else f"{kernels} kernels are"
    return f"{WARMING_UP}: {number} compiled for this machine, once, about {COMPILING_SECONDS} s each"


def _running_in_words(games: int) -> str:
    """Returns the text for `pulse` while so many games are played."""
    text = "a game that is played" if games == 1 else f"{games} games that are played"
    kernels = kernels_to_come()
    if kernels == 0:
        return text
    verb = "kernel is" if kernels == 1 else "kernels are"
    return f"{text}, uncompiled until {kernels} {verb} ready, about {COMPILING_SECONDS} s each"


@known_keywords
def run_sweep(
    sweep: Sweep | str | Path | Mapping[str, Any],
    folder: Path | str,
    options: SeatSpec | None = None,
    *,
    workers: int | None = None,
    progress: bool | None = None,
    recordings: bool = False,
) -> list[Row]:
    """Plays the episodes of a sweep that the folder does not hold yet, and returns the results as rows.

    Games with a class or an object that cannot be pickled are played in this process, one after the other, and a line
    on standard error says so.

    Args:
        sweep: the sweep, the name of a shipped one, the path of a TOML file, or what would stand in one as a
            dictionary. In a dictionary, as in `Sweep.changed`, agents and partners may be classes and objects, and
            kitchens `Layout`s.
        folder: where results.sqlite is or will be; a second call with the same sweep plays nothing.
        options: how agents plan; None for the scripted planner with default parameters.
        workers: how many episodes are played at once; None for one a core.
        progress: whether to show a bar with what is waited for; None for in a notebook only.
        recordings: whether the games are recorded, for `traces` of the sweeps of `load_results`.

    Returns:
        One dictionary a row: agent, planner, layout, group, partner, variant, seed, key, failure (None, or why there
        are no measures), seconds, and every measure by name.

    Raises:
        BBAError: no such sweep, nothing of it can be played, or the folder cannot be used.
    """
    if isinstance(sweep, Mapping):
        sweep = sweep_of(sweep)
    elif not isinstance(sweep, Sweep):
        sweep = load_sweep(sweep)
    played = play_sweep(sweep, Path(folder), options, workers=workers, progress=progress, recordings=recordings)
    return list(result_rows(played.plan.entries, played.results))


class PlayedSweep(NamedTuple):
    """A sweep that was played.

    Attributes:
        plan: its episodes.
        results: their results by key.
        notes: what was not played as all others, one line each.
    """

    plan: SweepPlan
    results: dict[str, EpisodeResult]
    notes: list[str]


def play_sweep(
    sweep: Sweep,
    folder: Path,
    options: SeatSpec | None = None,
    *,
    workers: int | None = None,
    progress: bool | None = None,
    recordings: bool = False,
) -> PlayedSweep:
    """Plays what the folder does not hold of a sweep; arguments and errors are those of `run_sweep`."""
    base = in_condition(shared_seat(options), sweep)
    plan = plan_sweep(sweep, base)
    notes: list[str] = []
    with ResultsStore(folder) as store:
        store.register(plan.sweep.name, plan.sweep.model_dump_json(), plan.entries)
        store.remove_damaged()
        missing = store.missing(plan.episodes, recorded=recordings)
        if missing:
            keep_recording = recordings or pays(base.planner)  # it holds the answers that were paid
            money = sweep_money(missing, base, store.path)
            task = partial(
                money.play if pays(base.planner) else play,
                base=with_ledger(base, store.path),
                keep_recording=keep_recording,
            )
            with progress_bar(len(missing), "episodes", progress) as bar:
                for engine, played_task, episodes in _parts(missing, task, base, workers, notes):
                    runner = Runner(
                        store, engine, played_task, recorded=recordings, pulse=bar.say, may_begin=money.may_begin
                    )
                    with closing(runner.run(episodes)) as done:
                        for _ in done:
                            bar.advance()
        return PlayedSweep(plan, store.results(plan.episodes), notes)


def _parts(
    episodes: Sequence[Episode], task: PlayEpisode, base: SeatSpec, workers: int | None, notes: list[str]
) -> Iterator[tuple[Engine, PlayEpisode, Sequence[Episode]]]:
    """Yields the episodes that other processes can play, then the others, each with their engine and their task.

    Adds a line to `notes`, and writes it, about what cannot be sent to another process.
    """
    luggage = packed(chain.from_iterable(map(_plugins_of, episodes)))
    stay: list[Episode] = []
    leave: list[Episode] = []
    for episode in episodes:
        keys = {(used.kind, used.name) for used in _plugins_of(episode)}
        (stay if keys & luggage.unpacked.keys() else leave).append(episode)
    if leave:
        sent_task = partial(with_luggage, luggage.content, task) if luggage.content else task
        yield _engine(base, workers), sent_task, leave
    if stay:
        for (kind, name), problem in luggage.unpacked.items():
            note = f"{short_name(kind, name)}: played in this process, since it cannot be pickled ({problem})"
            notes.append(note)
            say_aside(f"{note}\n")
        yield ThreadEngine(1), task, stay


def _plugins_of(episode: Episode) -> tuple[UsedPlugin, ...]:
    return (*episode.seats[0].plugins, *episode.seats[1].plugins, *episode.measures)


def sweep_money(episodes: Sequence[Episode], base: SeatSpec, ledger: Path) -> SweepMoney:
    """Returns the money of these episodes: the limit and the prices are those of the language model, if one plans."""
    model = base.model or next(iter(base.models.values()), None)
    limit = None if model is None else model.max_cost
    prices = None if model is None else model.prices
    return SweepMoney(episodes, lambda: Ledger(ledger).spent().dollars, limit, prices)


def with_ledger(base: SeatSpec, ledger: Path) -> SeatSpec:
    """Returns a seat with the spending kept in this file, beside the results of all runners and models."""
    changes = {"ledger": ledger}
    models = {name: changed(model, changes) for name, model in base.models.items()}
    model = base.model
    if model is not None:
        model = changed(model, changes)
    return replace(base, model=model, models=models)


def _engine(base: SeatSpec, workers: int | None) -> Engine:
    """Returns processes, or threads for a language model, whose limits hold within one process."""
    if pays(base.planner):
        return ThreadEngine(workers or MODEL_THREADS)
    return ProcessEngine(workers)
