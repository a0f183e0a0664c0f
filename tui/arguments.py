"""Parses the command line into `Settings`; every mistake is one line."""

import argparse
from collections.abc import Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, NoReturn

from pydantic import ValidationError
from pydantic_settings import CliSettingsSource, SettingsError

from bba.errors import BBAError
from bba.settings import SHORT, Settings

if TYPE_CHECKING:
    from bba.kitchen import Layout

# The value of an option that is given without one.
ALONE = {"--sweep": "quick", "--play": "terminal", "--serve": "127.0.0.1:8000", "--train": "all"}
LAYOUTS = ("open", "ring", "forced_coordination")  # those that learned policies ship for
OPTION_OF = {field.replace("_", "-"): option for option, field in SHORT.items()}


class _Help(argparse.HelpFormatter):
    """Help without the defaults None and False."""

    def _expand_help(self, action: argparse.Action) -> str:
        return super()._expand_help(action).replace(" (default: None)", "").replace(" (default: False)", "")


class _Parser(argparse.ArgumentParser):
    """A parser whose error messages are one line, without the usage."""

    def error(self, message: str) -> NoReturn:
        raise BBAError(f"{message}; see bba-tui --help")


def parse(arguments: Sequence[str]) -> Settings:
    """Returns the settings from file, environment and command line together.

    Raises:
        BBAError: an unknown option, or a value that is not allowed; the message names option and value.
    """
    parser = _Parser(prog="bba-tui", allow_abbrev=False, formatter_class=_Help, description=Settings.__doc__)
    try:
        source: CliSettingsSource[argparse.ArgumentParser] = CliSettingsSource(
            Settings,
            cli_parse_args=_with_values(arguments),
            root_parser=parser,
            cli_kebab_case=True,
            cli_implicit_flags="toggle",
            cli_hide_none_type=True,
            cli_avoid_json=True,
            cli_shortcuts=OPTION_OF,
        )
        return Settings(_cli_settings_source=source)  # type: ignore[call-arg]  # not a field, but pydantic takes it
    except ValidationError as error:
        raise BBAError(f"--{first_mistake(error)}") from None
    except SettingsError as error:
        raise BBAError(str(error).splitlines()[0]) from None


def _with_values(arguments: Sequence[str]) -> list[str]:
    """Returns the arguments, with the implied value added to each option that is given without one."""
    pairs = zip_longest(arguments, arguments[1:], fillvalue="-")
    return [
        f"{argument}={ALONE[argument]}" if argument in ALONE and after.startswith("-") else argument
        for argument, after in pairs
    ]


def first_mistake(error: ValidationError) -> str:
    """Returns the first mistake as one line: the option, its value, and what is allowed."""
    problem = error.errors(include_url=False)[0]
    option = str(problem["loc"][0]).replace("_", "-")
    what = problem["msg"].removeprefix("Input ").split(", unable")[0]
    return f"{OPTION_OF.get(option, option)}: got {problem['input']!r}; it {what}"


def check_options(settings: Settings, option: str, takes: tuple[str, ...]) -> None:
    """Checks that only options are set that go with `option`: those in `takes`.

    Raises:
        BBAError: another option is set.
    """
    for name in sorted(settings.model_fields_set - {option, *takes}):
        there = ", ".join(f"--{_dashed(known)}" for known in takes)
        raise BBAError(f"--{_dashed(name)}: does not go with --{_dashed(option)}, which takes {there}")


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
