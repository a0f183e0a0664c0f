"""Asking a model until its answer can be used."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from bba.planner.chat import ChatBackend, Message, NoAnswer, Usage


class Asked(NamedTuple):
    """One question and what came back.

    Attributes:
        messages: those sent the last time: the question as it was put, and after it an answer and a re-ask for every
            answer that could not be used.
        answer: what came back; "" where nothing did.
        attempts: the model's answers and failures to answer.
        problem: what is wrong with the last answer; None if it can be used.
        usage: what all attempts together cost; None for what costs nothing.
    """

    messages: tuple[Message, ...]
    answer: str
    attempts: int
    problem: str | None
    usage: Usage | None


def ask(
    backend: ChatBackend,
    messages: Sequence[Message],
    flaw: Callable[[str], str | None],
    again: Callable[[str, str], str],
    retries: int,
) -> Asked:
    """Ask until an answer can be used or the retries are spent.

    Args:
        backend: who is asked.
        messages: the question, with what goes before it.
        flaw: what is wrong with an answer; None if it can be used.
        again: the words that send an answer back, from the answer and what is wrong with it.
        retries: how often that is done at the most.

    Raises:
        BBAError: the backend will not answer, now or later.
    """
    sent, attempts, spent = list(messages), 0, None
    while True:
        attempts += 1
        try:
            text, usage = backend.complete(sent)
        except NoAnswer as error:
            return Asked(tuple(sent), "", attempts, str(error), spent)
        spent = usage if spent is None else spent if usage is None else spent.plus(usage)
        problem = flaw(text)
        if problem is None or attempts > retries:
            return Asked(tuple(sent), text, attempts, problem, spent)
        sent.append(Message(role="assistant", content=text))
        sent.append(Message(role="user", content=again(text, problem)))
