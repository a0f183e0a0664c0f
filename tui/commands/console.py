"""Tables on standard output: in colour on a terminal, plain and unwrapped elsewhere."""

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console

WIDE = 400  # columns of the output if it is not a terminal's


@contextmanager
def output() -> Iterator[Console]:
    """Gives a console whose text is written to standard output at the end, without spaces at the ends of lines."""
    text, terminal = io.StringIO(), sys.stdout.isatty()
    yield Console(
        file=text,
        highlight=False,
        markup=False,
        force_terminal=terminal,
        width=None if terminal else WIDE,
        soft_wrap=not terminal,
    )
    sys.stdout.write("\n".join(line.rstrip() for line in text.getvalue().splitlines()) + "\n")
