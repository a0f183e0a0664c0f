"""The limits of TOML files: checked in one pass, before a parser whose time grows with the square of a key."""

import re

from bba.errors import BBAError

LARGEST_TOML = 2**19  # bytes; the largest file of this project has 28,000
MOST_KEY_PARTS = 32  # of a dotted key, or of a table's name

# Each alternative matches whatever follows its first characters, up to its end or that of the text: so no text is
# looked at twice. Basic strings know escapes, literal ones do not.
_STRING_OR_COMMENT = re.compile(
    r'"""(?:[^\\]|\\.)*?(?:"""|\Z)'
    r"|'''.*?(?:'''|\Z)"
    r'|"(?:[^"\\\n]|\\[^\n])*"?'
    r"|'[^'\n]*'?"
    r"|\#[^\n]*",
    re.DOTALL,
)
_LONG_KEY = re.compile(rf"(?<![\w-])(?:[\w-]+[ \t]*\.[ \t]*){{{MOST_KEY_PARTS},}}")


def check_toml(text: str, source: object) -> None:
    """Checks that a TOML text can be parsed in about a second.

    Args:
        text: the content of the file.
        source: the file, for messages.

    Raises:
        BBAError: it is larger than 512 KiB, or a key has more than 32 parts; one line that names the line of the key.
    """
    if len(text) > LARGEST_TOML:
        raise BBAError(f"{source}: too large for TOML: more than {LARGEST_TOML // 2**10} KiB")
    keys = _STRING_OR_COMMENT.sub(_without_content, text)
    long_key = _LONG_KEY.search(keys)
    if long_key is not None:
        line = keys.count("\n", 0, long_key.start()) + 1
        raise BBAError(f"{source}, line {line}: a key of more than {MOST_KEY_PARTS} parts, as a.b has two")


def _without_content(match: re.Match[str]) -> str:
    """Returns the replacement of a string, which may be a part of a key, or of a comment: a letter, its line breaks."""
    line_breaks = "\n" * match[0].count("\n")
    if match[0].startswith("#"):
        return line_breaks
    return f"s{line_breaks}"
