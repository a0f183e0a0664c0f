"""The parts of a planning agent that are plug-ins: what answers its prompts, and what interrupts its skills.

A partner model that is a plug-in: it takes the place of filter and gates, and what it believes is checked.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from bba.agents.base import Profile
from bba.agents.triggers import Trigger, TriggerContext, TriggerResult
from bba.errors import BBAError
from bba.planner import ChatBackend, Message, Reply
from bba.plugins import UsedPlugin, called, find_used, lacks, load_plugin, make
from bba.plugins.loading import load_used
from bba.plugins.options import NumberOption, checked, number_options, used


class PluginBackend:
    """A chat model that is a plug-in.

    Args:
        model: the plug-in, made.
        name: its name.

    Raises:
        BBAError: it lacks a method.
    """

    def __init__(self, model: Any, name: str) -> None:
        if lacks(model, ("complete",)):
            raise BBAError(f"{name}: a planner has complete(messages), which returns the answer; it lacks that")
        self._model, self.name = model, name

    def complete(self, messages: Sequence[Message]) -> Reply:
        """Returns its answer.

        Raises:
            NoAnswer: it says so.
            BBAError: it raised another exception, or returned something else.
        """
        where = f"{self.name}: complete"
        answer = called(where, self._model.complete, messages)
        if isinstance(answer, str):
            return Reply(answer)
        if not isinstance(answer, Reply):
            raise BBAError(f"{where}: returned {type(answer).__name__}; a text or a bba.planner.Reply")
        return answer


class BackendPlugin(NamedTuple):
    """A backend, and how it is recorded; None for one that ships with the project."""

    backend: ChatBackend
    used: UsedPlugin | None = None


class TriggerPlugin(NamedTuple):
    """A trigger, and how it is recorded."""

    trigger: Trigger
    used: UsedPlugin


def plugin_backend(name: str, given: Mapping[str, Any]) -> BackendPlugin:
    """Returns a chat model of a plug-in with these options.

    Raises:
        BBAError: there is no such plug-in, it is no planner, or an option is not valid.
    """
    made = make(load_plugin("planner", name), given)
    return BackendPlugin(PluginBackend(made.target, name), made.used)


def plugin_trigger(name: str, given: Mapping[str, Any]) -> TriggerPlugin:
    """Returns a trigger of a plug-in with these options: a function of the context and options, or a class of such.

    Raises:
        BBAError: there is no such plug-in, it is no trigger, or an option is not valid.
    """
    plugin = load_plugin("trigger", name)
    if isinstance(plugin.target, type):
        made = make(plugin, given)
        if not callable(made.target):
            raise BBAError(f"{name}: a trigger is called with a context; {type(made.target).__name__} cannot be called")
        return TriggerPlugin(partial(_interrupts, name, made.target), made.used)
    if not callable(plugin.target):
        raise BBAError(f"{name}: a trigger is a function or a class, not {type(plugin.target).__name__}")
    options, recorded = checked(plugin, given, skip=1)
    return TriggerPlugin(partial(_interrupts, name, partial(plugin.target, **options)), used(plugin, recorded))


def trigger_thresholds(profile: Profile) -> tuple[NumberOption, ...]:
    """Returns the thresholds of an agent's trigger that are numbers; none for a trigger that is no plug-in.

    Raises:
        BBAError: the plug-in may not be imported, or is not the one that was used.
    """
    used = find_used(profile.plugins, "trigger")
    if used is None:
        return ()
    plugin = load_used(used)
    return number_options(plugin, dict(used.options), skip=0 if isinstance(plugin.target, type) else 1)


def _interrupts(name: str, trigger: Callable[[TriggerContext], Any], context: TriggerContext) -> TriggerResult:
    """Asks a trigger, and checks what it returns."""
    where = f"{name}: in step {context.observation.step}"
    answer = called(where, trigger, context)
    if isinstance(answer, TriggerResult):
        return answer
    if not isinstance(answer, bool | np.bool_):
        raise BBAError(
            f"{where}: returned {type(answer).__name__}; a trigger returns True or False, or a TriggerResult"
        )
    return TriggerResult(bool(answer))
