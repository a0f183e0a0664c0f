"""What comes of comparing skills: what each promises, which was chosen, and whether the ranks are settled."""

from dataclasses import dataclass, field
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from bba.kitchen.constants import N_SKILLS
from bba.limits import Share
from bba.planner.chat import SkillNumber

RETURN_DIGITS = 6  # decimal places to which returns are rounded before they are compared
CHANCE = 2.0  # standard errors by which a skill must be behind before it is played no more

Returns = NDArray[np.float64]  # of futures, in points

Points = Annotated[float, Field(allow_inf_nan=False)]


@dataclass(frozen=True, slots=True)
class SkillValue:
    """What one skill promises. The annotations are the limits that a recording is validated against.

    Attributes:
        skill: the skill.
        probability: by the behaviour network, 0 to 1.
        value: mean return of its futures, in points.
        gain: mean difference to the default skill's futures, in points.
        error: standard error of the gain, in points.
    """

    skill: SkillNumber
    probability: Share
    value: Points
    gain: Points
    error: Annotated[Points, Field(ge=0)]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the planner compared at one decision. The annotations are the limits that a recording is validated against.

    Attributes:
        options: the skills compared, in the order of their probability under the behaviour network; the default first.
        chosen: the skill to run.
        partner: the assumed probabilities of the partner's present skill, (27,); () if the network draws it.
        futures: futures per skill.
        seconds: time that the comparison took; 0 if it is not known. It is not part of the game: it differs from one
            time to the next, so that it counts in no comparison of games and is not recorded.
    """

    options: Annotated[tuple[SkillValue, ...], Field(min_length=1, max_length=N_SKILLS + 1)]
    chosen: SkillNumber
    partner: Annotated[tuple[Share, ...], Field(max_length=N_SKILLS)]
    futures: Annotated[int, Field(ge=2)]
    seconds: Annotated[float, Field(exclude=True)] = field(default=0.0, compare=False)

    @property
    def best(self) -> SkillValue:
        """The option that was chosen."""
        return next(option for option in self.options if option.skill == self.chosen)

    def pays(self, cost: float) -> bool:
        """Whether the option that was chosen promises more than the default, in points, than a cost."""
        return self.chosen != self.options[0].skill and self.best.gain > cost


def option_of(skill: int, probability: float, returns: Returns) -> SkillValue:
    """Returns what a skill promises, given the returns of the default and its own in the same futures, (2, N)."""
    gains = returns[1] - returns[0]
    error = gains.std(ddof=1) / np.sqrt(len(gains))
    numbers = (probability, returns[1].mean(), gains.mean(), error)
    return SkillValue(skill, *(round(float(number), RETURN_DIGITS) for number in numbers))


def settle(returns: Returns, doubts: Returns, open_skills: NDArray[np.bool_]) -> bool:
    """Closes skills that have fallen behind by more than chance; returns whether the ranks are settled.

    Args:
        returns: of every future so far, (S, N); the default is the first skill.
        doubts: what each skill's gain has to outweigh, (S,), in points.
        open_skills: which are still compared, (S,), changed in place; the default always is.
    """
    gains = returns - returns[0]
    scores, errors = gains.mean(axis=1) - doubts, gains.std(axis=1, ddof=1) / np.sqrt(returns.shape[1])
    least = max(0.0, float((scores - CHANCE * errors)[open_skills].max()))
    open_skills &= scores + CHANCE * errors >= least
    open_skills[0] = True
    others = np.flatnonzero(open_skills[1:]) + 1
    return len(others) == 0 or (len(others) == 1 and scores[others[0]] > (CHANCE + 1) * errors[others[0]])
