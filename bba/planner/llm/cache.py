"""The cache stage: reuses answers, within a run always and between runs through a file.

At temperature 0 the same request should give the same answer, but endpoints do not guarantee it. So the first answer is
kept: games then depend on their seed alone, and a recorded run can be repeated without the endpoint.
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
from bba.planner.llm.openai_client import sampling_parameters
from bba.planner.llm.options import ModelOptions
from bba.planner.llm.request import ChatRequest, RequestStage

Result = TypeVar("Result")

EXCERPT_CHARS = 60  # characters of a request that are quoted in the error for a missing answer
CACHED = Usage(cached=1)

_logger = logging.getLogger("bba")


def cache_file(path: Path | None) -> Path:
    """Returns the user's file, or the one in the platform's cache folder."""
    return path or user_cache_path("bba-tui") / "answers.sqlite"


def key_of(options: ModelOptions, request: ChatRequest) -> str:
    """Returns a hash of everything that can change the answer."""
    content = {
        "model": options.model,
        "base_url": options.endpoint,
        **sampling_parameters(options),
        "messages": request.messages,
    }
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


class CacheStage:
    """Answers from memory or from the file if possible, otherwise through the next stage if allowed.

    A file that cannot be used gives one warning; requests then go to the next stage.

    Args:
        inner: the next stage.
        options: the model, the mode ("off", "read", "write", "only") and the file.
    """

    def __init__(self, inner: RequestStage, options: ModelOptions) -> None:
        self._inner, self._options = inner, options
        self._file = AnswerCache(cache_file(options.cache_file))
        self._answers: dict[str, str] = {}
        self._warned = False

    def send(self, request: ChatRequest) -> Reply:
        """Returns the stored answer, or the next stage's.

        Raises:
            NoAnswer, BBAError: as the next stage; or no answer is stored in mode "only".
        """
        key = key_of(self._options, request)
        text = self._answers.get(key)
        if text is None and self._options.cache != "off":
            text = self._load(key)
        if text is None and self._options.cache == "only":
            raise self._missing_answer(key, request)
        text, usage = self._inner.send(request) if text is None else (text, CACHED)
        if usage is not CACHED and self._options.cache == "write":
            text = self._save(key, text)
        return Reply(self._answers.setdefault(key, text), usage)

    def _load(self, key: str) -> str | None:
        return self._use_file(lambda: self._file.get(key), None)

    def _save(self, key: str, text: str) -> str:
        return self._use_file(lambda: self._file.put(key, text), text)

    def _use_file(self, use: Callable[[], Result], otherwise: Result) -> Result:
        """Returns the result of using the file, or `otherwise` if that fails, with a warning the first time."""
        try:
            return use()
        except (sqlite3.Error, OSError, ValueError) as error:
            if self._options.cache == "only":
                raise BBAError(f"--cache only: {self._file.path}: {error}") from None
            if not self._warned:
                _logger.warning("cache: %s cannot be used: %s", self._file.path, error)
            self._warned = True
            return otherwise

    def _missing_answer(self, key: str, request: ChatRequest) -> BBAError:
        words = one_line(request.messages[-1]["content"])[:EXCERPT_CHARS]
        return BBAError(
            f"--cache only: {self._file.path} has no answer of {self._options.model} to {key[:12]} ({words!r}…)"
        )
