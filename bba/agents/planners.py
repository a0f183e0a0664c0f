"""Makes the planner of a seat: what answers its prompts, and what asks in them or simulates."""

from collections.abc import Callable

from bba.agents.hypothetical_minds import prompt_planner
from bba.agents.planner_names import ROLLOUT, pays
from bba.agents.plugin_parts import plugin_backend
from bba.agents.scripted_planner import ScriptedPlanner
from bba.agents.seat import SeatSpec
from bba.agents.skill_planner import RolloutPlanner, SkillPlanner
from bba.annexes import from_annex
from bba.config import changed
from bba.config.options import AnswerForm, ConversationName
from bba.errors import BBAError, instead
from bba.planner import ChatBackend, PromptKind, ScriptedBackend
from bba.plugins import is_plugin_name


def _language_model(seat: SeatSpec) -> ChatBackend:
    if seat.model is None:
        raise BBAError(f"planner: {seat.planner} needs to know which model; give SeatSpec a `model`")
    model = changed(seat.model, {"provider": seat.planner})
    if seat.planner == "local":
        model = from_annex("bba.llm.local_models:located")(model)
    backend: ChatBackend = from_annex("bba.llm.pipeline:shared_backend")(model)
    return backend


BACKENDS: dict[str, Callable[[SeatSpec], ChatBackend]] = {
    "scripted": lambda _: ScriptedBackend(),
    "openai": _language_model,
    "litellm": _language_model,
    "local": _language_model,
}


def backend_of(seat: SeatSpec) -> ChatBackend | None:
    """Returns what answers the prompts; None for the rollout planner, which needs none.

    Raises:
        BBAError: there is no such planner, or it cannot be used.
    """
    name = seat.planner
    if name == ROLLOUT:
        return None
    if name in BACKENDS:
        return BACKENDS[name](seat)
    if not is_plugin_name("planner", name):
        raise BBAError(f"planner: no planner named {name!r}; {instead(name, [*BACKENDS, ROLLOUT])}")
    return plugin_backend(name, seat.planner_options)


def skill_planner(kind: PromptKind, seat: SeatSpec, backend: ChatBackend | None = None) -> SkillPlanner:
    """Returns a new planner of skills, with the system prompt of this kind if it is asked in prompts.

    Args:
        kind: of the system prompt.
        seat: the seat; its agent is not used.
        backend: what answers the prompts, if it is made already.

    Raises:
        BBAError: no such planner or prompt folder.
    """
    backend = backend or backend_of(seat)
    if backend is None:
        return RolloutPlanner(seat.rollout, seat.weights)
    prompts = seat.templates
    turns = seat.history_turns
    retries = seat.retries
    by_state = type(backend) is ScriptedBackend and seat.prompts is None
    if by_state and kind != "hypothetical":
        return ScriptedPlanner(prompts, kind, turns)
    conversation: ConversationName = "roll"
    answer_form: AnswerForm = "text"
    if seat.model is not None and pays(seat.planner):
        model = changed(seat.model, {"provider": seat.planner})
        conversation = model.turns
        answer_form = model.form
    return prompt_planner(
        kind,
        backend,
        prompts,
        conversation,
        answer_form,
        history_turns=turns,
        retries=retries,
        ask=seat.effective_ask,
        by_state=by_state,
    )
