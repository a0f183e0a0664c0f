"""A bar on standard error while a command works through known things; none where that is no terminal."""

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

from rich.console import Console
from rich.progress import track

Item = TypeVar("Item")


def with_bar(items: Iterable[Item], total: int, what: str) -> Iterator[Item]:
    """Yields the items and shows how many of `total` are done; `what` names them."""
    console = Console(stderr=True, quiet=not sys.stderr.isatty())
    yield from track(items, what, total, console=console, transient=True)
