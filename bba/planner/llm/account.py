"""Sends what names the user's account (organisation, project, headers of their own) only where the account's key goes.

OpenAI's library adds these headers from the environment to every request, whatever its key and address.
"""

import os
from typing import Any

_NAMES = ("OpenAI-Organization", "OpenAI-Project")


class AccountHeaders:
    """Removes the account's headers from a request that does not carry the account's key.

    Args:
        key: the key of the run; "" for none.
    """

    def __init__(self, key: str) -> None:
        self._account = bool(key) and key == os.environ.get("OPENAI_API_KEY")
        self._names = (*_NAMES, *_own_headers(os.environ.get("OPENAI_CUSTOM_HEADERS", "")))

    async def __call__(self, request: Any) -> None:
        """Is called before each request, those of redirections included, which carry no key to another host."""
        if not self._account or "authorization" not in request.headers:
            for name in self._names:
                request.headers.pop(name, None)


def _own_headers(lines: str) -> list[str]:
    names = [line.partition(":")[0].strip() for line in lines.splitlines() if ":" in line]
    return [name for name in names if name.lower() != "authorization"]
