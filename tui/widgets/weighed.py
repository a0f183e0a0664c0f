"""What the rollout planner weighed at a decision, as lines of text."""

from collections.abc import Iterator

from textual.content import Content

from bba import palette
from bba.analysis import names
from bba.analysis.call_log import LoggedComparison
from bba.analysis.captions import likeliest_partner_skills, points, ranked
from bba.planner.rollout import Comparison, SkillValue
from tui.widgets.panel import line, spread

CHOSEN = "▸ "
SHOWN = 3  # of the partner's skills
WIDE = 34  # cells from which there is room for the step and for a skill's gain


def weighed(logged: LoggedComparison, width: int) -> Iterator[Content]:
    """Yields how many futures were played, what was assumed of the partner, and a line for each skill."""
    comparison = logged.comparison
    step = line((f" step {logged.step}", palette.DIM)) if width >= WIDE else line("")
    yield spread(_effort(comparison), step, width)
    yield _assumed(comparison, width)
    for option in ranked(comparison):
        yield _option(option, comparison, width)


def _effort(comparison: Comparison) -> Content:
    """Returns the number of futures, and the time if it is known: a recording does not hold it."""
    played = line((f"{comparison.futures * len(comparison.options)} futures", palette.TEXT))
    return played + line((f" in {1000 * comparison.seconds:.1f} ms", palette.DIM)) if comparison.seconds else played


def _assumed(comparison: Comparison, width: int) -> Content:
    """Returns as many of the partner's likeliest skills as there is room for, one at least."""
    label = line(("partner: ", palette.DIM))
    if not comparison.partner:
        return label + line(("the network's guess", palette.TEXT))
    skills = likeliest_partner_skills(comparison, SHOWN)
    texts = [f"{names.skill(skill)} {probability:.2f}" for skill, probability in skills]
    fitting = [", ".join(texts[:count]) for count in range(len(texts), 0, -1)]
    return label + next((text for text in fitting if label.cell_length + len(text) <= width), fitting[-1])


def _option(option: SkillValue, comparison: Comparison, width: int) -> Content:
    """Returns a skill's name, its value and standard error, and between them its gain where there is room."""
    chosen, default = option.skill == comparison.chosen, option is comparison.options[0]
    colour = palette.GOOD if chosen else palette.TEXT
    name = line((CHOSEN if chosen else " " * len(CHOSEN), colour), (names.skill(option.skill), colour))
    gain = "" if default else f"{'+' if option.gain >= 0 else '−'}{points(abs(option.gain))}"
    error = "" if default else f"±{points(option.error)}"
    numbers = f" {option.value:.0f}" + (f" {gain:>5}" if width >= WIDE else "") + f" {error:>5}"
    return spread(name, line((numbers, palette.TEXT if chosen else palette.DIM)), width)
