"""Lines without a command in which an option stands for one, as `--sweep quick` for `bench quick`.

They are written with the command here, before anything else looks at them.
"""

from collections.abc import Mapping
from typing import Any

from tui.arguments.command import option
from tui.arguments.commands import COMMANDS, FLAT
from tui.arguments.ordering import ArrangedArguments

STAYING = ("play",)  # options that their command has, too: what the remaining name stands after the command
WITHOUT_SCREEN = ("list", "bench", "report", "headless")  # commands for which --headless says nothing
NOT_SET = (None, False, "", "0", "false")


def with_command(line: ArrangedArguments) -> ArrangedArguments:
    """Returns a line with the command for which an option of it stands, as `bench quick` for `--sweep quick`."""
    if len(line.words) > 1 or (line.words and not line.command):
        return line
    for field, name in FLAT.items():
        places = [number for number, text in enumerate(line.options) if text.partition("=")[0] == option(field)]
        if not places or line.command not in ("", name):
            continue
        if field in STAYING:
            return ArrangedArguments([name], line.options)
        flag = places[0]
        remaining = list(line.options)
        _, equals, value = remaining.pop(flag).partition("=")
        command_line = [name]
        if equals:
            command_line.append(value)
        elif flag < len(remaining) and not remaining[flag].startswith("-"):
            command_line.append(remaining.pop(flag))
        options = [text for text in remaining if text != "--headless" or name not in WITHOUT_SCREEN]
        return ArrangedArguments(command_line, options)
    return line


def with_command_outside(line: ArrangedArguments, outside: Mapping[str, Any]) -> ArrangedArguments:
    """Returns a line without a command with that which a file or a variable asks for, if one does."""
    for field, name in FLAT.items():
        value = outside.get(field)
        if value in NOT_SET:
            continue
        if field in STAYING or not COMMANDS[name].field or COMMANDS[name].field == "layout":
            return ArrangedArguments([name], line.options)
        return ArrangedArguments([name, str(value)], line.options)
    return line
