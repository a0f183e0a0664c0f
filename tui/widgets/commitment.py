"""The panel "commitment": the four conditions of the commitment gate, what it remembers, and the verdict in words."""

import textwrap
from collections.abc import Iterable
from typing import ClassVar

from textual.content import Content

from bba import palette
from bba.agents import Profile
from bba.agents.planning import trigger_of
from bba.analysis.snapshot import BeliefSnapshot, Snapshot, belief_snapshot
from bba.analysis.steps_where import StepsWhere
from bba.belief import COMMITMENT_CONDITIONS
from bba.limits import TriggerName
from bba.play import Trace
from tui.widgets.gate import GatePanel, lamp_rows
from tui.widgets.panel import Panel, bar, line

LAMPS = dict(zip(COMMITMENT_CONDITIONS, ("told apart", "confident", "mid-skill", "cooled down"), strict=True))
BRIEF = LAMPS | {"mid_skill": "mid", "cooled_down": "cool"}
SCALE = 2  # the bar of Λ ends at so many times λ
LEAST = 1.0  # the end of the bar where λ is 0


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
        yield from lamp_rows((LAMPS, BRIEF), result, width)
        if state is None or result is None:
            yield line(("nothing to judge yet", palette.DIM))
            return
        yield _remembered(state, width)
        yield _evidence(state, width)
        yield line((sentence(state, snapshot, width), f"bold {palette.WARN}" if result.opens else palette.TEXT))
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


def _evidence(state: BeliefSnapshot, width: int) -> Content:
    """Returns Λ as a bar that grows as the actions are told apart, with a tick at λ."""
    ratio, limit = state.commitment.ratio if state.commitment else 0.0, state.commitment_settings.commitment_ratio
    end = SCALE * limit or LEAST
    number, threshold = f"{ratio:>5.1f} ", f" λ {limit:<4.3g}"
    colour = palette.WARN if state.commitment and state.commitment.told_apart else palette.DIM
    room = max(1, width - 1 - len(number) - len(threshold))
    return line(
        ("Λ", palette.DIM),
        (number, palette.TEXT),
        bar(ratio / end, room, colour, limit / end),
        (threshold, palette.DIM),
    )


def sentence(state: BeliefSnapshot, snapshot: Snapshot, width: int) -> str:
    """Returns the verdict in full if that takes one row of `width` cells, else shorter."""
    full, brief = verdict(state, snapshot), verdict(state, snapshot, brief=True)
    return full if len(textwrap.wrap(full, max(1, width))) == 1 else brief


def verdict(state: BeliefSnapshot, snapshot: Snapshot, *, brief: bool = False) -> str:
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
        "cooled_down": f"cooling down since step {last_opening(snapshot)}",
    }
    return ("" if brief else "held: ") + reasons[result.blocked_by or "told_apart"]


def _untold(state: BeliefSnapshot) -> str:
    """Returns why the actions are not told apart from what is remembered."""
    if state.remembered is None:
        return "nothing to be told apart from"
    if state.remembered == state.believed:
        return "still believed"
    return f"not told apart from {state.remembered}"


def _opens(trace: Trace, step: int) -> bool:
    result = belief_snapshot(trace, step).commitment
    return result is not None and result.opens


_OPENINGS = StepsWhere(_opens)


def last_opening(snapshot: Snapshot) -> int:
    """Returns the last step so far at which this gate opened; 0 where there was none."""
    return _OPENINGS.last(snapshot.trace, snapshot.step)


def _last_opening(snapshot: Snapshot) -> Content:
    step = last_opening(snapshot)
    if not step:
        return line(("not opened yet", palette.DIM))
    state = belief_snapshot(snapshot.trace, step)
    label = "last replan" if state.replanned and state.trigger == "commitment" else "last opened"
    return line((f"{label} ", palette.DIM), (f"{step}: not {state.remembered}", palette.TEXT))
