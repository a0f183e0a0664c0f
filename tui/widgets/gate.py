"""The panel "gate": the five conditions for replanning, ℓ against θ, and in words what came of it."""

import math
from collections.abc import Iterable

from textual.content import Content

from bba.belief import CONDITIONS, GateReading
from tui import palette
from tui.moment import Mind, Moment, mind_of
from tui.widgets.panel import Panel, bar, line

LAMPS = dict(zip(CONDITIONS, ("contradicts", "stable", "confident", "mid-skill", "cooled down"), strict=True))
DECADES = 3  # the bar of ℓ ends at 10⁻³


class GatePanel(Panel):
    """Five lamps, the evidence against the belief on a log scale, the verdict, and the last replan."""

    TITLE = "gate"
    ABOUT = "The ego replans when all five lamps are lit. The bar grows as ℓ falls from 1 to 0.001; │ on it is θ."

    def title_of(self, moment: Moment) -> str:
        """Whose gate it is, where it is not the ego's own."""
        return "gate (observer)" if moment.mind and moment.mind.observer else self.TITLE

    def lines(self, moment: Moment, width: int) -> Iterable[Content]:
        """Lamps, bar, verdict, last replan."""
        mind = moment.mind
        reading = mind.gate if mind else None
        yield from lamps(reading, width)
        if mind is None or reading is None:
            yield line(("nothing to judge yet", palette.DIM))
            return
        yield _evidence(reading.ell, mind.settings.theta_obs, width)
        sentences = verdict(mind, reading, moment), verdict(mind, reading, moment, brief=True)
        fitting = sentences[0] if len(sentences[0]) <= width else sentences[1]
        yield line((fitting, f"bold {palette.WARN}" if reading.opens else palette.TEXT))
        yield _last_replan(moment)


def lamps(reading: GateReading | None, width: int) -> Iterable[Content]:
    """The five conditions, ● where one holds, on as many lines as they need."""
    row = line("")
    for name, label in LAMPS.items():
        lit = reading is not None and getattr(reading, name)
        lamp = line(
            ("● " if lit else "○ ", palette.GOOD if lit else palette.FAINT),
            (label, palette.TEXT if lit else palette.DIM),
        )
        if row.cell_length and row.cell_length + 1 + lamp.cell_length > width:
            yield row
            row = line("")
        row = row + " " + lamp if row.cell_length else lamp
    yield row


def _evidence(ell: float, theta: float, width: int) -> Content:
    """ℓ as a bar that grows as the belief is contradicted."""
    figure = f"{ell:>6.3f} " if ell >= 0.0005 else " 0.000 "
    return line(
        ("ℓ", palette.DIM),
        (figure, palette.TEXT),
        bar(
            _decades(ell),
            max(1, width - len(figure) - 9),
            palette.WARN if ell < theta else palette.DIM,
            _decades(theta),
        ),
        (f" θ {theta:<5.3g}", palette.DIM),
    )


def _decades(value: float) -> float:
    """A probability on the bar's log scale: 0 for 1, 1 for 10⁻³ and less."""
    return min(1.0, -math.log10(max(value, 1e-9)) / DECADES)


def verdict(mind: Mind, reading: GateReading, moment: Moment, *, brief: bool = False) -> str:
    """Why the gate stayed shut, or that it opened, in one sentence, or in fewer words."""
    belief, settings = mind.belief, mind.settings
    if reading.opens:
        deed = "replanned" if mind.replanned else "would replan"
        contradicted = "" if brief else " contradicted"
        return f"{deed}: {mind.suspect}{contradicted}, ℓ {reading.ell:.3f}"
    reasons = {
        "contradiction": f"as expected, ℓ {reading.ell:.2f} ≥ {settings.theta_obs:g}",
        "stable": f"not stable, u {belief.suspect_commitment} < {settings.stability}",
        "confident": f"not confident, {belief.suspect_confidence:.2f} < {settings.gamma_conf:g}",
        "mid_skill": "no skill to interrupt",
        "cooled_down": f"cooling down since step {last_opening(moment)}",
    }
    return "held: " + reasons[reading.blocked_by or "contradiction"]


def last_opening(moment: Moment) -> int:
    """The last step up to the moment at which the gate was open; 0 where there was none."""
    for step in range(moment.step, 0, -1):
        gate = mind_of(moment.trace, step).gate
        if gate is not None and gate.opens:
            return step
    return 0


def _last_replan(moment: Moment) -> Content:
    step = last_opening(moment)
    if not step:
        return line(("not opened yet", palette.DIM))
    mind = mind_of(moment.trace, step)
    deed = "last replan" if mind.replanned else "last opened"
    return line((f"{deed} ", palette.DIM), (f"{step}: {mind.suspect}", palette.TEXT))
