"""The entry point of a visitor's process: runs the command with settings made by the server."""

import sys

from bba.errors import BBAError
from bba.settings import Settings


def main() -> int:
    """Runs the command for the settings in the first argument (JSON); returns the exit code."""
    sys.stdout = sys.stderr  # the standard output carries the visitor's screen
    from tui.cli import run

    try:
        settings = Settings.model_validate_json(sys.argv[1])
        run(settings.model_copy(update={"serve": None}))  # a file of options may set it again
    except BBAError as error:
        sys.stderr.write(f"bba-tui: a visitor's session: {error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
