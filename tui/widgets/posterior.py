"""The panel "posterior": the probability of each of the partner's six roles."""

from collections.abc import Iterable
from typing import NamedTuple

from textual.content import Content

from bba import palette
from bba.analysis import names
from bba.analysis.names import beside
from bba.analysis.replans import recent_replan, roles_before
from bba.analysis.snapshot import BeliefSnapshot, Snapshot
from bba.belief import ROLE_NAMES, GateConfig
from tui.widgets.panel import Panel, Part, bar, line

TRUE, NAME, PERCENT = "◆ ", 14, 7
BOTH, NARROWEST = 13, 31  # width of "before → now", and the least width of the panel in which there is room for it


class PosteriorPanel(Panel):
    """Six bars with the threshold Γ on the most likely role; below, confidence and u as judged and as they are now."""

    TITLE = "posterior"
    ABOUT = (
        "How likely the partner plays each role; the most likely one is bold, │ on its bar is the threshold Γ, ◆ marks "
        "the true role. Below: judged is the belief before the partner's last action, which the gate tests; now is the "
        "belief after it, as the bars show it. Green: confidence has reached Γ, u has reached K. For some steps after "
        "a replan each role's probability stands there twice: as it was when that was tested → now."
    )

    def title_of(self, snapshot: Snapshot) -> str:
        """Returns the title; it names the observer where the ego has no belief."""
        if snapshot.belief_state and snapshot.belief_state.observer:
            return "posterior (observer)"
        return "posterior: before → now" if _before(snapshot, self.content_size.width) else self.TITLE

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:
        """Yields a line for each role, then one on what the gate judged and what is believed now."""
        posterior = snapshot.posterior
        best = max(range(len(posterior)), key=posterior.__getitem__) if snapshot.belief_state else None
        gamma = snapshot.belief_state.settings.gamma_conf if snapshot.belief_state else None
        before = _before(snapshot, width)
        room = max(1, width - len(TRUE) - NAME - (BOTH if before else PERCENT))
        for role in range(len(ROLE_NAMES)):
            bold = "bold " if role == best else ""
            yield line(
                (TRUE if role == snapshot.true_role else "  ", palette.TEXT),
                (names.role(role).ljust(NAME), bold + (palette.TEXT if role == best else palette.DIM)),
                bar(posterior[role], room, palette.ROLE_COLOURS[role], gamma if role == best else None),
                (f"{before[role]:>5.0%} →" if before else "", palette.DIM),
                (f"{posterior[role]:>{6 if before else PERCENT}.{0 if before else 1}%}", bold + palette.TEXT),
            )
        yield _judged_and_now(snapshot.belief_state, width)


def _before(snapshot: Snapshot, width: int) -> tuple[float, ...] | None:
    """Returns the belief that the last replan tested, over the six roles; None if it is long ago, or no room for it."""
    replan = recent_replan(snapshot) if width >= NARROWEST else None
    return roles_before(snapshot.trace, replan) if replan else None


def _judged_and_now(state: BeliefSnapshot | None, width: int) -> Content:
    """Returns confidence and u as the gate judged them, then as they are now; in fewer words where it is narrow."""
    if state is None:
        return line(("nothing seen yet", palette.DIM))
    belief = state.belief
    now = _Reading(state.settings, belief.confidence, belief.commitment)
    if state.gate is None:
        return line(("now ", palette.DIM), *now.compared())
    judged = _Reading(state.settings, belief.prior_confidence, belief.prior_commitment)
    forms = (
        (judged.compared(), now.compared(named_only=True)),
        (judged.compared(), now.numbers()),
        (judged.numbers(), now.numbers()),
        (judged.confidence(), now.confidence()),
    )
    lines = [line(("judged ", palette.DIM), *before, (" → now ", palette.DIM), *after) for before, after in forms]
    return next((one for one in lines if one.cell_length <= width), lines[-1])


class _Reading(NamedTuple):
    """Confidence and commitment at one moment, to be compared with the gate's thresholds; green where they reach them.

    Attributes:
        settings: the thresholds.
        share: the confidence, 0 to 1.
        commitment: u.
    """

    settings: GateConfig
    share: float
    commitment: int

    def confidence(self) -> tuple[Part, ...]:
        """Returns the confidence as a number."""
        gamma = self.settings.gamma_conf
        return ((beside(self.share, gamma), palette.GOOD if self.share >= gamma else palette.TEXT),)

    def numbers(self) -> tuple[Part, ...]:
        """Returns confidence and u."""
        return (*self.confidence(), (", u ", palette.DIM), self._updates())

    def compared(self, *, named_only: bool = False) -> tuple[Part, ...]:
        """Returns confidence and u beside their thresholds, these by name alone if wanted."""
        settings = self.settings
        gamma, stability = ("", "") if named_only else (f" {settings.gamma_conf:g}", f" {settings.stability}")
        return (
            *self.confidence(),
            (f" {_sign(self.share >= settings.gamma_conf)} Γ{gamma}, u ", palette.DIM),
            self._updates(),
            (f" {_sign(self.commitment >= settings.stability)} K{stability}", palette.DIM),
        )

    def _updates(self) -> tuple[str, str]:
        return str(self.commitment), palette.GOOD if self.commitment >= self.settings.stability else palette.TEXT


def _sign(reached: bool) -> str:
    return "≥" if reached else "<"
