"""What Textual keeps for an app that runs for hours, which a test does not: a third of the time of screen tests.

Each stylesheet is parsed once in a test process, not anew for every app: a quarter of that time. Its rules are looked
up by identity, as always, but by the built-in hash: a tenth of what is left. And strips have none of their seven
caches, which garbage collection would go through: another tenth.

It replaces private parts of Textual, whose version is therefore capped in pyproject.toml.
"""

from typing import Any

import textual.strip
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet

_parse = Stylesheet._parse_rules
_parsed: dict[tuple, list] = {}


def _parse_once(sheet, css, read_from, is_default_rules=False, tie_breaker=0, scope=""):
    variables = tuple(sorted(sheet._variables.items()))
    key = (css, str(read_from), is_default_rules, tie_breaker, scope, variables)
    if key not in _parsed:
        _parsed[key] = _parse(sheet, css, read_from, is_default_rules, tie_breaker, scope)
    return _parsed[key]


class NoCache:
    """Keeps nothing."""

    def get(self, key: object) -> None:
        """Finds nothing."""

    def __setitem__(self, key: object, value: object) -> None:
        """Forgets it."""


def cache_nothing_in_strips() -> None:
    """Lets all strips share a cache that stays empty."""
    shared: Any = NoCache()
    assert hasattr(textual.strip, "FIFOCache")
    textual.strip.FIFOCache = lambda size: shared


def parse_stylesheets_once() -> None:
    """Lets every app of this process share the parsed rules."""
    Stylesheet._parse_rules = _parse_once
    RuleSet.__hash__ = object.__hash__
