"""The panel "gate": the five conditions for replanning, the evidence, and the verdict in words."""

import math
import textwrap
from collections.abc import Iterable
from typing import ClassVar

from textual.content import Content

from bba import palette
from bba.analysis.names import beside
from bba.analysis.snapshot import (
    BeliefSnapshot,
    Snapshot,
    belief_snapshot,
    least_likely_action,
    observed_action_name,
)
from bba.analysis.steps_where import StepsWhere
from bba.belief import CONDITIONS, CommitmentResult, GateResult
from bba.limits import TriggerName
from bba.play import Trace
from tui.widgets.panel import Panel, bar, line

LAMPS = dict(zip(CONDITIONS, ("contradicts", "stable", "confident", "mid-skill", "cooled down"), strict=True))
BRIEF = LAMPS | {"mid_skill": "mid", "cooled_down": "cool"}
LAMP_ROWS = 2  # rows of lamps above which shorter names are used
DECADES = 3  # the bar of ℓ ends at 10⁻³
BLOCKS, FULL = "▁▂▃▄▅▆▇", 1.5  # the block of an action is full at a likelihood ratio of 10⁻¹·⁵ and below
LABEL = 8  # cells before bar and blocks
LONG = 2  # rows of a verdict that the gate opens, which replaces the line on the last replan


class GatePanel(Panel):
    """Five lamps; ℓ and its factors, the last actions, on a log scale; the verdict; the last replan."""

    TITLE = "gate"
    TRIGGER: ClassVar[TriggerName] = "gate"  # with which this gate interrupts the ego
    ABOUT = (
        "The ego replans when all five lamps are lit. They judge the belief before the partner's last action, which is "
        '"judged" under the posterior. The bar grows as ℓ falls from 1 to 0.001; │ on it is θ. ℓ is the product of the '
        "likelihood ratios below it, one for each of the partner's last actions, oldest first: the taller the block, "
        "the less likely the action under the belief. The last one is named, with its ratio."
    )

    def title_of(self, snapshot: Snapshot) -> str:
        """Returns the title; it names the observer where the ego has no gate."""
        return "gate (observer)" if snapshot.belief_state and snapshot.belief_state.observer else self.TITLE

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:
        """Yields lamps, bar, actions, verdict and the last replan (unless the verdict is a replan)."""
        state = snapshot.belief_state
        gate = state.gate if state else None
        yield from lamps(gate, width)
        if state is None or gate is None:
            yield line(("nothing to judge yet", palette.DIM))
            return
        yield _evidence(gate.contradiction_likelihood, state.settings.theta_obs, width)
        yield _actions(state, snapshot, width)
        for row in sentence(state, snapshot, width):
            yield line((row, f"bold {palette.WARN}" if gate.opens else palette.TEXT))
        if not gate.opens:
            yield _last_replan(snapshot)


def lamps(gate: GateResult | None, width: int) -> Iterable[Content]:
    """Returns the five conditions in rows."""
    return lamp_rows((LAMPS, BRIEF), gate, width)


def lamp_rows(
    names: tuple[dict[str, str], dict[str, str]], gate: GateResult | CommitmentResult | None, width: int
) -> list[Content]:
    """Returns a gate's conditions, ● where one holds, in rows; by their shorter names where there would be many rows.

    Args:
        names: the names of the conditions by attribute, and shorter ones.
        gate: the result; None before the first.
        width: cells of a row.
    """
    rows = _lamp_rows(names[0], gate, width)
    return rows if len(rows) <= LAMP_ROWS else _lamp_rows(names[1], gate, width)


def _lamp_rows(labels: dict[str, str], gate: GateResult | CommitmentResult | None, width: int) -> list[Content]:
    rows: list[Content] = []
    for name, label in labels.items():
        lit = gate is not None and getattr(gate, name)
        lamp = line(
            ("● " if lit else "○ ", palette.GOOD if lit else palette.FAINT),
            (label, palette.TEXT if lit else palette.DIM),
        )
        if rows and rows[-1].cell_length + 1 + lamp.cell_length <= width:
            rows[-1] = rows[-1] + " " + lamp
        else:
            rows.append(lamp)
    return rows


def _actions(state: BeliefSnapshot, snapshot: Snapshot, width: int) -> Content:
    """Returns a block for each factor of ℓ, as many of the last as there is space for, and the last action in words."""
    ratios = state.belief.likelihood_ratios[-max(1, width - LABEL) :]
    blocks = [
        (BLOCKS[round(share * (len(BLOCKS) - 1))], palette.WARN if share >= 0.5 else palette.DIM)
        for share in (min(1.0, _decades(ratio) / FULL) for ratio in ratios)
    ]
    row = line(("actions".ljust(LABEL), palette.DIM), *blocks)
    name, last = observed_action_name(snapshot), f" {ratios[-1]:.2f}" if ratios else ""
    brief = name.split(": ")[-1]
    short = (text for text in (name + last, name, brief) if row.cell_length + 1 + len(text) <= width)
    return row + line((" " + next(short, brief), palette.TEXT))


def _evidence(contradiction_likelihood: float, theta: float, width: int) -> Content:
    """Returns ℓ as a bar that grows the more the belief is contradicted."""
    number = f"{contradiction_likelihood:>6.3f} " if contradiction_likelihood >= 0.0005 else " 0.000 "
    return line(
        ("ℓ", palette.DIM),
        (number, palette.TEXT),
        bar(
            _share(contradiction_likelihood),
            max(1, width - LABEL - 8),
            palette.WARN if contradiction_likelihood < theta else palette.DIM,
            _share(theta),
        ),
        (f" θ {theta:<5.3g}", palette.DIM),
    )


def _share(value: float) -> float:
    """Returns the place of a probability on the bar of ℓ: 0 for 1, 1 for 10⁻³ and less."""
    return min(1.0, _decades(value) / DECADES)


def _decades(value: float) -> float:
    """Returns how many powers of ten a probability lies below 1, at most 9."""
    return -math.log10(max(value, 1e-9))


def sentence(state: BeliefSnapshot, snapshot: Snapshot, width: int) -> list[str]:
    """Returns the verdict in rows of `width` cells: in full if that takes one row (two, where the gate opens)."""
    full = textwrap.wrap(verdict(state, snapshot), max(1, width))
    opens = state.gate is not None and state.gate.opens
    return full if len(full) <= (LONG if opens else 1) else [verdict(state, snapshot, brief=True)]


def verdict(state: BeliefSnapshot, snapshot: Snapshot, *, brief: bool = False) -> str:
    """Returns in a sentence, or shorter, which condition kept the gate closed, or what contradicted the belief."""
    belief, settings, gate = state.belief, state.settings, state.gate
    if gate is None:
        return "nothing to judge yet"
    if gate.opens:
        result = "replanned" if _decided(state) else "would replan"
        contradicting = beside(gate.contradiction_likelihood, settings.theta_obs, 3)
        if brief:
            return f"{result}: {state.prior_map}, ℓ {contradicting}"
        by = least_likely_action(state, snapshot).split(": ")[-1]
        return f"{result}: {state.prior_map} contradicted{by and f' by {by}'}, ℓ = {contradicting}"
    contradiction_likelihood = beside(gate.contradiction_likelihood, settings.theta_obs)
    reasons = {
        "contradiction": f"as expected, ℓ {contradiction_likelihood} ≥ {settings.theta_obs:g}",
        "stable": f"not stable, u {belief.prior_commitment} < {settings.stability}",
        "confident": f"not confident, {beside(belief.prior_confidence, settings.gamma_conf)} < {settings.gamma_conf:g}",
        "mid_skill": "no skill to interrupt",
        "cooled_down": f"cooling down since step {last_opening(snapshot)}",
    }
    return ("" if brief else "held: ") + reasons[gate.blocked_by or "contradiction"]


def _decided(state: BeliefSnapshot) -> bool:
    """Returns whether the ego replanned because of this gate, not of another trigger."""
    return state.replanned and state.trigger == "gate"


def _opens(trace: Trace, step: int) -> bool:
    gate = belief_snapshot(trace, step).gate
    return gate is not None and gate.opens


_OPENINGS = StepsWhere(_opens)


def last_opening(snapshot: Snapshot) -> int:
    """Returns the last step so far at which the gate opened; 0 where there was none."""
    return _OPENINGS.last(snapshot.trace, snapshot.step)


def _last_replan(snapshot: Snapshot) -> Content:
    step = last_opening(snapshot)
    if not step:
        return line(("not opened yet", palette.DIM))
    state = belief_snapshot(snapshot.trace, step)
    label = "last replan" if _decided(state) else "last opened"
    return line((f"{label} ", palette.DIM), (f"{step}: {state.prior_map}", palette.TEXT))
