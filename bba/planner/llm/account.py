"""The user's account and secrets: headers of requests, and what of them must not be repeated in files and on screens.

Headers of the user's own are a JSON object. Secrets come from the environment only: a header whose name says that it
holds one must name a variable, as ``{"X-Api-Key": "$GATEWAY_KEY"}``. OpenAI's library adds headers that name the
account (organisation, project) to every request, whatever its key and address; they are sent only where the account's
key goes.
"""

import json
import os
import re
from collections.abc import Mapping
from typing import Any, ClassVar
from urllib.parse import urlsplit, urlunsplit

from pydantic import SecretStr

from bba.errors import BBAError

_NAMES = ("OpenAI-Organization", "OpenAI-Project")


class AccountHeaders:
    """Removes the account's headers, and at another host the user's, from a request without the account's key.

    Args:
        key: the key of the run; None for none.
        headers: the user's own.
    """

    def __init__(self, key: SecretStr | None, headers: Mapping[str, str] | None = None) -> None:
        account_key = os.environ.get("OPENAI_API_KEY", "").strip()
        self._account = key is not None and key.get_secret_value() == account_key
        self._names = [*_NAMES, *(name for name, _ in _custom_headers() if name.lower() != "authorization")]
        self._own = {name.lower() for name in headers or {}}

    async def __call__(self, request: Any) -> None:
        """Is called before each request, those of redirections included, which carry no key to another host."""
        left = "authorization" not in request.headers  # the HTTP library takes it away at another host
        if left or not self._account:
            for name in [*self._names, *(self._own if left else ())]:
                request.headers.pop(name, None)


def _custom_headers() -> list[tuple[str, str]]:
    pairs = [line.partition(":") for line in os.environ.get(HEADERS_VARIABLE, "").splitlines() if ":" in line]
    return [(name.strip(), value.strip()) for name, _, value in pairs]


_HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_VALUE = re.compile(r"[ -~]*")
_SECRET_HEADER = re.compile(r"auth|key|token|secret|cookie|password", re.IGNORECASE)


def json_object(option: str, text: str | None) -> dict[str, Any] | None:
    """Returns the JSON object of an option; None where it is not given.

    Raises:
        BBAError: it is no JSON object.
    """
    if text is None:
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise BBAError(f'--{option}: must be a JSON object, as \'{{"name": "value"}}\'')
    return value


def read_headers(text: str | None) -> dict[str, str]:
    """Returns the headers of an option, with the values of variables.

    Raises:
        BBAError: it is no JSON object of texts, a secret is written out, or a variable is not set.
    """
    return {name: _value(name, value) for name, value in (json_object("extra-headers", text) or {}).items()}


def secret_values(text: str | None) -> tuple[str, ...]:
    """Returns the values of headers that come from the environment."""
    named = json_object("extra-headers", text) or {}
    return tuple(value for name, value in read_headers(text).items() if str(named[name]).startswith("$"))


def _value(name: str, value: object) -> str:
    if not _HEADER_NAME.fullmatch(name) or not isinstance(value, str):
        raise BBAError(f"--extra-headers: {name!r}: a header has a name and a text")
    named = value.startswith("$")
    if not named and _SECRET_HEADER.search(name):
        raise BBAError(f"--extra-headers: {name}: name a variable of the environment for it, as $GATEWAY_KEY")
    found = os.environ.get(value[1:], "").strip() if named else value
    if not found:
        raise BBAError(f"--extra-headers: {name}: the environment has no {value[1:]}")
    if not _VALUE.fullmatch(found):
        raise BBAError(f"--extra-headers: {name}: holds characters that no header has")
    return found


KEY_VARIABLES = ("BBA_API_KEY", "OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_WEBHOOK_SECRET")  # in the environment
ACCOUNT_VARIABLES = ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID")
HEADERS_VARIABLE = "OPENAI_CUSTOM_HEADERS"  # lines of NAME: VALUE
SHORTEST = 8  # a shorter value, such as the key "x" of a local endpoint, is no secret and may be part of a word
KEY = "[key]"
ID = "[id]"
MOST_CHARS = 4096  # of a complaint
_SECRET_VARIABLE = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD)$")  # at the end of the names of variables
_KEY_PATTERNS = (
    (re.compile(r"\b(Bearer|Basic)\s+\S{8,}"), rf"\1 {KEY}"),
    (re.compile(r"//[^/\s:@]+:[^/\s@]+@"), f"//{KEY}@"),
    (re.compile(r"\b(?:sk|rk|pk|hf|gsk|xai|AIza)[-_][\w*.-]{6,}"), KEY),
)
_ID_PATTERNS = (
    (re.compile(r"\b(?:org|proj|user|acct|req|chatcmpl|asst|sess|resp)[-_][A-Za-z0-9]{6,}[\w-]*"), ID),
    (re.compile(r"\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b"), ID),
    (
        re.compile(
            r"(?i)\b((?:request|trace|account|organi[sz]ation|project|tenant|subscription|resource|user)"
            r"(?:[ _-]?(?:id|name|number))?[\s:='\"`(]{1,4})(?=[\w-]*\d)[\w-]{6,}"
        ),
        rf"\1{ID}",
    ),
)
_OPAQUE = re.compile(r"(?=[\w-]*\d)[\w-]{20,}")  # a part of an address that names an account or holds a key


def secrets_of_environment() -> tuple[str, ...]:
    """Returns the values of the variables whose names say that they hold a secret."""
    return tuple(value for name, value in os.environ.items() if _SECRET_VARIABLE.search(name))


class Redactor:
    """Takes out the key of a run, and what the environment says of the user's account.

    Args:
        secrets: the key, "" for none, and what else must not be repeated.
    """

    _of_process: ClassVar[set[SecretStr]] = set()  # the secrets that this process has used

    @classmethod
    def remember(cls, *secrets: str) -> None:
        """Notes secrets that a report of this process must not repeat."""
        cls._of_process.update(SecretStr(secret) for secret in secrets)

    @classmethod
    def of_process(cls) -> "Redactor":
        """Returns one that takes out every secret that this process has used, or that its environment holds."""
        used = (secret.get_secret_value() for secret in cls._of_process)
        return cls(*used, *secrets_of_environment())

    def __init__(self, *secrets: str) -> None:
        self.remember(*secrets)
        found = [
            *((secret, KEY) for secret in secrets),
            *((os.environ.get(name, "").strip(), KEY) for name in KEY_VARIABLES),
        ]
        found += [
            (value, ID)
            for value in (
                *(os.environ.get(name, "").strip() for name in ACCOUNT_VARIABLES),
                *(value for _, value in _custom_headers()),
            )
        ]
        longest_first = sorted(dict.fromkeys(found), key=lambda pair: len(pair[0]), reverse=True)
        self._secrets = [(SecretStr(secret), sign) for secret, sign in longest_first if len(secret) >= SHORTEST]

    def text(self, text: str) -> str:
        """Returns a text without the secrets; nothing else of it changes."""
        for secret, sign in self._secrets:
            text = text.replace(secret.get_secret_value(), sign)
        return text

    def program_text(self, text: str) -> str:
        """Returns what the program says of itself, such as a traceback, without the secrets.

        They go as they are written in Python and JSON, too. What looks like a name of an account stays: it may be code.
        """
        for secret, sign in self._secrets:
            value = secret.get_secret_value()
            for written in (value, repr(value)[1:-1], json.dumps(value)[1:-1]):
                text = text.replace(written, sign)
        for pattern, sign in _KEY_PATTERNS:
            text = pattern.sub(sign, text)
        return text

    def body(self, body: bytes) -> bytes:
        """Returns the bytes of an answer without the secrets, be it text or not."""
        return self.text(body.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")

    def complaint(self, text: str) -> str:
        """Returns what a provider complains about without the secrets, nor what looks like a key or names an account.

        Providers quote parts of the key, the organisation, and the number of the request.
        """
        text = self.text(text)[:MOST_CHARS]
        for pattern, sign in (*_KEY_PATTERNS, *_ID_PATTERNS):
            text = pattern.sub(sign, text)
        return text


def shown_address(url: str) -> str:
    """Returns an address without the parts that name an account or hold a key, as in ``https://host/v1/ACCOUNT``."""
    parts = urlsplit(url)
    path = "/".join(_OPAQUE.sub("…", part) for part in parts.path.split("/"))
    host = ".".join(_OPAQUE.sub("…", part) for part in parts.netloc.split("."))
    return urlunsplit((parts.scheme, host, path, "", ""))
