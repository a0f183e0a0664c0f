"""Prompt templates: Markdown text with ``{placeholders}``, checked when loaded rather than when filled."""

import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from bba.errors import BBAError

_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_SECTION = re.compile(r"^## (\w+)$", re.MULTILINE)


class Template:
    """A text with placeholders. Other braces are plain text.

    Args:
        text: the template.
        placeholders: the names that it must use, each at least once.
        source: the file that messages name.
        first_line: the line of the file at which the text starts.
        optional: the names that it may use besides.

    Raises:
        BBAError: a placeholder is unknown or missing; the message names file, line and placeholder.
    """

    def __init__(
        self,
        text: str,
        placeholders: frozenset[str] = frozenset(),
        source: str = "template",
        first_line: int = 1,
        optional: frozenset[str] = frozenset(),
    ) -> None:
        _check(text, placeholders, optional, source, first_line)
        pieces = _PLACEHOLDER.split(text)
        self._format = "%s".join(piece.replace("%", "%%") for piece in pieces[::2])
        self._names = tuple(pieces[1::2])

    def fill(self, **values: object) -> str:
        """Returns the text with every placeholder replaced by its value."""
        return self._format % tuple([values[name] for name in self._names])


def _check(text: str, placeholders: frozenset[str], optional: frozenset[str], source: str, first_line: int) -> None:
    takes = ", ".join(sorted(placeholders | optional)) or "none"
    found = set()
    for match in _PLACEHOLDER.finditer(text):
        found.add(match[1])
        if match[1] not in placeholders | optional:
            line = first_line + text.count("\n", 0, match.start())
            raise BBAError(f"{source}, line {line}: unknown placeholder {{{match[1]}}}; this template takes {takes}")
    for name in sorted(placeholders - found):
        line = first_line + text.count("\n")
        raise BBAError(f"{source}, line {line}: the text ends without the placeholder {{{name}}}; it takes {takes}")


def load_template(
    file: Path, placeholders: frozenset[str] = frozenset(), optional: frozenset[str] = frozenset()
) -> Template:
    """Reads a template from a file, without trailing white space; the arguments are those of `Template`.

    Raises:
        BBAError: the file cannot be read, or a placeholder is unknown or missing.
    """
    return Template(_read(file), placeholders, str(file), optional=optional)


def load_sections(
    file: Path, placeholders: dict[str, frozenset[str]], optional: Mapping[str, frozenset[str]] = MappingProxyType({})
) -> dict[str, Template]:
    """Reads the ``## name`` sections of a file, each a template; placeholders by section.

    Raises:
        BBAError: the file cannot be read, or a section or a placeholder is unknown or missing.
    """
    text = _read(file)
    sections = {}
    for match, body in zip(_SECTION.finditer(text), _SECTION.split(text)[2::2], strict=True):
        line = text.count("\n", 0, match.start()) + 1
        if match[1] not in placeholders:
            raise BBAError(f"{file}, line {line}: unknown section {match[1]!r}; it takes {', '.join(placeholders)}")
        first_line = line + len(body) - len(body.lstrip("\n"))
        may = optional.get(match[1], frozenset())
        sections[match[1]] = Template(body.strip(), placeholders[match[1]], str(file), first_line, may)
    for name in placeholders.keys() - sections.keys():
        last_line = text.count("\n") + 1
        raise BBAError(f"{file}, line {last_line}: the file ends without the section {name!r}")
    return sections


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8").rstrip()
    except OSError as error:
        raise BBAError(f"{file}: cannot read this prompt: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise BBAError(f"{file}: this prompt is not UTF-8 text (byte {error.start})") from error
