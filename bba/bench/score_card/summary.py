"""What a card says: of one game from its trace alone, and of all of them from what it says of each.

So a game that is played again says the same, and the means are worked out again when a card is checked.
"""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from bba.analysis.coordination import belief_tally, calibration_error, reliability, switch_responses
from bba.analysis.measures import measure
from bba.analysis.snapshot import hypotheses_of
from bba.bench.score_card.card import (
    DECIMALS,
    CardBelief,
    CardCalibration,
    CardCell,
    CardCost,
    CardEpisode,
    CardRecovery,
    CardSpeed,
    CardSummary,
    CardValue,
)
from bba.bench.score_card.protocol import Protocol
from bba.bench.statistics import Summary, grouped, mean_over_games, ratio_over_games
from bba.play.ticks import step_arrays
from bba.play.trace import EGO, Trace

FOLLOWED = (0, 5, 10, 20, 40, 60)  # steps after a switch
PLANNING = ("planner_calls", "planner_prompt_tokens", "planner_completion_tokens", "planner_cost")
LEAST_BELIEF = 1e-9  # a smaller share of a belief counts as this one, or one sure mistake would weigh infinitely


def scored_game(trace: Trace, measures: Sequence[str]) -> dict[str, Any]:
    """Returns the fields of a `CardEpisode` that follow from a trace; `measures` are those of the protocol."""
    found = measure(trace)
    values = ((name, found[name]) for name in (*measures, *PLANNING))
    steps = step_arrays(trace.ticks)
    delays = [response.complemented for response in switch_responses(steps)]
    return {
        "game": trace_digest(trace),
        "decisions": int(steps.commits.sum()),
        "followed": [sum(delay is not None and delay <= steps for delay in delays) for steps in FOLLOWED],
        "measures": {name: round(value, DECIMALS) for name, value in values if value is not None},
        "belief": own_belief(trace),
    }


def trace_digest(trace: Trace) -> str:
    """Returns 16 hex digits: the digest of the states, the actions and the skills of a game, step by step."""
    digest = hashlib.blake2b(trace.start.astype("<i4").tobytes(), digest_size=8)
    for tick in trace.ticks:
        digest.update(np.array((*tick.actions, *tick.skills), "<i4").tobytes())
        digest.update(tick.state.astype("<i4").tobytes())
    return digest.hexdigest()


def own_belief(trace: Trace) -> CardBelief | None:
    """Returns how good the belief was by which the ego played; None if it had none."""
    updates = [tick.decisions[EGO].belief for tick in trace.ticks]
    beliefs = [hypotheses_of(one).by_role(one.posterior) for one in updates if one is not None]
    if not beliefs or len(beliefs) < len(updates):
        return None
    tally = belief_tally(trace, np.maximum(np.array(beliefs), LEAST_BELIEF))
    bins = tuple((int(steps), round(float(sure), DECIMALS), int(right)) for steps, sure, right in tally.bins)
    return CardBelief(steps=tally.steps, right=tally.right, log_loss=round(tally.log_loss, DECIMALS), bins=bins)


def summary_of(protocol: Protocol, episodes: Sequence[CardEpisode]) -> CardSummary:
    """Returns what follows from the games of a card."""
    cells = grouped(((episode.layout, episode.group), episode) for episode in episodes)
    return CardSummary(
        overall=_means(protocol.measures, episodes),
        cells=tuple(
            CardCell(layout=layout, group=group, measures=_means(protocol.measures, games))
            for (layout, group), games in cells.items()
        ),
        calibration=_calibration([one.belief for one in episodes if one.belief is not None]),
        recovery=_recovery(episodes),
        speed=_speed(protocol, episodes),
        cost=_cost(episodes),
    )


def _means(measures: Iterable[str], episodes: Sequence[CardEpisode]) -> dict[str, CardValue]:
    found = {name: [one.measures[name] for one in episodes if name in one.measures] for name in measures}
    return {name: _value(mean_over_games(values)) for name, values in found.items() if values}


def _value(summary: Summary) -> CardValue:
    low, high = (None if end is None else round(end, DECIMALS) for end in (summary.low, summary.high))
    return CardValue(mean=round(summary.mean, DECIMALS), low=low, high=high, n=summary.n)


def _calibration(beliefs: Sequence[CardBelief]) -> CardCalibration | None:
    """Returns how good the agent's belief was; None without one, and without any step that counts."""
    if not sum(one.steps for one in beliefs):
        return None
    steps = [one.steps for one in beliefs]
    summed = np.sum([one.bins for one in beliefs], axis=0)
    bins = ((round(sure, DECIMALS), round(right, DECIMALS), count) for sure, right, count, _ in reliability(summed))
    return CardCalibration(
        steps=sum(steps),
        accuracy=_value(ratio_over_games([one.right for one in beliefs], steps)),
        log_loss=_value(ratio_over_games([one.log_loss for one in beliefs], steps)),
        error=round(calibration_error(summed), DECIMALS),
        bins=tuple(bins),
    )


def _recovery(episodes: Sequence[CardEpisode]) -> CardRecovery:
    switches = [one.measures.get("switches", 0) for one in episodes]
    within = {
        str(steps): _value(ratio_over_games([one.followed[place] for one in episodes], switches))
        for place, steps in enumerate(FOLLOWED)
    }
    return CardRecovery(switches=int(sum(switches)), within=within if any(switches) else {})


def _speed(protocol: Protocol, episodes: Sequence[CardEpisode]) -> CardSpeed:
    steps, decisions = len(episodes) * protocol.horizon, sum(one.decisions for one in episodes)
    seconds = round(sum(one.seconds for one in episodes), 3)
    rates = (round(count / max(seconds, 1e-3), 1) for count in (steps, decisions))
    return CardSpeed(
        steps=steps, decisions=decisions, seconds=seconds, steps_a_second=next(rates), decisions_a_second=next(rates)
    )


def _cost(episodes: Sequence[CardEpisode]) -> CardCost:
    def total(name: str) -> float | None:
        known = [one.measures[name] for one in episodes if name in one.measures]
        return round(sum(known), DECIMALS) if known else None

    sent, answered = total("planner_prompt_tokens"), total("planner_completion_tokens")
    return CardCost(
        calls=int(total("planner_calls") or 0),
        prompt_tokens=None if sent is None else int(sent),
        completion_tokens=None if answered is None else int(answered),
        dollars=total("planner_cost"),
    )
