"""Parses the command line into a command and its options, and checks their values; a mistake is one line."""

import argparse
import os
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from itertools import zip_longest
from pkgutil import resolve_name
from typing import Any, NamedTuple, NoReturn

from pydantic import ValidationError
from pydantic_settings import CliSettingsSource, SettingsError

from bba.config import Options
from bba.errors import BBAError, instead, nearest
from tui.arguments.command import OPTION_OF, Command, option
from tui.arguments.commands import COMMANDS, FLAT, START
from tui.arguments.flat import with_command, with_command_outside
from tui.arguments.help import HELP_PAGE, all_options, command_page, exit_statuses, manual, reporting
from tui.arguments.options import OPTION_FIELDS, CommandOptions
from tui.arguments.ordering import HELP, HELP_ALL, HELP_WORDS, ArrangedArguments, arranged
from tui.arguments.sources import any_option, as_settings, merged, values_outside
from tui.arguments.wording import GROUPED, joined, needs_command, not_taken, spelling, too_many

FORMS = {"accept_code": "should be digests of 16 hex digits, with commas between them"}  # of text that has a form
MOST_SHOWN = 100  # characters of a wrong value that a message shows
COMMAND_OF_SUFFIX = {".bba": "replay", ".layout": "kitchen import"}  # files that stand for a command
# The value of an option that is given without one.
ALONE = {"--play": "terminal", "--results": "results", "--monitor": "127.0.0.1:8001"}


class Call(NamedTuple):
    """A command with its options.

    Attributes:
        command: the command.
        options: its options, an object of the command's model.
    """

    command: Command
    options: CommandOptions

    def run(self) -> None:
        """Runs the command."""
        resolve_name(self.command.run)(self.options)


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
        named: the field whose value stands after the command, with that command.
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


UNPARSED = "Parsing error encountered for "  # how pydantic-settings begins the message about such values
FROM_ENVIRONMENT = 'from source "EnvSettingsSource"'  # and how it ends that about a variable
UNKNOWN_ARGUMENTS = "unrecognized arguments: "  # how argparse begins the message about words that it does not know


class Parser(argparse.ArgumentParser):
    """A parser whose error messages are one line, and which has no help: `help_page` has it.

    Args:
        command: the command at the start of the line; "" for none.
        offered: the options that its line takes; None for all of the model.
    """

    def __init__(self, command: str, offered: Collection[str] | None) -> None:
        self.command = command
        self.offered = offered
        self.actions: dict[str, argparse.Action] = {}  # the options, by field
        super().__init__(prog="bba-tui", allow_abbrev=False, add_help=False)

    def add_argument(self, *names: Any, **details: Any) -> argparse.Action:
        """Adds an option; one that the command's line does not take is refused later."""
        action = super().add_argument(*names, **details)
        self.actions[action.dest] = action
        if self.offered is not None and action.dest not in self.offered:
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
        if word.startswith("-") and needs_command(word):
            raise BBAError(needs_command(word))
        if word.startswith("-"):
            near = instead(word, [option(field) for field in OPTION_FIELDS], "bba-tui --help-all lists them")
            raise BBAError(f"{word}: no such option; {near}")
        raise BBAError(_no_command(word))


def _no_command(word: str) -> str:
    """Returns the message about a word that stands where a command should."""
    return f"{word or repr(word)}: no such command; {_instead_of_command(word)}"


def _instead_of_command(word: str) -> str:
    """Returns the command for a kitchen or a file that stands where a command should, else the nearest command."""
    from bba.kitchen import Layout  # only here, as what completes names: most commands start without

    if word in Layout.names():
        return f"to watch a game in that kitchen: bba-tui watch {word}"
    for suffix, command in COMMAND_OF_SUFFIX.items():
        if word.endswith(suffix):
            return f"for such a file: bba-tui {command} {word}"
    return instead(word, [*map(spelling, COMMANDS), "--version"], "bba-tui help lists them")


def parse(arguments: Sequence[str]) -> Call:
    """Returns the command that the words ask for, with its options from file, environment and command line together.

    Raises:
        BBAError: an unknown option or command, or a value that is not allowed; the message names option and value.
    """
    line = with_command(arranged(arguments))
    try:
        typed = _typed(line)
        outside = values_outside(typed)
        if not line.words:
            line = with_command_outside(line, outside)
            if line.words:
                typed = _typed(line)
    except SettingsError as error:
        raise BBAError(_unparsed(str(error).splitlines()[0])) from None
    command = COMMANDS[line.command] if line.command else START
    named = {command.field: spelling(line.command)} if len(line.words) > 1 else {}
    try:
        any_value = {name: value for name, value in outside.items() if name not in typed}
        if any_value:
            any_option().model_validate(any_value)
        settable = command.settable
        own_values = {name: value for name, value in outside.items() if name in settable}
        options = command.model.model_validate(merged(own_values, typed))
    except ValidationError as error:
        raise BBAError(given_mistake(error, typed, named)) from None
    return Call(command, options)


def is_version(arguments: Sequence[str]) -> bool:
    """Whether the words ask for the version."""
    return option("version") in arranged(arguments).options


def _typed(line: ArrangedArguments) -> dict[str, Any]:
    """Returns the values of the command line, by field.

    Raises:
        BBAError: a word or an option that the command does not take, or a missing word.
    """
    source = _source(line.command)
    if not line.command and line.words:
        raise BBAError(_no_command(line.words[0]))
    if not line.command:
        source(args=_with_values(line.options))
        return dict(source())
    command = COMMANDS[line.command]
    value, more = _after_command(line)
    source(args=_with_values([*more, *line.options]))
    typed = dict(source())
    if value is not None:
        typed[command.field] = value
    return typed


def _after_command(line: ArrangedArguments) -> tuple[str | None, list[str]]:
    """Returns the word that follows a command, None for none, and the words that are too many.

    Raises:
        BBAError: a command lacks what must follow it, or what follows it is named by an option, too.
    """
    name, *rest = line.words
    _check_second_word(name, rest)
    command = COMMANDS[name]
    if command.verb and rest:
        verb, *rest = rest
        if verb != command.verb or not rest:
            raise BBAError(f"{name}: bba-tui {name}, or bba-tui {name} {command.verb} {command.value}")
    if not command.value:
        return None, rest
    if rest:
        same = {option(field) for field, title in FLAT.items() if title == name and field not in command.options}
        if command.field in command.options:
            same.add(option(command.field))
        for text in line.options:
            target = text.partition("=")[0]
            if target in same:
                raise BBAError(f"{target}: {rest[0]!r} after {spelling(name)} says the same; take one of them")
        return rest[0], rest[1:]
    if command.needs_value:
        line_of_help = f"bba-tui {spelling(name)}"
        usage = f"{line_of_help} {command.value}; see {line_of_help} --help"
        raise BBAError(f"{spelling(name)}: needs a {command.value}: {usage}")
    return None, []


def _check_second_word(name: str, rest: Sequence[str]) -> None:
    """Raises BBAError where two words follow the first one of commands of two words, and the first is misspelt."""
    if name not in GROUPED or len(rest) < 2:
        return
    commands = [title for title in COMMANDS if title.startswith(f"{name}-")]
    near = nearest(rest[0], [title.removeprefix(f"{name}-") for title in commands])
    if near:
        raise BBAError(f"{name} {rest[0]}: no such command; the nearest is {name} {near[0]}")


def _with_values(words: Sequence[str]) -> list[str]:
    """Returns the words of the line; an option that stands without a value, where it may, has the usual one."""
    completed: list[str] = []
    for word, next_word in zip_longest(words, words[1:], fillvalue="-"):
        if word in ALONE and next_word.startswith("-"):
            completed.append(f"{word}={ALONE[word]}")
        else:
            completed.append(word)
    return completed


def help_page(words: Sequence[str]) -> str | None:
    """Returns the page of `help`, `man`, --help or --help-all; None if the words ask for something else.

    Raises:
        BBAError: there is no such command.
    """
    line = arranged(words)
    if HELP_ALL in line.options and line.command:
        return command_page(line.command, actions_of(line.command), every=True)
    if HELP_ALL in line.options:
        return all_options(all_actions()) + exit_statuses() + reporting()
    if HELP & set(line.options):
        return command_page(line.command, actions_of(line.command)) if line.command else HELP_PAGE
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
    return command_page(name, actions_of(name))


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
    """Returns every option of all commands by its field."""
    parser = Parser("", None)
    _source_of(any_option(), parser)
    return parser.actions


def actions_of(name: str) -> dict[str, argparse.Action]:
    """Returns the options of a command by field."""
    return _source(name).root_parser.actions


@cache  # what a command takes does not change
def _source(name: str) -> CliSettingsSource[Parser]:
    """Returns the parser of the options of a command, or of none ("")."""
    command = COMMANDS[name] if name else START
    return _source_of(command.model, Parser(name, command.options))


def _source_of(model: type[Options], parser: Parser) -> CliSettingsSource[Parser]:
    return CliSettingsSource(
        as_settings(model),
        root_parser=parser,
        add_argument_method=Parser.add_argument,
        cli_kebab_case=True,
        cli_implicit_flags="toggle",
        cli_hide_none_type=True,
        cli_avoid_json=True,
        cli_shortcuts=OPTION_OF,
    )
