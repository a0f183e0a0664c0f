"""What is worth a look in a game, as its trace tells: replans of the ego, highlights, and what a person declared.

Of a replan it is told what was believed, what spoke against it, and what came of it. Its step is the one from which the
ego runs the skill that its planner chose; where the planner answers late, what interrupted the ego lies some steps
earlier. Highlights are slow or missed switches of the partner, replans, and long duplicate work. Of a declaration it is
told whether the person's partner believed so meanwhile.
"""

from collections.abc import Iterator
from itertools import groupby
from math import log
from operator import itemgetter
from typing import NamedTuple

from bba.agents import TRIGGERS, completes_or_takes, trigger_of
from bba.analysis import names
from bba.analysis.coordination import switch_responses
from bba.analysis.human_choices import pursued_steps
from bba.analysis.snapshot import (
    Snapshot,
    StepsWhere,
    belief_snapshot,
    hypothesis_in_words,
    likeliest_role,
    role_posterior,
)
from bba.belief import NO_ROLE, NOTHING_REMEMBERED, observed_action
from bba.config import TriggerName
from bba.kitchen.constants import ACTION_NAMES, ACTION_STAY, EVENT, INTERACT, POSITION
from bba.planner.rollout.futures import Comparison
from bba.play import EGO, PARTNER, Trace
from bba.play.trace import StepArrays, counts_replans


def partner_doing(trace: Trace, step: int) -> str:
    """Returns what the partner is seen to do in a step: "going north", "turning west", "staying", "boiling rice" …"""
    before = trace.state(step - 1)
    after = trace.state(step)
    action = observed_action(before, after, PARTNER)
    if action == INTERACT:
        return names.skill_doing(int(after[EVENT + PARTNER]))
    if action == ACTION_STAY:
        return "staying"
    moved = before[POSITION + PARTNER] != after[POSITION + PARTNER]
    return f"{'going' if moved else 'turning'} {ACTION_NAMES[action]}"


def opening(trace: Trace, step: int, trigger: TriggerName | None) -> int:
    """Returns the last step so far in which the trigger interrupted the skill that the ego ran until `step`."""
    began = step - 1 - trace.ticks[step - 2].ages[EGO]
    return next((one for one in range(step, began, -1) if _interrupts(trace, one, trigger)), step)


def _interrupts(trace: Trace, step: int, trigger: TriggerName | None) -> bool:
    """Whether a trigger interrupted the ego in a step, as the trace tells: not by what a model or a plug-in said."""
    if trigger == "completion-held":
        return completes_or_takes(trace.state(max(step - 2, 0)), trace.state(step - 1), PARTNER)
    decision = trace.ticks[step - 1].decisions[EGO]
    rule = TRIGGERS.get(trigger or "")
    return rule is not None and rule.interrupts(decision.gate, decision.commitment, step - 1)


REPLAN_SHOWN_STEPS = 50  # steps for which screens and films show a replan


class Expectation(NamedTuple):
    """The likeliest hypothesis about the partner at one moment.

    Attributes:
        step: the step in whose decision this was believed.
        hypothesis: in words.
        probability: 0 to 1; None if the trace does not hold the belief of that step.
    """

    step: int
    hypothesis: str
    probability: float | None


class Evidence(NamedTuple):
    """What the partner did, and how well that fits.

    Attributes:
        actions: the number of actions that count.
        telling: the step of the action that fits worst; None if the trace does not tell.
        number: ℓ, or the commitment gate's Λ.
        threshold: θ or λ.
        favours: the hypothesis that the actions fit better, by the commitment gate, in words; None by ℓ.
    """

    actions: int
    telling: int | None
    number: float
    threshold: float
    favours: str | None = None


class Replan(NamedTuple):
    """One replan.

    Attributes:
        step: the step from which the ego runs what its planner chose.
        opened: the step in which the trigger interrupted the ego; earlier than `step` if the planner answered late.
        trigger: what interrupted it.
        told: whether the ego is told the truth in the place of a belief.
        before, now: the belief that was tested, and the one in `step`; None if the ego has none.
        evidence: what its partner did, by the gate; None without a belief.
        stopped, chosen: the skill that was interrupted, and the one that the planner chose.
        fallback: whether the planner gave no usable answer.
        comparison: what a rollout planner weighed; None with another planner.
    """

    step: int
    opened: int
    trigger: TriggerName | None
    told: bool
    before: Expectation | None
    now: Expectation | None
    evidence: Evidence | None
    stopped: int
    chosen: int
    fallback: bool
    comparison: Comparison | None


def replan_at(trace: Trace, step: int) -> Replan | None:
    """Returns the replan of a step, 1 for the first; None if the ego did not replan in it."""
    decision = trace.ticks[step - 1].decisions[EGO]
    if not decision.replanned:
        return None
    seat = trace.config_at(step).seats[EGO]
    belief = decision.belief
    trigger = trigger_of(seat)
    opened = opening(trace, step, trigger)
    expected, evidence = (_committed if trigger == "commitment" else _judged)(trace, opened)
    return Replan(
        step=step,
        opened=opened,
        trigger=trigger,
        told=bool(seat.oracle),
        before=expected,
        now=belief and Expectation(step, hypothesis_in_words(belief, belief.map_index), belief.confidence),
        evidence=evidence,
        stopped=trace.ticks[step - 2].skills[EGO],
        chosen=trace.ticks[step - 1].skills[EGO],
        fallback=decision.plan is not None and decision.plan.fallback,
        comparison=decision.comparison,
    )


def last_replan(trace: Trace, step: int, within: int) -> int | None:
    """Returns the last step in which the ego replanned, if it is one of the last `within` up to `step`; else None."""
    recent = range(step, max(0, step - within), -1)
    return next((one for one in recent if trace.ticks[one - 1].decisions[EGO].replanned), None)


_REPLANS = StepsWhere(lambda trace, step: trace.ticks[step - 1].decisions[EGO].replanned)


def replans_until(trace: Trace, step: int) -> int | None:
    """Returns how often the ego has replanned up to a step; None where that is not counted, as in `measure`."""
    return _REPLANS.count(trace, step) if counts_replans(trace.configs) else None


def recent_replan(snapshot: Snapshot) -> Replan | None:
    """Returns the ego's last replan if it is recent enough to be shown; else None."""
    step = _REPLANS.last(snapshot.trace, snapshot.step)  # screens ask at every step: each is read once
    return replan_at(snapshot.trace, step) if step > max(0, snapshot.step - REPLAN_SHOWN_STEPS) else None


def roles_before(trace: Trace, replan: Replan) -> tuple[float, ...] | None:
    """Returns the tested belief over the six roles, (6,); None if the trace does not hold it."""
    at = replan.before.step if replan.before else 0
    belief = trace.ticks[at - 1].decisions[EGO].belief if at else None
    return role_posterior(belief) if belief else None


# --- what was believed, and what spoke against it ----------------------------------------------------------------
Tested = tuple[Expectation | None, Evidence | None]


def _judged(trace: Trace, step: int) -> Tested:
    """Returns the belief that the preprint's gate tests in a step, and ℓ."""
    belief = trace.ticks[step - 1].decisions[EGO].belief
    config = trace.config_at(step).belief_config
    if belief is None or config is None:
        return None, None
    ratios = belief.likelihood_ratios
    back = min(range(len(ratios)), key=ratios[::-1].__getitem__, default=None)
    telling = None if back is None else step - 1 - back
    evidence = Evidence(len(ratios), telling, belief.contradiction_likelihood, config.gate.theta_obs)
    return Expectation(step - 1, hypothesis_in_words(belief, belief.prior_map), belief.prior_confidence), evidence


def _committed(trace: Trace, step: int) -> Tested:
    """Returns what the commitment gate remembers in a step, and Λ."""
    decision = trace.ticks[step - 1].decisions[EGO]
    config = trace.config_at(step).belief_config
    belief = decision.belief
    result = decision.commitment
    if belief is None or result is None or config is None or result.remembered == NOTHING_REMEMBERED:
        return None, None
    since = _remembered_at(trace, step, result.age, renewed=config.commitment.renewal == "completion")
    then = trace.ticks[since - 1].decisions[EGO].belief if since else None
    words = hypothesis_in_words(belief, result.remembered)
    probability = then.posterior[result.remembered] if then else None
    telling = _most_telling(trace, step, result.age, result.remembered)
    favours = hypothesis_in_words(belief, belief.map_index)
    evidence = Evidence(result.age, telling, result.ratio, config.commitment.commitment_ratio, favours)
    return Expectation(since, words, probability), evidence


def _remembered_at(trace: Trace, step: int, age: int, *, renewed: bool) -> int:
    """Returns the step in which the commitment gate remembered what it tests, `age` of the partner's actions ago.

    A choice is remembered after its step's action was counted; a renewal by a completion before that.
    """
    first = trace.ticks[step - age].decisions[EGO].belief
    return step - age + 1 if renewed and first is not None and first.new_segment else step - age


def _most_telling(trace: Trace, step: int, age: int, remembered: int) -> int | None:
    """Returns the step of the action that speaks most for the MAP against what is remembered, of those in Λ's span."""
    beliefs = [tick.decisions[EGO].belief for tick in trace.ticks[step - age : step]]
    best = beliefs[-1].map_index if beliefs and beliefs[-1] else NOTHING_REMEMBERED
    total = 0.0
    span = list[tuple[float, int]]()
    for at, belief in enumerate(beliefs, step - age + 1):
        if belief is None or not belief.relative_likelihoods:
            return None
        gain = log(belief.relative_likelihoods[best]) - log(belief.relative_likelihoods[remembered])
        total = max(0.0, total + gain)
        span = [*span, (gain, at - 1)] if total else []
    return max(span)[1] if span else None


def keeps_plan(replan: Replan) -> bool:
    """Whether the planner, asked again, chose the skill that was interrupted."""
    return replan.chosen == replan.stopped


# --- highlights and declarations -----------------------------------------------------------------------------------
MOST_OF_A_KIND = 3
MIN_DUPLICATE_STEPS = 15  # shorter duplicate work is no highlight


class Highlight(NamedTuple):
    """A step worth a look.

    Attributes:
        step: the step, from 1.
        kind: "unnoticed" (a switch that the belief never detected), "slow" (one that it detected late), "replan", or
            "duplicate" (both players work on the same role).
        steps: the duration in steps; 0 for a replan.
        role: the partner's role.
    """

    step: int
    kind: str
    steps: int
    role: int


def highlights(trace: Trace) -> list[Highlight]:
    """Returns the highlights of a game in order, at most three of each kind: the longest ones, the earliest of equals.

    Of replans, those that changed the plan come first; none lies so close to another that both are shown at once.
    """
    steps = pursued_steps(trace)
    responses = switch_responses(steps)
    unnoticed = [Highlight(r.start + 1, "unnoticed", r.end - r.start, r.role) for r in responses if r.noticed is None]
    slow = [Highlight(r.start + 1, "slow", r.noticed, r.role) for r in responses if r.noticed]
    found = _replans(steps)
    for kind in (unnoticed, slow, _duplicates(steps)):
        found += sorted(kind, key=lambda one: (-one.steps, one.step))[:MOST_OF_A_KIND]
    return sorted(found)


def _replans(steps: StepArrays) -> list[Highlight]:
    """Returns replans that lie apart, first of all the earliest that changed the plan."""
    skills = steps.skills[:, EGO].tolist()
    roles = steps.partner.tolist()
    replans = [index for index, replanned in enumerate(steps.replanned.tolist()) if replanned]
    kept = {index for index in replans if index == 0 or skills[index - 1] == skills[index]}
    found: list[Highlight] = []
    for index in sorted(replans, key=lambda index: (index in kept, index)):
        apart = all(abs(index + 1 - other.step) >= REPLAN_SHOWN_STEPS for other in found)
        if apart and len(found) < MOST_OF_A_KIND:
            found.append(Highlight(index + 1, "replan", 0, roles[index]))
    return found


def _duplicates(steps: StepArrays) -> Iterator[Highlight]:
    """Yields the intervals in which both players have the same role for long."""
    roles = zip(steps.ego.tolist(), steps.partner.tolist(), strict=True)
    for (ego, role), run in groupby(enumerate(roles, 1), key=itemgetter(1)):
        during = [step for step, _ in run]
        if ego == role != NO_ROLE and len(during) >= MIN_DUPLICATE_STEPS:
            yield Highlight(during[0], "duplicate", len(during), role)


class Declaration(NamedTuple):
    """One declaration.

    Attributes:
        start: the step in which it was made, from 1.
        role: the declared role.
        steps: for how many steps it counted: until the next declaration, or the end.
        believed: in how many of these the role was the most likely one in the belief about the person.
    """

    start: int
    role: int
    steps: int
    believed: int


def declarations(trace: Trace) -> list[Declaration]:
    """Returns the declarations of the person whom the belief is about, player 1, in order."""
    said = [
        (tick.step, tick.decisions[PARTNER].declared_role)
        for tick in trace.ticks
        if tick.decisions[PARTNER].declared_role is not None
    ]
    believed = [likeliest_role(belief_snapshot(trace, tick.step).belief) for tick in trace.ticks] if said else []
    ends = [*(start for start, _ in said), len(trace.ticks) + 1][1:]
    return [
        Declaration(start, role, end - start, believed[start - 1 : end - 1].count(role))
        for (start, role), end in zip(said, ends, strict=True)
        if role is not None
    ]
