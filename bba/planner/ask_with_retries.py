"""Asks a model until its response can be used."""

from collections.abc import Callable, Sequence

from bba.planner.chat import ChatBackend, Message, NoAnswer, Usage
from bba.planner.llm_call import CallKind, LLMCall


def ask_with_retries(
    backend: ChatBackend,
    kind: CallKind,
    messages: Sequence[Message],
    answer_error: Callable[[str], str | None],
    retry_message: Callable[[str, str], str],
    retries: int,
) -> LLMCall:
    """Sends messages to a model, and sends unusable responses back.

    Args:
        backend: the model.
        kind: what is asked.
        messages: the system prompt, earlier turns if any, and the question.
        answer_error: returns what is wrong with a response; None if it can be used.
        retry_message: returns the text that sends a response back, given the response and its error.
        retries: how often a response is sent back at most, 0 or more.

    Raises:
        BBAError: the backend will not answer, now or later.
    """
    sent, attempts, usage = list(messages), 0, None
    while True:
        attempts += 1
        try:
            response, spent = backend.complete(sent)
        except NoAnswer as error:
            return LLMCall(kind, _texts(sent), "", attempts, str(error), usage)
        usage = _sum(usage, spent)
        problem = answer_error(response)
        if problem is None or attempts > retries:
            return LLMCall(kind, _texts(sent), response, attempts, problem, usage)
        sent.append(Message(role="assistant", content=response))
        sent.append(Message(role="user", content=retry_message(response, problem)))


def _texts(messages: Sequence[Message]) -> tuple[str, ...]:
    return tuple([message["content"] for message in messages])


def _sum(usage: Usage | None, spent: Usage | None) -> Usage | None:
    return spent if usage is None else usage if spent is None else usage.plus(spent)
