"""Decisions in plain words, from the trace alone: why the rollout planner chose a skill, and what led to a replan.

Every caption has several lengths.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from bba.agents import PERIOD, Decision, Profile, completed
from bba.analysis import names
from bba.analysis.call_log import LoggedCall
from bba.analysis.cook_names import BY_PART, CookNames
from bba.analysis.replans import Evidence, Expectation, Replan, keeps_plan, partner_doing, replan_at
from bba.analysis.snapshot import Snapshot, StepsWhere
from bba.kitchen.constants import EVENT, HELD, ITEM_NAMES
from bba.planner import Comparison, SkillValue
from bba.play.trace import EGO, PARTNER, Trace

EXPECTED_FROM = 0.5  # probability from which something is expected; below that it is a guess
LEAST_GAIN = 0.05  # points; a smaller difference counts as none


def last_comparison(trace: Trace, step: int, player: int = EGO) -> LoggedCall[Comparison] | None:
    """Returns the last comparison of a player's planner up to a step; None if it has another planner, or none yet."""
    if trace.config_at(step).seats[player].rollout is None:
        return None
    for number in range(step, 0, -1):
        comparison = trace.ticks[number - 1].decisions[player].comparison
        if comparison is not None:
            return LoggedCall(number, comparison)
    return None


def value_opens(decision: Decision, profile: Profile) -> bool | None:
    """Whether the value gate would replan, or did, where skills were compared while one ran; None elsewhere."""
    comparison = decision.comparison
    rollout = profile.rollout
    if comparison is None or rollout is None:
        return None
    if decision.chosen and not decision.replanned:  # no skill was running
        return None
    return comparison.pays(rollout.replan_cost)


def _was_judged(trace: Trace, step: int) -> bool:
    decision = trace.ticks[step - 1].decisions[EGO]
    return value_opens(decision, trace.config_at(step).seats[EGO]) is not None


_JUDGED = StepsWhere(_was_judged)


def last_judged(trace: Trace, step: int) -> int:
    """Returns the last step up to this one in which the ego compared skills while one ran; 0 for none."""
    return _JUDGED.last(trace, step)


class Verdicts(NamedTuple):
    """Whether each gate would replan in a step, or did: the preprint's, the commitment gate, the value gate."""

    step: int
    gate: bool
    commitment_gate: bool
    value: bool


def last_verdicts(trace: Trace, step: int) -> Verdicts | None:
    """Returns the ego's last verdicts up to a step; None before skills were compared while one ran."""
    judged = last_judged(trace, step)
    if not judged:
        return None
    decision = trace.ticks[judged - 1].decisions[EGO]
    gate = decision.gate is not None and decision.gate.opens
    commitment_gate = decision.commitment_gate is not None and decision.commitment_gate.opens
    value = value_opens(decision, trace.config_at(judged).seats[EGO])
    return Verdicts(judged, gate, commitment_gate, bool(value))


def ranked(comparison: Comparison) -> list[SkillValue]:
    """Returns the options: the chosen one, then the others by their gain, the highest first."""
    return sorted(comparison.options, key=lambda option: (option.skill != comparison.chosen, -option.gain))


def likeliest_partner_skills(comparison: Comparison, count: int) -> list[tuple[int, float]]:
    """Returns the partner's likeliest skills with the probabilities that the planner assumed; [] if it assumed none."""
    return sorted(enumerate(comparison.partner), key=lambda entry: -entry[1])[:count]


def captions(comparison: Comparison, cooks: CookNames = BY_PART) -> tuple[str, str, str]:
    """Returns why the planner chose its skill and what it assumed of the partner: a sentence, and two shorter ones.

    Each begins with the skill that was chosen, so that it can stand alone.
    """
    reason = f"{names.skill_doing(comparison.chosen)}: {_reason(comparison)}"
    likeliest = likeliest_partner_skills(comparison, 1)
    if not likeliest:
        long = f"{reason}, with the network's guess of what {cooks.partner} {cooks.verb('do', 'does')}"
        return long, f"{reason}, by the network's guess", reason
    skill, probability = likeliest[0]
    share = names.percent(probability)
    assumed = f"{reason}, if {cooks.partner} {cooks.verb('are', 'is')} now {names.skill_doing(skill)}"
    return f"{assumed}, which {cooks.ego} believes at {share}", f"{assumed} ({share})", reason


def caption_at(snapshot: Snapshot, width: int, cooks: CookNames = BY_PART) -> str:
    """Returns the longest caption of the ego's last decision that fits, with its step if that is not the shown one.

    "" if none fits, or there is no decision.
    """
    logged = last_comparison(snapshot.trace, snapshot.step)
    if logged is None:
        return ""
    texts = captions(logged.call, cooks)
    gain = texts[-1].partition(" than ")[0]  # without what it is better than
    dates = ("",) if logged.step == snapshot.step else (f"step {logged.step}: ", f"{logged.step}: ")
    forms = (f"{date}{text}" for text in (*texts, gain) for date in dates)
    return next((form for form in forms if len(form) <= width), "")


def _reason(comparison: Comparison) -> str:
    """Returns how the chosen skill compares with the default, or with the best other one if it is the default."""
    best = comparison.best
    default = comparison.options[0]
    if best is not default:
        against = names.skill_doing(default.skill)
        if best.gain < LEAST_GAIN:
            return f"about as good as {against}, and likelier by the network"
        return f"{points(best.gain)} points better than {against}"
    alternatives = ranked(comparison)[1:]
    if not alternatives:
        return "no other skill was worth a look"
    alternative = alternatives[0]
    against = names.skill_doing(alternative.skill)
    gain = alternative.gain
    if gain >= LEAST_GAIN:
        return f"no other is surely better ({against} by {points(gain)} ± {points(alternative.error)})"
    if gain <= -LEAST_GAIN:
        return f"{points(-gain)} points better than {against}"
    return f"as good as {against}"


def points(number: float) -> str:
    """Returns a number of points, with a decimal where it is small."""
    if abs(number) >= 9.95:
        return f"{number:.0f}"
    return f"{number:.1f}"


LEAST_DECIMALS = {"ℓ": 3, "Λ": 1}
SINCE_THE_CHOICE = ("commitment", "value")  # triggers that compare with what was believed at a choice


def replan_caption(trace: Trace, step: int) -> str | None:
    """Returns the replan of a step in full; None if the ego did not replan in it."""
    texts = replan_texts(trace, step)
    return texts[0] if texts else None


def replan_texts(trace: Trace, step: int, cooks: CookNames = BY_PART) -> tuple[str, ...]:
    """Returns the replan of a step at every length, the longest first; () if the ego did not replan in it."""
    replan = replan_at(trace, step)
    if replan is None:
        return ()
    full = _replan_sentences(trace, replan, cooks, brief=False)
    brief = _replan_sentences(trace, replan, cooks, brief=True)
    return full, brief, _in_signs(trace, replan, cooks), _skills_in_signs(replan)


def _replan_sentences(trace: Trace, replan: Replan, cooks: CookNames, *, brief: bool) -> str:
    """Returns a replan in sentences; in brief without reasons and steps."""
    evidence = _partner_evidence(trace, replan, cooks, brief=brief)
    now = _current_expectation(replan, cooks, brief=brief)
    sentences = (
        _expected(replan, cooks, brief=brief),
        *((now, evidence) if replan.trigger == "value" else (evidence, now)),
        _ego_response(replan, cooks, brief=brief),
    )
    return " ".join(sentence for sentence in sentences if sentence)


def _in_signs(trace: Trace, replan: Replan, cooks: CookNames) -> str:
    cause = _beliefs_in_signs(replan)
    if not cause:
        cause = _partner_evidence(trace, replan, cooks, brief=True).rstrip(".")
    elif replan.evidence and not replan.oracle:
        cause = f"{cause}, {_measured(replan)}"
    return f"{cause}; {_skills_in_signs(replan)}"


def _beliefs_in_signs(replan: Replan) -> str:
    """Returns the belief that was tested and the current one; "" for an ego without a belief."""
    expectations = [expectation for expectation in (replan.tested, replan.current) if expectation is not None]
    if len(expectations) == 2 and not replan.oracle:
        tested, current = expectations
        same = tested.hypothesis == current.hypothesis
        if same and tested.probability and current.probability:
            change = f"{names.percent(tested.probability)} → {names.percent(current.probability)}"
            return f"{tested.hypothesis} ({change})"
    return " → ".join(_hypothesis(expectation, oracle=replan.oracle) for expectation in expectations)


def _skills_in_signs(replan: Replan) -> str:
    chosen = names.skill_doing(replan.chosen)
    if keeps_plan(replan):
        return f"keeps {chosen}"
    stopped = names.skill_doing(replan.stopped)
    return f"{stopped} → {chosen}"


# --- the ego's expectation ---------------------------------------------------------------------------------------
def _hypothesis(expectation: Expectation, *, oracle: bool) -> str:
    """Returns a hypothesis with its probability; an oracle's truth has none, and may not be known yet."""
    probability = expectation.probability
    if oracle:
        unknown = probability is not None and probability < 1
        return "nothing yet" if unknown else expectation.hypothesis
    if probability is None:
        return expectation.hypothesis
    return f"{expectation.hypothesis} ({names.percent(probability)})"


def _is_guess(expectation: Expectation) -> bool:
    """Whether the likeliest hypothesis is less likely than not, so that nothing is expected."""
    return expectation.probability is not None and expectation.probability < EXPECTED_FROM


def _guess(expectation: Expectation) -> str:
    """Returns a hypothesis that is a guess, with its probability in words, too."""
    share = names.percent(expectation.probability or 0.0)
    return f"{expectation.hypothesis} ({share}, less likely than not)"


def _expected(replan: Replan, cooks: CookNames, *, brief: bool) -> str:
    tested = replan.tested
    ego = names.capital(cooks.ego)
    if tested is None:
        return f"{ego} has no belief about {cooks.partner}." if replan.current is None else ""
    if replan.trigger in SINCE_THE_CHOICE and not brief:
        ego = f"In step {tested.step} {cooks.ego}"
    if replan.oracle:
        does = cooks.verb("do", "does")
        return f"{ego} was told what {cooks.partner} {does}: {_hypothesis(tested, oracle=True)}."
    if brief:
        verb = "guessed" if _is_guess(tested) else "expected"
        return f"{ego} {verb}: {_hypothesis(tested, oracle=False)}."
    if _is_guess(tested):
        return f"{ego} guessed that {cooks.partner} would {_guess(tested)}."
    return f"{ego} expected {cooks.partner} to {_hypothesis(tested, oracle=False)}."


def _current_expectation(replan: Replan, cooks: CookNames, *, brief: bool) -> str:
    if replan.current is None:
        return ""
    hypothesis = _hypothesis(replan.current, oracle=replan.oracle)
    is_same = replan.tested is not None and replan.tested.hypothesis == replan.current.hypothesis
    if is_same and replan.trigger == "value" and not replan.oracle:
        return _same_work(replan, cooks, brief=brief)
    if brief:
        return f"Now: {hypothesis}."
    if replan.oracle:
        return f"Now it is told: {hypothesis}."
    who = f"{names.capital(cooks.ego)} still" if is_same else f"Now {cooks.ego}"
    if _is_guess(replan.current):
        return f"{who} guesses that {cooks.partner} will {_guess(replan.current)}."
    return f"{who} expects {cooks.partner} to {hypothesis}."


def _same_work(replan: Replan, cooks: CookNames, *, brief: bool) -> str:
    """Returns that the partner's work is thought to be the same, and what it is thought to do of it now.

    The value gate compares plans by the partner's present skill too, so that this is its reason where the work is the
    same.
    """
    assert replan.tested is not None
    assert replan.current is not None
    share = names.percent(replan.current.probability or 0.0)
    likeliest = likeliest_partner_skills(replan.comparison, 1) if replan.comparison else []
    doing = ""
    if likeliest:
        skill, probability = likeliest[0]
        doing = f"{names.skill_doing(skill)} ({names.percent(probability)})"
    if brief:
        return f"Now: {doing or _hypothesis(replan.current, oracle=False)}."
    ego = names.capital(cooks.ego)
    match _is_guess(replan.tested), _is_guess(replan.current):
        case False, False:
            belief = f"{ego} still does ({share})"
        case True, True:
            belief = f"{ego} still guesses so ({share})"
        case True, False:
            belief = f"Now {cooks.ego} expects so ({share})"
        case _:
            belief = f"Now {cooks.ego} only guesses so ({share})"
    if not doing:
        return f"{belief}."
    return f"{belief}, and thinks that {cooks.partner} {cooks.verb('are', 'is')} now {doing}."


# --- the partner's actions, or what another plan is worth -----------------------------------------------------------
def _measured(replan: Replan) -> str:
    """Returns the deciding number against its threshold, as "ℓ 0.012 < θ 0.05"."""
    evidence = replan.evidence or Evidence(0, None, 1.0, 1.0)
    if replan.trigger == "value":
        return f"{points(evidence.number)} points more"
    symbol, threshold_symbol = ("Λ", "λ") if replan.trigger == "commitment" else ("ℓ", "θ")
    sign = "<" if evidence.number < evidence.threshold else "≥"
    number = names.number_against_limit(evidence.number, evidence.threshold, LEAST_DECIMALS[symbol])
    if float(number) == 0:  # ℓ is never 0 but for an oracle
        number = "< 0.001"
    return f"{symbol} {number} {sign} {threshold_symbol} {evidence.threshold:g}"


# Why the ego asked its planner without a gate, by its trigger; a trigger that is not listed is a plug-in.
_UNGATED_REASONS: Mapping[str | None, str] = MappingProxyType(
    {
        None: "",
        "periodic": f"; {{ego}} asks its planner every {PERIOD} steps",
        "judge": "; asked whether to go on, the planner said to replan",
    }
)


def _partner_evidence(trace: Trace, replan: Replan, cooks: CookNames, *, brief: bool) -> str:
    """Returns what the partner did that interrupted the ego."""
    if replan.oracle and replan.trigger in ("gate", "commitment"):
        return f"{names.capital(cooks.partner)} turned to something else."
    match replan.trigger:
        case "gate":
            return _contradiction(trace, replan, cooks, brief=brief)
        case "commitment":
            return _better_hypothesis(trace, replan, cooks, brief=brief)
        case "value":
            return _worth(replan, brief=brief)
        case "completion-held":
            return _completion(trace, replan, cooks, brief=brief)
        case _:
            return _ungated_reason(trace, replan, cooks, brief=brief)


def _contradiction(trace: Trace, replan: Replan, cooks: CookNames, *, brief: bool) -> str:
    if brief:
        return _evidence_in_brief(trace, replan, "fits that least")
    measured = _measured(replan)
    if replan.evidence is None:
        return f"{names.capital(cooks.partners)} actions hardly fit that ({measured})."
    number = replan.evidence.actions
    if number == 1:
        action = _strongest_action(trace, replan, ":")
        return f"{names.capital(cooks.partners)} last action hardly fits that ({measured}){action}."
    action = _strongest_action(trace, replan, ", least of all")
    return f"{names.capital(cooks.partners)} last {number} actions hardly fit that ({measured}){action}."


def _better_hypothesis(trace: Trace, replan: Replan, cooks: CookNames, *, brief: bool) -> str:
    better = "something else"
    if replan.evidence is not None and replan.evidence.favours:
        better = names.doing(replan.evidence.favours)
    if brief:
        return _evidence_in_brief(trace, replan, f"fits {better} better")
    action = _strongest_action(trace, replan, ", most of all")
    return f"{names.capital(cooks.partners)} actions since then fit {better} better ({_measured(replan)}){action}."


def _strongest_step(replan: Replan) -> int | None:
    return replan.evidence.strongest_step if replan.evidence else None


def _strongest_action(trace: Trace, replan: Replan, introduction: str) -> str:
    """Returns the strongest evidence and its step, after an introduction; "" if the trace does not have it."""
    step = _strongest_step(replan)
    if step is None:
        return ""
    return f"{introduction} {partner_doing(trace, step)} in step {step}"


def _evidence_in_brief(trace: Trace, replan: Replan, fit: str) -> str:
    """Returns the strongest evidence, how it fits, and the gate's number."""
    step = _strongest_step(replan)
    measured = _measured(replan)
    if step is None:
        return f"{measured}."
    doing = partner_doing(trace, step).capitalize()
    return f"{doing} {fit}, {measured}."


def _worth(replan: Replan, *, brief: bool) -> str:
    """Returns by how much the new plan is better by the planner, and by how much it has to be."""
    chosen = names.skill_doing(replan.chosen)
    stopped = names.skill_doing(replan.stopped)
    if replan.evidence is None:
        return f"So {chosen} is worth more than {stopped}."
    more = f"{points(replan.evidence.number)} points more"
    if brief:
        return f"Another plan promises {more}."
    return f"So {chosen} promises {more} than {stopped}; {replan.evidence.threshold:g} are enough for a change."


def _completion(trace: Trace, replan: Replan, cooks: CookNames, *, brief: bool) -> str:
    state = trace.state(replan.opened - 1)
    if completed(state, PARTNER):
        skill = int(state[EVENT + PARTNER])
        event = f"completed {names.skill_doing(skill)}"
    else:
        item = ITEM_NAMES.get(int(state[HELD + PARTNER]))
        event = f"picked something up: {names.item(item)}"
    partner = names.capital(cooks.partner)
    return f"{partner} {event}{_in_brackets(replan, cooks, brief=brief)}, so {cooks.ego} asks its planner."


def _ungated_reason(trace: Trace, replan: Replan, cooks: CookNames, *, brief: bool) -> str:
    """Returns what the partner did last, and why the ego asked its planner without a gate."""
    doing = partner_doing(trace, replan.opened - 1)
    measured = _in_brackets(replan, cooks, brief=brief)
    if replan.trigger in _UNGATED_REASONS:
        reason = _UNGATED_REASONS[replan.trigger].format(ego=cooks.ego)
    else:
        plug_in = str(replan.trigger).rpartition(":")[2]
        reason = f"; the trigger {plug_in} interrupts {cooks.ego}"
    return f"{names.capital(cooks.partner)} {cooks.was} {doing}{measured}{reason}."


def _in_brackets(replan: Replan, cooks: CookNames, *, brief: bool) -> str:
    """Returns ℓ of the partner's last actions; "" without a belief and for an oracle."""
    if replan.evidence is None or replan.oracle:
        return ""
    measured = _measured(replan)
    if brief:
        return f" ({measured})"
    count = replan.evidence.actions
    actions = "action" if count == 1 else f"{count} actions"
    its = cooks.verb("your", "its")
    return f" ({measured} over {its} last {actions})"


# --- the ego's answer --------------------------------------------------------------------------------------------
def _ego_response(replan: Replan, cooks: CookNames, *, brief: bool) -> str:
    stopped = names.skill_doing(replan.stopped)
    chosen = names.skill_doing(replan.chosen)
    if replan.trigger == "value" and not replan.fallback and not keeps_plan(replan):
        change = f"{cooks.ego} changed its plan"
        return f"So {change} from {stopped} to {chosen}." if brief else f"{names.capital(change)}."
    delay = replan.step - replan.opened
    planner = "Its planner"
    if not brief:
        planner += ", asked again,"
        if delay:
            planner += f" {delay} steps later"
    if replan.fallback:
        return f"{planner} gave no usable answer; {cooks.ego} stopped {stopped}."
    reason = ""
    if replan.comparison and not brief and replan.trigger != "value":  # that was the reason already
        reason = f": {_reason(replan.comparison)}"
    if keeps_plan(replan):
        return f"{planner} kept to {chosen}{reason}."
    return f"{planner} chose {chosen}, not {stopped}{reason}."
