"""Plug-ins in use: their kinds and names, what files say of them, and calls into them, whose errors are one line.

What goes wrong in a call is one line, and its traceback is kept. Installed packages add plug-ins as entry points of the
group `bba.plugins`. An entry point is called `KIND.NAME`, as `agent.greedy`, and says where the plug-in is, as
`mine.agents:Greedy`.
"""

import re
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy, deepcopy
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Generic, Literal, NamedTuple, ParamSpec, Self, TypeVar

from pydantic import BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError

from bba.errors import BBAError
from bba.validation import PlainText, PluginText

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints


GROUP = "bba.plugins"


@cache
def installed(kind: str) -> Mapping[str, str]:
    """Returns where the plug-ins of a kind are, as `module:Name` by their names in alphabetical order."""
    places = []
    for entry in _entry_points():
        of_kind, _, name = entry.name.partition(".")
        if of_kind == kind and name:
            places.append((name, entry.value.replace(" ", "")))
    return dict(sorted(places))


def sources() -> set[str]:
    """Returns the modules in which installed plug-ins are."""
    return {entry.value.partition(":")[0].strip() for entry in _entry_points()}


def _entry_points() -> "EntryPoints":
    from importlib.metadata import entry_points  # only when it is needed: it takes a while

    return entry_points(group=GROUP)


Kind = Literal["agent", "planner", "trigger", "partner-model", "measure", "layouts", "table", "figure"]

# kind: what it is, in a few words. The protocols are described in docs/extend/plugins.md.
KINDS: Mapping[Kind, str] = MappingProxyType(
    {
        "agent": "plays a seat, the ego's or the partner's",
        "planner": "answers the prompts of planning agents, as a language model does",
        "trigger": "says when an agent interrupts its skill",
        "partner-model": "keeps the belief about the partner",
        "measure": "computes a number from the trace of a game",
        "layouts": "names a folder of kitchens",
        "table": "makes a table of a report",
        "figure": "makes a figure of a report",
    }
)
_MODULE = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")


class PluginPlace(NamedTuple):
    """Where a plug-in is.

    Attributes:
        source: a module by its dotted name, or a Python file by its path.
        attribute: its name there.
    """

    source: str
    attribute: str

    @property
    def is_file(self) -> bool:
        """Whether the source is a file."""
        return self.source.endswith(".py")


def place_of(kind: Kind, name: str) -> PluginPlace | None:
    """Returns where the plug-in of a name is; None if the name is none of a plug-in."""
    return written_place(name) or written_place(installed(kind).get(name, ""))


def written_place(name: str) -> PluginPlace | None:
    """Returns where a name itself says that the plug-in is; None if it is of another form."""
    source, colon, attribute = name.rpartition(":")
    if not colon or not attribute.isidentifier():
        return None
    if source.endswith(".py") or _MODULE.fullmatch(source):
        return PluginPlace(source, attribute)
    return None


def is_plugin_name(kind: Kind, name: str) -> bool:
    """Whether a name is one of a plug-in; built-in names are to be looked for before this."""
    return place_of(kind, name) is not None


Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")
Target = TypeVar("Target")

_Text = Annotated[PlainText, Field(max_length=1000)]
_Scalar = bool | int | float | _Text | None
OptionValue = _Scalar | tuple[_Scalar, ...]
OptionValues = tuple[
    tuple[Annotated[str, Field(max_length=80, pattern=r"^[^\W\d]\w*$")], OptionValue], ...
]  # (name, value)


def _sorted_table(options: object) -> object:
    return tuple(sorted(options.items())) if isinstance(options, Mapping) else options


OptionTable = Annotated[OptionValues, BeforeValidator(_sorted_table)]  # a table in a TOML file may have any order
_VALUES: TypeAdapter[OptionValues] = TypeAdapter(OptionValues, config=ConfigDict(defer_build=True))


@dataclass(frozen=True, slots=True)
class UsedPlugin:
    """One plug-in that was used. The annotations are the limits that files are validated against.

    Attributes:
        kind: what it was used as.
        name: its name, as it was given.
        digest: 16 hex digits: of its own source files.
        options: its options, as they were given.
    """

    kind: Kind
    name: PluginText
    digest: Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]
    options: OptionValues = ()

    @property
    def label(self) -> str:
        """The plug-in's name and options, as "mine:Greedy temperature=0.3"."""
        return with_options(self.name, self.options)


class Plugin(NamedTuple, Generic[Target]):
    """A plug-in that is imported, or what was made of one.

    Attributes:
        target: the class or function; or the object that was made.
        used: which plug-in it is, with the options that it was made with.
    """

    target: Target
    used: UsedPlugin


def with_options(name: str, options: OptionValues) -> str:
    """Returns a name with options, as "mine:Greedy temperature=0.3"."""
    return " ".join([name, *[f"{option}={value}" for option, value in options]])


def option_changes(before: UsedPlugin, after: UsedPlugin) -> str:
    """Returns the changes of the options in words, as "step 9 → 12"; "" for none."""
    old = dict(before.options)
    new = dict(after.options)
    changes = []
    for name in old | new:
        if old.get(name) != new.get(name):
            changes.append(f"{name} {old.get(name, 'default')} → {new.get(name, 'default')}")
    return ", ".join(changes)


def find_used(used: Iterable[UsedPlugin], kind: Kind) -> UsedPlugin | None:
    """Returns the plug-in of a kind; None if none was used."""
    return next((plugin for plugin in used if plugin.kind == kind), None)


def option_values(name: str, values: Mapping[str, Any]) -> OptionValues:
    """Returns the options of the plug-in `name` as they are recorded.

    Raises:
        BBAError: a value is neither text, number, truth value nor a list of these.
    """
    try:
        return _VALUES.validate_python(tuple(sorted(values.items())))
    except ValidationError:
        raise BBAError(f"{name}: options are text, numbers, true or false, or lists of these: {values!r}") from None


class PluginError(BBAError):
    """A plug-in raised an exception.

    Attributes:
        details: the traceback, from the plug-in's first line on.
    """

    def __init__(self, problem: str, details: str) -> None:
        super().__init__(problem)
        self.details = details

    def __reduce__(self) -> tuple[type["PluginError"], tuple[str, str]]:
        """Makes the error again in another process."""
        return PluginError, (str(self), self.details)


def called(
    where: str, function: Callable[Arguments, Answer], *args: Arguments.args, **kwargs: Arguments.kwargs
) -> Answer:
    """Calls a function of a plug-in and returns its result; `where` names plug-in and function.

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
    summary = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(": ")
    stack = traceback.extract_tb(frames)
    if stack and not isinstance(error, SyntaxError):  # which names its place itself
        last = stack[-1]
        summary += f" ({Path(last.filename).name}, line {last.lineno})"
    details = "".join(traceback.format_exception(error.with_traceback(frames)))
    return PluginError(f"{where}: {summary}", details)


def answered(
    where: str,
    returns: type[Any] | tuple[type[Any], ...],
    described: str,
    function: Callable[..., Any],
    *args: Any,
    **kwargs: Any,
) -> Any:
    """Calls a function as `called` does; checks that the result is of these types, which `described` names.

    Raises:
        BBAError: it is of another type.
    """
    answer = called(where, function, *args, **kwargs)
    if not isinstance(answer, returns):
        raise BBAError(f"{where}: returned {type(answer).__name__}; {described}")
    return answer


class PluginProxy:
    """An object of a plug-in; errors in its methods become one line.

    Args:
        target: the object.
        used: the plug-in.
        kind: what it is, as "an agent".
        needed: the methods and attributes that it has to have.
        described: these in words, where messages need more than their names.

    Raises:
        BBAError: it lacks one.
    """

    def __init__(self, target: Any, used: UsedPlugin, kind: str, needed: Sequence[str], *, described: str = "") -> None:
        self.target = target
        self.used = used
        self.name = used.name
        missing = [attribute for attribute in needed if getattr(target, attribute, None) is None]
        if missing and described:
            raise BBAError(f"{self.name}: {kind} has {described}; it lacks that")
        if missing:
            raise BBAError(f"{self.name}: {kind} has {', '.join(needed)}; it lacks {', '.join(missing)}")

    def ask(self, method: str, *args: Any, step: int | None = None, **kwargs: Any) -> Any:
        """Calls a method; `step` is that of the game, which messages name."""
        return called(self.where(method, step), getattr(self.target, method), *args, **kwargs)

    def where(self, method: str, step: int | None = None) -> str:
        """Returns the plug-in, the method and the step, as messages name them."""
        return f"{self.name}: {method}" if step is None else f"{self.name}: {method} in step {step}"

    def copy(self) -> Self:
        """Returns an independent proxy in the same state: by the object's own method, else a deep copy.

        Raises:
            BBAError: it cannot be copied.
        """
        proxy = copy(self)
        copy_target = getattr(self.target, "copy", None)
        if copy_target:
            proxy.target = called(self.where("copy"), copy_target)
        else:
            proxy.target = called(self.where("copy"), deepcopy, self.target)
        return proxy
