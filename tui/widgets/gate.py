"""The panel "gate": the five conditions for replanning, the evidence, and in words what came of it."""

import math
import textwrap
from collections.abc import Iterable

from textual.content import Content

from bba import palette
from bba.analysis.snapshot import (
    BeliefSnapshot,
    Snapshot,
    belief_snapshot,
    least_likely_action,
    observed_action_name,
)
from bba.belief import CONDITIONS, GateResult
from tui.widgets.panel import Panel, bar, line

LAMPS = dict(zip(CONDITIONS, ("contradicts", "stable", "confident", "mid-skill", "cooled down"), strict=True))
BRIEF = LAMPS | {"mid_skill": "mid", "cooled_down": "cool"}
LAMP_ROWS = 2  # rows of lamps from which their names are cut short
DECADES = 3  # the bar of ℓ ends at 10⁻³
BLOCKS, FULL = "▁▂▃▄▅▆▇", 1.5  # the block of an action is full from a likelihood of 10⁻¹·⁵ down
LABEL = 8  # cells before bar and blocks
LONG = 2  # rows that the verdict may take where it leaves out the last replan


class GatePanel(Panel):
    """Five lamps, ℓ and the last actions of which it is the product on a log scale, the verdict, the last replan."""

    TITLE = "gate"
    ABOUT = (
        "The ego replans when all five lamps are lit. The bar grows as ℓ falls from 1 to 0.001; │ on it is θ. ℓ is the "
        "product of what is shown below it, the partner's last actions, oldest first: the taller the block, the less "
        "the action fits the belief; the last is named, with its likelihood."
    )

    def title_of(self, snapshot: Snapshot) -> str:
        """Whose gate it is, where it is not the ego's own."""
        return "gate (observer)" if snapshot.belief_state and snapshot.belief_state.observer else self.TITLE

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:
        """Lamps, bar, actions, verdict, last replan (unless the verdict is one)."""
        mind = snapshot.belief_state
        reading = mind.gate if mind else None
        yield from lamps(reading, width)
        if mind is None or reading is None:
            yield line(("nothing to judge yet", palette.DIM))
            return
        yield _evidence(reading.contradiction_likelihood, mind.settings.theta_obs, width)
        yield _actions(mind, snapshot, width)
        for row in sentence(mind, reading, snapshot, width):
            yield line((row, f"bold {palette.WARN}" if reading.opens else palette.TEXT))
        if not reading.opens:
            yield _last_replan(snapshot)


def lamps(reading: GateResult | None, width: int) -> Iterable[Content]:
    """The five conditions, ● where one holds, on as many lines as they need; with shorter names if those are many."""
    rows = _lamp_rows(LAMPS, reading, width)
    return rows if len(rows) <= LAMP_ROWS else _lamp_rows(BRIEF, reading, width)


def _lamp_rows(labels: dict[str, str], reading: GateResult | None, width: int) -> list[Content]:
    rows: list[Content] = []
    for name, label in labels.items():
        lit = reading is not None and getattr(reading, name)
        lamp = line(
            ("● " if lit else "○ ", palette.GOOD if lit else palette.FAINT),
            (label, palette.TEXT if lit else palette.DIM),
        )
        if rows and rows[-1].cell_length + 1 + lamp.cell_length <= width:
            rows[-1] = rows[-1] + " " + lamp
        else:
            rows.append(lamp)
    return rows


def _actions(mind: BeliefSnapshot, snapshot: Snapshot, width: int) -> Content:
    """A block an action that ℓ is made of, as many of the last as fit, and the last one in words."""
    factors = mind.belief.likelihood_ratios[-max(1, width - LABEL) :]
    blocks = [
        (BLOCKS[round(share * (len(BLOCKS) - 1))], palette.WARN if share >= 0.5 else palette.DIM)
        for share in (min(1.0, _decades(factor) / FULL) for factor in factors)
    ]
    row = line(("actions".ljust(LABEL), palette.DIM), *blocks)
    name, figure = observed_action_name(snapshot), f" {factors[-1]:.2f}" if factors else ""
    brief = name.split(": ")[-1]
    fitting = (text for text in (name + figure, name, brief) if row.cell_length + 1 + len(text) <= width)
    return row + line((" " + next(fitting, brief), palette.TEXT))


def _evidence(contradiction_likelihood: float, theta: float, width: int) -> Content:
    """ℓ as a bar that grows as the belief is contradicted."""
    figure = f"{contradiction_likelihood:>6.3f} " if contradiction_likelihood >= 0.0005 else " 0.000 "
    return line(
        ("ℓ", palette.DIM),
        (figure, palette.TEXT),
        bar(
            _share(contradiction_likelihood),
            max(1, width - LABEL - 8),
            palette.WARN if contradiction_likelihood < theta else palette.DIM,
            _share(theta),
        ),
        (f" θ {theta:<5.3g}", palette.DIM),
    )


def _share(value: float) -> float:
    """A probability on the bar of ℓ: 0 for 1, 1 for 10⁻³ and less."""
    return min(1.0, _decades(value) / DECADES)


def _decades(value: float) -> float:
    """How many powers of ten a probability lies below 1, at most 9."""
    return -math.log10(max(value, 1e-9))


def sentence(mind: BeliefSnapshot, reading: GateResult, snapshot: Snapshot, width: int) -> list[str]:
    """The verdict in rows of `width` cells: in full, if it fits into one (two, where the gate opens), or shorter."""
    full = textwrap.wrap(verdict(mind, reading, snapshot), max(1, width))
    return full if len(full) <= (LONG if reading.opens else 1) else [verdict(mind, reading, snapshot, brief=True)]


def verdict(mind: BeliefSnapshot, reading: GateResult, snapshot: Snapshot, *, brief: bool = False) -> str:
    """Why the gate stayed shut, or that it opened and what spoke against the belief, in one sentence or fewer words."""
    belief, settings = mind.belief, mind.settings
    if reading.opens:
        deed = "replanned" if mind.replanned else "would replan"
        if brief:
            return f"{deed}: {mind.prior_map}, ℓ {reading.contradiction_likelihood:.3f}"
        by = least_likely_action(mind, snapshot).split(": ")[-1]
        return f"{deed}: {mind.prior_map} contradicted{by and f' by {by}'}, ℓ = {reading.contradiction_likelihood:.3f}"
    reasons = {
        "contradiction": f"as expected, ℓ {reading.contradiction_likelihood:.2f} ≥ {settings.theta_obs:g}",
        "stable": f"not stable, u {belief.prior_commitment} < {settings.stability}",
        "confident": f"not confident, {belief.prior_confidence:.2f} < {settings.gamma_conf:g}",
        "mid_skill": "no skill to interrupt",
        "cooled_down": f"cooling down since step {last_opening(snapshot)}",
    }
    return ("" if brief else "held: ") + reasons[reading.blocked_by or "contradiction"]


def last_opening(snapshot: Snapshot) -> int:
    """The last step up to the moment at which the gate was open; 0 where there was none."""
    for step in range(snapshot.step, 0, -1):
        gate = belief_snapshot(snapshot.trace, step).gate
        if gate is not None and gate.opens:
            return step
    return 0


def _last_replan(snapshot: Snapshot) -> Content:
    step = last_opening(snapshot)
    if not step:
        return line(("not opened yet", palette.DIM))
    mind = belief_snapshot(snapshot.trace, step)
    deed = "last replan" if mind.replanned else "last opened"
    return line((f"{deed} ", palette.DIM), (f"{step}: {mind.prior_map}", palette.TEXT))
