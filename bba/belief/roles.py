"""The six roles of a partner, the skills of each, and the ego's roles that complement it (fixed, from the preprint)."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from bba.kitchen import Float64Array, IndexArray, Int32Array, constants

ROLE_NAMES = ("prep_protein", "prep_rice", "plate_hygiene", "assemble", "serve", "stage_pass")
PREP_PROTEIN, PREP_RICE, PLATE_HYGIENE, ASSEMBLE, SERVING, STAGE_PASS = range(6)
NO_ROLE = -1
LEAST_PRIOR = 1e-4  # of a hypothesis, before a belief is normalised

ROLE_SKILLS: tuple[tuple[int, ...], ...] = (
    (
        constants.FRY,
        constants.CHOP,
        constants.GRAB_MEAT,
        constants.GRAB_MUSHROOM,
        constants.GRAB_CHOPPED_MUSHROOM,
        constants.GRAB_CHOPPED_MEAT,
    ),
    (constants.BOIL, constants.GRAB_RICE),
    (constants.WASH, constants.GRAB_DIRTY_PLATE, constants.GRAB_CLEAN_PLATE),
    (
        constants.GRAB_TORTILLA,
        constants.GRAB_ONE_INGREDIENT_PLATE,
        constants.GRAB_TWO_INGREDIENT_PLATE,
        constants.GET_MUSHROOM,
        constants.GET_STEAK,
        constants.GET_BOILED_RICE,
    ),
    (constants.SERVE, constants.GRAB_MUSHROOM_BURRITO, constants.GRAB_STEAK_BURRITO),
    (constants.PASS_OBJECT, constants.PUT_DOWN_OBJECT),
)

COMPLEMENTS: tuple[tuple[int, ...], ...] = (
    (PREP_RICE, PLATE_HYGIENE, ASSEMBLE),
    (PREP_PROTEIN, PLATE_HYGIENE, ASSEMBLE),
    (PREP_PROTEIN, PREP_RICE, ASSEMBLE),
    (PREP_PROTEIN, PREP_RICE, PLATE_HYGIENE, SERVING),
    (PREP_PROTEIN, PREP_RICE, PLATE_HYGIENE),
    (PREP_PROTEIN, PREP_RICE, ASSEMBLE),
)

# The role of each of the 27 skills; NO_ROLE for fire handling and waiting, which are never scored and never evidence.
ROLE_OF_SKILL: tuple[int, ...] = tuple(
    next((role for role, members in enumerate(ROLE_SKILLS) if skill in members), NO_ROLE)
    for skill in range(constants.N_SKILLS)
)
SCORED_SKILLS = tuple(skill for skill in range(constants.N_SKILLS) if ROLE_OF_SKILL[skill] != NO_ROLE)

# The same for arrays. Their last place is that of NO_SKILL and NO_ROLE, which are -1.
_ROLES = np.array([*ROLE_OF_SKILL, NO_ROLE])
COMPLEMENTARY = np.zeros((len(ROLE_NAMES) + 1, len(ROLE_NAMES) + 1), np.bool_)  # [the ego's role, the partner's]
for _role, _complements in enumerate(COMPLEMENTS):
    COMPLEMENTARY[_complements, _role] = True


def roles_of(skills: Int32Array) -> IndexArray:
    """Returns the role of each of these skills; NO_ROLE for NO_SKILL and for skills without a role."""
    return _ROLES[skills]


def likeliest(posterior: Sequence[float]) -> int:
    """Returns the likeliest hypothesis or role of a belief by number, the first among equals."""
    return max(range(len(posterior)), key=posterior.__getitem__)


def is_complementary(ego_role: int, partner_role: int) -> bool:
    """Whether the ego's role complements the partner's; False if either is `NO_ROLE`."""
    return bool(COMPLEMENTARY[ego_role, partner_role])


class HypothesisSpace(NamedTuple):
    """The set Ψ: the names of its hypotheses, the role of each, and the hypothesis of each of the 27 skills."""

    names: tuple[str, ...]
    roles: tuple[int, ...]
    hypothesis_of_skill: Int32Array  # (27,), -1 for skills of no hypothesis

    def by_role(self, posterior: tuple[float, ...]) -> tuple[float, ...]:
        """Returns a belief over the hypotheses as one over the six roles, (6,)."""
        if len(posterior) == len(ROLE_NAMES):
            return posterior
        sums = [0.0] * len(ROLE_NAMES)
        for role, probability in zip(self.roles, posterior, strict=True):
            sums[role] += probability
        return tuple(sums)


def posteriors_by_role(posteriors: Float64Array) -> Float64Array:
    """Returns N beliefs, over the six roles (N, 6) or over the scored skills (N, 22), as beliefs over roles, (N, 6)."""
    if posteriors.shape[1] == len(ROLE_NAMES):
        return posteriors
    sums = np.zeros((len(posteriors), len(ROLE_NAMES)))
    for hypothesis, skill in enumerate(SCORED_SKILLS):  # in this order, as `by_role`: the same to the last bit
        sums[:, ROLE_OF_SKILL[skill]] += posteriors[:, hypothesis]
    return sums


def hypothesis_space(psi: str) -> HypothesisSpace:
    """The set Ψ by name: ``"roles"`` for the six roles, ``"skills"`` for the 22 scored skills."""
    if psi == "roles":
        return HypothesisSpace(ROLE_NAMES, tuple(range(6)), np.array(ROLE_OF_SKILL, np.int32))
    hypothesis_of_skill = np.full(constants.N_SKILLS, -1, np.int32)
    hypothesis_of_skill[list(SCORED_SKILLS)] = range(len(SCORED_SKILLS))
    names = tuple(constants.SKILL_NAMES[skill] for skill in SCORED_SKILLS)
    return HypothesisSpace(names, tuple(ROLE_OF_SKILL[skill] for skill in SCORED_SKILLS), hypothesis_of_skill)


_OVER_SKILLS = hypothesis_space("skills")


def role_posteriors_of(posteriors: Iterable[tuple[float, ...] | None]) -> Float64Array:
    """Returns N beliefs, each over the six roles or the scored skills, as beliefs over roles, (N, 6); NaN for None."""
    rows: list[tuple[float, ...]] = []
    for posterior in posteriors:
        if posterior is None:
            rows.append((np.nan,) * len(ROLE_NAMES))
        else:
            rows.append(_OVER_SKILLS.by_role(posterior))
    return np.array(rows, np.float64).reshape(-1, len(ROLE_NAMES))
