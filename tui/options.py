"""The command line: argparse's grammar over the one table of options, and mistakes as one line each."""

import argparse
from collections.abc import Sequence
from itertools import zip_longest
from typing import NoReturn

from pydantic import ValidationError
from pydantic_settings import CliSettingsSource, SettingsError

from bba.errors import BBAError
from bba.settings import SHORT, Settings

# What an option stands for that is given without a value.
ALONE = {"--sweep": "quick", "--play": "terminal", "--serve": "127.0.0.1:8000"}
OPTION_OF = {field.replace("_", "-"): option for option, field in SHORT.items()}


class _Help(argparse.HelpFormatter):
    """Help that leaves out defaults which say nothing."""

    def _expand_help(self, action: argparse.Action) -> str:
        return super()._expand_help(action).replace(" (default: None)", "").replace(" (default: False)", "")


class _Parser(argparse.ArgumentParser):
    """A parser whose mistakes are one line, without the usage."""

    def error(self, message: str) -> NoReturn:
        raise BBAError(f"{message}; see bba-tui --help")


def parse(arguments: Sequence[str]) -> Settings:
    """The settings that file, environment and command line give together.

    Raises:
        BBAError: an unknown option or a value that it does not take; the message names option and value.
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
    """The arguments, with a value after each option that may stand alone."""
    pairs = zip_longest(arguments, arguments[1:], fillvalue="-")
    return [
        f"{argument}={ALONE[argument]}" if argument in ALONE and after.startswith("-") else argument
        for argument, after in pairs
    ]


def first_mistake(error: ValidationError) -> str:
    """One line: which option, what it got, what it takes."""
    problem = error.errors(include_url=False)[0]
    option = str(problem["loc"][0]).replace("_", "-")
    what = problem["msg"].removeprefix("Input ").split(", unable")[0]
    return f"{OPTION_OF.get(option, option)}: got {problem['input']!r}; it {what}"
