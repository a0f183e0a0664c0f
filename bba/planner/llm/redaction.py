"""Takes secrets and the names of accounts out of what endpoints say, which goes to files and screens."""

import os
import re
from collections.abc import Iterable
from urllib.parse import urlsplit, urlunsplit

KEYS = ("BBA_API_KEY", "OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_WEBHOOK_SECRET")  # in the environment
ACCOUNT = ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID")
HEADERS = "OPENAI_CUSTOM_HEADERS"  # lines of NAME: VALUE
SHORTEST = 8  # a shorter value, such as the key "x" of a local endpoint, is no secret and may be part of a word
KEY, ID = "[key]", "[id]"
_PATTERNS = (
    (re.compile(r"\b(Bearer|Basic)\s+\S{8,}"), rf"\1 {KEY}"),
    (re.compile(r"//[^/\s:@]+:[^/\s@]+@"), f"//{KEY}@"),
    (re.compile(r"\b(?:sk|rk|pk|hf|gsk|xai|AIza)[-_][\w*.-]{6,}"), KEY),
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


class Redactor:
    """Takes out the key of a run, and what the environment says of the user's account.

    Args:
        secrets: the key, "" for none, and what else must not be repeated.
    """

    def __init__(self, *secrets: str) -> None:
        found = [*((secret, KEY) for secret in secrets), *((os.environ.get(name, ""), KEY) for name in KEYS)]
        found += [(value, ID) for value in (*(os.environ.get(name, "") for name in ACCOUNT), *_header_values())]
        longest_first = sorted(dict.fromkeys(found), key=lambda pair: len(pair[0]), reverse=True)
        self._secrets = [(secret, sign) for secret, sign in longest_first if len(secret) >= SHORTEST]

    def text(self, text: str) -> str:
        """Returns a text without the secrets; nothing else of it changes."""
        for secret, sign in self._secrets:
            text = text.replace(secret, sign)
        return text

    def body(self, body: bytes) -> bytes:
        """Returns the bytes of an answer without the secrets."""
        for secret, sign in self._secrets:
            body = body.replace(secret.encode(), sign.encode())
        return body

    def complaint(self, text: str) -> str:
        """Returns what a provider complains about without the secrets, nor what looks like a key or names an account.

        Providers quote parts of the key, the organisation, and the number of the request.
        """
        text = self.text(text)
        for pattern, sign in _PATTERNS:
            text = pattern.sub(sign, text)
        return text


def shown_address(url: str) -> str:
    """Returns an address without the parts that name an account or hold a key, as in ``https://host/v1/ACCOUNT``."""
    parts = urlsplit(url)
    path = "/".join(_OPAQUE.sub("…", part) for part in parts.path.split("/"))
    host = ".".join(_OPAQUE.sub("…", part) for part in parts.netloc.split("."))
    return urlunsplit((parts.scheme, host, path, "", ""))


def _header_values() -> Iterable[str]:
    lines = os.environ.get(HEADERS, "").splitlines()
    return [line.partition(":")[2].strip() for line in lines if ":" in line]
