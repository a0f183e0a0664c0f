"""Where a game stands between two steps, and what each player sees of it."""

from dataclasses import dataclass, field

from bba.agents.base import Observation
from bba.kitchen import AGE, ENDED, NO_SKILL, SKILL, Layout, SkillRuns, StateVector, new_skill_runs


@dataclass(slots=True)
class GameState:
    """Where a game stands.

    Attributes:
        layout: the kitchen.
        state: the public state now.
        fast: whether agents compute with compiled kernels.
        before: the public state before the last step; None before the first one.
        runs: the skills that the players run.
    """

    layout: Layout
    state: StateVector
    fast: bool
    before: StateVector | None = None
    runs: SkillRuns = field(default_factory=new_skill_runs)

    def observation(self, player: int) -> Observation:
        """Returns what a player sees: the public states and its own skill."""
        run = self.runs[player].tolist()
        return Observation(player, self.layout, self.before, self.state, run[SKILL], run[AGE], run[ENDED], self.fast)

    def running(self, player: int) -> int:
        """Returns the skill that a player runs; NO_SKILL if it has to choose one, or plays by primitive actions."""
        return int(self.runs[player, SKILL])

    def is_running(self, player: int) -> bool:
        """Whether a player runs a skill."""
        return self.running(player) != NO_SKILL

    def go_on(self, before: StateVector, state: StateVector) -> None:
        """Stands after another step, or several."""
        self.before = before
        self.state = state
