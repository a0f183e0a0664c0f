"""The panel "gate": the five conditions for replanning, the evidence, and the verdict in words.

The panel "commitment": the four conditions of the commitment gate, what it remembers, and the verdict in words.
"""

import math
import textwrap
from collections.abc import Iterable
from typing import ClassVar

from textual.content import Content

from bba import palette
from bba.agents import Profile
from bba.agents.planning import trigger_of
from bba.analysis.names import beside
from bba.analysis.snapshot import (
    BeliefSnapshot,
    Snapshot,
    StepsWhere,
    belief_snapshot,
    least_likely_action,
    observed_action_name,
)
from bba.belief import COMMITMENT_CONDITIONS, CONDITIONS, CommitmentResult, GateResult
from bba.limits import TriggerName
from bba.play import Trace
from tui.widgets.panel import Panel, bar, line

LAMPS = dict(zip(CONDITIONS, ("contradicts", "stable", "confident", "mid-skill", "cooled down"), strict=True))
BRIEF = LAMPS | {"mid_skill": "mid", "cooled_down": "cool"}
LAMP_ROWS = 2  # rows of lamps above which shorter names are used
DECADES = 3  # the bar of ℓ ends at 10⁻³
BLOCKS, FULL = "▁▂▃▄▅▆▇", 1.5  # the block of an action is full at a likelihood ratio of 10⁻¹·⁵ and below
LAMP_CELLS = 8  # cells before bar and blocks
LONG_VERDICT = 2  # rows of a verdict that the gate opens, which replaces the line on the last replan


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
    ratios = state.belief.likelihood_ratios[-max(1, width - LAMP_CELLS) :]
    blocks = [
        (BLOCKS[round(share * (len(BLOCKS) - 1))], palette.WARN if share >= 0.5 else palette.DIM)
        for share in (min(1.0, _decades(ratio) / FULL) for ratio in ratios)
    ]
    row = line(("actions".ljust(LAMP_CELLS), palette.DIM), *blocks)
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
            max(1, width - LAMP_CELLS - 8),
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
    return full if len(full) <= (LONG_VERDICT if opens else 1) else [verdict(state, snapshot, brief=True)]


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


COMMITMENT_LAMPS = dict(
    zip(COMMITMENT_CONDITIONS, ("told apart", "confident", "mid-skill", "cooled down"), strict=True)
)
COMMITMENT_BRIEF = COMMITMENT_LAMPS | {"mid_skill": "mid", "cooled_down": "cool"}
BAR_SCALE = 2  # the bar of Λ ends at so many times λ
LEAST_SCALE = 1.0  # the end of the bar where λ is 0


class CommitmentPanel(Panel):
    """Four lamps; what was believed at the decision; Λ on a bar; the verdict; the last replan."""

    TITLE = "commitment"
    TRIGGER: ClassVar[TriggerName] = "commitment"  # with which this gate interrupts the ego
    ABOUT = (
        "A second gate: it remembers which role the ego believed in when it chose its skill (or, if it is set so, when "
        "the partner last completed one). Λ says by how much the partner's actions since then fit the most likely role "
        "better, as a log-likelihood ratio; │ on its bar is the threshold λ. The ego replans by this gate if its "
        "trigger is commitment. It judges what is believed now, against a threshold of its own."
    )

    def title_of(self, snapshot: Snapshot) -> str:
        """Returns the title; it names the observer where the ego has no belief."""
        observer = snapshot.belief_state is not None and snapshot.belief_state.observer
        return "commitment gate (observer)" if observer else "commitment gate"

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:
        """Yields lamps, what is remembered and believed, Λ, the verdict and the last replan."""
        state = snapshot.belief_state
        result = state.commitment if state else None
        yield from lamp_rows((COMMITMENT_LAMPS, COMMITMENT_BRIEF), result, width)
        if state is None or result is None:
            yield line(("nothing to judge yet", palette.DIM))
            return
        yield _remembered(state, width)
        yield _commitment_evidence(state, width)
        yield line(
            (commitment_sentence(state, snapshot, width), f"bold {palette.WARN}" if result.opens else palette.TEXT)
        )
        if not result.opens:
            yield _last_opening(snapshot)


def deciding_gate_panel(profile: Profile) -> Panel:
    """Returns the panel of the gate that decides for an agent; the preprint's where neither does."""
    return CommitmentPanel() if trigger_of(profile) == "commitment" else GatePanel()


def _remembered(state: BeliefSnapshot, width: int) -> Content:
    """Returns what is remembered, and since how many of the partner's actions; the number alone where it is narrow."""
    if state.remembered is None or state.commitment is None:
        return line(("remembers ", palette.DIM), ("nothing: it was not confident", palette.TEXT))
    age = state.commitment.age
    known = line(("remembers ", palette.DIM), (state.remembered, palette.TEXT))
    since = f", {age} action{'s' * (age != 1)} ago"
    return known + line((since if known.cell_length + len(since) <= width else f", {age}", palette.DIM))


def _commitment_evidence(state: BeliefSnapshot, width: int) -> Content:
    """Returns Λ as a bar that grows as the actions are told apart, with a tick at λ."""
    ratio, limit = state.commitment.ratio if state.commitment else 0.0, state.commitment_settings.commitment_ratio
    end = BAR_SCALE * limit or LEAST_SCALE
    number, threshold = f"{ratio:>5.1f} ", f" λ {limit:<4.3g}"
    colour = palette.WARN if state.commitment and state.commitment.told_apart else palette.DIM
    room = max(1, width - 1 - len(number) - len(threshold))
    return line(
        ("Λ", palette.DIM),
        (number, palette.TEXT),
        bar(ratio / end, room, colour, limit / end),
        (threshold, palette.DIM),
    )


def commitment_sentence(state: BeliefSnapshot, snapshot: Snapshot, width: int) -> str:
    """Returns the verdict in full if that takes one row of `width` cells, else shorter."""
    full, brief = commitment_verdict(state, snapshot), commitment_verdict(state, snapshot, brief=True)
    return full if len(textwrap.wrap(full, max(1, width))) == 1 else brief


def commitment_verdict(state: BeliefSnapshot, snapshot: Snapshot, *, brief: bool = False) -> str:
    """Returns in a sentence, or shorter, which condition kept the gate closed, or what the actions speak for."""
    result, settings = state.commitment, state.commitment_settings
    if result is None:
        return "nothing to judge yet"
    if result.opens:
        replanned = "replanned" if state.replanned and state.trigger == "commitment" else "would replan"
        return f"{replanned}: {state.believed}" + ("" if brief else f", not {state.remembered}")
    reasons = {
        "told_apart": _untold(state),
        "confident": f"not confident, {state.belief.confidence:.2f} < {settings.commitment_conf:g}",
        "mid_skill": "no skill to interrupt",
        "cooled_down": f"cooling down since step {commitment_last_opening(snapshot)}",
    }
    return ("" if brief else "held: ") + reasons[result.blocked_by or "told_apart"]


def _untold(state: BeliefSnapshot) -> str:
    """Returns why the actions are not told apart from what is remembered."""
    if state.remembered is None:
        return "nothing to be told apart from"
    if state.remembered == state.believed:
        return "still believed"
    return f"not told apart from {state.remembered}"


def _commitment_opens(trace: Trace, step: int) -> bool:
    result = belief_snapshot(trace, step).commitment
    return result is not None and result.opens


_COMMITMENT_OPENINGS = StepsWhere(_commitment_opens)


def commitment_last_opening(snapshot: Snapshot) -> int:
    """Returns the last step so far at which this gate opened; 0 where there was none."""
    return _COMMITMENT_OPENINGS.last(snapshot.trace, snapshot.step)


def _last_opening(snapshot: Snapshot) -> Content:
    step = commitment_last_opening(snapshot)
    if not step:
        return line(("not opened yet", palette.DIM))
    state = belief_snapshot(snapshot.trace, step)
    label = "last replan" if state.replanned and state.trigger == "commitment" else "last opened"
    return line((f"{label} ", palette.DIM), (f"{step}: not {state.remembered}", palette.TEXT))
