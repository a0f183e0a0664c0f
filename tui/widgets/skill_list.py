"""The panel "skills": the skills that a person in skill mode starts by number."""

from collections.abc import Iterable
from textwrap import wrap

from textual.content import Content

from bba import palette
from bba.analysis import names
from bba.analysis.snapshot import Snapshot
from bba.kitchen import constants
from tui.widgets.panel import Panel, line

HOW_TO = "Type the two digits of a skill: it is walked for you. Any key of your own takes over."


class SkillsPanel(Panel):
    """The feasible skills with their numbers; the running one and those that match the typed digits are marked."""

    TITLE = "skills"
    ABOUT = (
        "Skill mode: type the number of a skill, and it runs until it ends or you press another key. A skill has the "
        "same number in every game; 03 to 09 can be typed without the 0."
    )

    feasible: tuple[int, ...] = ()
    running: int = constants.NO_SKILL
    typed: str = ""

    def offer(self, feasible: tuple[int, ...], running: int, typed: str) -> None:
        """Shows these skills."""
        if (feasible, running, typed) != (self.feasible, self.running, self.typed):
            self.feasible, self.running, self.typed = feasible, running, typed
            self.refresh()

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:  # noqa: ARG002 - `offer` says what to show
        """Yields a line for each skill; below them how to choose, where there is room."""
        yield from self._skills()
        how_to = [line((f" {part}", palette.DIM)) for part in wrap(HOW_TO, width - 1)]
        if self.content_size.height > len(self.feasible) + len(how_to):
            yield line("")
            yield from how_to

    def _skills(self) -> Iterable[Content]:
        for skill in self.feasible:
            begun = bool(self.typed) and f"{skill:02}".startswith(self.typed)
            yield line(
                ("▶" if skill == self.running else " ", palette.GOOD),
                (f" {skill:02} ", f"bold {palette.WARN}"),
                (names.skill(skill), f"bold {palette.TEXT}" if begun else palette.TEXT),
            )


class NumberPad:
    """Reads digits as the number of a skill, which has two; the first one can be left out where no other is possible.

    The same digits mean the same skill in every state of the game.
    """

    def __init__(self) -> None:
        self.typed = ""

    def digit(self, digit: str) -> int | None:
        """Takes a digit; returns the skill if its number is complete, else None. Numbers above 26 are dropped."""
        typed, self.typed = self.typed + digit, ""
        if len(typed) == 1 and int(typed) * 10 < constants.N_SKILLS:
            self.typed = typed
            return None
        return int(typed) if int(typed) < constants.N_SKILLS else None
