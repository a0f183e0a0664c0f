"""Playing what is missing: every episode that is not stored yet is claimed, played and stored, several at a time."""

import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import NamedTuple

from bba.bench.engines import Engine
from bba.bench.episode import Episode, EpisodeResult, reason, warm_up
from bba.bench.results_store import ResultsStore
from bba.errors import BBAError

HEARTBEAT = 1.0  # seconds between two signs of life
PlayEpisode = Callable[[Episode], EpisodeResult]


class EpisodeDone(NamedTuple):
    """An episode that is stored now; `outcome` is None where another runner played it."""

    episode: Episode
    outcome: EpisodeResult | None


class Runner:
    """Plays episodes on an engine and stores what comes of them.

    Where what plays an episode dies, every episode that was under way is played once more, each alone; one that does it
    again has failed.

    Args:
        store: where the results go.
        engine: where the episodes are played.
        play: how an episode is played there.
        recorded: whether recordings are asked for, so that an episode without one counts as missing.
    """

    def __init__(self, store: ResultsStore, engine: Engine, play: PlayEpisode, *, recorded: bool = False) -> None:
        self._store, self._engine, self._play, self._recorded = store, engine, play, recorded
        self._running: dict[Future[EpisodeResult], Episode] = {}
        self._suspects: deque[Episode] = deque()
        self._beaten = time.monotonic()

    def run(self, episodes: Iterable[Episode]) -> Generator[EpisodeDone, None, None]:
        """Play these episodes, and tell of each as soon as it is stored. Interrupted, it keeps what is finished.

        Raises:
            BBAError: the workers do not start, or the store cannot be written.
        """
        queue = deque(episodes)
        try:
            self._warm_up()
            while queue or self._running or self._suspects:
                yield from self._begin(queue)
                if self._running:
                    yield from self._finish()
                elif queue:
                    time.sleep(HEARTBEAT)  # others are at all of them
        finally:
            try:
                self._keep()
            finally:
                self._engine.close()

    def _warm_up(self) -> None:
        """Compile once, in one worker, before several would do it at the same time."""
        try:
            self._engine.submit(warm_up).result()
        except Exception as error:
            raise BBAError(f"the workers do not start: {reason(error)}") from error

    def _begin(self, queue: deque[Episode]) -> Iterator[EpisodeDone]:
        """Fill the engine, or give it one suspect alone; tell of what others have finished meanwhile."""
        if self._suspects:
            if not self._running:
                self._submit(self._suspects[0])
            return
        for _ in range(len(queue)):
            if len(self._running) >= self._engine.workers:
                return
            episode = queue.popleft()
            if self._store.claim(episode.key, recorded=self._recorded):
                self._submit(episode)
            elif episode.key in self._store.finished(episode.key, recorded=self._recorded):
                yield EpisodeDone(episode, None)
            else:
                queue.append(episode)  # another runner is at it

    def _submit(self, episode: Episode) -> None:
        self._running[self._engine.submit(self._play, episode)] = episode

    def _finish(self) -> Iterator[EpisodeDone]:
        """Wait for news, a second at the most, and store what has come."""
        done = wait(self._running, timeout=HEARTBEAT, return_when=FIRST_COMPLETED).done
        self._beat()
        for future in done:
            episode = self._running.pop(future)
            outcome = self._outcome(future, episode)
            if outcome is not None:
                self._store.save(episode, outcome)
                yield EpisodeDone(episode, outcome)

    def _outcome(self, future: Future[EpisodeResult], episode: Episode) -> EpisodeResult | None:
        """What came of it; None if what played it died and it is to be played again."""
        alone = bool(self._suspects) and self._suspects[0] is episode
        error = future.exception()
        if alone:
            self._suspects.popleft()
        if error is None:
            return future.result()
        if alone:
            return EpisodeResult(failure="the process that played it died, twice")
        self._suspects.append(episode)
        return None

    def _beat(self) -> None:
        if time.monotonic() - self._beaten >= HEARTBEAT:
            self._store.beat()
            self._beaten = time.monotonic()

    def _keep(self) -> None:
        """Store what was finished when the interruption came."""
        for future, episode in self._running.items():
            if future.done() and future.exception() is None:
                self._store.save(episode, future.result())
