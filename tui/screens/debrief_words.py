"""What the debrief says: how each switch was followed, what people said that they do, and steps worth a look."""

from collections.abc import Iterator
from typing import NamedTuple

from textual.content import Content

from bba import palette
from bba.agents import HUMAN
from bba.analysis import names
from bba.analysis.declarations import Declaration, declarations
from bba.analysis.highlights import Highlight
from bba.analysis.switch_responses import SwitchResponse, switch_responses
from bba.belief import NO_ROLE
from bba.play import Trace
from bba.play.ticks import step_arrays
from tui.widgets.panel import line
from tui.widgets.player_status import clock

# The belief that is spoken of is the observer's: the same beside every game, also beside agents without a belief.
WORDS = {
    "unnoticed": "the observer never followed {who} to {role}",
    "slow": "the observer took {steps} steps to follow {who} to {role}",
    "replan": "{other} replanned while {who} did {role}",
    "duplicate": "both cooks did {role} for {steps} steps",
}
OBSERVER = "belief: an observer's, beside every game"


class Cooks(NamedTuple):
    """How the debrief names the cooks: player 1, whose switches it reports, player 0, and whose action followed."""

    who: str
    other: str
    whose: str


def cooks(agents: tuple[str, str]) -> Cooks:
    """Returns how the cooks are named to the people among them, given the names of the agents."""
    match [agent == HUMAN for agent in agents]:
        case [False, True]:
            return Cooks("you", "your partner", "your partner's")
        case [True, False]:
            return Cooks("your partner", "you", "yours")
    return Cooks("cook 2", "cook 1", "cook 1's")


def switch_lines(trace: Trace, named: Cooks, speed: float | None) -> Iterator[Content]:
    """Yields how often somebody turned to other work, then how belief and action followed each time."""
    found = switch_responses(step_arrays(trace.ticks))
    times = f"{len(found)} time{'s' * (len(found) != 1)}"
    yield line((f"{named.who} turned to other work {times}", f"bold {palette.TEXT}"))
    if found:
        yield line((OBSERVER, palette.DIM))
        yield line((f"action: {named.whose}", palette.DIM))
        yield line(("  at     role           belief  action", palette.DIM))
    for response in found:
        yield _response_line(response, speed)


def declaration_lines(trace: Trace, speed: float | None) -> Iterator[Content]:
    """Yields what people said that they do, and whether it was believed; nothing where nothing was said."""
    said = declarations(trace)
    if said:
        yield line("")
        yield line(("what you said that you do", f"bold {palette.TEXT}"))
        mind = trace.config.belief_config is not None
        yield line((f"  at     role           {'your partner' if mind else 'the observer'} believed it", palette.DIM))
    for declaration in said:
        yield _declaration_line(declaration, speed)


def _response_line(response: SwitchResponse, speed: float | None) -> Content:
    """Returns a switch as a line: its time and role, and after how many steps belief and action followed."""
    return line(
        (f"  {clock(response.start, speed):6} ", palette.DIM),
        (f"{names.role(response.role):14}", palette.ROLE_COLOURS[response.role]),
        *(
            (f"{'never' if steps is None else steps:>7} ", palette.WARN if steps is None else palette.TEXT)
            for steps in (response.noticed, response.complemented)
        ),
    )


def _declaration_line(said: Declaration, speed: float | None) -> Content:
    """Returns a declaration as a line: its time and role, and in what share of its steps the partner believed it."""
    return line(
        (f"  {clock(said.start, speed):6} ", palette.DIM),
        (f"{names.role(said.role):14}", palette.ROLE_COLOURS[said.role]),
        (f"{said.believed / said.steps:>9.0%} of {said.steps} steps", palette.TEXT),
    )


def highlight_text(highlight: Highlight, speed: float | None, named: Cooks) -> str:
    """Returns a step worth a look in words, after its time."""
    role = "no role's work" if highlight.role == NO_ROLE else names.role(highlight.role)
    text = WORDS[highlight.kind].format(role=role, steps=highlight.steps, who=named.who, other=named.other)
    return f"{clock(highlight.step, speed):>5}  {text}"
