"""The measures of the preprint and ours: one table with the meaning, the reading and the computation of each.

Everything that shows, stores, exports or explains measures reads `MEASURES`. A new entry appears in the summary and
JSON of a headless game, in stored results and their exports, in the tables of sweeps and reports, in the tables of
studies, and in docs/reference/measures.md.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Literal

from bba.analysis.coordination import (
    NEEDLESS_AFTER,
    BeliefTally,
    calibration_error,
    comp_at,
    comp_at_all_points,
    contradiction_recoveries,
    detection_delays,
    duplicate_rate,
    gap_rate,
    gap_rate_all_points,
    mean,
    needless_replans,
    recoveries,
    same_role_rate,
    share_reached,
    skill_accuracy,
)
from bba.analysis.measured_span import MeasuredSpan, of_observer, of_own_belief, of_usage
from bba.errors import BBAError
from bba.kitchen.constants import DELIVERED_IN_ORDER, DELIVERIES, EXPIRED, FIRES, SCORE, SKILL_STAY, STREAK
from bba.play.trace import EGO, Trace
from bba.tabular import Column

MeasureValue = int | float | None  # None: there was nothing to count, or it is not known
MeasureValues = dict[str, MeasureValue]  # by the measure's name

COMP_WITHIN = 3  # steps after a contradiction in which the ego's reaction counts
CONFIDENT = 0.65  # the preprint's Γ
REACHED_WITHIN = (10, 30)  # steps after a switch in which the ego's reaction counts


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure.

    Attributes:
        name: its key in files, presets and JSON.
        label: its heading in tables.
        meaning: the definition, in one phrase.
        compute: gives its value for one game; None for a measure that needs several games.
        type: the type of its values.
        unit: the unit of its values; "" for a plain count.
        decimals: decimal places of its means and fractions as people read them.
        better: 1 if more of it is better, -1 if less is, 0 if neither.
        of_model: whether only games in which a language model was asked have it.
    """

    name: str
    label: str
    meaning: str
    compute: Callable[[MeasuredSpan], MeasureValue] | None
    type: Literal["int", "float"] = "int"
    unit: str = ""
    decimals: int = 1
    better: Literal[-1, 0, 1] = 0
    of_model: bool = False

    @property
    def explanation(self) -> str:
        """The meaning, and which direction is better."""
        if self.better == 0:
            return self.meaning
        direction = "less" if self.better < 0 else "more"
        return f"{self.meaning}; {direction} is better"


_share = partial(Measure, type="float", unit="share", decimals=2)
_mean_steps = partial(Measure, type="float", unit="steps", better=-1)
_nats = partial(Measure, type="float", unit="nats", decimals=2, better=-1)
_tokens = partial(Measure, unit="tokens", decimals=0, of_model=True)


def _replans(span: MeasuredSpan) -> int | None:
    return int(span.steps.replanned.sum()) if span.counts_replans else None


def _needless_replans(span: MeasuredSpan) -> int | None:
    return len(needless_replans(span.steps, span.changes)) if span.counts_replans else None


def _waiting(span: MeasuredSpan) -> float:
    waits = span.steps.skills[:, EGO] == SKILL_STAY
    return float(waits.mean())


def _reached_within(steps: int) -> Measure:
    def compute(span: MeasuredSpan) -> float | None:
        return share_reached(span.reach_delays, steps)

    return _share(
        f"reached_{steps}",
        f"reached in {steps}",
        "share of the switches during a skill of the ego after which, before the next one and within "
        f"{steps} steps, it replans or itself chooses a skill while the observer's MAP is the new role",
        compute,
        better=1,
    )


def _accuracy(tally: BeliefTally) -> float:
    return tally.right / tally.steps


def _log_loss(tally: BeliefTally) -> float:
    return tally.log_loss / tally.steps


def _calibration(tally: BeliefTally) -> float:
    return calibration_error(tally.bins)


BR_PROX = "br_prox"
_TABLE = (
    Measure(
        "reward", "reward", "the team's reward", lambda span: span.gained(SCORE), unit="points", decimals=0, better=1
    ),
    Measure("deliveries", "deliveries", "dishes that were delivered", lambda span: span.gained(DELIVERIES), better=1),
    Measure(
        "in_order",
        "deliveries in order",
        "deliveries of the dish that the first open order asked for",
        lambda span: span.gained(DELIVERED_IN_ORDER),
        better=1,
    ),
    Measure(
        "streak",
        "longest streak",
        "longest run of deliveries in order",
        lambda span: int(span.steps.states[:, STREAK].max()),
        better=1,
    ),
    Measure(
        "orders_expired", "expired orders", "orders whose time ran out", lambda span: span.gained(EXPIRED), better=-1
    ),
    Measure("fires", "fires", "times that food began to burn", lambda span: span.gained(FIRES), better=-1),
    _share(
        "skill_accuracy",
        "observer's accuracy",
        "the preprint's skill accuracy, of the common observer: share of the steps with a true role of the partner in "
        "which the observer's MAP is that role; equal for all egos but for the games that they make",
        lambda span: skill_accuracy(span.steps),
        better=1,
    ),
    _share(
        "skill_accuracy_confident",
        "observer's accuracy, confident",
        f"the same over the steps in which the observer's confidence is {CONFIDENT} or more",
        lambda span: skill_accuracy(span.steps, CONFIDENT),
        better=1,
    ),
    _nats(
        "observer_log_loss",
        "observer's log loss",
        "mean of −log b(true role) over these steps, of the observer's posterior",
        of_observer(_log_loss),
    ),
    _share(
        "observer_calibration",
        "observer's calibration error",
        "by how much the probability of the observer's MAP and its accuracy differ: expected calibration error, ten "
        "bins",
        of_observer(_calibration),
        better=-1,
    ),
    _share(
        "belief_accuracy",
        "own belief's accuracy",
        "share of the steps with a true role of the partner in which that is the likeliest role of the ego's own "
        "posterior; none for an ego without a belief",
        of_own_belief(_accuracy),
        better=1,
    ),
    _nats(
        "belief_log_loss",
        "own belief's log loss",
        "mean of −log b(true role) over these steps, of the ego's own posterior",
        of_own_belief(_log_loss),
    ),
    _share(
        "belief_calibration",
        "own belief's calibration error",
        "expected calibration error of the ego's own posterior, ten bins",
        of_own_belief(_calibration),
        better=-1,
    ),
    _share(
        "gap_rate",
        "gap rate",
        "belief-action gap: share of the scored decision points with a correct MAP of the observer at which the ego's "
        "skill does not complement it",
        lambda span: gap_rate(span.steps),
        better=-1,
    ),
    _share(
        "gap_rate_confident",
        "gap rate, confident",
        f"gap rate over the decision points at which the observer's confidence is {CONFIDENT} or more",
        lambda span: gap_rate(span.steps, CONFIDENT),
        better=-1,
    ),
    _share(
        "gap_rate_all_points",
        "gap rate, all points",
        "rule 1: the same share, also of the contradictions and of the partner's switches; an ego without a role is a "
        "gap",
        lambda span: gap_rate_all_points(span.steps, span.all_points),
        better=-1,
    ),
    _share(
        "gap_rate_confident_all_points",
        "gap rate, confident, all points",
        f"rule 1: the same share where the observer's confidence is {CONFIDENT} or more",
        lambda span: gap_rate_all_points(span.steps, span.all_points, CONFIDENT),
        better=-1,
    ),
    _share(
        "comp_at_3",
        "Comp@3",
        f"share of the contradictions after which the ego complements the partner's true role within {COMP_WITHIN} "
        "steps, of which at least one is scored",
        lambda span: comp_at(span.steps, COMP_WITHIN),
        better=1,
    ),
    _share(
        "comp_at_3_all_points",
        "Comp@3, all points",
        "rule 1: the same share of all contradictions",
        lambda span: comp_at_all_points(span.steps, COMP_WITHIN),
        better=1,
    ),
    _share(
        "duplicate_rate",
        "duplicate rate",
        "share of the scored steps in which both players run the same skill",
        lambda span: duplicate_rate(span.steps),
        better=-1,
    ),
    _share(
        "same_role_rate",
        "same role rate",
        "rule 1's duplicates: share of the steps with a true role of the partner in which both players work in the "
        "same role",
        lambda span: same_role_rate(span.steps),
        better=-1,
    ),
    _share(
        "waiting",
        "waiting",
        "share of the steps in which the ego waits by choice",
        _waiting,
        better=-1,
    ),
    Measure(
        "contradictions",
        "observer's contradictions",
        "steps in which the partner's last actions contradict the observer's prior MAP",
        lambda span: int(span.steps.contradicted.sum()),
    ),
    Measure(
        "replans",
        "replans",
        "times that the ego interrupts a running skill to ask its planner anew; none for an ego without a planner that "
        "takes up another skill at will",
        _replans,
    ),
    Measure(
        "needless_replans",
        "needless replans",
        f"replans without a switch of the partner in the {NEEDLESS_AFTER} steps before",
        _needless_replans,
        better=-1,
    ),
    Measure(
        "switches",
        "partner's switches",
        "times that the partner turns to another role, which it then pursues",
        lambda span: len(span.responses),
    ),
    Measure(
        "switches_detected",
        "detected switches",
        "switches after which the observer's MAP becomes the new role before the next switch",
        lambda span: len(detection_delays(span.responses)),
    ),
    _mean_steps(
        "detection_delay",
        "detection delay",
        "mean steps from a detected switch until the observer's MAP is the new role",
        lambda span: mean(detection_delays(span.responses)),
    ),
    _mean_steps(
        "recovery",
        "recovery steps",
        "mean steps from a switch until the ego complements the partner's new role, or until the next switch",
        lambda span: mean(recoveries(span.responses)),
    ),
    _mean_steps(
        "contradiction_recovery",
        "recovery from contradiction",
        "mean steps from a contradiction until the ego complements the partner's true role, or until the next "
        "contradiction; those in steps that follow one another are one",
        lambda span: mean(contradiction_recoveries(span.steps)),
    ),
    *(_reached_within(steps) for steps in REACHED_WITHIN),
    Measure(
        "planner_calls",
        "planner calls",
        "times that the ego's planner was asked, with retries and side queries",
        lambda span: int(span.steps.attempts.sum()),
    ),
    Measure(
        "planner_retries",
        "planner retries",
        "times that it was asked again after an unusable answer",
        lambda span: int(span.steps.retries.sum()),
    ),
    Measure(
        "planner_fallbacks",
        "planner fallbacks",
        "skills that were chosen without a usable answer",
        lambda span: int(span.steps.fallbacks.sum()),
    ),
    _tokens(
        "planner_prompt_tokens",
        "prompt tokens",
        "tokens sent to the planner, where known",
        of_usage(lambda usage: usage.prompt_tokens),
    ),
    _tokens(
        "planner_completion_tokens",
        "completion tokens",
        "tokens in the planner's answers, where known",
        of_usage(lambda usage: usage.completion_tokens),
    ),
    Measure(
        "planner_estimated",
        "estimated answers",
        "the planner's answers whose tokens are estimated, because its endpoint does not report them",
        of_usage(lambda usage: usage.estimated),
        of_model=True,
    ),
    Measure(
        "planner_seconds",
        "planner seconds",
        "seconds that the planner took, where known",
        of_usage(lambda usage: usage.seconds),
        type="float",
        unit="seconds",
        decimals=2,
        of_model=True,
    ),
    Measure(
        "planner_cost",
        "planner cost",
        "price of the planner's calls, where known",
        of_usage(lambda usage: usage.cost),
        type="float",
        unit="US dollars",
        decimals=3,
        of_model=True,
    ),
    _share(
        BR_PROX,
        "BR-Prox (IQM)",
        "reward divided by that of the partner's best response, its own policy in both seats; interquartile mean over "
        "partners and seeds",
        None,
        better=1,
    ),
)

MEASURES: dict[str, Measure] = {measure.name: measure for measure in _TABLE}
# The measures of rule 1, the scoring rule of earlier versions, by the names that they had then.
RULE_1_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "gap_rate": "gap_rate_all_points",
        "gap_rate_confident": "gap_rate_confident_all_points",
        "comp_at_3": "comp_at_3_all_points",
        "duplicate_rate": "same_role_rate",
    }
)
EPISODE_MEASURES = {name: measure for name, measure in MEASURES.items() if measure.compute is not None}


def measure(trace: Trace, since: int = 0, *, own: Iterable[Measure] = ()) -> MeasureValues:
    """Returns every measure of one game.

    Args:
        trace: the game.
        since: how many steps at its beginning do not count, of which there must be fewer than it has.
        own: measures of plug-ins, in addition to `MEASURES`.

    Raises:
        BBAError: no step counts; or one of a plug-in raised an exception, or returned no number.
    """
    if len(trace.ticks) <= since:
        raise BBAError(f"trace: {len(trace.ticks)} steps, of which none is measured; a Replay has them after run()")
    span = MeasuredSpan(trace, since)
    values: MeasureValues = {}
    for entry in (*MEASURES.values(), *own):
        if entry.compute is not None:
            values[entry.name] = entry.compute(span)
    return values


def measure_columns() -> dict[str, Column]:
    """Returns the measures of one game as columns of a table."""
    return {name: Column(entry.type, entry.meaning) for name, entry in EPISODE_MEASURES.items()}
