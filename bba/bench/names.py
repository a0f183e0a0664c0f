"""Names in a sweep: how they may be written, and that what they name exists.

A sweep that was stored may name what is there no more.
"""

import re
from collections.abc import Collection, Iterable
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, ValidationInfo

from bba.agents import HUMAN, MODEL_SIGN, TRIGGERS, agent_names, is_clone
from bba.analysis.measures import MEASURES
from bba.config import TriggerName
from bba.errors import BBAError, instead
from bba.kitchen import Layout
from bba.plugins.used import Kind, is_plugin_name
from bba.validation import PluginText

STORED = {"stored": True}  # context for reading a stored sweep, whose agents and layouts need not exist any more
OWN_PLANNERS = ("scripted", "rollout")  # that one ego can have while another plans for all
TURNING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")  # the direction of text


def _in_one_direction(text: str, info: ValidationInfo) -> str:
    """Returns a name that is shown as it is written; names of a stored sweep need not be."""
    match = TURNING.search(text)
    if match is not None and info.context != STORED:
        raise ValueError(f"{match[0]!r} turns the direction of text around; leave it out")
    return text


OneLine = Annotated[
    str,
    Field(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f-\x9f]+$"),
    AfterValidator(_in_one_direction),
]
Name = Annotated[OneLine, Field(max_length=80)]


def _name_validator(kind: Kind, shipped: Collection[str]) -> AfterValidator:
    """Returns the check that a name is a shipped one or of a plug-in; names of a stored sweep need not exist."""

    def check_name(name: str, info: ValidationInfo) -> str:
        if info.context == STORED or name in shipped or is_plugin_name(kind, name):
            return name
        raise ValueError(f"no {kind} named {name!r}; {instead(name, shipped)}")

    return AfterValidator(check_name)


KnownTrigger = Annotated[TriggerName, _name_validator("trigger", TRIGGERS)]
KnownPlanner = Annotated[Literal["scripted", "rollout"] | PluginText, _name_validator("planner", OWN_PLANNERS)]
KnownMeasure = Annotated[str, _name_validator("measure", MEASURES)]


def without_model(partner: str) -> str:
    """Returns the agent of a partner, without the model that may be named behind it."""
    return partner.partition(MODEL_SIGN)[0]


def check_agent_names(names: Iterable[str], *more: str) -> None:
    """Raises ValueError for a name that no agent, clone or plug-in has; `more` are allowed, too."""
    allowed = [name for name in (*agent_names(), *more) if name != HUMAN]
    for name in names:
        if name not in allowed and not is_clone(name) and not is_plugin_name("agent", name):
            raise ValueError(f"no agent named {name!r}; {instead(name, allowed)}")


def known_layouts(layouts: tuple[str | Layout, ...]) -> tuple[str | Layout, ...]:
    """Returns kitchens; raises ValueError for a name that no kitchen has, or that two have."""
    try:
        names = [Layout.load(layout).name for layout in layouts]
    except BBAError as error:
        raise ValueError(str(error)) from None
    for name in names:
        if names.count(name) > 1 and len(set(layouts)) == len(layouts):
            raise ValueError(f"two kitchens are called {name}")
    return layouts


def check_plugin_measures(names: Iterable[str]) -> None:
    """Raises ValueError for a name that is not one of a plug-in."""
    for name in names:
        if not is_plugin_name("measure", name):
            raise ValueError(f"{name!r} is no plug-in; all measures of ours are stored anyway")
