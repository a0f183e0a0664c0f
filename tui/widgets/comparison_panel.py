"""The panel of one of two futures: its score, its measures since the fork, and what happens in it now."""

from collections.abc import Iterable

from textual.content import Content

from bba import palette
from bba.analysis import names
from bba.analysis.comparison import ForkOutcome, is_better
from bba.analysis.snapshot import Snapshot
from bba.kitchen import constants
from bba.play.trace import EGO, PARTNER
from bba.report.formatting import measure_label, value_text
from tui.widgets import commitment, gate
from tui.widgets.panel import Panel, line, spread

# The measures that are shown, row by row.
MEASURE_ROWS = (("reward", "deliveries"), ("replans", "contradictions"), ("gap_rate", "comp_at_3"))
SPACE = "   "  # between two measures


class ComparisonPanel(Panel):
    """Shows score and measures, the better one of the two bold; then the running skills and the state of the gate.

    Args:
        name: what the future is called, and the widget's id.
        parted: how many steps it shares with the other.
    """

    TITLE = "future"
    ABOUT = "What came of a future since it began, what the cooks do in it now, and what the gate says."

    def __init__(self, name: str, parted: int) -> None:
        super().__init__(id=name.replace(" ", "-"))
        self._future, self._parted = name, parted
        self._own: ForkOutcome | None = None
        self._other: ForkOutcome | None = None

    def show_outcome(self, snapshot: Snapshot, own: ForkOutcome, other: ForkOutcome) -> None:
        """Shows a step, with the results of this game and of the other one since they parted."""
        self._own, self._other = own, other
        self.show_snapshot(snapshot)

    def title_of(self, snapshot: Snapshot) -> str:  # noqa: ARG002 - the title is always the same
        """Returns since when the measures count."""
        return f"since step {self._parted}"

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:
        """Yields the score, three lines of measures, the skills and the gate."""
        if self._own is None:
            return
        yield spread(line((self._future, f"bold {palette.TEXT}")), self._score(), width)
        for row in MEASURE_ROWS:
            yield line(SPACE).join(map(self._measure, row))
        yield _skills(snapshot)
        yield from _gate(snapshot, width)

    def _score(self) -> Content:
        own, other = (one.score if one else 0 for one in (self._own, self._other))
        return line(("score ", palette.DIM), (str(own), f"bold {palette.GOOD}" if own > other else palette.TEXT))

    def _measure(self, name: str) -> Content:
        """Returns a measure since the fork, highlighted if it is the better one of the two."""
        own, other = (one.since if one else None for one in (self._own, self._other))
        colour = f"bold {palette.GOOD}" if is_better(name, own, other) else palette.TEXT
        return line((f"{measure_label(name)} ", palette.DIM), (value_text((own or {}).get(name), name), colour))


def _skills(snapshot: Snapshot) -> Content:
    """Returns what both cooks do."""
    if snapshot.tick is None:
        return line(("nothing yet", palette.DIM))
    shown = (EGO, PARTNER) if snapshot.truth else (EGO,)
    doing = [
        line(
            (f"{player + 1} ", f"bold {palette.COOK_COLOURS[player]}"),
            "by hand"
            if snapshot.tick.skills[player] == constants.NO_SKILL
            else names.skill(snapshot.tick.skills[player]),
        )
        for player in shown
    ]
    return line(SPACE).join(doing)


def _gate(snapshot: Snapshot, width: int) -> Iterable[Content]:
    """Yields the verdict of the gate that decides, else of the preprint's: the ego's, or the observer's."""
    state = snapshot.belief_state
    if state is None or state.gate is None:
        yield line(("nothing to judge yet", palette.DIM))
        return
    who = "observer: " if state.observer else ""
    if state.trigger == "commitment" and state.commitment is not None:
        rows, opens = [commitment.sentence(state, snapshot, width - len(who))], state.commitment.opens
    else:
        rows, opens = gate.sentence(state, snapshot, width - len(who)), state.gate.opens
        if len(rows) > 1:  # there is one row for it
            rows = [gate.verdict(state, snapshot, brief=True)]
    colour = f"bold {palette.WARN}" if opens and not state.observer else palette.TEXT
    yield from (line((text if row else who + text, colour)) for row, text in enumerate(rows))
