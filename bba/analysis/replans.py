"""What is worth a look in a game, from its trace: replans of the ego, highlights, and a person's declarations.

A replan has the belief that was tested, the evidence against it, and the outcome. Its step is the one from which the
ego runs the skill that its planner chose; where the planner answers late, the interruption lies some steps earlier.
Highlights are slow or missed switches of the partner, replans, and long duplicate work. A declaration has the number of
steps in which the person's partner believed in the declared role.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby
from math import log
from operator import itemgetter
from typing import NamedTuple

from bba.agents import TRIGGERS, completes_or_takes, trigger_of
from bba.analysis import names
from bba.analysis.coordination import as_the_ego_believes, switch_responses
from bba.analysis.snapshot import (
    Snapshot,
    StepsWhere,
    belief_snapshot,
    hypothesis_in_words,
    likeliest_role,
    role_posterior,
)
from bba.belief import NO_ROLE, NOTHING_REMEMBERED, BeliefUpdate, observed_action
from bba.config import TriggerName
from bba.kitchen.constants import ACTION_NAMES, ACTION_STAY, EVENT, INTERACT, POSITION
from bba.planner.rollout.futures import Comparison
from bba.play import EGO, PARTNER, Trace
from bba.play.trace import StepArrays, counts_replans


def partner_doing(trace: Trace, step: int) -> str:
    """Returns what the partner is seen to do in a step: "going north", "turning west", "staying", "boiling rice" …"""
    previous_state = trace.state(step - 1)
    state = trace.state(step)
    action = observed_action(previous_state, state, PARTNER)
    if action == INTERACT:
        return names.skill_doing(int(state[EVENT + PARTNER]))
    if action == ACTION_STAY:
        return "staying"
    moved = previous_state[POSITION + PARTNER] != state[POSITION + PARTNER]
    verb = "going" if moved else "turning"
    return f"{verb} {ACTION_NAMES[action]}"


def opening(trace: Trace, step: int, trigger: TriggerName | None) -> int:
    """Returns the last step so far in which the trigger interrupted the skill that the ego ran until `step`."""
    began = choice_step(trace, step - 1)
    for candidate in range(step, began, -1):
        if _interrupts(trace, candidate, trigger):
            return candidate
    return step


def _interrupts(trace: Trace, step: int, trigger: TriggerName | None) -> bool:
    """Whether a trigger interrupted the ego in a step; the trace does not hold the answer of a model or a plug-in."""
    if trigger == "completion-held":
        return completes_or_takes(trace.state(max(step - 2, 0)), trace.state(step - 1), PARTNER)
    rule = TRIGGERS.get(trigger or "")
    if rule is None:
        return False
    decision = trace.ticks[step - 1].decisions[EGO]
    return rule.interrupts(decision.gate, decision.commitment_gate, step - 1)


REPLAN_SHOWN_STEPS = 50  # steps for which screens and films show a replan


class Expectation(NamedTuple):
    """The likeliest hypothesis about the partner at one moment.

    Attributes:
        step: the step in whose decision this was believed.
        hypothesis: what the partner does by it, as "prepare rice".
        probability: 0 to 1; None if the trace does not hold the belief of that step.
    """

    step: int
    hypothesis: str
    probability: float | None


class Evidence(NamedTuple):
    """What a trigger went by: the partner's last actions, and how well they fit the tested belief; or points.

    Attributes:
        actions: the number of actions that count; 0 by the value trigger.
        strongest_step: the step of the action that fits worst; None if the trace does not have it.
        number: ℓ, the commitment gate's Λ, or the points by which another plan is better.
        threshold: θ, λ, or the points that a replan has to bring.
        favours: the hypothesis that the actions fit better, by the commitment gate, in words; None by ℓ.
    """

    actions: int
    strongest_step: int | None
    number: float
    threshold: float
    favours: str | None = None


class Replan(NamedTuple):
    """One replan.

    Attributes:
        step: the step from which the ego runs what its planner chose.
        opened: the step in which the trigger interrupted the ego; earlier than `step` if the planner answered late.
        trigger: the trigger that interrupted the ego.
        oracle: whether the ego is told the truth in the place of a belief.
        tested, current: the belief that was tested, and the one in `step`; None if the ego has none.
        evidence: the partner's actions, as the gate weighs them; None without a belief.
        stopped, chosen: the skill that was interrupted, and the one that the planner chose.
        fallback: whether the planner gave no usable answer.
        comparison: what a rollout planner weighed; None with another planner.
    """

    step: int
    opened: int
    trigger: TriggerName | None
    oracle: bool
    tested: Expectation | None
    current: Expectation | None
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
    trigger = trigger_of(seat)
    opened = opening(trace, step, trigger)
    if trigger == "commitment":
        tested, evidence = _test_of_commitment_gate(trace, opened)
    elif trigger == "value":
        tested, evidence = _test_of_value(trace, opened)
    else:
        tested, evidence = _test_of_prior_map(trace, opened)
    belief = decision.belief
    current = None
    if belief is not None and trigger == "value":
        current = _expected_work(step, belief)
    elif belief is not None:
        current = Expectation(step, hypothesis_in_words(belief, belief.map_index), belief.confidence)
    return Replan(
        step=step,
        opened=opened,
        trigger=trigger,
        oracle=bool(seat.oracle),
        tested=tested,
        current=current,
        evidence=evidence,
        stopped=trace.ticks[step - 2].skills[EGO],
        chosen=trace.ticks[step - 1].skills[EGO],
        fallback=decision.plan is not None and decision.plan.fallback,
        comparison=decision.comparison,
    )


def choice_step(trace: Trace, step: int) -> int:
    """Returns the step in which the ego chose the skill that it runs in this one; 0 where it was chosen before."""
    return step - trace.ticks[step - 1].ages[EGO]


def _replanned(trace: Trace, step: int) -> bool:
    return trace.ticks[step - 1].decisions[EGO].replanned


def last_replan(trace: Trace, step: int, within: int) -> int | None:
    """Returns the last step in which the ego replanned, if it is one of the last `within` up to `step`; else None."""
    recent = range(step, max(0, step - within), -1)
    return next((number for number in recent if _replanned(trace, number)), None)


_REPLANS = StepsWhere(_replanned)


def replans_until(trace: Trace, step: int) -> int | None:
    """Returns how often the ego has replanned up to a step; None where that is not counted, as in `measure`."""
    return _REPLANS.count(trace, step) if counts_replans(trace.configs) else None


def recent_replan(snapshot: Snapshot) -> Replan | None:
    """Returns the ego's last replan if it is recent enough to be shown; else None."""
    step = _REPLANS.last(snapshot.trace, snapshot.step)  # screens ask at every step: each is read once
    if step <= max(0, snapshot.step - REPLAN_SHOWN_STEPS):
        return None
    return replan_at(snapshot.trace, step)


def roles_before(trace: Trace, replan: Replan) -> tuple[float, ...] | None:
    """Returns the tested belief over the six roles, (6,); None if the trace does not hold it."""
    if replan.tested is None or not replan.tested.step:
        return None
    belief = trace.ticks[replan.tested.step - 1].decisions[EGO].belief
    return role_posterior(belief) if belief else None


# --- the belief that a gate tests, and the evidence ---------------------------------------------------------------
GateTest = tuple[Expectation | None, Evidence | None]


def _test_of_prior_map(trace: Trace, step: int) -> GateTest:
    """Returns the belief that the preprint's gate tests in a step, and ℓ."""
    belief = trace.ticks[step - 1].decisions[EGO].belief
    config = trace.config_at(step).belief_config
    if belief is None or config is None:
        return None, None
    tested = Expectation(step - 1, hypothesis_in_words(belief, belief.prior_map), belief.prior_confidence)
    newest_first = belief.likelihood_ratios[::-1]
    strongest_step = None
    if newest_first:
        back = newest_first.index(min(newest_first))
        strongest_step = step - 1 - back
    evidence = Evidence(len(newest_first), strongest_step, belief.contradiction_likelihood, config.gate.theta_obs)
    return tested, evidence


def _test_of_value(trace: Trace, step: int) -> GateTest:
    """Returns what the ego believed when it chose the skill that it was running, and what another one was worth."""
    decision = trace.ticks[step - 1].decisions[EGO]
    chosen_at = choice_step(trace, step - 1)
    belief = trace.ticks[chosen_at - 1].decisions[EGO].belief if chosen_at else None
    tested = None if belief is None else _expected_work(chosen_at, belief)
    rollout = trace.config_at(step).seats[EGO].rollout
    if decision.comparison is None or rollout is None:
        return tested, None
    return tested, Evidence(0, None, decision.comparison.best.gain, rollout.replan_cost)


def _expected_work(step: int, belief: BeliefUpdate) -> Expectation:
    """Returns the likeliest role, whatever the hypotheses are: no gate tests one of them."""
    role = likeliest_role(belief)
    return Expectation(step, names.role_does(role, to_you=True), role_posterior(belief)[role])


def _test_of_commitment_gate(trace: Trace, step: int) -> GateTest:
    """Returns what the commitment gate remembers in a step, and Λ."""
    decision = trace.ticks[step - 1].decisions[EGO]
    config = trace.config_at(step).belief_config
    belief = decision.belief
    result = decision.commitment_gate
    if belief is None or result is None or config is None:
        return None, None
    remembered = result.remembered
    if remembered == NOTHING_REMEMBERED:
        return None, None
    since = _remembered_at(trace, step, result.age, renewed=config.commitment.renewal == "completion")
    remembered_belief = trace.ticks[since - 1].decisions[EGO].belief if since else None
    probability = remembered_belief.posterior[remembered] if remembered_belief else None
    tested = Expectation(since, hypothesis_in_words(belief, remembered), probability)
    strongest_step = _strongest_step_of(trace, step, result.age, remembered)
    favours = hypothesis_in_words(belief, belief.map_index)
    evidence = Evidence(result.age, strongest_step, result.ratio, config.commitment.commitment_ratio, favours)
    return tested, evidence


def _remembered_at(trace: Trace, step: int, age: int, *, renewed: bool) -> int:
    """Returns the step in which the commitment gate remembered what it tests, `age` of the partner's actions ago.

    A choice is remembered after its step's action was counted; a renewal by a completion before that.
    """
    first = trace.ticks[step - age].decisions[EGO].belief
    if renewed and first is not None and first.new_segment:
        return step - age + 1
    return step - age


def _strongest_step_of(trace: Trace, step: int, age: int, remembered: int) -> int | None:
    """Returns the step of the action that speaks most for the MAP against what is remembered, of those in Λ's span."""
    beliefs = [tick.decisions[EGO].belief for tick in trace.ticks[step - age : step]]
    best = beliefs[-1].map_index if beliefs and beliefs[-1] else NOTHING_REMEMBERED
    total = 0.0
    span: list[tuple[float, int]] = []  # gains and steps since the sum was last 0
    for belief_step, belief in enumerate(beliefs, step - age + 1):
        if belief is None or not belief.relative_likelihoods:
            return None
        likelihoods = belief.relative_likelihoods
        gain = log(likelihoods[best]) - log(likelihoods[remembered])
        total = max(0.0, total + gain)
        if total:
            span.append((gain, belief_step - 1))
        else:
            span.clear()
    if not span:
        return None
    _, strongest_step = max(span)
    return strongest_step


def keeps_plan(replan: Replan) -> bool:
    """Whether the planner chose the interrupted skill again."""
    return replan.chosen == replan.stopped


# --- highlights and declarations -----------------------------------------------------------------------------------
MOST_OF_A_KIND = 3
MIN_DUPLICATE_STEPS = 15  # shorter duplicate work is no highlight


class Highlight(NamedTuple):
    """A step worth a look.

    Attributes:
        step: the step, from 1.
        kind: "unnoticed" (a switch that the belief never detected), "slow" (one that it detected late), "replan" (that
            changed the plan), "kept plan" (a replan that did not), or "duplicate" (both players work on the same role).
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
    steps, _ = as_the_ego_believes(trace)
    responses = switch_responses(steps)
    unnoticed: list[Highlight] = []
    slow: list[Highlight] = []
    for response in responses:
        if response.noticed is None:
            duration = response.end - response.start
            unnoticed.append(Highlight(response.start + 1, "unnoticed", duration, response.role))
        elif response.noticed:
            slow.append(Highlight(response.start + 1, "slow", response.noticed, response.role))
    chosen = _replan_highlights(steps)
    chosen += _longest(unnoticed)
    chosen += _longest(slow)
    chosen += _longest(_duplicate_work(steps))
    return sorted(chosen)


def _longest(candidates: Iterable[Highlight]) -> list[Highlight]:
    """Returns the longest of one kind, the earliest of equals."""
    return sorted(candidates, key=lambda highlight: (-highlight.steps, highlight.step))[:MOST_OF_A_KIND]


def _replan_highlights(steps: StepArrays) -> list[Highlight]:
    """Returns replans that lie apart, first of all the earliest that changed the plan."""
    skills = steps.skills[:, EGO].tolist()
    roles = steps.partner.tolist()
    replans = [index for index, replanned in enumerate(steps.replanned.tolist()) if replanned]
    kept_plans = {index for index in replans if index == 0 or skills[index - 1] == skills[index]}
    chosen: list[Highlight] = []
    for index in sorted(replans, key=lambda index: (index in kept_plans, index)):
        apart = all(abs(index + 1 - highlight.step) >= REPLAN_SHOWN_STEPS for highlight in chosen)
        if apart and len(chosen) < MOST_OF_A_KIND:
            kind = "kept plan" if index in kept_plans else "replan"
            chosen.append(Highlight(index + 1, kind, 0, roles[index]))
    return chosen


def _duplicate_work(steps: StepArrays) -> Iterator[Highlight]:
    """Yields the intervals in which both players have the same role for long."""
    roles = zip(steps.ego.tolist(), steps.partner.tolist(), strict=True)
    for (ego_role, partner_role), run in groupby(enumerate(roles, 1), key=itemgetter(1)):
        run_steps = [step for step, _ in run]
        if ego_role == partner_role != NO_ROLE and len(run_steps) >= MIN_DUPLICATE_STEPS:
            yield Highlight(run_steps[0], "duplicate", len(run_steps), partner_role)


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
    starts: list[int] = []
    roles: list[int] = []
    for tick in trace.ticks:
        role = tick.decisions[PARTNER].declared_role
        if role is not None:
            starts.append(tick.step)
            roles.append(role)
    if not starts:
        return []
    believed = [likeliest_role(belief_snapshot(trace, tick.step).belief) for tick in trace.ticks]
    ends = [*starts[1:], len(trace.ticks) + 1]
    return [
        Declaration(start, role, end - start, believed[start - 1 : end - 1].count(role))
        for start, role, end in zip(starts, roles, ends, strict=True)
    ]
