"""How good a belief is, how well the belief knows the partner, and how well the ego coordinates with it.

These are functions of a game's steps. The belief is that of the passive observer, which runs beside every kind of ego
with default settings, so that all egos are compared by the same belief. The ego is player 0, the partner player 1. What
a switch of the partner is, `bba.analysis.human_choices` defines. A share is None where there was nothing to count.

The scoring rule is the preprint's, rule 2: fire handling, throwing away and waiting have no role, and a step in which
the skill of either cook has none is not *scored*. It is neither a gap nor none, and no duplicate. A measure of the
belief alone needs a role of the partner only. By rule 1, that of earlier versions, an ego without a role counted as one
that does not complement its partner; functions with `all_points` or `same_role` in their names still go by it.

For a tally of beliefs only steps count in which the partner's true role is one of the six; beliefs over skills are
summed up to roles first. Bins of confidence, (`BINS`, 3), are of equal width: for each the number of steps whose MAP
has such a probability, the sum of these probabilities, and the steps in which the MAP is right. The bins of several
games can be added up.

The passive observer is the same beside every agent, so that games of different agents can be compared. Its gates judge
as for an ego that is always in the middle of a skill. An opening is a step in which a gate opens that did not in the
step before. A switch is *caught* if a gate opens within so many steps from its start on; an opening is *needless* if no
switch began in the `RECENT` steps before it.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from bba.analysis.human_choices import RoleChange, pursued_steps, role_changes
from bba.belief import COMPLEMENTARY, NO_ROLE, ROLE_NAMES, CommitmentGateResult, GateResult
from bba.kitchen import Float64Array, constants
from bba.play.ticks import role_posteriors
from bba.play.trace import EGO, PARTNER, Roles, StepArrays, Trace, Truths
from bba.play.trajectory import OBSERVER_SEAT

NEEDLESS_AFTER = 30  # steps after a switch in which a replan may answer it


def mean(values: Sequence[float]) -> float | None:
    """Returns the mean; None without values."""
    return sum(values) / len(values) if values else None


def share(holds: Truths, among: Truths) -> float | None:
    """Returns the share of these steps in which something holds; None without steps."""
    steps = int(np.count_nonzero(among))
    if steps == 0:
        return None
    return int(np.count_nonzero(holds & among)) / steps


def has_true_role(steps: StepArrays) -> Truths:
    """Returns for each step whether the partner's true role is one of the six."""
    return steps.partner != NO_ROLE


def scored(steps: StepArrays) -> Truths:
    """Returns for each step whether both cooks run skills with a role."""
    return has_true_role(steps) & (steps.ego != NO_ROLE)


def map_correct(steps: StepArrays) -> Truths:
    """Returns for each step whether the observer's MAP is the partner's true role."""
    return steps.believed == steps.partner


def complements(steps: StepArrays) -> Truths:
    """Returns for each step whether the ego's skill complements the partner's true role."""
    return COMPLEMENTARY[steps.ego, steps.partner]


def same_role(steps: StepArrays) -> Truths:
    """Returns for each step with a true role of the partner whether both cooks run skills of the same role."""
    return steps.ego == steps.partner


def same_skill(steps: StepArrays) -> Truths:
    """Returns for each scored step whether both cooks run the same skill."""
    return steps.skills[:, EGO] == steps.skills[:, PARTNER]


def as_the_ego_believes(trace: Trace) -> tuple[StepArrays, bool]:
    """Returns the steps of a game with the ego's own MAP role as `believed`, and True.

    Where the ego lacked a belief in any step, the belief is the observer's, and the second value False.
    """
    steps = pursued_steps(trace)
    beliefs = role_posteriors(trace.ticks, EGO)
    if np.isnan(beliefs).any():
        return steps, False
    return replace(steps, believed=beliefs.argmax(axis=1)), True


def skill_accuracy(steps: StepArrays, confidence: float = 0.0) -> float | None:
    """Returns the share of steps whose MAP is the true role, of those with a true role and at least this confidence."""
    confident = steps.confidence >= confidence
    return share(map_correct(steps), has_true_role(steps) & confident)


def duplicate_rate(steps: StepArrays) -> float | None:
    """Returns the share of scored steps in which both cooks run the same skill."""
    return share(same_skill(steps), scored(steps))


def same_role_rate(steps: StepArrays) -> float | None:
    """Returns the share of steps with a true role of the partner in which both cooks run skills of the same role."""
    return share(same_role(steps), has_true_role(steps))


def decision_points(steps: StepArrays) -> Truths:
    """Returns for each step whether it is a decision point: the ego selects a skill.

    Waiting, for the planner or for a change, is no selection.
    """
    return steps.deliberate


def belief_action_gap(steps: StepArrays) -> Truths:
    """Returns for each step whether it is scored and the MAP is correct, but the ego's skill does not complement it."""
    return scored(steps) & map_correct(steps) & ~complements(steps)


def gap_rate(steps: StepArrays, confidence: float = 0.0) -> float | None:
    """Returns the share of gaps among the scored decision points with a correct MAP of at least this confidence."""
    confident = steps.confidence >= confidence
    return share(belief_action_gap(steps), decision_points(steps) & scored(steps) & map_correct(steps) & confident)


def all_points(steps: StepArrays, changes: Iterable[RoleChange]) -> Truths:
    """Returns for each step whether the ego selects a skill, a contradiction is found, or the partner switches."""
    points = steps.deliberate | steps.contradicted
    switch_starts = [change.start for change in changes if change.start >= 0]
    points[switch_starts] = True
    return points


def gap_rate_all_points(steps: StepArrays, points: Truths, confidence: float = 0.0) -> float | None:
    """Returns the share of these points with a correct MAP at which the ego does not complement it, or has no role."""
    confident = steps.confidence >= confidence
    return share(~complements(steps), points & map_correct(steps) & confident)


def comp_at(steps: StepArrays, within: int) -> float | None:
    """Returns the share of contradictions after which the ego complements the true role within so many steps.

    A contradiction after which none of these steps is scored does not count.
    """
    complementary = complements(steps)
    is_scored = scored(steps)
    hits = []
    for start in np.flatnonzero(steps.contradicted):
        window = slice(start, start + within)
        if is_scored[window].any():
            hits.append(bool(complementary[window].any()))
    return mean(hits)


def comp_at_all_points(steps: StepArrays, within: int) -> float | None:
    """Returns the same share of all contradictions, whatever both cooks do after them."""
    complementary = complements(steps)
    contradictions = np.flatnonzero(steps.contradicted)
    return mean([bool(complementary[start : start + within].any()) for start in contradictions])


def contradiction_recoveries(steps: StepArrays) -> list[int]:
    """Returns for each contradiction the steps until the ego complements the partner's true role.

    Contradictions in steps that follow one another are one, which begins with the first of them. One that the ego does
    not answer before the next begins, or the game ends, counts with all the steps until then; it does not count if none
    of these is scored.
    """
    starts: list[int] = np.flatnonzero(np.diff(steps.contradicted.astype(np.int8), prepend=0) > 0).tolist()
    complementary = complements(steps)
    is_scored = scored(steps)
    delays = []
    for start, end in pairwise([*starts, len(steps)]):
        if is_scored[start:end].any():
            delay = first_step(complementary[start:end])
            delays.append(end - start if delay is None else delay)
    return delays


# --- what follows a switch -----------------------------------------------------------------------------------------
class SwitchResponse(NamedTuple):
    """How belief and ego followed one switch of the partner.

    Attributes:
        start: index of the first step of the work in the new role.
        end: index of the next switch, or the number of steps.
        role: the role that the partner switched to.
        noticed: steps until the observer's MAP is that role; None if it never is before `end`.
        complemented: steps until the ego runs a skill that complements that role; None if it never does.
    """

    start: int
    end: int
    role: int
    noticed: int | None
    complemented: int | None


def switch_responses(steps: StepArrays, changes: Sequence[RoleChange] | None = None) -> list[SwitchResponse]:
    """Returns how each of these switches of the partner was followed, in order; None stands for all of the game."""
    if changes is None:
        changes = role_changes(steps)
    starts = [change.start for change in changes]
    starts.append(len(steps))
    responses = []
    for change, end in zip(changes, starts[1:], strict=True):
        start = change.start
        role = change.role
        noticed = first_step(steps.believed[start:end] == role)
        complemented = first_step(COMPLEMENTARY[steps.ego[start:end], role])
        responses.append(SwitchResponse(start, end, role, noticed, complemented))
    return responses


class Switch(NamedTuple):
    """A switch of player 1 to another role, with steps as `Tick.step` counts them, from 1.

    Attributes:
        step: the step in which it begins to work in the new role, or to put down something right before that.
        role: the name of the role that it switched to.
        detected_at: the step in which the observer's MAP is that role; None if it never is before the next switch.
        complemented_at: the step in which player 0 runs a skill that complements that role; None as above.
    """

    step: int
    role: str
    detected_at: int | None
    complemented_at: int | None


def switches(trace: Trace) -> list[Switch]:
    """Returns the switches of player 1 in order; what a switch is, docs/use/benchmarks.md says."""
    return [_switch(response) for response in switch_responses(pursued_steps(trace))]


def _switch(response: SwitchResponse) -> Switch:
    step = response.start + 1
    detected_at = None if response.noticed is None else step + response.noticed
    complemented_at = None if response.complemented is None else step + response.complemented
    return Switch(step, ROLE_NAMES[response.role], detected_at, complemented_at)


def recoveries(responses: list[SwitchResponse]) -> list[int]:
    """Returns for each switch the steps until the ego first complements the partner's new role.

    A switch that the ego does not complement before the next one counts with all the steps between the two.
    """
    delays = []
    for response in responses:
        if response.complemented is None:
            delays.append(response.end - response.start)
        else:
            delays.append(response.complemented)
    return delays


def detection_delays(responses: list[SwitchResponse]) -> list[int]:
    """Returns the steps until the observer's MAP is the new role, for each switch that it detects before the next."""
    return [response.noticed for response in responses if response.noticed is not None]


def reach_delays(steps: StepArrays, responses: list[SwitchResponse]) -> list[int | None]:
    """Returns for each switch in the middle of a skill of the ego the steps until the ego is reached.

    A switch *reaches* the ego when the ego replans, or chooses a skill of its own accord while the observer's MAP is
    the new role; None if that does not happen before the next switch. A switch in a step in which the ego chooses or
    waits is left out.

    Args:
        steps: all steps of the game.
        responses: the switches in question.
    """
    skills = steps.skills[:, EGO]
    mid_skill = ~steps.chosen & (skills != constants.NO_SKILL) & (skills != constants.SKILL_STAY)
    delays = []
    for response in responses:
        if mid_skill[response.start]:
            chooses_knowingly = steps.deliberate & (steps.believed == response.role)
            reached = steps.replanned | chooses_knowingly
            delays.append(first_step(reached[response.start : response.end]))
    return delays


def share_reached(delays: list[int | None], steps: int) -> float | None:
    """Returns the share of the delays that are at most so many steps; None without delays."""
    return mean([delay is not None and delay <= steps for delay in delays])


def needless_replans(steps: StepArrays, changes: Sequence[RoleChange]) -> list[int]:
    """Returns the indices of the replans without a switch in the `NEEDLESS_AFTER` steps before."""
    starts = [change.start for change in changes]
    replans: list[int] = np.flatnonzero(steps.replanned).tolist()
    return [replan for replan in replans if bisect_left(starts, replan) == bisect_left(starts, replan - NEEDLESS_AFTER)]


def first_step(holds: Truths) -> int | None:
    """Returns the index of the first step in which something holds; None if there is none."""
    if len(holds) == 0:
        return None
    index = int(holds.argmax())
    return index if holds[index] else None


BINS = 10
RECENT = 30  # steps
CAUGHT_WITHIN = (10, 30)  # steps
LEAST_BELIEF = 1e-9  # a smaller share of a belief counts as this one, or one sure mistake would weigh infinitely
Bins = Float64Array


class BeliefTally(NamedTuple):
    """Counts and sums over one game.

    Attributes:
        steps: that count.
        right: of these, with the true role as MAP.
        log_loss: sum of −log b(true role), in nats.
        bins: of confidence.
    """

    steps: int
    right: int
    log_loss: float
    bins: Bins


def belief_tally(trace: Trace, beliefs: Float64Array) -> BeliefTally:
    """Returns the counts of a game for the beliefs, (steps, 6), that a model had in it."""
    return tally_of(pursued_steps(trace).partner, beliefs)


def tally_of(true_roles: Roles, beliefs: Float64Array) -> BeliefTally:
    """Returns the counts for beliefs, (steps, 6), of the roles, (steps,), that were pursued."""
    counted = np.flatnonzero(true_roles != NO_ROLE)
    believed = beliefs[counted]
    true_roles = true_roles[counted]
    right = believed.argmax(axis=1) == true_roles
    probabilities_of_truth = believed[np.arange(len(counted)), true_roles]
    log_loss = -np.log(np.maximum(probabilities_of_truth, LEAST_BELIEF)).sum()
    confidence = believed.max(axis=1)
    places = np.minimum((confidence * BINS).astype(int), BINS - 1)
    columns = [np.bincount(places, weights, BINS) for weights in (np.ones(len(confidence)), confidence, right)]
    bins = np.stack(columns, axis=1).astype(np.float64, copy=False)
    return BeliefTally(len(counted), int(right.sum()), float(log_loss), bins)


def own_tally(trace: Trace) -> BeliefTally | None:
    """Returns the counts of a game for the beliefs by which the ego played; None if it lacked one in any step."""
    beliefs = role_posteriors(trace.ticks, EGO)
    return None if np.isnan(beliefs).any() else belief_tally(trace, beliefs)


def observer_tally(trace: Trace) -> BeliefTally:
    """Returns the counts of a game for the beliefs of the passive observer."""
    return belief_tally(trace, role_posteriors(trace.ticks, OBSERVER_SEAT))


def calibration_error(bins: Bins) -> float:
    """Returns the expected calibration error: by how much confidence and accuracy differ, weighted by steps, 0 to 1."""
    counts, confidence, right = bins.T
    weighted_errors = np.abs(confidence - right)
    return float(weighted_errors.sum() / counts.sum())


class Reliability(NamedTuple):
    """The steps of a bin.

    Attributes:
        belief: the mean probability of the MAP.
        right: the share of the steps in which the MAP is right.
        steps: how many.
        low: the lower limit of the bin.
    """

    belief: float
    right: float
    steps: int
    low: float


def reliability(bins: Bins) -> list[Reliability]:
    """Returns the bins that have any steps, in order."""
    curve = []
    for place, (count, confidence, right) in enumerate(bins.tolist()):
        if count:
            curve.append(Reliability(confidence / count, right / count, int(count), place / BINS))
    return curve


class GateCount(NamedTuple):
    """How a gate of the observer followed the switches of a game.

    Attributes:
        gate: "contradiction" or "commitment".
        switches: of the partner.
        caught_10, caught_30: of these, caught within so many steps.
        openings: of the gate.
        needless: of these, needless.
        steps: of the game.
    """

    gate: str
    switches: int
    caught_10: int
    caught_30: int
    openings: int
    needless: int
    steps: int


def gate_counts(trace: Trace) -> Iterator[GateCount]:
    """Yields how both gates followed the partner's switches."""
    ticks = trace.ticks
    starts = [change.start for change in role_changes(pursued_steps(trace))]
    gates: dict[str, Sequence[GateResult | CommitmentGateResult | None]] = {
        "contradiction": [tick.observer_gate for tick in ticks],
        "commitment": [tick.observer_commitment_gate for tick in ticks],
    }
    for gate, results in gates.items():
        opens = np.array([result is not None and result.opens for result in results], np.int8)
        openings: list[int] = np.flatnonzero(np.diff(opens, prepend=0) > 0).tolist()
        needless = sum(not _any_between(starts, opening - RECENT, opening) for opening in openings)
        caught_10, caught_30 = (_caught(starts, openings, within) for within in CAUGHT_WITHIN)
        yield GateCount(gate, len(starts), caught_10, caught_30, len(openings), needless, len(ticks))


def _caught(starts: Sequence[int], openings: Sequence[int], within: int) -> int:
    """Returns how many switches, by their starts, have an opening within so many steps."""
    return sum(_any_between(openings, start, start + within) for start in starts)


def _any_between(indices: Sequence[int], first: int, last: int) -> bool:
    """Whether one of these indices, in order, lies between two, both included."""
    return bisect_left(indices, last + 1) > bisect_left(indices, first)
