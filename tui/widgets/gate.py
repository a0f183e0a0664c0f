"""The panels "gate" and "commitment": the conditions of a gate, the evidence that it judged, and its verdict."""

import math
import textwrap
from abc import abstractmethod
from collections.abc import Iterable
from functools import lru_cache, partial
from typing import ClassVar, Generic, TypeVar

from textual.content import Content

from bba import palette
from bba.analysis import (
    BeliefSnapshot,
    Snapshot,
    StepsWhere,
    Verdicts,
    belief_snapshot,
    last_verdicts,
    least_likely_action,
    names,
    number_against_limit,
    observed_action_name,
)
from bba.belief import COMMITMENT_GATE_CONDITIONS, CONDITIONS, CommitmentGateResult, GateResult
from bba.config import TriggerName
from bba.play import Trace
from tui.widgets.panel import Panel, bar, counted, fitting, flowing, line

LAMP_ROWS = 2  # rows of lamps above which shorter names are used
SHORT_LAMPS = {"mid_skill": "mid", "cooled_down": "cool"}
DECADES = 3  # the bar of ℓ ends at 10⁻³
BLOCKS = "▁▂▃▄▅▆▇"
FULL = 1.5  # the block of an action is full at a likelihood ratio of 10⁻¹·⁵ and below
SPACE = " "  # between lamps
LAMP_CELLS = 8  # cells before the blocks
WORDED = 36  # cells of width from which symbols have words beside them
BAR_SCALE = 2  # the bar of Λ ends at so many times λ
LEAST_SCALE = 1.0  # the end of the bar where λ is 0

Result = TypeVar("Result", GateResult, CommitmentGateResult)


# trigger: the field of a `BeliefSnapshot` that has its gate's result
RESULT_FIELDS: dict[TriggerName, str] = {"gate": "gate", "commitment": "commitment_gate"}


def _opens(result_field: str, trace: Trace, step: int) -> bool:
    result = getattr(belief_snapshot(trace, step), result_field)
    return result is not None and result.opens


_OPENINGS = {trigger: StepsWhere(partial(_opens, field)) for trigger, field in RESULT_FIELDS.items()}


class AnyGatePanel(Panel, Generic[Result]):
    """The lamps of a gate, its evidence, its verdict, and the last replan unless the verdict is a replan."""

    TRIGGER: ClassVar[TriggerName]  # with which the gate interrupts the ego
    NAME: ClassVar[str]
    LAMPS: ClassVar[dict[str, str]]  # the names of its conditions
    LONG_VERDICT: ClassVar[int] = 1  # rows that the verdict may take when the gate opens

    def title_of(self, snapshot: Snapshot) -> str:
        """Returns the title; it names the observer where the ego has no such gate."""
        observer = snapshot.belief_state is not None and snapshot.belief_state.observer
        return f"{self.NAME} (observer)" if observer else self.NAME

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:
        state = snapshot.belief_state
        result = self.result(state)
        yield from self.lamps(result, width)
        if state is None or result is None:
            yield line(("nothing to judge yet", palette.DIM))
            return
        yield from self._evidence(state, result, snapshot, width)
        style = f"bold {palette.WARN}" if result.opens else palette.TEXT
        for row in self.sentence(state, snapshot, width):
            yield line((row, style))
        if not result.opens:
            yield self._last_replan(snapshot)
        verdicts = last_verdicts(snapshot.trace, snapshot.step)
        if verdicts is not None:
            yield _three_gates(verdicts)

    @classmethod
    def result(cls, state: BeliefSnapshot | None) -> Result | None:
        """Returns the gate's last result; None before the first one."""
        result: Result | None = getattr(state, RESULT_FIELDS[cls.TRIGGER], None)
        return result

    @classmethod
    def lamps(cls, result: Result | None, width: int) -> list[Content]:
        """Returns the conditions, ● where one holds, in rows; by their shorter names where there would be many rows."""
        rows = cls._lamps_named(cls.LAMPS, result, width)
        if len(rows) > LAMP_ROWS:
            rows = cls._lamps_named(cls.LAMPS | SHORT_LAMPS, result, width)
        return rows

    @classmethod
    def _lamps_named(cls, lamp_names: dict[str, str], result: Result | None, width: int) -> list[Content]:
        lamps = [(name, getattr(result, condition, False)) for condition, name in lamp_names.items()]
        return _lamp_rows(tuple(lamps), width)

    @classmethod
    def sentence(cls, state: BeliefSnapshot, snapshot: Snapshot, width: int) -> list[str]:
        """Returns the verdict in rows of `width` cells: in full if that takes one, or a few where the gate opens."""
        rows = textwrap.wrap(cls.verdict(state, snapshot), max(1, width))
        result = cls.result(state)
        most_rows = cls.LONG_VERDICT if result is not None and result.opens else 1
        if len(rows) > most_rows:
            return [cls.verdict(state, snapshot, brief=True)]
        return rows

    @classmethod
    def verdict(cls, state: BeliefSnapshot, snapshot: Snapshot, *, brief: bool = False) -> str:
        """Returns in a sentence, or shorter, which condition kept the gate closed, or why it opened."""
        result = cls.result(state)
        if result is None:
            return "nothing to judge yet"
        if result.opens:
            reason = cls._why_opened(state, result, snapshot, brief=brief)
            return f"{cls._consequence(state)}: {reason}"
        reasons = {
            "mid_skill": "no skill to interrupt",
            "cooled_down": f"too soon after step {cls._last_opening(snapshot)}",
            **cls._why_closed(state, result),
        }
        first_condition = next(iter(cls.LAMPS))
        reason = reasons[result.blocked_by or first_condition]
        if brief:
            return reason
        decides = state.trigger == cls.TRIGGER and not state.observer
        return f"keeps its plan: {reason}" if decides else f"closed: {reason}"

    @classmethod
    def _last_opening(cls, snapshot: Snapshot) -> int:
        """Returns the last step in which the gate opened; 0 for none."""
        return _OPENINGS[cls.TRIGGER].last(snapshot.trace, snapshot.step)

    @classmethod
    def _consequence(cls, state: BeliefSnapshot) -> str:
        """Returns what follows from the gate's opening."""
        if cls._decided(state):
            return "replanned"
        return "opens" if state.observer else "would replan"

    @classmethod
    def _decided(cls, state: BeliefSnapshot) -> bool:
        """Returns whether the ego replanned because of this gate, not of another trigger."""
        return state.replanned and state.trigger == cls.TRIGGER

    def _last_replan(self, snapshot: Snapshot) -> Content:
        step = self._last_opening(snapshot)
        state = belief_snapshot(snapshot.trace, step or snapshot.step)
        if not step:
            decides = state.trigger == self.TRIGGER and not state.observer
            return line(("has not replanned yet" if decides else "not opened yet", palette.DIM))
        label = "last replan" if self._decided(state) else "last opened"
        return line((f"{label} ", palette.DIM), (f"{step}: {self.left_behind(state)}", palette.TEXT))

    @classmethod
    @abstractmethod
    def left_behind(cls, state: BeliefSnapshot) -> str:
        """Returns what was no longer believed when the gate opened."""

    @abstractmethod
    def _evidence(self, state: BeliefSnapshot, result: Result, snapshot: Snapshot, width: int) -> Iterable[Content]:
        """Yields lines on the evidence that the gate judged."""

    @classmethod
    @abstractmethod
    def _why_opened(cls, state: BeliefSnapshot, result: Result, snapshot: Snapshot, *, brief: bool) -> str:
        """Returns the reason for which the gate opened."""

    @classmethod
    @abstractmethod
    def _why_closed(cls, state: BeliefSnapshot, result: Result) -> dict[str, str]:
        """Returns why each condition of this gate alone keeps it closed."""


@lru_cache(maxsize=64)
def _three_gates(verdicts: Verdicts) -> Content:
    """Returns what each gate would have done where skills were compared last while one ran."""
    return line(SPACE).join(
        [
            line((f"at {verdicts.step}", palette.DIM)),
            _lamp("gate", verdicts.gate),
            _lamp("commitment", verdicts.commitment_gate),
            _lamp("value", verdicts.value),
        ]
    )


@lru_cache(maxsize=64)
def _lamp_rows(lamps: tuple[tuple[str, bool], ...], width: int) -> list[Content]:
    texts = [_lamp(name, lit) for name, lit in lamps]
    return flowing(texts, line(" "), width)


def _lamp(name: str, lit: bool) -> Content:
    if lit:
        return line(("● ", palette.GOOD), (name, palette.TEXT))
    return line(("○ ", palette.FAINT), (name, palette.DIM))


def _scale(sign: str, number: str, threshold: str, places: tuple[float, float], width: int, *, over: bool) -> Content:
    """Returns a number with its bar and the threshold on it; `places` (0 to 1) are where both lie."""
    number_place, threshold_place = places
    room = max(1, width - len(sign + number + threshold))
    scale = bar(number_place, room, palette.WARN if over else palette.DIM, threshold_place)
    return line((sign, palette.DIM), (number, palette.TEXT), scale, (threshold, palette.DIM))


class GatePanel(AnyGatePanel[GateResult]):
    """Five lamps; ℓ and its factors, the last actions, on a log scale; the verdict; the last replan."""

    TITLE = "gate"
    NAME = "gate"
    TRIGGER = "gate"
    LAMPS: ClassVar = dict(
        zip(CONDITIONS, ("contradicts", "stable", "confident", "mid-skill", "not too soon"), strict=True)
    )
    LONG_VERDICT = 2
    ABOUT = (
        "If this gate decides, five lit lamps make the ego replan: ℓ is below θ (contradicts), u has reached K "
        "(stable) and the confidence Γ (confident), a skill runs (mid-skill), and the gate has not opened for some "
        'steps (not too soon). They judge the belief before the partner\'s last action, "judged" under the '
        "posterior. The bar grows as ℓ falls from 1 to 0.001; │ on it is θ. The blocks are the partner's last "
        "actions, oldest first: the taller, the less likely under the belief. The last one is named, with its "
        "likelihood ratio."
    )

    def _evidence(self, state: BeliefSnapshot, result: GateResult, snapshot: Snapshot, width: int) -> Iterable[Content]:
        likelihood = result.contradiction_likelihood
        theta = state.settings.theta_obs
        number = f"{likelihood:>6.3f} "
        roomy = width >= WORDED
        threshold = f" limit θ {theta:<5.3g}" if roomy else f" θ {theta:<5.3g}"
        places = (_share(likelihood), _share(theta))
        yield _scale("fit ℓ" if roomy else "ℓ", number, threshold, places, width, over=likelihood < theta)
        yield _actions(state, snapshot, width)

    @classmethod
    def left_behind(cls, state: BeliefSnapshot) -> str:
        """Returns the hypothesis that the partner's actions contradicted."""
        return f"not {names.doing(state.prior_map)}"

    @classmethod
    def _why_opened(cls, state: BeliefSnapshot, result: GateResult, snapshot: Snapshot, *, brief: bool) -> str:
        contradicting = number_against_limit(result.contradiction_likelihood, state.settings.theta_obs, 3)
        if brief:
            return f"{cls.left_behind(state)}, ℓ {contradicting}"
        action = least_likely_action(state, snapshot).split(": ")[-1]
        cause = f" by {action}" if action else ""
        return f"{names.doing(state.prior_map)} contradicted{cause}, ℓ = {contradicting}"

    @classmethod
    def _why_closed(cls, state: BeliefSnapshot, result: GateResult) -> dict[str, str]:
        belief = state.belief
        settings = state.settings
        likelihood = number_against_limit(result.contradiction_likelihood, settings.theta_obs)
        confidence = number_against_limit(belief.prior_confidence, settings.gamma_conf)
        return {
            "contradiction": f"as expected, ℓ {likelihood} ≥ θ {settings.theta_obs:g}",
            "stable": f"a new guess, u {belief.prior_stable_updates} < K {settings.stability}",
            "confident": f"not sure, {confidence} < Γ {settings.gamma_conf:g}",
        }


def _actions(state: BeliefSnapshot, snapshot: Snapshot, width: int) -> Content:
    """Returns a block for each factor of ℓ, as many of the last as there is space for, and the last action in words."""
    ratios = state.belief.likelihood_ratios[-max(1, width - LAMP_CELLS) :]
    blocks = [_action_block(ratio) for ratio in ratios]
    row = line(("actions".ljust(LAMP_CELLS), palette.DIM), *blocks)
    name = observed_action_name(snapshot)
    short_name = name.split(": ")[-1]
    last_ratio = f" {ratios[-1]:.2f}" if ratios else ""
    last_action = fitting(width - row.cell_length - 1, name + last_ratio, name, short_name)
    return row + line((f" {last_action}", palette.TEXT))


def _action_block(ratio: float) -> tuple[str, str]:
    """Returns the block of an action and its colour: the taller, the less likely the action."""
    share = min(1.0, _decades(ratio) / FULL)
    block = BLOCKS[round(share * (len(BLOCKS) - 1))]
    return block, palette.WARN if share >= 0.5 else palette.DIM


def _share(value: float) -> float:
    return min(1.0, _decades(value) / DECADES)


def _decades(value: float) -> float:
    """Returns how many powers of ten a probability lies below 1, at most 9."""
    return -math.log10(max(value, 1e-9))


class CommitmentGatePanel(AnyGatePanel[CommitmentGateResult]):
    """Four lamps; what was believed at the decision; Λ on a bar; the verdict; the last replan."""

    TITLE = "commitment"
    NAME = "commitment gate"
    TRIGGER = "commitment"
    LAMPS: ClassVar = dict(
        zip(COMMITMENT_GATE_CONDITIONS, ("told apart", "confident", "mid-skill", "not too soon"), strict=True)
    )
    ABOUT = (
        "A second gate: it remembers which role the ego believed in when it chose its skill (or, if it is set so, when "
        "the partner last completed one). Λ says by how much the partner's actions since then fit the most likely role "
        "better, as a log-likelihood ratio; │ on its bar is the threshold λ. The ego replans by this gate if its "
        "trigger is commitment. It judges what is believed now, against a threshold of its own."
    )

    def _evidence(
        self,
        state: BeliefSnapshot,
        result: CommitmentGateResult,
        snapshot: Snapshot,  # noqa: ARG002 - needed by the other gate
        width: int,
    ) -> Iterable[Content]:
        yield _remembered(state, result, width)
        threshold = state.commitment_gate_settings.commitment_ratio
        end = BAR_SCALE * threshold if threshold else LEAST_SCALE
        number = f"{result.ratio:>5.1f} "
        roomy = width >= WORDED
        threshold_text = f" limit λ {threshold:<4.3g}" if roomy else f" λ {threshold:<4.3g}"
        places = (result.ratio / end, threshold / end)
        yield _scale(
            "other fits better Λ" if roomy else "Λ", number, threshold_text, places, width, over=result.told_apart
        )

    @classmethod
    def left_behind(cls, state: BeliefSnapshot) -> str:
        """Returns the hypothesis that was remembered."""
        return f"not {names.doing(state.remembered or '')}"

    @classmethod
    def _why_opened(
        cls,
        state: BeliefSnapshot,
        result: CommitmentGateResult,  # noqa: ARG003
        snapshot: Snapshot,  # noqa: ARG003
        *,
        brief: bool,
    ) -> str:
        believed = names.doing(state.believed)
        return believed if brief else f"{believed}, {cls.left_behind(state)}"

    @classmethod
    def _why_closed(cls, state: BeliefSnapshot, result: CommitmentGateResult) -> dict[str, str]:  # noqa: ARG003
        if state.remembered is None:
            not_told_apart = "nothing to be told apart from"
        elif state.remembered == state.believed:
            not_told_apart = "still believed"
        else:
            not_told_apart = f"not told apart from {names.doing(state.remembered)}"
        confidence = state.belief.confidence
        threshold = state.commitment_gate_settings.commitment_conf
        return {
            "told_apart": not_told_apart,
            "confident": f"not sure, {confidence:.2f} < Γc {threshold:g}",
        }


def _remembered(state: BeliefSnapshot, result: CommitmentGateResult, width: int) -> Content:
    """Returns the remembered role, and how many actions of the partner ago; the number alone where it is narrow."""
    if state.remembered is None:
        return line(("remembers ", palette.DIM), ("nothing: it was not confident", palette.TEXT))
    role = line(("remembers ", palette.DIM), (names.doing(state.remembered), palette.TEXT))
    actions = counted(result.age, "action")
    age = fitting(width - role.cell_length, f", {actions} ago", f", {result.age}")
    return role + line((age, palette.DIM))
