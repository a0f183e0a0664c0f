"""The entry point of a visitor's process: runs the command with settings made by the server."""

import sys

from bba.errors import BBAError, say_aside
from bba.settings import Settings
from tui.crash import FAILED, catch_everywhere, report
from tui.process_end import PROCESS_END


def main() -> int:
    """Runs the command for the settings in the first argument (JSON); returns the exit status."""
    sys.stdout = sys.stderr  # the standard output carries the visitor's screen
    from tui.cli import run

    try:
        settings = Settings.model_validate_json(sys.argv[1])
        run(settings.model_copy(update={"serve": None}))  # a file of options may set it again
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
