"""The options of a language model behind an endpoint: its key, and what is sent besides the messages."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import model_validator

from bba.config import AnswerForm, CacheMode, ConversationName, Count, Key, LanguageModelOptions
from bba.errors import BBAError
from bba.kitchen.constants import N_SKILLS
from bba.planner.account import json_object, read_headers, shown_address
from bba.planner.connection import check_network
from bba.planner.prices import price_of
from bba.planner.short_answers import answer_format

Provider = Literal["openai", "litellm", "local"]
ALL_SKILLS = range(N_SKILLS)
DEFAULT_MAX_TOKENS = LanguageModelOptions.model_fields["max_tokens"].default
DIGEST_SHOWN = 16  # hex digits
LOCAL_DEADLINE = 600.0  # seconds for an answer of a model on this machine: a processor reads slowly
OPENAI = "https://api.openai.com/v1"

_MODEL = re.compile(r"[\w .:/@+-]{1,100}")  # what a recording takes as the name of a planner
_KEY = re.compile(r"[!-~]+")  # what an HTTP header can carry


class ModelOptions(LanguageModelOptions):
    """A language model, its key, and how far a run may go with it.

    The deadline of a model on this machine (`provider` is "local") is `LOCAL_DEADLINE` unless another one is given.

    Attributes:
        key: the endpoint's API key; None for an endpoint that asks for none.
        ledger: the file that keeps what is spent; None to keep it in memory.
        provider: who sends the requests: OpenAI's client, also to a local server, or LiteLLM, which knows address and
            key by the model's name.
        repeat: which time the same is asked, from 1; answers of another time are not taken for those of this one.
        batch_file: the file that keeps what was sent to the provider's batch interface; None to ask one by one.
        file, digest: of a local model, its GGUF file and the SHA-256 of that.

    Raises:
        BBAError: a name, address or key that cannot be one, a missing key that the endpoint needs, a proxy or
            certificates that cannot be used, or a value out of range.
    """

    key: Key = None
    ledger: Path | None = None
    provider: Provider = "openai"
    repeat: Count = 1
    batch_file: Path | None = None
    file: Path | None = None
    digest: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _wait_longer_for_local(cls, values: Any) -> Any:
        if isinstance(values, dict) and values.get("provider") == "local":
            return {"deadline": LOCAL_DEADLINE} | values
        return values

    @model_validator(mode="after")
    def _check(self) -> Self:
        unnamed = self.provider == "local" and self.file is None  # which file it is, is not looked up yet
        needs_key = self.provider == "openai" and self.cache != "only"
        if not unnamed and not _MODEL.fullmatch(self.model):
            raise BBAError(f"--model: {self.model!r} is not allowed; 1 to 100 letters, digits, spaces and .:/@+-_")
        if self.base_url is not None and not _is_endpoint(self.base_url):
            raise BBAError("--base-url: must be http(s)://host[:port][/path], without user, password or query")
        if self.key is not None and not _KEY.fullmatch(self.key.get_secret_value()):
            raise BBAError("BBA_API_KEY or OPENAI_API_KEY: holds characters that no key has")
        if needs_key and self.key is None and self.base_url is None:
            raise BBAError(
                "planner openai: there is no key; set OPENAI_API_KEY or BBA_API_KEY, "
                "or --base-url for an endpoint that needs none"
            )
        json_object("extra-body", self.extra_body)
        read_headers(self.extra_headers)
        if self.provider != "local" and self.cache != "only":
            check_network(self.base_url or OPENAI)  # which provider LiteLLM asks, is not known here
        return self

    @property
    def cache_mode(self) -> CacheMode:
        """How stored answers are used: by default, what is paid for is stored, so that nothing is paid twice."""
        if self.cache is not None:
            return self.cache
        return "off" if price_of(self.model, self.prices) is None else "write"

    @property
    def turns(self) -> ConversationName:
        """Which earlier turns are sent."""
        return self.conversation or "grow"

    @property
    def form(self) -> AnswerForm:
        """The form of an answer."""
        return self.answer or ("choice" if self.provider == "local" else "text")

    @property
    def endpoint(self) -> str:
        """The address that is asked; "litellm" where that library knows it; which file answers if it does here."""
        if self.base_url:
            address = self.base_url
        elif self.provider == "openai":
            address = OPENAI
        elif self.provider == "local":
            digest = (self.digest or "")[:DIGEST_SHOWN]
            address = f"local:sha256-{digest}"
        else:
            address = self.provider
        return address.rstrip("/")

    @property
    def shown_endpoint(self) -> str:
        """The address as files and screens show it: without what names an account."""
        return self.endpoint if self.provider == "local" else shown_address(self.endpoint)


def _is_endpoint(url: str) -> bool:
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - raises where it is no number
    except ValueError:
        return False
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return False
    if parts.username or parts.password or parts.query or parts.fragment:
        return False
    return url.isprintable() and not any(map(str.isspace, url))


MOST_SCORED = 20  # tokens whose log-probabilities an endpoint tells
ALL_SCORED = 500  # those that llama.cpp tells
FORM_FIELDS = ("response_format", "logprobs", "top_logprobs")  # sent with plans only


def form_fields(options: ModelOptions, skills: Sequence[int]) -> dict[str, Any]:
    """Returns the fields of a request for the form of a plan that chooses among these skills; none without skills."""
    if not skills:
        return {}
    if options.form == "scores":
        scored = ALL_SCORED if options.provider == "local" else MOST_SCORED
        return {"max_tokens": 1, "logprobs": True, "top_logprobs": scored}
    if options.form == "choice":
        return {"response_format": answer_format(skills)}
    if options.structured:
        return {"response_format": answer_format(None)}
    return {}


def sampling_parameters(options: ModelOptions, skills: Sequence[int] = ALL_SKILLS) -> dict[str, Any]:
    """Returns the parameters of a request: greedy, up to a maximum length, unless the options say otherwise.

    Args:
        options: the model.
        skills: those that a plan can choose; () for a side query, which is asked without a form.
    """
    optional = {
        "top_p": options.top_p,
        "seed": options.model_seed,
        "reasoning_effort": options.reasoning_effort,
        "extra_body": json_object("extra-body", options.extra_body),
        **form_fields(options, skills),
    }
    chosen = {name: value for name, value in optional.items() if value is not None}
    return {"temperature": 0, "max_tokens": options.max_tokens, **chosen}


def more_sampling(options: ModelOptions) -> str | None:
    """Returns the parameters besides temperature and length, as JSON; None if there are none."""
    left_out = {"temperature", "max_tokens"}
    if options.form != "text":
        left_out.update(FORM_FIELDS)  # which follow from the form
    parameters = sampling_parameters(options)
    more = {name: value for name, value in parameters.items() if name not in left_out}
    if options.turns != "roll":
        more["conversation"] = options.turns
    if options.form != "text":
        more["answer"] = options.form
    if options.form == "scores":
        more["score_temperature"] = options.score_temperature
    if options.extra_headers:
        more["extra_headers"] = options.extra_headers
    if options.repeat > 1:
        more["repeat"] = options.repeat
    return json.dumps(more, sort_keys=True) if more else None
