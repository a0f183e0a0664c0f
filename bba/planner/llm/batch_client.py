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
from pathlib import Path
from typing import Any

from bba.errors import BBAError
from bba.files import MAX_BYTES, checked, read_bytes, write_whole
from bba.planner.llm.cache import key_of
from bba.planner.llm.endpoint import Adaptation, Take
from bba.planner.llm.intake import json_value
from bba.planner.llm.model_clients import OpenAIClient
from bba.planner.llm.model_options import ModelOptions
from bba.planner.llm.request import AttemptFailed, ChatRequest, StillOwed, error_text, http_error, one_line
from bba.planner.llm.shapes import typed

QUIET, LOOK = 1.0, 0.02  # seconds without a new question after which those that wait are sent; between two looks
POLL = 60.0  # seconds between two looks whether a batch has ended
TRANSFER_SECONDS = 300.0  # for one request, with the file of all questions or answers
ENDED = ("completed", "expired", "failed", "cancelled")
UNANSWERED = 408  # the status of a question of which a batch says nothing, so that it is asked again
SENDING = "sending "  # before the name of the file of questions, in the place of the batch's own while that is unknown


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
        stored = read_bytes(self._path) if self._path.exists() else b"{}"
        self._sent = checked(dict[str, list[str]], stored, self._path)  # the keys of the questions of each batch
        if any(name.startswith(SENDING) for name in self._sent):
            raise self._unknown()
        self._batches = {key: name for name, keys in self._sent.items() for key in keys}
        self._bodies: dict[str, dict[str, Any]] = {}
        self._sending: asyncio.Task[str] | None = None
        self._followed: dict[str, asyncio.Task[tuple[dict[str, Any], str]]] = {}

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
        status, told = typed(response.get("status_code"), int) or UNANSWERED, typed(response.get("body"), dict)
        if status == 200:
            take(json.dumps(told).encode())
        elif problem and not response:
            raise BBAError(problem)
        else:
            error = typed(told.get("error") or line.get("error"), dict)
            code, blamed = (typed(error.get(field), str) or None for field in ("code", "param"))
            raise self._refused(sent, status, error_text(error), code, blamed, {})

    async def _send_batch(self) -> str:
        """Sends what waits, once all that can be asked at a time is there, or nothing new has come for a moment.

        The file says so before, and has the batch's name afterwards.
        """
        quiet, count = 0.0, 0
        while quiet < QUIET and len(self._bodies) < self._options.concurrency:
            await asyncio.sleep(LOOK)
            quiet, count = quiet + LOOK if count == len(self._bodies) else 0.0, len(self._bodies)
        bodies, self._bodies, self._sending = self._bodies, {}, None
        to = {"method": "POST", "url": "/v1/chat/completions"}
        lines = [json.dumps({"custom_id": key, **to, "body": body}) + "\n" for key, body in bodies.items()]
        given: dict[str, Any] = {"file": ("questions.jsonl", "".join(lines).encode()), "purpose": "batch"}
        kept = ""
        try:
            told = await self._asked(self._client.files.create(**given, extra_headers=self._headers))
            kept = SENDING + str(told.get("id"))
            self._sent[kept] = [*bodies]
            self._write()
            given = {"input_file_id": told.get("id"), "endpoint": to["url"], "completion_window": "24h"}
            told = await self._asked(self._client.batches.create(**given, extra_headers=self._headers))
        except BBAError as error:
            if kept and isinstance(error, AttemptFailed) and error.reached and not str(error).startswith("4"):
                raise self._unknown() from None
            self._sent.pop(kept, None)
            self._write()
            if isinstance(error, AttemptFailed):
                error.charged = False  # a file of questions costs nothing
            raise
        name = typed(told.get("id"), str)
        if not name:
            raise self._unknown()
        self._sent[name] = self._sent.pop(kept)
        self._write()
        return name

    async def _follow(self, name: str) -> tuple[dict[str, Any], str]:
        """Waits for the end of a batch, and says how it stands whenever that changes.

        Returns:
            What it says of its questions, by their keys, and why it has not answered all; "" if it has.

        Raises:
            StillOwed: the endpoint refuses to tell.
        """
        said, status, lines = "", "", dict[str, Any]()
        while status not in ENDED:
            try:
                told = await self._asked(self._client.batches.retrieve(name, extra_headers=self._headers))
                if told.get("status") in ENDED:
                    lines = await self._lines(told)
                status = str(told.get("status"))
                reasons = [error_text(one) for one in typed(typed(told.get("errors"), dict).get("data"), list)[:1]]
                answered = typed(told.get("request_counts"), dict).get("completed", 0)
                how = f"{': '.join([status, *reasons])}, {answered} of {len(self._sent[name])} answered"
            except AttemptFailed as error:  # of this look; the batch goes on
                how = str(error)
            except BBAError as error:
                raise StillOwed(f"{self._path}: batch {name}: {error}") from None
            how = one_line(self._redactor.complaint(how))
            if how != said:
                said = how
                sys.stderr.write(f"batch {name}: {how}\n")
            await asyncio.sleep(0 if status in ENDED else POLL)
        if status == ENDED[0]:
            return lines, ""
        self._sent.pop(name)
        self._write()
        return lines, f"batch {name}: {how}; the same command sends what is left again"

    async def _lines(self, told: dict[str, Any]) -> dict[str, Any]:
        """Returns the lines of a batch that has ended, answers and errors, by the keys of their questions."""
        files = [told[field] for field in ("error_file_id", "output_file_id") if told.get(field)]
        contents = [await self._asked(self._client.files.content(file, extra_headers=self._headers)) for file in files]
        lines = [typed(json_value(line), dict) for one in contents for line in one["content"].encode().splitlines()]
        return {str(line.get("custom_id")): line for line in lines}

    async def _asked(self, asked: Any) -> dict[str, Any]:
        """Returns the fields of what the endpoint sends, or the content of a file, without secrets.

        Raises:
            AttemptFailed: no answer.
            ModelUnusable: it refuses.
        """
        try:
            async with asyncio.timeout(TRANSFER_SECONDS):
                told = await asked
            body = told.to_json().encode() if hasattr(told, "to_json") else json.dumps({"content": told.text}).encode()
            return typed(json_value(self._redactor.body(body)), dict)
        except Exception as error:  # noqa: BLE001 - the HTTP library is the client's choice, and so are its errors
            refused: Any = error
            if not hasattr(error, "status_code"):
                raise self._connection_error(error) from None
            text = one_line(self._redactor.complaint(error_text(refused.body)))
            raise http_error(refused.status_code, text, refused.code, refused.response.headers) from None

    def _write(self) -> None:
        """Writes the file, or takes it away with the last batch."""
        write_whole(self._path, json.dumps(self._sent) + "\n")
        if not self._sent:
            self._path.unlink()

    def _unknown(self) -> StillOwed:
        return StillOwed(
            f"{self._path}: nobody knows whether this batch was sent; look at the provider's list of batches: put its "
            f"name there in the place of {SENDING}FILE, or remove the file"
        )
