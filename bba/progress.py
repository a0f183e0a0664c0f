"""Progress: in a notebook tqdm's bar if that is installed, on a terminal rich's, elsewhere a line every ten seconds."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import NamedTuple

from bba.errors import say_aside

LINE_SECONDS = 10.0  # seconds between two lines


class CallProgress(NamedTuple):
    """What a caller tells of its progress.

    Attributes:
        advance: is called when one more of the things to do is done.
        say: is called with a few words that stand beside the number.
    """

    advance: Callable[[], object]
    say: Callable[[str], object]


SILENT = CallProgress(lambda: None, lambda _: None)


@contextmanager
def progress_bar(total: int, what: str, shown: bool | None) -> Iterator[CallProgress]:
    """Shows progress while its block runs: with a bar in a notebook or on a terminal, else in lines.

    Args:
        total: how many things are to be done.
        what: what they are, in the plural.
        shown: whether it is shown; None for in a notebook only.
    """
    if not (in_notebook() if shown is None else shown):
        yield SILENT
    elif in_notebook() and find_spec("tqdm"):
        from tqdm.auto import tqdm

        with tqdm(total=total, unit=f" {what}", mininterval=0.2) as bar:
            yield CallProgress(bar.update, lambda text: bar.set_postfix_str(text, refresh=False))
    else:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        columns = TextColumn(what), BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}")
        bars = Progress(*columns, console=Console(stderr=True), disable=sys.stderr is None or not sys.stderr.isatty())
        bars.add_task("", total=total)
        (task,) = bars.tasks
        write = line_writer(
            lambda: ", ".join(filter(None, (f"{task.completed:g} of {total} {what}", task.description)))
        )

        def advance() -> None:
            bars.advance(task.id)
            if bars.disable:
                write(task.finished)

        with bars:
            yield CallProgress(advance, lambda text: bars.update(task.id, description=text))


def in_notebook() -> bool:
    """Returns whether this runs in the kernel of a notebook."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and hasattr(shell, "kernel")


def line_writer(line: Callable[[], str]) -> Callable[[bool], None]:
    """Returns a function that writes a line on standard error every ten seconds at the most, and where it is the last.

    Args:
        line: makes the line, without its end.
    """
    written = time.monotonic()

    def write(last: bool) -> None:
        nonlocal written
        if last or time.monotonic() - written >= LINE_SECONDS:
            written = time.monotonic()
            say_aside(f"{line()}\n")

    return write
