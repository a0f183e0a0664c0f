"""The language of the texts for participants of a study: English texts in the code are the keys of the catalogues.

A catalogue is a file of `configs/languages`, such as ``de.toml``; it has every text that `say` or `marked` names. A
text that is missing there stays English.
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
    if language == "en":
        return {}
    path = data_dir("configs/languages") / f"{language}.toml"
    return dict(parse_toml(path)["messages"])


def say(text: str, **fields: object) -> str:
    """Returns a text in the language of this context.

    Args:
        text: in English: a literal, or a text that `marked` names.
        fields: the values of its places ``{name}``, which a translation may put into another order.
    """
    translation = catalogue(LANGUAGE.get()).get(text, text)
    return translation.format(**fields) if fields else translation


def marked(texts: Marked) -> Marked:
    """Marks texts, also within tuples, calls and the values of dicts, that `say` will translate; returns them."""
    return texts
