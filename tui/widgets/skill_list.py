"""The panel "skills": what a person in skill mode can have done for it, by number."""

from collections.abc import Iterable

from textual.content import Content

from bba import palette
from bba.analysis import names
from bba.analysis.snapshot import Snapshot
from bba.kitchen import constants
from tui.widgets.panel import Panel, line


class SkillsPanel(Panel):
    """The feasible skills with their numbers; the running one is marked, as are those that a typed digit begins."""

    TITLE = "skills"
    ABOUT = "Skill mode: type the number of a skill, and it is walked for you until it ends or you press another key."

    feasible: tuple[int, ...] = ()
    running: int = constants.NO_SKILL
    typed: str = ""

    def offer(self, feasible: tuple[int, ...], running: int, typed: str) -> None:
        """Show these skills from now on."""
        if (feasible, running, typed) != (self.feasible, self.running, self.typed):
            self.feasible, self.running, self.typed = feasible, running, typed
            self.refresh()

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:  # noqa: ARG002 - it is told what to show
        """A line a skill."""
        for skill in self.feasible:
            begun = bool(self.typed) and str(skill).startswith(self.typed)
            yield line(
                ("▶" if skill == self.running else " ", palette.GOOD),
                (f"{skill:>3} ", f"bold {palette.WARN}"),
                (names.skill(skill), f"bold {palette.TEXT}" if begun else palette.TEXT),
            )


class NumberPad:
    """Digits become the number of a skill as soon as no longer one is possible."""

    def __init__(self) -> None:
        self.typed = ""

    def digit(self, digit: str, feasible: tuple[int, ...]) -> int | None:
        """Take a digit; returns the skill where it is certain, else None. What fits no skill is forgotten."""
        self.typed += digit
        fitting = [skill for skill in feasible if str(skill).startswith(self.typed)]
        if not fitting:
            self.typed = digit if len(self.typed) > 1 and any(str(s).startswith(digit) for s in feasible) else ""
            return self._certain([skill for skill in feasible if self.typed and str(skill).startswith(self.typed)])
        return self._certain(fitting)

    def enter(self, feasible: tuple[int, ...]) -> int | None:
        """Take what was typed as it is; None where that is no feasible skill."""
        typed, self.typed = self.typed, ""
        return int(typed) if typed and int(typed) in feasible else None

    def _certain(self, fitting: list[int]) -> int | None:
        if [str(skill) for skill in fitting] != [self.typed]:
            return None
        self.typed = ""
        return fitting[0]
