"""The language of what participants of a study read: English texts in the code are the keys of the catalogues.

A catalogue is a file of `configs/languages`, such as ``de.toml``; it has every text that `say` or `marked` names. What
is missing there stays English.
"""

from collections.abc import Mapping
from contextvars import ContextVar
from functools import cache
from typing import Literal, TypeVar

from bba.files import data_dir, parse_toml

Language = Literal["en", "de", "es", "zh"]
Marked = TypeVar("Marked")

LANGUAGE: ContextVar[Language] = ContextVar("language", default="en")  # an app sets its own; its tasks inherit it


@cache
def catalogue(language: Language) -> Mapping[str, str]:
    """Returns the texts of a language by their English ones; none for English."""
    return {} if language == "en" else dict(parse_toml(data_dir("configs/languages") / f"{language}.toml")["messages"])


def say(text: str, **fields: object) -> str:
    """Returns a text in the language of this context.

    Args:
        text: in English: a literal, or a text that `marked` names.
        fields: what stands in its places ``{name}``, which a translation may put into another order.
    """
    said = catalogue(LANGUAGE.get()).get(text, text)
    return said.format(**fields) if fields else said


def marked(texts: Marked) -> Marked:
    """Names texts, also within tuples, calls and the values of dicts, that `say` is given later; returns them."""
    return texts
