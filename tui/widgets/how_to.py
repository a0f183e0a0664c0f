"""The panels "how to", the recipe in words, and "skills", which a person in skill mode starts by number."""

from collections.abc import Iterable
from textwrap import wrap

from textual.content import Content

from bba import palette
from bba.analysis import names
from bba.analysis.snapshot import Snapshot
from bba.kitchen import constants
from tui.widgets.panel import Panel, line

WIDE_COLUMNS = 67  # cells from which what is needed and what is done with it stand in columns
NEED_GAP = "   "  # between what is needed and what is done with it
RECIPE = """\
Two cooks share a kitchen and a score. Guests order burritos and do not wait for ever. A burrito is a plate with:
  meat or mushroom   take it, chop it on a board, fry it on a grill
  rice               take it, boil it in a pot
  tortilla           from its box, onto the plate
The plates are dirty at first: wash one in the sink. Take fried and boiled food with the plate in your hand, in any \
order, and bring the burrito to the serving window. What stays on the fire too long burns: take the extinguisher."""


class HowToPanel(Panel):
    """The recipe in words."""

    TITLE = "how to"
    ABOUT = "How a burrito is made, on a large terminal."

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:  # noqa: ARG002 - it is always the same
        """Yields the recipe, wrapped; indented lines stay indented."""
        for text in RECIPE.splitlines():
            yield from (line((part, palette.TEXT)) for part in _wrapped(text, width))


def _wrapped(text: str, width: int) -> list[str]:
    """Returns a line of the recipe in lines of `width`; what is indented stays so, in columns where these fit."""
    if not text.startswith(" ") or width >= WIDE_COLUMNS:
        return wrap(text, width)
    name, does = text.split(NEED_GAP, 1)
    return wrap(f"{name}: {does.strip()}", width, subsequent_indent=" " * 4)


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

    def offer(self, snapshot: Snapshot, feasible: tuple[int, ...], running: int) -> None:
        """Shows these skills, those that match the typed digits marked."""
        self.feasible, self.running = feasible, running
        self.show_snapshot(snapshot)

    def digit(self, digit: str) -> int | None:
        """Takes a digit of a skill's number, which has two; the first one can be left out where no other is possible.

        Returns:
            The skill if its number is complete, else None. Numbers above 26 are dropped.
        """
        typed, self.typed = self.typed + digit, ""
        if len(typed) == 1 and int(typed) * 10 < constants.N_SKILLS:
            self.typed = typed
            return None
        return int(typed) if int(typed) < constants.N_SKILLS else None

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:  # noqa: ARG002 - `offer` says what to show
        """Yields a line for each skill; below them how to choose, where there is room."""
        for skill in self.feasible:
            begun = bool(self.typed) and f"{skill:02}".startswith(self.typed)
            yield line(
                ("▶" if skill == self.running else " ", palette.GOOD),
                (f" {skill:02} ", f"bold {palette.WARN}"),
                (names.skill(skill), f"bold {palette.TEXT}" if begun else palette.TEXT),
            )
        how_to = [line((f" {part}", palette.DIM)) for part in wrap(HOW_TO, width - 1)]
        if self.content_size.height > len(self.feasible) + len(how_to):
            yield line("")
            yield from how_to
