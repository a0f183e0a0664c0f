"""Asks a model for the next skill, or a side query, and sends a response that cannot be used back to it.

A game ends when its model gives no usable answer any more, in the place of waiting for ever: `CircuitBreaker`.
"""

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cache
from math import inf
from typing import Protocol, Self, runtime_checkable

from bba.config import PLANNER_DEFAULTS, AnswerForm, ConversationName
from bba.errors import BBAError
from bba.kitchen.constants import SKILL_STAY
from bba.planner.chat import (
    PLAN,
    CallKind,
    ChatBackend,
    LLMCall,
    Message,
    ModelUnusable,
    NoAnswer,
    QueryKind,
    Reply,
    progress,
    total_usage,
)
from bba.planner.prompt_loader import PromptKind, Prompts
from bba.planner.response_parser import ParsedResponse, parse_response
from bba.planner.scene_text import PlannerInput
from bba.planner.short_answers import one_line, without_scores

_QUOTED = 120  # characters of a response that a message quotes


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a game goes on without a usable answer.

    Attributes:
        decisions: choices of a skill in a row, 1 or more.
        seconds: of asking, more than 0.
    """

    decisions: int
    seconds: float


@runtime_checkable
class FallibleBackend(Protocol):
    """Protocol of a chat model that may stop answering."""

    patience: Patience

    def complete(self, messages: Sequence[Message], seconds: float = inf, *, skills: Sequence[int] = ()) -> Reply:
        """Returns the assistant's next message, as `ChatBackend.complete`, or gives up after so many seconds.

        Args:
            messages: the chat.
            seconds: until it gives up.
            skills: those that a plan can choose, in their order; () for a side query.
        """


class CircuitBreaker:
    """Passes messages to a model, counts the answers that cannot be used, and ends the game after too many.

    Only a `FallibleBackend` is counted; any other model may go on for ever.

    Args:
        backend: the model.
    """

    def __init__(self, backend: ChatBackend) -> None:
        self._backend = backend
        self._fallible = backend if isinstance(backend, FallibleBackend) else None
        self._has_replied = False
        self.reset()

    def reset(self) -> None:
        """Forgets the decisions and seconds counted so far."""
        self._decisions = 0
        self._seconds = 0.0

    def complete(self, messages: Sequence[Message], *, skills: Sequence[int] = ()) -> Reply:
        """Returns the assistant's next message; `skills` as in `FallibleBackend.complete`.

        Raises:
            NoAnswer, BBAError: as the backend.
        """
        if self._fallible is None:
            return self._backend.complete(messages)
        question = progress()
        question.ask(self._seconds)
        silent_since = question.heard_at
        try:
            seconds_left = self._fallible.patience.seconds - self._seconds
            reply = self._fallible.complete(messages, seconds_left, skills=skills)
            silent_since = question.heard_at  # an answer that took its time was no silence
        finally:
            self._seconds += time.monotonic() - silent_since
        self._has_replied = True
        return reply

    def insists(self, error: NoAnswer) -> bool:
        """Whether to ask again in the place of a fallback: nothing ever came, so the endpoint may be dead.

        A game on a dead endpoint thus ends before its first step, and before the kernels for that are compiled.
        """
        return self._fallible is not None and not self._has_replied and error.retryable

    def unusable(self, problem: str, response: str, *, decision: bool) -> None:
        """Counts a question without a usable answer, or one response of it that is sent back.

        Args:
            problem: what was wrong, in the endpoint's words where it has sent any.
            response: what came back; "" for nothing.
            decision: whether a choice of a skill has ended without an answer.

        Raises:
            ModelUnusable: this was one too many.
        """
        if self._fallible is None:
            return
        if decision:
            self._decisions += 1
        patience = self._fallible.patience
        if self._decisions >= patience.decisions or self._seconds >= patience.seconds:
            message = self._message(problem, response)
            self.reset()  # whoever tries again begins anew
            raise ModelUnusable(message)

    def _message(self, problem: str, response: str) -> str:
        quote = one_line(response[: 4 * _QUOTED])[:_QUOTED]
        if quote:
            problem += f"; it said {quote!r}"
        duration = f"{self._seconds:.0f} s"
        if self._decisions == 1:
            duration = f"1 decision in a row and {duration}"
        elif self._decisions > 1:
            duration = f"{self._decisions} decisions in a row and {duration}"
        return (
            f"planner {self._backend.name}: no usable answer for {duration}: {problem} "
            "(see --give-up-after and --deadline)"
        )


class Planner:
    """A chat with one model over one episode. It remembers the last turns that were committed.

    Args:
        backend: the model.
        prompts: the prompt templates.
        kind: which system prompt.
        history_turns: how many earlier turns are sent along, 0 or more.
        retries: how often an unusable response is sent back, 0 or more.
        conversation: whether the turns begin anew when there are as many as that, or only the oldest falls out.
        answer: in which form a skill is asked for.

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
        conversation: ConversationName = "roll",
        answer: AnswerForm = "text",
    ) -> None:
        if history_turns < 0 or retries < 0:
            raise BBAError(f"planner: history_turns={history_turns} and retries={retries} must be 0 or more")
        self.prompts = prompts
        self._retries = retries
        self._conversation = conversation
        self._answer = answer
        self._breaker = CircuitBreaker(backend)  # which copies share: they ask the same model
        self._kind: PromptKind = kind
        self._history: deque[tuple[Message, Message]] = deque(maxlen=history_turns)

    def reset(self) -> None:
        """Begins an episode with an empty history."""
        self._history.clear()
        self._breaker.reset()

    def copy(self) -> Self:
        """Returns an independent planner with the same history."""
        twin = copy(self)
        twin._history = self._history.copy()
        return twin

    def decide(
        self, planner_input: PlannerInput, user_message: str | None = None, answer: str | None = None
    ) -> LLMCall:
        """Asks for the next skill; the history does not change until the call is committed.

        Args:
            planner_input: what the model is told.
            user_message: what is asked, if not with belief block and scene alone.
            answer: that of a planner by rules, which is not asked; None asks the model.

        Raises:
            BBAError: the backend will not answer, now or later.
        """
        feasible = planner_input.feasible
        system, question = self.prompts.messages(self._kind, planner_input)
        if user_message is not None:
            question["content"] = user_message
        if self._answer == "scores":
            question["content"] += f"\n{self.prompts.letters(feasible)}"
        messages = [system]
        for turn in self._history:
            messages.extend(turn)
        messages.append(question)

        @cache  # the last response is parsed once to check it and once to use it
        def parse(response: str) -> ParsedResponse:
            return parse_response(response, feasible, planner_input.player)

        if answer is None:
            call = self._ask_until_usable(PLAN, messages, lambda response: parse(response).problem, feasible)
        else:
            call = LLMCall(PLAN, _texts_of(messages), answer)
        parsed = parse(call.response)
        return replace(
            call,
            turns=len(self._history),
            skill=SKILL_STAY if parsed.skill is None else parsed.skill,
            belief_text=parsed.belief_text,
            intention=parsed.intention,
        )

    def commit(self, call: LLMCall) -> None:
        """Adds a plan call to the history as its last turn, without scores; a call without a response is left out."""
        if not call.response:
            return
        if self._conversation == "grow" and len(self._history) == self._history.maxlen:
            self._history.clear()
        question = Message(role="user", content=call.question)
        answer = Message(role="assistant", content=without_scores(call.response))
        self._history.append((question, answer))

    def ask(
        self,
        kind: QueryKind,
        planner_input: PlannerInput,
        answer_error: Callable[[str], str | None],
        **values: object,
    ) -> LLMCall:
        """Asks a side query, such as whether to replan. The query stands alone: no history is sent along or kept.

        Args:
            kind: what is asked.
            planner_input: what the planner would be told at this step.
            answer_error: returns what is wrong with a response; None if it can be used.
            values: the placeholders of the query's template besides the scene and the two player numbers.

        Raises:
            BBAError: the backend will not answer, now or later.
        """
        messages = self._aside(kind, planner_input, values)
        return self._ask_until_usable(kind, messages, answer_error)

    def answered(self, kind: QueryKind, planner_input: PlannerInput, answer: str, /, **values: object) -> LLMCall:
        """Returns a side query with the answer of a planner by rules, which is not asked; arguments as of `ask`."""
        return LLMCall(kind, _texts_of(self._aside(kind, planner_input, values)), answer)

    def _aside(
        self, kind: QueryKind, planner_input: PlannerInput, values: Mapping[str, object]
    ) -> tuple[Message, Message]:
        """Returns the messages of a side query."""
        system = self.prompts.system_aside(self._kind, planner_input)
        question = self.prompts.query(kind, planner_input, **values)
        return Message(role="system", content=system), Message(role="user", content=question)

    def _ask_until_usable(
        self,
        kind: CallKind,
        messages: Sequence[Message],
        answer_error: Callable[[str], str | None],
        skills: Sequence[int] = (),
    ) -> LLMCall:
        """Sends messages; sends the response back with a retry message while it has an error and retries are left."""
        sent = list(messages)
        attempts = 0
        usage = None
        while True:
            attempts += 1
            texts = _texts_of(sent)
            try:
                response, spent = self._breaker.complete(sent, skills=skills)
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
            is_last = attempts > self._retries
            self._breaker.unusable(problem, response, decision=is_last and kind == PLAN)
            if is_last:
                return LLMCall(kind, texts, response, attempts, problem, usage)
            sent.append(Message(role="assistant", content=response))
            sent.append(Message(role="user", content=self.prompts.retry(response, problem, skills)))


def _texts_of(messages: Sequence[Message]) -> tuple[str, ...]:
    return tuple([message["content"] for message in messages])
