"""Estimates how long the episodes of a sweep take on this machine: a few of them are played, shortened."""

import time
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from types import MappingProxyType
from typing import NamedTuple

from bba.agents import SeatSpec, model_of
from bba.bench.episode import Episode, play
from bba.kernels import kernels_to_come

SAMPLE_GAMES = 6  # that are timed of each kind of episode
LEAST_STEPS = 300  # of a game that is timed
SECONDS_OF_GAME = 0.7  # that it may take; longer games are shortened
MOST_SECONDS = 8.0  # after which no further game is begun


class TimeEstimate(NamedTuple):
    """How long episodes take on this machine.

    Attributes:
        seconds: on one core.
        games: the short games by which that is known.
    """

    seconds: float
    games: int


def time_estimate(episodes: Iterable[Episode], base: SeatSpec) -> TimeEstimate | None:
    """Plays a few short games, which takes seconds, and returns how long all episodes take.

    Args:
        episodes: the episodes to be played.
        options: what they do not say of their agents.

    Returns:
        None where that cannot be measured: a language model or a plug-in plays, a game fails, kernels are not compiled.
    """
    kinds: dict[bool, list[Episode]] = {}
    for episode in episodes:
        kinds.setdefault(episode.simulates, []).append(episode)
    everything = [episode for kind in kinds.values() for episode in kind]
    if not all(map(_can_be_timed, everything)):
        return None
    began = time.monotonic()
    seconds = 0.0
    games = 0
    for kind in kinds.values():
        rates: list[float] = []
        for episode in _spread(kind):
            if not rates and _seconds_a_step(episode, LEAST_STEPS, base) is None:  # which loads kernels and weights
                return None
            rate = _seconds_a_step(episode, LEAST_STEPS, base)
            if rate is not None:  # to begin a game takes its time, too, which counts less in a longer one
                rate = _seconds_a_step(episode, max(LEAST_STEPS, int(SECONDS_OF_GAME / rate)), base)
            if rate is None or kernels_to_come():
                return None
            rates.append(rate)
            if time.monotonic() - began > MOST_SECONDS:
                break
        seconds += fmean(rates) * sum(episode.horizon for episode in kind)
        games += len(rates)
    return TimeEstimate(seconds, games)


def _seconds_a_step(episode: Episode, most_steps: int, base: SeatSpec) -> float | None:
    """Plays an episode for so many steps; returns the seconds that one took, None if the game failed."""
    steps = min(episode.horizon, most_steps)
    played = play(episode.model_copy(update={"horizon": steps}), base)
    return None if played.failure is not None else played.seconds / steps


def _can_be_timed(episode: Episode) -> bool:
    asks_model = any(model_of(seat.planner) is not None for seat in episode.seats)
    return not asks_model and not episode.measures and not any(seat.plugins for seat in episode.seats)


def _spread(episodes: Sequence[Episode]) -> list[Episode]:
    """Returns a few of the episodes at equal distances, so that all agents and kitchens have the same chance."""
    number = min(SAMPLE_GAMES, len(episodes))
    return [episodes[(2 * index + 1) * len(episodes) // (2 * number)] for index in range(number)]


# --- before anything is planned ------------------------------------------------------------------------------------
# Games of the shipped sweeps that keep to their defaults, and how many of them the rollout planner plays.
SHIPPED_SIZES: Mapping[str, tuple[int, int]] = MappingProxyType(
    {
        "ablation": (720, 0),
        "backbones": (120, 0),
        "commitment": (4800, 2000),
        "crossplay": (160, 0),
        "crossplay-models": (10, 0),
        "knowledge": (7200, 4800),
        "mechanism": (360, 0),
        "paired": (360, 0),
        "propensities": (3960, 2640),
        "quick": (30, 0),
        "rq2": (360, 0),
        "sensitivity": (180, 0),
        "switch": (165, 0),
        "table1": (1080, 0),
        "triggers": (720, 0),
    }
)
SIMULATED_SECONDS = 2.5  # of a game of 2400 steps that the rollout planner plays, on one core of a cloud machine
SECONDS = 0.1  # of any other
START_SECONDS = 5.0  # until all processes have loaded what they need


def usual_seconds(name: str, cores: int) -> float | None:
    """Returns how long a shipped sweep without a language model takes on so many cores; None of another sweep.

    It is a rough number that needs nothing to be played: `time_estimate` measures.
    """
    size = SHIPPED_SIZES.get(name)
    if size is None:
        return None
    games, simulated = size
    return START_SECONDS + (simulated * SIMULATED_SECONDS + (games - simulated) * SECONDS) / cores
