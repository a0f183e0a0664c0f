"""What a model is asked beside the skill: whether to go on, and what its teammate may be up to."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from bba.planner.ask_with_retries import ask
from bba.planner.chat import ChatBackend, Message, Usage
from bba.planner.planner_input import PlannerInput
from bba.planner.prompts import Prompts, QuestionKind

AsideKind = Literal[QuestionKind, "late"]


@dataclass(frozen=True, slots=True)
class Aside:
    """One such question and what came back.

    Attributes:
        kind: what was asked; "late" for a choice of a skill that came too late to be done.
        messages: those sent the last time: system, for a choice its earlier turns, the question, and after it an answer
            and a re-ask for every answer that could not be used.
        answer: what came back; "" where nothing did.
        attempts: the model's answers and failures to answer.
        problem: what was wrong with the last answer, so that nothing came of it; None if it was used.
        usage: what all attempts together cost; None for what costs nothing.
    """

    kind: AsideKind
    messages: tuple[Message, ...]
    answer: str
    attempts: int
    problem: str | None
    usage: Usage | None = None

    @property
    def system(self) -> str:
        """The system prompt."""
        return self.messages[0]["content"]

    @property
    def asked(self) -> tuple[Message, ...]:
        """All that followed the system prompt."""
        return self.messages[1:]


class Inquirer:
    """Asks a model such questions; it keeps nothing between them, so that each stands for itself.

    Args:
        backend: the model.
        prompts: the words.
        retries: how often an unusable answer is sent back.
    """

    def __init__(self, backend: ChatBackend, prompts: Prompts, retries: int) -> None:
        self._backend, self._prompts, self._retries = backend, prompts, retries

    def ask(
        self, kind: QuestionKind, situation: PlannerInput, flaw: Callable[[str], str | None], **words: object
    ) -> Aside:
        """Put a question about a situation.

        Args:
            kind: which one.
            situation: as the planner would be told it.
            flaw: what is wrong with an answer; None if it can be used.
            words: what the question's template takes beside the scene and the two players.

        Raises:
            BBAError: the backend will not answer, now or later.
        """
        messages = (
            Message(role="system", content=self._prompts.system("aside", situation)),
            Message(role="user", content=self._prompts.question(kind, situation, **words)),
        )
        return Aside(kind, *ask(self._backend, messages, flaw, self._prompts.retry_aside, self._retries))
