"""The log stage: writes every request to a JSON Lines file, one object per line, and never the key."""

import json
import logging
import os
import threading
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from bba.errors import BBAError
from bba.planner.chat import NoAnswer, Reply
from bba.planner.llm.options import ModelOptions
from bba.planner.llm.request import ChatRequest, RequestStage

_logger = logging.getLogger("bba")


class LogStage:
    """Logs each request to the next stage with its answer and its failed attempts.

    Args:
        inner: the next stage.
        options: the model and its endpoint.
        path: the file to append to.

    Raises:
        BBAError: the file cannot be written.
    """

    def __init__(self, inner: RequestStage, options: ModelOptions, path: Path) -> None:
        self._inner, self._file = inner, JSONLinesFile(path)
        self._model_info = {"model": options.model, "base_url": options.shown_endpoint}

    def send(self, request: ChatRequest) -> Reply:
        """Returns the next stage's answer; raises its errors."""
        try:
            reply = self._inner.send(request)
        except BBAError as error:
            self._write(request, None, error)
            raise
        self._write(request, reply, None)
        return reply

    def _write(self, request: ChatRequest, reply: Reply | None, error: BBAError | None) -> None:
        failures = [str(failure) for failure in request.failures]
        entry = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            **self._model_info,
            "messages": request.messages,
            "answer": reply.text if reply else None,
            "sampling": request.details.get("sampling"),
            "finish_reason": request.details.get("finish_reason"),
            "model_served": request.details.get("model_served"),
            "usage": asdict(reply.usage) if reply and reply.usage else None,
            "attempts": len(failures) + (not isinstance(error, NoAnswer)),
            "failures": failures,
            "problem": None if error is None else str(error),
        }
        self._file.add(json.dumps(entry))


class JSONLinesFile:
    """A JSON Lines file to which several threads and processes can append.

    A line that cannot be written, for instance because the disk is full, is left out, with one warning.

    Raises:
        BBAError: the file cannot be opened for writing.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._lock, self._warned = path, threading.Lock(), False
        try:
            if path.exists() and not path.is_file():
                raise BBAError(f"--model-log: {path} is not a file")
            self._unfinished = self._is_unfinished()
        except (OSError, ValueError) as error:
            raise BBAError(f"--model-log: {str(path)!r} cannot be written: {_reason(error)}") from None

    def add(self, line: str) -> None:
        """Appends a line with one write, after ending an unfinished one."""
        with self._lock:
            try:
                self._append(line.encode() + b"\n")
            except OSError as error:
                if not self._warned:
                    _logger.warning("model-log: %s: some exchanges are missing: %s", self._path, _reason(error))
                self._warned = True

    def _append(self, line: bytes) -> None:
        whole = b"\n" + line if self._unfinished else line
        with self._path.open("ab", buffering=0) as file:
            written = file.write(whole)
        self._unfinished = written < len(whole)
        if self._unfinished:
            raise OSError("the disk is full")

    def _is_unfinished(self) -> bool:
        """Whether the last line of the file is unfinished; creates the file if it is missing."""
        with self._path.open("ab+", buffering=0) as file:
            if not file.seek(0, os.SEEK_END):
                return False
            file.seek(-1, os.SEEK_END)
            return file.read(1) != b"\n"


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
