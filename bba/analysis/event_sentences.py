"""What is said of the events of a game: the sentences of all places, side by side.

The log has a line for each event, with the number of the cook before the text. Plain mode tells the same events in
sentences about cooks who have names. A film and a notebook show the last replan. The debriefing lists the steps that
are worth a look, and plain mode tells these, too. The explanation of a replan at several lengths is in
`bba.analysis.captions`.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from bba.analysis import names
from bba.analysis.coordination import SwitchResponse
from bba.analysis.events import GameEvent
from bba.analysis.partner_reading import CookNames
from bba.analysis.replans import Highlight
from bba.belief import NO_ROLE
from bba.kitchen.constants import ITEM_NAMES
from bba.language import marked, say


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
            log="replans{rejected}{kept}",
            plain="{cook} replans. {caption}",
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
KEPT = "; keeps its skill"
# Steps that are worth a look. The belief that is spoken of is the ego's own; without one it is the observer's.
HIGHLIGHTS: Mapping[str, str] = MappingProxyType(
    {
        "unnoticed": "{partner} turned to {role}, and {believer} never noticed",
        "slow": "{partner} turned to {role}, and {believer} noticed after {steps}",
        "replan": "{ego} replanned while {partner} did {role}",
        "idle": "{ego} replanned while {partner} {was} idle",
        "duplicate": "both cooks did {role} for {steps}",
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
    """Returns what a film and a notebook show of the last replan: the text of the log without what the ego keeps."""
    return log_text(event._replace(kept=False))


def _fields(event: GameEvent) -> dict[str, object]:
    """Returns what the wordings of an event name, by the name."""
    match event.kind:
        case "switch":
            return {"role": names.role(event.number), "detail": event.detail}
        case "replan":
            rejected = f": {event.detail}" if event.detail else ""
            return {"rejected": rejected, "kept": KEPT if event.kept else ""}
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
    idle = highlight.kind == "replan" and highlight.role == NO_ROLE
    steps = "1 step" if highlight.steps == 1 else f"{highlight.steps} steps"
    return HIGHLIGHTS["idle" if idle else highlight.kind].format(
        role=names.role(highlight.role),
        steps=steps,
        partner=named.partner,
        ego=named.ego,
        was=named.was,
        believer=named.believer(own=own),
    )


def response_text(response: SwitchResponse, named: CookNames, *, own: bool) -> str:
    """Returns how belief and action followed a switch; the arguments are those of `highlight_text`."""
    turned = f"step {response.start + 1}: {named.partner} turned to {names.role(response.role)}"
    noticed = _after_steps(response.noticed)
    complemented = _after_steps(response.complemented)
    return f"{turned}; {named.believer(own=own)} noticed {noticed}, {named.ego} answered {complemented}"


def _after_steps(steps: int | None) -> str:
    return "never" if steps is None else f"after {steps} steps"
