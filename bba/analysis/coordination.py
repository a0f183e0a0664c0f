"""How well the belief knows the partner, and how well the ego coordinates with it.

These are functions of a game's ticks. The belief is that of the passive observer, which runs beside every kind of ego
with default settings, so that all egos are compared by the same belief. The ego is player 0, the partner player 1. A
step is *scored* if the partner's true role is one of the six; waiting and fire handling have no role. What a switch of
the partner is, `bba.analysis.role_changes` defines. A share is None where there was nothing to count.
"""

from collections.abc import Iterable, Iterator, Sequence

from bba.analysis.role_changes import RoleChange
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


def skill_accuracy(ticks: Sequence[Tick], confidence: float = 0.0) -> float | None:
    """Returns the share of scored steps whose MAP is the true role, of those with at least this confidence."""
    return mean([map_correct(tick) for tick in scored_ticks(ticks) if tick.observer.confidence >= confidence])


def duplicate_rate(ticks: Sequence[Tick]) -> float | None:
    """Returns the share of scored steps in which both players run skills of the same role."""
    return mean([tick.role(EGO) == tick.role(PARTNER) for tick in scored_ticks(ticks)])


def decision_point(tick: Tick, *, switched: bool) -> bool:
    """Returns whether a step is a decision point of the ego.

    Decision points are every selection of a skill by the planner and, mid-skill, every contradiction and every switch
    of the partner.

    Args:
        tick: the step in question.
        switched: whether the partner turns to another role in it (`RoleChange.start`).
    """
    return decides(tick) or contradicted(tick) or switched


def decides(tick: Tick) -> bool:
    """Returns whether the ego chooses a skill; waiting, for its planner or for a change, is no choice."""
    decision = tick.decisions[EGO]
    return decision.chosen and not decision.thinking and not decision.waiting


def decision_points(ticks: Sequence[Tick], changes: Iterable[RoleChange]) -> Iterator[Tick]:
    """Yields the ticks that are decision points of the ego, given the partner's switches."""
    starts = {change.start for change in changes}
    return (tick for i, tick in enumerate(ticks) if decision_point(tick, switched=i in starts))


def belief_action_gap(tick: Tick) -> bool:
    """Returns whether the MAP is correct, but the ego's skill does not complement it."""
    return map_correct(tick) and not is_complementary(tick.role(EGO), tick.observer.map_index)


def gap_rate(points: Iterable[Tick], confidence: float = 0.0) -> float | None:
    """Returns the share of belief-action gaps among the decision points with a correct MAP of this confidence."""
    return mean(
        [belief_action_gap(tick) for tick in points if map_correct(tick) and tick.observer.confidence >= confidence]
    )


def comp_at(ticks: Sequence[Tick], steps: int) -> float | None:
    """Returns the share of contradictions after which the ego complements the true role within `steps` steps."""
    return mean([any(map(complements, ticks[i : i + steps])) for i, tick in enumerate(ticks) if contradicted(tick)])
