"""The money of a sweep: what its games will cost by what they have cost so far, and how many of them a limit pays.

What a language model costs in a game was measured with scripted answers (`bba.bench.price_estimate`). Another model may
ask twice as often, or answer at ten times the length. So after the first answers of a game its own rate counts: for
its rest, and for the games of the same agents that have not begun. Under a limit a game begins if the money pays for it
beside the rest of those that are played. If it turns out that the money does not pay for all of these, the ones that
began later wait between two steps until the earlier ones are finished.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bba.agents import SeatSpec, model_of
from bba.bench.episode import Episode, EpisodeResult, play
from bba.bench.price_estimate import EpisodePrice, episode_price
from bba.play import Tick

FIRST_ANSWERS = 5  # of a game, after which its own rate counts
MARGIN = 1.25  # by which a game may cost more than its rate says, so that it is finished, too
LOOK_SECONDS = 0.5  # between two looks of a game that waits, whether other runners have spent the rest

Kind = tuple[tuple[str, str | None], ...]  # the agents of an episode, each with its planner


@dataclass(slots=True)
class _Cost:
    """What games have cost, beside the price of the same steps by the table."""

    dollars: float = 0.0
    expected: float = 0.0

    def add(self, other: "_Cost") -> None:
        self.dollars += other.dollars
        self.expected += other.expected

    @property
    def factor(self) -> float | None:
        """By how much they cost more or less than by the table; None where nothing was paid."""
        return self.dollars / self.expected if self.dollars > 0 and self.expected > 0 else None


@dataclass(slots=True)
class _RunningGame:
    """A game that is played: its answers, what they have cost, and the steps since the first one that was paid."""

    episode: Episode
    price: EpisodePrice
    steps: int = 0
    paid_steps: int = 0
    answers: int = 0
    dollars: float = 0.0

    @property
    def shows_its_rate(self) -> bool:
        return self.answers >= FIRST_ANSWERS

    @property
    def cost(self) -> _Cost:
        share = self.paid_steps / self.episode.horizon
        return _Cost(self.dollars, self.price.all_requests * share)

    def rest(self, factor: float) -> float:
        """Returns the price of its other steps; `factor` is that of its kind, which counts until its own is known."""
        if self.shows_its_rate and self.cost.factor:
            factor = self.cost.factor
        return self.price.all_requests * (1 - self.steps / self.episode.horizon) * factor


class SweepMoney:
    """Estimates what the games of a sweep cost, and lets as many of them begin as a limit pays.

    Several threads may call it.

    Args:
        episodes: those to be played.
        spent: returns the US dollars that are spent by now, by all runners.
        limit: on what is spent, in US dollars; None for none.
        prices: a table of prices; None for the shipped one.

    Raises:
        BBAError: a table cannot be read.
    """

    def __init__(
        self,
        episodes: Sequence[Episode],
        spent: Callable[[], float],
        limit: float | None = None,
        prices: Path | None = None,
    ) -> None:
        self._prices = {episode.key: episode_price(episode, prices) for episode in episodes}
        self._ended: dict[Kind, _Cost] = {}  # of the games that have ended
        self._to_come: dict[str, Episode] = {episode.key: episode for episode in episodes}
        self._spent = spent
        self._limit = limit
        self._running: dict[str, _RunningGame] = {}  # in the order in which they began
        self._changed = threading.Condition()

    def may_begin(self, running: Sequence[Episode], episode: Episode) -> bool:
        """Returns whether an episode may begin beside those that run; one whose rate is not known begins alone.

        Raises:
            BBAError: what is spent is damaged or cannot be read.
        """
        if self._limit is None or self._prices[episode.key].all_requests == 0:
            return True
        with self._changed:
            if running and not self._rates_are_known():
                return False
            needed = self._dearest_request([*running, episode])
            for other in running:
                needed += MARGIN * self._rest(other)
            margin = MARGIN if running else 1.0
            needed += margin * self._rest(episode)
        return self._spent() + needed <= self._limit

    def expected(self) -> float | None:
        """Returns the US dollars of all games together, those to come included; None before the first answers.

        Raises:
            BBAError: what is spent is damaged or cannot be read.
        """
        with self._changed:
            if not self._rates_are_known():
                return None
            rest = sum(self._rest(game.episode) for game in self._running.values())
            prices: dict[Kind, float] = {}  # by the table
            for key, episode in self._to_come.items():
                kind = _kind(episode)
                prices[kind] = prices.get(kind, 0.0) + self._prices[key].all_requests
            for kind, price in prices.items():
                rest += price * self._factor(kind)
        return self._spent() + rest

    def leave_out(self, episode: Episode) -> None:
        """Counts an episode no longer among those to come: another runner has played it."""
        with self._changed:
            self._to_come.pop(episode.key, None)

    def play(self, episode: Episode, base: SeatSpec, *, keep_recording: bool = False) -> EpisodeResult:
        """Plays an episode to its end as `bba.bench.episode.play`; waits in it where the money pays for others only."""
        with self._counted(episode) as game:
            return play(episode, base, keep_recording=keep_recording, after_steps=partial(self._count, game))

    @contextmanager
    def _counted(self, episode: Episode) -> Iterator[_RunningGame]:
        """Counts an episode among those that are played in this block."""
        game = _RunningGame(episode, self._prices[episode.key])
        with self._changed:
            self._to_come.pop(episode.key, None)
            self._running[episode.key] = game
        try:
            yield game
        finally:
            with self._changed:
                del self._running[episode.key]
                if game.answers > 0:
                    self._ended.setdefault(_kind(episode), _Cost()).add(game.cost)
                self._changed.notify_all()

    def _count(self, game: _RunningGame, ticks: Sequence[Tick]) -> None:
        """Counts what steps of a game have cost; waits while the money pays for earlier games only."""
        asked = False
        with self._changed:
            for tick in ticks:
                game.steps += 1
                for decision in tick.decisions:
                    for call in decision.calls:
                        asked = True
                        game.answers += 1
                        if call.usage is not None and call.usage.cost is not None:
                            game.dollars += call.usage.cost
                if game.dollars > 0:
                    game.paid_steps += 1
            self._changed.notify_all()
            while asked and self._has_to_wait(game):
                self._changed.wait(LOOK_SECONDS)

    def _has_to_wait(self, game: _RunningGame) -> bool:
        """Whether the money does not pay for a game beside those that began before; the first one never waits."""
        if self._limit is None or game is next(iter(self._running.values())):
            return False
        earlier = []
        for other in self._running.values():
            earlier.append(other.episode)
            if other is game:
                break
        needed = self._dearest_request(earlier) + sum(map(self._rest, earlier))
        return self._spent() + needed > self._limit

    def _dearest_request(self, episodes: Iterable[Episode]) -> float:
        """Returns the highest price of one request, which has to be left for the last one to be sent."""
        return max(self._prices[episode.key].dearest_request for episode in episodes)

    def _rest(self, episode: Episode) -> float:
        """Returns what the other steps of an episode will cost; all of them of one that has not begun."""
        game = self._running.get(episode.key) or _RunningGame(episode, self._prices[episode.key])
        return game.rest(self._factor(_kind(episode)))

    def _rates_are_known(self) -> bool:
        """Whether a game has shown what it costs."""
        return bool(self._ended) or any(game.shows_its_rate for game in self._running.values())

    def _factor(self, kind: Kind) -> float:
        """Returns by how much games of a kind cost more than by the table; an unknown kind is taken for the dearest."""
        costs: dict[Kind, _Cost] = {}
        for ended_kind, cost in self._ended.items():
            costs.setdefault(ended_kind, _Cost()).add(cost)
        for game in self._running.values():
            if game.shows_its_rate:
                costs.setdefault(_kind(game.episode), _Cost()).add(game.cost)
        own_factor = costs[kind].factor if kind in costs else None
        if own_factor is not None:
            return own_factor
        return max((cost.factor for cost in costs.values() if cost.factor is not None), default=1.0)


def _kind(episode: Episode) -> Kind:
    """Returns the agents for which language models plan."""
    return tuple((seat.agent, seat.planner) for seat in episode.seats if model_of(seat.planner) is not None)
