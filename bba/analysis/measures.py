"""The preprint's measures of one episode, as pure functions of its trace.

Belief measures read the passive observer, which runs beside every kind of ego with default settings, so that like is
compared with like. The ego is player 0, the partner player 1. A step is *scored* where the partner's true role is one
of the six (fire handling and waiting have none). Shares are NaN-free: None where there was nothing to count.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import reduce
from itertools import pairwise
from typing import NamedTuple

from bba.belief import NO_ROLE, is_complementary
from bba.kitchen.state import DELIVERED_IN_ORDER, DELIVERIES, EXPIRED, FIRES, SCORE, STREAK
from bba.planner import Usage
from bba.play.trace import Tick, Trace

EGO, PARTNER = 0, 1
COMP_WITHIN = 3  # steps after a contradiction in which the ego's reaction counts
CONFIDENT = 0.65  # the preprint's Γ


@dataclass(frozen=True, slots=True)
class Measures:
    """One episode in numbers. Shares are 0 to 1, None where there was nothing to count; `streak` is the longest.

    What planning took counts all that the ego's model was asked, beside the skill too, except that fallbacks are of
    skills; tokens, seconds and US dollars are None where they are not known.
    """

    reward: int
    deliveries: int
    in_order: int
    streak: int
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
    planner_prompt_tokens: int | None
    planner_completion_tokens: int | None
    planner_seconds: float | None
    planner_cost: float | None

    def to_dict(self) -> dict[str, int | float | None]:
        """Plain numbers by name."""
        return asdict(self)


def measure(trace: Trace, since: int = 0) -> Measures:
    """Every measure of what happened in a trace after its first `since` steps, of which there must be any."""
    ticks = trace.ticks[since:]
    won = ticks[-1].state - (trace.ticks[since - 1].state if since else trace.start)
    decisions = [tick.decisions[EGO] for tick in ticks]
    calls = [call for decision in decisions for call in decision.calls]
    spent = total(call.usage for call in calls)
    recovered, delays = recoveries(ticks), detection_delays(ticks)
    return Measures(
        reward=int(won[SCORE]),
        deliveries=int(won[DELIVERIES]),
        in_order=int(won[DELIVERED_IN_ORDER]),
        streak=max(int(tick.state[STREAK]) for tick in ticks),
        orders_expired=int(won[EXPIRED]),
        fires=int(won[FIRES]),
        skill_accuracy=skill_accuracy(ticks),
        skill_accuracy_confident=skill_accuracy(ticks, CONFIDENT),
        gap_rate=gap_rate(ticks),
        gap_rate_confident=gap_rate(ticks, CONFIDENT),
        comp_at_3=comp_at(ticks, COMP_WITHIN),
        duplicate_rate=duplicate_rate(ticks),
        contradictions=sum(contradicted(tick) for tick in ticks),
        replans=sum(tick.decisions[EGO].replanned for tick in ticks),
        switches=len(recovered),
        switches_caught=len(delays),
        catch_delay=ratio(sum(delays), len(delays)),
        recovery=ratio(sum(recovered), len(recovered)),
        planner_calls=sum(call.attempts for call in calls),
        planner_retries=sum(call.attempts - 1 for call in calls),
        planner_fallbacks=sum(call.fallback for call in calls),
        planner_prompt_tokens=spent and spent.prompt_tokens,
        planner_completion_tokens=spent and spent.completion_tokens,
        planner_seconds=spent and spent.seconds,
        planner_cost=spent and spent.cost,
    )


def total(usages: Iterable[Usage | None]) -> Usage | None:
    """What is known to have been spent, all together; None where nothing is known."""
    known = [usage for usage in usages if usage is not None]
    return reduce(Usage.plus, known) if known else None


def ratio(part: float, whole: int) -> float | None:
    """`part` of `whole`; None where there is no whole."""
    return part / whole if whole else None


def scored_ticks(ticks: Iterable[Tick]) -> Iterator[Tick]:
    """The ticks in which the partner's true role is one of the six."""
    return (tick for tick in ticks if tick.role(PARTNER) != NO_ROLE)


def map_correct(tick: Tick) -> bool:
    """Whether the observer's MAP is the partner's true role."""
    return tick.observer.map_index == tick.role(PARTNER)


def contradicted(tick: Tick) -> bool:
    """Whether the observer found the partner's last actions to contradict its MAP."""
    return tick.observer_gate is not None and tick.observer_gate.contradiction


def skill_accuracy(ticks: list[Tick], confidence: float = 0.0) -> float | None:
    """The share of scored steps (where the observer is at least so confident) whose MAP is the true role."""
    judged = [map_correct(tick) for tick in scored_ticks(ticks) if tick.observer.confidence >= confidence]
    return ratio(sum(judged), len(judged))


def duplicate_rate(ticks: list[Tick]) -> float | None:
    """The share of scored steps in which both run skills of the same role."""
    same = [tick.role(EGO) == tick.role(PARTNER) for tick in scored_ticks(ticks)]
    return ratio(sum(same), len(same))


def decision_point(before: Tick | None, tick: Tick) -> bool:
    """Whether the ego decides in a step: every planner selection; and mid-skill a contradiction or a change of role.

    `before` is the tick before, None at the start; the role is the partner's true one.
    """
    role, decision = NO_ROLE if before is None else before.role(PARTNER), tick.decisions[EGO]
    return (decision.chosen and not decision.thinking) or contradicted(tick) or tick.role(PARTNER) != role


def decision_points(ticks: list[Tick]) -> Iterator[Tick]:
    """The ticks in which the ego decides."""
    return (tick for before, tick in zip([None, *ticks], ticks, strict=False) if decision_point(before, tick))


def belief_action_gap(tick: Tick) -> bool:
    """Whether the ego, at a decision point whose MAP is right, runs a skill that does not complement it."""
    return map_correct(tick) and not is_complementary(tick.role(EGO), tick.observer.map_index)


def gap_rate(ticks: list[Tick], confidence: float = 0.0) -> float | None:
    """Belief-action gap: of the decision points with a right MAP, the share where the ego's skill is no complement."""
    judged = [
        belief_action_gap(tick)
        for tick in decision_points(ticks)
        if map_correct(tick) and tick.observer.confidence >= confidence
    ]
    return ratio(sum(judged), len(judged))


def comp_at(ticks: list[Tick], steps: int) -> float | None:
    """The share of contradictions after which the ego runs a skill that complements the true role within `steps`."""
    judged = [
        any(is_complementary(later.role(EGO), later.role(PARTNER)) for later in ticks[i : i + steps])
        for i, tick in enumerate(ticks)
        if contradicted(tick)
    ]
    return ratio(sum(judged), len(judged))


def switch_steps(ticks: list[Tick]) -> list[int]:
    """The indices at which the partner truly switches.

    For a partner with a schedule: where it takes up another role and its work changes role with that. For others: where
    the role of their work changes.
    """
    steps = []
    for i in range(1, len(ticks)):
        scheduled = ticks[i].decisions[PARTNER].scheduled_role
        before = ticks[i - 1].decisions[PARTNER].scheduled_role
        if ticks[i].role(PARTNER) != ticks[i - 1].role(PARTNER) and (scheduled is None or scheduled != before):
            steps.append(i)
    return steps


class SwitchResponse(NamedTuple):
    """How a true switch of the partner was followed.

    Attributes:
        start, end: the indices of its first tick and of the next switch (or the end of the game).
        role: what the partner switched to.
        noticed: steps until the observer's MAP is the true role; None if that does not happen before the next switch.
        complemented: steps until the ego runs a skill that complements the true role; None as above.
    """

    start: int
    end: int
    role: int
    noticed: int | None
    complemented: int | None


def switch_responses(ticks: list[Tick]) -> list[SwitchResponse]:
    """How each true switch of the partner was followed."""
    return [
        SwitchResponse(
            start,
            end,
            ticks[start].role(PARTNER),
            first_step(map_correct, ticks[start:end]),
            first_step(_complements, ticks[start:end]),
        )
        for start, end in pairwise([*switch_steps(ticks), len(ticks)])
    ]


def recoveries(ticks: list[Tick]) -> list[int]:
    """For each true switch the steps until the ego first runs a skill that complements the partner's true role.

    Where that does not happen before the next switch, the whole time between the two counts.
    """
    return [
        reaction.end - reaction.start if reaction.complemented is None else reaction.complemented
        for reaction in switch_responses(ticks)
    ]


def detection_delays(ticks: list[Tick]) -> list[int]:
    """For each true switch that the observer notices before the next, the steps until its MAP is the true role."""
    return [reaction.noticed for reaction in switch_responses(ticks) if reaction.noticed is not None]


def first_step(holds: Callable[[Tick], bool], ticks: list[Tick]) -> int | None:
    """The index of the first tick for which something holds; None where there is none."""
    return next((i for i, tick in enumerate(ticks) if holds(tick)), None)


def _complements(tick: Tick) -> bool:
    return is_complementary(tick.role(EGO), tick.role(PARTNER))
