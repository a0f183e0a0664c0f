"""How well the belief knows the partner, and how well the ego coordinates with it.

These are functions of a game's steps. The belief is that of the passive observer, which runs beside every kind of ego
with default settings, so that all egos are compared by the same belief. The ego is player 0, the partner player 1. A
step is *scored* if the partner's true role is one of the six; waiting and fire handling have no role. What a switch of
the partner is, `bba.analysis.role_changes` defines. A share is None where there was nothing to count.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from bba.analysis.role_changes import RoleChange
from bba.belief import COMPLEMENTARY, NO_ROLE
from bba.play.step_arrays import StepArrays, Truths


def mean(values: Sequence[float]) -> float | None:
    """Returns the mean; None without values."""
    return sum(values) / len(values) if values else None


def share(holds: Truths, among: Truths) -> float | None:
    """Returns the share of these steps in which something holds; None without steps."""
    steps = int(np.count_nonzero(among))
    return int(np.count_nonzero(holds & among)) / steps if steps else None


def scored(steps: StepArrays) -> Truths:
    """Returns for each step whether the partner's true role is one of the six."""
    return steps.partner != NO_ROLE


def map_correct(steps: StepArrays) -> Truths:
    """Returns for each step whether the observer's MAP is the partner's true role."""
    return steps.believed == steps.partner


def complements(steps: StepArrays) -> Truths:
    """Returns for each step whether the ego's skill complements the partner's true role."""
    return COMPLEMENTARY[steps.ego, steps.partner]


def duplicates(steps: StepArrays) -> Truths:
    """Returns for each scored step whether both players run skills of the same role."""
    return steps.ego == steps.partner


def skill_accuracy(steps: StepArrays, confidence: float = 0.0) -> float | None:
    """Returns the share of scored steps whose MAP is the true role, of those with at least this confidence."""
    return share(map_correct(steps), scored(steps) & (steps.confidence >= confidence))


def duplicate_rate(steps: StepArrays) -> float | None:
    """Returns the share of scored steps in which both players run skills of the same role."""
    return share(duplicates(steps), scored(steps))


def decision_points(steps: StepArrays, changes: Iterable[RoleChange]) -> Truths:
    """Returns for each step whether it is a decision point of the ego, given the partner's switches.

    Decision points are every selection of a skill by the planner and, mid-skill, every contradiction and every switch
    of the partner. Waiting, for the planner or for a change, is no selection.
    """
    points = steps.commits | steps.contradicted
    points[[change.start for change in changes if change.start >= 0]] = True
    return points


def belief_action_gap(steps: StepArrays) -> Truths:
    """Returns for each step whether the MAP is correct, but the ego's skill does not complement it."""
    return map_correct(steps) & ~complements(steps)


def gap_rate(steps: StepArrays, points: Truths, confidence: float = 0.0) -> float | None:
    """Returns the share of belief-action gaps among the decision points with a correct MAP of this confidence."""
    return share(belief_action_gap(steps), points & map_correct(steps) & (steps.confidence >= confidence))


def comp_at(steps: StepArrays, within: int) -> float | None:
    """Returns the share of contradictions after which the ego complements the true role within so many steps."""
    complementary = complements(steps)
    return mean([bool(complementary[i : i + within].any()) for i in np.flatnonzero(steps.contradicted)])
