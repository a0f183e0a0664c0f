"""The hypotheses about the teammate as the scripted planner makes them: each is that the teammate keeps to one role.

It is what `bba.planner.scripted.scripted_chat` answers to the questions of `bba.agents.hypothetical_minds`, but by the
state itself, so that a kernel can go on without writing any question.
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
# what is asked about the teammate, as bits
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
    none = np.full(roles, NO_SKILL, np.int32)
    events = np.zeros(MOST_EVENTS, np.int32)
    numbers = np.zeros(2, np.int32)
    return Minds(np.arange(roles, dtype=np.int32), np.full(roles, UNKNOWN), none, events, numbers, np.zeros(1))


@kernel
def note_event(minds: Minds, skill: int) -> None:
    """Remembers on which skill the teammate has worked."""
    minds.events[minds.numbers[EVENTS] % MOST_EVENTS] = skill
    minds.numbers[EVENTS] += 1


@outlined_kernel
def think(minds: Minds, facts: SceneFacts, always: bool) -> int:
    """Evaluates, generates and predicts as far as that is due before a choice; returns what was done, as bits."""
    numbers, asked = minds.numbers, 0
    new = min(numbers[EVENTS] - numbers[PREDICTED], MOST_EVENTS)
    if new > 0 and has_predictions(minds):
        evaluate(minds, new)
        asked |= EVALUATES
    if numbers[EVENTS] and (always or new > 0) and minds.values[minds.ranked[0]] <= SURE:
        propose(minds)
        asked |= GENERATES
    if minds.values[minds.ranked[0]] > UNKNOWN and (always or new > 0 or not has_predictions(minds)):
        for place in range(len(minds.ranked)):
            role = minds.ranked[place]
            told = place < TOP and minds.values[role] > UNKNOWN
            minds.predictions[role] = mates_skill(facts, role) if told else NO_SKILL
        numbers[PREDICTED] = numbers[EVENTS]
        asked |= PREDICTS
    minds.best[0] = minds.values[minds.ranked[0]]
    return asked


@kernel
def has_predictions(minds: Minds) -> bool:
    """Whether any of the best hypotheses has a prediction."""
    some = False
    for place in range(TOP):
        some = some or minds.predictions[minds.ranked[place]] != NO_SKILL
    return some


@kernel
def role_seen(minds: Minds, back: int) -> int:
    """Returns the role of the last event but so many, from 1."""
    return ROLE_OF_SKILL[minds.events[(minds.numbers[EVENTS] - back) % MOST_EVENTS]]


@kernel
def evaluate(minds: Minds, new: int) -> None:
    """Values the predictions by the last `new` events: one came true if work of the same role was seen."""
    for place in range(TOP):
        role = minds.ranked[place]
        if minds.predictions[role] != NO_SKILL:
            expected, came_true = ROLE_OF_SKILL[minds.predictions[role]], False
            for back in range(1, new + 1):
                came_true = came_true or (role_seen(minds, back) == expected and expected != NO_ROLE)
            minds.values[role] += LEARNING_RATE * ((1.0 if came_true else -1.0) - minds.values[role])
            minds.predictions[role] = NO_SKILL
    rank(minds)


@kernel
def propose(minds: Minds) -> None:
    """Adds the latest role seen that none of the best hypotheses names; if all are named, the latest one anew."""
    found, named = 0, True
    for back in range(min(minds.numbers[EVENTS], MOST_EVENTS), 0, -1):  # the latest one last
        seen = role_seen(minds, back)
        if seen != NO_ROLE:
            unnamed = minds.values[seen] == UNKNOWN or minds.ranked[TOP] == seen
            if named or unnamed:
                found, named = seen, not unnamed
    carried = found
    for place in range(len(minds.ranked)):
        minds.ranked[place], carried = carried, minds.ranked[place]
        if carried == found:
            break
    minds.values[found], minds.predictions[found] = max(0.0, minds.values[found]), NO_SKILL
    rank(minds)


@kernel
def rank(minds: Minds) -> None:
    """Sorts the hypotheses by their value, and leaves equals in order."""
    for place in range(1, len(minds.ranked)):
        role, at = minds.ranked[place], place
        while at > 0 and minds.values[minds.ranked[at - 1]] < minds.values[role]:
            minds.ranked[at] = minds.ranked[at - 1]
            at -= 1
        minds.ranked[at] = role
