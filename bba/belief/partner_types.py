"""A belief over who the partner is: its role, the rule by which it keeps to it, and the skill that it runs.

A type is a rule, a role, and the hazard with which the role changes. The filter is exact: a hidden Markov model over
type × running skill, whose observations are the partner's actions between public states.

    action       b(t, s) ∝ P(a | s) · b(t, s)
    completion   of a skill s: b(t) ← b(t, s), and the type chooses its next skill: b(t, ·) = b(t) · π_t(·)
    an end       waiting lasts one step, and a skill without a target has ended: the type chooses anew
    new role     with the type's hazard; a running skill of the new role goes on, else the type chooses anew

How the types choose, π_t, is a model of how cooks behave (`bba.planner.rollout.partner_rules`). `ADAPTS` is a cook that
does what the team needs, as the behaviour network has it; `ROLE_FIRST` one that does so where its role has no work.
Both are the rule "adapts". `LOCKED` is a cook that waits where its role has no work, and takes the tasks of the role in
order; `LOCKED_DRAWN` one that takes any of them. Both are the rule "locked". Beside these `BY_PROPENSITY` stands for
partners of another origin, which know no roles: one chooses as a population does, by propensities of its own
(`bba.belief.propensities`).

A direction fails with probability 1 − mobility. Of what a cook does for a skill, the share `SLIPS` is any action.
"""

from collections.abc import Callable
from copy import copy
from typing import NamedTuple, Self

import numpy as np

from bba.belief.likelihood import acceptable_actions, observed_action
from bba.belief.propensities import PropensityBelief
from bba.belief.roles import LEAST_PRIOR, ROLE_NAMES, ROLE_OF_SKILL, HypothesisSpace
from bba.kernels import kernel, maybe_compiled, outlined_kernel
from bba.kitchen import (
    ACTION_STAY,
    COMPLETED,
    EVENT,
    INTERACT,
    N_ACTIONS,
    N_SKILLS,
    NO_SKILL,
    SKILL_STAY,
    Float64Array,
    Grid,
    Int32Array,
    Int64Array,
    Layout,
    StateVector,
    completes,
    feasible_targets,
    grid_of,
)

RULES = ("adapts", "locked")
ADAPTS, ROLE_FIRST, LOCKED, LOCKED_DRAWN, BY_PROPENSITY = range(5)  # how a type chooses
ANY_ROLE = -1  # of a type that has no role
HAZARDS = (1 / 120, 1 / 2400)  # of a new role, a step: the role changes now and then, or hardly ever

SLIPS = 0.1  # the share of actions that may be any
STIRS = 0.05  # the share of its steps in which a waiting cook acts: it yields to the other one
DROPS = 0.004  # the chance a step that a cook drops its skill
SURPRISE = 0.002  # what a completion by accident weighs, beside one of the running skill
RETYPED = 1e-5  # the share of the belief that returns to the prior over types in each step
TINY = 1e-300

Joint = Float64Array


def roles_in(layout: Layout) -> int:
    """Returns how many roles a kitchen has, the first ones of `ROLE_NAMES`: stage_pass only with pass counters."""
    return len(ROLE_NAMES) if layout.pass_counters else len(ROLE_NAMES) - 1


class TypeSpace(NamedTuple):
    """The types, T of them: how each chooses, its role, its hazard, its prior, and its row among the choices.

    Types that differ in the hazard alone share a row of the choices: first the one of `ADAPTS`, then one for each role
    by each of the ways to choose in a role, at last that of `BY_PROPENSITY`, if it is a type.
    """

    choosers: Int32Array  # (T,)
    roles: Int32Array  # (T,)
    hazards: Float64Array  # (T,)
    priors: Float64Array  # (T,) sums to 1
    rows: Int32Array  # (T,)
    n_roles: int

    @classmethod
    def of(cls, layout: Layout, *, by_propensity: bool = False) -> "TypeSpace":
        """Returns the types in a kitchen: without pass counters nobody has the role stage_pass.

        With `by_propensity` half of the prior is that of a partner that chooses so.
        """
        n_roles = roles_in(layout)
        quarter = 0.125 if by_propensity else 0.25
        types = [(ADAPTS, ANY_ROLE, 0.0, quarter, 0)]
        for chooser in (ROLE_FIRST, LOCKED, LOCKED_DRAWN):
            for hazard in HAZARDS:
                share = quarter / (len(HAZARDS) * n_roles)
                first = 1 + (chooser - 1) * n_roles
                types += [(chooser, role, hazard, share, first + role) for role in range(n_roles)]
        if by_propensity:
            types.append((BY_PROPENSITY, ANY_ROLE, 0.0, 0.5, 1 + LOCKED_DRAWN * n_roles))
        choosers, roles, hazards, priors, rows = zip(*types, strict=True)
        whole = (np.array(column, np.int32) for column in (choosers, roles, rows))
        chooser_of, role_of, row_of = whole
        return cls(chooser_of, role_of, np.array(hazards), np.array(priors), row_of, n_roles)


class TypeScratch(NamedTuple):
    """Arrays that an update is computed in."""

    targets: Int32Array  # (2, 27)
    likelihood: Float64Array  # (27,)
    moved: Joint  # (T, 27)


@kernel
def skill_likelihoods(
    grid: Grid, before: StateVector, after: StateVector, p: int, mobility: float, scratch: TypeScratch
) -> None:
    """Writes P(a | s) of player p's action between two states, (27,); 0 for a skill that it could not run."""
    feasible_targets(grid, before, p, scratch.targets[0], scratch.targets[1])
    action = observed_action(before, after, p)
    for skill in range(N_SKILLS):
        target = scratch.targets[0, skill]
        if skill == SKILL_STAY:
            scratch.likelihood[skill] = 1.0 - STIRS if action == ACTION_STAY else STIRS / (N_ACTIONS - 1)
        elif target < 0:
            scratch.likelihood[skill] = 0.0
        else:
            actions = acceptable_actions(grid, before, p, target)
            scratch.likelihood[skill] = action_probability(action, actions, mobility)


@kernel
def action_probability(action: int, acceptable: int, mobility: float) -> float:
    """Returns P(a | s), given the bit set of the actions that the skill accepts; interactions never fail."""
    if acceptable == 1 << INTERACT:
        return 1.0 - SLIPS if action == INTERACT else SLIPS / (N_ACTIONS - 1)
    count = 0
    for candidate in range(N_ACTIONS):
        count += acceptable >> candidate & 1
    share = SLIPS / N_ACTIONS + ((1.0 - SLIPS) / count if acceptable >> action & 1 else 0.0)
    if action == ACTION_STAY:
        return 1.0 - mobility + mobility * share
    return share if action == INTERACT else mobility * share


@outlined_kernel
def update_types(
    grid: Grid,
    before: StateVector,
    after: StateVector,
    p: int,
    mobility: float,
    types: TypeSpace,
    choices: Joint,
    joint: Joint,
    scratch: TypeScratch,
) -> None:
    """Updates the belief `joint` (T, 27) with player p's action; `choices` (C, 27) are π in the state after it."""
    skill_likelihoods(grid, before, after, p, mobility, scratch)
    feasible_targets(grid, after, p, scratch.targets[0], scratch.targets[1])
    completed = after[COMPLETED + p] != 0
    event = after[EVENT + p]
    for number in range(len(joint)):
        belief = joint[number]
        anew = 0.0
        for skill in range(N_SKILLS):
            mass = belief[skill] * scratch.likelihood[skill]
            if completed:
                ended = mass if completes(skill, event) else SURPRISE * belief[skill]
                mass = 0.0
            elif skill == SKILL_STAY or scratch.targets[0, skill] < 0:
                ended, mass = mass, 0.0
            else:
                ended = DROPS * mass
                mass = (1.0 - DROPS) * mass
            belief[skill] = mass
            anew += ended
        add_choice(belief, anew, choices[types.rows[number]])
    move_roles(types, choices, joint, scratch.moved)
    total = 0.0
    for number in range(len(joint)):
        for skill in range(N_SKILLS):
            total += joint[number, skill]
    returned = RETYPED if total > 0.0 else 1.0  # what no type would have done says nothing
    for number in range(len(joint)):
        for skill in range(N_SKILLS):
            joint[number, skill] *= (1.0 - returned) / max(total, TINY)
        add_choice(joint[number], returned * types.priors[number], choices[types.rows[number]])


@kernel
def add_choice(belief: Float64Array, mass: float, choice: Float64Array) -> None:
    """Adds a probability, shared among the skills as a type chooses."""
    for skill in range(N_SKILLS):
        belief[skill] += mass * choice[skill]


@outlined_kernel
def move_roles(types: TypeSpace, choices: Joint, joint: Joint, moved: Joint) -> None:
    """Lets each type's role change with its hazard, to any other role alike."""
    moved[:] = 0.0
    for old in range(len(joint)):
        rate = types.hazards[old] / max(types.n_roles - 1, 1)
        for new in range(len(joint)):
            alike = types.choosers[new] == types.choosers[old] and types.hazards[new] == types.hazards[old]
            if rate > 0.0 and alike and new != old:
                dropped = 0.0
                for skill in range(N_SKILLS):
                    mass = rate * joint[old, skill]
                    if ROLE_OF_SKILL[skill] == types.roles[new]:
                        moved[new, skill] += mass
                    else:
                        dropped += mass
                add_choice(moved[new], dropped, choices[types.rows[new]])
    for number in range(len(joint)):
        for skill in range(N_SKILLS):
            joint[number, skill] = (1.0 - types.hazards[number]) * joint[number, skill] + moved[number, skill]


@outlined_kernel
def running_skills(
    grid: Grid,
    before: StateVector,
    after: StateVector,
    p: int,
    mobility: float,
    chosen: Float64Array,
    scratch: TypeScratch,
    running: Float64Array,
) -> bool:
    """Writes how likely player p ran each skill in a step, (27,), to `running`; returns whether any is possible.

    `chosen` is how likely it was to run it before its action was seen, (27,).
    """
    skill_likelihoods(grid, before, after, p, mobility, scratch)
    total = 0.0
    for skill in range(N_SKILLS):
        running[skill] = chosen[skill] * scratch.likelihood[skill]
        total += running[skill]
    for skill in range(N_SKILLS):
        running[skill] /= max(total, TINY)
    return total > 0.0


# How each type would choose in a state, (C, 27), given the weights of sampled propensities, (K, 27); K is 0 for none.
TypeChoices = Callable[[StateVector, Int64Array], Joint]
NO_SAMPLES = np.zeros((0, N_SKILLS), np.int64)


class OracleKnowledge(NamedTuple):
    """What an oracle tells of the partner; None where it tells nothing.

    Attributes:
        choosers: which of the ways to choose are possible.
        role: its role now.
        skill: the skill that it runs.
        schedule: its roles from now on: steps from now, role; () if they are not known.
    """

    choosers: tuple[int, ...] | None = None
    role: int | None = None
    skill: int | None = None
    schedule: tuple[tuple[int, int], ...] = ()


class TypeBelief:
    """The belief over who the partner is, in one episode. It stands where a prior over the hypotheses stands.

    Args:
        layout: the kitchen.
        choices: how the types choose.
        partner: the observed seat, 0 or 1.
        mobility: the probability that a direction of the partner is carried out, above 0 to 1.
        hypotheses: Ψ, as which the belief over skills is shown.
        fast: whether to compute with compiled kernels.
        truth: what an oracle tells after so many steps of the game; None for no oracle.
        propensities: the belief over what the partner tends to do, if that makes it a type; None: no type does.
        watches: whether it learns from what the partner does; else it stays the prior, in each state anew.

    Attributes:
        watches: that.
        types: the types.
        propensities: that belief.
        joint: b, (T, 27), sums to 1.
        known: what an oracle tells now.
        tendencies: none: the types say it all.
    """

    tendencies: None = None

    def __init__(
        self,
        layout: Layout,
        choices: TypeChoices,
        partner: int,
        mobility: float,
        hypotheses: HypothesisSpace,
        *,
        fast: bool,
        truth: Callable[[StateVector], OracleKnowledge] | None = None,
        propensities: PropensityBelief | None = None,
        watches: bool = True,
    ) -> None:
        self._truth = truth
        self.watches = watches
        self.known = OracleKnowledge()
        self.propensities = propensities
        self.types = TypeSpace.of(layout, by_propensity=propensities is not None)
        self._grid = grid_of(layout)
        self._choices = choices
        self._partner = partner
        self._mobility = mobility
        self._hypothesis = hypotheses.hypothesis_of_skill
        self._shown = np.zeros((len(hypotheses.names), N_SKILLS))
        for skill, hypothesis in enumerate(self._hypothesis.tolist()):
            if hypothesis >= 0:
                self._shown[hypothesis, skill] = 1.0
        self._update = maybe_compiled(update_types, fast=fast)
        self._running_skills = maybe_compiled(running_skills, fast=fast)
        size = len(self.types.rows)
        self._scratch = TypeScratch(np.zeros((2, N_SKILLS), np.int32), np.zeros(N_SKILLS), np.zeros((size, N_SKILLS)))
        self.joint: Joint = np.zeros((size, N_SKILLS))
        self._remembered: Joint | None = None

    def expected(self, before: StateVector | None, state: StateVector) -> Float64Array:
        """Returns the belief over the hypotheses, (|Ψ|,), after the partner's last action.

        A partner that waits or handles a fire, which is no hypothesis, leaves the others as likely as they are.
        """
        samples = NO_SAMPLES if self.propensities is None else self.propensities.weights
        choices = self._choices(state, samples)
        if not self.watches:
            before = None
        if self.propensities is not None:
            self._learn(self.propensities, before, state, choices[-1])
        if before is None:
            self.joint = self.types.priors[:, None] * choices[self.types.rows]
        else:
            arguments = before, state, self._partner, self._mobility, self.types, choices, self.joint, self._scratch
            self._update(self._grid, *arguments)
        if self._truth is not None:
            self.known = self._truth(state)
            self._condition(choices)
        expected = self._shown @ self.by_skill + LEAST_PRIOR
        return expected / expected.sum()

    def _learn(
        self,
        propensities: PropensityBelief,
        before: StateVector | None,
        state: StateVector,
        expected: Float64Array,
    ) -> None:
        """Learns what the partner tends to do from its last action; `expected` is what it would choose now."""
        if before is None:
            propensities.begin(expected)
            return
        running = np.zeros(N_SKILLS)
        partner = self._partner
        chosen = self.joint[-1]  # the last type is the one that chooses by propensity
        arguments = before, state, partner, self._mobility, chosen, self._scratch, running
        if not self._running_skills(self._grid, *arguments):
            return
        completed = int(state[EVENT + partner]) if state[COMPLETED + partner] else NO_SKILL
        propensities.observe(running, completed, expected)

    def _condition(self, choices: Joint) -> None:
        """Restricts the belief to what an oracle tells; where that contradicts it, the types choose anew."""
        known = self.known
        types = self.types
        allowed = np.ones(len(types.rows), np.bool_)
        if known.choosers is not None:
            allowed &= np.isin(types.choosers, known.choosers)
        if known.role is not None:
            allowed &= (types.roles == known.role) | np.isin(types.choosers, (ADAPTS, BY_PROPENSITY))
        possible = self.joint * allowed[:, None]
        if possible.sum() < LEAST_PRIOR:
            possible = (types.priors * allowed)[:, None] * choices[types.rows]
        if known.skill is not None and known.skill != NO_SKILL:
            weights = possible.sum(axis=1)
            possible = np.zeros_like(possible)
            possible[:, known.skill] = weights
        self.joint = possible / possible.sum()

    @property
    def by_skill(self) -> Float64Array:
        """The probability of each skill, (27,)."""
        return self.joint.sum(axis=0)

    @property
    def locked(self) -> float:
        """The probability that the partner is locked in its role."""
        return self._probability_of(LOCKED, LOCKED_DRAWN)

    @property
    def by_propensity(self) -> float | None:
        """The probability that the partner chooses by propensities of its own; None if no type does."""
        return None if self.propensities is None else self._probability_of(BY_PROPENSITY)

    def _probability_of(self, *choosers: int) -> float:
        """Returns the probability of the types that choose in any of these ways."""
        return float(self.joint[np.isin(self.types.choosers, choosers)].sum())

    def remember(self) -> None:
        """Remembers the belief as the one with which the ego has chosen a skill."""
        self._remembered = self.joint.copy()

    @property
    def moved(self) -> float:
        """How far the belief is from the one remembered: the greater total variation of types and of skills, 0 to 1."""
        if self._remembered is None:
            return 0.0
        return max(float(np.abs((self.joint - self._remembered).sum(axis=axis)).sum()) / 2 for axis in (0, 1))

    def copy(self) -> Self:
        """Returns an independent copy, which asks the same model of choices."""
        clone = copy(self)
        clone.joint = self.joint.copy()
        if self.propensities is not None:
            clone.propensities = self.propensities.copy()
        return clone
