"""Calls into plug-ins: what goes wrong in one is one line, and its traceback is kept."""

import traceback
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import ParamSpec, TypeVar

from bba.errors import BBAError

Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")


class PluginError(BBAError):
    """A plug-in raised an exception.

    Attributes:
        details: the traceback, from the plug-in's first line on.
    """

    def __init__(self, problem: str, details: str) -> None:
        super().__init__(problem)
        self.details = details

    def __reduce__(self) -> tuple[type["PluginError"], tuple[str, str]]:
        """Says how it is made again in another process."""
        return PluginError, (str(self), self.details)


def called(
    where: str, function: Callable[Arguments, Answer], *args: Arguments.args, **kwargs: Arguments.kwargs
) -> Answer:
    """Returns what a function of a plug-in returns; `where` names plug-in and function.

    Raises:
        PluginError: it raised an exception.
        BBAError: it raised one of these, whose line is for people.
    """
    try:
        return function(*args, **kwargs)
    except BBAError:
        raise
    except (Exception, SystemExit) as error:  # the latter would end a worker, too
        raise failed(where, error) from error


def failed(where: str, error: BaseException) -> PluginError:
    """Returns an exception of a plug-in as one line with its last place, and its traceback."""
    frames = error.__traceback__.tb_next if error.__traceback__ is not None else None
    last = [] if isinstance(error, SyntaxError) else traceback.extract_tb(frames)[-1:]  # it names its place
    place = "".join(f" ({Path(frame.filename).name}, line {frame.lineno})" for frame in last)
    what = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(": ")
    return PluginError(f"{where}: {what}{place}", "".join(traceback.format_exception(error.with_traceback(frames))))


def lacks(plugin: object, methods: Iterable[str]) -> list[str]:
    """Returns which of these methods a plug-in does not have."""
    return [name for name in methods if not callable(getattr(plugin, name, None))]
