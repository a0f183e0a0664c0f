"""Text of others as a terminal may show it: control characters, which a terminal obeys, are written out.

So are characters that turn the direction of text around, and those that nobody sees.
"""

import os
import shlex
import sys
from collections.abc import Iterable

from bba.errors import say_aside


def visible(text: object) -> str:
    """Returns a text of several lines with what cannot be printed written out, as ``\\x1b``; tabulators are spaces."""
    lines = str(text).expandtabs().split("\n")
    return "\n".join(visible_line(line) for line in lines)


def visible_line(text: object) -> str:
    """Returns a text as one line: what cannot be printed, line breaks too, is written out."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in str(text))


def shell_word(text: object) -> str:
    """Returns a text as one word of a shell's command, in printable characters alone."""
    word = str(text)
    if word.isprintable():
        return shlex.quote(word)
    escaped = "".join(_in_shell_quotes(char) for char in word)
    return f"$'{escaped}'"


def _in_shell_quotes(char: str) -> str:
    """Returns a character between ``$'`` and ``'``: as bytes, since the meaning of a number depends on the locale."""
    if char in "\\'":
        return f"\\{char}"
    if char.isprintable():
        return char
    return "".join(f"\\x{byte:02x}" for byte in os.fsencode(char))


def shell_words(words: Iterable[object]) -> str:
    """Returns words as a shell's command, in printable characters alone."""
    return " ".join(shell_word(word) for word in words)


def print_lines(*lines: str) -> None:
    """Writes lines to standard output as they may be shown; names in them go through `visible_line` or `shell_word`."""
    sys.stdout.writelines(f"{visible(line)}\n" for line in lines)


def note_lines(*lines: str) -> None:
    """Writes lines to standard error as `print_lines` does; nothing where that is closed."""
    say_aside("".join(f"{visible(line)}\n" for line in lines))
