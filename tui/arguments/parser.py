"""Parses the command line into `Settings`, checks values and what does not go together; a mistake is one line."""

import argparse
import os
import sys
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NoReturn

from pydantic import ValidationError
from pydantic_settings import CliSettingsSource, SettingsError

from bba.config import Options
from bba.errors import BBAError, instead
from bba.settings import Settings, StudyOptions, StudyTableOptions
from tui.arguments.commands import (
    COMMANDS,
    OPTION_OF,
    joined,
    not_taken,
    old_form,
    option,
    spelled_out,
    spelling,
    too_many,
)
from tui.arguments.help import HELP_PAGE, all_options, command_page, exit_statuses, manual
from tui.arguments.ordering import HELP, HELP_ALL, HELP_WORDS, arranged

if TYPE_CHECKING:
    from bba.kitchen import Layout

LAYOUTS = ("open", "ring", "forced_coordination")  # those that learned policies ship for
FORMS = {"accept_code": "should be digests of 16 hex digits, with commas between them"}  # of text that has a form
MOST_SHOWN = 100  # characters of a wrong value that a message shows
COMMAND_OF_SUFFIX = {".bba": "replay", ".layout": "kitchen import"}  # files that stand for a command
# Commands whose own options would do nothing without them, where somebody would believe that it was done.
COMPANIONS: Mapping[str, type[Options]] = {"study_tables": StudyTableOptions, "study": StudyOptions}


def first_mistake(error: ValidationError) -> str:
    """Returns the first mistake as one line: the option, its value, and what is allowed."""
    problem = error.errors(include_url=False)[0]
    field = str(problem["loc"][0])
    demand = problem["msg"].removeprefix("Input ").removeprefix("Value error, ").split(", unable")[0]
    if problem["type"] == "string_pattern_mismatch":
        demand = FORMS.get(field, demand.replace("String ", ""))
    return f"{option(field)[2:]}: got {_shortened(problem['input'])}; it {demand}"


def given_mistake(error: ValidationError, typed: Mapping[str, Any], named: Mapping[str, str]) -> str:
    """Returns the first mistake as one line; it begins with the command, option, variable or file that has its value.

    Args:
        error: what is wrong with all values together.
        typed: those of the command line, which override those of variables, which override those of a file.
        named: the settings whose value stands after the command, each with that command.
    """
    mistake = first_mistake(error)
    field = str(error.errors(include_url=False)[0]["loc"][0])
    variables = {name.upper(): value for name, value in os.environ.items()}
    variable = f"BBA_{field.upper()}"
    file = typed.get("config") or variables.get("BBA_CONFIG")
    if field in named:
        return mistake.replace(option(field)[2:], named[field], 1)
    if field in typed or (variable not in variables and file is None):
        return f"--{mistake}"
    if variable in variables:
        return mistake.replace(option(field)[2:], variable, 1)
    return f"{file}: {mistake}"


def _shortened(value: object) -> str:
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
        taken_options = ", ".join(map(option, takes))
        raise BBAError(f"{option(field)}: does not go with {option(command.field)}, which takes {taken_options}")


def check_companions(settings: Settings) -> None:
    """Checks that options that only say more about another one come with it.

    Raises:
        BBAError: one comes alone, where it would do nothing.
    """
    companions_of: list[tuple[str, tuple[str, ...]]] = []
    for companion, model in COMPANIONS.items():
        companions_of += [(name, (companion,)) for name in model.model_fields]
    companions_of += [
        ("monitor", ("serve",)),
        ("token_file", ("serve",)),
        ("from_study", ("train", "study_power")),
        ("train_steps", ("train",)),
    ]
    for name, companions in companions_of:
        if getattr(settings, name) and all(getattr(settings, companion) is None for companion in companions):
            companion_options = " or ".join(option(companion) for companion in companions)
            raise BBAError(f"{option(name)}: goes with {companion_options}, which is not given")


def wanted_layouts(settings: Settings) -> "list[Layout]":
    """Returns the layouts that `--layout` or `--layouts` name; by default those that learned policies ship for.

    Raises:
        BBAError: both are given, or there is no such layout.
    """
    from bba.kitchen import Layout  # only here, as what completes names: the help is there without

    set_options = settings.model_fields_set
    if {"layout", "layouts"} <= set_options:
        raise BBAError("--layout: names one kitchen, --layouts several; take one of them")
    names = list(LAYOUTS)
    if settings.layouts is not None:
        names = [name.strip() for name in settings.layouts.split(",")]
    elif "layout" in set_options:
        names = [settings.layout]
    return [Layout.load(name) for name in dict.fromkeys(names)]


UNPARSED = "Parsing error encountered for "  # how pydantic-settings begins the message about such values
FROM_ENVIRONMENT = 'from source "EnvSettingsSource"'  # and how it ends that about a variable
UNKNOWN_ARGUMENTS = "unrecognized arguments: "  # how argparse begins the message about words that it does not know
# The value of an option that is given without one.
ALONE = {option(command.field): command.bare for command in COMMANDS.values() if isinstance(command.bare, str)}
ALONE["--monitor"] = "127.0.0.1:8001"


class Parser(argparse.ArgumentParser):
    """A parser whose error messages are one line, and which has no help: `help_page` has it.

    Args:
        command: the command at the start of the line, whose options alone it takes; "" for none, and all of them.
    """

    def __init__(self, command: str = "") -> None:
        self.command = command
        self.taken: Collection[str] = ()
        if command:
            self.taken = (COMMANDS[command].field, *COMMANDS[command].fields)
        self.actions: dict[str, argparse.Action] = {}  # the options of the settings, by field
        super().__init__(prog="bba-tui", allow_abbrev=False, add_help=False)

    def add_argument(self, *names: Any, **details: Any) -> argparse.Action:
        """Adds an option; one that the command does not take is known, and refused."""
        action = super().add_argument(*names, **details)
        self.actions[action.dest] = action
        if self.command and action.dest not in self.taken and action.dest != "version":
            for name in action.option_strings:
                del self._option_string_actions[name]
        return action

    def error(self, message: str) -> NoReturn:
        """Raises BBAError with the message, and with the nearest words to one that is not known."""
        if not message.startswith(UNKNOWN_ARGUMENTS):
            raise BBAError(f"{message}; see bba-tui --help")
        unknown = message.removeprefix(UNKNOWN_ARGUMENTS).split()
        word = unknown[0].partition("=")[0] if unknown else ""
        if self.command and word.startswith("-"):
            raise BBAError(not_taken(self.command, word))
        if self.command:
            raise BBAError(too_many(self.command, word))
        if word.startswith("-"):
            near = instead(word, [option(field) for field in self.actions], "bba-tui --help-all lists them")
            raise BBAError(f"{word}: no such option; {near}")
        raise BBAError(f"{word or repr(word)}: no such command; {_instead_of_command(word)}")


def _instead_of_command(word: str) -> str:
    """Returns the command for a kitchen or a file that stands where a command should, else the nearest command."""
    from bba.kitchen import Layout  # only here, as what completes names: most commands start without

    if word in Layout.names():
        return f"to watch a game in that kitchen: bba-tui watch {word}"
    for suffix, command in COMMAND_OF_SUFFIX.items():
        if word.endswith(suffix):
            return f"for such a file: bba-tui {command} {word}"
    return instead(word, [*map(spelling, COMMANDS), "--version"], "bba-tui help lists them")


def parse(arguments: Sequence[str]) -> Settings:
    """Returns the settings from file, environment and command line together.

    Raises:
        BBAError: an unknown option or command, or a value that is not allowed; the message names option and value.
    """
    line = arranged(arguments)
    command = line.command
    try:
        options = _with_values(spelled_out(line.words, line.options))
        source = _source(command)(args=options)
        named = _named_after(command) if len(line.words) > 1 else {}
        try:
            settings = Settings(_cli_settings_source=source)  # not a field; pydantic takes it
        except ValidationError as error:
            raise BBAError(given_mistake(error, source(), named)) from None
    except SettingsError as error:
        raise BBAError(_unparsed(str(error).splitlines()[0])) from None
    if not command:
        notice = old_form(settings, source())
        if notice:
            sys.stderr.write(f"bba-tui: {notice}\n")
    return settings


def _with_values(words: Sequence[str]) -> list[str]:
    """Returns the words of the line; an option that stands without a value, where it may, has the usual one."""
    completed: list[str] = []
    for word, next_word in zip_longest(words, words[1:], fillvalue="-"):
        if word in ALONE and next_word.startswith("-"):
            completed.append(f"{word}={ALONE[word]}")
        else:
            completed.append(word)
    return completed


def _named_after(command: str) -> dict[str, str]:
    """Returns the setting that has the word after a command, with the command as it is shown."""
    if not command:
        return {}
    target = COMMANDS[command].word or COMMANDS[command].field
    return {target: spelling(command)}


def help_page(words: Sequence[str]) -> str | None:
    """Returns the page of `help`, `man`, --help or --help-all; None if the words ask for something else.

    Raises:
        BBAError: there is no such command.
    """
    line = arranged(words)
    if HELP_ALL in line.options:
        return all_options(all_actions()) + exit_statuses()
    if HELP & set(line.options):
        return command_page(line.command, all_actions()) if line.command else HELP_PAGE
    if not line.words or line.words[0] not in HELP_WORDS:
        return None
    if line.words[0] == "man":
        return manual(all_actions())
    subject = joined(line.words[1:])
    if not subject or subject[0] in HELP_WORDS:
        return HELP_PAGE
    name = subject[0]
    if name not in COMMANDS:
        near = instead(name, [*map(spelling, COMMANDS)], "bba-tui help lists them")
        raise BBAError(f"help: no command named {name!r}; {near}")
    return command_page(name, all_actions())


def _unparsed(problem: str) -> str:
    """Returns the message about a value of a wrong form; for the options of plug-ins with the right form."""
    if problem.endswith(FROM_ENVIRONMENT):
        variable = problem.split('"')[1].upper()
        return f'BBA_{variable}: takes JSON, as {{"words": ["a", "b"]}}'
    field = problem.removeprefix(UNPARSED).partition(":")[0]
    if not problem.startswith(UNPARSED) or not field.endswith("_option"):
        return problem
    name = option(field)
    return f'{name}: takes NAME=VALUE, or JSON for lists, as {name} \'{{"words": ["a", "b"]}}\''


def all_actions() -> dict[str, argparse.Action]:
    """Returns every option of the settings by its field."""
    return _source("").root_parser.actions


@cache  # what a command takes does not change
def _source(command: str) -> CliSettingsSource[Parser]:
    """Returns the parser of the arguments of a command, or of none (""), into the settings."""
    return CliSettingsSource(
        Settings,
        root_parser=Parser(command),
        add_argument_method=Parser.add_argument,
        cli_kebab_case=True,
        cli_implicit_flags="toggle",
        cli_hide_none_type=True,
        cli_avoid_json=True,
        cli_shortcuts=OPTION_OF,
    )
