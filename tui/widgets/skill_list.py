"""The panel "skills": the skills that a person in skill mode starts by number."""

from collections.abc import Iterable

from textual.content import Content

from bba import palette
from bba.analysis import names
from bba.analysis.snapshot import Snapshot
from bba.kitchen import constants
from tui.widgets.panel import Panel, line


class SkillsPanel(Panel):
    """The feasible skills with their numbers; the running one and those that match the typed digits are marked."""

    TITLE = "skills"
    ABOUT = "Skill mode: type the number of a skill, and it runs until it ends or you press another key."

    feasible: tuple[int, ...] = ()
    running: int = constants.NO_SKILL
    typed: str = ""

    def offer(self, feasible: tuple[int, ...], running: int, typed: str) -> None:
        """Shows these skills."""
        if (feasible, running, typed) != (self.feasible, self.running, self.typed):
            self.feasible, self.running, self.typed = feasible, running, typed
            self.refresh()

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:  # noqa: ARG002 - `offer` says what to show
        """Yields a line for each skill."""
        for skill in self.feasible:
            begun = bool(self.typed) and str(skill).startswith(self.typed)
            yield line(
                ("▶" if skill == self.running else " ", palette.GOOD),
                (f"{skill:>3} ", f"bold {palette.WARN}"),
                (names.skill(skill), f"bold {palette.TEXT}" if begun else palette.TEXT),
            )


class NumberPad:
    """Reads digits as the number of a skill, which is complete as soon as no longer number is possible."""

    def __init__(self) -> None:
        self.typed = ""

    def digit(self, digit: str, feasible: tuple[int, ...]) -> int | None:
        """Takes a digit; returns the skill if it is certain, else None. Digits that match no skill are dropped."""
        self.typed += digit
        matching = [skill for skill in feasible if str(skill).startswith(self.typed)]
        if not matching:
            self.typed = digit if len(self.typed) > 1 and any(str(s).startswith(digit) for s in feasible) else ""
            return self._certain([skill for skill in feasible if self.typed and str(skill).startswith(self.typed)])
        return self._certain(matching)

    def enter(self, feasible: tuple[int, ...]) -> int | None:
        """Takes the digits as they are; returns None where they are no feasible skill."""
        typed, self.typed = self.typed, ""
        return int(typed) if typed and int(typed) in feasible else None

    def _certain(self, matching: list[int]) -> int | None:
        if [str(skill) for skill in matching] != [self.typed]:
            return None
        self.typed = ""
        return matching[0]
