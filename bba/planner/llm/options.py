"""What a language model behind an OpenAI-compatible endpoint can be set to."""

import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import SecretStr

from bba.errors import BBAError
from bba.limits import CacheMode, Count, Dollars, Seconds

OPENAI = "https://api.openai.com/v1"

_MODEL = re.compile(r"[\w .:/@+-]{1,100}")  # what a recording takes as the name of a planner
_KEY = re.compile(r"[!-~]+")  # what an HTTP header can carry


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """A model, where it is, and how far a run may go with it.

    Attributes:
        model: its name at the endpoint.
        base_url: the endpoint, such as ``http://localhost:11434/v1``; None for OpenAI's own.
        key: what the endpoint asks for; None for one that asks for none.
        max_tokens: of one answer, 1 or more.
        deadline: seconds for one question, from asking to giving up, waiting between attempts included.
        attempts: requests for one answer, failed ones included, 1 or more.
        concurrency: requests under way at the same time, 1 or more.
        max_calls, max_total_tokens, max_cost: of the whole run, the last in US dollars; None for no limit.
        prices: a price table; None for the one that ships with the project.
        cache: "off"; "read" uses stored answers; "write" stores new ones too; "only" never asks.
        cache_file: where they are stored; None for a file in the platform's cache folder.
        log: a file that every exchange is written to, if any.

    Raises:
        BBAError: a name, address or key that cannot be one, or a missing key that the endpoint needs.
    """

    model: str
    base_url: str | None = None
    key: SecretStr | None = None
    max_tokens: Count = 1024
    deadline: Seconds = 60.0
    attempts: Count = 5
    concurrency: Count = 4
    max_calls: Count | None = None
    max_total_tokens: Count | None = None
    max_cost: Dollars | None = None
    prices: Path | None = None
    cache: CacheMode = "off"
    cache_file: Path | None = None
    log: Path | None = None

    def __post_init__(self) -> None:
        if not _MODEL.fullmatch(self.model):
            raise BBAError(f"--model: {self.model!r} is not allowed; 1 to 100 letters, digits, spaces and .:/@+-_")
        if self.base_url is not None and not _is_endpoint(self.base_url):
            raise BBAError("--base-url: must be http(s)://host[:port][/path], without user, password or query")
        if self.key is not None and not _KEY.fullmatch(self.key.get_secret_value()):
            raise BBAError("BBA_API_KEY or OPENAI_API_KEY: holds characters that no key has")
        if self.key is None and self.base_url is None and self.cache != "only":
            raise BBAError(
                "planner openai: there is no key; set OPENAI_API_KEY or BBA_API_KEY, "
                "or --base-url for an endpoint that needs none"
            )

    @property
    def endpoint(self) -> str:
        """The address that is asked."""
        return (self.base_url or OPENAI).rstrip("/")


def _is_endpoint(url: str) -> bool:
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - raises where it is no number
    except ValueError:
        return False
    extras = parts.username or parts.password or parts.query or parts.fragment
    return parts.scheme in ("http", "https") and bool(parts.hostname) and not extras and url.isprintable()
