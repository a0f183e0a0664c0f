"""What follows from the games of a score card: means with their intervals, the belief, recovery, speed and cost."""

from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np

from bba.analysis import calibration_error, reliability
from bba.bench.score_card.card import (
    DECIMALS,
    CardCalibration,
    CardCell,
    CardCost,
    CardEpisode,
    CardRecovery,
    CardSpeed,
    CardSummary,
    CardValue,
    Protocol,
)
from bba.bench.statistics import (
    GameRatio,
    Summary,
    grouped,
    mean_over_games,
    ratio_over_games,
    ratio_with_interval,
)

FOLLOWED = (0, 5, 10, 20, 40, 60)  # steps after a switch
OVER_SEEDS: Literal["seeds"] = "seeds"
Intervals = Literal["seeds"] | None


def summary_of(protocol: Protocol, episodes: Sequence[CardEpisode], intervals: Intervals = OVER_SEEDS) -> CardSummary:
    """Returns the summary of the games of a card.

    Args:
        protocol: the benchmark.
        episodes: all games.
        intervals: what is drawn anew: seeds, or None for single games, as in cards of before.
    """
    episodes_by_cell = grouped(((episode.layout, episode.group), episode) for episode in episodes)
    cells = []
    for (layout, group), episodes_of_cell in episodes_by_cell.items():
        measures = _means(protocol.measures, episodes_of_cell, intervals)
        cells.append(CardCell(layout=layout, group=group, measures=measures))
    return CardSummary(
        intervals=intervals,
        overall=_means(protocol.measures, episodes, intervals),
        cells=tuple(cells),
        calibration=_calibration(episodes, intervals),
        recovery=_recovery(episodes, intervals),
        speed=_speed(protocol, episodes),
        cost=_cost(episodes),
    )


def _means(
    measures: Iterable[str], episodes: Sequence[CardEpisode], intervals: Intervals = OVER_SEEDS
) -> dict[str, CardValue]:
    means = {}
    for name in measures:
        measured = [episode for episode in episodes if name in episode.measures]
        if not measured:
            continue
        values = [float(episode.measures[name]) for episode in measured]
        if intervals is None:
            means[name] = _card_value(mean_over_games(values), len(values))
        else:
            means[name] = _ratio(measured, values, [1.0] * len(values), intervals)
    return means


def _ratio(
    episodes: Sequence[CardEpisode], above: Sequence[float], below: Sequence[float], intervals: Intervals
) -> CardValue:
    """Returns a ratio of sums over games; the sum below is not zero."""
    if intervals is None:
        return _card_value(ratio_over_games(above, below), len(episodes))
    games = []
    for episode, over, under in zip(episodes, above, below, strict=True):
        partner = f"{episode.group} {episode.partner}"  # the same partner may be slow, or keep a role, in a group
        games.append(GameRatio(episode.layout, partner, episode.seed, over, under))
    ratio = ratio_with_interval(games)
    assert ratio is not None
    return _card_value(ratio, len(episodes))


def _card_value(summary: Summary, games: int) -> CardValue:
    return CardValue(
        mean=round(summary.mean, DECIMALS),
        low=None if summary.low is None else round(summary.low, DECIMALS),
        high=None if summary.high is None else round(summary.high, DECIMALS),
        n=games,
    )


def _calibration(episodes: Sequence[CardEpisode], intervals: Intervals) -> CardCalibration | None:
    """Returns how good the agent's belief was; None without one, and without any step that counts."""
    believing = [episode for episode in episodes if episode.belief is not None]
    beliefs = [episode.belief for episode in believing if episode.belief is not None]
    steps = [belief.steps for belief in beliefs]
    if sum(steps) == 0:
        return None
    summed_bins = np.sum([belief.bins for belief in beliefs], axis=0)
    bins = []
    for sure, right, count, _ in reliability(summed_bins):
        bins.append((round(sure, DECIMALS), round(right, DECIMALS), count))
    return CardCalibration(
        steps=sum(steps),
        accuracy=_ratio(believing, [belief.right for belief in beliefs], steps, intervals),
        log_loss=_ratio(believing, [belief.log_loss for belief in beliefs], steps, intervals),
        error=round(calibration_error(summed_bins), DECIMALS),
        bins=tuple(bins),
    )


def _recovery(episodes: Sequence[CardEpisode], intervals: Intervals) -> CardRecovery:
    switches = [episode.measures.get("switches", 0) for episode in episodes]
    shares = {}
    if any(switches):
        for index, steps in enumerate(FOLLOWED):
            followed = [episode.followed[index] for episode in episodes]
            shares[str(steps)] = _ratio(episodes, followed, switches, intervals)
    return CardRecovery(switches=int(sum(switches)), within=shares)


def _speed(protocol: Protocol, episodes: Sequence[CardEpisode]) -> CardSpeed:
    steps = len(episodes) * protocol.horizon
    decisions = sum(episode.decisions for episode in episodes)
    seconds = round(sum(episode.seconds for episode in episodes), 3)
    divisor = max(seconds, 1e-3)
    return CardSpeed(
        steps=steps,
        decisions=decisions,
        seconds=seconds,
        steps_a_second=round(steps / divisor, 1),
        decisions_a_second=round(decisions / divisor, 1),
    )


def _cost(episodes: Sequence[CardEpisode]) -> CardCost:
    calls = _total(episodes, "planner_calls")
    prompt_tokens = _total(episodes, "planner_prompt_tokens")
    completion_tokens = _total(episodes, "planner_completion_tokens")
    return CardCost(
        calls=0 if calls is None else int(calls),
        prompt_tokens=None if prompt_tokens is None else int(prompt_tokens),
        completion_tokens=None if completion_tokens is None else int(completion_tokens),
        dollars=_total(episodes, "planner_cost"),
    )


def _total(episodes: Sequence[CardEpisode], name: str) -> float | None:
    """Returns the sum of a measure; None if no game has it."""
    values = [episode.measures[name] for episode in episodes if name in episode.measures]
    return round(sum(values), DECIMALS) if values else None
