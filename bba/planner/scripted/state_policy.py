"""The policy at play: what the scripted planner chooses in a state, given what its prompts would say besides."""

from typing import NamedTuple

from bba.belief.likelihood import Vector
from bba.kernels import kernel
from bba.kitchen.grid import Grid
from bba.kitchen.state import STEP, StateVector
from bba.planner.scripted.policy import choose_skill, is_superseded
from bba.planner.scripted.scene_facts import Ints, SceneFacts
from bba.planner.scripted.state_facts import note_idleness, read_state, show_belief


class Told(NamedTuple):
    """What the prompt of one decision says besides the scene: a belief over H hypotheses, and the T last turns."""

    posterior: Vector  # (H,) empty where no belief is shown
    roles: Ints  # (H,) of the hypotheses
    confident_from: float  # Γ
    turns: Ints  # (T, 4) a ring: the step of each turn, and the teammate's place, direction and held item then
    past: int  # turns so far


@kernel
def plan_skill(
    grid: Grid, width: int, state: StateVector, player: int, told: Told, facts: SceneFacts
) -> tuple[int, int]:
    """Returns the skill to run, always a feasible one, and the one that the teammate probably runs."""
    read_state(grid, width, state, player, facts)
    show_belief(facts, told.posterior, told.roles, told.confident_from)
    note_idleness(facts, told.turns, told.past, state[STEP])
    return choose_skill(facts)


@kernel
def judge_skill(
    grid: Grid, width: int, state: StateVector, player: int, running: int, told: Told, facts: SceneFacts
) -> bool:
    """Whether the teammate's probable skill supersedes the running one; earlier turns do not count."""
    read_state(grid, width, state, player, facts)
    show_belief(facts, told.posterior, told.roles, told.confident_from)
    return is_superseded(facts, running)
