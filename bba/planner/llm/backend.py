"""A language model as a planner's backend: the stages in their order."""

import time
from collections.abc import Callable, Sequence
from functools import cache

from bba.planner.chat import ChatBackend, Message, Reply
from bba.planner.llm.budget import BudgetStage
from bba.planner.llm.cache import CacheStage
from bba.planner.llm.log import LogStage
from bba.planner.llm.openai_client import OpenAIClient
from bba.planner.llm.options import ModelOptions
from bba.planner.llm.request import ChatRequest, RequestStage
from bba.planner.llm.retry import RetryStage


class ModelBackend:
    """Answers chats by passing them to the first stage, each with a deadline.

    Args:
        name: what results are filed under.
        stage: who answers.
        deadline: seconds for one answer.
    """

    def __init__(self, name: str, stage: RequestStage, deadline: float) -> None:
        self.name = name
        self._stage, self._deadline = stage, deadline

    def complete(self, messages: Sequence[Message]) -> Reply:
        """The assistant's next message.

        Raises:
            NoAnswer: none could be had to this chat.
            BBAError: nor will one be had to the next.
        """
        return self._stage.ask(ChatRequest(tuple(messages), time.monotonic() + self._deadline))


def model_backend(options: ModelOptions, *, sleep: Callable[[float], None] = time.sleep) -> ChatBackend:
    """A backend of its own: stored answers first; what is asked is logged with its attempts; each attempt is limited.

    Raises:
        BBAError: a price table or a log file that cannot be used.
    """
    stage: RequestStage = RetryStage(BudgetStage(OpenAIClient(options), options), options.attempts, sleep)
    if options.model_log is not None:
        stage = LogStage(stage, options, options.model_log)
    return ModelBackend(f"openai:{options.model}", CacheStage(stage, options), options.deadline)


@cache
def shared_backend(options: ModelOptions) -> ChatBackend:
    """The backend that all games of this process share, and with it limits and answers.

    Raises:
        BBAError: as `model_backend`.
    """
    return model_backend(options)
