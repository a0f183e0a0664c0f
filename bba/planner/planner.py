"""Asks a model for the next skill: sends the prompt, parses the response, and retries if it cannot be used."""

from collections import deque
from copy import copy
from dataclasses import replace
from typing import Self

from bba.config import PLANNER_DEFAULTS
from bba.errors import BBAError
from bba.kitchen.constants import SKILL_STAY
from bba.planner.ask_with_retries import ask_with_retries
from bba.planner.chat import ChatBackend, Message
from bba.planner.llm_call import PLAN, LLMCall
from bba.planner.planner_input import PlannerInput
from bba.planner.prompts import PromptKind, Prompts
from bba.planner.response_parser import parse_response


class Planner:
    """A chat with one model over one episode.

    It remembers the last turns that were committed; every episode needs a planner of its own.

    Args:
        backend: the model.
        prompts: the prompt templates.
        kind: which system prompt.
        history_turns: how many earlier turns are sent along, 0 or more.
        retries: how often an unusable response is sent back, 0 or more.

    Raises:
        BBAError: a negative number.
    """

    def __init__(
        self,
        backend: ChatBackend,
        prompts: Prompts,
        *,
        kind: PromptKind,
        history_turns: int = PLANNER_DEFAULTS.history_turns,
        retries: int = PLANNER_DEFAULTS.retries,
    ) -> None:
        if history_turns < 0 or retries < 0:
            raise BBAError(f"planner: history_turns={history_turns} and retries={retries} must be 0 or more")
        self._backend = backend
        self._prompts = prompts
        self._kind: PromptKind = kind
        self._retries = retries
        self._history: deque[tuple[Message, Message]] = deque(maxlen=history_turns)

    def copy(self) -> Self:
        """Returns an independent planner with the same history."""
        other = copy(self)
        other._history = self._history.copy()
        return other

    def decide(self, planner_input: PlannerInput, prefix: str = "") -> LLMCall:
        """Asks for the next skill; the history does not change until the call is committed.

        Args:
            planner_input: what the model is told.
            prefix: text to put above the belief block and the scene.

        Raises:
            BBAError: the backend will not answer, now or later.
        """
        feasible = planner_input.feasible
        call = ask_with_retries(
            self._backend,
            PLAN,
            self._messages(planner_input, prefix),
            lambda response: parse_response(response, feasible).problem,
            lambda response, _: self._prompts.retry(response, feasible),
            self._retries,
        )
        parsed = parse_response(call.response, feasible)
        return replace(
            call,
            turns=len(self._history),
            skill=SKILL_STAY if parsed.skill is None else parsed.skill,
            belief_text=parsed.belief_text,
            intention=parsed.intention,
        )

    def commit(self, call: LLMCall) -> None:
        """Adds a plan call to the history as its last turn; one without a response is left out."""
        if call.response:
            question = Message(role="user", content=call.question)
            self._history.append((question, Message(role="assistant", content=call.response)))

    def _messages(self, planner_input: PlannerInput, prefix: str) -> list[Message]:
        scene = self._prompts.user(planner_input)
        return [
            Message(role="system", content=self._prompts.system(self._kind, planner_input)),
            *(message for turn in self._history for message in turn),
            Message(role="user", content=f"{prefix}\n{scene}" if prefix else scene),
        ]
