"""The skills and roles that a cook pursued: the partner's switches, and a person's choices in a recorded game.

A choice is known once its skill is completed. It was made at the first step that is no wait after the completion
before it. All steps in which the person did nothing until the completion are the pause. Choices of a skill that the
controller holds for infeasible in that state are left out, and counted.

Each step that a person played by hand gets the next skill that the person completes. Steps after the last completion
get no skill, and neither does a wait of `LONGEST_WAIT` steps or more before the first move towards a skill: a waiting
person pursues nothing yet, and a switch begins with the work, not with the wait before it. A skill that the person
picked by number, and that the controller ran, is known and is not inferred.

This is the only definition: measures, screens, debriefing, tables, films, exports and data frames all read
`pursued_steps` or `with_inferred_skills`, so that they agree about one recording. Only a game that is
being played has no inferred skills yet. Not every change of role is a switch:

- Putting down and passing, waiting and fire handling belong to the work around them: they neither begin nor end a role.
  What the partner puts down right before other work, it puts down for that work: the switch begins there.
- A short excursion is no switch: work in another role that ends before it has lasted `PURSUED_STEPS` steps and before
  it has completed `PURSUED_SKILLS` skills.

A switch is known some steps after it began, once the new role is pursued; then it is never taken back. So a game that
still runs has all switches but perhaps the newest one. docs/reference/measures.md gives the grounds for both numbers.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from bba.agents.human import HUMAN
from bba.agents.learned.agent import is_switch, role_after, with_last_role, work_mask
from bba.agents.learned.policy import ObservationEncoder, feasible_mask
from bba.belief.roles import NO_ROLE, STAGE_PASS, roles_of
from bba.errors import BBAError
from bba.kitchen import (
    ACTION_STAY,
    COMPLETED,
    EVENT,
    N_SKILLS,
    NO_SKILL,
    PUT_DOWN_OBJECT,
    REACH,
    BoolArray,
    Float32Array,
    IndexArray,
    Int64Array,
)
from bba.play.ticks import step_arrays
from bba.play.trace import EGO, PARTNER, StepArrays, Tick, Trace

ChoiceRow = tuple[Float32Array, int, int, int, bool]  # inputs, skill, pause, duration, whether it switches

LONGEST_PAUSE = 100  # steps; longer pauses count as this long
LONGEST_WAIT = 10  # steps without an action, after a completed skill, from which they are a wait and not a hesitation


@dataclass(frozen=True, slots=True)
class HumanChoices:
    """The choices of one person on one layout.

    Attributes:
        person: any name that keeps people apart.
        inputs: the clone's inputs at each choice, (M, size + last role).
        skills: the chosen skills, (M,).
        pauses: steps without an action before the completion, (M,).
        durations: steps from the completion before to this one, (M,).
        switches: whether the skill belongs to another role than the last one, (M,).
        left_out: the number of choices that are left out.
    """

    person: str
    inputs: Float32Array
    skills: Int64Array
    pauses: Int64Array
    durations: Int64Array
    switches: BoolArray
    left_out: int = 0

    def part(self, which: slice) -> "HumanChoices":
        """Returns some of the choices."""
        return HumanChoices(
            self.person,
            self.inputs[which],
            self.skills[which],
            self.pauses[which],
            self.durations[which],
            self.switches[which],
        )

    @property
    def masks(self) -> BoolArray:
        """The skills among which the person could choose, (M, 27)."""
        return work_mask(self.inputs[:, REACH : REACH + N_SKILLS] > 0)


def choices_of(trace: Trace, player: int, person: str) -> HumanChoices:
    """Returns the choices of the person in a seat."""
    encoder = ObservationEncoder(trace.config.layout, fast=False)
    rows: list[ChoiceRow] = []
    start = 0
    role = NO_ROLE
    left_out = 0
    for index, tick in enumerate(trace.ticks):
        if not tick.state[COMPLETED + player]:
            continue
        work = trace.ticks[start : index + 1]
        idles = [idle(work_tick, player) for work_tick in work]
        first = start
        if False in idles:
            first += idles.index(False)
        state = trace.start if first == 0 else trace.ticks[first - 1].state
        encoded = encoder.of(state)[player]
        skill = int(tick.state[EVENT + player])
        new_role = role_after(role, skill)
        if work_mask(feasible_mask(encoded))[skill]:
            inputs = with_last_role(encoded, role)
            pause = min(LONGEST_PAUSE, sum(idles))
            rows.append((inputs, skill, pause, len(work), is_switch(role, new_role)))
        else:
            left_out += 1
        start = index + 1
        role = new_role
    if rows:
        all_inputs = np.stack([row[0] for row in rows])
    else:
        size = len(with_last_role(encoder.of(trace.start)[player], role))
        all_inputs = np.empty((0, size), np.float32)
    skills, pauses, durations, switches = np.array([row[1:] for row in rows], np.int64).reshape(-1, 4).T
    return HumanChoices(person, all_inputs, skills, pauses, durations, switches.astype(np.bool_), left_out)


def joined(choices: list[HumanChoices]) -> HumanChoices:
    """Returns several sets of choices as one set, which has the first set's person."""
    return HumanChoices(
        choices[0].person,
        np.concatenate([part.inputs for part in choices]),
        np.concatenate([part.skills for part in choices]),
        np.concatenate([part.pauses for part in choices]),
        np.concatenate([part.durations for part in choices]),
        np.concatenate([part.switches for part in choices]),
        sum(part.left_out for part in choices),
    )


def idle(tick: Tick, player: int) -> bool:
    """Returns whether a player does nothing in a step, whether by hand or by a skill that waits."""
    return tick.actions[player] == ACTION_STAY


def with_inferred_skills(trace: Trace) -> Trace:
    """Returns the game with the skills that people pursued while they played by hand; itself if no person plays.

    Skills that are there already stay the same. Measures, debriefing, tables, films and exports read these skills; the
    recording, and the game as it is played, do not have them.
    """
    if not trace.has_people:
        return trace
    ego_skills = _pursued_skills(trace, EGO)
    partner_skills = _pursued_skills(trace, PARTNER)
    skill_pairs = zip(ego_skills, partner_skills, strict=True)
    ticks = [tick._replace(skills=skills) for tick, skills in zip(trace.ticks, skill_pairs, strict=True)]
    return replace(trace, ticks=ticks)


def pursued_steps(trace: Trace) -> StepArrays:
    """Returns the steps of a game as arrays, with the skills that people pursued while they played by hand."""
    return step_arrays(with_inferred_skills(trace).ticks)


def pursued_roles(trace: Trace, player: int = PARTNER) -> IndexArray:
    """Returns the role that a player pursued in each step, (steps,), by number; -1 for none.

    Of a person it is the inferred one, as in the tables of a study; `Tick.role` does not know it.

    Raises:
        BBAError: another player than 0 and 1.
    """
    if player not in (EGO, PARTNER):
        raise BBAError(f"player: {player!r} is not allowed; 0 or 1")
    steps = pursued_steps(trace)
    return steps.ego if player == EGO else steps.partner


def _pursued_skills(trace: Trace, player: int) -> list[int]:
    """Returns a player's skill in each step, for a person the inferred one."""
    inference = SkillInference(trace, player)
    skills: list[int] = []
    for tick in trace.ticks:
        skills += inference.read(tick)
    skills += inference.end()
    return skills


class SkillInference:
    """Infers the skills of a player from its steps in order; each skill is returned once no later step can change it.

    A step that a person played by hand has the next skill that the person completes. A wait before the first move has
    none, and neither have the steps after the last completed skill.

    Args:
        trace: the game, whose configurations say in which steps a person plays.
        player: the player, 0 or 1.
    """

    def __init__(self, trace: Trace, player: int) -> None:
        self._trace = trace
        self._player = player
        self._returned = 0  # steps whose skills were returned
        self._skills: list[int | None] = []  # of the steps after these; None for those that get the next one
        self._begins = True  # whether nothing was done since the last completed skill
        self._waits = 0  # for how many steps

    def read(self, tick: Tick) -> list[int]:
        """Takes in the next step; returns the skills of the steps that are known from it on, the earliest first."""
        step = self._returned + len(self._skills) + 1
        agent = self._trace.config_at(step).agents[self._player]
        skill = tick.skills[self._player]
        by_hand = agent == HUMAN and skill == NO_SKILL
        self._skills.append(None if by_hand else skill)
        self._begins = self._begins and by_hand and idle(tick, self._player)
        self._waits = self._waits + 1 if self._begins else 0
        if tick.state[COMPLETED + self._player]:
            self._begins = True
            self._waits = 0
            completed_skill = int(tick.state[EVENT + self._player])
            return self._take(completed_skill)
        waits_long = self._begins and self._waits >= LONGEST_WAIT
        all_known = not by_hand and None not in self._skills
        if waits_long or all_known:
            return self._take(NO_SKILL)
        return []

    def end(self) -> list[int]:
        """Returns the skills of the remaining steps when the game is over."""
        return self._take(NO_SKILL)

    def _take(self, next_skill: int) -> list[int]:
        """Returns the skills that were not returned yet, `next_skill` for those that get the next one."""
        skills = [next_skill if skill is None else skill for skill in self._skills]
        self._returned += len(skills)
        self._skills = []
        return skills


PURSUED_STEPS = 10  # steps of work in a role from which it is pursued
PURSUED_SKILLS = 2  # the same in completed skills: quick work, of people above all, is no excursion
NO_CHANGE = (NO_ROLE, STAGE_PASS)  # work that belongs to the work around it
# What the partner does in a step: its true role (NO_ROLE for none), whether it puts something down, and whether it
# completes a skill of its role.
Work = tuple[int, bool, bool]


class RoleChange(NamedTuple):
    """A switch of the partner to another role.

    Attributes:
        start: index of the step in which it begins to work in the new role, or to put down something right before that.
        known: index of the step from which the role is pursued, `start` or later.
        role: the new role; never NO_ROLE or STAGE_PASS.
    """

    start: int
    known: int
    role: int

    def since(self, index: int) -> "RoleChange":
        """Returns the switch with indices that count from another step."""
        return RoleChange(self.start - index, self.known - index, self.role)


def works(steps: StepArrays) -> Iterator[Work]:
    """Yields what the partner does in each step."""
    puts_down = steps.skills[:, PARTNER] == PUT_DOWN_OBJECT
    completed = roles_of(steps.states[:, EVENT + PARTNER])
    completes = (steps.states[:, COMPLETED + PARTNER] != 0) & (completed == steps.partner)
    return zip(steps.partner.tolist(), puts_down.tolist(), completes.tolist(), strict=True)


class RoleReader:
    """Reads a game's steps in order and finds the switches.

    Attributes:
        role: the role that the partner pursues; NO_ROLE before it pursues one.
    """

    def __init__(self) -> None:
        self.role = NO_ROLE
        self._read = 0
        self._putting_down: int | None = None  # since which step, if it did so in the last one
        self._work = NO_ROLE
        self._start = 0
        self._steps = 0
        self._skills = 0

    def read(self, work: Work) -> RoleChange | None:
        """Returns the switch that is known from this step on; None if there is none."""
        index = self._read
        role, puts_down, completes = work
        self._read += 1
        if role not in NO_CHANGE:
            self._count(index, role, completes=completes)
        if not puts_down:
            self._putting_down = None
        elif self._putting_down is None:
            self._putting_down = index
        if self._work == self.role:
            return None
        return self._switch(index)

    def _count(self, index: int, role: int, *, completes: bool) -> None:
        """Counts a step of work in a role; what is pursued already needs no counting."""
        if role != self._work:
            self._start = index if self._putting_down is None else self._putting_down
            self._work = role
            self._steps = 0
            self._skills = 0
        if role != self.role:
            self._steps += 1
            if completes:
                self._skills += 1

    def _switch(self, index: int) -> RoleChange | None:
        """Returns the switch if the new work has become what the partner pursues; the first role is no switch."""
        if self._steps < PURSUED_STEPS and self._skills < PURSUED_SKILLS:
            return None
        previous_role = self.role
        self.role = self._work
        if previous_role == NO_ROLE:
            return None
        return RoleChange(self._start, index, self.role)


def role_changes(steps: StepArrays) -> list[RoleChange]:
    """Returns the partner's switches in order; the first role that it pursues is none."""
    reader = RoleReader()
    changes = []
    for work in works(steps):
        change = reader.read(work)
        if change is not None:
            changes.append(change)
    return changes
