"""Decisions in plain words, from the trace alone: why the rollout planner chose a skill, and what led to a replan.

Each is told at several lengths.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from bba.agents import PERIOD, Decision, Profile, completed
from bba.analysis import names
from bba.analysis.call_log import Logged
from bba.analysis.replans import Evidence, Expectation, Replan, keeps_plan, partner_doing, replan_at
from bba.analysis.snapshot import Snapshot
from bba.kitchen.constants import EVENT, HELD, ITEM_NAMES
from bba.planner import Comparison, SkillValue
from bba.play.trace import EGO, PARTNER, Trace

LEAST_GAIN = 0.05  # points from which a difference is told


def last_comparison(trace: Trace, step: int, player: int = EGO) -> Logged[Comparison] | None:
    """Returns the last comparison of a player's planner up to a step; None if it has another planner, or none yet."""
    if trace.config_at(step).seats[player].rollout is None:
        return None
    comparisons = ((at, trace.ticks[at - 1].decisions[player].comparison) for at in range(step, 0, -1))
    return next((Logged(at, found) for at, found in comparisons if found is not None), None)


def value_opens(decision: Decision, profile: Profile) -> bool | None:
    """Whether the value gate would replan, or did, where skills were compared while one ran; None elsewhere."""
    comparison = decision.comparison
    rollout = profile.rollout
    if comparison is None or rollout is None or (decision.chosen and not decision.replanned):
        return None
    return comparison.pays(rollout.replan_cost)


class Verdicts(NamedTuple):
    """Whether each gate would replan in a step, or did: the preprint's, the commitment gate, the value gate."""

    step: int
    gate: bool
    commitment: bool
    value: bool


def last_verdicts(trace: Trace, step: int) -> Verdicts | None:
    """Returns the ego's last ones up to a step; None before skills were compared while one ran."""
    profile = trace.config_at(step).seats[EGO]
    for at in range(step if profile.rollout else 0, 0, -1):
        decision = trace.ticks[at - 1].decisions[EGO]
        value = value_opens(decision, profile)
        if value is not None:
            gate, commitment = (judged is not None and judged.opens for judged in (decision.gate, decision.commitment))
            return Verdicts(at, gate, commitment, value)
    return None


def ranked(comparison: Comparison) -> list[SkillValue]:
    """Returns the options: the chosen one, then the others by their gain, the highest first."""
    return sorted(comparison.options, key=lambda option: (option.skill != comparison.chosen, -option.gain))


def likeliest_partner_skills(comparison: Comparison, count: int) -> list[tuple[int, float]]:
    """Returns the partner's likeliest skills with the probabilities that the planner assumed; [] if it assumed none."""
    return sorted(enumerate(comparison.partner), key=lambda entry: -entry[1])[:count]


def captions(comparison: Comparison) -> tuple[str, str, str]:
    """Returns why the planner chose its skill and what it assumed of the partner: a sentence, and two shorter ones."""
    what = _reason(comparison)
    likeliest = likeliest_partner_skills(comparison, 1)
    if not likeliest:
        return f"{what}, with the network's guess of what the partner does", f"{what}, by the network's guess", what
    (skill, probability) = likeliest[0]
    assumed = f"{what}, if the partner is {names.skill_doing(skill)}"
    return f"{assumed}, which it believes at {probability:.2f}", f"{assumed} ({probability:.2f})", what


def caption_at(snapshot: Snapshot, width: int) -> str:
    """Returns the longest caption of the ego's last decision that fits; "" if there is no such decision."""
    logged = last_comparison(snapshot.trace, snapshot.step)
    if logged is None:
        return ""
    texts = captions(logged.asked)
    return next((text for text in texts if len(text) <= width), texts[-1])


def _reason(comparison: Comparison) -> str:
    """Returns how the chosen skill compares with the default, or with the best other one if it is the default."""
    best = comparison.best
    default = comparison.options[0]
    if best is not default:
        against = names.skill_doing(default.skill)
        return (
            f"about as good as {against}, and likelier by the network"
            if best.gain < LEAST_GAIN
            else f"{points(best.gain)} points better than {against}"
        )
    others = ranked(comparison)[1:]
    if not others:
        return "no other skill was worth a look"
    against = names.skill_doing(others[0].skill)
    gain = others[0].gain
    if gain >= LEAST_GAIN:
        return f"nothing is clearly better; {against}: {points(gain)} ± {points(others[0].error)} more"
    return f"{points(-gain)} points better than {against}" if gain <= -LEAST_GAIN else f"as good as {against}"


def points(number: float) -> str:
    """Returns a number of points, with a decimal where it is small."""
    return f"{number:.0f}" if abs(number) >= 9.95 else f"{number:.1f}"


LEAST_DECIMALS = {"ℓ": 3, "Λ": 1}


def replan_caption(trace: Trace, step: int) -> str | None:
    """Returns the replan of a step in full; None if the ego did not replan in it."""
    return next(iter(replan_texts(trace, step)), None)


def replan_texts(trace: Trace, step: int) -> tuple[str, ...]:
    """Returns the replan of a step at every length, the longest first; () if the ego did not replan in it."""
    replan = replan_at(trace, step)
    if replan is None:
        return ()
    sentences = [  # in brief there are no reasons, and no steps but that of the replan
        (
            _expected(replan, brief=brief),
            _did(trace, replan, brief=brief),
            _now(replan, brief=brief),
            _does(replan, brief=brief),
        )
        for brief in (False, True)
    ]
    return *(" ".join(filter(None, found)) for found in sentences), _in_signs(trace, replan), _skills_in_signs(replan)


def _in_signs(trace: Trace, replan: Replan) -> str:
    first = replan.before
    last = replan.now
    alike = first and last and first.hypothesis == last.hypothesis and first.probability and last.probability
    if first and last and alike and not replan.told:
        beliefs = f"{first.hypothesis} ({first.probability:.2f} → {last.probability:.2f})"
    else:
        beliefs = " → ".join(_held(one, told=replan.told) for one in (first, last) if one)
    fits = ", " + _measured(replan) if replan.evidence and not replan.told else ""
    before = beliefs + fits if beliefs else _did(trace, replan, brief=True).rstrip(".")
    return f"{before}; {_skills_in_signs(replan)}"


def _skills_in_signs(replan: Replan) -> str:
    chosen = names.skill_doing(replan.chosen)
    return f"keeps {chosen}" if keeps_plan(replan) else f"{names.skill_doing(replan.stopped)} → {chosen}"


# --- what was and is expected ------------------------------------------------------------------------------------
def _held(expectation: Expectation, *, told: bool, whose: str = "") -> str:
    """Returns a hypothesis with its probability; what is told has none, and may not be known yet."""
    known = expectation.probability
    if told:
        return "nothing yet" if known is not None and known < 1 else expectation.hypothesis
    return expectation.hypothesis + whose + (f" ({known:.2f})" if known is not None else "")


def _expected(replan: Replan, *, brief: bool) -> str:
    if replan.before is None:
        return "The ego has no belief about its partner." if replan.now is None else ""
    remembered = replan.trigger == "commitment" and not brief
    ego = f"In step {replan.before.step} the ego" if remembered else "The ego"
    if replan.told:
        return f"{ego} was told what its partner does: {_held(replan.before, told=True)}."
    return f"{ego} expected {_held(replan.before, told=False, whose='' if brief else ' of its partner')}."


def _now(replan: Replan, *, brief: bool) -> str:
    if replan.now is None:
        return ""
    held = _held(replan.now, told=replan.told)
    if brief:
        return f"Now: {held}."
    if replan.told:
        return f"Now it is told: {held}."
    same = replan.before is not None and replan.before.hypothesis == replan.now.hypothesis
    return f"The ego still expects {held}." if same else f"Now the ego expects {held}."


# --- what the partner did ----------------------------------------------------------------------------------------
def _measured(replan: Replan) -> str:
    evidence = replan.evidence or Evidence(0, None, 1.0, 1.0)
    symbols = ("Λ", "λ") if replan.trigger == "commitment" else ("ℓ", "θ")
    sign = "<" if evidence.number < evidence.threshold else "≥"
    number = names.beside(evidence.number, evidence.threshold, LEAST_DECIMALS[symbols[0]])
    about = f"{symbols[0]} {number}" if float(number) else f"{symbols[0]} < 0.001"  # ℓ is never 0 but for an oracle
    return f"{about} {sign} {symbols[1]} {evidence.threshold:g}"


# Why the ego asked its planner without a gate, by what told it to; another trigger is a plug-in.
ASKED_WHY: Mapping[str | None, str] = MappingProxyType(
    {
        None: "",
        "periodic": f"; the ego asks its planner every {PERIOD} steps",
        "value": "; the ego's belief has moved, so deciding again pays off",
        "judge": "; asked whether to go on, the planner said to replan",
    }
)


def _did(trace: Trace, replan: Replan, *, brief: bool) -> str:
    if replan.told and replan.trigger in ("gate", "commitment"):
        return "Its partner turned to something else."
    said = {"gate": _contradiction, "commitment": _told_apart, "completion-held": _finished}
    return said.get(str(replan.trigger), _asked)(trace, replan, brief=brief)


def _contradiction(trace: Trace, replan: Replan, *, brief: bool) -> str:
    if brief:
        return _most_telling(trace, replan, "fits that least")
    number = replan.evidence.actions if replan.evidence else 0
    if number == 1:
        return f"The partner's last action hardly fits that ({_measured(replan)}){_telling(trace, replan, ':')}."
    actions = f"last {number} actions" if replan.evidence else "actions"
    return f"The partner's {actions} hardly fit that ({_measured(replan)}){_telling(trace, replan, ', least of all')}."


def _told_apart(trace: Trace, replan: Replan, *, brief: bool) -> str:
    better = (replan.evidence and replan.evidence.favours) or "something else"
    if brief:
        return _most_telling(trace, replan, f"fits {better} better")
    telling = _telling(trace, replan, ", most of all")
    return f"The partner's actions since then fit {better} better ({_measured(replan)}){telling}."


def _telling(trace: Trace, replan: Replan, how: str) -> str:
    """Returns the action that tells most and its step, after `how` it does; "" if the trace does not tell."""
    step = replan.evidence.telling if replan.evidence else None
    return f"{how} {partner_doing(trace, step)} in step {step}" if step is not None else ""


def _most_telling(trace: Trace, replan: Replan, how: str) -> str:
    step = replan.evidence.telling if replan.evidence else None
    doing = f"{partner_doing(trace, step).capitalize()} {how}, " if step is not None else ""
    return f"{doing}{_measured(replan)}."


def _finished(trace: Trace, replan: Replan, *, brief: bool) -> str:
    after = trace.state(replan.opened - 1)
    what = (
        f"completed {names.skill_doing(int(after[EVENT + PARTNER]))}"
        if completed(after, PARTNER)
        else f"picked something up: {names.item(ITEM_NAMES.get(int(after[HELD + PARTNER])))}"
    )
    return f"The partner {what}{_in_brackets(replan, brief=brief)}, so the ego asks its planner."


def _asked(trace: Trace, replan: Replan, *, brief: bool) -> str:
    """Returns what the partner did last, and why the ego asked its planner without a gate."""
    doing = f"The partner was {partner_doing(trace, replan.opened - 1)}{_in_brackets(replan, brief=brief)}"
    plug_in = f"; the trigger {str(replan.trigger).rpartition(':')[2]} interrupts the ego"
    return f"{doing}{ASKED_WHY.get(replan.trigger, plug_in)}."


def _in_brackets(replan: Replan, *, brief: bool) -> str:
    """Returns ℓ of the partner's last actions; "" without a belief or where the truth is told."""
    if replan.evidence is None or replan.told:
        return ""
    count = replan.evidence.actions
    over = "" if brief else f" over its last {'action' if count == 1 else f'{count} actions'}"
    return f" ({_measured(replan)}{over})"


# --- what the ego does -------------------------------------------------------------------------------------------
def _does(replan: Replan, *, brief: bool) -> str:
    stopped = names.skill_doing(replan.stopped)
    chosen = names.skill_doing(replan.chosen)
    later = replan.step - replan.opened
    asked = "Its planner" if brief else f"Its planner, asked again,{f' {later} steps later' if later else ''}"
    if replan.fallback:
        return f"{asked} gave no usable answer; the ego stopped {stopped}."
    reason = f": {captions(replan.comparison)[2]}" if replan.comparison and not brief else ""
    return f"{asked} {f'kept to {chosen}' if keeps_plan(replan) else f'chose {chosen}, not {stopped}'}{reason}."
