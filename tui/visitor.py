"""The entry point of a visitor's process: runs the command that the options made by the server ask for."""

import json
import sys

from bba.errors import BBAError, say_aside
from tui.arguments import Call
from tui.arguments.commands import COMMANDS, START
from tui.crash import FAILED, catch_everywhere, report
from tui.process_end import PROCESS_END

# option: the command of a visitor for whom it is set; the first one counts
VISITOR_COMMANDS = {"study": "study", "learn": "learn", "play": "play"}


def visitor_call(text: str) -> Call:
    """Returns the command of a visitor, with its options, from those of the server as JSON."""
    values = json.loads(text)
    command = START
    for field, name in VISITOR_COMMANDS.items():
        if values.get(field):
            command = COMMANDS[name]
            break
    fields = command.model.model_fields
    return Call(command, command.model.model_validate({name: values[name] for name in values if name in fields}))


def main() -> int:
    """Runs the command for the options in the first argument (JSON); returns the exit status."""
    sys.stdout = sys.stderr  # the standard output carries the visitor's screen
    from tui.cli import run

    try:
        run(visitor_call(sys.argv[1]))
    except BBAError as error:
        say_aside(f"bba-tui: a visitor's session: {error}\n")
        return 2
    except SystemExit as ended:
        return int(ended.code or 0)
    except Exception as error:  # noqa: BLE001 - no traceback reaches a user
        say_aside(f"{report(error)}\n")
        return FAILED
    return 0


if __name__ == "__main__":
    PROCESS_END.take_over()
    catch_everywhere()
    sys.exit(PROCESS_END.with_status(main()))
