"""A bar on standard error while a command works through known things; none where that is no terminal.

The line that headless games and sweeps print before they compile.
"""

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

from rich.console import Console
from rich.progress import track

from bba.agents.rollout_planner import ROLLOUT
from bba.kernels import is_compiled
from bba.planner.rollout import futures_are_compiled

Item = TypeVar("Item")


def with_bar(items: Iterable[Item], total: int, what: str) -> Iterator[Item]:
    """Yields the items and shows how many of `total` are done; `what` names them."""
    console = Console(stderr=True, quiet=not sys.stderr.isatty())
    yield from track(items, what, total, console=console, transient=True)


def announce_compiling(planner: str | None) -> None:
    """Says on a terminal, before games are played compiled, why the first one may take a while to start.

    Args:
        planner: of the games; None if no planner is asked, as in a recording.
    """
    if not sys.stderr.isatty():
        return
    if planner == ROLLOUT and not futures_are_compiled():
        sys.stderr.write("compiling the planner for this machine; this happens once and takes a minute or so\n")
    elif not is_compiled():
        sys.stderr.write("compiling the kitchen for this machine; this happens once and takes some 20 seconds\n")
