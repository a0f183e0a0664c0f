"""Checks of values and of options that do not go together; every mistake is one line."""

import os
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from bba.config import Options
from bba.errors import BBAError
from bba.settings import Settings, StudyOptions, StudyTableOptions
from tui.arguments.commands import COMMANDS, option

if TYPE_CHECKING:
    from bba.kitchen import Layout

LAYOUTS = ("open", "ring", "forced_coordination")  # those that learned policies ship for
FORMS = {"accept_code": "should be digests of 16 hex digits, with commas between them"}  # of text that has a form
MOST_SHOWN = 100  # characters of a wrong value that a message shows
# Commands whose own options would do nothing without them, where somebody would believe that it was done.
COMPANIONS: Mapping[str, type[Options]] = {"study_tables": StudyTableOptions, "study": StudyOptions}


def first_mistake(error: ValidationError) -> str:
    """Returns the first mistake as one line: the option, its value, and what is allowed."""
    problem = error.errors(include_url=False)[0]
    field, what = (
        str(problem["loc"][0]),
        problem["msg"].removeprefix("Input ").removeprefix("Value error, ").split(", unable")[0],
    )
    if problem["type"] == "string_pattern_mismatch":
        what = FORMS.get(field, what.replace("String ", ""))
    return f"{option(field)[2:]}: got {_shown(problem['input'])}; it {what}"


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
    return mistake.replace(option(field)[2:], variable, 1) if variable in variables else f"{file}: {mistake}"


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"


def check_options(settings: Settings, name: str, without: Collection[str] = ()) -> None:
    """Checks that only options are set that go with a command: its own, but not those `without` which it is asked now.

    Raises:
        BBAError: another option is set.
    """
    command = COMMANDS[name]
    takes = [field for field in command.fields if field not in without]
    for field in sorted(settings.model_fields_set - {command.field, *takes, "headless"}):  # none has a screen
        there = ", ".join(map(option, takes))
        raise BBAError(f"{option(field)}: does not go with {option(command.field)}, which takes {there}")


def check_companions(settings: Settings) -> None:
    """Checks that options that only say more about another one come with it.

    Raises:
        BBAError: one comes alone, where it would do nothing.
    """
    pairs = [(name, asked) for asked, one in COMPANIONS.items() for name in one.model_fields]
    others = [
        ("monitor", "serve"),
        ("token_file", "serve"),
        ("from_study", "train", "study_power"),
        ("train_steps", "train"),
    ]
    for name, *asked in [*pairs, *others]:
        if getattr(settings, name) and all(getattr(settings, one) is None for one in asked):
            raise BBAError(f"{option(name)}: goes with {' or '.join(map(option, asked))}, which is not given")


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
