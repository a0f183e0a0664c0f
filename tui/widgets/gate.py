"""The panels "gate" and "commitment": the conditions of a gate, the evidence that it judged, and its verdict."""

import math
import textwrap
from abc import abstractmethod
from collections.abc import Iterable
from functools import lru_cache, partial
from typing import ClassVar, Generic, TypeVar

from textual.content import Content

from bba import palette
from bba.agents import Profile, trigger_of
from bba.analysis import (
    BeliefSnapshot,
    Snapshot,
    StepsWhere,
    Verdicts,
    belief_snapshot,
    beside,
    last_verdicts,
    least_likely_action,
    observed_action_name,
)
from bba.belief import COMMITMENT_CONDITIONS, CONDITIONS, CommitmentResult, GateResult
from bba.config import TriggerName
from bba.play import Trace
from tui.widgets.panel import Panel, bar, fitting, flowing, line

LAMP_ROWS = 2  # rows of lamps above which shorter names are used
SHORT_LAMPS = {"mid_skill": "mid", "cooled_down": "cool"}
DECADES = 3  # the bar of ℓ ends at 10⁻³
# the block of an action is full at a likelihood ratio of 10⁻¹·⁵ and below
BLOCKS = "▁▂▃▄▅▆▇"
FULL = 1.5
SPACE = " "  # between lamps
LAMP_CELLS = 8  # cells before the blocks
BAR_SCALE = 2  # the bar of Λ ends at so many times λ
LEAST_SCALE = 1.0  # the end of the bar where λ is 0

Result = TypeVar("Result", GateResult, CommitmentResult)


def _opens(trigger: TriggerName, trace: Trace, step: int) -> bool:
    result = getattr(belief_snapshot(trace, step), trigger)
    return result is not None and result.opens


GATES: tuple[TriggerName, ...] = ("gate", "commitment")
_OPENINGS = {trigger: StepsWhere(partial(_opens, trigger)) for trigger in GATES}


class AnyGatePanel(Panel, Generic[Result]):
    """The lamps of a gate, what it judged, its verdict, and the last replan unless the verdict is one."""

    TRIGGER: ClassVar[TriggerName]  # with which the gate interrupts the ego; its result has this name, too
    NAME: ClassVar[str]
    LAMPS: ClassVar[dict[str, str]]  # the names of its conditions
    LEFT_BEHIND: ClassVar[str]  # what was no longer believed when the gate opened, of a `state`
    LONG_VERDICT: ClassVar[int] = 1  # rows that the verdict may take when the gate opens

    def title_of(self, snapshot: Snapshot) -> str:
        """Returns the title; it names the observer where the ego has no such gate."""
        observer = snapshot.belief_state is not None and snapshot.belief_state.observer
        return f"{self.NAME} (observer)" if observer else self.NAME

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:
        """Yields lamps, evidence, verdict and the last replan (unless the verdict is a replan)."""
        state = snapshot.belief_state
        result = self.result(state)
        yield from self.lamps(result, width)
        if state is None or result is None:
            yield line(("nothing to judge yet", palette.DIM))
            return
        yield from self._evidence(state, result, snapshot, width)
        for row in self.sentence(state, snapshot, width):
            yield line((row, f"bold {palette.WARN}" if result.opens else palette.TEXT))
        if not result.opens:
            yield self._last_replan(snapshot)
        verdicts = last_verdicts(snapshot.trace, snapshot.step)
        if verdicts is not None:
            yield _three_gates(verdicts)

    @classmethod
    def result(cls, state: BeliefSnapshot | None) -> Result | None:
        """Returns what the gate found; None before the first time."""
        found: Result | None = getattr(state, cls.TRIGGER, None)
        return found

    @classmethod
    def lamps(cls, result: Result | None, width: int) -> list[Content]:
        """Returns the conditions, ● where one holds, in rows; by their shorter names where there would be many rows."""
        forms = [
            _lamp_rows(tuple((name, getattr(result, condition, False)) for condition, name in names.items()), width)
            for names in (cls.LAMPS, cls.LAMPS | SHORT_LAMPS)
        ]
        return next((rows for rows in forms if len(rows) <= LAMP_ROWS), forms[-1])

    @classmethod
    def sentence(cls, state: BeliefSnapshot, snapshot: Snapshot, width: int) -> list[str]:
        """Returns the verdict in rows of `width` cells: in full if it takes one, or a few where the gate opens."""
        full = textwrap.wrap(cls.verdict(state, snapshot), max(1, width))
        result = cls.result(state)
        most = cls.LONG_VERDICT if result is not None and result.opens else 1
        return full if len(full) <= most else [cls.verdict(state, snapshot, brief=True)]

    @classmethod
    def verdict(cls, state: BeliefSnapshot, snapshot: Snapshot, *, brief: bool = False) -> str:
        """Returns in a sentence, or shorter, which condition kept the gate closed, or why it opened."""
        result = cls.result(state)
        if result is None:
            return "nothing to judge yet"
        if result.opens:
            did = "replanned" if cls._decided(state) else "opens" if state.observer else "would replan"
            return f"{did}: {cls._why_opened(state, result, snapshot, brief=brief)}"
        reasons = {
            "mid_skill": "no skill to interrupt",
            "cooled_down": f"cooling down since step {_OPENINGS[cls.TRIGGER].last(snapshot.trace, snapshot.step)}",
            **cls._why_closed(state, result),
        }
        return ("" if brief else "held: ") + reasons[result.blocked_by or next(iter(cls.LAMPS))]

    @classmethod
    def _decided(cls, state: BeliefSnapshot) -> bool:
        """Returns whether the ego replanned because of this gate, not of another trigger."""
        return state.replanned and state.trigger == cls.TRIGGER

    def _last_replan(self, snapshot: Snapshot) -> Content:
        step = _OPENINGS[self.TRIGGER].last(snapshot.trace, snapshot.step)
        if not step:
            return line(("not opened yet", palette.DIM))
        state = belief_snapshot(snapshot.trace, step)
        label = "last replan" if self._decided(state) else "last opened"
        return line((f"{label} ", palette.DIM), (f"{step}: {self.LEFT_BEHIND.format(state=state)}", palette.TEXT))

    @abstractmethod
    def _evidence(self, state: BeliefSnapshot, result: Result, snapshot: Snapshot, width: int) -> Iterable[Content]:
        """Yields what the gate judged."""

    @classmethod
    @abstractmethod
    def _why_opened(cls, state: BeliefSnapshot, result: Result, snapshot: Snapshot, *, brief: bool) -> str:
        """Returns what the gate opened for."""

    @classmethod
    @abstractmethod
    def _why_closed(cls, state: BeliefSnapshot, result: Result) -> dict[str, str]:
        """Returns why each condition of this gate alone keeps it closed."""


@lru_cache(maxsize=64)
def _three_gates(verdicts: Verdicts) -> Content:
    """Returns what each gate would have done where skills were compared last while one ran."""
    says = [_lamp(name, getattr(verdicts, name)) for name in Verdicts._fields[1:]]
    return line(SPACE).join([line((f"at {verdicts.step}", palette.DIM)), *says])


@lru_cache(maxsize=64)
def _lamp_rows(lamps: tuple[tuple[str, bool], ...], width: int) -> list[Content]:
    return flowing((_lamp(*one) for one in lamps), line(" "), width)


def _lamp(name: str, lit: bool) -> Content:
    return line(
        ("● " if lit else "○ ", palette.GOOD if lit else palette.FAINT), (name, palette.TEXT if lit else palette.DIM)
    )


def _scale(sign: str, number: str, threshold: str, places: tuple[float, float], width: int, *, over: bool) -> Content:
    """Returns a number with its bar and the threshold on it; `places` (0 to 1) are where both lie."""
    room = max(1, width - len(sign + number + threshold))
    drawn = bar(places[0], room, palette.WARN if over else palette.DIM, places[1])
    return line((sign, palette.DIM), (number, palette.TEXT), drawn, (threshold, palette.DIM))


class GatePanel(AnyGatePanel[GateResult]):
    """Five lamps; ℓ and its factors, the last actions, on a log scale; the verdict; the last replan."""

    TITLE = "gate"
    NAME = "gate"
    TRIGGER = "gate"
    LEFT_BEHIND = "{state.prior_map}"
    LAMPS: ClassVar = dict(
        zip(CONDITIONS, ("contradicts", "stable", "confident", "mid-skill", "cooled down"), strict=True)
    )
    LONG_VERDICT = 2
    ABOUT = (
        "If this gate decides, five lit lamps make the ego replan: ℓ is below θ (contradicts), u has reached K "
        "(stable) and the confidence Γ (confident), a skill runs (mid-skill), and the gate has not opened for some "
        'steps (cooled down). They judge the belief before the partner\'s last action, "judged" under the '
        "posterior. The bar grows as ℓ falls from 1 to 0.001; │ on it is θ. The blocks are the partner's last "
        "actions, oldest first: the taller, the less likely under the belief. The last one is named, with its "
        "likelihood ratio."
    )

    def _evidence(self, state: BeliefSnapshot, result: GateResult, snapshot: Snapshot, width: int) -> Iterable[Content]:
        likelihood = result.contradiction_likelihood
        theta = state.settings.theta_obs
        places = _share(likelihood), _share(theta)
        yield _scale("ℓ", f"{likelihood:>6.3f} ", f" θ {theta:<5.3g}", places, width, over=likelihood < theta)
        yield _actions(state, snapshot, width)

    @classmethod
    def _why_opened(cls, state: BeliefSnapshot, result: GateResult, snapshot: Snapshot, *, brief: bool) -> str:
        contradicting = beside(result.contradiction_likelihood, state.settings.theta_obs, 3)
        if brief:
            return f"doubts {state.prior_map}, ℓ {contradicting}"
        by = least_likely_action(state, snapshot).split(": ")[-1]
        return f"{state.prior_map} contradicted{by and f' by {by}'}, ℓ = {contradicting}"

    @classmethod
    def _why_closed(cls, state: BeliefSnapshot, result: GateResult) -> dict[str, str]:
        belief = state.belief
        settings = state.settings
        likelihood = result.contradiction_likelihood
        confidence = beside(belief.prior_confidence, settings.gamma_conf)
        return {
            "contradiction": f"as expected, ℓ {beside(likelihood, settings.theta_obs)} ≥ {settings.theta_obs:g}",
            "stable": f"not stable, u {belief.prior_commitment} < {settings.stability}",
            "confident": f"not confident, {confidence} < {settings.gamma_conf:g}",
        }


def _actions(state: BeliefSnapshot, snapshot: Snapshot, width: int) -> Content:
    """Returns a block for each factor of ℓ, as many of the last as there is space for, and the last action in words."""
    ratios = state.belief.likelihood_ratios[-max(1, width - LAMP_CELLS) :]
    blocks = [
        (BLOCKS[round(share * (len(BLOCKS) - 1))], palette.WARN if share >= 0.5 else palette.DIM)
        for share in (min(1.0, _decades(ratio) / FULL) for ratio in ratios)
    ]
    row = line(("actions".ljust(LAMP_CELLS), palette.DIM), *blocks)
    name = observed_action_name(snapshot)
    last = f" {ratios[-1]:.2f}" if ratios else ""
    named = fitting(width - row.cell_length - 1, name + last, name, name.split(": ")[-1])
    return row + line((f" {named}", palette.TEXT))


def _share(value: float) -> float:
    return min(1.0, _decades(value) / DECADES)


def _decades(value: float) -> float:
    """Returns how many powers of ten a probability lies below 1, at most 9."""
    return -math.log10(max(value, 1e-9))


class CommitmentPanel(AnyGatePanel[CommitmentResult]):
    """Four lamps; what was believed at the decision; Λ on a bar; the verdict; the last replan."""

    TITLE = "commitment"
    NAME = "commitment gate"
    TRIGGER = "commitment"
    LEFT_BEHIND = "not {state.remembered}"
    LAMPS: ClassVar = dict(
        zip(COMMITMENT_CONDITIONS, ("told apart", "confident", "mid-skill", "cooled down"), strict=True)
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
        result: CommitmentResult,
        snapshot: Snapshot,  # noqa: ARG002 - needed by the other gate
        width: int,
    ) -> Iterable[Content]:
        yield _remembered(state, result, width)
        limit = state.commitment_settings.commitment_ratio
        end = BAR_SCALE * limit or LEAST_SCALE
        number = f"{result.ratio:>5.1f} "
        places = (result.ratio / end, limit / end)
        yield _scale("Λ", number, f" λ {limit:<4.3g}", places, width, over=result.told_apart)

    @classmethod
    def _why_opened(cls, state: BeliefSnapshot, result: CommitmentResult, snapshot: Snapshot, *, brief: bool) -> str:  # noqa: ARG003
        return state.believed + ("" if brief else f", not {state.remembered}")

    @classmethod
    def _why_closed(cls, state: BeliefSnapshot, result: CommitmentResult) -> dict[str, str]:  # noqa: ARG003
        untold = "still believed" if state.remembered == state.believed else f"not told apart from {state.remembered}"
        confidence = state.belief.confidence
        least = state.commitment_settings.commitment_conf
        return {
            "told_apart": "nothing to be told apart from" if state.remembered is None else untold,
            "confident": f"not confident, {confidence:.2f} < {least:g}",
        }


def _remembered(state: BeliefSnapshot, result: CommitmentResult, width: int) -> Content:
    """Returns what is remembered, and since how many of the partner's actions; the number alone where it is narrow."""
    if state.remembered is None:
        return line(("remembers ", palette.DIM), ("nothing: it was not confident", palette.TEXT))
    known = line(("remembers ", palette.DIM), (state.remembered, palette.TEXT))
    age = result.age
    since = fitting(width - known.cell_length, f", {age} action{'s' * (age != 1)} ago", f", {age}")
    return known + line((since, palette.DIM))


def deciding_gate_panel(profile: Profile) -> type[GatePanel] | type[CommitmentPanel]:
    """Returns the panel of the gate that decides for an agent; the preprint's where neither does."""
    return CommitmentPanel if trigger_of(profile) == "commitment" else GatePanel
