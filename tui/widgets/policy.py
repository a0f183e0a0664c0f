"""The panel "policy": the skill probabilities of a learned agent, and its belief about partner clusters."""

from collections.abc import Iterable, Iterator

from textual.content import Content

from bba import palette
from bba.agents import PolicyOutput, unlocked
from bba.agents.learned.preferences import is_learned
from bba.analysis import names
from bba.analysis.snapshot import Snapshot
from bba.belief import NO_ROLE, ROLE_OF_SKILL
from bba.kitchen import constants
from bba.play.trace import EGO, PARTNER
from tui.widgets.panel import Panel, bar, line

CHOSEN = "▸ "
PERCENT = 7
HEIGHT = 5  # lines of the panel before it is laid out
LEAST_SKILLS = 2  # lines of skills that the clusters leave at least
LABEL = 12  # cells of a cluster's name
BLOCKS = " ▁▂▃▄▅▆▇█"
STRIDE = 20  # steps between two blocks


class PolicyPanel(Panel):
    """For each learned agent its most likely skills and its choice; for talents also its clusters over time."""

    TITLE = "policy"
    ABOUT = (
        "A learned agent: the probability of each skill when it chose the running one, marked ▸. Talents also has a "
        "probability for each cluster of partners, the highest first, with a block for every 20 steps of the past. The "
        "panel takes the place of the planner's."
    )

    def title_of(self, snapshot: Snapshot) -> str:
        """Returns the title; it names the agent where only one has learned."""
        seats = learned(snapshot)
        if len(seats) != 1:
            return self.TITLE
        name = snapshot.config.agents[seats[0]]
        return f"{self.TITLE}: {name} (partner)" if seats[0] == PARTNER else f"{self.TITLE}: {name}"

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:
        """Yields the lines of one learned agent, or of both in half the space each."""
        seats = learned(snapshot)
        rows = self.content_size.height or HEIGHT
        if not seats:
            yield line(("no learned agent here", palette.DIM))
        elif len(seats) == 1:
            yield from _cook(snapshot, seats[0], width, rows)
        else:
            for seat in seats:
                number = line((f"{seat + 1} ", f"bold {palette.COOK_COLOURS[seat]}"))
                for row in _cook(snapshot, seat, width - number.cell_length, max(1, (rows + PARTNER - seat) // 2)):
                    yield number + row


def learned(snapshot: Snapshot) -> tuple[int, ...]:
    """Returns the seats of learned agents."""
    return tuple(seat for seat in (EGO, PARTNER) if is_learned(unlocked(snapshot.config.agents[seat])))


def _cook(snapshot: Snapshot, seat: int, width: int, rows: int) -> Iterator[Content]:
    output = snapshot.tick.decisions[seat].policy if snapshot.tick else None
    if seat == PARTNER and not snapshot.truth:
        yield line(("its policy is hidden", palette.DIM))
    elif snapshot.tick is None or output is None:
        yield line(("has not chosen yet", palette.DIM))
    else:
        clusters = min(len(output.clusters), max(rows - LEAST_SKILLS, min(1, rows - 1)))
        yield from _choices(output, snapshot.tick.skills[seat], width, rows - clusters)
        yield from _clusters(snapshot, seat, output.clusters, width, clusters)


def _choices(output: PolicyOutput, running: int, width: int, rows: int) -> Iterator[Content]:
    """Yields the most likely skills, and the running one in any case."""
    if not output.probabilities:
        yield line((f"did not choose to {names.skill(running)}", palette.DIM))
        return
    probabilities = dict(enumerate(output.probabilities))
    ranked = sorted(
        (skill for skill in probabilities if probabilities[skill] > 0), key=lambda skill: -probabilities[skill]
    )
    shown = ranked[:rows]
    if running not in shown:
        shown = [*shown[: rows - 1], running]
    name = min(max(len(names.skill(skill)) for skill in shown), max(1, (width - PERCENT) * 3 // 5))
    for skill in shown:
        style = f"bold {palette.TEXT}" if skill == running else palette.DIM
        yield line(
            (CHOSEN if skill == running else "  ", style),
            line((names.skill(skill), style)).truncate(name, ellipsis=True, pad=True) + " ",
            bar(probabilities[skill], max(1, width - len(CHOSEN) - name - 1 - PERCENT), _colour(skill)),
            (f"{probabilities[skill]:>{PERCENT}.1%}", style),
        )


def _colour(skill: int) -> str:
    """Returns the colour of a skill's role."""
    role = NO_ROLE if skill == constants.NO_SKILL else ROLE_OF_SKILL[skill]
    return palette.DIM if role == NO_ROLE else palette.ROLE_COLOURS[role]


def _clusters(snapshot: Snapshot, seat: int, weights: tuple[float, ...], width: int, rows: int) -> Iterator[Content]:
    """Yields the most likely clusters, each with its probability in the past and now."""
    ranked = sorted(range(len(weights)), key=lambda cluster: -weights[cluster])
    past = _past(snapshot, seat, max(1, width - LABEL - PERCENT))
    for place, cluster in enumerate(ranked[:rows]):
        style = f"bold {palette.TEXT}" if place == 0 else palette.DIM
        blocks = "".join(_block(shares[cluster]) if cluster < len(shares) else " " for shares in past)
        yield line(
            (f"  cluster {cluster + 1}".ljust(LABEL), style),
            (blocks.rjust(max(1, width - LABEL - PERCENT)), palette.COOK_COLOURS[seat]),
            (f"{weights[cluster]:>{PERCENT}.1%}", style),
        )


def _past(snapshot: Snapshot, seat: int, cells: int) -> list[tuple[float, ...]]:
    """Returns the probabilities of the clusters at every 20th step up to this one, oldest first, `cells` at most."""
    steps = [*range(STRIDE, snapshot.step, STRIDE), snapshot.step][-cells:]
    outputs = (snapshot.trace.ticks[step - 1].decisions[seat].policy for step in steps)
    return [output.clusters if output else () for output in outputs]


def _block(share: float) -> str:
    return BLOCKS[round(share * (len(BLOCKS) - 1))]
