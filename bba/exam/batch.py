"""The questions of an exam as one batch at the provider, which answers within a day at half the price.

What was sent stands in a file beside the answers, so that the same command fetches them later, also after a restart.
The highest price is reserved before, and settled for the real one afterwards. What the batch leaves without an answer,
and what has to be asked again, is asked directly.
"""

import asyncio
import json
from collections.abc import Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, Field

from bba.agents.skill_planner import planner_input
from bba.errors import BBAError
from bba.exam.answers import Asked
from bba.exam.situations import Question
from bba.files import checked, read_bytes, write_whole
from bba.planner import Message, ModelUnusable, Prompts, Reply, Usage
from bba.planner.chat import total_usage
from bba.planner.llm.budget import OVERHEAD
from bba.planner.llm.chat_completion import read_completion
from bba.planner.llm.ledger import Ledger
from bba.planner.llm.model_clients import OpenAIClient
from bba.planner.llm.model_options import ModelOptions, price_of
from bba.planner.llm.pipeline import ModelBackend
from bba.planner.llm.request import AttemptFailed, error_text, http_error, one_line

PRICE_SHARE = 0.5  # of the usual price
WINDOW_SECONDS = 26 * 3600.0  # after which what nobody has fetched counts as paid
MOST_BYTES = 64 * 2**20  # of all answers
LEAST_SECONDS = 60.0  # for one request, with the file of all questions
WAITING = ("validating", "in_progress", "finalizing", "cancelling")
Result = TypeVar("Result")


class SentBatch(BaseModel, frozen=True, extra="ignore"):
    """A batch that was sent.

    Attributes:
        asked: how it was asked.
        questions: the names of its questions, in order.
        reservation: of its highest price; "" once it is settled.
        batch: its name at the provider; "" while it is being sent.
    """

    asked: Asked
    questions: tuple[str, ...] = Field(max_length=10**6)
    reservation: str
    batch: str = ""


class Fetched(NamedTuple):
    """What became of a batch: its state in the provider's word, and the bodies of the answers by place, if it ended."""

    status: str
    bodies: Mapping[int, bytes]


class BatchClient(OpenAIClient):
    """Sends and fetches batches with the client of an endpoint."""

    def submit(self, chats: Sequence[Sequence[Message]]) -> str:
        """Sends chats as one batch and returns its name.

        Raises:
            BBAError: the endpoint refuses it, or cannot be reached.
        """
        fields = dict(self._adaptation.parameters)
        fields = {"model": self._options.model} | fields.pop("extra_body", {}) | fields
        to = {"method": "POST", "url": "/v1/chat/completions"}
        lines = [{"custom_id": str(n), **to, "body": {**fields, "messages": [*c]}} for n, c in enumerate(chats)]
        content = "".join(json.dumps(line) + "\n" for line in lines).encode()

        async def send() -> str:
            client = self._client
            file = await client.files.create(file=("exam.jsonl", content), purpose="batch", extra_headers=self._headers)
            batch = await client.batches.create(
                input_file_id=file.id,
                endpoint="/v1/chat/completions",
                completion_window="24h",
                extra_headers=self._headers,
            )
            return batch.id

        return self._within(send())

    def fetch(self, name: str) -> Fetched:
        """Returns the state of a batch, with the answers if it has ended.

        Raises:
            BBAError: the endpoint refuses it, or cannot be reached.
        """

        async def receive() -> Fetched:
            batch = await self._client.batches.retrieve(name, extra_headers=self._headers)
            if batch.status in WAITING or not batch.output_file_id:
                return Fetched(batch.status, {})
            content, files = b"", self._client.files.with_streaming_response
            async with files.content(batch.output_file_id, extra_headers=self._headers) as response:
                async for chunk in response.iter_bytes():
                    content += chunk
                    if len(content) > MOST_BYTES:
                        raise ModelUnusable(f"batch {name}: the answers are larger than {MOST_BYTES // 2**20} MiB")
            return Fetched(batch.status, _bodies(self._redactor.body(content)))

        return self._within(receive())

    def _within(self, request: Coroutine[Any, Any, Result]) -> Result:
        """Returns the result of requests, within their time; translates errors of the library."""
        import openai

        async def limited() -> Result:
            async with asyncio.timeout(max(self._options.deadline, LEAST_SECONDS)):
                return await request

        try:
            return self._loop_thread.run(limited())
        except BBAError:
            raise
        except openai.APIStatusError as error:
            text = one_line(self._redactor.complaint(error_text(error.body)))
            raise http_error(error.status_code, text, error.code, error.response.headers) from None
        except Exception as error:  # noqa: BLE001 - the HTTP library is the client's choice, and so are its errors
            raise self._connection_error(error) from None


def _bodies(content: bytes) -> dict[int, bytes]:
    """Returns the answers in a file of results by the place of their chat; without those that are none."""
    found = {}
    for line in content.splitlines():
        try:
            told = json.loads(line)
            found[int(told["custom_id"])] = json.dumps(told["response"]["body"]).encode()
        except (ValueError, KeyError, TypeError, RecursionError):
            continue
    return found


class BatchedBackend:
    """Answers chats from a batch, and others by the model itself.

    Args:
        live: the model.
        replies: the answers of the batch, by `chat_key`.
    """

    def __init__(self, live: ModelBackend, replies: Mapping[str, Reply]) -> None:
        self.name, self.patience = live.name, live.patience
        self._live, self._replies = live, replies

    def complete(self, messages: Sequence[Message]) -> Reply:
        """Returns the assistant's next message; raises as the model."""
        return self._replies.get(chat_key(messages)) or self._live.complete(messages)

    def complete_within(self, messages: Sequence[Message], seconds: float, *, skills: Sequence[int] = ()) -> Reply:
        """Returns the same; the model gives up after so many seconds."""
        known = self._replies.get(chat_key(messages))
        return known or self._live.complete_within(messages, seconds, skills=skills)


def chat_key(messages: Sequence[Message]) -> str:
    """Returns a text that is the same for the same chat."""
    return json.dumps([*messages], sort_keys=True)


def send_batch(path: Path, asked: Asked, left: Sequence[Question], prompts: Prompts, model: ModelOptions) -> str:
    """Sends questions as a batch and returns what is to be said of it; `path` keeps what was sent.

    Raises:
        BBAError: a limit leaves too little, the file cannot be written, or the endpoint refuses it.
    """
    if model.max_calls is not None and len(left) > model.max_calls:
        raise ModelUnusable(f"--max-calls: the limit of {model.max_calls} calls leaves too few for {len(left)}")
    chats = [_chat(question, prompts) for question in left]
    tokens = sum(len(message["content"].encode()) + OVERHEAD for chat in chats for message in chat)
    most = _price(model, Usage(tokens, len(chats) * model.max_tokens))
    reserved = Ledger(model.ledger).reserve(model.model, most, model.max_cost, WINDOW_SECONDS)
    if reserved is None:
        raise ModelUnusable(f"--max-cost: other requests have reserved what is left of {model.max_cost:g} US dollars")
    sent = SentBatch(asked=asked, questions=tuple(question.key for question in left), reservation=reserved)
    write_whole(path, sent.model_dump_json() + "\n")
    try:
        name = BatchClient(model).submit(chats)
    except BBAError as error:
        if not (isinstance(error, AttemptFailed) and error.charged):  # else it may have been taken: the file stays
            Ledger(model.ledger).settle(reserved, model.model, Usage(), 0.0)
            path.unlink()
        raise
    write_whole(path, sent.model_copy(update={"batch": name}).model_dump_json() + "\n")
    return f"batch {name}: {len(chats)} questions are sent; the same command fetches the answers, within a day"


def fetch_batch(
    path: Path, asked: Asked, left: Sequence[Question], prompts: Prompts, model: ModelOptions
) -> dict[str, Reply] | str:
    """Returns the answers of a batch by `chat_key`, or what is to be said while there are none. Settles its price once.

    Raises:
        BBAError: it was asked in another way, was interrupted while it was sent, or has failed.
    """
    sent = checked(SentBatch, read_bytes(path), f"{path}: not a batch of this exam")
    if sent.asked != asked:
        raise BBAError(f"{path}: this batch was asked for in another way; fetch it so, or remove the file")
    if not sent.batch:
        raise BBAError(f"{path}: it is not known whether this batch was sent; look at the provider's list, remove it")
    status, bodies = BatchClient(model).fetch(sent.batch)
    if status in WAITING:
        return f"batch {sent.batch}: {len(sent.questions)} questions, {status}; the same command fetches the answers"
    by_key = {question.key: question for question in left}
    replies, used = {}, []
    for place, body in bodies.items():
        question = by_key.get(sent.questions[place]) if 0 <= place < len(sent.questions) else None
        try:
            text, usage, *_ = read_completion(body)
        except BBAError:
            continue
        usage = usage or Usage()
        usage = Usage(usage.prompt_tokens, usage.completion_tokens, cost=_price(model, usage))
        used.append(usage)
        if question is not None:
            replies[chat_key(_chat(question, prompts))] = Reply(text, usage)
    total = total_usage(used) or Usage()
    if sent.reservation:
        Ledger(model.ledger).settle(sent.reservation, model.model, total, total.cost or 0.0)
        write_whole(path, sent.model_copy(update={"reservation": ""}).model_dump_json() + "\n")
    if not replies:
        path.unlink()
        raise BBAError(f"batch {sent.batch}: {status} without answers; the same command sends another one")
    return replies


def _chat(question: Question, prompts: Prompts) -> tuple[Message, ...]:
    return prompts.messages("bayes", planner_input(question.observation(), question.told))


def _price(model: ModelOptions, usage: Usage) -> float:
    price = price_of(model.model, model.prices)
    return PRICE_SHARE * price.of(usage) if price else 0.0
