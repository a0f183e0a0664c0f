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
    """The functions by which a caller reports its progress.

    Attributes:
        advance: is called when one more of the things to do is done.
        say: is called with a few words that stand beside the number.
    """

    advance: Callable[[], object]
    say: Callable[[str], object]


SILENT = CallProgress(lambda: None, lambda _: None)


@contextmanager
def progress_bar(total: int, things: str, shown: bool | None) -> Iterator[CallProgress]:
    """Shows progress while its block runs: with a bar in a notebook or on a terminal, else in lines.

    Args:
        total: how many things are to be done.
        things: their name, in the plural.
        shown: whether progress is shown; None for in a notebook only.
    """
    if shown is None:
        shown = in_notebook()
    if not shown:
        yield SILENT
    elif in_notebook() and find_spec("tqdm"):
        from tqdm.auto import tqdm

        with tqdm(total=total, unit=f" {things}", mininterval=0.2) as bar:
            yield CallProgress(bar.update, lambda text: bar.set_postfix_str(text, refresh=False))
    else:
        with _rich_progress(total, things) as progress:
            yield progress


@contextmanager
def _rich_progress(total: int, things: str) -> Iterator[CallProgress]:
    """Shows rich's bar on a terminal, else a line every ten seconds."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    is_terminal = sys.stderr is not None and sys.stderr.isatty()
    bars = Progress(
        TextColumn(things),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.description}"),
        console=Console(stderr=True),
        disable=not is_terminal,
    )
    bars.add_task("", total=total)
    (task,) = bars.tasks

    def line() -> str:
        text = f"{task.completed:g} of {total} {things}"
        return f"{text}, {task.description}" if task.description else text

    write_line = line_writer(line)

    def advance() -> None:
        bars.advance(task.id)
        if bars.disable:
            write_line(task.finished)

    with bars:
        yield CallProgress(advance, lambda text: bars.update(task.id, description=text))


def in_notebook() -> bool:
    """Returns whether this runs in the kernel of a notebook."""
    ipython = sys.modules.get("IPython")
    if ipython is None:
        return False
    shell = ipython.get_ipython()
    return shell is not None and hasattr(shell, "kernel")


def line_writer(line: Callable[[], str]) -> Callable[[bool], None]:
    """Returns a function that writes a line on standard error every ten seconds at the most, and where it is the last.

    Args:
        line: makes the line, without its end.
    """
    last_written = time.monotonic()

    def write(is_last: bool) -> None:
        nonlocal last_written
        if is_last or time.monotonic() - last_written >= LINE_SECONDS:
            last_written = time.monotonic()
            say_aside(f"{line()}\n")

    return write
