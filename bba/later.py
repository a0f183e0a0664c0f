"""Calls upwards, by name: how an object of the core shows itself in a notebook, or becomes a data frame.

What draws is above the core, which imports nothing from above. So a class names the function, as `bba` names what is
public, and the function's module is imported when somebody asks for the drawing.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any


def later(place: str) -> Callable[..., Any]:
    """Returns a function that calls the one at `place`, "module:name", and imports its module only then."""
    module, _, name = place.partition(":")

    def call(*arguments: Any, **named: Any) -> Any:
        return getattr(import_module(module), name)(*arguments, **named)

    return call
