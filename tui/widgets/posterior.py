"""The panel "posterior": the probability of each of the partner's six roles."""

from collections.abc import Iterable

from textual.content import Content

from bba import palette
from bba.analysis import names
from bba.analysis.snapshot import BeliefSnapshot, Snapshot
from bba.belief import ROLE_NAMES
from tui.widgets.panel import Panel, bar, beside, line

TRUE, NAME, PERCENT = "◆ ", 14, 7
ROOMY, TIGHT = 52, 32  # cells from which labels are written out, and below which thresholds lose their names


class PosteriorPanel(Panel):
    """Six bars with the threshold Γ on the most likely role, and confidence and commitment below."""

    TITLE = "posterior"
    ABOUT = (
        "How likely the partner plays each role; the most likely one is bold, │ on its bar is the threshold Γ, ◆ marks "
        "the true role."
    )

    def title_of(self, snapshot: Snapshot) -> str:
        """Returns the title; it names the observer where the ego has no belief."""
        return "posterior (observer)" if snapshot.belief_state and snapshot.belief_state.observer else self.TITLE

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:
        """Yields a line for each role, then one that compares with the gate's thresholds."""
        posterior = snapshot.posterior
        best = max(range(len(posterior)), key=posterior.__getitem__) if snapshot.belief_state else None
        gamma = snapshot.belief_state.settings.gamma_conf if snapshot.belief_state else None
        room = max(1, width - len(TRUE) - NAME - PERCENT)
        for role in range(len(ROLE_NAMES)):
            bold = "bold " if role == best else ""
            yield line(
                (TRUE if role == snapshot.true_role else "  ", palette.TEXT),
                (names.role(role).ljust(NAME), bold + (palette.TEXT if role == best else palette.DIM)),
                bar(posterior[role], room, palette.ROLE_COLOURS[role], gamma if role == best else None),
                (f"{posterior[role]:>{PERCENT}.1%}", bold + palette.TEXT),
            )
        yield _thresholds(snapshot.belief_state, width)


def _thresholds(state: BeliefSnapshot | None, width: int) -> Content:
    if state is None:
        return line(("nothing seen yet", palette.DIM))
    belief, settings = state.belief, state.settings
    labels = ("confidence ", "   commitment u ") if width >= ROOMY else ("conf ", "  u ")
    limits = ("", "") if width < TIGHT else ("Γ ", "K ")
    return line(
        ("  " * (width >= TIGHT) + labels[0], palette.DIM),
        *_compared(
            beside(belief.confidence, settings.gamma_conf),
            f"{limits[0]}{settings.gamma_conf:g}",
            reached=belief.confidence >= settings.gamma_conf,
        ),
        (labels[1], palette.DIM),
        *_compared(
            f"{belief.commitment}",
            f"{limits[1]}{settings.stability}",
            reached=belief.commitment >= settings.stability,
        ),
    )


def _compared(value: str, limit: str, *, reached: bool) -> tuple[tuple[str, str], ...]:
    """Returns "value ≥ limit", or with <; the value is green where it reaches the limit."""
    return (
        (value, palette.GOOD if reached else palette.TEXT),
        (f" {'≥' if reached else '<'} {limit}", palette.DIM),
    )
