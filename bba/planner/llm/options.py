"""The options of a language model behind an OpenAI-compatible endpoint, with its key."""

import re
from pathlib import Path
from typing import Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import SecretStr, model_validator

from bba.config import LanguageModelOptions
from bba.errors import BBAError
from bba.limits import CacheMode
from bba.planner.llm.headers import json_object, read_headers, secret_values
from bba.planner.llm.prices import price_of
from bba.planner.llm.redaction import shown_address

Provider = Literal["openai", "litellm"]
LITELLM = "litellm"  # stands for the address that the library knows
OPENAI = "https://api.openai.com/v1"

_MODEL = re.compile(r"[\w .:/@+-]{1,100}")  # what a recording takes as the name of a planner
_KEY = re.compile(r"[!-~]+")  # what an HTTP header can carry


class ModelOptions(LanguageModelOptions):
    """A language model, its key, and how far a run may go with it.

    Attributes:
        key: the endpoint's API key; None for an endpoint that asks for none.
        ledger: the file that keeps what is spent; None to keep it in memory.
        provider: who sends the requests: OpenAI's client, or LiteLLM, which knows address and key by the model's name.

    Raises:
        BBAError: a name, address or key that cannot be one, or a missing key that the endpoint needs.
        ValidationError: a value out of range.
    """

    key: SecretStr | None = None
    ledger: Path | None = None
    provider: Provider = "openai"

    @model_validator(mode="after")
    def _check(self) -> Self:
        if not _MODEL.fullmatch(self.model):
            raise BBAError(f"--model: {self.model!r} is not allowed; 1 to 100 letters, digits, spaces and .:/@+-_")
        if self.base_url is not None and not _is_endpoint(self.base_url):
            raise BBAError("--base-url: must be http(s)://host[:port][/path], without user, password or query")
        if self.key is not None and not _KEY.fullmatch(self.key.get_secret_value()):
            raise BBAError("BBA_API_KEY or OPENAI_API_KEY: holds characters that no key has")
        json_object("extra-body", self.extra_body)
        read_headers(self.extra_headers)
        needs_key = self.provider == "openai" and self.cache != "only"
        if needs_key and self.key is None and self.base_url is None:
            raise BBAError(
                "planner openai: there is no key; set OPENAI_API_KEY or BBA_API_KEY, "
                "or --base-url for an endpoint that needs none"
            )
        return self

    @property
    def cache_mode(self) -> CacheMode:
        """How stored answers are used: by default, what is paid for is stored, so that nothing is paid twice."""
        if self.cache is not None:
            return self.cache
        return "off" if price_of(self.model, self.prices) is None else "write"

    @property
    def endpoint(self) -> str:
        """The address that is asked, or "litellm" where that library knows it."""
        return (self.base_url or (OPENAI if self.provider == "openai" else LITELLM)).rstrip("/")

    @property
    def body(self) -> dict[str, Any] | None:
        """What is added to the body of requests."""
        return json_object("extra-body", self.extra_body)

    @property
    def headers(self) -> dict[str, str]:
        """The headers that are added to requests, with the values of variables."""
        return read_headers(self.extra_headers)

    @property
    def secret_headers(self) -> tuple[str, ...]:
        """The values of those that come from the environment, which must not be repeated anywhere."""
        return secret_values(self.extra_headers)

    @property
    def shown_endpoint(self) -> str:
        """The address as files and screens show it: without what names an account."""
        return shown_address(self.endpoint)


def _is_endpoint(url: str) -> bool:
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - raises where it is no number
    except ValueError:
        return False
    extras = parts.username or parts.password or parts.query or parts.fragment
    return parts.scheme in ("http", "https") and bool(parts.hostname) and not extras and url.isprintable()
