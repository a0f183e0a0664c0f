"""Using answers again: within a run always, from run to run by a file.

At temperature 0 the same question should bring the same answer. Endpoints do not quite keep to that, so the first
answer counts: games then depend on their seed alone, and a recorded run can be had again without the endpoint.
"""

import hashlib
import json
import logging
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from platformdirs import user_cache_path

from bba.errors import BBAError
from bba.planner.chat import Reply, Usage
from bba.planner.llm.answer_cache import AnswerCache
from bba.planner.llm.http_errors import one_line
from bba.planner.llm.openai_client import sampling
from bba.planner.llm.options import ModelOptions
from bba.planner.llm.request import ChatRequest, RequestStage

Result = TypeVar("Result")

WORDS = 60  # characters of a question by which a missing answer is named
AGAIN = Usage(cached=1)

_logger = logging.getLogger("bba")


def cache_file(path: Path | None) -> Path:
    """The user's file, or the one in the platform's cache folder."""
    return path or user_cache_path("bba-tui") / "answers.sqlite"


def key_of(options: ModelOptions, question: ChatRequest) -> str:
    """A hash of all that can alter the answer."""
    asked = {"model": options.model, "base_url": options.endpoint, **sampling(options), "messages": question.messages}
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()


class CacheStage:
    """Answers from memory or from the file where it can, and asks the next stage where it may.

    A file that cannot be used costs one warning, and the next stage is asked.

    Args:
        inner: the next stage.
        options: the model, the mode ("off", "read", "write", "only") and the file.
    """

    def __init__(self, inner: RequestStage, options: ModelOptions) -> None:
        self._inner, self._options = inner, options
        self._store = AnswerCache(cache_file(options.cache_file))
        self._said: dict[str, str] = {}
        self._warned = False

    def ask(self, question: ChatRequest) -> Reply:
        """The stored answer, or the next stage's.

        Raises:
            NoAnswer, BBAError: as the next stage, or a stored answer is missing where only those may be used.
        """
        key = key_of(self._options, question)
        said = self._said.get(key)
        if said is None and self._options.cache != "off":
            said = self._recalled(key)
        if said is None and self._options.cache == "only":
            raise self._missing(key, question)
        text, usage = self._inner.ask(question) if said is None else (said, AGAIN)
        if usage is not AGAIN and self._options.cache == "write":
            text = self._kept(key, text)
        return Reply(self._said.setdefault(key, text), usage)

    def _recalled(self, key: str) -> str | None:
        return self._tried(lambda: self._store.get(key), None)

    def _kept(self, key: str, text: str) -> str:
        return self._tried(lambda: self._store.put(key, text), text)

    def _tried(self, use: Callable[[], Result], otherwise: Result) -> Result:
        """What a use of the file brings, or `otherwise` and a warning, the first time."""
        try:
            return use()
        except (sqlite3.Error, OSError, ValueError) as error:
            if self._options.cache == "only":
                raise BBAError(f"--cache only: {self._store.path}: {error}") from None
            if not self._warned:
                _logger.warning("cache: %s cannot be used: %s", self._store.path, error)
            self._warned = True
            return otherwise

    def _missing(self, key: str, question: ChatRequest) -> BBAError:
        words = one_line(question.messages[-1]["content"])[:WORDS]
        return BBAError(
            f"--cache only: {self._store.path} has no answer of {self._options.model} to {key[:12]} ({words!r}…)"
        )
