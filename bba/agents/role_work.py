"""The work of a role in one kitchen, as a scripted cook sees it (`bba.planner.scripted.skill_choice`)."""

import numpy as np

from bba.agents.base import Observation
from bba.agents.perception import stations_of
from bba.kernels import maybe_compiled
from bba.kitchen.constants import N_SKILLS
from bba.kitchen.grid import grid_of
from bba.kitchen.layout import Layout
from bba.planner.scripted.scene_facts import new_facts, stations_at
from bba.planner.scripted.skill_choice import note_text, role_skill, role_skills


class RoleWork:
    """What there is to do for a role.

    Args:
        layout: the kitchen.
        fast: whether to compute with compiled kernels.

    Attributes:
        facts: room for the facts of a scene.
    """

    def __init__(self, layout: Layout, *, fast: bool) -> None:
        self._grid, self._width = grid_of(layout), layout.width
        self.facts = new_facts(stations_at(stations_of(layout).items()), len(self._grid.kind))
        self._role_skill = maybe_compiled(role_skill, fast=fast, allocates=False)
        self._role_skills = maybe_compiled(role_skills, fast=fast, allocates=False)

    def skill(self, observation: Observation, role: int, *, locked: bool) -> tuple[int, str]:
        """Returns a skill for the role, and a note if it is not of the role or puts something down for it."""
        state = observation.state.copy()  # which is changed for a moment
        player, facts = observation.player, self.facts
        skill, note = map(int, self._role_skill(self._grid, self._width, state, player, role, locked, facts))
        return skill, note_text(note, role, skill)

    def skills(self, observation: Observation, role: int) -> set[int]:
        """Returns the skills that start the role's tasks, or prepare for them, with free hands; else handle a fire."""
        found = np.zeros(N_SKILLS, np.int32)
        state, player = observation.state, observation.player
        self._role_skills(self._grid, self._width, state, player, role, self.facts, found)
        return set(np.flatnonzero(found).tolist())
