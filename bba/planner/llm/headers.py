"""Headers of the user's own for requests: a JSON object whose values may name a variable of the environment.

Secrets come from the environment only: a header whose name says that it holds one must name a variable, as
``{"X-Api-Key": "$GATEWAY_KEY"}``.
"""

import json
import os
import re
from typing import Any

from bba.errors import BBAError

_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_VALUE = re.compile(r"[ -~]*")
_SECRET = re.compile(r"auth|key|token|secret|cookie|password", re.IGNORECASE)


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
    if not _NAME.fullmatch(name) or not isinstance(value, str):
        raise BBAError(f"--extra-headers: {name!r}: a header has a name and a text")
    if not value.startswith("$"):
        if _SECRET.search(name):
            raise BBAError(f"--extra-headers: {name}: name a variable of the environment for it, as $GATEWAY_KEY")
        found: str | None = value
    else:
        found = os.environ.get(value[1:])
    if not found:
        raise BBAError(f"--extra-headers: {name}: the environment has no {value[1:]}")
    if not _VALUE.fullmatch(found):
        raise BBAError(f"--extra-headers: {name}: holds characters that no header has")
    return found
