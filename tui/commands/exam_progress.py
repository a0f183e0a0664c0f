"""Shows how far an exam is: a bar on a terminal, else a line every ten seconds."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from bba.exam.answers import Answer

EVERY = 10.0  # seconds between two lines


@contextmanager
def progress(total: int) -> Iterator[Callable[[Answer], None]]:
    """Gives a function that counts an answer."""
    if not sys.stderr.isatty():
        yield _Lines(total).count
        return
    columns = TextColumn("questions"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}")
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task, dollars = bar.add_task("", total=total), 0.0

        def count(answer: Answer) -> None:
            nonlocal dollars
            dollars += _cost(answer)
            bar.update(task, advance=1, description=f"{dollars:.2f} US dollars" if dollars else "")

        yield count


class _Lines:
    """Writes a line now and then."""

    def __init__(self, total: int) -> None:
        self._total, self._done, self._dollars, self._written = total, 0, 0.0, time.monotonic()

    def count(self, answer: Answer) -> None:
        """Counts an answer."""
        self._done, self._dollars = self._done + 1, self._dollars + _cost(answer)
        if time.monotonic() - self._written >= EVERY:
            self._written = time.monotonic()
            cost = f", {self._dollars:.2f} US dollars" if self._dollars else ""
            sys.stderr.write(f"{self._done} of {self._total} questions{cost}\n")
            sys.stderr.flush()


def _cost(answer: Answer) -> float:
    return answer.usage.cost or 0.0 if answer.usage else 0.0
