"""The client of a provider's batch interface: many questions in one file, answered within a day at a lower price.

A request waits in `send` until its answer is there, as with any client, so that it passes cache, log and budget as any
does. What was sent stands in a file: a program that asks the same again, after it was killed or the machine restarted,
waits for those answers and sends nothing twice. A question is known there by its key in the cache, whatever form the
endpoint makes it take.

All happens in the client's event loop, hence one thing at a time.
"""

import asyncio
import json
import sys
import time
from collections.abc import Awaitable
from contextlib import suppress
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from bba.errors import BBAError
from bba.files import MAX_BYTES, checked, read_bytes, write_whole
from bba.planner.chat import ModelUnusable
from bba.planner.llm.cache import key_of
from bba.planner.llm.endpoint import Adaptation, Take
from bba.planner.llm.model_clients import OpenAIClient
from bba.planner.llm.model_options import ModelOptions
from bba.planner.llm.request import AttemptFailed, ChatRequest, StillOwed, error_text, http_error, one_line
from bba.planner.llm.shapes import typed

QUIET, LOOK = 1.0, 0.02  # seconds without a new question after which those that wait are sent; between two looks
POLL = 60.0  # seconds between two looks whether a batch has ended
TRANSFER_SECONDS = 300.0  # for one request, with the file of all questions or answers
URL = "/v1/chat/completions"
ENDED = ("completed", "expired", "failed", "cancelled")
SENDING = "sending "  # before the name of the file of questions, in the place of the batch's own while that is unknown
UNANSWERED = 408  # the status of a question that a batch says nothing of: it is asked again
SENT = TypeAdapter(dict[str, list[str]])  # the keys of the questions of each batch


class BatchClient(OpenAIClient):
    """Sends what is asked at a time as one batch, and waits for its answers.

    Args:
        options: the model, its endpoint, and the file that keeps what was sent.

    Raises:
        BBAError: the file cannot be read, or has a batch of which nobody knows whether it was sent.
    """

    MOST_BYTES = MAX_BYTES

    def __init__(self, options: ModelOptions) -> None:
        super().__init__(options)
        self._path = options.batch_file or Path()
        self._sent = checked(SENT, read_bytes(self._path), self._path) if self._path.exists() else {}
        for name in self._sent:
            self._check_known(name)
        self._batches = {key: name for name, keys in self._sent.items() for key in keys}
        self._bodies: dict[str, dict[str, Any]] = {}
        self._sending: asyncio.Task[str] | None = None
        self._followed: dict[str, asyncio.Task[tuple[dict[str, Any], str]]] = {}

    def _check_known(self, name: str) -> None:
        if name.startswith(SENDING):
            raise StillOwed(
                f"{self._path}: nobody knows whether this batch was sent; look at the provider's list of batches: put "
                f"its name there in the place of {name!r}, or remove the file"
            )

    async def _post(self, request: ChatRequest, sent: Adaptation, fields: dict[str, Any], take: Take) -> None:
        """Puts a request into a batch, unless it stands in one; gives the answer to `take` when that has come."""
        key, messages = key_of(self._options, request), [*sent.messages(request.messages)]
        name = self._batches.pop(key, None)  # what is asked once more is sent anew
        if name is None:
            body = {"model": self._options.model, "messages": messages, **fields, **fields.get("extra_body", {})}
            self._bodies[key] = {field: value for field, value in body.items() if field != "extra_body"}
            self._sending = self._sending or asyncio.create_task(self._send_batch())
            name = await asyncio.shield(self._sending)
        if name not in self._followed:
            self._followed[name] = asyncio.create_task(self._follow(name))
        lines, problem = await asyncio.shield(self._followed[name])
        line = typed(lines.get(key), dict)
        response = typed(line.get("response"), dict)
        status, told = response.get("status_code", UNANSWERED), typed(response.get("body"), dict)
        if status == 200:
            take(json.dumps(told).encode())
            return
        if problem and not response:
            raise ModelUnusable(problem)
        error = typed(told.get("error") or line.get("error"), dict)
        code, blamed = (typed(error.get(field), str) or None for field in ("code", "param"))
        raise self._refused(
            sent, status if isinstance(status, int) else UNANSWERED, error_text(error), code, blamed, {}
        )

    async def _send_batch(self) -> str:
        """Sends what waits, once all that can be asked at a time is there, or nothing new has come for a moment.

        The file says so before, and has the batch's name afterwards.
        """
        count, since = 0, time.monotonic()
        while len(self._bodies) < self._options.concurrency and time.monotonic() < since + QUIET:
            if len(self._bodies) > count:
                count, since = len(self._bodies), time.monotonic()
            await asyncio.sleep(LOOK)
        bodies, self._bodies, self._sending = self._bodies, {}, None
        lines = [{"custom_id": key, "method": "POST", "url": URL, "body": body} for key, body in bodies.items()]
        content = "".join(f"{json.dumps(line)}\n" for line in lines).encode()
        client, headers, kept = self._client, self._headers, SENDING
        try:
            told = await self._asked(
                client.files.create(file=("questions.jsonl", content), purpose="batch", extra_headers=headers)
            )
            file = self._name(told)
            kept += file
            self._sent[kept] = [*bodies]
            self._write()
            told = await self._asked(
                client.batches.create(input_file_id=file, endpoint=URL, completion_window="24h", extra_headers=headers)
            )
        except BBAError as error:
            if isinstance(error, AttemptFailed):
                if kept in self._sent and error.reached and not str(error).startswith("4"):
                    self._check_known(kept)
                error.charged = False  # a file of questions costs nothing
            self._forget(kept)
            raise
        name = self._name(told) or kept
        self._check_known(name)
        self._sent[name] = self._sent.pop(kept)
        with suppress(BBAError):  # it is sent, and can be waited for
            self._write()
        return name

    async def _follow(self, name: str) -> tuple[dict[str, Any], str]:
        """Waits for the end of a batch, and says how it stands whenever that changes.

        Returns:
            What it says of its questions, by their keys, and why it has not answered all; "" if it has.

        Raises:
            StillOwed: the endpoint refuses to tell.
        """
        said, ended = "", False
        while not ended:
            try:
                told = await self._asked(self._client.batches.retrieve(name, extra_headers=self._headers))
                ended = told.get("status") in ENDED
                lines = await self._lines(told) if ended else {}
                counts = typed(told.get("request_counts"), dict)
                how = f"{told.get('status')}, {counts.get('completed', 0)} of {len(self._sent[name])} answered"
            except AttemptFailed as error:  # of this look; the batch goes on
                ended, how = False, str(error)
            except BBAError as error:
                raise StillOwed(f"{self._path}: batch {name}: {error}") from None
            if how != said:
                sys.stderr.write(f"batch {name}: {self._redactor.text(one_line(how))}\n")
                said = how
            await asyncio.sleep(0 if ended else POLL)
        if told["status"] == "completed":
            return lines, ""
        self._forget(name)
        reasons = [error_text(one) for one in typed(typed(told.get("errors"), dict).get("data"), list)[:1]]
        problem = one_line(self._redactor.complaint(": ".join([f"batch {name}", told["status"], *reasons])))
        return lines, f"{problem}; the same command sends what is left again"

    async def _lines(self, told: dict[str, Any]) -> dict[str, Any]:
        """Returns the lines of a batch that has ended, answers and errors, by the keys of their questions."""
        files = [told[field] for field in ("error_file_id", "output_file_id") if told.get(field)]
        contents = [await self._asked(self._client.files.content(file, extra_headers=self._headers)) for file in files]
        found = {}
        for line in b"\n".join(content["content"] for content in contents).splitlines():
            with suppress(ValueError, RecursionError):  # what is no JSON is no answer
                one = typed(json.loads(line), dict)
                found[str(one.get("custom_id"))] = one
        return found

    async def _asked(self, asked: Awaitable[Any]) -> dict[str, Any]:
        """Returns the fields of what the endpoint sends, or the content of a file; translates the library's errors.

        Raises:
            AttemptFailed: no answer.
            ModelUnusable: it refuses.
        """
        import openai

        try:
            async with asyncio.timeout(TRANSFER_SECONDS):
                told = await asked
            return typed(told.to_dict() if hasattr(told, "to_dict") else {"content": told.content}, dict)
        except openai.APIStatusError as error:
            text = one_line(self._redactor.complaint(error_text(error.body)))
            raise http_error(error.status_code, text, error.code, error.response.headers) from None
        except Exception as error:  # noqa: BLE001 - the HTTP library is the client's choice, and so are its errors
            raise self._connection_error(error) from None

    def _name(self, told: dict[str, Any]) -> str:
        return self._redactor.text(one_line(typed(told.get("id"), str)))

    def _forget(self, name: str) -> None:
        """Takes a batch out of the file, and the file away with the last one."""
        self._sent.pop(name, None)
        if self._sent:
            self._write()
        else:
            self._path.unlink(missing_ok=True)

    def _write(self) -> None:
        write_whole(self._path, SENT.dump_json(self._sent, indent=1) + b"\n")
