"""The clients of OpenAI-compatible endpoints, of all providers that LiteLLM knows, and of a provider's batches.

LiteLLM finds address and key by the model's name. It is an extra: pip install 'bba-tui[litellm]'. The key is the
provider's own variable of the environment, such as ANTHROPIC_API_KEY, which the library reads, or BBA_API_KEY.

A batch is many questions in one file, answered within a day at a lower price. A request waits in `send` until its
answer is there, as with any client, so that it passes cache, log and budget as any does. What was sent stands in a
file: a program that asks the same again, after it was killed or the machine restarted, waits for those answers and
sends nothing twice. A question is known there by its key in the cache, whatever form the endpoint makes it take. All
happens in the client's event loop, hence one thing at a time.
"""

import asyncio
import json
import os
import re
from dataclasses import replace
from functools import cached_property, partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from bba.errors import BBAError, say_aside
from bba.files import MAX_BYTES, read_bytes, write_whole
from bba.llm.cache import key_of
from bba.llm.endpoint import PROGRESS, STREAM, Adaptation, Client, Take
from bba.llm.intake import MAX_BODY_BYTES, bound, json_value
from bba.llm.request import AttemptFailed, ChatRequest, StillOwed, error_text, http_error, one_line
from bba.llm.shapes import typed
from bba.planner.account import AccountHeaders, secrets_of_environment
from bba.planner.chat import ModelUnusable
from bba.planner.connection import client_settings, is_local, proxy_of
from bba.planner.model_options import ModelOptions
from bba.planner.prices import price_of
from bba.validation import checked

if TYPE_CHECKING:
    import openai


UNREACHED = ("ConnectError", "ConnectTimeout", "ProxyError")  # of the HTTP library
UNTRUSTED = "CERTIFICATE_VERIFY_FAILED"


class OpenAIClient(Client):
    """Sends requests to the endpoint. The library is imported with the first one, which takes half a second.

    Args:
        options: the model and its endpoint.
    """

    MOST_BYTES = MAX_BODY_BYTES  # of what it reads

    def __init__(self, options: ModelOptions) -> None:
        super().__init__(options)
        # what is paid for is asked for whole, with its usage
        if options.batch_file is None and price_of(options.model, options.prices) is None:
            parameters = self._adaptation.parameters | STREAM
            if is_local(options.endpoint):
                parameters |= PROGRESS
            self._adaptation = replace(self._adaptation, parameters=parameters)

    @cached_property
    def _client(self) -> "openai.AsyncOpenAI":
        import openai

        hooks: Any = {
            "request": [AccountHeaders(self._options.key, self._headers)],
            "response": [partial(bound, most_bytes=self.MOST_BYTES)],
        }
        http_client = openai.DefaultAsyncHttpxClient(
            event_hooks=hooks,
            headers={"Accept-Encoding": "gzip, deflate"},
            max_redirects=5,
            **client_settings(self._options.endpoint),
        )
        return openai.AsyncOpenAI(
            api_key=self._written_key or "none",
            base_url=self._options.endpoint,
            max_retries=0,
            timeout=None,
            http_client=http_client,
        )

    def load(self) -> None:
        """Imports what requests need and makes the client, before the clock of the first request starts.

        Raises:
            ModelUnusable: the environment's settings of the way to the endpoint cannot be used.
        """
        super().load()
        try:
            _ = self._client
        except BBAError as error:
            raise ModelUnusable(str(error)) from None
        except Exception as error:  # noqa: BLE001 - the HTTP library is the client's choice, and so are its errors
            problem = one_line(self._redactor.complaint(str(error))) or type(error).__name__
            raise ModelUnusable(f"planner {self._options.provider}: no client can be made: {problem}") from None

    async def _post(self, request: ChatRequest, sent: Adaptation, fields: dict[str, Any], take: Take) -> None:
        """Sends one HTTP request; translates errors of the client and of its HTTP library."""
        import openai

        messages: Any = sent.messages(request.messages)
        body = fields | fields.get("extra_body", {})
        body.pop("extra_body", None)
        create = self._client.chat.completions.with_streaming_response.create
        try:
            async with create(
                model=self._options.model, messages=messages, extra_headers=self._headers, extra_body=body
            ) as response:
                async for data in response.iter_bytes():
                    if take(data):
                        break
        except openai.APIStatusError as error:
            text = error_text(error.body)
            raise self._refused(
                sent, error.status_code, text, error.code, error.param, error.response.headers
            ) from None
        except Exception as error:  # noqa: BLE001 - the HTTP library is the client's choice, and so are its errors
            raise self._connection_error(error) from None

    def _connection_error(self, error: Exception) -> AttemptFailed:
        cause = error.__cause__ or error
        kind = type(cause).__name__
        text = one_line(self._redactor.complaint(str(cause))) or kind
        if kind in UNREACHED:
            proxy = proxy_of(self._options.endpoint)
            target = self._options.shown_endpoint
            hint = "check --base-url"
            if proxy is not None:
                target = f"{target} by the proxy {proxy.shown}"
                hint = f"check {proxy.variable} and --base-url"
            elif UNTRUSTED in text:
                hint = "SSL_CERT_FILE names the certificates that are trusted"
            return AttemptFailed(f"no connection to {target}: {text}", retryable=True, reached=False, hint=hint)
        return AttemptFailed(f"connection lost: {text}", retryable=True, charged=True)


def _go_without_proxy(host: str) -> None:
    """Has the HTTP libraries of this process reach a host without a proxy."""
    hosts = os.environ.get("no_proxy") or os.environ.get("NO_PROXY") or ""
    names = ",".join(filter(None, [hosts, host]))
    os.environ["no_proxy"] = names
    os.environ["NO_PROXY"] = names


def _json_of(response: Any) -> bytes:
    """Returns a pydantic model as JSON, which itself writes no half of a character."""
    try:
        return str(response.model_dump_json()).encode()
    except ValueError:
        return json.dumps(response.model_dump(mode="json")).encode()


_CODES = {
    "ContextWindowExceededError": "context_length_exceeded",
    "ContentPolicyViolationError": "content_policy_violation",
}
_UNREACHED = re.compile(r"connection error|cannot connect|connection refused|connect call failed", re.IGNORECASE)


class LiteLLMClient(Client):
    """Sends requests by LiteLLM, which is imported at once: that takes seconds, which count towards no deadline.

    Args:
        options: the model, as LiteLLM names it.

    Raises:
        BBAError: the library is not installed.
    """

    def __init__(self, options: ModelOptions) -> None:
        if find_spec("litellm") is None:
            raise BBAError("planner litellm: needs litellm: pip install 'bba-tui[litellm]'")
        os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
        import litellm

        # it asks nobody for prices and prints nothing
        litellm.telemetry = False
        litellm.suppress_debug_info = True
        self._library: Any = litellm
        super().__init__(options, secrets_of_environment())
        if options.base_url and is_local(options.base_url):
            _go_without_proxy(urlsplit(options.base_url).hostname or "")

    async def _post(self, request: ChatRequest, sent: Adaptation, fields: dict[str, Any], take: Take) -> None:
        """Sends one request; the answer is in the format of OpenAI, whatever the provider's is."""
        try:
            response = await self._library.acompletion(
                model=self._options.model,
                messages=list(sent.messages(request.messages)),
                api_key=self._written_key or None,
                api_base=self._options.base_url,
                extra_headers=self._headers,
                timeout=request.most_seconds_left,
                num_retries=0,
                max_retries=0,
                **fields,
            )
            if "stream" in fields:
                chunks = [chunk async for chunk in response]
                response = self._library.stream_chunk_builder(chunks, messages=list(request.messages))
            take(_json_of(response))
        except Exception as error:  # noqa: BLE001 - the library's errors are those of all its providers
            raise self._error(error, sent) from None

    def _error(self, error: Exception, sent: Adaptation) -> Exception:
        status = getattr(error, "status_code", None)
        text = str(error)
        kind = type(error).__name__
        if kind == "APIConnectionError":
            reached = not _UNREACHED.search(text)
            problem = one_line(self._redactor.complaint(text)) or kind
            return AttemptFailed(problem, retryable=True, reached=reached, charged=reached)
        if not isinstance(status, int):
            return AttemptFailed(one_line(self._redactor.complaint(text)) or kind, retryable=True, charged=True)
        headers = getattr(getattr(error, "response", None), "headers", None) or {}
        return self._refused(sent, status, text, _CODES.get(kind), getattr(error, "param", None), headers)


QUIET = 1.0  # seconds without a new question after which those that wait are sent
LOOK = 0.02  # seconds between two looks whether there is a new question
POLL = 60.0  # seconds between two looks whether a batch has ended
TRANSFER_SECONDS = 300.0  # for one request, with the file of all questions or answers
CHAT_URL: Final = "/v1/chat/completions"
COMPLETED = "completed"
ENDED = (COMPLETED, "expired", "failed", "cancelled")
UNANSWERED = 408  # the status of a question of which a batch says nothing, so that it is asked again
SENDING = "sending "  # before the name of the file of questions, in the place of the batch's own while that is unknown


class BatchClient(OpenAIClient):
    """Sends the questions that are asked at a time as one batch, and waits for its answers.

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
            raise self._unknown_batch()
        self._batches: dict[str, str] = {}  # the name of the batch of each question, by its key
        for name, keys in self._sent.items():
            self._batches |= dict.fromkeys(keys, name)
        self._bodies: dict[str, dict[str, Any]] = {}
        self._sending: asyncio.Task[str] | None = None
        self._followed: dict[str, asyncio.Task[tuple[dict[str, Any], str]]] = {}

    async def _post(self, request: ChatRequest, sent: Adaptation, fields: dict[str, Any], take: Take) -> None:
        """Puts a request into a batch, unless a batch has it already; gives the answer to `take` when it has come."""
        key = key_of(self._options, request)
        messages = [*sent.messages(request.messages)]
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
        status = typed(response.get("status_code"), int) or UNANSWERED
        answer = typed(response.get("body"), dict)
        if status == 200:
            take(json.dumps(answer).encode())
        elif problem and not response:
            raise BBAError(problem)
        else:
            error = typed(answer.get("error") or line.get("error"), dict)
            code = typed(error.get("code"), str) or None
            parameter = typed(error.get("param"), str) or None
            raise self._refused(sent, status, error_text(error), code, parameter, {})

    async def _send_batch(self) -> str:
        """Sends the waiting questions, once as many wait as can be asked at a time, or none has come for a moment.

        The file says so before, and has the batch's name afterwards.
        """
        quiet = 0.0
        count = 0
        while quiet < QUIET and len(self._bodies) < self._options.concurrency:
            await asyncio.sleep(LOOK)
            quiet = quiet + LOOK if count == len(self._bodies) else 0.0
            count = len(self._bodies)
        bodies = self._bodies
        self._bodies = {}
        self._sending = None
        lines = []
        for key, body in bodies.items():
            lines.append(json.dumps({"custom_id": key, "method": "POST", "url": CHAT_URL, "body": body}) + "\n")
        file: Any = ("questions.jsonl", "".join(lines).encode())
        sending = ""
        try:
            stored_file = await self._received(
                self._client.files.create(file=file, purpose="batch", extra_headers=self._headers)
            )
            file_name: Any = stored_file.get("id")
            sending = f"{SENDING}{file_name}"
            self._sent[sending] = list(bodies)
            self._write()
            batch = await self._received(
                self._client.batches.create(
                    input_file_id=file_name, endpoint=CHAT_URL, completion_window="24h", extra_headers=self._headers
                )
            )
        except BBAError as error:
            if sending and isinstance(error, AttemptFailed) and error.reached and not str(error).startswith("4"):
                raise self._unknown_batch() from None
            self._sent.pop(sending, None)
            self._write()
            if isinstance(error, AttemptFailed):
                error.charged = False  # a file of questions costs nothing
            raise
        name = typed(batch.get("id"), str)
        if not name:
            raise self._unknown_batch()
        self._sent[name] = self._sent.pop(sending)
        self._write()
        return name

    async def _follow(self, name: str) -> tuple[dict[str, Any], str]:
        """Waits for the end of a batch, and reports its state whenever that changes.

        Returns:
            What it says of its questions, by their keys, and why it has not answered all; "" if it has.

        Raises:
            StillOwed: the endpoint refuses to tell.
        """
        last_report = ""
        status = ""
        lines: dict[str, Any] = {}
        while status not in ENDED:
            try:
                batch = await self._received(self._client.batches.retrieve(name, extra_headers=self._headers))
                if batch.get("status") in ENDED:
                    lines = await self._lines(batch)
                status = str(batch.get("status"))
                report = self._report(batch, len(self._sent[name]))
            except AttemptFailed as error:  # of this look; the batch goes on
                report = str(error)
            except BBAError as error:
                raise StillOwed(f"{self._path}: batch {name}: {error}") from None
            report = one_line(self._redactor.complaint(report))
            if report != last_report:
                last_report = report
                say_aside(f"batch {name}: {report}\n")
            await asyncio.sleep(0 if status in ENDED else POLL)
        if status == COMPLETED:
            return lines, ""
        self._sent.pop(name)
        self._write()
        return lines, f"batch {name}: {report}; the same command sends what is left again"

    def _report(self, batch: dict[str, Any], questions: int) -> str:
        """Returns how a batch stands: its status, the first of its errors, and how many questions are answered."""
        status = str(batch.get("status"))
        errors = typed(typed(batch.get("errors"), dict).get("data"), list)
        if errors:
            status = f"{status}: {error_text(errors[0])}"
        answered = typed(batch.get("request_counts"), dict).get("completed", 0)
        return f"{status}, {answered} of {questions} answered"

    async def _lines(self, batch: dict[str, Any]) -> dict[str, Any]:
        """Returns the lines of a batch that has ended, answers and errors, by the keys of their questions."""
        lines = {}
        for field in ("error_file_id", "output_file_id"):
            if not batch.get(field):
                continue
            file = await self._received(self._client.files.content(batch[field], extra_headers=self._headers))
            for text in file["content"].encode().splitlines():
                line = typed(json_value(text), dict)
                lines[str(line.get("custom_id"))] = line
        return lines

    async def _received(self, request: Any) -> dict[str, Any]:
        """Returns the fields of what the endpoint sends, or the content of a file, without secrets.

        Raises:
            AttemptFailed: no answer.
            ModelUnusable: it refuses.
        """
        try:
            async with asyncio.timeout(TRANSFER_SECONDS):
                response = await request
            text = response.to_json() if hasattr(response, "to_json") else json.dumps({"content": response.text})
            return typed(json_value(self._redactor.body(text.encode())), dict)
        except Exception as error:  # noqa: BLE001 - the HTTP library is the client's choice, and so are its errors
            refused: Any = error
            if not hasattr(error, "status_code"):
                raise self._connection_error(error) from None
            complaint = one_line(self._redactor.complaint(error_text(refused.body)))
            raise http_error(refused.status_code, complaint, refused.code, refused.response.headers) from None

    def _write(self) -> None:
        """Writes the file, or takes it away with the last batch."""
        write_whole(self._path, json.dumps(self._sent) + "\n")
        if not self._sent:
            self._path.unlink()

    def _unknown_batch(self) -> StillOwed:
        return StillOwed(
            f"{self._path}: nobody knows whether this batch was sent; look at the provider's list of batches: put its "
            f"name there in the place of {SENDING}FILE, or remove the file"
        )
