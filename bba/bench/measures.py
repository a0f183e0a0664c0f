"""The preprint's measures of one episode, as pure functions of its trace.

Belief measures read the passive observer, which runs beside every kind of ego with default settings, so that like is
compared with like. The ego is player 0, the partner player 1. A step is *scored* where the partner's true role is one
of the six (fire handling and waiting have none). Shares are NaN-free: None where there was nothing to count.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import pairwise

from bba.belief import NO_ROLE, complementary
from bba.kitchen.state import DELIVERIES, EXPIRED, FIRES, IN_ORDER
from bba.play.trace import Tick, Trace

EGO, PARTNER = 0, 1
COMP_WITHIN = 3  # steps after a contradiction in which the ego's reaction counts
CONFIDENT = 0.65  # the preprint's Γ


@dataclass(frozen=True, slots=True)
class Measures:
    """One episode in numbers. Shares are 0 to 1, None where there was nothing to count."""

    reward: int
    deliveries: int
    in_order: int
    orders_expired: int
    fires: int
    skill_accuracy: float | None
    skill_accuracy_confident: float | None
    gap_rate: float | None
    gap_rate_confident: float | None
    comp_at_3: float | None
    duplicate_rate: float | None
    contradictions: int
    replans: int
    switches: int
    switches_caught: int
    catch_delay: float | None
    recovery: float | None
    planner_calls: int
    planner_retries: int
    planner_fallbacks: int

    def to_dict(self) -> dict[str, int | float | None]:
        """Plain numbers by name."""
        return asdict(self)


def measure(trace: Trace) -> Measures:
    """Every measure of a trace with at least one step."""
    ticks = trace.ticks
    last = ticks[-1].row
    exchanges = [tick.decisions[EGO].exchange for tick in ticks]
    asked = [exchange for exchange in exchanges if exchange is not None]
    reactions, delays = recoveries(ticks), catch_delays(ticks)
    return Measures(
        reward=trace.score,
        deliveries=int(last[DELIVERIES]),
        in_order=int(last[IN_ORDER]),
        orders_expired=int(last[EXPIRED]),
        fires=int(last[FIRES]),
        skill_accuracy=skill_accuracy(ticks),
        skill_accuracy_confident=skill_accuracy(ticks, CONFIDENT),
        gap_rate=gap_rate(ticks),
        gap_rate_confident=gap_rate(ticks, CONFIDENT),
        comp_at_3=comp_at(ticks, COMP_WITHIN),
        duplicate_rate=duplicate_rate(ticks),
        contradictions=sum(contradicted(tick) for tick in ticks),
        replans=sum(tick.decisions[EGO].replanned for tick in ticks),
        switches=len(reactions),
        switches_caught=len(delays),
        catch_delay=share(sum(delays), len(delays)),
        recovery=share(sum(reactions), len(reactions)),
        planner_calls=sum(exchange.attempts for exchange in asked),
        planner_retries=sum(exchange.attempts - 1 for exchange in asked),
        planner_fallbacks=sum(exchange.fallback for exchange in asked),
    )


def share(part: float, whole: int) -> float | None:
    """`part` of `whole`; None where there is no whole."""
    return part / whole if whole else None


def scored(ticks: Iterable[Tick]) -> Iterator[Tick]:
    """The ticks in which the partner's true role is one of the six."""
    return (tick for tick in ticks if tick.role(PARTNER) != NO_ROLE)


def right(tick: Tick) -> bool:
    """Whether the observer's MAP is the partner's true role."""
    return tick.observer.map_index == tick.role(PARTNER)


def contradicted(tick: Tick) -> bool:
    """Whether the observer found the partner's last actions to contradict its MAP."""
    return tick.observer_gate is not None and tick.observer_gate.contradiction


def skill_accuracy(ticks: list[Tick], confidence: float = 0.0) -> float | None:
    """The share of scored steps (where the observer is at least so confident) whose MAP is the true role."""
    judged = [right(tick) for tick in scored(ticks) if tick.observer.confidence >= confidence]
    return share(sum(judged), len(judged))


def duplicate_rate(ticks: list[Tick]) -> float | None:
    """The share of scored steps in which both run skills of the same role."""
    same = [tick.role(EGO) == tick.role(PARTNER) for tick in scored(ticks)]
    return share(sum(same), len(same))


def decision_points(ticks: list[Tick]) -> Iterator[Tick]:
    """Every planner selection; and mid-skill every step with a contradiction or a change of the partner's true role."""
    before = NO_ROLE
    for tick in ticks:
        role = tick.role(PARTNER)
        if tick.decisions[EGO].chosen or contradicted(tick) or role != before:
            yield tick
        before = role


def gap_rate(ticks: list[Tick], confidence: float = 0.0) -> float | None:
    """Belief-action gap: of the decision points with a right MAP, the share where the ego's skill is no complement."""
    judged = [
        not complementary(tick.role(EGO), tick.observer.map_index)
        for tick in decision_points(ticks)
        if right(tick) and tick.observer.confidence >= confidence
    ]
    return share(sum(judged), len(judged))


def comp_at(ticks: list[Tick], steps: int) -> float | None:
    """The share of contradictions after which the ego runs a skill that complements the true role within `steps`."""
    judged = [
        any(complementary(later.role(EGO), later.role(PARTNER)) for later in ticks[i : i + steps])
        for i, tick in enumerate(ticks)
        if contradicted(tick)
    ]
    return share(sum(judged), len(judged))


def switch_steps(ticks: list[Tick]) -> list[int]:
    """The indices at which the partner truly switches.

    For a partner with a schedule: where it takes up another role and its work changes role with that. For others: where
    the role of their work changes.
    """
    steps = []
    for i in range(1, len(ticks)):
        pursued, before = ticks[i].decisions[PARTNER].pursuing, ticks[i - 1].decisions[PARTNER].pursuing
        if ticks[i].role(PARTNER) != ticks[i - 1].role(PARTNER) and (pursued is None or pursued != before):
            steps.append(i)
    return steps


def recoveries(ticks: list[Tick]) -> list[int]:
    """For each true switch the steps until the ego first runs a skill that complements the partner's true role.

    Where that does not happen before the next switch, the whole time between the two counts.
    """
    return [first(_complements, ticks[start:end], default=end - start) for start, end in _segments(ticks)]


def catch_delays(ticks: list[Tick]) -> list[int]:
    """For each true switch that the observer notices before the next, the steps until its MAP is the true role."""
    delays = [first(right, ticks[start:end], default=-1) for start, end in _segments(ticks)]
    return [delay for delay in delays if delay >= 0]


def first(holds: Callable[[Tick], bool], ticks: list[Tick], *, default: int) -> int:
    """The index of the first tick for which something holds."""
    return next((i for i, tick in enumerate(ticks) if holds(tick)), default)


def _complements(tick: Tick) -> bool:
    return complementary(tick.role(EGO), tick.role(PARTNER))


def _segments(ticks: list[Tick]) -> list[tuple[int, int]]:
    """From each true switch to the next, or to the end."""
    starts = switch_steps(ticks)
    return list(pairwise([*starts, len(ticks)]))
