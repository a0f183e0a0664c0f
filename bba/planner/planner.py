"""Asks a model for the next skill, or a side query, and sends a response that cannot be used back to it."""

from collections import deque
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from functools import cache
from typing import Self

from bba.config import PLANNER_DEFAULTS
from bba.errors import BBAError
from bba.kitchen.constants import SKILL_STAY
from bba.planner.breaker import Breaker
from bba.planner.chat import PLAN, CallKind, ChatBackend, LLMCall, Message, NoAnswer, QueryKind, total_usage
from bba.planner.prompts import PromptKind, Prompts
from bba.planner.response_parser import parse_response
from bba.planner.scene_text import PlannerInput


class Planner:
    """A chat with one model over one episode. It remembers the last turns that were committed.

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
        self.prompts = prompts
        self._retries = retries
        self._breaker = Breaker(backend)  # which copies share: they ask the same model
        self._kind: PromptKind = kind
        self._history: deque[tuple[Message, Message]] = deque(maxlen=history_turns)

    def reset(self) -> None:
        """Begins an episode with an empty history."""
        self._history.clear()
        self._breaker.reset()

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
        parse = cache(lambda response: parse_response(response, feasible, planner_input.player))
        call = self._ask_until_usable(
            PLAN,
            self._messages(planner_input, prefix),
            lambda response: parse(response).problem,
            lambda response, problem: self.prompts.retry(response, problem, feasible),
        )
        parsed = parse(call.response)
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

    def ask(
        self,
        kind: QueryKind,
        planner_input: PlannerInput,
        answer_error: Callable[[str], str | None],
        **values: object,
    ) -> LLMCall:
        """Asks a side query, such as whether to replan. It stands alone: no history is sent along or kept.

        Args:
            kind: what is asked.
            planner_input: what the planner would be told at this step.
            answer_error: returns what is wrong with a response; None if it can be used.
            values: the placeholders of the query's template besides the scene and the two player numbers.

        Raises:
            BBAError: the backend will not answer, now or later.
        """
        messages = (
            Message(role="system", content=self.prompts.system("side_query", planner_input)),
            Message(role="user", content=self.prompts.query(kind, planner_input, **values)),
        )
        return self._ask_until_usable(kind, messages, answer_error, self.prompts.retry_side_query)

    def _messages(self, planner_input: PlannerInput, prefix: str) -> list[Message]:
        scene = self.prompts.user(planner_input, self._kind)
        return [
            Message(role="system", content=self.prompts.system(self._kind, planner_input)),
            *(message for turn in self._history for message in turn),
            Message(role="user", content=f"{prefix}\n{scene}" if prefix else scene),
        ]

    def _ask_until_usable(
        self,
        kind: CallKind,
        messages: Sequence[Message],
        answer_error: Callable[[str], str | None],
        retry_message: Callable[[str, str], str],
    ) -> LLMCall:
        """Sends messages, and sends a response back with a retry message as long as it has an error."""
        sent, attempts, usage = list(messages), 0, None
        while True:
            attempts += 1
            texts = tuple([message["content"] for message in sent])
            try:
                response, spent = self._breaker.complete(sent, plan=kind == PLAN)
            except NoAnswer as error:
                self._breaker.unusable(str(error), "", decision=kind == PLAN)
                usage = total_usage([usage, error.usage])
                if kind == PLAN and self._breaker.insists(error):
                    continue
                return LLMCall(kind, texts, "", attempts, str(error), usage)
            usage = total_usage([usage, spent])
            problem = answer_error(response)
            if problem is None:
                self._breaker.reset()
                return LLMCall(kind, texts, response, attempts, None, usage)
            last = attempts > self._retries
            self._breaker.unusable(problem, response, decision=last and kind == PLAN)
            if last:
                return LLMCall(kind, texts, response, attempts, problem, usage)
            sent.append(Message(role="assistant", content=response))
            sent.append(Message(role="user", content=retry_message(response, problem)))
