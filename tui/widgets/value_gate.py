"""The panel of the value gate: what another plan would be worth, how much it has to be, and what came of that."""

from collections.abc import Iterable
from typing import ClassVar

from textual.content import Content

from bba import palette
from bba.agents import Profile, trigger_of
from bba.analysis import CookNames, Snapshot, StepsWhere, last_comparison, names, points
from bba.analysis.captions import last_judged
from bba.analysis.replans import choice_step
from bba.config import TriggerName
from bba.planner import Comparison, SkillValue
from bba.play import EGO, Trace
from tui.widgets.gate import CommitmentGatePanel, GatePanel
from tui.widgets.panel import Panel, bar, cooks_on, fitting, line

LEAST_END = 10.0  # points at which the bar of the gain ends at least
END_SCALE = 4  # it ends at so many times what a change has to bring
LABEL = 9  # cells before the names of skills


def _changed(trace: Trace, step: int) -> bool:
    return trace.ticks[step - 1].decisions[EGO].replanned


_CHANGED = StepsWhere(_changed)


class ValuePanel(Panel):
    """The best other plan by the planner, what it would gain, and how much it has to."""

    TITLE = "value"
    NAME: ClassVar[str] = "value gate"
    TRIGGER: ClassVar[TriggerName] = "value"  # with which it interrupts the ego
    ABOUT = (
        "The gate of an ego that goes by what a change is worth. When its belief has moved, its planner compares the "
        "running skill with others, and the ego changes its plan if one of them promises so many points more. The bar "
        "is this gain, in points; │ on it is what a change has to bring. Below: the plans that were compared, the "
        "verdict, and the last change. Neither of the other gates decides here."
    )

    def title_of(self, snapshot: Snapshot) -> str:  # noqa: ARG002 - the same at every step
        """Returns the title."""
        return self.NAME

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:
        """Yields five lines; four where nothing was compared, two before the ego was asked."""
        step = _last_judged(snapshot)
        cooks = cooks_on(self, snapshot.config)
        if not step:
            yield self.verdict(snapshot, width, cooks)
            yield _last_change(snapshot)
            return
        comparison = last_comparison(snapshot.trace, step)
        rollout = snapshot.trace.config_at(step).seats[EGO].rollout
        assert comparison is not None
        assert rollout is not None
        running, *others = comparison.call.options
        best = best_other(comparison.call)
        if others:
            yield _gain(best, rollout.replan_cost, width)
        else:
            yield line(("no other plan was worth a look", palette.DIM))
        yield line(("ran".ljust(LABEL), palette.DIM), (names.skill(running.skill), palette.TEXT))
        if others:
            yield line(("other".ljust(LABEL), palette.DIM), (names.skill(best.skill), palette.TEXT))
        yield self.verdict(snapshot, width, cooks)
        yield _last_change(snapshot)

    @classmethod
    def verdict(cls, snapshot: Snapshot, width: int, cooks: CookNames) -> Content:
        """Returns what came of the last comparison up to a step, in as many words as fit."""
        step = _last_judged(snapshot)
        comparison = last_comparison(snapshot.trace, step) if step else None
        if comparison is None:
            return line((fitting(width, *_not_asked(snapshot, cooks)), palette.DIM))
        changes = _changed(snapshot.trace, step)
        style = f"bold {palette.WARN}" if changes and step == snapshot.step else palette.TEXT
        return line((fitting(width, *verdicts(comparison.call, step, changes=changes)), style))


def best_other(comparison: Comparison) -> SkillValue:
    """Returns the option that was chosen in the place of the running skill; else the best of the others, if any."""
    if comparison.chosen != comparison.options[0].skill:
        return comparison.best
    return max(comparison.options[1:] or comparison.options, key=lambda option: option.gain)


def verdicts(comparison: Comparison, step: int, *, changes: bool) -> tuple[str, ...]:
    """Returns what came of a comparison in a step, the longest form first."""
    if changes:
        gain = points(best_other(comparison).gain)
        brief = f"{step}: changed its plan"
        return f"step {brief} for {gain} points", f"{brief} for {gain} points", brief
    return f"step {step}: kept its plan, no other pays", f"{step}: kept its plan"


def _last_judged(snapshot: Snapshot) -> int:
    """Returns the last step in which the running skill, or the one that it took the place of, was compared; or 0."""
    step = last_judged(snapshot.trace, snapshot.step)
    return step if step and step >= choice_step(snapshot.trace, snapshot.step) else 0


def _not_asked(snapshot: Snapshot, cooks: CookNames) -> tuple[str, ...]:
    choice = choice_step(snapshot.trace, snapshot.step) if snapshot.step else 0
    if not choice:
        return f"what {cooks.ego} believes has not moved yet", "the belief has not moved yet"
    if choice == snapshot.step:
        return f"{cooks.ego} has just chosen its plan", "just chosen"
    return (
        f"{cooks.ego} has not looked again since its choice in step {choice}",
        f"not looked again since step {choice}",
        "not looked again yet",
    )


def _gain(best: SkillValue, cost: float, width: int) -> Content:
    """Returns the gain of another plan with its bar, on which is marked what it has to be."""
    sign = "−" if best.gain < 0 else "+"
    number = f"{sign}{points(abs(best.gain))} points ".rjust(LABEL + 4)
    threshold = f" needs {cost:g}"
    end = max(LEAST_END, END_SCALE * cost)
    room = max(1, width - len(number) - len(threshold))
    colour = palette.WARN if best.gain > cost else palette.DIM
    scale = bar(max(0.0, best.gain) / end, room, colour, cost / end)
    return line((number, palette.TEXT), scale, (threshold, palette.DIM))


def _last_change(snapshot: Snapshot) -> Content:
    step = _CHANGED.last(snapshot.trace, snapshot.step)
    if not step:
        return line(("has not changed its plan yet", palette.DIM))
    ticks = snapshot.trace.ticks
    chosen = names.skill(ticks[step - 1].skills[EGO])
    return line((f"last change {step}: ", palette.DIM), (chosen, palette.TEXT))


def deciding_gate_panel(profile: Profile) -> type[GatePanel] | type[CommitmentGatePanel] | type[ValuePanel]:
    """Returns the panel of the gate that decides for an agent; the preprint's where none does."""
    match trigger_of(profile):
        case "commitment":
            return CommitmentGatePanel
        case "value":
            return ValuePanel
        case _:
            return GatePanel
