"""Asking a model for a skill: send the situation, read the answer, ask again if it cannot be used."""

from collections import deque
from copy import copy
from dataclasses import dataclass
from typing import Self

from bba.config import PLANNER_DEFAULTS
from bba.errors import BBAError
from bba.kitchen.constants import SKILL_STAY
from bba.planner.ask_with_retries import Asked, ask
from bba.planner.chat import ChatBackend, Message, Usage
from bba.planner.planner_input import PlannerInput
from bba.planner.prompts import PromptKind, Prompts
from bba.planner.response_parser import parse_response


@dataclass(frozen=True, slots=True)
class Exchange:
    """One decision and how it came about.

    Attributes:
        skill: the chosen one, always feasible (STAY is).
        messages: those sent the last time: system, `turns` earlier turns of two messages each, the question, and after
            it an answer and a re-ask for every answer that could not be used.
        turns: earlier turns sent along.
        answer: what came back; "" where nothing did.
        attempts: the model's answers and failures to answer.
        fallback: whether no answer could be used; `skill` is then STAY.
        problem: what was wrong with the last answer; None if it was used.
        belief_text, intention: what the answer says of the teammate, if it does.
        usage: what all attempts together cost; None for what costs nothing.
    """

    skill: int
    messages: tuple[Message, ...]
    turns: int
    answer: str
    attempts: int
    fallback: bool
    problem: str | None
    belief_text: str | None = None
    intention: int | None = None
    usage: Usage | None = None

    @property
    def system(self) -> str:
        """The system prompt."""
        return self.messages[0]["content"]

    @property
    def asked(self) -> tuple[Message, ...]:
        """The question, then an answer and a re-ask for every answer that could not be used."""
        return self.messages[1 + 2 * self.turns :]


class Planner:
    """A chat with one model about one episode; it remembers the last turns, so use a new one for every episode."""

    def __init__(
        self,
        backend: ChatBackend,
        prompts: Prompts,
        *,
        kind: PromptKind,
        history_turns: int = PLANNER_DEFAULTS.history_turns,
        retries: int = PLANNER_DEFAULTS.retries,
    ) -> None:
        """`history_turns` earlier turns are sent along; an unusable answer is sent back up to `retries` times.

        Raises:
            BBAError: a negative number.
        """
        if history_turns < 0 or retries < 0:
            raise BBAError(f"planner: history_turns={history_turns} and retries={retries} must be 0 or more")
        self._backend = backend
        self._prompts = prompts
        self._kind: PromptKind = kind
        self._retries = retries
        self._history: deque[tuple[Message, Message]] = deque(maxlen=history_turns)

    def copy(self) -> Self:
        """Another one that remembers the same, and goes on by itself."""
        other = copy(self)
        other._history = self._history.copy()
        return other

    def decide(self, situation: PlannerInput, preface: str = "") -> Exchange:
        """Ask for the skill to run next; `preface` is text to put above the belief block and the scene.

        Raises:
            BBAError: the backend will not answer, now or later.
        """
        scene = self._prompts.user(situation)
        messages = [Message(role="system", content=self._prompts.system(self._kind, situation))]
        messages += [message for turn in self._history for message in turn]
        messages.append(Message(role="user", content=f"{preface}\n{scene}" if preface else scene))
        feasible = situation.feasible
        asked = ask(
            self._backend,
            messages,
            lambda answer: parse_response(answer, feasible).problem,
            lambda answer, _: self._prompts.retry(answer, feasible),
            self._retries,
        )
        exchange = self._exchange(asked, situation)
        self.commit(exchange)
        return exchange

    def commit(self, exchange: Exchange) -> None:
        """Remember an exchange as the last turn, if anything was answered."""
        if exchange.answer:
            self._history.append((exchange.asked[0], Message(role="assistant", content=exchange.answer)))

    def _exchange(self, asked: Asked, situation: PlannerInput) -> Exchange:
        answer = parse_response(asked.answer, situation.feasible)
        return Exchange(
            skill=SKILL_STAY if answer.skill is None else answer.skill,
            messages=asked.messages,
            turns=len(self._history),
            answer=asked.answer,
            attempts=asked.attempts,
            fallback=answer.skill is None,
            problem=asked.problem,
            belief_text=answer.belief_text,
            intention=answer.intention,
            usage=asked.usage,
        )
