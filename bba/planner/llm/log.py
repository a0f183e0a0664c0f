"""A log of every exchange with a model, as JSON Lines: one object a line, each line whole, and never a key."""

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
    """Writes down what was asked of the next stage, what it answered, and which attempts failed.

    Args:
        inner: the next stage.
        options: the model and where it is.
        path: the file that lines are added to.

    Raises:
        BBAError: nothing can be written there.
    """

    def __init__(self, inner: RequestStage, options: ModelOptions, path: Path) -> None:
        self._inner, self._file = inner, JSONLinesFile(path)
        self._about = {"model": options.model, "base_url": options.endpoint}

    def ask(self, question: ChatRequest) -> Reply:
        """The next stage's answer."""
        try:
            reply = self._inner.ask(question)
        except BBAError as error:
            self._write(question, None, error)
            raise
        self._write(question, reply, None)
        return reply

    def _write(self, question: ChatRequest, reply: Reply | None, error: BBAError | None) -> None:
        failures = [str(failure) for failure in question.failures]
        entry = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            **self._about,
            "messages": question.messages,
            "answer": reply.text if reply else None,
            "usage": asdict(reply.usage) if reply and reply.usage else None,
            "attempts": len(failures) + (not isinstance(error, NoAnswer)),
            "failures": failures,
            "problem": None if error is None else str(error),
        }
        self._file.add(json.dumps(entry))


class JSONLinesFile:
    """A file of lines, to which several threads and processes can add.

    What cannot be written, on a full disk for instance, is warned of once and then left out.

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
        """Add a line, with one write, after closing one that was left unfinished."""
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
        """Whether the file's last line is unfinished; makes the file if there is none."""
        with self._path.open("ab+", buffering=0) as file:
            if not file.seek(0, os.SEEK_END):
                return False
            file.seek(-1, os.SEEK_END)
            return file.read(1) != b"\n"


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
