"""What of a source file can change a game: not its docstrings, its whole-line comments and the help of options."""

import re

LEFT_OUT = re.compile(
    rb'^[ ]*r?"""(?:[^"\\]|\\.|"(?!""))*"""[ ]*\n'  # a docstring: a text that is a statement of its own
    rb"|^[ ]*#.*\n"
    rb'|(?<=description=)"(?:[^"\\\n]|\\.)*"',
    re.MULTILINE,
)


def deciding_text(source: bytes) -> bytes:
    """Returns a Python source file without what cannot change a game."""
    return LEFT_OUT.sub(b"", source)
