"""How well the belief knows the partner, how well the ego coordinates with it, and how both follow its switches.

These are functions of a game's ticks. The belief is that of the passive observer, which runs beside every kind of ego
with default settings, so that all egos are compared by the same belief. The ego is player 0, the partner player 1. A
step is *scored* if the partner's true role is one of the six; waiting and fire handling have no role. A true switch is
known from the trace, not from the belief. A share is None where there was nothing to count.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from bba.belief import NO_ROLE, is_complementary
from bba.play.trace import EGO, PARTNER, Tick


def mean(values: Sequence[float]) -> float | None:
    """Returns the mean, for truth values the share of those that hold; None without values."""
    return sum(values) / len(values) if values else None


def scored_ticks(ticks: Iterable[Tick]) -> Iterator[Tick]:
    """Yields the ticks in which the partner's true role is one of the six."""
    return (tick for tick in ticks if tick.role(PARTNER) != NO_ROLE)


def map_correct(tick: Tick) -> bool:
    """Returns whether the observer's MAP is the partner's true role."""
    return tick.observer.map_index == tick.role(PARTNER)


def complements(tick: Tick) -> bool:
    """Returns whether the ego's skill complements the partner's true role."""
    return is_complementary(tick.role(EGO), tick.role(PARTNER))


def contradicted(tick: Tick) -> bool:
    """Returns whether the partner's last actions contradict the observer's prior MAP (ℓ < θ)."""
    return tick.observer_gate is not None and tick.observer_gate.contradiction


def skill_accuracy(ticks: list[Tick], confidence: float = 0.0) -> float | None:
    """Returns the share of scored steps whose MAP is the true role, of those with at least this confidence."""
    return mean([map_correct(tick) for tick in scored_ticks(ticks) if tick.observer.confidence >= confidence])


def duplicate_rate(ticks: list[Tick]) -> float | None:
    """Returns the share of scored steps in which both players run skills of the same role."""
    return mean([tick.role(EGO) == tick.role(PARTNER) for tick in scored_ticks(ticks)])


def decision_point(before: Tick | None, tick: Tick) -> bool:
    """Returns whether a step is a decision point of the ego.

    Decision points are every selection of a skill by the planner and, mid-skill, every contradiction and every change
    of the partner's true role.

    Args:
        before: the tick before; None at the start.
        tick: the step in question.
    """
    role, decision = NO_ROLE if before is None else before.role(PARTNER), tick.decisions[EGO]
    selected = decision.chosen and not decision.thinking and not decision.waiting
    return selected or contradicted(tick) or tick.role(PARTNER) != role


def decision_points(ticks: list[Tick]) -> Iterator[Tick]:
    """Yields the ticks that are decision points of the ego."""
    return (tick for before, tick in zip([None, *ticks], ticks, strict=False) if decision_point(before, tick))


def belief_action_gap(tick: Tick) -> bool:
    """Returns whether the MAP is correct, but the ego's skill does not complement it."""
    return map_correct(tick) and not is_complementary(tick.role(EGO), tick.observer.map_index)


def gap_rate(ticks: list[Tick], confidence: float = 0.0) -> float | None:
    """Returns the share of belief-action gaps among the decision points with a correct MAP of this confidence."""
    return mean(
        [
            belief_action_gap(tick)
            for tick in decision_points(ticks)
            if map_correct(tick) and tick.observer.confidence >= confidence
        ]
    )


def comp_at(ticks: list[Tick], steps: int) -> float | None:
    """Returns the share of contradictions after which the ego complements the true role within `steps` steps."""
    return mean([any(map(complements, ticks[i : i + steps])) for i, tick in enumerate(ticks) if contradicted(tick)])


# --- switches ---------------------------------------------------------------------------------------------------
class SwitchResponse(NamedTuple):
    """How belief and ego followed one true switch of the partner.

    Attributes:
        start: index of the first tick after the switch.
        end: index of the next switch, or the number of ticks.
        role: the role that the partner switched to.
        noticed: steps until the observer's MAP is the true role; None if it never is before `end`.
        complemented: steps until the ego runs a skill that complements the true role; None if it never does.
    """

    start: int
    end: int
    role: int
    noticed: int | None
    complemented: int | None


def switch_steps(ticks: list[Tick]) -> list[int]:
    """Returns the indices of the ticks in which the partner truly switches.

    A partner with a schedule switches where its scheduled role and the role of its work both change; any other partner
    where the role of its work changes.
    """
    steps = []
    for i in range(1, len(ticks)):
        scheduled, before = ticks[i].decisions[PARTNER].scheduled_role, ticks[i - 1].decisions[PARTNER].scheduled_role
        if ticks[i].role(PARTNER) != ticks[i - 1].role(PARTNER) and (scheduled is None or scheduled != before):
            steps.append(i)
    return steps


def switch_responses(ticks: list[Tick]) -> list[SwitchResponse]:
    """Returns how each true switch of the partner was followed, in order."""
    return [
        SwitchResponse(
            start,
            end,
            ticks[start].role(PARTNER),
            first_step(map_correct, ticks[start:end]),
            first_step(complements, ticks[start:end]),
        )
        for start, end in pairwise([*switch_steps(ticks), len(ticks)])
    ]


def recoveries(responses: list[SwitchResponse]) -> list[int]:
    """Returns for each switch the steps until the ego first complements the partner's true role.

    A switch that the ego does not complement before the next one counts with all the steps between the two.
    """
    return [
        response.end - response.start if response.complemented is None else response.complemented
        for response in responses
    ]


def detection_delays(responses: list[SwitchResponse]) -> list[int]:
    """Returns the steps until the observer's MAP is the true role, for each switch that it detects before the next."""
    return [response.noticed for response in responses if response.noticed is not None]


def first_step(holds: Callable[[Tick], bool], ticks: list[Tick]) -> int | None:
    """Returns the index of the first tick for which `holds` is true; None if there is none."""
    return next((i for i, tick in enumerate(ticks) if holds(tick)), None)
