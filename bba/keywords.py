"""What is said of a keyword that a function of the Python API does not take: one line with the nearest names."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from bba.errors import BBAError, instead

Arguments = ParamSpec("Arguments")
Returned = TypeVar("Returned")
Class = TypeVar("Class", bound=type)


def known_keywords(function: Callable[Arguments, Returned]) -> Callable[Arguments, Returned]:
    """Returns the function so that it raises BBAError, with the nearest names, for a keyword that it does not take."""
    return _checked(function, function.__name__)


def known_options(options: Class) -> Class:
    """Returns the class, of which an object is made only from keywords that it takes, as in `known_keywords`."""
    made: Any = options  # an assignment to `__init__` is not read otherwise
    made.__init__ = _checked(made.__init__, options.__name__)
    return options


def _checked(function: Callable[Arguments, Returned], name: str) -> Callable[Arguments, Returned]:
    taken = [
        parameter.name
        for parameter in inspect.signature(function).parameters.values()
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY) and parameter.name != "self"
    ]

    @wraps(function)
    def checked(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Returned:
        for keyword in kwargs:
            if keyword not in taken:
                raise BBAError(f"{name}: no option {keyword!r}; {instead(keyword, taken)}")
        return function(*args, **kwargs)

    return checked
