"""The hypotheses about the teammate as the scripted planner makes them: each is that the teammate keeps to one role.

It is what `bba.planner.scripted.answers` says to the questions of `bba.agents.hypothetical_minds`, as kernels, so that
a game goes on without writing any question.
"""

from typing import NamedTuple

import numpy as np

from bba.belief.roles import NO_ROLE, ROLE_OF_SKILL
from bba.kernels import kernel, outlined_kernel
from bba.kitchen.constants import NO_SKILL, Float64Array, Int32Array
from bba.planner.scripted.scene_facts import SceneFacts
from bba.planner.scripted.skill_choice import mates_skill

LEARNING_RATE = 0.3
SURE = 0.7  # no other hypothesis is asked for if the best value is above this
TOP = 5  # the number of hypotheses that predict and that the planner is told
MOST_EVENTS = 12  # the number of the partner's last events that are remembered
UNKNOWN = -2.0  # the value of a role without a hypothesis, below all others
EVENTS, PREDICTED = range(2)  # positions in `Minds.numbers`
# Bits of what `think` does about the teammate.
EVALUATES = 16
GENERATES = 32
PREDICTS = 64


class Minds(NamedTuple):
    """What is thought of the teammate, with a hypothesis for some of the R roles; R is 0 for any other planner."""

    ranked: Int32Array  # (R,) the roles, the best hypothesis first, those without any last
    values: Float64Array  # (R,) by role
    predictions: Int32Array  # (R,) the next skill by role, NO_SKILL for none
    events: Int32Array  # (12,) a ring of the skills that the teammate has worked on
    numbers: Int32Array  # (2,) events so far; events before the last predictions
    best: Float64Array  # (1,) the value of the best hypothesis


def new_minds(roles: int) -> Minds:
    """Returns no hypotheses and no events, in a kitchen of so many roles."""
    return Minds(
        ranked=np.arange(roles, dtype=np.int32),
        values=np.full(roles, UNKNOWN),
        predictions=np.full(roles, NO_SKILL, np.int32),
        events=np.zeros(MOST_EVENTS, np.int32),
        numbers=np.zeros(2, np.int32),
        best=np.zeros(1),
    )


@kernel
def note_event(minds: Minds, skill: int) -> None:
    """Remembers on which skill the teammate has worked."""
    minds.events[minds.numbers[EVENTS] % MOST_EVENTS] = skill
    minds.numbers[EVENTS] += 1


@outlined_kernel
def think(minds: Minds, facts: SceneFacts, always: bool) -> int:
    """Evaluates, generates and predicts as far as that is due before a choice; returns what was done, as bits.

    With `always` generating and predicting are due before every choice, else after new events.
    """
    numbers = minds.numbers
    work_done = 0
    new_events = min(numbers[EVENTS] - numbers[PREDICTED], MOST_EVENTS)
    is_due = always or new_events > 0
    if new_events > 0 and has_predictions(minds):
        evaluate(minds, new_events)
        work_done |= EVALUATES
    if numbers[EVENTS] and is_due and best_value(minds) <= SURE:
        propose(minds)
        work_done |= GENERATES
    if best_value(minds) > UNKNOWN and (is_due or not has_predictions(minds)):
        for place in range(len(minds.ranked)):
            role = minds.ranked[place]
            if place < TOP and minds.values[role] > UNKNOWN:
                minds.predictions[role] = mates_skill(facts, role)
            else:
                minds.predictions[role] = NO_SKILL
        numbers[PREDICTED] = numbers[EVENTS]
        work_done |= PREDICTS
    minds.best[0] = best_value(minds)
    return work_done


@kernel
def best_value(minds: Minds) -> float:
    """Returns the value of the best hypothesis; `UNKNOWN` if there is none."""
    return minds.values[minds.ranked[0]]


@kernel
def has_predictions(minds: Minds) -> bool:
    """Whether any of the best hypotheses has a prediction."""
    any_prediction = False
    for place in range(TOP):
        any_prediction = any_prediction or minds.predictions[minds.ranked[place]] != NO_SKILL
    return any_prediction


@kernel
def role_seen(minds: Minds, back: int) -> int:
    """Returns the role of the event that is the `back`-th from the last, from 1."""
    return ROLE_OF_SKILL[minds.events[(minds.numbers[EVENTS] - back) % MOST_EVENTS]]


@kernel
def evaluate(minds: Minds, new_events: int) -> None:
    """Values the predictions by the last new events: a prediction came true if work of the same role was seen."""
    for place in range(TOP):
        role = minds.ranked[place]
        if minds.predictions[role] == NO_SKILL:
            continue
        expected = ROLE_OF_SKILL[minds.predictions[role]]
        came_true = False
        for back in range(1, new_events + 1):
            came_true = came_true or (role_seen(minds, back) == expected and expected != NO_ROLE)
        reward = 1.0 if came_true else -1.0
        minds.values[role] += LEARNING_RATE * (reward - minds.values[role])
        minds.predictions[role] = NO_SKILL
    rank(minds)


@kernel
def propose(minds: Minds) -> None:
    """Adds the latest role seen that none of the best hypotheses names; if all are named, the latest role anew."""
    proposed = 0
    is_named = True
    for back in range(min(minds.numbers[EVENTS], MOST_EVENTS), 0, -1):  # the latest event last
        role = role_seen(minds, back)
        if role == NO_ROLE:
            continue
        unnamed = minds.values[role] == UNKNOWN or minds.ranked[TOP] == role
        if is_named or unnamed:
            proposed = role
            is_named = not unnamed
    # The proposed role comes first; the roles that stood before it move one place back.
    carried = proposed
    for place in range(len(minds.ranked)):
        minds.ranked[place], carried = carried, minds.ranked[place]
        if carried == proposed:
            break
    minds.values[proposed] = max(0.0, minds.values[proposed])
    minds.predictions[proposed] = NO_SKILL
    rank(minds)


@kernel
def rank(minds: Minds) -> None:
    """Sorts the hypotheses by their value, and leaves equals in order."""
    ranked = minds.ranked
    for end in range(1, len(ranked)):
        role = ranked[end]
        place = end
        while place > 0 and minds.values[ranked[place - 1]] < minds.values[role]:
            ranked[place] = ranked[place - 1]
            place -= 1
        ranked[place] = role
