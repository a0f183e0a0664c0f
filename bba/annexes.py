"""The annexes: packages that know the engine, which does not know them. Each can be taken away.

The engine, the terminal app and the commands name what they need of an annex by text and import it when it is needed.
Without the annex that is one line, and everything else goes on.
"""

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any

from bba.errors import BBAError

# package: what it is for, as a message says it
ANNEXES: Mapping[str, str] = MappingProxyType(
    {
        "bba.llm": "language models",
        "bba.exam": "the exam for language models",
        "bba.learning": "training",
        "bba.report": "reports",
        "bba.film": "films and pictures",
        "bba.notebook": "notebooks",
        "bba.bundle": "bundles",
        "human.study": "studies",
        "tui.study": "studies on the screen",
        "tui.serve": "serving in the browser",
        "tui.design": "the designer of kitchens",
    }
)


def from_annex(place: str) -> Any:
    """Returns what stands at a place of an annex, as "bba.llm.pipeline:shared_backend".

    Raises:
        BBAError: the annex is not there.
    """
    module, _, name = place.partition(":")
    try:
        return getattr(import_module(module), name)
    except ModuleNotFoundError as error:
        problem = lacking_annex(error)
        if problem is None:
            raise
        raise BBAError(problem) from None


def lacking_annex(error: ModuleNotFoundError) -> str | None:
    """Returns which annex an import has not found, in one line; None if it is no annex that is lacking."""
    for package, purpose in ANNEXES.items():
        if error.name is not None and (error.name == package or error.name.startswith(f"{package}.")):
            return f"{purpose}: this installation has none ({package} is not there)"
    return None
