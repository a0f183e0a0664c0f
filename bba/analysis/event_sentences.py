"""What is said of the events of a game: the sentences of all places, side by side.

The log has a line for each event, with the number of the cook before the text. Plain mode tells the same events in
sentences about cooks who have names. A film and a notebook show the last replan. The debriefing lists the steps that
are worth a look, and plain mode tells these, too. What the ego believes, and what it makes of that, is one sentence or
two, the same on the screen, in plain mode and in a film. The explanation of a replan at several lengths is in
`bba.analysis.captions`.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from bba.analysis import names
from bba.analysis.captions import last_verdicts
from bba.analysis.cook_names import BY_COLOUR, CookNames
from bba.analysis.coordination import SwitchResponse
from bba.analysis.events import GameEvent
from bba.analysis.replans import Highlight, Replan, choice_step, keeps_plan, recent_replan
from bba.analysis.snapshot import BeliefSnapshot, Snapshot, likeliest_role
from bba.belief import NO_ROLE, likeliest
from bba.kitchen.constants import ITEM_NAMES
from bba.language import marked, say
from bba.play.trace import EGO


class Wording(NamedTuple):
    """What is said of a kind of event. What stands in braces is filled in, as by `say`.

    Attributes:
        log: the text of the log.
        plain: the sentence of plain mode without its end; ``{log}`` is the text of the log.
        to_cook: the same, said to the cook whose event it is; "" where that is not another sentence.
    """

    log: str
    plain: str = "{cook} {log}"
    to_cook: str = ""


WORDINGS: Mapping[str, Wording] = MappingProxyType(
    {
        "fire": Wording(
            log=marked("food burns: fire!"),
            plain="{log}",
        ),
        "order lost": Wording(
            log=marked("an order ran out"),
            plain="{log}",
        ),
        "tuned": Wording(
            log="tuned: {detail}",
        ),
        "switch": Wording(
            log="turned to {role} {detail}",
        ),
        "replan": Wording(
            log="{sign} replans{rejected}{kept}",
            plain="{cook} replans and {changes} its plan. {caption}",
        ),
        "fallback": Wording(
            log="planner fell back: {detail}",
        ),
        "delivery": Wording(
            log="+{points} {item}{tip}",
            plain=marked("{cook} serves: {dish}"),
            to_cook=marked("you serve: {dish}"),
        ),
        "completed": Wording(
            log="{skill}",
            plain=marked("{cook} finishes {work}"),
            to_cook=marked("you finish {work}"),
        ),
    }
)
CHANGED_SIGN = "▲"  # of a replan that changed the plan
KEPT_SIGN = "△"  # of one that kept it
KEPT = "; keeps its plan"
# Steps that are worth a look. The belief that is spoken of is the ego's own; without one it is the observer's.
HIGHLIGHTS: Mapping[str, str] = MappingProxyType(
    {
        "unnoticed": "{partner} turned to {role}, and {believer} never noticed",
        "slow": "{partner} turned to {role}, and {believer} noticed after {steps}",
        "replan": "{ego} changed {its} plan while {partner} {was} {doing}",
        "kept plan": "{ego} replanned, but kept {its} plan, while {partner} {was} {doing}",
        "idle": "{ego} changed {its} plan while {partner} {was} idle",
        "kept plan, idle": "{ego} replanned, but kept {its} plan, while {partner} {was} idle",
        "duplicate": "both cooks were {doing} for {steps}",
    }
)


def log_text(event: GameEvent) -> str:
    """Returns the text of the log for an event."""
    return say(WORDINGS[event.kind].log, **_fields(event))


def plain_text(event: GameEvent, cook: str, caption: str = "") -> str:
    """Returns the sentence of plain mode for an event, without its end.

    Args:
        event: the event.
        cook: what its cook is called; "" where it is nobody's.
        caption: for a replan, its explanation.
    """
    wording = WORDINGS[event.kind]
    template = wording.plain
    if wording.to_cook and cook == say("you"):
        template = wording.to_cook
    text = log_text(event)
    return say(template, cook=cook, log=text, dish=text, caption=caption, **_fields(event))


def replan_heading(event: GameEvent) -> str:
    """Returns what a film and a notebook show of the last replan: whether it changed the plan, and what it rejects."""
    rejected = _fields(event)["rejected"]
    return f"keeps its plan{rejected}" if event.kept else f"replans{rejected}"


def _fields(event: GameEvent) -> dict[str, object]:
    """Returns what the wordings of an event name, by the name."""
    match event.kind:
        case "switch":
            return {"role": names.role_work(event.number), "detail": event.detail}
        case "replan":
            rejected = f": {event.detail}" if event.detail else ""
            if event.kept:
                return {"sign": KEPT_SIGN, "rejected": rejected, "kept": KEPT, "changes": "keeps"}
            return {"sign": CHANGED_SIGN, "rejected": rejected, "kept": "", "changes": "changes"}
        case "delivery":
            tip = say(" (tip)") if event.detail == "in order" else ""
            return {"points": event.points, "item": names.item(ITEM_NAMES.get(event.number)), "tip": tip}
        case "completed":
            return {"skill": names.skill(event.number), "work": names.skill_doing(event.number)}
        case _:
            return {"detail": event.detail}


def highlight_text(highlight: Highlight, named: CookNames, *, own: bool) -> str:
    """Returns what happened in a step that is worth a look.

    Args:
        highlight: the step.
        named: what the cooks are called.
        own: whether the belief that is spoken of is the ego's own.
    """
    kind = highlight.kind
    if highlight.role == NO_ROLE:
        kind = {"replan": "idle", "kept plan": "kept plan, idle"}.get(kind, kind)
    steps = "1 step" if highlight.steps == 1 else f"{highlight.steps} steps"
    role = ""
    doing = ""
    if highlight.role != NO_ROLE:
        role = names.role_work(highlight.role)
        doing = names.role_doing(highlight.role)
    return HIGHLIGHTS[kind].format(
        role=role,
        doing=doing,
        steps=steps,
        partner=named.partner,
        ego=named.ego,
        its="your" if named.ego == say("you") else "its",
        was=named.was,
        believer=named.believer(own=own),
    )


def response_text(response: SwitchResponse, named: CookNames, *, own: bool) -> str:
    """Returns how belief and action followed a switch; the arguments are those of `highlight_text`."""
    turned = f"step {response.start + 1}: {named.partner} turned to {names.role_work(response.role)}"
    noticed = _followed("noticed", response.noticed)
    answered = _followed("did what goes with it", response.complemented)
    return f"{turned}; {named.believer(own=own)} {noticed}, {named.ego} {answered}"


def _followed(did: str, steps: int | None) -> str:
    """Returns what somebody did, and after how many steps; None if never."""
    if steps is None:
        return f"never {did}"
    if steps == 0:
        return f"{did} at once"
    return f"{did} after 1 step" if steps == 1 else f"{did} after {steps} steps"


# --- what the ego believes ----------------------------------------------------------------------------------------
# Why an ego goes on with its plan, by the condition that keeps its gate closed.
HELD: Mapping[str, str] = MappingProxyType(
    {
        "contradiction": "{it} {acts} as expected, so {ego} keeps its plan.",
        "told_apart": "{it} still {acts} as expected, so {ego} keeps its plan.",
        "stable": "{it} {acts} otherwise, but {ego} is not sure of its guess yet: it keeps its plan.",
        "confident": "{it} {acts} otherwise, but {ego} is not sure of its guess yet: it keeps its plan.",
        "mid_skill": "{it} {acts} otherwise, but {ego} has nothing to interrupt.",
        "cooled_down": "{it} {acts} otherwise, but {ego} has only just thought again.",
    }
)
# The same where no gate decides, by the trigger.
WAITS: Mapping[str, str] = MappingProxyType(
    {
        "never": "{ego} finishes what it has begun, whatever {partner} {does}.",
        "value": "no other plan is worth more, so {ego} keeps its plan.",
        "periodic": "{ego} goes on until it is time to think again.",
        "completion-held": "{ego} goes on until {partner} {completes} something.",
    }
)
# The same between two looks of the value gate at other plans, which wait for the belief to move.
LOOKED = "in step {looked} no other plan was worth more."
NO_REASON = "so far that is no reason to think again."
BEGINS = "{ego} begins {skill}."
GOES_ON = "{ego} goes on with its plan."
# Why an ego thought again, by its trigger.
CAUSES: Mapping[str | None, str] = MappingProxyType(
    {
        "gate": "{it} did not act as expected, so {ego}",
        "commitment": "{it} turned to other work, so {ego}",
        "value": "with that, {ego}",
    }
)


def belief_texts(snapshot: Snapshot, cooks: CookNames = BY_COLOUR) -> tuple[str, ...]:
    """Returns what the ego believes and what it makes of that, in sentences at every length, the longest first.

    Args:
        snapshot: the step.
        cooks: what the cooks are called.
    """
    state = snapshot.belief_state
    ego = names.capital(cooks.ego)
    if state is None:
        seen = f"{ego} has not seen yet what {cooks.partner} {cooks.verb('do', 'does')}"
        return (f"{seen}.",)
    believed = _believed(snapshot, state, cooks)
    if state.observer:
        guessed = f"An observer believes: {believed}."
        if cooks.ego == say("you"):
            return (guessed,)
        return f"{ego} makes no guess about {cooks.partner}. {guessed}", guessed
    replan = recent_replan(snapshot)
    if replan is not None and _still_runs(replan, snapshot):
        answers = _answer(replan, snapshot, cooks)
    else:
        answers = _why_it_goes_on(snapshot, state, cooks), "so far it keeps its plan."
    if snapshot.config.seats[EGO].oracle:
        belief = f"{ego} was told: {believed}"
    elif _confidence(snapshot, state) < _sure_from(state):
        belief = f"{ego} is not sure: perhaps {believed}"
    else:
        belief = f"{ego} believes: {believed}"
    return *(f"{belief}. {names.capital(answer)}" for answer in answers), f"{belief}."


def belief_text(snapshot: Snapshot, width: int, cooks: CookNames = BY_COLOUR) -> str:
    """Returns the longest form of `belief_texts` that fits into so many cells; else the shortest one."""
    texts = belief_texts(snapshot, cooks)
    return next((text for text in texts if len(text) <= width), texts[-1])


def _believed(snapshot: Snapshot, state: BeliefSnapshot, cooks: CookNames) -> str:
    """Returns the likeliest role of the partner in everyday words, with its probability; of an oracle's truth none."""
    shares = snapshot.posterior
    role = likeliest(shares)
    doing = f"{cooks.partner} {names.role_does(role, to_you=cooks.to_partner)}"
    if snapshot.config.seats[EGO].oracle and not state.observer:
        return doing
    return f"{doing} ({names.percent(shares[role])})"


def _confidence(snapshot: Snapshot, state: BeliefSnapshot) -> float:
    """Returns how sure the ego is, 0 to 1: what the deciding gate tests; where none decides, the role's probability.

    A belief over who the partner is may be sure of the role, and not of the rule by which the partner keeps to it.
    """
    if state.trigger in ("gate", "commitment"):
        return state.belief.confidence
    return max(snapshot.posterior)


def _sure_from(state: BeliefSnapshot) -> float:
    """Returns the confidence from which the deciding gate counts a belief."""
    if state.trigger == "commitment":
        return state.commitment_gate_settings.commitment_conf
    return state.settings.gamma_conf


def _still_runs(replan: Replan, snapshot: Snapshot) -> bool:
    """Whether the ego still runs the skill that it chose at a replan."""
    return choice_step(snapshot.trace, snapshot.step) == replan.step


def _answer(replan: Replan, snapshot: Snapshot, cooks: CookNames) -> tuple[str, ...]:
    """Returns what came of the last replan, the longest form first.

    What is believed now is its cause only while that is the same, and plans have not been compared again.
    """
    cause = CAUSES.get(replan.trigger, "asked again, {ego}").format(it=_pronoun(cooks), ego=cooks.ego)
    then = snapshot.trace.ticks[replan.step - 1].decisions[EGO].belief
    turned = then is not None and likeliest_role(then) != likeliest(snapshot.posterior)
    if turned or _last_look(snapshot) > replan.step:
        cause = f"in step {replan.step} {cooks.ego}"
    chosen = names.skill_doing(replan.chosen)
    stopped = names.skill_doing(replan.stopped)
    if replan.fallback:
        return f"{cause} stopped {stopped}.", f"it stopped {stopped}."
    if keeps_plan(replan):
        return f"{cause} thought again and keeps its plan: {chosen}.", "it thought again and keeps its plan."
    return (
        f"{cause} changed its plan: {chosen}, not {stopped}.",
        f"now it is {chosen}, not {stopped}.",
        "it changed its plan.",
    )


def _why_it_goes_on(snapshot: Snapshot, state: BeliefSnapshot, cooks: CookNames) -> str:
    if snapshot.thinking:
        return f"{cooks.ego} is thinking about what to do."
    result = {"gate": state.gate, "commitment": state.commitment_gate}.get(state.trigger or "")
    if result is not None:
        template = HELD.get(result.blocked_by or "", GOES_ON)
    elif state.trigger in ("gate", "commitment"):  # nothing to judge yet
        template = GOES_ON
    elif state.trigger == "value":
        template = _worth_so_far(snapshot)
    else:
        template = WAITS.get(state.trigger or "", GOES_ON)
    return template.format(
        it=_pronoun(cooks),
        ego=cooks.ego,
        partner=cooks.partner,
        acts=cooks.verb("act", "acts"),
        does=cooks.verb("do", "does"),
        completes=cooks.verb("complete", "completes"),
        looked=_last_look(snapshot),
        skill="" if snapshot.tick is None else names.skill_doing(snapshot.tick.skills[EGO]),
    )


def _worth_so_far(snapshot: Snapshot) -> str:
    """Returns what the value gate found since the ego's choice, or why it has not looked yet."""
    choice = choice_step(snapshot.trace, snapshot.step)
    looked = _last_look(snapshot)
    if looked == snapshot.step:
        return WAITS["value"]
    if looked > choice:
        return LOOKED
    return BEGINS if choice == snapshot.step else NO_REASON


def _last_look(snapshot: Snapshot) -> int:
    """Returns the last step in which the value gate compared plans and kept the running one; 0 for none."""
    verdicts = last_verdicts(snapshot.trace, snapshot.step)
    return 0 if verdicts is None or verdicts.value else verdicts.step


def _pronoun(cooks: CookNames) -> str:
    return "you" if cooks.to_partner else "it"
