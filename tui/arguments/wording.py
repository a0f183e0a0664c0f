"""Words of the command line: how commands are written, and the messages about words that a command does not take."""

from collections.abc import Sequence

from bba.errors import nearest
from tui.arguments.command import KNOWN_OPTIONS, option
from tui.arguments.commands import COMMANDS, FLAT

# Options of earlier versions whose command has another name.
FORMER = {"--local-models": "models", "--benchmark": "score", "--show-prompt": "prompt"}
GROUPED = ("study", "kitchen")  # what commands of two words begin with


def joined(words: Sequence[str]) -> list[str]:
    """Returns words with a command of two words as one: `study check` is `study-check`."""
    first_two = "-".join(words[:2])
    if len(words) > 1 and first_two in COMMANDS:
        return [first_two, *words[2:]]
    return list(words)


def spelling(name: str) -> str:
    """Returns a command as it is shown: `study-check` is `study check`; both are taken."""
    first, _, second = name.partition("-")
    return f"{first} {second}" if first in GROUPED and second else name


def takers(field: str) -> list[str]:
    """Returns the commands whose line takes an option, or that the option stands for."""
    return [name for name, command in COMMANDS.items() if field in command.options or FLAT.get(field) == name]


def replacement(word: str) -> str:
    """Returns the command that has taken the place of an option of an earlier version; "" for none."""
    name = FORMER.get(word, word.removeprefix("--"))
    return name if word.startswith("--") and name in COMMANDS else ""


def not_taken(name: str, word: str) -> str:
    """Returns the message about an option that a command does not take."""
    command = COMMANDS[name]
    spelt = spelling(name)
    commands = _commands_with(word)
    if commands:
        return f"{word}: is no option of {spelt}, but of {commands}; see bba-tui {spelt} --help"
    if replacement(word):
        return f"{word}: is no option of {spelt}; it is the command bba-tui {spelling(replacement(word))}"
    near = nearest(word, [option(field) for field in command.options])
    offered = ""
    if near:
        verb = "is" if len(near) == 1 else "are"
        offered = f"the nearest {verb} {', '.join(near)}; "
    return f"{word}: is no option of {spelt}; {offered}see bba-tui {spelt} --help"


def needs_command(word: str) -> str:
    """Returns the message about an option that only commands take; "" if there is no such option."""
    if replacement(word):
        return f"{word}: no such option; it is the command bba-tui {spelling(replacement(word))}"
    commands = _commands_with(word)
    if commands:
        return f"{word}: goes with {commands}, which is not given; see bba-tui {commands.split(', ')[0]} --help"
    return ""


def _commands_with(word: str) -> str:
    """Returns the first commands whose line takes an option, with commas between them; "" for none."""
    fields = {option(field): field for names in KNOWN_OPTIONS.values() for field in names}
    return ", ".join(map(spelling, takers(fields[word])[:3])) if word in fields else ""


def too_many(name: str, word: str) -> str:
    """Returns the message about a word too many, after all that a command takes."""
    command = COMMANDS[name]
    spelt = spelling(name)
    if f"--{word}" in map(option, command.options):
        return f"{word}: one word too many; the option is --{word}"
    if not command.value:
        return f"{word}: one word too many; {spelt} takes options only; see bba-tui {spelt} --help"
    hint = f"; {command.second_word_hint}" if command.second_word_hint else ""
    return f"{word}: one word too many; {spelt} takes one {command.value}{hint}; see bba-tui {spelt} --help"
