"""Checks of values and of options that do not go together; every mistake is one line."""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from bba.errors import BBAError
from bba.settings import SHORT, Settings

if TYPE_CHECKING:
    from bba.kitchen import Layout

LAYOUTS = ("open", "ring", "forced_coordination")  # those that learned policies ship for
FORMS = {"accept_code": "should be digests of 16 hex digits, with commas between them"}  # of text that has a form
MOST_SHOWN = 100  # characters of a wrong value that a message shows
# Options that would do nothing without another one, where somebody would believe that it was done.
COMPANION_OF = {
    "anonymous": "study_tables",
    "withdraw": "study_tables",
    "participant": "study",
    "check": "study",
    "exclude": "study",
    "monitor": "serve",
    "from_study": "train",
}
OPTION_OF = {field.replace("_", "-"): option for option, field in SHORT.items()}


def first_mistake(error: ValidationError) -> str:
    """Returns the first mistake as one line: the option, its value, and what is allowed."""
    problem = error.errors(include_url=False)[0]
    field, what = str(problem["loc"][0]), problem["msg"].removeprefix("Input ").split(", unable")[0]
    if problem["type"] == "string_pattern_mismatch":
        what = FORMS.get(field, what.replace("String ", ""))
    return f"{_dashed(field)}: got {_shown(problem['input'])}; it {what}"


def given_mistake(error: ValidationError, typed: Mapping[str, Any]) -> str:
    """Returns the first mistake as one line; it begins with the option, variable or file that has its value.

    Args:
        error: what is wrong with all values together.
        typed: those of the command line, which override those of variables, which override those of a file.
    """
    mistake, field = first_mistake(error), str(error.errors(include_url=False)[0]["loc"][0])
    variables = {name.upper(): value for name, value in os.environ.items()}
    variable, file = f"BBA_{field.upper()}", typed.get("config") or variables.get("BBA_CONFIG")
    if field in typed or (variable not in variables and file is None):
        return f"--{mistake}"
    if variable in variables:
        return mistake.replace(_dashed(field), variable, 1)
    return f"{file}: {mistake}"


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"


def check_options(settings: Settings, option: str, takes: tuple[str, ...]) -> None:
    """Checks that only options are set that go with `option`: those in `takes`.

    Raises:
        BBAError: another option is set.
    """
    for name in sorted(settings.model_fields_set - {option, *takes}):
        there = ", ".join(f"--{_dashed(known)}" for known in takes)
        raise BBAError(f"--{_dashed(name)}: does not go with --{_dashed(option)}, which takes {there}")


def check_companions(settings: Settings) -> None:
    """Checks that options that only say more about another one come with it.

    Raises:
        BBAError: one comes alone, where it would do nothing.
    """
    for name, option in COMPANION_OF.items():
        if getattr(settings, name) and getattr(settings, option) is None:
            raise BBAError(f"--{_dashed(name)}: goes with --{_dashed(option)}, which is not given")


def _dashed(field: str) -> str:
    option = field.replace("_", "-")
    return OPTION_OF.get(option, option)


def wanted_layouts(settings: Settings) -> "list[Layout]":
    """Returns the layouts that `--layout` or `--layouts` name; by default those that learned policies ship for.

    Raises:
        BBAError: both are given, or there is no such layout.
    """
    from bba.kitchen import Layout

    if {"layout", "layouts"} <= settings.model_fields_set:
        raise BBAError("--layout: names one kitchen, --layouts several; take one of them")
    if settings.layouts is not None:
        names = [name.strip() for name in settings.layouts.split(",")]
    else:
        names = [settings.layout] if "layout" in settings.model_fields_set else list(LAYOUTS)
    return [Layout.load(name) for name in dict.fromkeys(names)]
