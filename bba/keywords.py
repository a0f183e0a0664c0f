"""The check that a function of the Python API takes a keyword: the error is one line with the nearest names."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar
from warnings import warn

from bba.errors import BBAError, instead

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
Class = TypeVar("Class", bound=type)


def known_keywords(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Returns the function so that it raises BBAError, with the nearest names, for a keyword that it does not take."""
    return _with_checked_keywords(function, function.__name__)


def known_options(options: Class) -> Class:
    """Returns the class so that its constructor raises BBAError as in `known_keywords`."""
    any_class: Any = options  # mypy refuses an assignment to `__init__` of a known class
    any_class.__init__ = _with_checked_keywords(any_class.__init__, options.__name__)
    return options


def changed_default(name: str, before: object) -> Callable[[Callable[Arguments, Result]], Callable[Arguments, Result]]:
    """Returns a decorator for a function one of whose defaults was another: it says so where the parameter is left out.

    Args:
        name: of the parameter.
        before: its default until now.
    """

    def with_warning(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
        signature = inspect.signature(function)
        now = signature.parameters[name].default

        @wraps(function)
        def call_with_warning(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
            if name not in kwargs and name not in signature.bind_partial(*args).arguments:
                text = f"{function.__name__}: {name} is {now!r} where it is left out; it was {before!r}: say which"
                warn(text, DeprecationWarning, stacklevel=2)
            return function(*args, **kwargs)

        return call_with_warning

    return with_warning


def _with_checked_keywords(function: Callable[Arguments, Result], name: str) -> Callable[Arguments, Result]:
    keywords = []
    for parameter in inspect.signature(function).parameters.values():
        is_keyword = parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
        if is_keyword and parameter.name != "self":
            keywords.append(parameter.name)

    @wraps(function)
    def call_with_checked_keywords(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        for keyword in kwargs:
            if keyword not in keywords:
                raise BBAError(f"{name}: no option {keyword!r}; {instead(keyword, keywords)}")
        return function(*args, **kwargs)

    return call_with_checked_keywords
