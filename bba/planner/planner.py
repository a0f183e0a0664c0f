"""Asking a model for a skill: send the situation, read the answer, ask again if it cannot be used."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from bba.errors import BBAError
from bba.kitchen.codes import STAY
from bba.planner.answers import Answer, parse
from bba.planner.chat import ChatBackend, Message
from bba.planner.prompts import Kind, Prompts
from bba.planner.situation import Situation


@dataclass(frozen=True, slots=True)
class Exchange:
    """One decision and how it came about.

    `skill` is always feasible (STAY is). `messages` are those sent the last time, `answer` is what came back,
    `attempts` counts the model's answers. With `fallback` no answer could be used, and `skill` is STAY; `problem` says
    what was wrong with the last answer, None if it was used.
    """

    skill: int
    messages: tuple[Message, ...]
    answer: str
    attempts: int
    fallback: bool
    problem: str | None
    belief_text: str | None = None
    intention: int | None = None


class Planner:
    """A chat with one model about one episode; it remembers the last turns, so use a new one for every episode."""

    def __init__(
        self, backend: ChatBackend, prompts: Prompts, *, kind: Kind, history_turns: int = 3, retries: int = 3
    ) -> None:
        """`history_turns` earlier turns are sent along; an unusable answer is sent back up to `retries` times.

        Raises:
            BBAError: a negative number.
        """
        if history_turns < 0 or retries < 0:
            raise BBAError(f"planner: history_turns={history_turns} and retries={retries} must be 0 or more")
        self._backend = backend
        self._prompts = prompts
        self._kind: Kind = kind
        self._retries = retries
        self._history: deque[tuple[Message, Message]] = deque(maxlen=history_turns)

    def decide(self, situation: Situation, preface: str = "") -> Exchange:
        """Ask for the skill to run next; `preface` is text to put above the belief block and the scene.

        Raises:
            BBAError: the backend gave no answer at all.
        """
        scene = self._prompts.user(situation)
        question = Message(role="user", content=f"{preface}\n{scene}" if preface else scene)
        messages = [Message(role="system", content=self._prompts.system(self._kind, situation))]
        messages += [message for turn in self._history for message in turn]
        messages.append(question)
        text, answer, attempts = self._ask(messages, situation.feasible)
        self._history.append((question, Message(role="assistant", content=text)))
        return Exchange(
            skill=STAY if answer.skill is None else answer.skill,
            messages=tuple(messages),
            answer=text,
            attempts=attempts,
            fallback=answer.skill is None,
            problem=answer.problem,
            belief_text=answer.belief_text,
            intention=answer.intention,
        )

    def _ask(self, messages: list[Message], feasible: Sequence[int]) -> tuple[str, Answer, int]:
        """Ask until an answer can be used or the retries are spent; `messages` ends as it was sent the last time."""
        attempts = 0
        while True:
            text = self._backend.complete(messages)
            attempts += 1
            answer = parse(text, feasible)
            if answer.skill is not None or attempts > self._retries:
                return text, answer, attempts
            messages.append(Message(role="assistant", content=text))
            messages.append(Message(role="user", content=self._prompts.retry(text, feasible)))
