"""Prompt templates: Markdown text with ``{placeholders}``, checked when it is loaded rather than when it is sent."""

import re
from pathlib import Path

from bba.errors import BBAError

_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_SECTION = re.compile(r"^## (\w+)$", re.MULTILINE)


class Template:
    """A text that uses each of its placeholders at least once. Other braces are plain text."""

    def __init__(self, text: str, placeholders: frozenset[str] = frozenset(), source: str = "template") -> None:
        """Check `text` against the placeholders it must use; `source` names it in messages.

        Raises:
            BBAError: a placeholder is unknown or missing; the message names file, line and placeholder.
        """
        _check(text, placeholders, source)
        pieces = _PLACEHOLDER.split(text)
        self._format = "%s".join(piece.replace("%", "%%") for piece in pieces[::2])
        self._names = tuple(pieces[1::2])

    def fill(self, **values: object) -> str:
        """The text with every placeholder replaced by its value."""
        return self._format % tuple([values[name] for name in self._names])


def _check(text: str, placeholders: frozenset[str], source: str) -> None:
    wanted = ", ".join(sorted(placeholders)) or "none"
    found = set()
    for match in _PLACEHOLDER.finditer(text):
        found.add(match[1])
        if match[1] not in placeholders:
            line = text.count("\n", 0, match.start()) + 1
            raise BBAError(f"{source}, line {line}: unknown placeholder {{{match[1]}}}; this template takes {wanted}")
    for name in sorted(placeholders - found):
        line = text.count("\n") + 1
        raise BBAError(f"{source}, line {line}: the text ends without the placeholder {{{name}}}; it needs {wanted}")


def load_template(file: Path, placeholders: frozenset[str] = frozenset()) -> Template:
    """The template in a file, without the white space at its end.

    Raises:
        BBAError: the file cannot be read, or breaks the rule for placeholders.
    """
    return Template(_read(file), placeholders, str(file))


def load_sections(file: Path, placeholders: dict[str, frozenset[str]]) -> dict[str, Template]:
    """The ``## name`` sections of a file, each a template of its own.

    Raises:
        BBAError: the file cannot be read, a section is missing or unknown, or one breaks the rule for placeholders.
    """
    text = _read(file)
    pieces = _SECTION.split(text)
    sections = {}
    for match, body in zip(_SECTION.finditer(text), pieces[2::2], strict=True):
        line = text.count("\n", 0, match.start()) + 1
        if match[1] not in placeholders:
            known = ", ".join(placeholders)
            raise BBAError(f"{file}, line {line}: unknown section {match[1]!r}; it takes {known}")
        sections[match[1]] = Template(
            body.strip(), placeholders[match[1]], f"{file}, section {match[1]} after line {line}"
        )
    for name in placeholders:
        if name not in sections:
            raise BBAError(f"{file}, line {text.count(chr(10)) + 1}: the section {name!r} is missing")
    return sections


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8").rstrip()
    except OSError as error:
        raise BBAError(f"{file}: cannot read this prompt: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise BBAError(f"{file}: this prompt is not UTF-8 text (byte {error.start})") from error
