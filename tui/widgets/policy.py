"""The panel "policy": which skills a learned cook weighed when it chose, and what it makes of its partner."""

from collections.abc import Iterable, Iterator

from textual.content import Content

from bba import palette
from bba.agents import LEARNED, PolicyOutput
from bba.analysis import names
from bba.analysis.snapshot import EGO, PARTNER, Snapshot
from bba.belief import NO_ROLE, ROLE_OF_SKILL
from bba.kitchen import constants
from tui.widgets.panel import Panel, bar, line

CHOSEN = "▸ "
PERCENT = 7
ROWS, LEAST = 5, 2  # lines where nothing says how many there are; choices that more clusters than one leave at least
LABEL = 12  # cells of a cluster's name
BLOCKS = " ▁▂▃▄▅▆▇█"
STRIDE = 20  # steps between two blocks


class PolicyPanel(Panel):
    """For each learned cook the skills that it held likeliest and its choice; for talents its clusters over time."""

    TITLE = "policy"
    ABOUT = (
        "A learned cook: how likely each skill was when it chose the one that runs, marked ▸. Talents also weighs "
        "clusters of partners, the heaviest first, a block for 20 steps of the past. It stands in the planner's place."
    )

    def title_of(self, snapshot: Snapshot) -> str:
        """With the cook, where only one has learned."""
        seats = learned(snapshot)
        if len(seats) != 1:
            return self.TITLE
        name = snapshot.config.agents[seats[0]]
        return f"{self.TITLE}: {name} (partner)" if seats[0] == PARTNER else f"{self.TITLE}: {name}"

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:
        """As many lines as there are, shared by those who have learned."""
        seats = learned(snapshot)
        rows = self.content_size.height or ROWS
        if not seats:
            yield line(("nobody here has learned", palette.DIM))
        elif len(seats) == 1:
            yield from _cook(snapshot, seats[0], width, rows)
        else:
            for seat in seats:
                number = line((f"{seat + 1} ", f"bold {palette.COOK_COLOURS[seat]}"))
                for row in _cook(snapshot, seat, width - number.cell_length, max(1, (rows + PARTNER - seat) // 2)):
                    yield number + row


def learned(snapshot: Snapshot) -> tuple[int, ...]:
    """The seats of those who have learned."""
    return tuple(seat for seat in (EGO, PARTNER) if snapshot.config.agents[seat] in LEARNED)


def _cook(snapshot: Snapshot, seat: int, width: int, rows: int) -> Iterator[Content]:
    reading = snapshot.tick.decisions[seat].policy if snapshot.tick else None
    if seat == PARTNER and not snapshot.truth:
        yield line(("its mind is hidden", palette.DIM))
    elif snapshot.tick is None or reading is None:
        yield line(("has not chosen yet", palette.DIM))
    else:
        clusters = min(len(reading.clusters), max(rows - LEAST, min(1, rows - 1)))
        yield from _choices(reading, snapshot.tick.skills[seat], width, rows - clusters)
        yield from _clusters(snapshot, seat, reading, width, clusters)


def _choices(reading: PolicyOutput, running: int, width: int, rows: int) -> Iterator[Content]:
    """The likeliest skills, and the one that runs wherever it stands."""
    if not reading.probabilities:
        yield line((f"did not choose to {names.skill(running)}", palette.DIM))
        return
    chances = dict(enumerate(reading.probabilities))
    ranked = sorted((skill for skill in chances if chances[skill] > 0), key=lambda skill: -chances[skill])
    shown = ranked[:rows]
    if running not in shown:
        shown = [*shown[: rows - 1], running]
    name = min(max(len(names.skill(skill)) for skill in shown), max(1, (width - PERCENT) * 3 // 5))
    for skill in shown:
        ink = f"bold {palette.TEXT}" if skill == running else palette.DIM
        yield line(
            (CHOSEN if skill == running else "  ", ink),
            line((names.skill(skill), ink)).truncate(name, ellipsis=True, pad=True) + " ",
            bar(chances[skill], max(1, width - len(CHOSEN) - name - 1 - PERCENT), _colour(skill)),
            (f"{chances[skill]:>{PERCENT}.1%}", ink),
        )


def _colour(skill: int) -> str:
    """That of the skill's role."""
    role = NO_ROLE if skill == constants.NO_SKILL else ROLE_OF_SKILL[skill]
    return palette.DIM if role == NO_ROLE else palette.ROLE_COLOURS[role]


def _clusters(snapshot: Snapshot, seat: int, reading: PolicyOutput, width: int, rows: int) -> Iterator[Content]:
    """The heaviest clusters, each with its weight in the past and now."""
    weights = reading.clusters
    ranked = sorted(range(len(weights)), key=lambda cluster: -weights[cluster])
    past = _past(snapshot, seat, max(1, width - LABEL - PERCENT))
    for place, cluster in enumerate(ranked[:rows]):
        ink = f"bold {palette.TEXT}" if place == 0 else palette.DIM
        blocks = "".join(_block(shares[cluster]) if cluster < len(shares) else " " for shares in past)
        yield line(
            (f"  cluster {cluster + 1}".ljust(LABEL), ink),
            (blocks.rjust(max(1, width - LABEL - PERCENT)), palette.COOK_COLOURS[seat]),
            (f"{weights[cluster]:>{PERCENT}.1%}", ink),
        )


def _past(snapshot: Snapshot, seat: int, cells: int) -> list[tuple[float, ...]]:
    """The weights at every so many steps up to this one, oldest first, as many as fit."""
    steps = [*range(STRIDE, snapshot.step, STRIDE), snapshot.step][-cells:]
    readings = (snapshot.trace.ticks[step - 1].decisions[seat].policy for step in steps)
    return [reading.clusters if reading else () for reading in readings]


def _block(share: float) -> str:
    return BLOCKS[round(share * (len(BLOCKS) - 1))]
