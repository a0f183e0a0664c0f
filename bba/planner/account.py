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

_ACCOUNT_HEADERS = ("OpenAI-Organization", "OpenAI-Project")


class AccountHeaders:
    """Removes the account's headers, and at another host the user's, from a request without the account's key.

    Args:
        key: the key of the run; None for none.
        headers: the user's own.
    """

    def __init__(self, key: SecretStr | None, headers: Mapping[str, str] | None = None) -> None:
        account_key = os.environ.get("OPENAI_API_KEY", "").strip()
        self._account = key is not None and key.get_secret_value() == account_key
        custom = [name for name, _ in _custom_headers() if name.lower() != "authorization"]
        self._account_headers = [*_ACCOUNT_HEADERS, *custom]
        self._user_headers = {name.lower() for name in headers or {}}

    async def __call__(self, request: Any) -> None:
        """Is called before each request, those of redirections included, which carry no key to another host."""
        without_key = "authorization" not in request.headers  # the HTTP library takes it away at another host
        if without_key or not self._account:
            for name in self._account_headers:
                request.headers.pop(name, None)
        if without_key:
            for name in self._user_headers:
                request.headers.pop(name, None)


def _custom_headers() -> list[tuple[str, str]]:
    headers = []
    for line in os.environ.get(HEADERS_VARIABLE, "").splitlines():
        name, colon, value = line.partition(":")
        if colon:
            headers.append((name.strip(), value.strip()))
    return headers


_HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_HEADER_VALUE = re.compile(r"[ -~]*")
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
    headers = json_object("extra-headers", text) or {}
    return {name: _header_value(name, value) for name, value in headers.items()}


def secret_values(text: str | None) -> tuple[str, ...]:
    """Returns the values of headers that come from the environment."""
    written = json_object("extra-headers", text) or {}
    return tuple(value for name, value in read_headers(text).items() if str(written[name]).startswith("$"))


def _header_value(name: str, written: object) -> str:
    """Returns the value of a header; of one that names a variable, the variable's value."""
    if not _HEADER_NAME.fullmatch(name) or not isinstance(written, str):
        raise BBAError(f"--extra-headers: {name!r}: a header has a name and a text")
    names_variable = written.startswith("$")
    if not names_variable and _SECRET_HEADER.search(name):
        raise BBAError(f"--extra-headers: {name}: name a variable of the environment for it, as $GATEWAY_KEY")
    value = os.environ.get(written[1:], "").strip() if names_variable else written
    if not value:
        raise BBAError(f"--extra-headers: {name}: the environment has no {written[1:]}")
    if not _HEADER_VALUE.fullmatch(value):
        raise BBAError(f"--extra-headers: {name}: holds characters that no header has")
    return value


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
    """Takes the key of a run, and the environment's secrets and names of the user's account, out of texts.

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
        """Returns a redactor of every secret that this process has used, or that its environment holds."""
        used = (secret.get_secret_value() for secret in cls._of_process)
        return cls(*used, *secrets_of_environment())

    def __init__(self, *secrets: str) -> None:
        self.remember(*secrets)
        signs = [(secret, KEY) for secret in secrets]
        signs += [(os.environ.get(name, "").strip(), KEY) for name in KEY_VARIABLES]
        signs += [(os.environ.get(name, "").strip(), ID) for name in ACCOUNT_VARIABLES]
        signs += [(value, ID) for _, value in _custom_headers()]
        longest_first = sorted(dict.fromkeys(signs), key=lambda pair: len(pair[0]), reverse=True)
        self._secrets = [(SecretStr(secret), sign) for secret, sign in longest_first if len(secret) >= SHORTEST]

    def text(self, text: str) -> str:
        """Returns a text without the secrets; nothing else of it changes."""
        for secret, sign in self._secrets:
            text = text.replace(secret.get_secret_value(), sign)
        return text

    def program_text(self, text: str) -> str:
        """Returns a text of the program itself, such as a traceback, without the secrets.

        They go as they are written in Python and JSON, too. What looks like a name of an account stays: it may be code.
        """
        for secret, sign in self._secrets:
            value = secret.get_secret_value()
            in_python = repr(value)[1:-1]
            in_json = json.dumps(value)[1:-1]
            for spelling in (value, in_python, in_json):
                text = text.replace(spelling, sign)
        for pattern, sign in _KEY_PATTERNS:
            text = pattern.sub(sign, text)
        return text

    def body(self, body: bytes) -> bytes:
        """Returns the bytes of an answer without the secrets, be it text or not."""
        return self.text(body.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")

    def complaint(self, text: str) -> str:
        """Returns a provider's complaint without the secrets, nor what looks like a key or names an account.

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
