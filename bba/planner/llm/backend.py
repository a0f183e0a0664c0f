"""A language model as a planner's chat backend: the pipeline of request stages in its order."""

import time
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from bba.planner.breaker import Patience
from bba.planner.chat import Message, Reply
from bba.planner.llm.budget import BudgetStage
from bba.planner.llm.cache import CacheStage
from bba.planner.llm.ledger import Ledger
from bba.planner.llm.litellm_client import LiteLLMClient
from bba.planner.llm.log import LogStage
from bba.planner.llm.openai_client import OpenAIClient
from bba.planner.llm.options import ModelOptions, Provider
from bba.planner.llm.request import ChatRequest, RequestStage
from bba.planner.llm.retry import RetryStage

SILENCE = 45.0  # seconds without a usable answer that end a game, unless the deadline of one answer is longer

CLIENTS: dict[Provider, Callable[[ModelOptions], RequestStage]] = {"openai": OpenAIClient, "litellm": LiteLLMClient}


class ModelBackend:
    """Answers chats by sending them through the stages, each with a deadline.

    Args:
        name: the name of the backend in results.
        stage: the first stage of the pipeline.
        deadline: seconds for one answer.
        patience: how long a game goes on without a usable answer.
    """

    def __init__(self, name: str, stage: RequestStage, deadline: float, patience: Patience) -> None:
        self.name, self.patience = name, patience
        self._stage, self._deadline = stage, deadline

    def complete(self, messages: Sequence[Message]) -> Reply:
        """Returns the assistant's next message.

        Raises:
            NoAnswer: no answer to this chat.
            BBAError: no answer to this chat, nor to later ones.
        """
        return self.complete_within(messages, self._deadline)

    def complete_within(self, messages: Sequence[Message], seconds: float, *, plan: bool = True) -> Reply:
        """Returns the same; gives up after so many seconds, or at the deadline. Only a plan has `--structured` form.

        Raises:
            NoAnswer, BBAError: as `complete`.
        """
        return self._stage.send(ChatRequest(tuple(messages), time.monotonic() + min(seconds, self._deadline), plan))


def model_backend(
    options: ModelOptions, *, sleep: Callable[[float], None] = time.sleep, ledger: Ledger | None = None
) -> ModelBackend:
    """Makes a backend with the stages cache, log (if wanted), retries, budget and client, in this order.

    Args:
        options: the model.
        sleep: waits between two attempts.
        ledger: counts what is spent; None for one of its own.

    Raises:
        BBAError: a price table or a log file cannot be used, or a library is not installed.
    """
    client = CLIENTS[options.provider](options)
    paid = BudgetStage(client, options, ledger)
    stage: RequestStage = RetryStage(paid, options.attempts, sleep, options.provider)
    if options.model_log is not None:
        stage = LogStage(stage, options, options.model_log)
    patience = Patience(options.give_up_after, max(SILENCE, options.deadline))
    return ModelBackend(f"{options.provider}:{options.model}", CacheStage(stage, options), options.deadline, patience)


@cache
def shared_backend(options: ModelOptions) -> ModelBackend:
    """Returns the backend that all games of this process share, with one budget and one cache; models share a ledger.

    Raises:
        BBAError: as `model_backend`.
    """
    return model_backend(options, ledger=shared_ledger(options.ledger))


@cache
def shared_ledger(path: Path | None) -> Ledger:
    """Returns the ledger that all models of this process share."""
    return Ledger(path)
